"""The engine protocol, method by method and as a real process."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from games.engine import Engine, Judge
from games.jsonrpc import RpcError
from games.judgement import engine_judge
from games.registry import all_games
from games.stakd.state import State
from meshes.errors import StakdError
from meshes.piece_set import load_piece_set

FIRST = "BASE 0 0,0 0,1 1,0 1,1 2,0"


class Client:
    """An engine and short ways to call it."""

    def __init__(self, *, judge: Judge | None = None, set_name: str = "classic") -> None:
        self._methods = Engine(all_games(load_piece_set(set_name)), judge=judge).methods()

    def __call__(self, method: str, **params: object) -> Any:
        """The result of a call, as it comes out of JSON."""
        return json.loads(json.dumps(self._methods[method](params)))

    def error(self, method: str, **params: object) -> RpcError:
        """The error a call answers with."""
        with pytest.raises(RpcError) as refused:
            self(method, **params)
        return refused.value

    def started(self, players: int = 2, **options: str) -> Client:
        """This client with a new game."""
        self("new", game="stakd", players=players, seed=0, options=options)
        return self


def test_games_lists_stakd() -> None:
    """`games` names STAKD with its players, options with defaults, and bots."""
    (stakd,) = [game for game in Client()("games") if game["name"] == "stakd"]
    assert stakd["players"] == [1, 5]
    assert stakd["options"] == {"new_layer_exception": "mover", "base_contact": "one_base"}
    assert "random" in stakd["bots"]


def test_new_gives_the_state() -> None:
    """`new` gives the first state, seat 0 to move; `state` and `view` show the same (S47)."""
    client = Client()
    state = client("new", game="stakd", players=3, seed=5)
    assert (state["players"], state["to_move"], state["starter"], state["layers"]) == (3, 0, 0, [])
    assert client("state") == client("view", player=2) == state
    assert client("moves") == [FIRST]


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"game": "stakd", "players": 2},
        {"game": "stakd", "seed": 0},
        {"game": "chess", "players": 2, "seed": 0},
        {"game": "stakd", "players": 0, "seed": 0},
        {"game": "stakd", "players": 6, "seed": 0},
        {"game": "stakd", "players": -1, "seed": 0},
        {"game": "stakd", "players": True, "seed": 0},
        {"game": "stakd", "players": 2.0, "seed": 0},
        {"game": "stakd", "players": "2", "seed": 0},
        {"game": "stakd", "players": 10**40, "seed": 0},
        {"game": "stakd", "players": 2, "seed": -1},
        {"game": "stakd", "players": 2, "seed": 2**63},
        {"game": "stakd", "players": 2, "seed": False},
        {"game": "stakd", "players": 2, "seed": 0, "options": []},
        {"game": "stakd", "players": 2, "seed": 0, "options": {"base_contact": "none"}},
        {"game": "stakd", "players": 2, "seed": 0, "options": {"base_contact": 1}},
        {"game": "stakd", "players": 2, "seed": 0, "options": {"speed": "high"}},
        {"game": "stakd", "players": 2, "seed": 0, "colour": "red"},
    ],
)
def test_new_refused(params: dict[str, object]) -> None:
    """Missing, unknown and wrong params of `new` are -32602 and leave the game in hand as it was."""
    client = Client().started()
    before = client("state")
    assert client.error("new", **params).code == -32602
    assert client("state") == before


def test_largest_seed() -> None:
    """Seeds go to 2^63 - 1."""
    assert Client()("new", game="stakd", players=1, seed=2**63 - 1)["players"] == 1


@pytest.mark.parametrize("method", ["state", "view", "moves", "explain", "play", "undo", "outcome", "bot", "perft", "knock_over"])
def test_no_game_yet(method: str) -> None:
    """Before a game every method but `games`, `new` and `load` answers 3."""
    seat, move = {"player": 0}, {"move": ""}
    params: dict[str, dict[str, Any]] = {"view": seat, "knock_over": seat, "explain": move, "play": move, "bot": {"name": "random"}}
    assert Client().error(method, **params.get(method, {"depth": 1} if method == "perft" else {})).code == 3


@pytest.mark.parametrize(("players", "counts"), [(1, [1, 1, 50, 1600]), (2, [1, 1, 50, 3328]), (3, [1, 1, 50, 3328])])
def test_perft(players: int, counts: list[int]) -> None:
    """`perft` gives the protocol's counts from the start."""
    client = Client().started(players)
    assert [client("perft", depth=depth) for depth in range(4)] == counts


@pytest.mark.parametrize("depth", [-1, True, 1.0, "1", None])
def test_perft_depth_refused(depth: object) -> None:
    """A depth that is no whole number from 0 is -32602."""
    assert Client().started().error("perft", depth=depth).code == -32602


