"""Sunny Day Sardines through the engine protocol."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from games.engine import Engine
from games.jsonrpc import RpcError
from games.registry import all_games
from tests.games.sardines.setting import set_json

Call = Any


@pytest.fixture
def call() -> Call:
    """A fresh engine; call a method by name, answers as they come out of JSON."""
    methods = Engine(all_games()).methods()
    return lambda method, **params: json.loads(json.dumps(methods[method](params)))


def test_games_lists_it(call: Call) -> None:
    """`games` tells how many can play, that there are no options, and the bots."""
    (found,) = [game for game in call("games") if game["name"] == "sardines"]
    assert (found["players"], found["options"], found["bots"][:2]) == ([2, 4], {}, ["random", "greedy"])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game_and_back(call: Call, players: int) -> None:
    """A game by random moves to its outcome, then undone to the start, where the same moves give the same states again."""
    rng = np.random.default_rng(players)
    states = [call("new", game="sardines", players=players, seed=11)]
    played = []
    while call("outcome") is None:
        moves = call("moves")
        assert moves == sorted(moves)
        assert all(call("moves", player=seat) == [] for seat in range(players) if seat != states[-1]["to_move"])
        played.append(moves[int(rng.integers(len(moves)))])
        assert call("explain", move=played[-1]) == []
        states.append(call("play", move=played[-1])["state"])
    assert call("moves") == []
    assert call("outcome")["winners"]
    for state in reversed(states[:-1]):
        assert call("undo") == state
    for move, state in zip(played, states[1:], strict=True):
        assert call("play", move=move)["state"] == state


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_bots_answer(call: Call, name: str) -> None:
    """A bot asked through the protocol gives a legal move, the same for the same seed."""
    call("new", game="sardines", players=3, seed=2)
    first = call("bot", name=name, seed=5)
    assert first["move"] in call("moves")
    assert call("bot", name=name, seed=5) == first


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("play", {"move": "gather P P P"}, 1),
        ("play", {"move": "pass"}, 1),
        ("play", {"move": "gather BB", "player": 1}, 1),
        ("bot", {"name": "greedy", "player": 1}, 1),
        ("undo", {}, 1),
        ("load", {"state": {**set_json(), "must_discard": 1}}, 2),
        ("view", {"player": 2}, -32602),
        ("new", {"game": "sardines", "players": 5, "seed": 0}, -32602),
        ("new", {"game": "sardines", "players": 2, "seed": 0, "options": {"x": 1}}, -32602),
        ("perft", {"depth": 1}, -32602),
        ("knock_over", {"player": 0}, -32602),
        ("bot", {"name": "mcts"}, -32602),
    ],
)
def test_errors(call: Call, method: str, params: dict[str, Any], code: int) -> None:
    """What is not legal, not whole or not there answers with the protocol's codes and leaves the state as it was."""
    state = call("load", state=set_json())
    with pytest.raises(RpcError) as refused:
        call(method, **params)
    assert refused.value.code == code
    assert call("state") == state


def test_real_process() -> None:
    """As a process of its own it answers line by line and ends with the input."""
    requests = [
        {"method": "new", "params": {"game": "sardines", "players": 2, "seed": 0}},
        {"method": "bot", "params": {"name": "greedy"}},
        {"method": "view", "params": {"player": 1}},
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0", "id": number, **request}) + "\n" for number, request in enumerate(requests))
    done = subprocess.run([sys.executable, "-m", "games.engine"], input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line)["result"] for line in done.stdout.splitlines()]
    assert answers[0]["game"] == "sardines"
    assert answers[1]["move"].split()[0] in ("gather", "fill")
    assert answers[2]["hands"][0] == 2
