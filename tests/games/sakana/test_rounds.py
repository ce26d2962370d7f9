"""How the draw pile runs out, rounds end and are scored, and the game is won."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from games.cards import NoGenerator
from games.errors import IllegalMove
from games.sakana.deck import deck, names
from games.sakana.state import State
from tests.games.sakana.conftest import all_cards, is_whole, of_type, stacks_of

Setting = Callable[..., State]


def rng() -> np.random.Generator:
    """A generator, always alike."""
    return np.random.default_rng(0)


def test_pile_runs_out_when_nothing_can_be_flipped(table: Setting) -> None:
    """The Catch is part of the pile: taking it with a card left below is no exhaustion, taking the last one is (RULES K2, K3)."""
    state = table(hands=("C1 C2", "C3 C4", "C5 C6"), draw="S1 S2", discard="S3 S4", rest="banked")
    assert of_type(state.play("pass"), "exhausted") == []
    assert state.position.exhaustions == 0
    told = state.play("pass", rng=rng())
    assert of_type(told, "exhausted") == [{"type": "exhausted", "times": 1, "cards": 2}]
    data = state.to_json()
    assert (data["exhaustions"], sorted(data["draw"]), data["discard"]) == (1, ["S3", "S4"], [])
    assert of_type(told, "flipped") == [{"type": "flipped", "catch": data["draw"][0]}]


def test_discard_pile_is_shuffled(table: Setting) -> None:
    """The new draw pile is the discard pile in an order that the generator fixes (RULES K4)."""
    state = table(hands=("C1 C2", "C3 C4", "C5 C6"), draw="S1", discard="S3 S4 S5 S6 S7 S8 T1 T2", rest="banked")
    orders = set()
    for seed in range(10):
        state.play("pass", rng=np.random.default_rng(seed))
        orders.add(tuple(state.to_json()["draw"]))
        state.undo()
    assert len(orders) > 5
    assert all(sorted(order) == ["S3", "S4", "S5", "S6", "S7", "S8", "T1", "T2"] for order in orders)


def test_second_exhaustion_ends_the_round(table: Setting) -> None:
    """The second time the pile runs out the round is over; the discard pile is not shuffled again (rulebook, Round End; RULES K4)."""
    state = table(hands=("C1 C2", "C3 C4", "C5 C6"), draw="S1", discard="S3", rest="banked", exhaustions=1)
    told = state.play("pass", rng=rng())
    assert of_type(told, "exhausted") == [{"type": "exhausted", "times": 2, "cards": 0}]
    assert of_type(told, "round_over")[0]["reason"] == "K3"
    assert state.position.round == 2


def test_empty_discard_pile_counts_as_the_second_exhaustion(table: Setting) -> None:
    """With nothing to shuffle the first exhaustion is the second too (RULES K6)."""
    state = table(hands=("C1 C2", "C3 C4", "C5 C6"), draw="S1", rest="banked")
    told = state.play("pass", rng=rng())
    assert of_type(told, "exhausted") == [{"type": "exhausted", "times": 2, "cards": 0}]
    assert len(of_type(told, "round_over")) == 1


def test_stacks_beaten_by_the_last_catch_are_shuffled_in(table: Setting) -> None:
    """When the last Catch goes into a stack that beats others, these are discarded first and are part of the new pile (RULES K5)."""
    state = table((2, "E2 T2"), hands=("T5 C1", "C3 C4", "C5 C6"), draw="U5", discard="S3", rest="banked")
    told = state.play("play T5 U5", rng=rng())
    assert [event["type"] for event in told] == ["played", "beaten", "exhausted", "flipped"]
    assert sorted(state.to_json()["draw"]) == ["E2", "S3", "T2"]
    assert stacks_of(state) == [(0, "T5 U5")]


def test_stacks_beaten_save_the_round_from_an_empty_discard_pile(table: Setting) -> None:
    """The beaten stacks are in the discard pile before it is looked at, so the pile can be refilled (RULES K5, K6)."""
    state = table((2, "E2 T2"), hands=("T5 C1", "C3 C4", "C5 C6"), draw="U5", rest="banked")
    state.play("play T5 U5", rng=rng())
    assert sorted(state.to_json()["draw"]) == ["E2", "T2"]


def test_closing_play_beats_first(table: Setting) -> None:
    """A play with the Catch that ends the round: beaten stacks score nothing, the new stack is banked (RULES K7, K8)."""
    state = table((2, "E2 T2"), hands=("T5 C1", "C3 C4", "C5 C6"), draw="U5", discard="S3", rest="banked", exhaustions=1, round_number=3)
    told = state.play("play T5 U5")
    data = state.to_json()
    assert data["banked"][0] == ["T5", "U5"]
    assert "E2" in data["discard"]
    assert "T2" in data["discard"]
    assert of_type(told, "round_over")[0]["points"] == [2, 0, len(data["banked"][2])]


def test_closing_pass_banks_first(table: Setting) -> None:
    """A pass that ends the round still banks tops and discards lower rests; then all live stacks are banked (RULES K7, K12)."""
    stacks = ((1, "C2 E2 T2 P2"), (2, "E8"), (3, "E4 C4"))
    state = table(*stacks, hands=("P1", "P3", "C6", "S3"), draw="S1", discard="U1", rest="discard", exhaustions=1, round_number=4)
    told = state.play("pass")
    data = state.to_json()
    assert data["banked"] == [[], ["P2", "C2", "E2", "T2"], ["E8"], ["C4"]]
    assert of_type(told, "lower") == [{"type": "lower", "player": 3, "cards": ["E4"]}]
    assert of_type(told, "round_over")[0]["points"] == [0, 4, 1, 1]


def test_lower_rests_come_too_late_for_the_refill(table: Setting) -> None:
    """A pass refills the draw pile before rests are discarded, so these stay in the discard pile (protocol, order of a pass)."""
    state = table((1, "C2 E2 T2 P2"), (2, "E8"), (3, "E4 C4"), hands=("P1", "P3", "C6", "S3"), draw="S1", discard="U1 U2", rest="banked")
    state.play("pass", rng=rng())
    assert sorted(state.to_json()["draw"]) == ["U1", "U2"]
    assert state.to_json()["discard"] == ["E4"]


def test_last_card_ends_the_round_at_once(table: Setting) -> None:
    """Who plays the last card of his hand ends the round; the others don't answer, and his stack is banked (RULES K9)."""
    state = table(hands=("C1", "C3 E1", "C5 C6"), draw="S2 S4", rest="discard", round_number=3)
    told = state.play("play C1")
    assert state.to_json()["banked"] == [["C1"], [], []]
    assert of_type(told, "round_over")[0]["reason"] == "K9"


