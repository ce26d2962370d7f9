"""Whole rounds of the card games in the real window, with mouse and keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.viewer.window.hand import Hand, program_window
from tests.viewer.xserver import XServer

_MOST_TURNS = 120


def _sakana(hand: Hand) -> None:
    """Lay the cards of the last legal play in their order, or pass."""
    move = hand.ask("str(play.legal()[-1])")
    if move == "pass":
        hand.key("p")
        return
    for card in move.split()[1:]:
        view = hand.ask("dict(play.view())")
        _press(hand, "catch" if view["draw"][0] == card else f"hand/{view['hands'][0].index(card)}")
    hand.click("sakana/play")


def _sardines(hand: Hand) -> None:
    """Fill an order if one can be filled, else gather or discard."""
    view, moves = hand.ask("dict(play.view()), [str(move) for move in play.legal()]")
    kind, *rest = next((move for move in moves if move.startswith("fill")), moves[0]).split()
    if kind == "fill":
        hand.click(f"order/{rest[0]}")
    else:
        there = view["market"] if kind == "gather" else view["hands"][0]
        taken: list[int] = []
        for card in rest:
            taken.append(next(k for k, seen in enumerate(there) if seen == card and k not in taken))
            _press(hand, f"market/{taken[-1]}" if kind == "gather" else f"hand/{taken[-1]}")
    hand.key("enter")


def _sakapuss(hand: Hand) -> None:
    """Pass on the cat held least often; slap when four are alike or somebody has slapped."""
    cats, slapped = hand.ask("play.view()['hands'][0], play.view()['slapped']")
    if slapped or len(set(cats)) == 1:
        hand.key("space")
    else:
        _press(hand, f"hand/{min(range(4), key=lambda k: cats.count(cats[k]))}")


def _press(hand: Hand, name: str) -> None:
    """Click a card near its upper left corner, which no other one covers."""
    box = hand.box(name)
    hand.click_at(box.x + 0.14 * box.w, box.y + 0.12 * box.h)


@pytest.mark.parametrize(
    ("game", "turn", "end"), [("sakana", _sakana, "ROUND_OVER"), ("sardines", _sardines, "OVER"), ("sakapuss", _sakapuss, "ROUND_OVER")]
)
def test_whole_round(server: XServer, home: Path, game: str, turn: Callable[[Hand], None], end: str) -> None:
    """A person plays a round against bots to its end, which is summed up; what was done is on disk."""
    with program_window(server, home, f"tests.viewer.window.pages:{game}") as hand:
        for _ in range(_MOST_TURNS):
            phase = hand.until(f"play.phase.name if play.phase.name in ('PERSON', 'PASSING', '{end}') or dict(play.view()).get('slapped') else None")
            if phase == end:
                break
            turn(hand)
        hand.until(f"play.phase.name == {end!r} and 'summary/on' in gui.items")
        assert hand.ask("play.result or play.rounds[-1].words")
        hand.click("summary/on")
        hand.until("play is None or play.phase.name != 'ROUND_OVER'")
    assert list((home / "matches").glob("*.stakd"))
