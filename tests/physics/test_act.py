"""Acts: pieces laid by hands and on the board, swept, knocked and settled."""

import numpy as np
import pytest

from meshes.piece_set import PieceSet, load_piece_set
from meshes.placement import Placement
from physics.act import Act, ActResult, NoRoom, NotOver, Onlooker, Outcome, knock, place_by_hand, place_on_board
from physics.grip import EXACT, SHAKY, STEADY
from physics.outcome import rest_of, settled_tower
from physics.pose import Pose, as_array
from physics.settle import settle
from physics.tower import ALIGN_TOLERANCE, Tower, exact_pose

CLASSIC = load_piece_set("classic")
SQUARE = load_piece_set("square")


def parsed(text: str) -> Placement:
    """A placement from its text."""
    placement = Placement.parse(text)
    assert placement is not None
    return placement


def tower_of(*texts: str, piece_set: PieceSet = CLASSIC) -> Tower:
    """A tower with these placements, exactly placed."""
    return Tower.exact(piece_set, [parsed(text) for text in texts])


def column(layers: int) -> Tower:
    """A slender tower: a BASE, then QUADs and pairs of DUOs in turn."""
    texts = ["BASE 0 0,0 0,1 1,0 1,1 2,0"]
    for layer in range(1, layers):
        texts += [f"QUAD {layer} 0,0 0,1 1,0 1,1"] if layer % 2 else [f"DUO {layer} 0,0 0,1", f"DUO {layer} 1,0 1,1"]
    return tower_of(*texts)


LOW = tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0", "DUO 1 0,0 0,1", "UNI 1 1,0")


def states_of(tower: Tower) -> np.ndarray:
    """(n, 7) poses."""
    return np.array([as_array(piece.pose) for piece in tower.laid])


def same(a: ActResult, b: ActResult) -> bool:
    """Whether two results agree to the last bit."""
    return (a.outcome, a.tower, a.offset_mm, a.seconds, a.track.pieces) == (
        b.outcome,
        b.tower,
        b.offset_mm,
        b.seconds,
        b.track.pieces,
    ) and np.array_equal(a.track.states, b.track.states)


def dropped(tower: Tower, piece: str, pose: Pose, *, allowed: list[Placement] | None = None) -> ActResult:
    """What comes of letting a piece go at a pose at once."""
    with Act(tower, piece, pose, allowed=allowed) as act:
        act.release()
        act.run(960 * 40)
        return act.result()


def swept(tower: Tower, heading: float, aside_mm: float, up_mm: float) -> ActResult:
    """What comes of a UNI swept past the last laid piece: a glancing blow, `aside_mm` beside its middle."""
    target = tower.laid[-1].pose
    way = np.array([np.cos(heading), np.sin(heading)])
    start = np.array([target.x, target.y]) - 70 * way + aside_mm * np.array([-way[1], way[0]])
    end = start + 200 * way
    with Act(tower, "UNI", Pose(float(start[0]), float(start[1]), target.z + up_mm)) as act:
        act.move_to(Pose(float(end[0]), float(end[1]), target.z + up_mm))
        act.run(580)
        act.move_to(Pose(float(end[0]), float(end[1]), 150))
        act.run(240)
        act.release()
        act.run(960 * 40)
        return act.result()


@pytest.mark.parametrize(
    ("piece_set", "base", "text"),
    [
        (CLASSIC, "BASE 0 0,0 0,1 1,0 1,1 2,0", "TRIO 1 0,0 0,1 1,0"),
        (SQUARE, "BASE 0 -1,0 0,-1 0,0 0,1 1,0", "TRIO 1 0,0 0,1 1,0"),
    ],
)
def test_exact_hand_lays_exactly(piece_set: PieceSet, base: str, text: str) -> None:
    """The exact hand places a piece within a tenth of a mm, convex or concave."""
    result = place_by_hand(tower_of(base, piece_set=piece_set), parsed(text), EXACT, np.random.default_rng(1))
    assert result.outcome is Outcome.PLACED
    assert result.placement == parsed(text)
    assert result.offset_mm is not None
    assert result.offset_mm < 0.1
    assert result.track.pieces == (1,)


