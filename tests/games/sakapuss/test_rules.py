"""Sakapuss by its rulebook, row by row of the rules decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from games.cards import NoGenerator
from games.errors import BadOptions, IllegalMove, NoSuchSeat, NothingToUndo, PlayerNeeded
from games.interface import Event
from games.sakapuss.deck import ROUNDS
from games.sakapuss.game import SakapussGame
from games.sakapuss.position import Position
from games.sakapuss.state import State

Setting = Callable[..., State]
Kinds = Callable[[Sequence[Event]], list[str]]


def _rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_set_up(players: int) -> None:
    """As many sets of four cats as players are dealt out, four each; 18 + 6 + 1 cards are the pile (rulebook: Setup; P1, P2)."""
    state = State.new(players, rng=_rng())
    cats = Counter(cat for player in range(players) for cat in state.hand(player))
    assert cats == dict.fromkeys("ABCDE"[:players], 4)
    assert [len(state.hand(player)) for player in range(players)] == [4] * players
    data = state.to_json()
    assert len(data["pile"]) == 25
    assert (data["round"], data["front"], data["slapped"]) == (1, [[]] * players, [])


def test_the_pile_holds_what_the_overview_lists() -> None:
    """18 parasite cards, 6 insecticides and one shower (rulebook: Overview; RULES 4.2)."""
    pile = Counter(card[0] for card in State.new(3, rng=_rng()).to_json()["pile"])
    assert pile == {"L": 6, "F": 6, "K": 6, "i": 6, "s": 1}


@pytest.mark.parametrize("players", [2, 6])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    """The game is for 3 to 5 players (rulebook: Overview)."""
    with pytest.raises(BadOptions, match="3 to 5"):
        SakapussGame().new(players, options={}, rng=_rng())


def test_all_pass_to_the_left_at_once(table: Setting, kinds_of: Kinds) -> None:
    """Each card chosen goes to the next seat when the last player has chosen, and not before (P4)."""
    state = table("AABC AABC BBCC")
    assert kinds_of(state.play("pass B", player=0)) == ["chosen"]
    assert kinds_of(state.play("pass C", player=2)) == ["chosen"]
    assert state.hand(0) == ["A", "A", "B", "C"]
    assert kinds_of(state.play("pass A", player=1)) == ["chosen", "passed"]
    assert [state.hand(player) for player in range(3)] == [["A", "A", "C", "C"], ["A", "B", "B", "C"], ["A", "B", "B", "C"]]
    assert state.to_json()["chosen"] == [None] * 3


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_order_of_choosing_does_not_matter(players: int) -> None:
    """The same cards chosen in any order of seats give the same state (P4)."""
    start = State.new(players, rng=_rng(7))
    cards = [start.hand(player)[player % 4] for player in range(players)]
    results = []
    for order in permutations(range(players)):
        state = start.copy()
        for player in order:
            state.play(f"pass {cards[player]}", player=player)
        results.append(state.to_json())
    assert all(result == results[0] for result in results)


def test_the_order_of_choosing_does_not_matter_when_two_complete(table: Setting) -> None:
    """Two who complete four alike with the same pass may both slap first, whoever chose last (P4, P8)."""
    for order in permutations(range(3)):
        state = table("AAAB BBBC ACCC")
        for player in order:
            state.play(["pass B", "pass C", "pass A"][player], player=player)
        assert [state.hand(player) for player in range(3)] == [["A"] * 4, ["B"] * 4, ["C"] * 4]
        assert state.to_json()["slapped"] == []


def test_the_card_received_may_be_passed_on(table: Setting) -> None:
    """What came from the right may go on to the left next time (P4)."""
    state = table("AAAB BBCC ABCC")
    for player, move in enumerate(("pass B", "pass C", "pass A")):
        state.play(move, player=player)
    assert state.hand(0) == ["A"] * 4
    assert "pass B" in map(str, state.legal_moves(1))


def test_a_choice_cannot_be_changed(table: Setting) -> None:
    """Who has chosen waits for the others; only a slap is left to him (P4, P6)."""
    state = table("AABC AABC BBCC", chosen=["A", None, None])
    assert list(map(str, state.legal_moves(0))) == ["slap"]
    with pytest.raises(IllegalMove, match="can't be changed"):
        state.play("pass B", player=0)


def test_four_alike_from_the_deal_may_be_slapped(table: Setting, kinds_of: Kinds) -> None:
    """One may slap before anything has been passed (P5)."""
    assert kinds_of(table("AAAA BBBC BCCC").play("slap", player=0)) == ["called"]


@pytest.mark.parametrize("chosen", [(None, None, None), ("A", None, None), ("A", "B", None), (None, "B", "C")])
def test_one_may_slap_while_cards_are_chosen(table: Setting, kinds_of: Kinds, chosen: Sequence[str | None]) -> None:
    """A right slap counts at any time between passes, after the own choice too (P6)."""
    state = table("AAAA BBBC BCCC", chosen=chosen)
    assert kinds_of(state.play("slap", player=0)) == ["called"]
    with pytest.raises(IllegalMove, match="nothing is passed any more"):
        state.play("pass C", player=2 if chosen[2] is None else 1)


def test_nobody_must_slap(table: Setting) -> None:
    """Who overlooks his four alike passes one of them on like any card (P7)."""
    state = table("AAAA BBBC BCCC")
    for player, move in enumerate(("pass A", "pass B", "pass C")):
        state.play(move, player=player)
    assert state.hand(0) == ["A", "A", "A", "C"]


def test_the_last_to_slap_takes_a_card(table: Setting, kinds_of: Kinds) -> None:
    """The caller and all but one come; the last takes one card without having to slap, and the next round is dealt (P9)."""
    state = table("AAAA BBBC BCCC", pile="L3 F1")
    assert kinds_of(state.play("slap", player=0)) == ["called"]
    told = state.play("slap", player=2, rng=_rng())
    assert kinds_of(told) == ["slapped", "last", "drew", "round_over", "dealt"]
    assert (told[1]["player"], told[2]) == (1, {"type": "drew", "player": 1, "card": "L3", "removed": []})
    data = state.to_json()
    assert data["front"] == [[], ["L3"], []]
    assert (data["round"], data["slapped"], data["chosen"], data["pile"][0], len(data["pile"])) == (2, [], [None] * 3, "F1", 24)


def test_slaps_count_in_the_order_they_come(table: Setting) -> None:
    """With four players the one who has not come when the other three have is the last (P9)."""
    state = table("AAAA BBBC BCCC DDDD", pile="L3")
    for player in (0, 3, 1):
        state.play("slap", player=player, rng=_rng())
    assert state.to_json()["front"] == [[], [], ["L3"], []]


def test_whoever_of_two_with_four_slaps_first_is_the_caller(table: Setting) -> None:
    """The other one with four alike must slap too, and takes the card if he is last (P8)."""
    state = table("AAAA BBBB CCCC", pile="F2")
    state.play("slap", player=1)
    state.play("slap", player=2, rng=_rng())
    assert state.to_json()["front"] == [["F2"], [], []]


def test_a_wrong_slap_costs_two_cards(table: Setting, kinds_of: Kinds) -> None:
    """Who slaps first without four alike takes the first two cards, he alone; hands and choices stay (rulebook: Warning; P10, P11)."""
    state = table("AABC AABC BBCC", pile="L3 F1 K1", chosen=[None, "B", None])
    before = state.to_json()
    assert kinds_of(state.play("slap", player=0)) == ["wrong_slap", "drew", "drew"]
    after = state.to_json()
    assert after["front"] == [["L3", "F1"], [], []]
    assert after["pile"] == before["pile"][2:]
    assert all(after[key] == before[key] for key in ("hands", "chosen", "slapped", "round", "dealer"))


def test_who_has_chosen_may_slap_wrongly_too(table: Setting) -> None:
    """The choice stays after it (P6, P10)."""
    state = table("AABC AABC BBCC", pile="L3 F1", chosen=["C", None, None])
    state.play("slap", player=0)
    assert state.to_json()["chosen"] == ["C", None, None]


def test_by_option_a_wrong_slap_ends_the_round(table: Setting, kinds_of: Kinds) -> None:
    """The round is dealt again by the next dealer and does not count (option of P11)."""
    state = table("AABC AABC BBCC", pile="L3 F1", chosen=[None, "B", None], dealer=2, round_number=4, ends_round=True)
    told = state.play("slap", player=0, rng=_rng())
    assert kinds_of(told) == ["wrong_slap", "drew", "drew", "round_over", "dealt"]
    assert told[3] == {"type": "round_over", "round": 4, "counted": False, "scores": [4, 0, 0]}
    data = state.to_json()
    assert (data["round"], data["dealer"], data["chosen"]) == (4, 0, [None] * 3)


def test_a_wrong_slap_shows_no_cats(table: Setting) -> None:
    """The others learn that he was wrong, not what he holds (P12)."""
    told = table("AABC AABC BBCC", pile="L3 F1").play("slap", player=0)
    assert {key for event in told for key in event} == {"type", "player", "card", "removed"}


def test_another_players_four_do_not_save_a_wrong_slap(table: Setting, kinds_of: Kinds) -> None:
    """The slapper is judged on his own hand; the holder may call right after the penalty (P13)."""
    state = table("AAAA BBBC BCCC", pile="L3 F1 K2")
    assert kinds_of(state.play("slap", player=1)) == ["wrong_slap", "drew", "drew"]
    assert kinds_of(state.play("slap", player=0)) == ["called"]
    state.play("slap", player=1, rng=_rng())
    assert state.to_json()["front"] == [[], ["L3", "F1"], ["K2"]]


@pytest.mark.parametrize(
    ("pile", "before", "after", "under"),
    [
        ("L2 iL", "", "", "L2 iL"),
        ("iL L2", "", "L2", "iL"),
        ("L2 shower", "F1 K3", "", "F1 K3 L2 shower"),
        ("shower iF", "F1 K3", "", "F1 K3 shower iF"),
        ("iF iL", "F1 L3 F2", "", "F1 F2 iF L3 iL"),
    ],
)
def test_the_two_cards_are_resolved_one_after_the_other(table: Setting, pile: str, before: str, after: str, under: str) -> None:
    """An insecticide drawn second removes what was drawn first, not the other way round (P14, P19)."""
    state = table("AABC AABC BBCC", pile=pile, front=[before, "", ""])
    state.play("slap", player=0)
    data = state.to_json()
    assert data["front"][0] == after.split()
    assert data["pile"][-len(under.split()) :] == under.split()


@pytest.mark.parametrize(
    ("card", "before", "after", "under"),
    [
        ("L3", "L1 F2", "L1 F2 L3", ""),
        ("iL", "L1 F2 L3", "F2", "L1 L3 iL"),
        ("iF", "L1 F2 L3", "L1 L3", "F2 iF"),
        ("iK", "L1 F2 L3", "L1 F2 L3", "iK"),
        ("iK", "", "", "iK"),
        ("shower", "L1 F2 K3", "", "L1 F2 K3 shower"),
        ("shower", "", "", "shower"),
    ],
)
def test_what_the_cards_do(table: Setting, card: str, before: str, after: str, under: str) -> None:
    """Parasites stay; an insecticide removes its kind, the shower all; what is got rid of goes under the pile (P15–P19, P29)."""
    state = table("AAAA BBBC BCCC", pile=f"{card} K1", front=["L1", "F1", before], slapped=[0])
    (drew,) = [event for event in state.play("slap", player=1, rng=_rng()) if event["type"] == "drew"]
    data = state.to_json()
    assert data["front"] == [["L1"], ["F1"], after.split()]
    assert (data["pile"][0], drew["removed"]) == ("K1", under.split()[:-1])
    assert data["pile"][len(data["pile"]) - len(under.split()) :] == under.split()


def test_only_the_cats_are_shuffled_between_rounds(table: Setting) -> None:
    """Parasites stay in front of the players and the pile stays in its order (P15, P20); the deal goes round (P3)."""
    state = table("AAAA BBBC BCCC", pile="L3", front=["F1", "", ""], slapped=[0], dealer=2)
    pile = state.to_json()["pile"]
    state.play("slap", player=1, rng=_rng())
    data = state.to_json()
    assert data["pile"] == pile[1:]
    assert (data["front"], data["dealer"]) == ([["F1"], [], ["L3"]], 0)


def _with_pile(state: State, *pile: str) -> State:
    """The state with no more than these cards in its pile, which the rules can't lead to (P21)."""
    fields: dict[str, Any] = {"pile": pile}
    return State(state.position._replace(**fields))