def test_play_and_undo() -> None:
    """`play` answers events and state; `undo` gives each state back, then error 1."""
    client = Client().started()
    states = [client("state")]
    for _ in range(6):
        answer = client("play", move=client("moves")[0])
        assert answer["events"][0]["type"] == "placed"
        assert answer["state"] == client("state")
        states.append(answer["state"])
    client("knock_over", player=1)
    for state in reversed(states):
        assert client("undo") == state
    assert client.error("undo").code == 1


def test_moves_are_sorted_by_text() -> None:
    """`moves` is sorted by code point, whatever layer the moves are on."""
    client = Client().started()
    rng = np.random.default_rng(3)
    for _ in range(30):
        moves = client("moves")
        assert moves == sorted(moves)
        client("play", move=moves[int(rng.integers(len(moves)))])


def test_illegal_move() -> None:
    """An illegal move is error 1 with the `explain` list as data and changes nothing; `explain` answers the same list."""
    client = Client().started()
    before = client("state")
    refused = client.error("play", move="DUO 1 0,0 1,0")
    assert (refused.code, refused.data) == (1, client("explain", move="DUO 1 0,0 1,0"))
    assert [set(entry) for entry in refused.data] == [{"code", "rule", "message"}] * 2  # type: ignore[attr-defined]
    assert client("explain", move=FIRST) == []
    assert client("explain", move=f" {FIRST}")[0]["code"] == "malformed"
    assert client("state") == before


def test_player_not_to_move() -> None:
    """For a player not to move: no moves, something to explain, error 1 for `play`; for a seat that is not there -32602."""
    client = Client().started()
    assert client("moves", player=1) == []
    assert client("explain", move=FIRST, player=1)[0]["code"] == "not-your-turn"
    assert client.error("play", move=FIRST, player=1).code == 1
    assert client.error("bot", name="random", player=1).code == 1
    for method, params in (("moves", {}), ("view", {}), ("explain", {"move": FIRST}), ("play", {"move": FIRST}), ("knock_over", {})):
        assert client.error(method, player=2, **params).code == -32602
        assert client.error(method, player=-1, **params).code == -32602


@pytest.mark.parametrize("method", ["play", "explain"])
@pytest.mark.parametrize("params", [{}, {"move": 3}, {"move": None}, {"move": FIRST, "player": True}, {"move": FIRST, "hand": 1}])
def test_move_params_refused(method: str, params: dict[str, object]) -> None:
    """Moves are strings, players whole numbers, and nothing else is taken."""
    assert Client().started().error(method, **params).code == -32602


def test_game_over() -> None:
    """When the game is over there are no moves, `play`, `bot` and `knock_over` are error 1, and the outcome stands; undo leads back."""
    client = Client().started()
    rng = np.random.default_rng(1)
    while client("outcome") is None:
        moves = client("moves")
        before = client("state")
        client("play", move=moves[int(rng.integers(len(moves)))])
    outcome, state = client("outcome"), client("state")
    assert (max(outcome["scores"]), outcome["winners"]) == (3, [state["to_move"]])
    assert client("moves") == []
    assert client.error("play", move=moves[0]).code == 1
    assert client.error("bot", name="random").code == 1
    assert client.error("knock_over", player=0).code == 1
    assert client("perft", depth=0) == 1
    assert client("perft", depth=1) == 0
    assert client("load", state=state) == state
    assert client("outcome") == outcome
    assert client.error("undo").code == 1
    assert before["round"] == state["round"]


def test_knock_over() -> None:
    """`knock_over` answers like `play`: events with a round over that nobody won, and the next round (S39, S41)."""
    client = Client().started()
    client("play", move=FIRST)
    answer = client("knock_over", player=1)
    assert [event["winner"] for event in answer["events"] if event["type"] == "round_over"] == [None]
    assert (answer["state"]["scores"], answer["state"]["round"], answer["state"]["layers"]) == ([0, -1], 2, [])


def test_load() -> None:
    """A state that `state` gave loads again and plays on; loading clears what could be taken back."""
    client = Client().started()
    client("play", move=FIRST)
    state = client("state")
    moves = client("moves")
    assert client("load", state=state, seed=9) == state
    assert client("moves") == moves
    assert client.error("undo").code == 1


def test_load_refused() -> None:
    """A bad state is error 2 with every defect as data and leaves the game in hand; one without a known game likewise."""
    client = Client().started()
    before = client("state")
    refused = client.error("load", state={**before, "to_move": 1, "out": [False, True], "round": 0, "colour": "red"})
    assert refused.code == 2
    assert [defect["code"] for defect in refused.data] == ["bad-value", "unknown-key"]  # type: ignore[attr-defined]
    for state in ({}, {"game": "chess"}, {"game": 3}):
        assert client.error("load", state=state).code == 2
    wrong: list[dict[str, Any]] = [{}, {"state": []}, {"state": before, "seed": -1}, {"state": before, "name": "x"}]
    for params in wrong:
        assert client.error("load", **params).code == -32602
    assert client("state") == before