def test_exact_hand_fits_a_piece_between_neighbours() -> None:
    """A UNI laid into a gap that leaves it 0.38 mm on each side goes in, and its neighbours stay."""
    tower = tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0", "UNI 1 0,0", "UNI 1 2,0", "DUO 1 0,1 1,1")
    result = place_by_hand(tower, parsed("UNI 1 1,0"), EXACT, np.random.default_rng(2))
    assert result.outcome is Outcome.PLACED
    assert result.tower.laid[:4] == tower.laid


def test_placed_within_tolerance_counts_beyond_it_does_not() -> None:
    """A piece let go just within 15 % of the node radius of its place is placed at its real pose; just outside it is taken back."""
    limit = ALIGN_TOLERANCE * CLASSIC.radius_mm
    tower = tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0")
    inside = dropped(tower, "DUO", Pose(0, limit - 0.2, 10.3))
    assert inside.outcome is Outcome.PLACED
    assert inside.offset_mm == pytest.approx(limit - 0.2, abs=0.1)
    assert inside.tower.laid[-1].pose.y == pytest.approx(limit - 0.2, abs=0.1)
    outside = dropped(tower, "DUO", Pose(0, limit + 0.2, 10.3))
    assert outside.outcome is Outcome.TAKEN_BACK
    assert outside.tower is tower
    assert outside.rests_at == parsed("DUO 1 0,0 1,0")


def test_only_allowed_placements_count() -> None:
    """A piece that lies well, but where the rules don't allow it, is taken back, and the result says where it lay."""
    tower = tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0")
    result = dropped(tower, "UNI", Pose(30, 0, 10.3), allowed=[parsed("UNI 1 0,0")])
    assert result.outcome is Outcome.TAKEN_BACK
    assert result.rests_at == parsed("UNI 1 1,0")
    assert result.placement is None


def test_own_piece_slipping_off_is_taken_back() -> None:
    """A piece let go half over the edge falls to the table; nobody else moved, so it is taken back and the tower stays (S42)."""
    result = dropped(LOW, "UNI", Pose(60, 13, 10.5))
    assert result.outcome is Outcome.TAKEN_BACK
    assert result.knock_over is None
    assert result.tower is LOW


def test_hand_that_sweeps_through_knocks_over_and_lets_go() -> None:
    """A piece dragged through the top of a tower sweeps it down; the hand lets go by itself and the act ends."""
    tower = tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0", "UNI 1 0,0", "TRIO 1 0,1 1,0 1,1")
    with Act(tower, "QUAD", Pose(-120, 0, 11)) as act:
        act.move_to(Pose(60, 0, 11))
        act.run(960 * 40)
        result = act.result()
    assert not act.held
    assert result.outcome is Outcome.KNOCKED_OVER


def test_touching_below_the_limits_is_forgiven_and_squared_up() -> None:
    """A neighbour shoved by more than the tolerance, but less than half a pitch, is no knock-over: all is put back exactly, as the result says."""
    with Act(LOW, "UNI", Pose(-60, 0, 12), allowed=[]) as act:
        act.move_to(Pose(-20.5, 0, 12))
        act.run(480)
        act.move_to(Pose(-20.5, 0, 60))
        act.run(300)
        act.move_to(Pose(-90, 0, 60))
        act.run(480)
        act.release()
        act.run(960 * 40)
        result = act.result()
    assert result.outcome is Outcome.TAKEN_BACK
    assert result.squared_up
    assert result.tower == LOW


