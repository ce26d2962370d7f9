"""Is a mesh from any program read and checked while its designer waits? A piece of the classic set as binary STL, cut ever finer."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import trimesh

from bench.finding import Benchmark, Finding, at_most, seconds
from meshes.mesh_file import read_mesh_file
from meshes.piece_set import load_piece_set
from meshes.reading.limits import MOST_FACES
from meshes.solid import build_solid
from physics.piece_check import check_part

FACES_S = {5_000: 0.3, 100_000: 3.0}
"""How long reading and checking so many faces may take."""
HUGE_FACES, HUGE_S, HUGE_MB = 2_000_000, 15.0, 2000.0
"""Within so much time and memory a file of so many faces is accepted or refused; and one of as many faces as may be."""
_PIECE = "TRIO"
_GAP_MM = 100.0
_COARSE_FACES, _FACES_A_SIDE, _FACES_MORE = 1500, 8, 30
"""Faces of a piece before they are cut; how many come with each side of its outline's polygon, and how many more there are."""
_CHILD = """
import json, re, sys, time
from meshes.errors import BadMesh
from meshes.mesh_file import read_mesh_file
start = time.process_time()
try:
    parts = len(read_mesh_file(sys.argv[1]).parts)
except BadMesh:
    parts = 0
busy_s = time.process_time() - start
# the peak since the program began; what getrusage tells may be that of the process it was forked from
peak_kb = re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]
print(json.dumps([busy_s, int(peak_kb) / 1000, parts]))
"""


def reading_speed(smoke: bool) -> Iterator[Finding]:
    """Reading and checking two sizes, then files as large as may be and larger, each in a process of its own; Linux."""
    with tempfile.TemporaryDirectory() as folder:
        for faces, limit_s in FACES_S.items():
            path = Path(folder) / f"{faces}.stl"
            path.write_bytes(_stl(faces))
            yield at_most(f"{faces:,} faces read", seconds(partial(_read, path), repeats=1 if smoke else 5), "s", limit_s)
            yield at_most(f"{faces:,} faces read and checked", seconds(partial(_check, path), repeats=1 if smoke else 5), "s", limit_s)
        for faces in (10_000, 20_000) if smoke else (MOST_FACES, HUGE_FACES):
            yield from _apart(Path(folder) / f"{faces}.stl", faces)


def _read(path: Path) -> object:
    return read_mesh_file(path).part(None)


def _check(path: Path) -> object:
    return check_part(read_mesh_file(path).part(None), piece_set=load_piece_set("classic"))


def _apart(path: Path, faces: int) -> Iterator[Finding]:
    path.write_bytes(_stl(faces))
    child = subprocess.run([sys.executable, "-c", _CHILD, str(path)], check=True, capture_output=True, text=True)
    busy_s, peak_mb, parts = json.loads(child.stdout)
    verdict = f"read, {parts} parts" if parts else "refused"
    yield at_most(f"{faces:,} faces {verdict}", busy_s, "s", HUGE_S)
    yield at_most(f"{faces:,} faces {verdict}, memory of the process", peak_mb, "MB", HUGE_MB)


def _stl(faces: int) -> bytes:
    """A binary STL of about so many faces, at most: pieces side by side, each of at most 100 000."""
    count = -(-faces // 100_000)
    mesh = _piece(faces // count)
    shift = np.array([_GAP_MM, 0.0, 0.0])
    return trimesh.exchange.stl.export_stl(trimesh.util.concatenate([mesh.copy().apply_translation(k * shift) for k in range(count)]))


def _piece(faces: int) -> trimesh.Trimesh:
    """A closed piece of about so many faces, at most: coarse ones first, each then cut into four as often as need be."""
    cuts = max(0, round(np.log(faces / _COARSE_FACES) / np.log(4)))
    piece_set = load_piece_set("classic")
    sides = int((faces / 4**cuts - _FACES_MORE) / _FACES_A_SIDE)
    mesh = build_solid(piece_set, piece_set.by_name[_PIECE], sides=sides).mesh
    for _ in range(cuts):
        mesh = mesh.subdivide()
    return mesh


BENCHMARKS = (
    Benchmark("mesh-reading", "Are mesh files read and checked while their designer waits, and ones too large refused at once?", reading_speed),
)