def test_last_card_with_the_last_catch_shuffles_nothing(table: Setting) -> None:
    """The round ends at once, so the pile that ran out with the same play is not refilled (RULES K9)."""
    state = table(hands=("T5", "C3 C4", "C5 C6"), draw="U5", discard="S3", rest="banked", round_number=3)
    told = state.play("play T5 U5")
    assert of_type(told, "exhausted") == []
    assert of_type(told, "round_over")[0]["reason"] == "K9"
    assert (state.to_json()["draw"], state.position.exhaustions) == ([], 0)


def test_one_point_a_card(table: Setting) -> None:
    """A banked card is one point whatever its number, and cards left in hands cost nothing (RULES K24, K25)."""
    state = table((1, "C8"), hands=("T8 U8 S8", "C1 C2 C3", "C4"), draw="S1", rest="discard", round_number=3, scores=[1, 2, 3])
    told = state.play("play T8 U8 S8")
    assert of_type(told, "round_over") == [{"type": "round_over", "round": 3, "reason": "K9", "points": [3, 0, 0], "scores": [4, 2, 3]}]


def test_next_round_is_dealt(table: Setting) -> None:
    """All cards are gathered and dealt anew; dealer and first player move on clockwise (RULES K1, K24)."""
    state = table((2, "E1"), hands=("C1", "C3 P1", "C5 C6"), draw="S2 S4", rest="banked", dealer=2, round_number=1)
    told = state.play("play C1", rng=rng())
    data = state.to_json()
    assert (data["round"], data["dealer"], data["to_move"], data["exhaustions"]) == (2, 0, 1, 0)
    assert (data["stacks"], data["discard"], data["banked"]) == ([], [], [[], [], []])
    assert [len(hand) for hand in data["hands"]] == [10, 10, 10]
    assert is_whole(data)
    assert [event["type"] for event in told[-2:]] == ["round_over", "dealt"]
    assert told[-1] == {"type": "dealt", "round": 2, "dealer": 0, "to_move": 1, "catch": data["draw"][0]}
    assert data["scores"] == told[-2]["scores"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_as_many_rounds_as_players(players: int) -> None:
    """Each player deals once and starts once; then the game is over (RULES K1)."""
    chance = np.random.default_rng(players)
    state = State.new(players, rng=chance)
    first = state.to_move
    dealers, starters, rounds = [state.position.dealer], [first], 0
    while not state.over:
        moves = state.legal_moves()
        told = state.play(moves[int(chance.integers(len(moves)))], rng=chance)
        rounds += len(of_type(told, "round_over"))
        for event in of_type(told, "dealt"):
            dealers.append(event["dealer"])
            starters.append(event["to_move"])
    assert rounds == players
    assert starters == [(first + step) % players for step in range(players)]
    assert dealers == [(first - 1 + step) % players for step in range(players)]


def test_end_of_the_game(table: Setting) -> None:
    """When the game is over stacks are banked, hands discarded and empty, the round stays; nothing is legal (protocol; RULES K1)."""
    state = table((2, "E1"), hands=("C1", "C3 P1", "U2 C7 C6"), draw="S2 S4", discard="T1", round_number=3)
    told = state.play("play C1")
    data = state.to_json()
    assert (data["round"], data["hands"], data["stacks"]) == (3, [[], [], []], [])
    assert data["discard"] == ["T1", "C3", "P1", "C6", "C7", "U2"]
    assert state.legal_moves() == []
    assert [broken.code.value for broken in state.explain("pass")] == ["game-over"]
    with pytest.raises(IllegalMove):
        state.play("pass")
    assert told[-1] == {"type": "game_over", "winners": [0, 2]}
    assert is_whole(data)


@pytest.mark.parametrize(("scores", "winners"), [((5, 3, 4), (0,)), ((4, 5, 4), (0, 1)), ((4, 5, 5), (0, 1, 2)), ((0, 9, 5), (1,))])
def test_most_points_win_and_ties_are_shared(table: Setting, scores: tuple[int, ...], winners: tuple[int, ...]) -> None:
    """The highest total wins; all tied players share the victory (RULES K26). Player 0 gets one more point here."""
    state = table(hands=("C1", "C3 P1", "C5 C6"), draw="S2 S4", rest="discard", round_number=3, scores=scores)
    assert state.outcome() is None
    state.play("play C1")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((scores[0] + 1, *scores[1:]), winners)
    assert outcome.to_json() == {"scores": list(outcome.scores), "winners": list(winners)}


def test_chance_needs_a_generator(table: Setting) -> None:
    """A move that shuffles without a generator is refused and changes nothing; other moves need none."""
    state = table(hands=("C1 C2", "C3 C4", "C5 C6"), draw="S1 S2", discard="S3 S4", rest="banked")
    state.play("pass")
    before = state.to_json()
    with pytest.raises(NoGenerator, match="give `rng`"):
        state.play("pass")
    assert state.to_json() == before
    assert sorted(all_cards(before)) == sorted(names(deck(3)))
