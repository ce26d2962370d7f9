"""What a user is told about a sound file of any program: unit, up axis, parts, names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from meshes.errors import BadMesh
from meshes.mesh_file import MeshFile, read_mesh_file
from meshes.mesh_units import Axis, Unit
from tests.meshes import mesh_twins as twins

_BOX = twins.box()
_FILES = twins.good_files(_BOX)


def _read(folder: Path, name: str, data: bytes, *, unit: Unit | None = None, up: Axis | None = None) -> MeshFile:
    (folder / name).write_bytes(data)
    return read_mesh_file(folder / name, unit=unit, up=up)


def _codes(folder: Path, name: str, data: bytes) -> list[str]:
    with pytest.raises(BadMesh) as caught:
        _read(folder, name, data)
    return [defect.code for defect in caught.value.defects]


@pytest.mark.parametrize("name", _FILES)
def test_every_format_gives_the_same_box(tmp_path: Path, name: str) -> None:
    """A box of 30 × 20 × 10 mm is that in every format, flat on the table, whatever unit and up axis the format has."""
    part = _read(tmp_path, name, _FILES[name]).part(None)
    assert part.mesh.extents == pytest.approx([30.0, 20.0, 10.0], abs=1e-4)
    assert part.mesh.volume == pytest.approx(6000.0, rel=1e-5)
    assert part.mesh.bounds[0, 2] == 0.0
    assert part.mesh.is_watertight
    assert part.defects == ()


@pytest.mark.parametrize(
    ("size", "unit"),
    [((100, 60, 10), Unit.MM), ((10, 6, 1), Unit.MM), ((0.026, 0.026, 0.01), Unit.M), ((1.57, 1.0, 0.39), Unit.INCH), ((3, 3, 1), Unit.CM)],
)
def test_unit_of_an_stl_is_told_by_its_size(tmp_path: Path, size: tuple[float, ...], unit: Unit) -> None:
    """Numbers a piece would have in mm, metres, inches or centimetres are read so, and the file says that this is a guess."""
    file = _read(tmp_path, "a.stl", twins.binary_stl(twins.box(size)))
    assert (file.unit, file.unit_inferred) == (unit, True)
    assert file.part(None).mesh.extents == pytest.approx(np.array(size) * unit.mm, rel=1e-5)


def test_unit_that_is_given_holds(tmp_path: Path) -> None:
    """A unit given by the user is taken before any guess, and is not called a guess."""
    file = _read(tmp_path, "a.stl", twins.binary_stl(twins.box((1, 1, 0.4))), unit=Unit.INCH)
    assert (file.unit, file.unit_inferred) == (Unit.INCH, False)
    assert file.part(None).mesh.extents == pytest.approx([25.4, 25.4, 10.16], rel=1e-6)


def test_what_is_no_piece_in_any_unit_is_refused(tmp_path: Path) -> None:
    """4572 across is no piece in mm, cm, m or inches: the file is refused and the message asks for the unit."""
    assert _codes(tmp_path, "a.stl", twins.binary_stl(twins.box((4572, 305, 2438)))) == ["unit-unclear"]


def test_giant_and_mote_of_a_given_unit_are_listed_as_such(tmp_path: Path) -> None:
    """A wrong unit never puts a piece of 20 m or 0.02 mm into play."""
    giant = _read(tmp_path, "a.stl", twins.binary_stl(twins.box((20, 20, 10))), unit=Unit.M).part(None)
    mote = _read(tmp_path, "b.stl", twins.binary_stl(twins.box((0.02, 0.02, 0.01))), unit=Unit.MM).part(None)
    assert [defect.code for defect in giant.defects] == ["too-large"]
    assert [defect.code for defect in mote.defects] == ["too-small"]


@pytest.mark.parametrize(
    ("axis", "size"),
    [(Axis.Z_UP, (30, 20, 10)), (Axis.Y_UP, (30, 10, 20)), (Axis.X_UP, (10, 30, 20))],
)
def test_a_piece_on_its_edge_is_laid_flat(tmp_path: Path, axis: Axis, size: tuple[float, ...]) -> None:
    """The largest flat face becomes the bottom; the axis is shown as inferred."""
    file = _read(tmp_path, "a.stl", twins.binary_stl(twins.box(size)))
    assert (file.up, file.up_inferred) == (axis, True)
    assert file.part(None).mesh.extents[2] == pytest.approx(10.0)


def test_larger_of_two_flat_faces_is_the_bottom(tmp_path: Path) -> None:
    """A truncated pyramid that stands on its small end in the file is turned upside down."""
    corners = twins.box((30, 30, 10)) - (15, 15, 0)
    corners[..., :2] *= np.where(corners[..., 2:] == 0.0, 0.5, 1.0)
    file = _read(tmp_path, "a.stl", twins.binary_stl(corners))
    assert file.up is Axis.Z_DOWN
    low = file.part(None).mesh.vertices
    assert np.ptp(low[low[:, 2] < 1e-6][:, 0]) == pytest.approx(30.0)


def test_up_that_is_given_holds(tmp_path: Path) -> None:
    """An up axis given by the user is taken as it is; the piece is turned, never mirrored."""
    shape = np.concatenate((twins.box((30, 10, 10)), twins.box((10, 20, 10), (0, 10, 0)), twins.box((10, 10, 10), (0, 0, 10))))
    file = _read(tmp_path, "a.stl", twins.binary_stl(shape), up=Axis.X_UP)
    assert (file.up, file.up_inferred) == (Axis.X_UP, False)
    part = file.part(None)
    # x is up: old y stays y, old z points to -x
    assert part.mesh.extents == pytest.approx([20, 30, 30])
    assert part.mesh.volume == pytest.approx(3000 + 2000 + 1000)


def test_y_up_glb_and_z_up_stl_lie_alike(tmp_path: Path) -> None:
    """The same piece lies flat with its long side along x from a z-up STL and a y-up GLB."""
    stl, glb = _read(tmp_path, "binary.stl", _FILES["binary.stl"]), _read(tmp_path, "piece.glb", _FILES["piece.glb"])
    assert (stl.up, glb.up) == (Axis.Z_UP, Axis.Y_UP)
    assert stl.part(None).mesh.extents == pytest.approx(glb.part(None).mesh.extents, abs=1e-4)
    assert (glb.unit, glb.unit_inferred) == (Unit.M, False)


def _five() -> dict[str, np.ndarray]:
    pieces = {name: twins.box((20 + 5 * k, 20, 10), (80 * k, 0, 0)) for k, name in enumerate(("UNI", "DUO", "TRIO", "QUAD", "BASE"))}
    return pieces | {"TRIO": pieces["TRIO"][:-1]}


@pytest.mark.parametrize(("name", "write"), [("five.stl", twins.text_stl), ("five.obj", twins.obj)])
def test_five_parts_are_offered_by_name_and_the_open_one_is_not_lost(tmp_path: Path, name: str, write: object) -> None:
    """A file of five pieces, one of them open, lists all five; the open one says how many edges and holes it has."""
    assert callable(write)
    file = _read(tmp_path, name, write(_five()))
    assert [part.name for part in file.parts] == ["UNI", "DUO", "TRIO", "QUAD", "BASE"]
    assert [[defect.code for defect in part.defects] for part in file.parts] == [[], [], ["open"], [], []]
    assert "3 edges" in str(file.part("TRIO").defects[0])
    assert "1 hole" in str(file.part("TRIO").defects[0])
    assert file.part("BASE").mesh.extents == pytest.approx([40, 20, 10], abs=1e-4)


def test_choosing_a_part_wrongly_lists_the_names(tmp_path: Path) -> None:
    """No name where there are several, or a name there is not, is answered with the names there are."""
    file = _read(tmp_path, "five.stl", twins.text_stl(_five()))
    for name in (None, "HEX"):
        with pytest.raises(BadMesh, match="UNI, DUO, TRIO, QUAD, BASE"):
            file.part(name)


def test_all_together_of_one_part_is_that_part(tmp_path: Path) -> None:
    """`*` means whatever the file holds, so a file of one part is no mistake."""
    file = _read(tmp_path, "one.stl", twins.binary_stl(_BOX))
    assert file.part("*") is file.parts[0]


@pytest.mark.parametrize(("away", "step"), [(0.0, None), (100_000.0, None), (300_000.0, "0.031 mm"), (5_000_000.0, "0.5 mm")])
def test_coarse_numbers_far_from_the_origin_are_told(tmp_path: Path, away: float, step: str | None) -> None:
    """Single precision has 24 binary digits: from 262 144 mm on its steps are 1/32 mm, more than corners may err; a note tells them."""
    notes = _read(tmp_path, "far.stl", twins.binary_stl(twins.box((30.5, 20.5, 10.5), (away, 0, 0.25)))).notes
    assert [note for note in notes if "steps of" in note] == [note for note in notes if step and f"steps of {step}" in note]
    assert bool(notes) == (step is not None)


def test_bodies_of_one_binary_stl_are_told_apart(tmp_path: Path) -> None:
    """Two bodies in one binary STL, which has no names, are two parts numbered in the order of the file."""
    file = _read(tmp_path, "two.stl", twins.binary_stl(np.concatenate((_BOX, twins.box((40, 20, 10), (100, 0, 0))))))
    assert [part.name for part in file.parts] == ["two 1", "two 2"]
    assert [part.mesh.extents[0] for part in file.parts] == pytest.approx([30, 40])


def test_names_that_are_there_twice_are_told_apart(tmp_path: Path) -> None:
    """Two objects of one name can both be chosen."""
    data = twins.text_stl({"UNI": _BOX}) + twins.text_stl({"UNI": twins.box((40, 20, 10))})
    assert [part.name for part in _read(tmp_path, "a.stl", data).parts] == ["UNI", "UNI (2)"]


@pytest.mark.parametrize("name", _FILES)
def test_the_same_file_is_read_the_same_way(tmp_path: Path, name: str) -> None:
    """Two reads give the same corners and faces in the same order."""
    first, second = (_read(tmp_path, name, _FILES[name]).part(None).mesh for _ in range(2))
    assert np.array_equal(first.vertices, second.vertices)
    assert np.array_equal(first.faces, second.faces)
