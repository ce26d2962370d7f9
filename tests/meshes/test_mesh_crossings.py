"""Closed surfaces that go through themselves are refused with the place; those that touch, or are thin or fine, are not."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
import trimesh
from numpy.typing import ArrayLike

from meshes.errors import BadMesh
from meshes.mesh_file import MeshPart, read_mesh_file
from meshes.mesh_units import Axis, Unit
from meshes.piece_set import load_piece_set, shipped_sets
from meshes.reading import piercings
from meshes.solid import build_solid
from tests.meshes import mesh_twins as twins


def _only(folder: Path, data: bytes, name: str = "a.stl") -> MeshPart:
    (folder / name).write_bytes(data)
    return read_mesh_file(folder / name, unit=Unit.MM, up=Axis.Z_UP).part(None)


def _crossing(part: MeshPart) -> tuple[int, list[float]]:
    """How many pairs a part is said to have, and the place."""
    (defect,) = part.defects
    assert defect.code == "crosses-itself"
    found = re.search(r"(\d+) pairs? of faces cross, one at x = (\S+), y = (\S+), z = (\S+) mm", defect.message)
    assert found is not None
    pairs, *place = found.groups()
    return int(pairs), [float(value) for value in place]


def _extruded(outline: ArrayLike, height: float = 10.0) -> bytes:
    """An OBJ of one upright prism, its ends single faces."""
    corners = np.asarray(outline, dtype=float)
    n = len(corners)
    rows = [f"v {x} {y} {z}" for z in (0.0, height) for x, y in corners]
    ends = [range(n, 0, -1), range(n + 1, 2 * n + 1)]
    sides = [(a + 1, b + 1, b + n + 1, a + n + 1) for a, b in itertools.pairwise([*range(n), 0])]
    return "\n".join(rows + ["f " + " ".join(map(str, face)) for face in (*ends, *sides)]).encode()


def _lofted(rings: ArrayLike, *, closed: bool = False) -> twins.Triangles:
    """A tube through rings (n, k, 3) that run round it; its ends are fans, unless it closes on itself."""
    places = np.asarray(rings, dtype=float)
    here, on = (places, np.roll(places, -1, axis=0)) if closed else (places[:-1], places[1:])
    here_next, on_next = np.roll(here, -1, axis=1), np.roll(on, -1, axis=1)
    sides = [np.stack((here, here_next, on_next), axis=2).reshape(-1, 3, 3), np.stack((here, on_next, on), axis=2).reshape(-1, 3, 3)]
    first, last = places[0], places[-1]
    fans = [(first[0], first[k + 1], first[k]) for k in range(1, len(first) - 1)] + [(last[0], last[k], last[k + 1]) for k in range(1, len(last) - 1)]
    return np.concatenate(sides if closed else [*sides, np.array(fans)])


def _eight(lift: float, *, steps: int = 40, around: int = 9) -> twins.Triangles:
    """A tube of radius 3 along a lying eight of 40 × 20 mm, whose two strands are 2 `lift` apart in height where it would cross itself."""
    turn = np.arange(steps) * 2 * np.pi / steps
    path = np.column_stack((20 * np.sin(turn), 10 * np.sin(2 * turn), lift * np.cos(turn)))
    ahead = np.roll(path, -1, axis=0) - np.roll(path, 1, axis=0)
    sideways = np.cross(ahead / np.linalg.norm(ahead, axis=1)[:, None], (0, 0, 1))
    angle = np.arange(around)[:, None] * 2 * np.pi / around
    return _lofted(path[:, None] + 3 * (np.cos(angle) * sideways[:, None] + np.sin(angle) * (0.0, 0.0, 1.0)), closed=True)


def test_corner_pushed_through_the_opposite_wall(tmp_path: Path) -> None:
    """A box's upper corner pushed out 8 mm below its bottom: of the six triangles at that corner the four that come from above cross the bottom."""
    pushed = twins.box()
    pushed[(pushed == (30, 20, 10)).all(axis=-1)] = (10, 7, -8)
    pairs, (x, y, z) = _crossing(_only(tmp_path, twins.binary_stl(pushed)))
    assert pairs == 4
    assert z == pytest.approx(8)
    assert 0 < x < 30 and 0 < y < 20


def test_outline_that_crosses_itself(tmp_path: Path) -> None:
    """An extruded bow tie, whose halves enclose as much with either sign, crosses itself all along the line over (10, 10), walls in one pair."""
    pairs, place = _crossing(_only(tmp_path, _extruded([(0, 0), (20, 20), (20, 0), (0, 20)]), "a.obj"))
    assert pairs == 1
    assert place[:2] == pytest.approx([10, 10])
    assert 0 <= place[2] <= 10


def test_figure_eight_tube(tmp_path: Path) -> None:
    """A tube along an eight crosses itself in the middle, within its radius; with its strands 8 mm apart, 2 more than it is thick, it is sound."""
    _, place = _crossing(_only(tmp_path, twins.binary_stl(_eight(0.0))))
    assert np.abs(place[:2]).max() < 10
    assert _only(tmp_path, twins.binary_stl(_eight(4.0))).defects == ()