def test_bot_moves_are_legal_and_repeat() -> None:
    """A bot's move is legal, the same for the same seed, and asking for it changes nothing."""
    client = Client().started()
    client("play", move=FIRST)
    before = client("state")
    chosen = {client("bot", name="random", seed=seed)["move"] for seed in (1, 1, 2, 3)}
    assert chosen <= set(client("moves"))
    assert client("bot", name="random", seed=1) == client("bot", name="random", seed=1)
    assert client("state") == before
    assert client.error("bot", name="nobody").code == -32602
    for params in ({"milliseconds": 0}, {"iterations": True}, {"seed": -1}, {"depth": 3}):
        assert client.error("bot", name="random", **params).code == -32602


def test_judge_is_asked_with_the_state() -> None:
    """`judge` hands pose and state to the judge it was given; refusals of its own are -32602; without a judge there is no such method."""

    def judge(state: State, piece: str, *, x_mm: float, y_mm: float, yaw_deg: float, layer: int | None) -> dict[str, Any]:
        if x_mm > 1000:
            raise StakdError("too far away")
        return {"on": len(state.layers), "piece": piece, "pose": [x_mm, y_mm, yaw_deg], "layer": layer}

    client = Client(judge=judge).started()
    client("play", move=FIRST)
    assert client("judge", piece="DUO", x_mm=1.5, y_mm=-2, yaw_deg=60) == {"on": 1, "piece": "DUO", "pose": [1.5, -2.0, 60.0], "layer": None}
    pose: dict[str, object] = {"piece": "DUO", "x_mm": 0, "y_mm": 0, "yaw_deg": 0}
    for change in ({"x_mm": 2000}, {"piece": "HEXA"}, {"x_mm": True}, {"x_mm": "1"}, {"yaw_deg": 10**400}, {"layer": -1}, {"z_mm": 1}):
        assert client.error("judge", **{**pose, **change}).code == -32602
    assert "judge" not in Engine(all_games()).methods()


def test_judge_on_an_empty_table() -> None:
    """The physical judge answers for a piece high above an empty table with a verdict, not an error."""
    client = Client(judge=engine_judge).started()
    verdict = client("judge", piece="DUO", x_mm=0, y_mm=0, yaw_deg=0, layer=4)
    assert (verdict["holds"], verdict["layer"], verdict["overhanging"]) == (False, 4, True)


def test_other_sets_through_the_same_engine() -> None:
    """The engine serves a square set as well: its BASE is a plus."""
    client = Client(set_name="square").started()
    assert client("moves") == ["BASE 0 0,0 1,-1 1,0 1,1 2,0"]


def test_as_a_process() -> None:
    """`python -m games.engine` answers on standard output with protocol lines only, in order, and ends with exit status 0."""
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "new", "params": {"game": "stakd", "players": 2, "seed": 7}},
        {"jsonrpc": "2.0", "method": "play", "params": {"move": FIRST}},
        {"jsonrpc": "2.0", "method": "play", "params": {"move": "nonsense"}},
        {"jsonrpc": "2.0", "id": "two", "method": "moves", "params": {}},
        {"jsonrpc": "2.0", "id": None, "method": "perft", "params": {"depth": 1}},
    ]
    text = "\n".join(json.dumps(request) for request in requests)
    lines = (text + '\n\n[]\n{"x":\n').encode() + b"\xff\n" + b'{"jsonrpc":"2.0","id":5,"method":"outcome"}'
    run = subprocess.run([sys.executable, "-m", "games.engine"], input=lines, capture_output=True, check=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [1, "two", None, None, None, None, 5]
    assert len(answers[1]["result"]) == 50
    assert answers[2]["result"] == 50
    assert [answer["error"]["code"] for answer in answers[3:6]] == [-32600, -32700, -32700]
    assert answers[6] == {"jsonrpc": "2.0", "id": 5, "result": None}


def test_prints_of_others_stay_off_the_protocol() -> None:
    """What else the process prints, C libraries too, goes to standard error, not between the answers."""
    program = (
        "import os, sys\nfrom games.engine import claim_stdout, serve\nout = claim_stdout()\n"
        "os.write(1, b'banner of a library\\n')\nprint('a print')\nserve(sys.stdin.buffer, out)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], input=b'{"jsonrpc":"2.0","id":1,"method":"fly"}', capture_output=True, check=True)
    assert json.loads(run.stdout)["error"]["code"] == -32601
    assert b"banner of a library" in run.stderr
    assert b"a print" in run.stderr
