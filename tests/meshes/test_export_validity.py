"""Export beside outside tools: Khronos's validator finds nothing wrong in GLB files, admesh measures the same volumes; what we write we read back."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from meshes.export import export_piece, export_plate, export_tower
from meshes.mesh_file import MeshFile, read_mesh_file
from meshes.mesh_units import Axis, Unit
from meshes.piece_set import load_piece_set, shipped_sets
from meshes.plate import Plate
from meshes.solid import build_solid

MODULES = Path(sys.prefix) / "node" / "node_modules"
SCRIPT = """
const [modules, ...files] = process.argv.slice(1);
const validator = require(modules + '/gltf-validator');
const validate = file => validator.validateBytes(new Uint8Array(require('fs').readFileSync(file)));
Promise.all(files.map(validate)).then(reports => console.log(JSON.stringify(reports)));
"""


def validated(files: Sequence[Path]) -> list[dict[str, Any]]:
    """The validator's reports on GLB files."""
    assert (MODULES / "gltf-validator").is_dir(), "the validator is not installed: run ./setup.sh"
    told = subprocess.run(["node", "-e", SCRIPT, str(MODULES), *map(str, files)], capture_output=True, text=True, check=True, timeout=60)
    reports = json.loads(told.stdout)
    assert len(reports) == len(files)
    return list(reports)


def admesh_volume(file: Path) -> float:
    """The volume admesh finds in an STL file, mm³."""
    program = shutil.which("admesh")
    assert program, "admesh is not installed: run ./setup.sh"
    told = subprocess.run(
        [program, "-c", str(file)], capture_output=True, encoding="latin-1", check=True, timeout=60
    ).stdout  # it prints a name it has not ended
    found = re.search(r"Volume\s*:\s*(-?[\d.]+)", told)
    assert found, told
    return float(found[1])


def turned(x: float, y: float, z: float, degrees: float) -> np.ndarray:
    """A turn about z, then a shift."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[cos, -sin, 0, x], [sin, cos, 0, y], [0, 0, 1, z], [0, 0, 0, 1]])


def test_glb_files_are_valid(tmp_path: Path) -> None:
    """Single pieces, a plate of each and a tower of both sets: neither error nor warning, and every triangle is there."""
    files, triangles = [], []
    for name in shipped_sets():
        piece_set = load_piece_set(name)
        faces = {piece.name: len(build_solid(piece_set, piece).mesh.faces) for piece in piece_set.pieces}
        for piece in piece_set.pieces:
            files.append(export_piece(piece_set, piece, tmp_path / f"{name}-{piece.name}.glb").path)
            triangles.append(faces[piece.name])
        files.append(export_plate(piece_set, tmp_path / f"{name}-plate.glb", one_of_each=True)[0].path)
        triangles.append(sum(faces.values()))
        tower = [(piece, turned(3.0 * n, -2.0 * n, 10.0 * n, 25.0 * n)) for n, piece in enumerate(piece_set.pieces * 2)]
        files.append(export_tower(piece_set, tower, tmp_path / f"{name}-tower.glb").path)
        triangles.append(sum(faces.values()))  # each type's mesh is in the file once
    for file, count, report in zip(files, triangles, validated(files), strict=True):
        issues = report["issues"]
        assert (issues["numErrors"], issues["numWarnings"]) == (0, 0), (file.name, issues["messages"])
        assert report["info"]["totalTriangleCount"] == count


def test_validator_sees_faults(tmp_path: Path) -> None:
    """The validator is really asked: a file whose triangles name corners that are not there has errors."""
    piece_set = load_piece_set("classic")
    whole = export_piece(piece_set, piece_set.base, tmp_path / "base.glb").path.read_bytes()
    (tmp_path / "bad.glb").write_bytes(whole[:-64] + b"\xf0" * 64)
    assert validated([tmp_path / "bad.glb"])[0]["issues"]["numErrors"] > 0


@pytest.mark.parametrize("name", shipped_sets())
def test_admesh_measures_our_volumes(name: str, tmp_path: Path) -> None:
    """For each piece's STL file admesh finds the volume that the piece's weight comes from."""
    piece_set = load_piece_set(name)
    for piece in piece_set.pieces:
        file = export_piece(piece_set, piece, tmp_path / f"{piece.name}.stl").path
        volume_mm3 = build_solid(piece_set, piece).mass_g / piece_set.density_g_cm3 * 1000
        assert admesh_volume(file) == pytest.approx(volume_mm3, rel=2e-5)


@pytest.mark.parametrize("name", shipped_sets())
@pytest.mark.parametrize("ending", ["stl", "3mf", "glb"])
def test_pieces_read_back_equal(name: str, ending: str, tmp_path: Path) -> None:
    """A written piece is read with the unit it was written in, as one closed body of the same size, place and volume."""
    piece_set = load_piece_set(name)
    for piece in piece_set.pieces:
        read = read_mesh_file(export_piece(piece_set, piece, tmp_path / f"{piece.name}.{ending}").path)
        assert read.unit is (Unit.M if ending == "glb" else Unit.MM) and read.up is (Axis.Y_UP if ending == "glb" else Axis.Z_UP)
        part, mesh = read.part(None), build_solid(piece_set, piece).mesh
        assert not part.defects and part.mesh.is_watertight
        assert part.mesh.bounds == pytest.approx(mesh.bounds, abs=1e-4)
        assert part.mesh.volume == pytest.approx(mesh.volume, rel=1e-6)
        assert part.mesh.center_mass == pytest.approx(mesh.center_mass, abs=1e-4)


@pytest.mark.parametrize("ending", ["stl", "3mf", "glb"])
def test_plates_read_back_as_their_pieces(ending: str, tmp_path: Path) -> None:
    """A plate with each piece once is read as so many parts, sound, of the pieces' volumes, with their names where the format keeps names."""
    piece_set = load_piece_set("square")
    (written,) = export_plate(piece_set, tmp_path / f"plate.{ending}", plate=Plate(400, 400, 5), one_of_each=True)
    read = read_mesh_file(written.path)
    assert not [defect for part in read.parts for defect in part.defects]
    assert sorted(volumes(read)) == pytest.approx(sorted(build_solid(piece_set, piece).mesh.volume for piece in piece_set.pieces), rel=1e-5)
    if ending != "stl":
        for part in read.parts:
            (piece,) = [piece for piece in piece_set.pieces if part.name.startswith(piece.name)]
            assert part.mesh.volume == pytest.approx(build_solid(piece_set, piece).mesh.volume, rel=1e-5)


def volumes(read: MeshFile) -> list[float]:
    """Volumes of the parts, mm³."""
    return [float(part.mesh.volume) for part in read.parts]
