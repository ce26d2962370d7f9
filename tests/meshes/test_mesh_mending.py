"""What is mended in a mesh and told, and what can't be and is counted."""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path

import numpy as np
import pytest
import trimesh

from meshes.errors import BadMesh
from meshes.mesh_file import MeshPart, read_mesh_file
from meshes.mesh_units import Unit
from tests.meshes import mesh_twins as twins

_BOX = twins.box()


def _parts(folder: Path, triangles: twins.Triangles, name: str = "a.stl") -> tuple[MeshPart, ...]:
    (folder / name).write_bytes(twins.binary_stl(triangles))
    return read_mesh_file(folder / name, unit=Unit.MM).parts


def _only(folder: Path, triangles: twins.Triangles) -> MeshPart:
    (part,) = _parts(folder, triangles)
    return part


def test_inside_out_piece_is_turned_with_a_note(tmp_path: Path) -> None:
    """A disc with all faces reversed weighs what the right one does."""
    part = _only(tmp_path, twins.disc()[:, ::-1])
    assert part.mesh.volume == pytest.approx(twins.disc_volume(), rel=1e-5)
    assert part.defects == ()
    assert "inside out" in " ".join(part.notes)


def test_sealed_hollow_is_kept(tmp_path: Path) -> None:
    """A hollow disc has the volume of the outer less the inner, and centre and bottom of the outer."""
    inner = twins.disc(8.0, 4.0, (0, 0, 3))
    part = _only(tmp_path, np.concatenate((twins.disc(), inner[:, ::-1])))
    assert part.mesh.volume == pytest.approx(twins.disc_volume() - twins.disc_volume(8.0, 4.0), rel=1e-5)
    assert part.mesh.center_mass == pytest.approx([0, 0, 5], abs=1e-3)
    assert part.defects == ()
    assert "hollow" in " ".join(part.notes)


def test_hollow_piece_that_is_inside_out_stays_hollow(tmp_path: Path) -> None:
    """Turning a piece does not turn its hollow into material."""
    inner = twins.disc(8.0, 4.0, (0, 0, 3))
    part = _only(tmp_path, np.concatenate((twins.disc(), inner[:, ::-1]))[:, ::-1])
    assert part.mesh.volume == pytest.approx(twins.disc_volume() - twins.disc_volume(8.0, 4.0), rel=1e-5)


def test_some_faces_turned_the_wrong_way_are_mended(tmp_path: Path) -> None:
    """Three reversed faces are turned back, and the note counts them."""
    bent = twins.disc()
    bent[[3, 50, 90]] = bent[[3, 50, 90]][:, ::-1]
    part = _only(tmp_path, bent)
    assert part.mesh.volume == pytest.approx(twins.disc_volume(), rel=1e-5)
    assert part.mesh.is_winding_consistent
    assert "3 faces turned" in " ".join(part.notes)


def test_seams_are_closed(tmp_path: Path) -> None:
    """Corners a few thousandths of a millimetre apart are merged, and the note says so."""
    cracked = _BOX.copy()
    cracked[0, 0] += (0.003, 0.0, 0.0)
    part = _only(tmp_path, cracked)
    assert part.mesh.is_watertight
    assert part.mesh.volume == pytest.approx(6000, rel=1e-3)
    assert "seam" in " ".join(part.notes)


def test_overlapping_solids_are_counted_once(tmp_path: Path) -> None:
    """Three boxes and bridges laid over one another have volume and centre of the united solid, known by adding and taking away boxes."""
    # a bar 60 long; two bridges on the left overlap it and each other wholly or in part, all of the same height
    shape = np.concatenate((twins.box((60, 20, 10)), twins.box((20, 20, 10)), twins.box((10, 30, 10))))
    part = _only(tmp_path, shape)
    # united: the bar (12 000, centre 30, 10, 5) and the 10 × 10 × 10 that stands out of it (1 000, centre 5, 25, 5)
    assert part.mesh.volume == pytest.approx(13_000, rel=1e-5)
    assert part.mesh.center_mass == pytest.approx([(12_000 * 30 + 1_000 * 5) / 13_000, (12_000 * 10 + 1_000 * 25) / 13_000, 5], abs=0.01)
    assert "made one" in " ".join(part.notes)


