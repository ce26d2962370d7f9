"""The rules of play, row by row of the rules decisions, and the rulebook's examples word for word."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from games.errors import BadOptions, IllegalMove
from games.sardines.state import State
from tests.games.sardines.setting import ORDERS, SARDINES, codes, moves, order, set_table


def _rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_setup(players: int) -> None:
    """Setup: 2 cards for each player, 5 in the market, 4 orders in the row, all others in two decks (RULES D1, D21)."""
    data = State.new(players, rng=_rng()).to_json()
    assert [len(hand) for hand in data["hands"]] == [2] * players
    assert (len(data["market"]), len(data["deck"]), data["discard"]) == (5, 32 - 5 - 2 * players, [])
    assert (len(data["orders"]), len(data["order_deck"]), data["completed"]) == (4, 16, [[]] * players)
    assert Counter([*data["market"], *data["deck"], *(card for hand in data["hands"] for card in hand)]) == SARDINES
    for short in ORDERS:
        assert [*data["orders"], *data["order_deck"]].count(order(short)) == 1
    assert (data["final_round"], data["must_discard"], data["options"]) == (False, 0, {})


@pytest.mark.parametrize("players", [-1, 0, 1, 5])
def test_numbers_of_players_refused(players: int) -> None:
    """Two to four can play (RULES D1)."""
    with pytest.raises(BadOptions, match="2 to 4 players"):
        State.new(players, rng=_rng())


def test_starter_is_chosen_or_drawn() -> None:
    """A lobby may name who starts; else chance does, and every seat comes up (RULES D2)."""
    chosen = State.new(3, rng=_rng(), starter=2)
    assert (chosen.to_move, chosen.to_json()["starter"]) == (2, 2)
    drawn = {State.new(3, rng=np.random.default_rng(seed)).to_move for seed in range(30)}
    assert drawn == {0, 1, 2}


def test_start_hands_may_hold_doubles() -> None:
    """Two cards are dealt, not two fish (RULES D21)."""
    hands = [State.new(2, rng=np.random.default_rng(seed)).to_json()["hands"][0] for seed in range(20)]
    assert {len("".join(hand)) for hand in hands} == {2, 3, 4}


def test_gather_takes_two_fish() -> None:
    """ "You may take a single Sardine Card with 2 fish OR 2 Sardine Cards each with 1 fish" (RULES D3)."""
    state = set_table(market=("B", "BB", "G", "GO", "B"))
    assert moves(state) == ["gather B B", "gather B G", "gather BB", "gather GO"]


@pytest.mark.parametrize("move", ["gather B", "gather B BB", "gather BB GO", "gather B G O"])
def test_gather_of_other_numbers(move: str) -> None:
    """One fish, three or four are not "any 2 fish" (RULES D4)."""
    state = set_table()
    (broken,) = state.explain(move)
    assert (broken.code, broken.rule) == ("not-two-fish", "D3")


def test_gather_only_what_lies_there() -> None:
    """Both cards come from the market as it lies: the card that will fill the gap can't be named, nor one card twice (RULES D5)."""
    state = set_table(market=("B", "BB", "G", "GO", "O"), deck=("P",))
    assert codes(state, "gather B P") == ["not-in-market"]
    assert codes(state, "gather B B") == ["not-in-market"]
    assert codes(state, "gather PP") == ["not-in-market"]


def test_market_is_refilled_in_place() -> None:
    """New cards lie where the taken ones lay, the top card in the first gap; taking the last and the first is no other way round."""
    state = set_table(market=("O", "BB", "G", "GO", "B"), deck=("PP", "OP", "GP"))
    events = state.play("gather B O")
    data = state.to_json()
    assert data["market"] == ["PP", "BB", "G", "GO", "OP"]
    assert (data["deck"][0], data["hands"][0], data["to_move"]) == ("GP", ["B", "O"], 1)
    assert events == [
        {"type": "gathered", "player": 0, "cards": ["B", "O"]},
        {"type": "turned_up", "index": 0, "card": "PP"},
        {"type": "turned_up", "index": 4, "card": "OP"},
    ]


def test_first_of_equal_cards_is_taken() -> None:
    """Of two equal cards the first in the market goes, so the same move always gives the same state."""
    state = set_table(market=("G", "BB", "BB", "GO", "B"), deck=("PP",))
    state.play("gather BB")
    assert state.to_json()["market"] == ["G", "PP", "BB", "GO", "B"]


def test_pass_is_never_needed() -> None:
    """One of the two actions must be done, and a gather always can be (RULES D6)."""
    (broken,) = set_table().explain("pass")
    assert (broken.code, broken.rule) == ("can-act", "D6")