def test_pieces_that_hardly_moved_get_their_poses_back() -> None:
    """Moves below 1 mm never add up: the tower after an act is the very tower before it, and the new piece."""
    tower = column(8)
    for seed in range(3):
        result = place_by_hand(tower, parsed("UNI 8 0,0"), STEADY, np.random.default_rng(seed))
        assert result.outcome is Outcome.PLACED
        assert result.tower.laid[:-1] == tower.laid


def test_settled_poses_are_kept_or_squared_up() -> None:
    """Moves from 1 mm up to the tolerance are kept, level; one beyond it squares the whole tower up."""
    poses = [piece.pose for piece in LOW.laid]
    kept, squared = settled_tower(LOW, [*poses[:2], Pose(31.5, 0, 9.98)])
    assert (kept.laid[2].pose, squared) == (Pose(31.5, 0, 10), False)
    again, squared = settled_tower(kept, [*poses[:2], Pose(34, 0, 9.98)])
    assert (again, squared) == (LOW, True)


def test_rest_is_measured_on_the_farthest_node() -> None:
    """Where a piece rests is judged by its farthest node; a piece that leans or hangs between layers rests nowhere."""
    tower = tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0")
    duo = CLASSIC.by_name["DUO"]
    rest = rest_of(tower, duo, Pose.flat(30, 0, 10, 182))
    assert rest is not None
    assert rest.placement == parsed("DUO 1 0,0 1,0")
    assert rest.offset_mm == pytest.approx(2 * 30 * np.sin(np.radians(1)), rel=1e-3)
    assert rest_of(tower, duo, Pose(0, 0, 15)) is None
    assert rest_of(tower, duo, Pose(0, 0, 10, (0.05, 0.0, 0.0, float(np.sqrt(1 - 0.05**2))))) is None


def test_no_room_is_refused_and_harms_nothing() -> None:
    """A piece can't be taken up 2 mm inside another; right beside it, it can, and nothing flies away."""
    with pytest.raises(NoRoom) as caught:
        Act(LOW, "DUO", Pose(0, 0, 8))
    assert set(caught.value.pieces) >= {0}
    with Act(LOW, "UNI", exact_pose(CLASSIC, parsed("UNI 1 2,0"))) as act:
        act.release()
        act.run(960 * 40)
        assert act.result().outcome is Outcome.PLACED
        assert act.result().tower.laid[:-1] == LOW.laid


def test_result_before_the_end_is_an_error() -> None:
    """An act that is not over has no result."""
    with Act(LOW, "UNI", Pose(60, 0, 40)) as act, pytest.raises(NotOver):
        act.result()


def test_board_lays_exactly_and_glides() -> None:
    """On the board a piece glides down into its exact place and nothing else moves."""
    result = place_on_board(LOW, parsed("UNI 1 2,0"))
    assert (result.outcome, result.offset_mm) == (Outcome.PLACED, 0.0)
    assert result.tower == LOW.with_piece(parsed("UNI 1 2,0"))
    heights = [result.track.sample(t)[3].z for t in np.linspace(0, result.track.seconds, 8)]
    assert heights == sorted(heights, reverse=True)
    assert result.track.sample(9.0)[3] == exact_pose(CLASSIC, parsed("UNI 1 2,0"))


def test_board_squares_up_a_neighbour_in_the_way() -> None:
    """A piece laid on the board beside one that stands in its way is laid exactly all the same, and the tower is squared up."""
    tower = tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0", "DUO 1 0,1 1,1")
    place = tower.laid[1].pose
    crooked = tower.with_poses([tower.laid[0].pose, Pose(place.x, place.y - 1.5, 10)])
    result = place_on_board(crooked, parsed("UNI 1 1,0"))
    assert result.outcome is Outcome.PLACED
    assert result.squared_up
    assert result.tower == tower.with_piece(parsed("UNI 1 1,0"))


