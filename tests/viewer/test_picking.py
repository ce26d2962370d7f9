from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
import trimesh

from meshes.piece_set import PieceSet, build_piece_set, load_piece_set
from meshes.placement import Placement
from meshes.solid import build_solid
from physics.pose import Pose
from physics.tower import Tower
from viewer.camera import Camera
from viewer.items import Item, tower_items
from viewer.picking import Face, Hit, Picker, ground_point

SIZE = (1280, 720)
DOWN = Camera((0.0, 0.0, 0.0), 500.0, -90.0, 90.0, 30.0)
GRAZING = Camera((0.0, 0.0, 20.0), 500.0, -90.0, 3.0, 30.0)
RADIUS = 12.8
DISTANCE = 30.0
"""Between neighbouring nodes."""


def _towers(piece_set: PieceSet) -> Tower:
    """Two columns of four UNIs, on the nodes (0, 0) and (0, 1): x = 0, y = 0 and x = 15, y = 30 · sin 60°."""
    columns = itertools.product(range(4), ((0, 0), (0, 1)))
    return Tower.exact(piece_set, [Placement("UNI", layer, (cell,)) for layer, cell in columns])


def _picker(tower: Tower) -> Picker:
    picker = Picker(tower.piece_set)
    picker.show(tower_items(tower))
    return picker


def _seen_from_above(x: float, y: float, z: float) -> tuple[float, float]:
    """Pixel of a point in the view straight down, worked out by hand."""
    scale = SIZE[1] / 2 / math.tan(math.radians(15)) / (500.0 - z)
    return SIZE[0] / 2 + scale * x, SIZE[1] / 2 - scale * y


def _hit(hit: Hit | None) -> Hit:
    assert hit is not None
    return hit


def test_looking_straight_down_picks_the_top_piece_of_each_column(classic: PieceSet) -> None:
    """Over a node's middle and near its rim the fourth piece is picked, on its top at 40 mm."""
    picker = _picker(_towers(classic))
    for (x, y), piece in (((0.0, 0.0), 6), ((15.0, DISTANCE * math.sin(math.pi / 3)), 7)):
        for dx in (0.0, 11.5, -11.5):
            hit = _hit(picker.pick(*_seen_from_above(x + dx, y, 40.0), DOWN, SIZE))
            assert (hit.id, hit.index, hit.face) == (piece, piece, Face.TOP)
            np.testing.assert_allclose(hit.point, (x + dx, y, 40.0), atol=1e-6)
            np.testing.assert_allclose(hit.normal, (0, 0, 1), atol=1e-6)


def test_beside_a_piece_there_is_nothing(classic: PieceSet) -> None:
    """A millimetre outside the rim, seen straight down, no piece is picked, though lower pieces are near."""
    picker = _picker(_towers(classic))
    assert picker.pick(*_seen_from_above(-RADIUS - 1.0, 0.0, 40.0), DOWN, SIZE) is None


def test_grazing_view_picks_each_layer_by_its_wall(classic: PieceSet) -> None:
    """Seen from three degrees above the table, each layer's wall is its own, and it is the front column's."""
    picker = _picker(_towers(classic))
    for layer in range(4):
        near = np.array([[0.0, -RADIUS, 10.0 * layer + 5.0]])
        x, y = GRAZING.project(near, SIZE)[0]
        hit = _hit(picker.pick(x, y, GRAZING, SIZE))
        assert (hit.id, hit.face) == (2 * layer, Face.SIDE)
        assert np.linalg.norm(hit.point - near[0]) < 0.2


def test_what_is_behind_is_not_picked_but_what_shows_beside_is(classic: PieceSet) -> None:
    """The column behind is picked only where the one before does not cover it."""
    picker = _picker(_towers(classic))
    behind = np.array([[10.0, DISTANCE * math.sin(math.pi / 3) - 8.0, 35.0], [24.0, DISTANCE * math.sin(math.pi / 3) - 6.0, 35.0]])
    covered, free = (_hit(picker.pick(x, y, GRAZING, SIZE)).id for x, y in GRAZING.project(behind, SIZE))
    assert (covered, free) == (6, 7)


@pytest.mark.parametrize("elevation", [3.0, 35.0, 90.0])
def test_picks_equal_walking_along_the_ray(classic: PieceSet, elevation: float) -> None:
    """At random pixels the picked piece is the first disc that small steps along the ray enter; pixels within 0.9 mm of an edge are left out."""
    tower = _towers(classic)
    picker, rng = _picker(tower), np.random.default_rng(5)
    camera = Camera((5.0, 10.0, 20.0), 260.0, -70.0, elevation, 25.0)
    decided = 0
    for x, y in rng.uniform((440, 160), (840, 560), (150, 2)):
        answers = {_walked(tower, camera, x, y, grown, risen) for grown in (-0.9, 0.2) for risen in (-0.9, 0.9)}
        if len(answers) == 1:
            hit = picker.pick(x, y, camera, SIZE)
            assert (None if hit is None else hit.id) == answers.pop()
            decided += 1
    assert decided > 75


