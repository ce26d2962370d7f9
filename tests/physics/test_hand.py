"""Hands that move by themselves: that every one of them can take its piece up."""

import numpy as np
import pytest

from bench.towers import full_tower
from meshes.piece_set import PieceSet, load_piece_set
from meshes.placement import Placement
from meshes.solid import build_solid
from physics.act import Act, NoRoom, Outcome, place_by_hand
from physics.grip import EXACT, SHAKY, STEADINESS, Steadiness
from physics.hand import TAKEN_UP_MM, HandPath
from physics.pose import Pose
from physics.rotation import from_turn
from physics.tower import Tower, height_span_mm
from physics.world import World

CLASSIC, SQUARE = load_piece_set("classic"), load_piece_set("square")


def placement_of(piece_set: PieceSet, name: str, layer: int, column: int = 0) -> Placement:
    """A piece as its type lists its cells, some columns aside."""
    return Placement(name, layer, tuple(sorted((q + column, r) for q, r in piece_set.piece(name).cells)))


def frozen(tower: Tower, world: World) -> None:
    """Put a tower into a world."""
    for index, laid in enumerate(tower.laid):
        world.add(build_solid(tower.piece_set, tower.piece_type(index)), laid.pose, friction=0.45, restitution=0.25, frozen=True)


def column(piece_set: PieceSet, height: int) -> Tower:
    """A BASE and a column of UNIs on it."""
    return Tower.exact(piece_set, [placement_of(piece_set, "BASE", 0), *(Placement("UNI", n, ((0, 0),)) for n in range(1, height))])


@pytest.mark.parametrize("level", STEADINESS.values(), ids=STEADINESS)
def test_every_hand_has_room_to_take_up_its_piece(level: Steadiness) -> None:
    """However a hand errs, it starts with the whole piece above the table and free of the tower: big leaning BASEs on a bare table and
    beside high columns, the second layer beside them, the top of a full tower; 300 hands each."""
    full = full_tower(50, 349)
    cases = [
        (Tower(CLASSIC), placement_of(CLASSIC, "BASE", 0)),
        (Tower(SQUARE), placement_of(SQUARE, "BASE", 0)),
        (column(CLASSIC, 12), placement_of(CLASSIC, "BASE", 0, 4)),
        (column(CLASSIC, 12), Placement("DUO", 1, ((1, 0), (2, 0)))),
        (column(SQUARE, 12), placement_of(SQUARE, "BASE", 0, 4)),
        (full, Placement("QUAD", full.layers, CLASSIC.piece("QUAD").cells)),
    ]
    for tower, placement in cases:
        piece = tower.piece_set.piece(placement.piece)
        with World() as world:
            frozen(tower, world)
            for seed in range(300):
                start = HandPath(tower, placement, level, np.random.default_rng(seed)).start
                low, _ = height_span_mm(tower.piece_set, piece, start)
                assert low >= placement.layer * tower.piece_set.thickness_mm + TAKEN_UP_MM - 1e-9
                assert world.overlaps(build_solid(tower.piece_set, piece), start) == []


def test_height_span_is_that_of_the_leaning_solid() -> None:
    """A disc of radius r, bevel b and thickness t that leans by 30° spans what its beveled rim does (closed form)."""
    lean = np.radians(30)
    radius, bevel, thick = CLASSIC.radius_mm, CLASSIC.bevel_mm, CLASSIC.thickness_mm
    low, high = height_span_mm(CLASSIC, CLASSIC.piece("UNI"), Pose(0, 0, 50, from_turn((0.0, float(lean), 0.0))))
    rims = [(radius - bevel, 0.0), (radius, bevel), (radius, thick - bevel), (radius - bevel, thick)]
    assert low == pytest.approx(50 + min(z * np.cos(lean) - r * np.sin(lean) for r, z in rims))
    assert high == pytest.approx(50 + max(z * np.cos(lean) + r * np.sin(lean) for r, z in rims))


def test_hand_rises_above_what_is_in_its_way() -> None:
    """Where something stands in the way of the start, the hand takes its piece up above everything instead of giving up."""
    tower, placement = Tower.exact(CLASSIC, [placement_of(CLASSIC, "BASE", 0)]), Placement("DUO", 1, ((0, 0), (0, 1)))
    start = HandPath(tower, placement, EXACT, np.random.default_rng(8)).start
    astray = tower.with_piece(Placement("UNI", 0, ((4, 4),)), Pose(start.x, start.y, start.z - 2))
    assert HandPath(astray, placement, EXACT, np.random.default_rng(8)).start == start
    with pytest.raises(NoRoom):
        Act(astray, "DUO", start)
    result = place_by_hand(astray, placement, EXACT, np.random.default_rng(8))
    assert result.track.sample(0.0)[2].z > start.z + CLASSIC.thickness_mm
    assert result.placement == placement or result.outcome is Outcome.KNOCKED_OVER


def test_first_act_of_a_shaky_bot_goes_through() -> None:
    """A shaky hand with a BASE in it plays its first act on an empty table whatever the seed (15 once found no room)."""
    for seed in (15, 16):
        placement = placement_of(CLASSIC, "BASE", 0)
        result = place_by_hand(Tower(CLASSIC), placement, SHAKY, np.random.default_rng(seed))
        assert result.outcome in (Outcome.PLACED, Outcome.TAKEN_BACK)
