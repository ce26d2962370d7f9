"""Sakana Stack through the engine protocol."""

from __future__ import annotations

import json
from itertools import chain
from typing import Any

import numpy as np
import pytest

from games.engine import Engine
from games.jsonrpc import RpcError
from games.registry import all_games
from games.sakana.deck import deck, names


class Client:
    """An engine and short ways to call it."""

    def __init__(self) -> None:
        self._methods = Engine(all_games()).methods()

    def __call__(self, method: str, **params: object) -> Any:
        """The result of a call, as it comes out of JSON."""
        return json.loads(json.dumps(self._methods[method](params)))

    def error(self, method: str, **params: object) -> RpcError:
        """The error a call answers with."""
        with pytest.raises(RpcError) as refused:
            self(method, **params)
        return refused.value


def test_games_lists_sakana() -> None:
    """`games` names Sakana Stack for 2 to 5 players, without options."""
    (sakana,) = [game for game in Client()("games") if game["name"] == "sakana"]
    assert (sakana["players"], sakana["options"], sakana["bots"][:2]) == ([2, 5], {}, ["random", "greedy"])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_whole_game(players: int) -> None:
    """A game played by a bot to its end, each state loadable, then taken back to the start with the generator (protocol, `undo`)."""
    client = Client()
    start = client("new", game="sakana", players=players, seed=11)
    chance = np.random.default_rng(0)
    log = []
    while client("outcome") is None:
        moves = client("moves")
        assert moves == sorted(moves)
        move = moves[int(chance.integers(len(moves)))]
        assert client("explain", move=move) == []
        log.append((move, client("play", move=move)))
    assert client("moves") == []
    assert client.error("play", move="pass").code == 1
    outcome = client("outcome")
    assert outcome == {"scores": log[-1][1]["state"]["scores"], "winners": log[-1][1]["events"][-1]["winners"]}
    for _ in log:
        state = client("undo")
    assert state == start
    assert client.error("undo").code == 1
    for move, answer in log:
        assert client("play", move=move) == answer


def test_load_and_refuse() -> None:
    """A state is taken up where it was, without a way back; a bad one answers 2 with every defect and leaves the game as it was."""
    client = Client()
    state = client("new", game="sakana", players=3, seed=1)
    client("play", move="pass")
    assert client("load", state=state) == state
    assert client.error("undo").code == 1
    bad = {**state, "exhaustions": 2, "dealer": 4}
    error = client.error("load", state=bad)
    told: Any = error.data
    assert (error.code, [defect["where"] for defect in told]) == (2, ["dealer", "exhaustions"])
    assert client("state") == state


def test_refill_repeats_after_undo() -> None:
    """A shuffle taken back and made again comes out alike; `seed` of `load` fixes it (protocol, `undo`, `load`)."""
    client = Client()
    hands: list[list[str]] = [["C1", "C2"], ["C3", "C4"], ["C5", "C6"]]
    left = [card for card in names(deck(3)) if card not in {"S1", *chain(*hands)}]
    state = {
        **client("new", game="sakana", players=3, seed=1),
        "to_move": 0, "hands": hands, "draw": ["S1"], "discard": left, "stacks": [], "banked": [[], [], []],
    }  # fmt: skip
    client("load", state=state, seed=5)
    first = client("play", move="pass")
    client("undo")
    assert client("play", move="pass") == first
    client("load", state=state, seed=6)
    assert client("play", move="pass") != first


def test_other_players() -> None:
    """A player not to move has no moves, is told why, and can't play; one who is not there is refused (protocol)."""
    client = Client()
    state = client("new", game="sakana", players=3, seed=1)
    other = (state["to_move"] + 1) % 3
    assert client("moves", player=other) == []
    assert [broken["code"] for broken in client("explain", move="pass", player=other)] == ["not-your-turn"]
    assert client.error("play", move="pass", player=other).code == 1
    assert client.error("moves", player=3).code == -32602
    assert client("view", player=other)["hands"][state["to_move"]] == 10


def test_reasons_carry_code_rule_and_message() -> None:
    """`explain` gives the three keys; an illegal `play` is error 1 with the same list."""
    client = Client()
    client("new", game="sakana", players=2, seed=3)
    (told,) = client("explain", move="play C10")
    assert told == {"code": "unknown-card", "rule": "Game Setup", "message": "C10 is not in play: with 2 players the numbers go to 7"}
    error = client.error("play", move="play C10")
    assert (error.code, error.data) == (1, [told])


@pytest.mark.parametrize("players", [0, 1, 6])
def test_new_refused(players: int) -> None:
    """2 to 5 players only, and no options."""
    client = Client()
    assert client.error("new", game="sakana", players=players, seed=0).code == -32602
    assert client.error("new", game="sakana", players=3, seed=0, options={"speed": 1}).code == -32602


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_bots(name: str) -> None:
    """`bot` gives a legal move, the same for the same seed."""
    client = Client()
    client("new", game="sakana", players=4, seed=2)
    move = client("bot", name=name, seed=4)["move"]
    assert move in client("moves")
    assert client("bot", name=name, seed=4)["move"] == move