def test_board_lets_an_unstable_design_fall() -> None:
    """A design that can't stand is not helped by the board: a QUAD with only one node carried tips and is not placed."""
    tower = tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0", "UNI 1 0,0", "UNI 2 0,0")
    result = place_on_board(tower, parsed("QUAD 3 0,0 0,1 1,0 1,1"))
    assert result.outcome is not Outcome.PLACED


def test_frozen_layers_hide_no_topple() -> None:
    """A piece set down far out on a tower that then can't stand topples it, though the lower layers were frozen when it came."""
    overhanging = tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0", "UNI 1 0,0", "DUO 2 -1,0 0,0")
    leaning = overhanging.with_poses([*(piece.pose for piece in overhanging.laid[:2]), Pose(-21, 0, 20)])
    assert settle(leaning).stands
    result = dropped(leaning, "UNI", Pose(-32, 0, 30.2))
    assert result.outcome is Outcome.KNOCKED_OVER


def test_knock_nudges_and_topples() -> None:
    """A nudge leaves a tower as it was, a shove at the middle of it brings the layers above down."""
    tower = column(6)
    nudged = knock(tower, len(tower.laid) - 1, force_n=0.05)
    assert nudged.knock_over is None
    assert nudged.tower == tower
    shoved = knock(tower, 2, force_n=4.0, heading_deg=90)
    assert shoved.knock_over is not None
    assert len(shoved.knock_over.fallen) > 3
    assert shoved.track.seconds == pytest.approx(shoved.seconds, abs=0.02)


def test_settle_tells_what_stands() -> None:
    """Bullet's own word, everything awake: a legal tower stands and is soon at rest, one with its top half off its support falls."""
    good = settle(column(10))
    assert good.stands
    assert good.quiet
    assert good.seconds < 1
    assert good.moved_mm < 0.3
    tower = tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0", "UNI 1 0,0", "DUO 2 -1,0 0,0")
    bad = settle(tower, seconds=2.0)
    assert not bad.stands
    assert 2 in {fallen.piece for fallen in bad.fallen}


def test_shaky_hands_err_more() -> None:
    """Over a few acts a shaky hand ends farther off than a steady one."""
    tower = tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0")
    offsets = []
    for level in (STEADY, SHAKY):
        results = [place_by_hand(tower, parsed("QUAD 1 0,0 0,1 1,0 1,1"), level, np.random.default_rng(seed)) for seed in range(6)]
        offsets.append(np.mean([result.offset_mm for result in results if result.offset_mm is not None]))
    assert offsets[1] > 2 * offsets[0]


@pytest.mark.parametrize("by_hand", [True, False])
def test_onlooker_sees_all_and_changes_nothing(by_hand: bool) -> None:
    """Who watches an act sees all pieces in each frame of its track, and the act ends as if nobody had watched."""
    tower, seen = tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0"), list[tuple[float, np.ndarray]]()
    move = parsed("DUO 1 0,0 1,0")

    def laid(onlooker: Onlooker | None) -> ActResult:
        if by_hand:
            return place_by_hand(tower, move, STEADY, np.random.default_rng(3), onlooker=onlooker)
        return place_on_board(tower, move, onlooker=onlooker)

    watched = laid(lambda seconds, states: seen.append((seconds, states)))
    assert same(watched, laid(None))
    track = watched.track
    last = np.array([states for _, states in seen])[-len(track.times) + 1 :]
    assert last.shape[1:] == (2, 7)
    assert np.allclose(last[:, 1, :3], track.states[1:, track.pieces.index(1), :3])
    assert [seconds for seconds, _ in seen][-len(track.times) + 1 :] == track.times[1:].tolist()


def test_onlooker_can_end_an_act() -> None:
    """An error raised by who watches ends the act there and reaches the caller."""

    def impatient(seconds: float, states: np.ndarray) -> None:
        if seconds > 0.2:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        place_by_hand(tower_of(), parsed("BASE 0 0,0 0,1 1,0 1,1 2,0"), STEADY, np.random.default_rng(3), onlooker=impatient)
