"""Writing files whole or not at all: crashes while saving, full disks, two writers."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from meshes.errors import UnwritableFile
from meshes.files import make_folder, read_plain, reading_fault, write_atomically


def test_new_file_holds_the_bytes_and_leaves_nothing_else(tmp_path: Path) -> None:
    """A fresh file has exactly the bytes given, and its folder nothing besides."""
    write_atomically(tmp_path / "a.bin", b"\x00new")
    assert [(f.name, f.read_bytes()) for f in tmp_path.iterdir()] == [("a.bin", b"\x00new")]


def test_new_file_gets_the_usual_mode(tmp_path: Path) -> None:
    """A new file is as readable as any file the user's programs make, not private to the owner."""
    (tmp_path / "plain").write_bytes(b"")
    write_atomically(tmp_path / "a", b"")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_mode_of_an_old_file_is_kept(tmp_path: Path) -> None:
    """Writing over a file keeps who may read it."""
    target = tmp_path / "a"
    target.write_bytes(b"old")
    target.chmod(0o640)
    write_atomically(target, b"new")
    assert target.stat().st_mode & 0o777 == 0o640
    assert target.read_bytes() == b"new"


def test_link_stays_a_link_and_its_target_changes(tmp_path: Path) -> None:
    """A linked save is written where the link points, also through a link to a file not yet there."""
    (tmp_path / "real").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real" / "a")
    for data in (b"first", b"second"):
        write_atomically(link, data)
        assert link.is_symlink()
        assert (tmp_path / "real" / "a").read_bytes() == data


def test_device_is_written_to_and_stays_a_device() -> None:
    """`--out /dev/null` throws the bytes away and does not replace the device by a file."""
    write_atomically(os.devnull, b"gone")
    assert not Path(os.devnull).is_file()


def test_plain_files_are_read_to_the_limit(tmp_path: Path) -> None:
    """So many bytes are read and no more, through a link as well."""
    (tmp_path / "a").write_bytes(b"abc")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert [read_plain(tmp_path / name, most) for name, most in (("a", 2), ("a", 3), ("link", 9))] == [b"ab", b"abc", b"abc"]


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    socket.socket(socket.AF_UNIX).bind(os.path.relpath(path))  # the whole path may be too long for a socket's name


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="such things have no paths here")
@pytest.mark.parametrize(
    ("make", "words"),
    [(_pipe, "it is a pipe"), (_socket, "it is a socket"), (lambda path: path.symlink_to("/dev/zero"), "it is a device"), (Path.mkdir, "a folder")],
)
def test_what_is_no_plain_file_is_not_read(tmp_path: Path, make: Callable[[Path], None], words: str) -> None:
    """A pipe nobody writes to, a socket, an endless device and a folder are refused at once, and told for what they are."""
    make(tmp_path / "a")
    with pytest.raises(OSError) as caught:
        read_plain(tmp_path / "a", 10)
    assert words in reading_fault(tmp_path / "a", caught.value)


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("missing/a", "create it first"),
        (".", "name a file"),
        ("file/a", "there is a file; name another folder"),
        ("n" * 300, "too long"),
        ("nul\0", "null"),
    ],
)
def test_what_can_not_be_written_is_refused_with_the_reason(tmp_path: Path, name: str, advice: str) -> None:
    """A bad target is named in one line that says why, and nothing is left behind."""
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(UnwritableFile) as caught:
        write_atomically(tmp_path / name, b"new")
    assert advice in str(caught.value)
    assert str(tmp_path) in str(caught.value)
    assert [f.name for f in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("name", "advice"),
    [("file", "it is a file; name a folder"), ("file/a", "file is a file; name a folder"), ("n" * 300, "too long"), ("n" * 300 + "/a", "too long")],
)
def test_folders_that_can_not_be_made_are_refused_with_the_reason(tmp_path: Path, name: str, advice: str) -> None:
    """Whatever is in the way, one error of ours says so, and nothing is left behind."""
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(UnwritableFile, match=advice):
        make_folder(tmp_path / name)
    assert [f.name for f in tmp_path.iterdir()] == ["file"]


def test_write_protected_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file its owner protected is not replaced (os.access is told to answer as for a plain user: root may write everything)."""
    target = tmp_path / "a"
    target.write_bytes(b"old")
    target.chmod(0o444)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(UnwritableFile, match="write-protected"):
        write_atomically(target, b"new")
    assert target.read_bytes() == b"old"


def test_failure_half_way_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that fills up while the bytes are forced out leaves the old save and no half of the new one."""
    target = tmp_path / "a"
    target.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UnwritableFile, match="the disk is full"):
        write_atomically(target, b"new" * 1000)
    assert [(f.name, f.read_bytes()) for f in tmp_path.iterdir()] == [("a", b"old")]


_WRITER = """
import itertools, sys
from meshes.files import write_atomically
for i in itertools.count():
    write_atomically(sys.argv[1], b"%09d" % i * 100_000)
    print(i, flush=True)
"""


def test_killed_writer_leaves_one_whole_version(tmp_path: Path) -> None:
    """Killing a program that saves again and again, at odd moments, always leaves a whole file, and the next save works."""
    target = tmp_path / "save"
    for delay_s in (0.0, 0.003, 0.007, 0.013):
        with subprocess.Popen([sys.executable, "-c", _WRITER, str(target)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(delay_s)
            writer.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        data = target.read_bytes()
        assert data == data[:9] * 100_000
    write_atomically(target, b"after")
    assert target.read_bytes() == b"after"


def test_old_leftovers_go_and_young_ones_stay(tmp_path: Path) -> None:
    """What killed programs left is cleared away an hour later; a file some program may be writing now is left alone."""
    old, young = tmp_path / ".stakd-0.tmp", tmp_path / ".stakd-1.tmp"
    for leftover in (old, young):
        leftover.write_bytes(b"half")
    os.utime(old, (time.time() - 7200,) * 2)
    write_atomically(tmp_path / "a", b"")
    assert sorted(f.name for f in tmp_path.iterdir()) == [".stakd-1.tmp", "a"]


def test_two_writers_of_one_file_leave_one_whole_version(tmp_path: Path) -> None:
    """Two programs saving to one slot at once never mix their bytes."""
    target = tmp_path / "slot"

    def write(letter: bytes) -> None:
        for _ in range(20):
            write_atomically(target, letter * 50_000)

    writers = [threading.Thread(target=write, args=(letter,)) for letter in (b"a", b"b")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert target.read_bytes() in (b"a" * 50_000, b"b" * 50_000)
    assert [f.name for f in tmp_path.iterdir()] == ["slot"]
