"""Replays of card games: whose eyes see what, and steps by keys and by the bar."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.card_match import CardMatch, CardSeat, CardSetup
from games.card_record import load_card_record, save_card_record
from games.phases import NotNow
from tests.viewer.screens.cards.sitting import shown
from viewer.program import Program
from viewer.screens.cards.replay import CardReplay
from viewer.screens.cards.setup import TABLES


def test_replay_with_one_players_eyes(program: Program, home: Path) -> None:
    """A replay opens every hand, or only what one player could see then; it steps by keys and by the bar."""
    match = CardMatch(CardSetup("sakana", (CardSeat("Ann"), CardSeat("Ben")), 4))
    for _ in range(6):
        seat = match.state.to_move
        assert seat is not None
        match.play(str(match.state.legal_moves()[0]), player=seat)
    save_card_record(match, home / "a.stakd")
    page = CardReplay(program, home / "a.stakd")
    program.open(page)
    driver = shown(program)
    driver.key("period")
    driver.key("period")
    assert page.play.at == 2
    assert all(isinstance(hand, list) for hand in page.play.view()["hands"])
    driver.click("replay/eyes/1")
    hands = page.play.view()["hands"]
    assert isinstance(hands[0], list) and isinstance(hands[1], int)
    driver.key("end")
    assert page.play.at == 6 == len(load_card_record(home / "a.stakd").acts)
    with pytest.raises(NotNow):
        page.play.play("pass")


@pytest.mark.parametrize("game", sorted(TABLES))
def test_everything_open(program: Program, home: Path, game: str) -> None:
    """A replay of each game can be seen openly, hidden piles too, from beginning to end."""
    match = CardMatch(CardSetup(game, (CardSeat("Ann"), CardSeat("Ben"), CardSeat("Cleo")), 4))
    seat = match.state.to_move or 0
    match.play(str(match.state.legal_moves(seat)[0]), player=seat)
    save_card_record(match, home / "a.stakd")
    program.open(CardReplay(program, home / "a.stakd"))
    driver = shown(program)
    driver.key("end")
    assert "replay/eyes/0" in driver.names


def test_cards_in_flight_arrive_at_a_jump(program: Program, home: Path) -> None:
    """In a replay cards fly on the way to the next act; a jump elsewhere ends that."""
    match = CardMatch(CardSetup("sakana", (CardSeat("Ann"), CardSeat("Ben")), 4))
    match.play(next(str(move) for move in match.state.legal_moves() if str(move) != "pass"), player=match.state.to_move or 0)
    save_card_record(match, home / "a.stakd")
    page = CardReplay(program, home / "a.stakd")
    program.open(page)
    page.go(1)
    assert page.busy
    page.go(0)
    assert not page.busy
