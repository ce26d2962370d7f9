"""Opening a mesh file: that it is there, is a plain file of bearable size, and holds what its ending says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from meshes.files import NotPlain, plain_status, read_plain, reading_fault
from meshes.reading.limits import MOST_BYTES
from meshes.reading.scene import Unreadable

ENDINGS = (".stl", ".obj", ".glb", ".gltf", ".ply", ".off", ".3mf")
"""Endings of the files that can be read, in small letters."""

_HEAD_BYTES = 1024
_MAGIC = (
    (b"glTF", ".glb"),
    (b"PK\x03\x04", ".3mf"),
    (b"ply\n", ".ply"),
    (b"ply\r", ".ply"),
    (b"OFF\n", ".off"),
    (b"OFF\r", ".off"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"ISO-10303-21", "a STEP file"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"%PDF", "a PDF"),
)


@dataclass(frozen=True)
class Source:
    """A file that may be read. `ending` is one of `ENDINGS`."""

    path: Path
    ending: str
    size: int

    @cached_property
    def head(self) -> bytes:
        """The first bytes."""
        return _bytes(self.path, _HEAD_BYTES)

    @cached_property
    def data(self) -> bytes:
        """All bytes."""
        return read_bytes(self.path)

    @property
    def has_stl_length(self) -> bool:
        """Whether it is as long as the head of a binary STL would say; such a file may begin with anything."""
        return len(self.head) >= 84 and self.size == 84 + 50 * int.from_bytes(self.head[80:84], "little")


def opened(path: Path) -> Source:
    """The file at `path`; raises `Unreadable` if it is missing, no plain file, empty, too large, or not what its ending says."""
    ending = path.suffix.lower()
    size = plain_size(path)
    if ending not in ENDINGS:
        raise Unreadable("unknown-ending", f"a name must end in {', '.join(ENDINGS)}; {_unknown(ending)}")
    source = Source(path, ending, size)
    _check_content(source)
    return source


def plain_size(path: Path) -> int:
    """Bytes of a plain file that is neither empty nor too large."""
    try:
        status = plain_status(path)
    except (OSError, ValueError) as error:
        code = "no-file" if isinstance(error, FileNotFoundError | IsADirectoryError | NotPlain) else "unreadable-file"
        raise Unreadable(code, reading_fault(path, error)) from error
    if status.st_size == 0:
        raise Unreadable("empty-file", "the file is empty; write it again")
    if status.st_size > MOST_BYTES:
        raise Unreadable(
            "too-large-file", f"it has {status.st_size / 2**20:.0f} MiB, the most is {MOST_BYTES / 2**20:.0f} MiB; make the mesh coarser"
        )
    return status.st_size


def read_bytes(path: Path) -> bytes:
    """The file's bytes; more than the most is refused."""
    data = _bytes(path, MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Unreadable("too-large-file", f"it has more than {MOST_BYTES / 2**20:.0f} MiB; make the mesh coarser")
    return data


def _bytes(path: Path, most: int) -> bytes:
    try:
        return read_plain(path, most)
    except OSError as error:
        raise Unreadable("unreadable-file", reading_fault(path, error)) from error


def _check_content(source: Source) -> None:
    for magic, what in _MAGIC:
        if source.head.startswith(magic) and what != source.ending and not (source.ending == ".stl" and source.has_stl_length):
            advice = f"end its name in {what}" if what in ENDINGS else f"give one that is {', '.join(ENDINGS)}"
            raise Unreadable("wrong-ending", f"its name ends in {source.ending}, but it holds {_called(what)}; {advice}")


def _called(what: str) -> str:
    return "a zip archive, as 3MF files are" if what == ".3mf" else f"{what[1:].upper()} data" if what in ENDINGS else what


def _unknown(ending: str) -> str:
    if ending in (".zip", ".gz", ".bz2", ".xz", ".tar", ".tgz", ".7z", ".rar"):
        return "archives are not opened, unpack it first"
    return f"{ending} is not read, export the mesh as one of these" if ending else "this one has no ending"
