"""Sakapuss in protocol form: what is read back is what was written, and every defect is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from games.errors import BadOptions, BadState
from games.sakapuss.game import SakapussGame
from games.sakapuss.state import State

Setting = Callable[..., State]
Change = Callable[[dict[str, Any]], object]


def test_the_form_is_the_protocols() -> None:
    """The keys and their order are those of the engine protocol."""
    data = State.new(3, rng=np.random.default_rng(1)).to_json()
    assert list(data) == ["game", "players", "options", "round", "dealer", "hands", "pile", "front", "chosen", "slapped"]
    assert (data["game"], data["players"], data["options"]) == ("sakapuss", 3, {"false_slap_ends_round": False})
    assert (data["chosen"], data["slapped"]) == ([None, None, None], [])


@pytest.mark.parametrize(
    "given",
    [
        {"hands": "AABC AABC BBCC", "chosen": [None, "B", None], "front": ["L2", "", "F3 F3"]},
        {"hands": "AAAA BBCC DDBB CCDD", "slapped": [0, 2], "chosen": ["A", "B", None, "C"]},
        {"hands": "AAAA BBBC BCCC", "slapped": [0, 2, 1], "round_number": 10},
        {"hands": "AABC AABC BBCC", "ends_round": True, "dealer": 2},
    ],
)
def test_what_is_written_is_read_back(table: Setting, given: dict[str, Any]) -> None:
    """A state that went through JSON is the same state."""
    state = table(**given)
    text = json.dumps(state.to_json())
    assert json.dumps(State.from_json(json.loads(text)).to_json()) == text


def test_hands_may_come_in_any_order(table: Setting) -> None:
    """They are sorted when written again."""
    data = table("AABC AABC BBCC").to_json()
    data["hands"][0] = ["C", "A", "B", "A"]
    assert State.from_json(data).hand(0) == ["A", "A", "B", "C"]


def _put(*path: Any, value: Any) -> Change:
    def change(data: dict[str, Any]) -> None:
        target: Any = data
        for key in path[:-1]:
            target = target[key]
        target[path[-1]] = value

    return change


FREE = {"hands": "AABC AABC BBCC", "front": ["L2", "", ""]}
CALLED = {"hands": "AAAA BBCC DDBB CCDD", "slapped": [0]}


@pytest.mark.parametrize(
    ("given", "change", "where", "code"),
    [
        (FREE, _put("game", value="sakana"), "game", "bad-value"),
        (FREE, _put("extra", value=1), "extra", "unknown-key"),
        (FREE, lambda data: data.pop("pile"), "pile", "missing-key"),
        (FREE, _put("players", value=2), "players", "bad-value"),
        (FREE, _put("players", value=True), "players", "bad-value"),
        (FREE, _put("players", value=4), "hands", "wrong-length"),
        (FREE, _put("round", value=0), "round", "bad-value"),
        (FREE, _put("round", value=11), "round", "bad-value"),
        (FREE, _put("dealer", value=3), "dealer", "no-such-player"),
        (FREE, _put("options", value={"fast": True}), "options.fast", "unknown-key"),
        (FREE, _put("options", "false_slap_ends_round", value=1), "options.false_slap_ends_round", "bad-value"),
        (FREE, lambda data: data["chosen"].pop(), "chosen", "wrong-length"),
        (FREE, lambda data: data["front"].append([]), "front", "wrong-length"),
        (FREE, lambda data: data["hands"][0].append(data["hands"][1].pop()), "hands[0]", "wrong-hand-size"),
        (FREE, _put("hands", 0, 0, value="D"), "cards.D", "unknown-card"),
        (FREE, _put("hands", 0, 0, value="C"), "cards.A", "wrong-total"),
        (FREE, _put("pile", 0, value="L9"), "cards.L9", "unknown-card"),
        (FREE, lambda data: data["pile"].pop(), "cards.shower", "wrong-total"),
        (FREE, lambda data: data["front"][1].append("L2"), "cards.L2", "wrong-total"),
        (FREE, lambda data: data["front"][1].append(data["pile"].pop()), "front[1][0]", "not-a-parasite"),
        (FREE, _put("chosen", 2, value="A"), "chosen[2]", "not-in-hand"),
        (FREE, _put("chosen", value=["A", "B", "C"]), "chosen", "all-chosen"),
        (FREE, _put("slapped", value=[0]), "slapped", "wrong-call"),
        (CALLED, _put("slapped", value=[0, 0]), "slapped", "slapped-twice"),
        (CALLED, _put("slapped", value=[0, 4]), "slapped[1]", "no-such-player"),
        (CALLED, _put("slapped", value=[0, 1, 2]), "slapped", "round-over"),
        (CALLED, _put("slapped", value=[0, 1, 2, 3]), "slapped", "round-over"),
        (CALLED, _put("slapped", value=[1, 0]), "slapped", "wrong-call"),
        (CALLED, _put("slapped", value=[-1]), "slapped[0]", "bad-value"),
    ],
)
def test_every_defect_is_named(table: Setting, given: dict[str, Any], change: Change, where: str, code: str) -> None:
    """A state that breaks its form or a rule is refused, and the message says where and what."""
    data = json.loads(json.dumps(table(**given).to_json()))
    change(data)
    with pytest.raises(BadState) as refused:
        State.from_json(data)
    assert (where, code) in {(defect.where, defect.code) for defect in refused.value.defects}


def test_all_defects_are_named_together(table: Setting) -> None:
    """Whoever mends a state need not load it again after each."""
    data = table(**FREE).to_json()
    data["dealer"], data["pile"], data["options"] = 4, data["pile"][1:], {"a": 1}
    with pytest.raises(BadState) as refused:
        State.from_json(data)
    assert len(refused.value.defects) == 3


def test_options_are_checked() -> None:
    """A new game takes its option, and refuses others and other values."""
    game, rng = SakapussGame(), np.random.default_rng(0)
    assert game.options == {"false_slap_ends_round": False}
    assert game.new(3, options={"false_slap_ends_round": True}, rng=rng).to_json()["options"] == {"false_slap_ends_round": True}
    with pytest.raises(BadOptions) as refused:
        game.new(3, options={"false_slap_ends_round": "yes", "fast": True}, rng=rng)
    assert [defect.where for defect in refused.value.defects] == ["options.false_slap_ends_round", "options.fast"]