def _walked(tower: Tower, camera: Camera, x: float, y: float, grown: float, risen: float) -> int | None:
    eye, ray = camera.ray(x, y, SIZE)
    points = eye + ray * np.arange(150.0, 400.0, 0.1)[:, None]
    first = {}
    for index, laid in enumerate(tower.laid):
        off = points - laid.pose.position
        inside = (np.hypot(off[:, 0], off[:, 1]) < RADIUS + grown) & (off[:, 2] > risen) & (off[:, 2] < 10 + risen)
        if inside.any():
            first[index] = int(inside.argmax())
    return min(first, key=lambda index: first[index]) if first else None


@pytest.mark.parametrize("ratio", [1.25, 2.0])
def test_pixel_ratio_does_not_matter(classic: PieceSet, ratio: float) -> None:
    """On a hi-DPI screen the same place in the window picks the same piece at the same point."""
    picker = _picker(_towers(classic))
    dense = (round(SIZE[0] * ratio), round(SIZE[1] * ratio))
    for point in ([[0.0, -RADIUS, 15.0]], [[0.0, -RADIUS, 35.0]]):
        x, y = GRAZING.project(np.array(point), SIZE)[0]
        plain, scaled = _hit(picker.pick(x, y, GRAZING, SIZE)), _hit(picker.pick(x * ratio, y * ratio, GRAZING, dense))
        assert plain.id == scaled.id
        np.testing.assert_allclose(plain.point, scaled.point, atol=1e-9)


def test_hole_between_arms_is_seen_through() -> None:
    """In the nook of an L, which its hull covers, nothing is picked; on its arms it is."""
    square = load_piece_set("square")
    piece = next(piece for piece in square.pieces if len(piece.cells) == 3)
    nodes = np.array([square.lattice.position(cell, square.pitch_mm) for cell in piece.cells])
    (corner,) = [node for node in nodes if np.isclose(np.linalg.norm(nodes - node, axis=1), square.pitch_mm).sum() == 2]
    nook = nodes.sum(axis=0) - 2 * corner
    picker = Picker(square)
    picker.show([Item(piece, Pose.flat(0, 0, 0), 4)])
    down = np.array([0.0, 0.0, -1.0])
    places = [*nodes, corner + 0.55 * (nook - corner)]
    assert [picker.first_on_ray(np.array([x, y, 100.0]), down) is not None for x, y in places] == [True, True, True, False]


def test_ghosts_are_looked_through_and_bottoms_known(classic: PieceSet) -> None:
    """A ghost is never picked; a piece lying upside down shows its bottom; its seed is its id."""
    uni = classic.by_name["UNI"]
    picker = Picker(classic)
    upside_down = Pose(0.0, 0.0, 10.0, (1.0, 0.0, 0.0, 0.0))
    picker.show([Item(uni, Pose.flat(0, 0, 30), 1, ghost=True), Item(uni, upside_down, 77)])
    hit = _hit(picker.pick(640, 360, DOWN, SIZE))
    assert (hit.id, hit.index, hit.face) == (77, 1, Face.BOTTOM)
    picker.show([])
    assert picker.pick(640, 360, DOWN, SIZE) is None


@pytest.mark.parametrize("z", [0.0, 35.0])
def test_ground_is_the_inverse_of_projection(z: float) -> None:
    """The pixel at which a point of a level plane is seen leads back to that point; the sky leads nowhere."""
    camera = Camera((10.0, -5.0, 40.0), 500.0, 33.0, 20.0)
    points = np.column_stack([np.random.default_rng(1).uniform(-120, 120, (20, 2)), np.full(20, z)])
    for point, (x, y) in zip(points, camera.project(points, SIZE), strict=True):
        met = ground_point(x, y, camera, SIZE, z)
        assert met is not None
        np.testing.assert_allclose(met, point, atol=1e-8)
    assert ground_point(640, 0, Camera(elevation_deg=3.0), SIZE, z) is None


def test_imported_pieces_are_picked_by_what_is_seen(classic: PieceSet, tmp_path: Path) -> None:
    """On a tower of four layers of a piece imported inside out, straight down and at a grazing angle the nearest piece is picked."""
    mesh = build_solid(classic, classic.by_name["UNI"]).mesh.copy()
    mesh.invert()
    (tmp_path / "uni.stl").write_bytes(trimesh.exchange.stl.export_stl(mesh))
    pieces = {**classic.source["pieces"], "UNI": {**classic.source["pieces"]["UNI"], "mesh": "uni.stl"}}
    own = build_piece_set("own", {**classic.source, "pieces": pieces}, folder=tmp_path)
    picker = Picker(own)
    picker.show([Item(own.by_name["UNI"], Pose.flat(0, 0, 10.0 * layer), layer) for layer in range(4)])
    down = picker.first_on_ray(np.array([3.0, 2.0, 500.0]), np.array([0.0, 0.0, -1.0]))
    grazing = picker.first_on_ray(np.array([300.0, 0.0, 25.0]), np.array([-1.0, 0.0, 0.0]))
    assert down is not None
    assert grazing is not None
    assert (down.id, down.face) == (3, Face.TOP)
    assert (grazing.id, grazing.face) == (2, Face.SIDE)
    assert grazing.point[0] == pytest.approx(12.8, abs=0.1)
