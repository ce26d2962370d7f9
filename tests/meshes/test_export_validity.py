"""What we export holds up outside: GLB files by Khronos's validator, STL and 3MF files read back."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from meshes.export import export_piece, export_plate, export_tower
from meshes.mesh_file import read_mesh_file
from meshes.piece_set import PieceSet, load_piece_set
from meshes.solid import build_solid
from physics.pose import Pose

CLASSIC, SQUARE = load_piece_set("classic"), load_piece_set("square")
SETS = [pytest.param(piece_set, id=piece_set.name) for piece_set in (CLASSIC, SQUARE)]

_MODULES = Path(sys.prefix) / "node" / "node_modules"
_SCRIPT = """
const fs = require("fs"), validator = require(process.argv[1] + "/gltf-validator");
Promise.all(process.argv.slice(2).map(path => validator.validateBytes(new Uint8Array(fs.readFileSync(path)))))
  .then(reports => console.log(JSON.stringify(reports)), error => { console.error(error); process.exit(1); });
"""


def validated(paths: list[Path]) -> list[dict[str, Any]]:
    """What the validator says of each file."""
    done = subprocess.run(["node", "-e", _SCRIPT, str(_MODULES), *map(str, paths)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    reports = json.loads(done.stdout)
    assert len(reports) == len(paths)
    return [report for report in reports if isinstance(report, dict)]


@pytest.mark.parametrize("piece_set", SETS)
def test_glb_files_have_no_errors(piece_set: PieceSet, tmp_path: Path) -> None:
    """Every piece, a tower with a leaning piece and a plate of one piece of each type pass the Khronos validator without errors or warnings."""
    paths = [tmp_path / f"{piece.name}.glb" for piece in piece_set.pieces]
    for piece, path in zip(piece_set.pieces, paths, strict=True):
        export_piece(piece_set, piece, path)
    paths += [tmp_path / "tower.glb", tmp_path / "plate.glb"]
    leaning = Pose(20.0, 5.0, 25.0, (0.1, 0.0, 0.0, float(np.sqrt(0.99))))
    poses = [Pose(0.0, 0.0, 0.0), Pose.flat(0.0, 0.0, 10.0, 60.0), leaning]
    export_tower(piece_set, [(piece, pose.transform) for piece, pose in zip(piece_set.pieces, poses, strict=False)], paths[-2])
    export_plate(piece_set, paths[-1], one_of_each=True)
    for path, report in zip(paths, validated(paths), strict=True):
        issues = report["issues"]
        assert (issues["numErrors"], issues["numWarnings"]) == (0, 0), (path.name, issues["messages"])
        assert report["info"]["totalTriangleCount"] > 500


def test_the_validator_finds_errors(tmp_path: Path) -> None:
    """The validator is at work: a file cut short is an error to it."""
    path = tmp_path / "uni.glb"
    export_piece(CLASSIC, CLASSIC.piece("UNI"), path)
    path.write_bytes(path.read_bytes()[:-400])
    (report,) = validated([path])
    assert report["issues"]["numErrors"] > 0


@pytest.mark.parametrize("ending", ["stl", "3mf", "glb"])
@pytest.mark.parametrize("piece_set", SETS)
def test_pieces_read_back_equal(piece_set: PieceSet, ending: str, tmp_path: Path) -> None:
    """A piece that was written is read back in mm, lying flat, sound, with the same corners and volume."""
    for piece in piece_set.pieces:
        path = tmp_path / f"{piece.name}.{ending}"
        export_piece(piece_set, piece, path)
        file = read_mesh_file(path)
        part = file.part(None)
        mesh = build_solid(piece_set, piece).mesh
        assert part.defects == ()
        assert len(part.mesh.faces) == len(mesh.faces)
        assert part.mesh.volume == pytest.approx(mesh.volume, rel=1e-5)
        assert np.allclose(_sorted(part.mesh.vertices), _sorted(mesh.vertices), atol=1e-3)


def test_a_tower_in_a_3mf_keeps_its_parts_in_place(tmp_path: Path) -> None:
    """The pieces of a tower come back as parts of the right volume and size."""
    path = tmp_path / "tower.3mf"
    pieces = [CLASSIC.piece("BASE"), CLASSIC.piece("DUO")]
    export_tower(CLASSIC, [(pieces[0], Pose(0.0, 0.0, 0.0).transform), (pieces[1], Pose.flat(0.0, 0.0, 10.5, 60.0).transform)], path)
    parts = read_mesh_file(path).parts
    volumes = sorted(part.mesh.volume for part in parts)
    assert volumes == pytest.approx(sorted(build_solid(CLASSIC, piece).mesh.volume for piece in pieces), rel=1e-5)


def _sorted(points: np.ndarray) -> np.ndarray:
    """Corners in an order that does not depend on the file's."""
    rounded = np.asarray(points).round(3) + 0.0
    return rounded[np.lexsort(rounded.T)]
