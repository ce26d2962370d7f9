"""Files: written so that they are either wholly there or as they were before, and why one can't be read or written, in plain words."""

from __future__ import annotations

import errno
import os
import secrets
import stat
import time
from contextlib import suppress
from pathlib import Path

from meshes.errors import UnwritableFile

_LEFTOVER = ".stakd-{}.tmp"
_LEFTOVER_AGE_S = 3600


def write_atomically(path: str | Path, data: bytes) -> None:
    """Put `data` into the file at `path`, new or not, in one step: whatever happens, the file holds all of the old or all of the new.

    The bytes go to a hidden file in the same folder, are forced to disk, and take the old file's place. Links are followed, mode and owner of an
    old file kept; what is no plain file (a device, a pipe) is written to directly. Hidden files that killed programs left are removed after an hour.
    Raises `UnwritableFile`.
    """
    try:
        target = Path(os.path.realpath(path))
        old = _status(target)
        if old is not None and not stat.S_ISREG(old.st_mode):
            target.write_bytes(data)
        elif old is not None and not os.access(target, os.W_OK):
            raise PermissionError(None, "it is write-protected")
        else:
            _remove_leftovers(target.parent)
            _replace(target, old, data)
    except (OSError, ValueError) as error:
        raise UnwritableFile(Path(path), writing_fault(error)) from error


def _status(target: Path) -> os.stat_result | None:
    try:
        return target.stat()
    except FileNotFoundError:
        return None


def _replace(target: Path, old: os.stat_result | None, data: bytes) -> None:
    """Write to a new file beside `target`, then rename; the new file never outlives an error."""
    fresh = target.parent / _LEFTOVER.format(secrets.token_hex(8))
    try:
        with fresh.open("xb") as file:
            if old is not None:
                _take_over(fresh, old)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)
    _sync_folder(target.parent)


def _take_over(fresh: Path, old: os.stat_result) -> None:
    """Give the new file the old one's owner and mode; the owner only where the system lets us."""
    if hasattr(os, "chown"):
        now = fresh.stat()
        if (now.st_uid, now.st_gid) != (old.st_uid, old.st_gid):
            with suppress(PermissionError):  # a file shared with others: it becomes ours, as every editor would do
                os.chown(fresh, old.st_uid, old.st_gid)
    fresh.chmod(stat.S_IMODE(old.st_mode))


def _sync_folder(folder: Path) -> None:
    """Make the renaming itself last through a power cut, where folders can be synced; the file is whole either way."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _remove_leftovers(folder: Path) -> None:
    """Remove what killed programs left; young files may belong to a program that is writing now."""
    for leftover in folder.glob(_LEFTOVER.format("*")):
        with suppress(OSError):  # another program was faster, or it is not ours to remove: nothing depends on it
            if time.time() - leftover.stat().st_mtime > _LEFTOVER_AGE_S:
                leftover.unlink()


def make_folder(folder: Path) -> Path:
    """`folder`, made with those above it if it is not there; raises `UnwritableFile`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnwritableFile(folder, _folder_fault(folder, error)) from error
    return folder


def _folder_fault(folder: Path, error: OSError) -> str:
    in_the_way = next((path for path in (folder, *folder.parents) if (mode := mode_of(path)) is not None and not stat.S_ISDIR(mode)), None)
    if in_the_way is not None:
        return f"{'it' if in_the_way == folder else in_the_way} is a file; name a folder"
    return writing_fault(error) if not isinstance(error, FileNotFoundError) else "no folder can be made there; name another"


class NotPlain(OSError):
    """What stands at a path is no file with bytes of its own; the text says what it is."""


def plain_status(path: str | Path) -> os.stat_result:
    """The status of the plain file at `path`, which is not opened. Raises `OSError` or `ValueError`; `reading_fault` has the words for them."""
    status = Path(path).stat()
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError
    if not stat.S_ISREG(status.st_mode):
        raise NotPlain("a pipe" if stat.S_ISFIFO(status.st_mode) else "a socket" if stat.S_ISSOCK(status.st_mode) else "a device")
    return status


def read_plain(path: str | Path, most: int) -> bytes:
    """The first `most` bytes of the plain file at `path`. Whatever else stands there is refused, as nobody may ever write to a pipe and a device
    may never end. Raises as `plain_status` does."""
    plain_status(path)
    # without blocking: should it have become a pipe meanwhile, nobody waits for it
    with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
        # asked for no more than there is, as the memory is taken before anything is read; some say that nothing is where something is (/proc)
        return file.read(min(os.fstat(file.fileno()).st_size or most, most))


def mode_of(path: str | Path) -> int | None:
    """What is at `path`, as `stat` has it; None if nothing is, or nothing that can be asked about, where `Path.exists` and its like may raise."""
    try:
        return Path(path).stat().st_mode
    except (OSError, ValueError):
        return None


def reading_fault(path: str | Path, error: OSError | ValueError) -> str:
    """Why the file at `path` can't be read, and what to do, from the error that reading it gave."""
    folder = Path(path).parent
    if isinstance(error, FileNotFoundError):
        if folder.is_dir():
            return f"there is no such file in {folder.resolve()}; check the name and the folder"
        return f"there is no folder {folder.absolute()}; check the name and the folder"
    if isinstance(error, NotADirectoryError):
        return f"{folder} is a file, not a folder; check the name"
    if isinstance(error, IsADirectoryError):
        return "it is a folder; name a file in it"
    if isinstance(error, NotPlain):
        return f"it is {error}, not a plain file; write what it holds to a file and name that"
    if isinstance(error, PermissionError):
        return "you may not read it; change who may, or copy it to a place of your own"
    if isinstance(error, UnicodeDecodeError):
        return "it is not text in UTF-8; save it as UTF-8 text, or name another file"
    return f"it can't be read: {(error.strerror if isinstance(error, OSError) else None) or error}"


def writing_fault(error: OSError | ValueError) -> str:
    """Why a file can't be written, and what to do where that is plain, from the error that writing it gave."""
    if isinstance(error, FileNotFoundError):
        return "its folder does not exist; create it first"
    if isinstance(error, NotADirectoryError | FileExistsError):
        return "where its folder should be there is a file; name another folder"
    if isinstance(error, IsADirectoryError):
        return "it is a folder; name a file"
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "the disk is full; make room, or name a place elsewhere"
    if isinstance(error, OSError) and error.errno == errno.EROFS:
        return "nothing can be written there (it is read-only); name a place elsewhere"
    if isinstance(error, PermissionError) and error.errno is not None:
        return "you may not write there; change who may, or name a place of your own"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def path_inside(folder: Path, name: str) -> Path | None:
    """The path `name` stands for, if it is in `folder` or below it; links that lead out don't count. For names that a file gives, not a person."""
    home = folder.resolve()
    try:
        path = (home / name).resolve()
    except (OSError, RuntimeError, ValueError):
        return None
    return path if not Path(name).is_absolute() and path.is_relative_to(home) else None