def test_two_blue_and_two_orange() -> None:
    """ "If an Order Card shows 2 blue and 2 orange fish, you must discard 2 blue and 2 orange fish to complete that Order Card."""
    state = set_table([["BB", "OO", "BO"], []], row=("BBOO", "PPP", "GGG", "GGPP"), order_deck=("OOO",))
    assert moves(state)[:1] == ["fill 0 BB OO"]
    events = state.play("fill 0 BB OO")
    data = state.to_json()
    assert (data["hands"][0], data["discard"], data["completed"][0]) == (["BO"], ["BB", "OO"], [order("BBOO")])
    assert data["orders"] == [order("OOO"), order("PPP"), order("GGG"), order("GGPP")]
    assert events == [
        {"type": "filled", "player": 0, "index": 0, "order": order("BBOO"), "cards": ["BB", "OO"]},
        {"type": "order_turned_up", "index": 0, "order": order("OOO")},
    ]


def test_two_blue_and_one_orange_are_too_few() -> None:
    """The same order is not filled by fewer fish, nor by others."""
    state = set_table([["BB", "O", "GG", "PP"], []], row=("BBOO", "PPP", "GGG", "OOO"))
    assert codes(state, "fill 0 BB O") == ["not-filled"]
    assert codes(state, "fill 0 BB GG O PP") == ["not-filled"]
    assert not any(move.startswith("fill") for move in moves(state))


@pytest.mark.parametrize("paid", ["OO", "BB", "GG", "PP", "BO BO"])
def test_special_order_of_two(paid: str) -> None:
    """ "If an Order Card shows 2 same color fish, you must discard 2 orange, blue, green, or pink sardines" (RULES D10)."""
    state = set_table([paid.split(), []], market=("B", "G", "O", "P", "GP"), row=("special 2", "PPP", "GGG", "OOO"))
    assert f"fill 0 {paid}" in moves(state)
    state.play(f"fill 0 {paid}")
    assert state.to_json()["completed"][0] == [order("special 2")]


@pytest.mark.parametrize("paid", ["BO", "B O", "B G"])
def test_special_order_needs_one_colour(paid: str) -> None:
    """Two fish of different colours are no two of the same (RULES D10)."""
    state = set_table([paid.split(), []], row=("special 2", "PPP", "GGG", "OOO"))
    (broken,) = state.explain(f"fill 0 {paid}")
    assert (broken.code, broken.rule) == ("special-not-filled", "D10")


def test_special_order_with_other_fish_among_them() -> None:
    """Each mixed card brings one fish of the colour chosen; its other fish is lost (RULES D9, D10)."""
    state = set_table([["BP", "GP", "OP"], []], row=("special 3", "BBB", "GGG", "OOO"))
    assert "fill 0 BP GP OP" in moves(state)


@pytest.mark.parametrize("paid", ["G O P", "GO P", "G OP", "O PP GG", "BG GO"])
def test_mixed_bag_of_three(paid: str) -> None:
    """ "If an Order Card shows 3 multicolor fish, you could discard 1 orange, 1 green, and 1 pink fish" (RULES D11)."""
    cards = sorted(paid.split())
    state = set_table([cards, []], market=("B", "BB", "BO", "P", "OO"), row=("mixed 3", "BBB", "GGG", "OOO"))
    state.play(f"fill 0 {' '.join(cards)}")
    assert state.to_json()["completed"][0] == [order("mixed 3")]


@pytest.mark.parametrize("paid", ["GG P", "GG PP", "G GG P", "GP PP"])
def test_mixed_bag_counts_colours(paid: str) -> None:
    """A double of one colour counts as one fish for a mixed bag (RULES D11)."""
    state = set_table([paid.split(), []], row=("mixed 3", "BBB", "GGG", "OOO"))
    (broken,) = state.explain(f"fill 0 {paid}")
    assert (broken.code, broken.rule) == ("mixed-not-filled", "D11")


def test_two_double_pinks_for_three() -> None:
    """ "You may discard 2 Sardine Cards, each with 2 pink fish, to complete an Order Card with 3 pink fish": no change is given (RULES D7)."""
    state = set_table([["PP", "PP", "O"], []], row=("PPP", "BBB", "GGG", "OOO"))
    assert "fill 0 PP PP" in moves(state)
    state.play("fill 0 PP PP")
    data = state.to_json()
    assert (data["hands"][0], data["discard"], data["completed"][0]) == (["O"], ["PP", "PP"], [order("PPP")])


