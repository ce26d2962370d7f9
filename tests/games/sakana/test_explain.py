"""Which moves are legal, and what is said of those that are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.errors import IllegalMove, NoSuchSeat
from games.sakana.state import State

Setting = Callable[..., State]
Codes = Callable[..., list[str]]

HANDS = ("C2 E2 T3 C8 S8", "E4 C4 U7 S7 P8 U3 C6", "C1 P1")


@pytest.fixture
def following(table: Setting) -> State:
    """The rulebook's example: the previous stack is two 4s with the urchin on top, worth 8; player 1 is next."""
    return table((0, "S4 U4"), hands=HANDS, draw="T7 T1", to_move=1)


def test_stack_values(table: Setting) -> None:
    """A single 3 is worth 3, two 2 cards together 4 (rulebook, 1 - Play a Stack)."""
    state = table(hands=HANDS, draw="T7")
    state.play("play T3")
    assert state.position.stacks[0].value == 3
    state = table(hands=HANDS, draw="T7")
    state.play("play C2 E2")
    assert state.position.stacks[0].value == 4


@pytest.mark.parametrize("move", ["play E4 C4", "play C4 E4", "play U7 S7"])
def test_rulebook_followers(following: State, codes: Codes, move: str) -> None:
    """The next player can follow by number with two 4s, or by suit with the 7 of urchins under the 7 of shrimp (rulebook example)."""
    assert codes(following, move) == []


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("play S7 U7", ["not-following"]),
        ("play U7", ["too-low"]),
        ("play E4", ["too-low"]),
        ("play P8", ["not-following"]),
        ("play C6", ["not-following", "too-low"]),
        ("play U3", ["too-low"]),
    ],
)
def test_both_conditions(following: State, codes: Codes, move: str, expected: list[str]) -> None:
    """The bottom card must follow number or suit of the top card, and the value match or beat the previous (RULES K14, K16, K18, K22)."""
    assert codes(following, move) == expected


def test_what_is_said(following: State) -> None:
    """Reasons are in a player's words, with the row of the rule."""
    told = [(broken.rule, broken.message) for broken in following.explain("play C6")]
    assert told == [
        ("K16", "the bottom card C6 must follow number or suit: it must be a 4 or an urchin"),
        ("K14", "the stack is worth 6; it must match or beat the stack before, which is worth 8"),
    ]


def test_lead(table: Setting, codes: Codes) -> None:
    """With no other live stack any cards of one number may be played (RULES K21)."""
    state = table(hands=HANDS, draw="T7")
    assert all(codes(state, move) == [] for move in ["play C2", "play C2 E2", "play E2 C2", "play S8", "pass"])
    assert codes(state, "play C2 C8") == ["different-numbers"]


def test_six_cards(table: Setting, codes: Codes) -> None:
    """A stack may have all six cards of a number."""
    state = table(hands=("C5 E5 P5 S5 T5 U5 C1", "C2", "C3"), draw="T7")
    assert codes(state, "play U5 T5 S5 P5 E5 C5") == []
    assert sum(str(move).startswith("play") for move in state.legal_moves()) == 1956 + 1


def test_previous_is_the_last_played(table: Setting, codes: Codes) -> None:
    """Of several tied stacks the one played last must be followed; the others need not be (RULES K15, K16)."""
    state = table((0, "C8"), (1, "C4 T4"), hands=("P1", "P2", "E4 U4 T8 E8"), draw="S1", to_move=2)
    assert codes(state, "play T8") == []
    assert codes(state, "play E8") == ["not-following"]
    assert codes(state, "play E4 U4") == []


def test_card_left_by_a_pass_is_followed(table: Setting, codes: Codes) -> None:
    """After a pass has taken the top card, the card now on top counts (RULES K17)."""
    state = table((0, "E5 C5"), hands=("P1", "P2 P3", "C6 E6 S5"), draw="S1 S2", to_move=1)
    state.play("pass")
    assert codes(state, "play E6") == []
    assert codes(state, "play C6") == ["not-following"]
    assert codes(state, "play S5") == []


@pytest.mark.parametrize("move", ["play T7 U7", "play U7 T7", "play U7 T7 S7", "play U7 S7 T7"])
def test_catch_in_a_stack(table: Setting, codes: Codes, move: str) -> None:
    """The Catch of the Day may lie anywhere in the stack, with at least one card of its number from the hand (RULES K19, K20)."""
    state = table(hands=("U7 S7 C1", "C2", "C3"), draw="T7")
    assert codes(state, move) == []