def test_missing_triangle_is_told_as_one_hole(tmp_path: Path) -> None:
    """A disc that lacks a triangle is listed as open with 3 edges round 1 hole."""
    part = _only(tmp_path, twins.disc()[:-1])
    (defect,) = part.defects
    assert defect.code == "open"
    assert "3 edges" in defect.message
    assert "1 hole" in defect.message


def test_two_cubes_on_one_edge_are_two_pieces(tmp_path: Path) -> None:
    """Two cubes that share an edge come out as two sound bodies; nothing of their volume is lost or counted twice."""
    parts = _parts(tmp_path, np.concatenate((twins.box((20, 20, 10)), twins.box((20, 20, 10), (20, 20, 0)))))
    assert [part.defects for part in parts] == [(), ()]
    assert [part.mesh.volume for part in parts] == pytest.approx([4000, 4000], rel=1e-5)


def test_a_soup_of_loose_triangles_is_open(tmp_path: Path) -> None:
    """A hundred loose triangles that lie through each other never make a piece; their edges and holes are counted."""
    soup = np.random.default_rng(3).uniform(0, 50, (100, 3, 3))
    (defect,) = _only(tmp_path, soup).defects
    assert defect.code == "open"
    assert "300 edges" in defect.message and "100 holes" in defect.message


def test_one_bad_shell_does_not_spoil_a_good_one(tmp_path: Path) -> None:
    """A sound disc beside an open one stays sound."""
    parts = _parts(tmp_path, np.concatenate((twins.disc(), twins.disc(at=(60, 0, 0))[:-1])))
    assert [bool(part.defects) for part in parts] == [False, True]
    assert parts[0].mesh.volume == pytest.approx(twins.disc_volume(), rel=1e-5)


def test_moebius_strip_is_named(tmp_path: Path) -> None:
    """A one-sided strip is told as such and is no piece."""
    turns, rows = np.linspace(0, 2 * np.pi, 25), []
    for turn in turns:
        half = 5 * np.array([np.cos(turn / 2) * np.cos(turn), np.cos(turn / 2) * np.sin(turn), np.sin(turn / 2)])
        rows.append((20 * np.array([np.cos(turn), np.sin(turn), 0]) - half, 20 * np.array([np.cos(turn), np.sin(turn), 0]) + half))
    rows[-1] = (rows[0][1], rows[0][0])
    quads = [((a, b, d), (a, d, c)) for (a, b), (c, d) in itertools.pairwise(rows)]
    part = _only(tmp_path, np.array([triangle for pair in quads for triangle in pair]))
    assert "one-sided" in [defect.code for defect in part.defects]


def test_flat_sheet_is_no_piece(tmp_path: Path) -> None:
    """Both sides of a sheet without thickness are refused as flat."""
    part = _only(tmp_path, twins.box((30, 20, 0)))
    assert [defect.code for defect in part.defects] == ["flat"]


def test_admesh_weighs_the_same(tmp_path: Path) -> None:
    """admesh, an outside tool, finds the volume we read."""
    mesh = trimesh.creation.annulus(r_min=6, r_max=20, height=10, sections=64)
    (tmp_path / "ring.stl").write_bytes(twins.binary_stl(np.asarray(mesh.triangles)))
    told = subprocess.run(["admesh", str(tmp_path / "ring.stl")], capture_output=True, text=True, check=True).stdout
    volume = float(told.split("Volume")[1].split(":")[1].split()[0])
    assert read_mesh_file(tmp_path / "ring.stl").part(None).mesh.volume == pytest.approx(volume, rel=1e-4)


