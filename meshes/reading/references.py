"""Files that a mesh file names: only beside it or below, never by the web, never by a way round."""

from __future__ import annotations

import base64
import binascii
import re
from pathlib import Path
from urllib.parse import unquote

from meshes.reading.limits import MOST_BYTES
from meshes.reading.scene import Unreadable
from meshes.reading.source import plain_size, read_bytes
from meshes.reading.text import clean_name

_ELSEWHERE = re.compile(r"/|[a-z]:|(?:file|data|https?|ftp|about|blob|javascript):", re.IGNORECASE)
"""How names begin that lead elsewhere: roots, drives, schemes of the web. A colon further on is a letter like others."""


def named_bytes(uri: str, home: Path) -> bytes:
    """What stands at `uri`: the data in it, or a file in the folder `home` or below it. Raises `Unreadable`; nothing elsewhere is ever opened."""
    return _embedded(uri) if uri.startswith("data:") else _companion(named_path(uri, home), clean_name(uri))


def named_path(uri: str, home: Path) -> Path:
    """Where the file stands that `uri` names, in the folder `home` or below it, if it is there at all. Raises `Unreadable`."""
    shown = clean_name(uri)
    name = unquote(uri)
    if _ELSEWHERE.match(name) or "://" in name or "\\" in name or "\0" in name:
        raise Unreadable("outside", f"it names {shown}, which is not in its folder and is never opened; put the file beside it and name it plainly")
    folder = home.resolve()
    try:
        path = (folder / name).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise Unreadable("no-companion", f"it names {shown}, which leads nowhere; put the file beside it") from error
    if ".." in Path(name).parts or not path.is_relative_to(folder):
        raise Unreadable("outside", f"it names {shown}, which is outside its folder and is never opened; put the file beside it")
    return path


def _companion(path: Path, shown: str) -> bytes:
    try:
        plain_size(path)
        return read_bytes(path)
    except Unreadable as error:
        missing = error.defects[0].code == "no-file"
        reason = "is missing or no plain file; put it beside it" if missing else f"can't be used: {error.defects[0].message}"
        raise Unreadable("no-companion", f"it names {shown}, which {reason}") from error


def _embedded(uri: str) -> bytes:
    head, comma, body = uri.partition(",")
    if not comma or not head.endswith(";base64"):
        raise Unreadable("bad-data", "the data in it are not base64; export it again")
    if len(body) > MOST_BYTES:
        raise Unreadable("too-large-file", f"the data in it are more than {MOST_BYTES / 2**20:.0f} MiB; make the mesh coarser")
    try:
        return base64.b64decode(unquote(body) if "%" in body else body, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Unreadable("bad-data", f"the data in it are damaged ({error}); export it again") from error
