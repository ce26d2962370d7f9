"""Archives of a few megabytes that unpack to gigabytes: refused in little memory and time, whatever their heads say."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

_GIGABYTES = 4.4
_MEMBER = b"3D/3dmodel.model"
_CHILD = """
import json, re, sys, time
from meshes.errors import BadMesh
from meshes.mesh_file import read_mesh_file

def peak_kb():
    # the peak since the program began; what getrusage tells may be that of the process it was forked from
    return int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])

before, start = peak_kb(), time.process_time()
try:
    read_mesh_file(sys.argv[1])
    codes = []
except BadMesh as error:
    codes = [defect.code for defect in error.defects]
print(json.dumps([codes, peak_kb() - before, time.process_time() - start]))
"""


def _stream() -> tuple[bytes, int]:
    """A deflated stream of spaces and its unpacked length: one block of 16 MiB, said again and again without being packed again."""
    size = 16 * 2**20
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(b" " * size) + packer.flush(zlib.Z_FULL_FLUSH)
    times = int(_GIGABYTES * 2**30) // size
    return block * times + b"\x03\x00", times * size


def _archive(packed: bytes, told: int) -> bytes:
    """A zip archive of one member that is told to unpack to so many bytes, with sizes of 64 bits, as they have to be beyond 4 GiB."""
    sizes = struct.pack("<HHQQ", 1, 16, told, len(packed))
    common = struct.pack("<HHHHHIIIHH", 45, 0, 8, 0, 33, 0, 0xFFFFFFFF, 0xFFFFFFFF, len(_MEMBER), len(sizes))
    local = b"PK\x03\x04" + common + _MEMBER + sizes
    entry = b"PK\x01\x02" + struct.pack("<H", 45) + common + struct.pack("<HHHII", 0, 0, 0, 0, 0) + _MEMBER + sizes
    return local + packed + entry + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry), len(local) + len(packed), 0)


@pytest.mark.parametrize(("told", "code"), [(None, "bomb"), (1000, "broken-archive"), (100 * 2**20, "broken-archive")])
def test_gigabytes_in_a_small_archive_are_never_unpacked(tmp_path: Path, told: int | None, code: str) -> None:
    """4.4 GiB in 4.6 MB are refused within 32 MiB if the head tells so, and if it lies within what it tells; a second of work is not needed."""
    packed, size = _stream()
    path = tmp_path / "bomb.3mf"
    path.write_bytes(_archive(packed, size if told is None else told))
    assert path.stat().st_size < 5_000_000 < 4 * 2**30 < size
    child = subprocess.run([sys.executable, "-c", _CHILD, str(path)], check=True, capture_output=True, text=True)
    codes, grown_kb, busy_s = json.loads(child.stdout)
    assert codes == [code]
    assert grown_kb * 1024 < 32 * 2**20 + 2 * (told or 0)
    assert busy_s < 1.0
