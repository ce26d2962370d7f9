"""Sakapuss through the engine protocol: every move needs its player."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.engine import Engine
from games.jsonrpc import INVALID_PARAMS, RpcError
from games.registry import all_games


class Client:
    """An engine with a new game of three."""

    def __init__(self) -> None:
        self._methods = Engine(all_games()).methods()
        self.first = self("new", game="sakapuss", players=3, seed=1)

    def __call__(self, method: str, **params: object) -> Any:
        """The result of a call, as it comes out of JSON."""
        return json.loads(json.dumps(self._methods[method](params)))

    def error(self, method: str, **params: object) -> RpcError:
        """The error a call answers with."""
        with pytest.raises(RpcError) as refused:
            self(method, **params)
        return refused.value

    def refused(self, method: str, **params: object) -> tuple[int, list[str]]:
        """The code of the error a call answers with, and those of the rules it names."""
        error = self.error(method, **params)
        assert isinstance(error.data, list)
        return error.code, [broken["code"] for broken in error.data]


@pytest.mark.parametrize(
    ("method", "params"), [("moves", {}), ("explain", {"move": "slap"}), ("play", {"move": "slap"}), ("bot", {"name": "greedy"})]
)
def test_the_player_must_be_given(method: str, params: dict[str, str]) -> None:
    """As several may move at once, nobody is meant of himself."""
    assert Client().error(method, **params).code == INVALID_PARAMS


def test_games_lists_sakapuss() -> None:
    """Players, options with defaults, and bots."""
    (sakapuss,) = [game for game in Client()("games") if game["name"] == "sakapuss"]
    assert sakapuss == {"name": "sakapuss", "players": [3, 5], "options": {"false_slap_ends_round": False}, "bots": ["random", "greedy"]}


def test_moves_are_sorted_and_played_by_their_player() -> None:
    """What a player may do is played in his name; others see that he has chosen, not what."""
    client = Client()
    moves = client("moves", player=2)
    assert moves == sorted(moves)
    assert moves[-1] == "slap"
    answer = client("play", player=2, move=moves[0])
    assert answer["events"] == [{"type": "chosen", "player": 2}]
    assert client("view", player=0)["chosen"] == [None, None, 1]
    assert client("moves", player=2) == ["slap"]


def test_a_whole_game_by_bots_and_back() -> None:
    """Bots asked in turn play to the end; undo leads back to the first state, the generator too."""
    client = Client()
    count, seed = 0, 0
    while client("outcome") is None:
        for player in range(3):
            state, moves = client("state"), client("moves", player=player)
            if not moves or (state["chosen"][player] and moves == ["slap"] and len(set(state["hands"][player])) > 1 and not state["slapped"]):
                continue
            seed += 1
            client("play", player=player, move=client("bot", name="greedy", player=player, seed=seed)["move"])
            count += 1
    assert client("outcome")["winners"]
    assert client("moves", player=0) == []
    for _ in range(count):
        state = client("undo")
    assert state == client.first
    assert client.error("undo").code == 1


def test_a_bot_that_can_do_nothing_is_refused_with_the_reason() -> None:
    """After the game, after its own slap, and while it waits: error 1 with the rules that say so."""
    client = Client()
    called = {**client.first, "hands": [["A"] * 4, ["B", "B", "B", "C"], ["B", "C", "C", "C"]], "slapped": [0]}
    client("load", state=called)
    assert client.refused("bot", name="greedy", player=0) == (1, ["already-slapped"])
    client("load", state={**called, "slapped": [0, 1, 2], "round": 10})
    assert client.refused("bot", name="greedy", player=1) == (1, ["game-over"])
    client("load", state={**client.first, "hands": [["A", "A", "B", "C"], ["A", "A", "B", "C"], ["B", "B", "C", "C"]], "chosen": ["A", None, None]})
    assert client.refused("bot", name="greedy", player=0) == (1, ["already-chosen"])


def test_other_seats_do_not_exist() -> None:
    """A seat beyond the table is a bad parameter."""
    assert Client().error("play", player=3, move="slap").code == INVALID_PARAMS
