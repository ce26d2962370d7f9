"""A physical match: rules and table in step."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from games.errors import IllegalMove, NothingToUndo
from games.match import TRIES, ActKind, CannotUndo, Match, MatchSetup, OutOfStep, Seat, bot_setup
from meshes.errors import StakdError
from meshes.lattice import Cell
from meshes.piece_set import PieceSet, build_piece_set, load_piece_set
from meshes.placement import Placement
from physics.act import ActResult, Outcome, place_on_board
from physics.grip import EXACT, STEADY, Steadiness
from physics.knock import knock
from physics.pose import Pose
from physics.tower import LaidPiece, Tower

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
        before, move = match.state.placements(), match.think()
        act = match.place(move)
        stood = match.table_after(act.number).tower
        assert sorted(laid(stood)) == sorted([*before, move])
    assert match.over or laid(match.tower) == []


def test_board_pieces_stand_exactly() -> None:
    """Board placing puts every piece exactly in its place."""
    match = play(board_match(), 12)
    assert match.tower == Tower.exact(CLASSIC, laid(match.tower))


def test_board_lays_the_slenderest_set_exactly() -> None:
    """Board placing lays exactly at the limits of what a set may be: discs of 2 mm, 200 mm high."""
    geometry = {"pitch_mm": 5.0, "radius_mm": 1.0, "thickness_mm": 200.0, "bevel_mm": 0.0}
    match = board_match(1, build_piece_set("needles", {**CLASSIC.source, "geometry": geometry}), seed=1)
    play(match, 10)
    assert [act.kind for act in match.acts] == [ActKind.PLACED] * 10
    assert match.tower == Tower.exact(match.setup.piece_set, laid(match.tower))


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


CROWDED = (
    "BASE 0 0,0 0,1 1,0 1,1 2,0",
    "BASE 0 2,-2 2,-1 3,-2 3,-1 4,-2",
    "BASE 0 4,-1 4,0 5,-2 5,-1 5,0",
    "BASE 0 5,-3 6,-4 6,-3 7,-4 7,-3",
    "TRIO 1 4,-2 4,-1 5,-2",
    "DUO 1 2,-2 3,-2",
    "DUO 1 6,-3 7,-4",
    "DUO 1 4,0 5,0",
    "UNI 1 5,-3",
    "QUAD 1 1,0 1,1 2,-1 2,0",
)
"""A position of a game of two. The place 3,-1 on layer 1 has pieces on five of its six sides."""


def crowded(hand: Steadiness) -> Match:
    """`CROWDED`, the pieces around 3,-1 each 1.8 mm towards it, which is as far off as a piece may rest and still count."""
    match = Match(MatchSetup(CLASSIC, (Seat("A", "random", hand), Seat("B", "random", hand)), seed=1))
    for text in CROWDED:
        move = match.state.find(text)
        assert move is not None
        placement = match.state.placement(move)
        match.settle_act(placement, place_on_board(match.tower, placement), hand="board")
    match.tower = match.tower.with_poses([_towards(piece, (3, -1)) for piece in match.tower.laid])
    return match


def _towards(piece: LaidPiece, cell: Cell) -> Pose:
    near = [beside for beside in CLASSIC.lattice.neighbours(cell) if beside in piece.placement.cells]
    if piece.placement.layer == 0 or not near:
        return piece.pose
    middle = np.mean([CLASSIC.lattice.position(beside, CLASSIC.pitch_mm) for beside in near], axis=0)
    way = np.array(CLASSIC.lattice.position(cell, CLASSIC.pitch_mm)) - middle
    x, y = 1.8 * way / np.linalg.norm(way)
    return Pose.flat(piece.pose.x + x, piece.pose.y + y, piece.pose.z, piece.pose.yaw_deg)


def test_turn_ends_on_a_crowded_place() -> None:
    """Where even the exact Grip slips every time, the piece is laid with both hands after five slips, so that a turn always ends."""
    match, move = crowded(EXACT), Placement("UNI", 1, ((3, -1),))
    assert [match.place(move).kind for _ in range(TRIES)] == [ActKind.TAKEN_BACK] * TRIES
    act = match.place(move)
    assert (act.kind, act.hand, act.squared_up) == (ActKind.PLACED, "board", True)
    assert match.tower == Tower.exact(CLASSIC, match.state.placements())


def test_both_hands_only_after_slips_of_this_turn() -> None:
    """Slips are counted turn by turn: the next player begins with one hand again."""
    match = crowded(STEADY)
    move = Placement("UNI", 1, ((3, -1),))
    for _ in range(TRIES):
        match.settle_act(move, slipped(match, move), hand="steady")
    assert match.place(move).hand == "board"
    assert match.place(match.think()).hand == STEADY.name


def test_piece_counts_as_where_it_rests() -> None:
    """A live act that settles on another legal place counts as that place, for the rules and the table alike (RULES S42)."""
    match = play(board_match(), 8)
    aimed, rested = match.state.legal_moves()[0], match.state.legal_moves()[-1]
    act = match.settle_act(aimed, place_on_board(match.tower, rested), hand="live")
    assert act.placement == rested
    assert laid(match.tower) == match.state.placements()


def test_other_tower_or_illegal_rest_is_refused() -> None:
    """A result that belongs to another tower, or a piece that rests where no rule allows it, changes nothing."""
    match = play(board_match(), 8)
    state, tower = match.state.to_json(), match.tower
    move = match.state.legal_moves()[0]
    shorter = Tower(CLASSIC, tower.laid[:-1])
    for result in (place_on_board(shorter, move), replace(slipped(match, move), tower=shorter)):
        with pytest.raises(OutOfStep):
            match.settle_act(move, result, hand="live")
    high = Placement("UNI", 3, ((0, 0),))
    astray = replace(place_on_board(tower, move), placement=high, tower=tower.with_piece(high))
    with pytest.raises(IllegalMove):
        match.settle_act(move, astray, hand="live")
    assert (match.state.to_json(), match.tower, len(match.acts)) == (state, tower, 8)


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


@pytest.mark.parametrize("slips", [1, 3, TRIES])
def test_undo_takes_slips_along(slips: int) -> None:
    """However often the next piece has slipped since, one undo takes back the last piece laid, and the match goes on as before."""
    match = Match(bot_setup(CLASSIC, ["random"], players=2, seed=2, hand="steady"))
    play(match, 4)
    state, tower = match.state.to_json(), match.tower
    first = match.place(match.think())
    move = match.think()
    for _ in range(slips):
        match.settle_act(move, slipped(match, move), hand="steady")
    assert match.undo() == first
    assert (match.state.to_json(), match.tower, len(match.acts)) == (state, tower, 4)
    again = match.place(match.think())
    assert (again.placement, again.rest, again.hand) == (first.placement, first.rest, first.hand)


def test_undo_leads_back_into_the_round_before() -> None:
    """The piece that ended a round can be taken back: tower, scores and turn are those of the round before."""
    match = board_match()
    while match.state.round == 1:
        state, tower = match.state.to_json(), match.tower
        match.place(match.think())
    assert match.tower.laid == ()
    match.undo()
    assert (match.state.to_json(), match.tower) == (state, tower)


def test_fifty_acts_back_and_forth() -> None:
    """Fifty times an act and its undo: rules, table, acts and what the bot would think next are as before each time."""
    match = Match(MatchSetup(CLASSIC, (Seat("A", "random"), Seat("B", "random"), Seat("C", "random", STEADY)), seed=8))
    for step in range(50):
        before = match.state.to_json(), match.tower, [*match.acts], match.think()
        act = match.place(before[3])
        if act.kind is ActKind.PLACED:
            match.undo()
            assert (match.state.to_json(), match.tower, match.acts, match.think()) == before
            if step % 2:
                match.place(before[3])
        if match.over or (match.acts and match.acts[-1].kind is ActKind.KNOCKED_OVER):
            match = Match(match.setup)


def test_undo_refused_after_fall_and_at_start() -> None:
    """What fell stays fallen, and before the first piece there is nothing to undo; slips since change nothing of that, and stay."""
    match = board_match()
    with pytest.raises(NothingToUndo):
        match.undo()
    move = match.think()
    match.settle_act(move, slipped(match, move), hand="shaky")
    with pytest.raises(NothingToUndo):
        match.undo()
    play(match, 14)
    match.settle_act(match.think(), toppled(match), hand="shaky")
    with pytest.raises(CannotUndo, match="fell"):
        match.undo()
    move = match.think()
    match.settle_act(move, slipped(match, move), hand="shaky")
    with pytest.raises(CannotUndo, match="fell"):
        match.undo()
    assert match.acts[-1].kind is ActKind.TAKEN_BACK


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


def test_spaces_around_bots_do_not_matter() -> None:
    """Names from a list with spaces after its commas are the same bots."""
    seats = bot_setup(CLASSIC, ["greedy", " random"], players=3, seed=0).seats
    assert [seat.bot for seat in seats] == ["greedy", "random", "greedy"]


def test_chance_comes_from_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No act draws from a global generator, nor from one seeded by the clock: neither numpy's nor Python's."""
    for module, names in ((np.random, ("random", "rand", "randn", "normal", "uniform", "choice", "shuffle", "seed")), (random, ("random", "choice"))):
        for name in names:
            monkeypatch.setattr(module, name, lambda *_, **__: pytest.fail("a global generator was used"))
    seeded = np.random.default_rng

    def only_seeded(seed: Any = None) -> np.random.Generator:
        assert seed is not None, "a generator was made without a seed"
        return seeded(seed)

    monkeypatch.setattr(np.random, "default_rng", only_seeded)
    play(Match(MatchSetup(CLASSIC, (Seat("A", "mcts", STEADY, iterations=20), Seat("B", "greedy", STEADY)), seed=9)), 4)


def test_culprit_is_the_mover_until_all_is_at_rest() -> None:
    """Whatever falls before everything is at rest is the mover's fault, though another laid it; bases are no exception (RULES S43, S44)."""
    match = board_match()
    match.place(match.think())
    base = match.tower.laid[0].placement
    fallen = replace(toppled_base(match), tower=match.tower)
    assert (base.layer, match.state.to_move) == (0, 1)
    act = match.settle_act(match.think(), fallen, hand="shaky")
    assert (act.player, match.state.scores) == (1, (0, -1))
    assert (match.state.round, match.tower.laid, match.state.to_move) == (2, (), 0)


def toppled_base(match: Match) -> ActResult:
    """The only BASE is pushed half a pitch and more over the table."""
    struck = knock(match.tower, 0, force_n=3.0, seconds=0.2)
    assert struck.knock_over is not None
    return ActResult(Outcome.KNOCKED_OVER, match.tower, None, None, None, struck.knock_over, False, struck.track, struck.seconds)