def test_one_double_pink_is_too_few_and_costs_nothing() -> None:
    """A payment that falls short is refused and the hand is as it was (TRIALS of payment faults)."""
    state = set_table([["PP", "O"], []], row=("PPP", "BBB", "GGG", "OOO"))
    before = state.to_json()
    with pytest.raises(IllegalMove) as refused:
        state.play("fill 0 PP")
    assert [(broken.code, broken.rule) for broken in refused.value.violations] == [("not-filled", "D7")]
    assert state.to_json() == before


def test_mixed_card_for_one_colour() -> None:
    """A two-colour card pays with the fish that match, the other is lost (RULES D9)."""
    state = set_table([["BP", "PP"], []], row=("PPP", "BBB", "GGG", "OOO"))
    assert [move for move in moves(state) if move.startswith("fill")] == ["fill 0 BP PP"]


def test_needless_cards() -> None:
    """Payments with a needless card are accepted, but no list of moves offers them (RULES D8)."""
    state = set_table([["O", "P", "P", "P", "PP"], []], row=("PPP", "BBB", "GGG", "special 4"))
    assert [move for move in moves(state) if move.startswith("fill 0")] == ["fill 0 P P P", "fill 0 P PP"]
    assert state.explain("fill 0 O P P PP") == ()
    state.play("fill 0 O P P PP")
    assert (state.to_json()["hands"][0], state.to_json()["discard"]) == (["P"], ["O", "P", "P", "PP"])


def test_payment_from_hand_only() -> None:
    """Fish in the market, in other hands or held once can't be paid, or not twice (RULES D12)."""
    state = set_table([["P", "P"], ["OP"]], market=("P", "BB", "G", "GO", "O"), row=("PPP", "BBB", "GGG", "OOO"))
    for move in ("fill 0 P P P", "fill 0 OP P P"):
        (broken,) = state.explain(move)
        assert (broken.code, broken.rule) == ("not-in-hand", "D12")


def test_market_stays_after_a_filled_order() -> None:
    """Filling an order takes nothing from the market and draws no sardine card."""
    state = set_table([["PP", "P"], []])
    before = state.to_json()
    state.play("fill 1 P PP")
    after = state.to_json()
    assert (after["market"], after["deck"]) == (before["market"], before["deck"])


def test_hand_limit_counts_cards_after_the_refill() -> None:
    """With six cards, two more make eight: exactly two must go, own choice, after the market is refilled (RULES D13)."""
    hand = ["BB", "G", "GG", "OO", "P", "PP"]
    state = set_table([hand, []], market=("B", "BB", "G", "GO", "O"), deck=("OP", "GP"), row=("BGGPP", "OOO", "GOOPP", "BBB"))
    state.play("gather B O")
    data = state.to_json()
    assert (data["must_discard"], data["to_move"], len(data["hands"][0])) == (2, 0, 8)
    assert data["market"] == ["OP", "BB", "G", "GO", "GP"]
    assert codes(state, "discard B") == ["wrong-number"]
    assert codes(state, "discard B G O") == ["wrong-number"]
    assert codes(state, "gather BB") == ["must-discard"]
    assert "must-discard" in codes(state, "fill 0 BB")
    assert codes(state, "pass") == ["must-discard"]
    assert codes(state, "discard BO G") == ["not-in-hand"]
    assert len(moves(state)) == 8 * 7 // 2
    state.play("discard B O")
    data = state.to_json()
    assert (data["must_discard"], data["to_move"], data["hands"][0], data["discard"]) == (0, 1, hand, ["B", "O"])


def test_hand_limit_of_one_too_many() -> None:
    """Six cards and a double make seven: one goes, of equal cards one choice (RULES D13)."""
    state = set_table([["G", "G", "OO", "OO", "P", "P"], []], row=("BBB", "BBGG", "BBOO", "BBPP"))
    events = state.play("gather BB")
    assert events[-1] == {"type": "must_discard", "player": 0, "number": 1}
    assert moves(state) == ["discard BB", "discard G", "discard OO", "discard P"]


def test_no_discard_at_six() -> None:
    """Six cards may be kept, however many fish they show; nothing can be thrown away then (RULES D13)."""
    state = set_table([["GG", "GG", "OO", "OO"], ["P"]], market=("B", "BB", "G", "GO", "O"), row=("BBB", "BBGG", "BBPP", "PPP"))
    state.play("gather B O")
    assert (state.to_json()["must_discard"], state.to_move) == (0, 1)
    assert codes(state, "discard P") == ["nothing-to-discard"]


