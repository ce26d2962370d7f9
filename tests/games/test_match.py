"""A physical match: rules and table in step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from games.errors import IllegalMove, NothingToUndo
from games.match import TRIES, ActKind, CannotUndo, Match, MatchSetup, Seat, bot_setup
from meshes.errors import StakdError
from meshes.piece_set import PieceSet, load_piece_set
from meshes.placement import Placement
from physics.act import ActResult, Outcome, place_on_board
from physics.grip import EXACT, SHAKY, STEADY
from physics.knock import knock
from physics.tower import Tower

CLASSIC, SQUARE = load_piece_set("classic"), load_piece_set("square")


def board_match(players: int = 2, piece_set: PieceSet = CLASSIC, seed: int = 0) -> Match:
    """A match of random bots that lay on the board."""
    return Match(bot_setup(piece_set, ["random"], players=players, seed=seed, hand="board"))


def play(match: Match, acts: int) -> Match:
    """Let the bots do up to so many acts of this round."""
    for _ in range(acts):
        if match.state.round > 1 or match.over:
            break
        match.place(match.think())
    return match


def slipped(match: Match, placement: Placement) -> ActResult:
    """What physics tells when the piece slips off and nothing else moves."""
    placed = place_on_board(match.tower, placement)
    return replace(placed, outcome=Outcome.TAKEN_BACK, tower=match.tower, placement=None)


def toppled(match: Match) -> ActResult:
    """A real fall: the top piece is struck hard."""
    struck = knock(match.tower, len(match.tower.laid) - 1, force_n=1.0, seconds=0.03)
    assert struck.knock_over is not None
    tower = match.tower
    return ActResult(Outcome.KNOCKED_OVER, tower, None, None, None, struck.knock_over, False, struck.track, struck.seconds)


def laid(tower: Tower) -> Sequence[Placement]:
    """The placements of a tower, in laying order."""
    return [piece.placement for piece in tower.laid]


@pytest.mark.parametrize("piece_set", [CLASSIC, SQUARE], ids=["hex", "square"])
@pytest.mark.parametrize("players", [1, 2, 5])
def test_tower_follows_rules(piece_set: PieceSet, players: int) -> None:
    """After every act the tower holds exactly the pieces the rules have laid, layer by layer."""
    match = board_match(players, piece_set)
    while match.state.round == 1 and not match.over:
        before = match.state.copy()
        act = match.place(match.think())
        stood = match.table_after(act.number).tower
        assert sorted(laid(stood)) == sorted([*(p for layer in before.layers for p in layer), act.placement])
    assert match.over or laid(match.tower) == []


def test_board_pieces_stand_exactly() -> None:
    """Board placing puts every piece exactly in its place."""
    match = play(board_match(), 12)
    assert match.tower == Tower.exact(CLASSIC, laid(match.tower))


def test_hand_pieces_stay_within_tolerance() -> None:
    """What a steady hand lays counts only if it rests within 15 % of the node radius of its place (RULES S42)."""
    match = Match(bot_setup(CLASSIC, ["random"], players=2, seed=4, hand="steady"))
    play(match, 8)
    placed = [act for act in match.acts if act.kind is ActKind.PLACED]
    assert len(placed) >= 6
    assert all(act.offset_mm is not None and act.offset_mm <= 0.15 * CLASSIC.radius_mm for act in placed)


def test_illegal_move_changes_nothing() -> None:
    """An illegal placement is refused with the rule, and neither rules nor table change (RULES S45)."""
    match = play(board_match(), 6)
    state, tower = match.state.to_json(), match.tower
    with pytest.raises(IllegalMove) as refused:
        match.place(Placement("UNI", 5, ((0, 0),)))
    assert refused.value.violations
    assert (match.state.to_json(), match.tower, len(match.acts)) == (state, tower, 6)


def test_slip_is_taken_back_in_the_same_turn() -> None:
    """A piece that slips off alone is taken back: same player, same position, and the slip is told (RULES S42)."""
    match = play(board_match(), 6)
    mover, state = match.state.to_move, match.state.to_json()
    move = match.think()
    act = match.settle_act(move, slipped(match, move), hand="normal")
    assert act.kind is ActKind.TAKEN_BACK
    assert (match.state.to_move, match.state.to_json()) == (mover, state)


def test_bot_steadies_after_slips() -> None:
    """After five slips in one turn the piece is laid with the exact Grip, so that a turn always ends."""
    match = Match(MatchSetup(CLASSIC, (Seat("A", "random", SHAKY), Seat("B", "random", SHAKY)), seed=1))
    move = match.state.legal_moves()[0]
    for _ in range(TRIES):
        match.settle_act(move, slipped(match, move), hand="shaky")
    act = match.place(move)
    assert (act.kind, act.hand) == (ActKind.PLACED, EXACT.name)


def test_knock_over_scores() -> None:
    """Who knocks the tower over loses a point, nobody wins one, and the same player starts the next round (RULES S39, S41)."""
    match = play(board_match(), 14)
    mover, starter = match.state.to_move, match.state.starter
    act = match.settle_act(match.think(), toppled(match), hand="shaky")
    assert act.kind is ActKind.KNOCKED_OVER
    assert match.state.scores[mover] == -1
    assert sum(match.state.scores) == -1
    assert (match.state.round, match.state.starter, match.tower.laid) == (2, starter, ())


def test_solo_knock_over_loses() -> None:
    """In solo a knock-over loses the game (RULES S49)."""
    match = play(board_match(1), 8)
    match.settle_act(match.think(), toppled(match), hand="shaky")
    outcome = match.state.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == ((), (0,))


def test_match_ends_at_three_points() -> None:
    """The match goes on over rounds until somebody has three points (RULES S40)."""
    match = board_match()
    while not match.over:
        match.place(match.think())
    assert max(match.state.scores) == 3


def test_undo_restores_table_and_rules() -> None:
    """Undo brings back rules and table together; the same move again gives the same tower."""
    match = Match(bot_setup(CLASSIC, ["random"], players=2, seed=2, hand="steady"))
    play(match, 5)
    state, tower, acts = match.state.to_json(), match.tower, len(match.acts)
    move = match.think()
    first = match.place(move)
    after = match.tower
    match.undo()
    assert (match.state.to_json(), match.tower, len(match.acts)) == (state, tower, acts)
    assert match.place(move).rest == first.rest
    assert match.tower == after


def test_undo_refused_after_fall_and_at_start() -> None:
    """What fell stays fallen, and before the first act there is nothing to undo; both are said."""
    match = board_match()
    with pytest.raises(NothingToUndo):
        match.undo()
    play(match, 14)
    match.settle_act(match.think(), toppled(match), hand="shaky")
    with pytest.raises(CannotUndo, match="fell"):
        match.undo()


def test_thinking_and_hands_repeat() -> None:
    """The same seed gives the same match, act by act, hands included."""
    first, second = (Match(MatchSetup(CLASSIC, (Seat("A", "random", STEADY), Seat("B", "greedy", STEADY)), seed=3)) for _ in range(2))
    for match in (first, second):
        play(match, 6)
    assert [(act.placement, act.rest) for act in first.acts] == [(act.placement, act.rest) for act in second.acts]


def test_previews_leave_no_trace() -> None:
    """Fifty previews and then a move give the same poses as the move alone."""
    alone, previewed = (Match(bot_setup(CLASSIC, ["random"], players=2, seed=6, hand="steady")) for _ in range(2))
    for match in (alone, previewed):
        play(match, 5)
    move = previewed.think()
    for other in previewed.state.legal_moves()[:50]:
        place_on_board(previewed.tower, other)
    assert previewed.place(move).rest == alone.place(move).rest


def test_resigning_keeps_pieces() -> None:
    """Who leaves is out for good; the pieces he laid stay (RULES S53)."""
    match = play(board_match(3), 6)
    stood = match.tower
    match.resign(match.state.to_move)
    assert match.tower == stood
    assert match.acts[-1].kind is ActKind.RESIGNED


@pytest.mark.parametrize(
    ("players", "bots", "words"), [(0, "random", "hands for 1 to 5"), (6, "random", "hands for 1 to 5"), (2, "deep", "no bot deep")]
)
def test_bad_set_up_is_named(players: int, bots: str, words: str) -> None:
    """A player count without hands and an unknown bot are refused with what there is."""
    with pytest.raises(StakdError, match=words):
        bot_setup(CLASSIC, [bots], players=players, seed=0)


def test_generators_are_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No act draws from numpy's global generator."""
    monkeypatch.setattr(np.random, "random", lambda *_: pytest.fail("the global generator was used"))
    before = np.random.get_state()[1].copy()  # noqa: NPY002 - it is the thing watched
    play(Match(bot_setup(CLASSIC, ["random"], players=2, seed=9, hand="steady")), 4)
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002