def test_a_wrong_slap_with_one_card_in_the_pile_takes_that(table: Setting, kinds_of: Kinds) -> None:
    """There is no second card to take (P21); an insecticide that comes back under the pile is not drawn again."""
    for card, front in (("L2", [["L2"], [], []]), ("iL", [[], [], []])):
        state = _with_pile(table("AABC AABC BBCC"), card)
        assert kinds_of(state.play("slap", player=0)) == ["wrong_slap", "drew"]
        assert state.to_json()["front"] == front


def test_with_no_pile_no_card_is_taken(table: Setting, kinds_of: Kinds) -> None:
    """The round ends all the same (P21)."""
    state = _with_pile(table("AAAA BBBC BCCC"))
    assert kinds_of(state.play("slap", player=1)) == ["wrong_slap"]
    state.play("slap", player=0)
    assert kinds_of(state.play("slap", player=1, rng=_rng())) == ["slapped", "last", "round_over", "dealt"]


def test_the_game_ends_after_ten_rounds(table: Setting, kinds_of: Kinds) -> None:
    """No new round is dealt after the tenth, nobody can move, and the slaps stay in their order, the drawer last (P22)."""
    state = table("AAAA BBBC BCCC", pile="L3", round_number=ROUNDS, slapped=[0])
    told = state.play("slap", player=2)
    assert kinds_of(told) == ["slapped", "last", "drew", "round_over", "game_over"]
    data = state.to_json()
    assert (data["round"], data["slapped"]) == (10, [0, 2, 1])
    assert [state.legal_moves(player) for player in range(3)] == [[], [], []]
    assert state.over
    with pytest.raises(IllegalMove, match="the game is over"):
        state.play("slap", player=1)


