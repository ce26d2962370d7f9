"""Zip archives that are not trusted: what is in them is counted and weighed before anything is unpacked, and nothing is ever written to disk."""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from meshes.reading.limits import MOST_BYTES, MOST_MEMBERS, MOST_RATIO, RATIO_FROM_BYTES
from meshes.reading.scene import Unreadable
from meshes.reading.text import clean_name

_DIRECTORY_ENTRY = b"PK\x01\x02"
_ENCRYPTED = 0x1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True)
class Archive:
    """An archive that asks for no more than it may. `members` by name, in small letters and without a leading slash."""

    file: zipfile.ZipFile
    members: dict[str, zipfile.ZipInfo]

    def __contains__(self, name: str) -> bool:
        return _key(name) in self.members

    def read(self, name: str) -> bytes:
        """The unpacked bytes of a member; raises `Unreadable` if there is none of that name or it is damaged."""
        info = self.members.get(_key(name))
        if info is None:
            raise Unreadable("no-member", f"it names {clean_name(name)}, which is not in it; export it again")
        try:
            with self.file.open(info) as member:
                return member.read(info.file_size)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError) as error:
            raise Unreadable("broken-archive", f"{clean_name(name)} in it can't be unpacked; export or copy it again") from error


def opened_archive(data: bytes) -> Archive:
    """The archive in these bytes; raises `Unreadable` if it is damaged, has members outside itself, or asks for more than the limits."""
    if data.count(_DIRECTORY_ENTRY) > MOST_MEMBERS:
        raise Unreadable("too-many-members", f"it holds more than {MOST_MEMBERS:,} files, the most that may be; save only the piece")
    try:
        file = zipfile.ZipFile(io.BytesIO(data))
        infos = file.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError) as error:
        raise Unreadable("broken-archive", "its zip archive is damaged or cut short; export or copy it again") from error
    for info in infos:
        for code, message in _objections(info):
            raise Unreadable(code, message, clean_name(info.filename))
    total = sum(info.file_size for info in infos)
    if total > MOST_BYTES:
        raise Unreadable("too-large-archive", f"unpacked it has {total / 2**20:,.0f} MiB, the most is {MOST_BYTES / 2**20:.0f} MiB")
    return Archive(file, {_key(info.filename): info for info in infos})


def _objections(info: zipfile.ZipInfo) -> Iterator[tuple[str, str]]:
    """Why a member may not be unpacked."""
    name = info.filename.replace("\\", "/")
    if name.startswith("/") or ":" in name.partition("/")[0] or ".." in PurePosixPath(name).parts:
        yield "outside", "this name leads out of the archive; export it again"
    if stat.S_ISLNK(info.external_attr >> 16):
        yield "outside", "this is a link, not a file; export it again"
    if info.flag_bits & _ENCRYPTED:
        yield "encrypted", "this is encrypted; save it without a password"
    if info.compress_type not in _METHODS:
        yield "unknown-packing", "this is packed in a way that 3MF does not allow; export it again"
    if info.file_size > max(RATIO_FROM_BYTES, MOST_RATIO * info.compress_size):
        yield "bomb", f"this unpacks from {info.compress_size:,} to {info.file_size:,} bytes, the most is {MOST_RATIO} times as many"


def _key(name: str) -> str:
    return name.replace("\\", "/").removeprefix("/").lower()