def test_a_heap_of_specks_is_answered(tmp_path: Path) -> None:
    """Ten thousand loose triangles within a hundredth of a millimetre are refused, not compared each with each."""
    specks = np.random.default_rng(1).uniform(0, 0.005, (10_000, 3, 3))
    with pytest.raises(BadMesh, match="too-many-shells"):
        _parts(tmp_path, np.concatenate((_BOX, specks)))


def test_many_bodies_within_one_another_weigh_what_the_largest_does(tmp_path: Path) -> None:
    """150 boxes round one centre, each in the next, are one box of the largest size."""
    sizes = np.linspace(1, 40, 150)
    part = _only(tmp_path, np.concatenate([twins.box((size, size, size), (-size / 2, -size / 2, -size / 2)) for size in sizes]))
    assert part.mesh.volume == pytest.approx(40.0**3, rel=1e-5)


def test_many_hollows_in_a_fine_ball_are_all_taken_out(tmp_path: Path) -> None:
    """64 sealed boxes in a ball of 20 000 faces make it lighter by their volume, each once."""
    ball = trimesh.creation.icosphere(subdivisions=5, radius=40)
    boxes = [twins.box((2, 2, 2), (x, y, z))[:, ::-1] for x in (-15, -5, 5, 15) for y in (-15, -5, 5, 15) for z in (-15, -5, 5, 15)]
    part = _only(tmp_path, np.concatenate((np.asarray(ball.triangles), *boxes)))
    assert part.mesh.volume == pytest.approx(ball.volume - 64 * 8, rel=1e-5)
    assert "64 sealed hollows" in " ".join(part.notes)


def test_loose_triangles_within_a_body_are_counted_as_its_defects(tmp_path: Path) -> None:
    """Leftovers inside a sound shell belong to it and are told; leftovers outside are a part of their own."""
    inside, outside = np.array([[[10, 10, 5], [12, 10, 5], [10, 12, 6.0]]]), np.array([[[70, 10, 5], [72, 10, 5], [70, 12, 6.0]]])
    parts = _parts(tmp_path, np.concatenate((_BOX, inside, outside)))
    assert [[defect.code for defect in part.defects] for part in parts] == [["open"], ["open"]]
    assert len(parts[0].mesh.faces) == 13


def test_a_body_in_the_hollow_of_another_stays_apart(tmp_path: Path) -> None:
    """A ball in a sealed hollow, which touches nothing, is a part of its own; the shell keeps its hollow."""
    shapes = (twins.box((40, 40, 40), (-20, -20, -20)), twins.box((30, 30, 30), (-15, -15, -15))[:, ::-1], twins.box((10, 10, 10), (-5, -5, -5)))
    parts = _parts(tmp_path, np.concatenate(shapes))
    assert sorted(round(float(part.mesh.volume)) for part in parts) == [1000, 64_000 - 27_000]


def test_a_body_within_the_material_of_another_adds_nothing(tmp_path: Path) -> None:
    """A box in a box, both looking outwards, weighs what the outer does, and the note says so; a hollow of the inner is filled by the outer."""
    outer, inner = twins.box((40, 40, 40), (-20, -20, -20)), twins.box((20, 20, 20), (-10, -10, -10))
    for further in (np.zeros((0, 3, 3)), twins.box((10, 10, 10), (-5, -5, -5))[:, ::-1]):
        part = _only(tmp_path, np.concatenate((outer, inner, further)))
        assert part.mesh.volume == pytest.approx(40**3, rel=1e-6)
        assert (part.defects, part.notes) == ((), ("1 body wholly within another adds nothing and is left out",))


def test_a_body_that_sticks_out_of_another_is_no_body_within_it(tmp_path: Path) -> None:
    """A box half in another is united with it, which is told as an overlap; both together weigh 1.5 of it."""
    part = _only(tmp_path, np.concatenate((twins.box((40, 40, 40)), twins.box((40, 40, 40), (20, 0, 0)))))
    assert part.mesh.volume == pytest.approx(1.5 * 40**3, rel=1e-6)
    assert part.notes == ("2 bodies that overlap are made one",)