@pytest.mark.parametrize(
    ("front", "scores", "winners"),
    [
        (["", "L3 F2", "K1 K1 L1"], (0, 8, 3), (0,)),
        (["K3", "L3 F2", "K1 K1 L1"], (3, 8, 3), (0, 2)),
        (["K3", "", "K1 K1 L1"], (3, 3, 3), (0, 1, 2)),
    ],
)
def test_fewest_parasites_win(table: Setting, front: Sequence[str], scores: tuple[int, ...], winners: tuple[int, ...]) -> None:
    """The printed parasites count, not the cards; who ties shares the victory (P23, P24)."""
    state = table("AAAA BBBC BCCC", pile="L3", round_number=10, slapped=[0], front=front)
    told = state.play("slap", player=2)
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == (scores, winners)
    assert told[-1] == {"type": "game_over", "winners": list(winners)}


def test_one_card_of_many_loses_to_three_of_few(table: Setting) -> None:
    """Three cards of one parasite each are fewer parasites than a card of three and one of two: the lower sum wins (P23)."""
    state = table("AAAA BBBC BCCC", pile="iK", round_number=10, slapped=[0], front=["L3 F2", "L1 F1 K1", "L3 F3"])
    state.play("slap", player=1)
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((5, 3, 6), (1,))


def test_no_result_while_the_game_goes_on(table: Setting) -> None:
    """In the last round too, until it ends."""
    assert table("AAAA BBBC BCCC", round_number=10, slapped=[0]).outcome() is None