def test_discard_pile_is_shuffled_when_a_card_is_needed() -> None:
    """The empty deck stays empty until a card is needed; then the whole discard pile becomes the deck (RULES D14)."""
    state = set_table(market=("B", "BB", "G", "GO", "O"), deck=("PP",), discard=("BG", "BG"), no_deck=True)
    discard = state.to_json()["discard"]
    state.play("gather BB")
    data = state.to_json()
    assert (data["market"][1], data["deck"], data["discard"]) == ("PP", [], discard)
    events = state.play("gather B O", rng=_rng())
    data = state.to_json()
    assert [event["type"] for event in events] == ["gathered", "reshuffled", "turned_up", "turned_up"]
    assert events[1] == {"type": "reshuffled", "cards": len(discard)}
    assert data["discard"] == []
    assert Counter([*data["deck"], data["market"][0], data["market"][4]]) == Counter(discard)


def test_shuffle_between_two_cards() -> None:
    """The last card of the deck fills the first gap, the reshuffled pile the second (RULES D14)."""
    state = set_table(market=("B", "BB", "G", "GO", "O"), deck=("PP",), no_deck=True)
    events = state.play("gather G O", rng=_rng())
    assert [event["type"] for event in events] == ["gathered", "turned_up", "reshuffled", "turned_up"]
    assert state.to_json()["market"][2] == "PP"


def test_every_reshuffle_order_can_come() -> None:
    """The shuffle is a real one: over many seeds each discarded card comes up first (RULES D14)."""
    state = set_table(market=("B", "BB", "G", "GO", "O"), no_deck=True)
    seen = set()
    for seed in range(300):
        state.play("gather BB", rng=np.random.default_rng(seed))
        seen.add(state.to_json()["market"][1])
        state.undo()
    assert seen == set(state.to_json()["discard"])


def test_row_is_not_refilled_without_orders() -> None:
    """Once the order deck is empty a filled order goes and later ones move up (RULES D15)."""
    state = set_table([["P", "PP"], ["G"]], row=("BBGG", "PPP", "special 2", "mixed 3"), rest_to=1, starter=1)
    state.play("fill 1 P PP")
    assert state.to_json()["orders"] == [order("BBGG"), order("special 2"), order("mixed 3")]
    (broken,) = set_table([["P", "PP"], ["G"]], row=("BBGG",), rest_to=1, starter=1).explain("fill 1 P PP")
    assert (broken.code, broken.rule) == ("no-such-order", "D15")


def test_last_order_starts_the_final_round() -> None:
    """The end is set off at the moment the last order comes into the row, not when it is filled (RULES D16)."""
    state = set_table([["P", "PP"], ["P"]], order_deck=("OOO",), rest_to=1)
    events = state.play("fill 1 P PP")
    assert events[-1] == {"type": "final_round", "player": 0}
    assert (state.to_json()["final_round"], state.to_json()["orders"][1], state.over) == (True, order("OOO"), False)
    two_left = set_table([["P", "PP"], ["P"]], order_deck=("OOO", "GGG"), rest_to=1)
    two_left.play("fill 1 P PP")
    assert not two_left.to_json()["final_round"]


def test_others_finish_the_round() -> None:
    """Seat 1 started and seat 2 turns up the last order: seat 0 still plays, then the game ends (RULES D17)."""
    state = set_table([["P"], ["G"], ["P", "PP"]], order_deck=("OOO",), rest_to=1, to_move=2, starter=1)
    state.play("fill 1 P PP")
    assert (state.over, state.to_move) == (False, 0)
    events = state.play("gather BB")
    assert (state.over, state.to_move, events[-1]["type"]) == (True, 1, "game_over")


def test_last_of_the_round_ends_at_once() -> None:
    """Seat 1 started and seat 0, right of it, turns up the last order: nobody plays on (RULES D17)."""
    state = set_table([["P", "PP"], ["G"], ["P"]], order_deck=("OOO",), rest_to=1, to_move=0, starter=1)
    events = state.play("fill 1 P PP")
    assert [event["type"] for event in events] == ["filled", "order_turned_up", "final_round", "game_over"]
    assert (state.over, state.to_move, state.legal_moves()) == (True, 1, [])
    assert codes(state, "gather BB") == ["game-over"]
    with pytest.raises(IllegalMove):
        state.play("gather BB")


def test_starter_setting_off_the_end_has_no_second_turn() -> None:
    """When the starter turns up the last order, each of the others has one turn more and he has none (RULES D17)."""
    state = set_table([["P", "PP"], ["G"], ["P"]], order_deck=("OOO",), rest_to=1)
    state.play("fill 1 P PP")
    state.play("gather BB")
    assert not state.over
    state.play("gather GO")
    assert state.over