def test_catch_may_be_what_follows(table: Setting, codes: Codes) -> None:
    """The Catch of the Day at the bottom can be the card that follows (RULES K19)."""
    state = table((2, "T6"), hands=("U7 S7 C1", "C2", "C3"), draw="T7")
    assert codes(state, "play T7 U7") == []
    assert codes(state, "play U7 T7") == ["not-following"]


def test_catch_alone(table: Setting, codes: Codes) -> None:
    """The Catch of the Day can't be played without a card of its number from the hand, nor with one of another (RULES K20)."""
    state = table(hands=("U7 S7 C1", "C2", "C3"), draw="T7 T6")
    assert codes(state, "play T7") == ["catch-alone"]
    assert codes(state, "play T7 C1") == ["different-numbers"]
    assert codes(state, "play T6") == ["not-in-hand"]


def test_only_one_catch(table: Setting, codes: Codes) -> None:
    """The card under the Catch of the Day is out of reach, also if its number fits (rulebook: only one a turn; RULES K20)."""
    state = table(hands=("U7 S7 C1", "C2", "C3"), draw="T7 E7")
    assert codes(state, "play U7 T7 E7") == ["not-in-hand"]


@pytest.mark.parametrize(
    "move",
    ["", "Pass", "pass ", "pass C2", "play", "play ", "play  C2", "play C2 ", " play C2", "play c2", "play C02", "play C0", "play C11", "play X2",
     "play C2,E2", "play C2\n", "C2", "play C2 pass", "play Ⅽ2", "play C２"],
)  # fmt: skip
def test_malformed(table: Setting, codes: Codes, move: str) -> None:
    """A text that is not in the exact printed form is no move."""
    assert codes(table(hands=HANDS, draw="T7"), move) == ["malformed"]


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("play C9", ["unknown-card"]),
        ("play E4", ["not-in-hand"]),
        ("play C2 C2", ["card-twice"]),
        ("play E4 E4", ["not-in-hand", "card-twice"]),
        ("play T7 T7", ["card-twice", "catch-alone"]),
        ("play C2 E4 U10", ["not-in-hand", "unknown-card", "different-numbers"]),
    ],
)
def test_cards_that_are_not_there(table: Setting, codes: Codes, move: str, expected: list[str]) -> None:
    """Cards out of play, of others, and named twice are each told."""
    assert codes(table(hands=HANDS, draw="T7"), move) == expected


def test_another_players_turn(table: Setting, codes: Codes) -> None:
    """Who is not to move has no moves and is told whose turn it is, with whatever else is wrong."""
    state = table(hands=HANDS, draw="T7")
    assert codes(state, "pass", player=1) == ["not-your-turn"]
    assert codes(state, "play C2", player=1) == ["not-your-turn", "not-in-hand"]
    assert state.legal_moves(1) == []
    with pytest.raises(IllegalMove):
        state.play("pass", player=2)


@pytest.mark.parametrize("player", [-1, 3, 99])
def test_seats_that_are_not_there(table: Setting, player: int) -> None:
    """A player who is not at the table is refused by name everywhere, -1 too."""
    state = table(hands=HANDS, draw="T7")
    calls: list[Callable[[], object]] = [
        lambda: state.explain("pass", player=player),
        lambda: state.play("pass", player=player),
        lambda: state.legal_moves(player),
        lambda: state.hand(player),
        lambda: state.view(player),
    ]
    for call in calls:
        with pytest.raises(NoSuchSeat, match=f"no player {player}; they are numbered 0 to 2"):
            call()


def test_illegal_moves_change_nothing(following: State) -> None:
    """A refused move carries every reason and leaves the state as it was."""
    before = following.to_json()
    with pytest.raises(IllegalMove) as refused:
        following.play("play C6")
    assert [broken.code.value for broken in refused.value.violations] == ["not-following", "too-low"]
    assert following.to_json() == before


def test_pass_is_always_legal(following: State, table: Setting, codes: Codes) -> None:
    """One may pass with a legal play, and with no stack on the table (RULES K11)."""
    assert codes(following, "pass") == []
    assert codes(table(hands=HANDS, draw="T7"), "pass") == []