def test_a_round_can_be_dealt_again_uncounted(table: Setting, kinds_of: Kinds) -> None:
    """A table that passes on without end starts the round anew, and may take that back (P28)."""
    state = table("AABC AABC BBCC", chosen=["A", None, None], round_number=3, front=["L1", "", ""])
    before = state.to_json()
    assert kinds_of(state.redeal(_rng())) == ["round_over", "dealt"]
    data = state.to_json()
    assert (data["round"], data["dealer"], data["chosen"], data["front"], data["pile"]) == (3, 1, [None] * 3, [["L1"], [], []], before["pile"])
    state.undo()
    assert state.to_json() == before


def test_a_called_round_is_not_dealt_again(table: Setting) -> None:
    """A right call ends the round by itself, and so does the end of the game."""
    with pytest.raises(Exception, match="ends by itself"):
        table("AAAA BBBC BCCC", slapped=[0]).redeal(_rng())


def test_undo_goes_back_over_rounds(table: Setting) -> None:
    """A round that was dealt, cards that were drawn and removed, choices: all come back."""
    state = table("AAAB BBBC ACCC", pile="L2 iL", front=["", "L1", ""])
    seen = [state.to_json()]
    for player, move in ((0, "slap"), (1, "pass C"), (0, "pass B"), (2, "pass A"), (0, "slap"), (2, "slap")):
        state.play(move, player=player, rng=_rng())
        seen.append(state.to_json())
    assert seen[-1]["round"] == 2
    while len(seen) > 1:
        assert state.to_json() == seen.pop()
        state.undo()
    assert state.to_json() == seen[0]
    with pytest.raises(NothingToUndo):
        state.undo()


def test_copies_are_independent(table: Setting) -> None:
    """What is played on a copy does not touch the state, nor its way back."""
    state = table("AABC AABC BBCC")
    state.play("pass A", player=0)
    copy = state.copy()
    copy.undo()
    copy.play("slap", player=1)
    assert state.to_json()["chosen"] == ["A", None, None]
    state.undo()
    assert state.to_json()["chosen"] == [None] * 3


def test_a_refused_move_changes_nothing(table: Setting) -> None:
    """Without a generator no round can be dealt, and the state is as before (so it is for an illegal move)."""
    state = table("AAAA BBBC BCCC", slapped=[0])
    before = state.to_json()
    with pytest.raises(NoGenerator):
        state.play("slap", player=1)
    with pytest.raises(IllegalMove):
        state.play("slap", player=0)
    assert state.to_json() == before


def test_whose_move_it_is_must_be_said(table: Setting) -> None:
    """Nobody in particular is to move, so a move without its player can't be judged."""
    state = table("AABC AABC BBCC")
    assert state.to_move is None
    for ask in (state.legal_moves, lambda: state.explain("slap"), lambda: state.play("slap")):
        with pytest.raises(PlayerNeeded, match="give `player`"):
            ask()
    with pytest.raises(NoSuchSeat):
        state.legal_moves(-1)


def test_the_first_dealer_is_drawn() -> None:
    """Any seat may deal first; it has no other effect (P3)."""
    assert {Position.first(3, dealer=1, false_slap_ends_round=False, rng=_rng()).dealer} == {1}
    assert {State.new(3, rng=_rng(seed)).to_json()["dealer"] for seed in range(40)} == {0, 1, 2}