def test_corners_that_lie_on_the_wall_they_go_through(tmp_path: Path) -> None:
    """An arm that comes back down through the bar it grows from is found though its corners lie exactly on the bar's top and bottom."""

    def ring(centre: tuple[float, float, float], one: tuple[float, float, float], other: tuple[float, float, float]) -> twins.Triangles:
        return np.array([np.add(centre, np.multiply(one, a) + np.multiply(other, b)) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])

    bar = [ring((x, 0, 0), (0, 5, 0), (0, 0, 5)) for x in (0, 40)]
    bend = [ring((50, 0, 20), (0, 3, 0), (-3, 0, 0)), ring((30, 0, 35), (0, 2, 0), (0, 0, -2))]
    arm = [ring((10, 0, z), (0, 2, 0), (2, 0, 0)) for z in (20, 5, -5, -20)]
    assert _only(tmp_path, twins.binary_stl(_lofted([*bar, *bend, arm[0]]))).defects == ()
    assert _only(tmp_path, twins.binary_stl(_lofted([*bar, *bend, *arm[:2]]))).defects == ()
    pairs, place = _crossing(_only(tmp_path, twins.binary_stl(_lofted([*bar, *bend, *arm]))))
    assert pairs >= 8
    assert np.abs(np.array(place[:2]) - (10, 0)).max() == pytest.approx(2, abs=0.1)


@pytest.mark.parametrize(("end", "sound"), [(10.05, True), (10.0, True), (9.0, False)])
def test_hook_that_reaches_its_own_bar(tmp_path: Path, end: float, sound: bool) -> None:
    """A hook that ends just over the bar it grows from, or on it, is a piece of its area times its height; one that goes 1 mm into it is none."""
    outline = [(0, 0), (40, 0), (40, 30), (10, 30), (10, end), (20, end), (20, 20), (30, 20), (30, 10), (0, 10)]
    part = _only(tmp_path, _extruded(outline), "a.obj")
    if sound:
        assert part.defects == ()
        assert part.mesh.volume == pytest.approx(10 * (400 + 200 + 200 + 10 * (20 - end)), rel=1e-6)
    else:
        _, (x, y, _) = _crossing(part)
        assert x in (10, 20) and y == pytest.approx(10)


@pytest.mark.parametrize("wall_mm", [0.05, 0.02])
def test_thin_walls_are_sound(tmp_path: Path, wall_mm: float) -> None:
    """A plate and an open box with walls of hundredths of a millimetre have their volumes and no defect."""
    plate = _only(tmp_path, twins.binary_stl(twins.box((30, 20, wall_mm))))
    assert plate.defects == ()
    assert plate.mesh.volume == pytest.approx(600 * wall_mm, rel=1e-4)
    outer, inner = (np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half for half in (15.0, 15.0 - wall_mm))
    rings = [np.column_stack((ring, np.full(4, z))) for ring, z in ((outer, 0.0), (outer, 10.0), (inner, 10.0), (inner, wall_mm))]
    cup = _only(tmp_path, twins.binary_stl(_lofted(rings)))
    assert cup.defects == ()
    assert cup.mesh.volume == pytest.approx(30**2 * 10 - (30 - 2 * wall_mm) ** 2 * (10 - wall_mm), rel=1e-3)


@pytest.mark.parametrize("radius_mm", [20.0, 2.0, 0.6])
def test_fine_balls_are_sound_and_a_spike_through_one_is_not(tmp_path: Path, radius_mm: float) -> None:
    """A ball of 20 480 faces, however flat they lie to each other, is sound; with a corner drawn out of its other side it crosses itself there."""
    ball = trimesh.creation.icosphere(subdivisions=5, radius=radius_mm)
    assert _only(tmp_path, twins.binary_stl(ball.triangles)).defects == ()
    corner = int(ball.vertices[:, 0].argmin())
    spiked = np.array(ball.vertices)
    spiked[corner] = np.array([1.5, 0.11, 0.07]) * radius_mm
    _, place = _crossing(_only(tmp_path, twins.binary_stl(spiked[ball.faces])))
    assert place[0] == pytest.approx(radius_mm, rel=0.05)


@pytest.mark.parametrize("name", shipped_sets())
def test_no_piece_of_a_shipped_set_crosses_itself(tmp_path: Path, name: str) -> None:
    """Every piece of every set that comes with the program is sound as a mesh file."""
    piece_set = load_piece_set(name)
    for piece in piece_set.pieces:
        assert _only(tmp_path, twins.binary_stl(build_solid(piece_set, piece).mesh.triangles)).defects == ()


def test_too_much_to_look_at_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mesh that asks for more looking than may be is refused in words, not looked at for ever."""
    monkeypatch.setattr(piercings, "MOST_NEAR", 50)
    with pytest.raises(BadMesh, match="make the mesh coarser") as caught:
        _only(tmp_path, twins.binary_stl(twins.disc()))
    assert [defect.code for defect in caught.value.defects] == ["too-tangled"]