def test_last_turn_ends_with_the_discard() -> None:
    """The hand limit holds on the very last turn too, and the game ends only then: fish thrown away break no tie (RULES D13, D17)."""
    state = set_table([["G"], ["GG", "GG", "O", "O", "P", "P"]], row=("BBB",), rest_to=0, to_move=1)
    state.play("gather BB")
    assert (state.over, state.outcome(), state.to_move) == (False, None, 1)
    state.play("discard GG")
    assert (state.over, state.to_move) == (True, 0)


def test_turns_are_equal_when_the_game_ends() -> None:
    """However a random game goes, all players have had the same number of turns (RULES D17)."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        state = State.new(2 + seed % 3, rng=rng)
        turns = [0] * state.players
        while not state.over:
            if not state.to_json()["must_discard"]:
                turns[state.to_move] += 1
            ids = state.legal_ids()
            state.play_id(ids[int(rng.integers(len(ids)))], rng)
        assert len(set(turns)) == 1, (seed, turns)


def test_most_points_win() -> None:
    """ "The player with the most points from their completed Order Cards wins.\""""
    fives, rest = ["BGGPP", "GOOPP", "BBOOP", "BBGGO", "special 4", "BBGG", "BBOO", "BBPP", "GGOO"], ["BBB", "GGG", "OOO", "PPP"]
    others = [short for short in ORDERS if short not in {*fives, *rest}]
    result = set_table([[], []], row=(), completed={0: [*rest, *others], 1: fives}).outcome()
    points = sum(ORDERS[short] for short in fives)
    assert (result.scores, result.winners) == ((71 - points, points), (1,))


def test_points_of_the_orders_left_in_the_row_do_not_count() -> None:
    """Orders nobody filled give nobody points."""
    state = set_table([[], []], row=("BBGG", "PPP", "special 2", "mixed 3"), rest_to=1)
    assert state.outcome().scores == (0, 71 - 4 - 3 - 2 - 2)


def test_ties_go_to_more_orders() -> None:
    """First tie-break: as many points with more orders win (RULES D19)."""
    state = _tied({0: ["BBOOP"], 1: ["BBGG", "mixed 2"]}, [["PP", "PP", "OO"], []])
    assert state.outcome().scores[:2] == (state.outcome().scores[0],) * 2
    assert state.outcome().winners == (1,)


def test_ties_go_to_more_fish() -> None:
    """Second tie-break: as many orders too, then the most fish in hand win, not the most cards (RULES D19)."""
    state = _tied({0: ["BBGG", "mixed 2"], 1: ["BBB", "special 2"]}, [["B", "G", "O"], ["PP", "PP"]])
    assert state.outcome().winners == (1,)


def test_ties_are_shared_at_last() -> None:
    """ "Still tied? The players share the award" (RULES D19)."""
    state = _tied({0: ["BBGG", "mixed 2"], 1: ["BBB", "special 2"]}, [["B", "G", "O", "P"], ["PP", "PP"]])
    assert state.outcome().winners == (0, 1)


def _tied(completed: dict[int, list[str]], hands: list[list[str]]) -> State:
    """Two players with these orders and hands, and six more orders each of the same worth; a third player has what is left but four."""
    pairs = [("BBOO", "BBPP"), ("GGOO", "GGPP"), ("GGG", "OOO"), ("BGGPP", "GOOPP"), ("special 3", "PPP"), ("special 4", "OOPP")]
    filled = {seat: [*orders, *(pair[seat] for pair in pairs)] for seat, orders in completed.items()}
    row = [short for short in ORDERS if not any(short in orders for orders in filled.values())][:4]
    third = [short for short in ORDERS if short not in row and not any(short in orders for orders in filled.values())]
    return set_table([*hands, []], row=row, completed={**filled, 2: third}, rest_to=2)


def test_pass_when_nothing_else_is_left() -> None:
    """A market that can't be refilled may leave nothing to do; then, and only then, the turn passes on (RULES D6)."""
    state = set_table()
    state.position = state.position._replace(hands=(0, 0), market=(), deck=(), top=0, discard=())
    assert moves(state) == ["pass"]
    assert state.play("pass") == [{"type": "passed", "player": 0}]
    assert state.to_move == 1


def test_market_runs_short() -> None:
    """When deck and discard pile are both empty, gaps close up (RULES D6)."""
    state = set_table(market=("B", "BB", "G", "GO", "O"), deck=("PP",))
    state.position = state.position._replace(deck=state.position.deck[:1], discard=())
    events = state.play("gather B G")
    assert state.to_json()["market"] == ["PP", "BB", "GO", "O"]
    assert [event["type"] for event in events] == ["gathered", "turned_up"]
