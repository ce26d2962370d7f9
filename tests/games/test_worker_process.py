"""Processes beside the window begin and end whole."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest

from games.background import Background
from games.card_thinker import Thinker
from games.worker_process import WorkerProcess
from meshes.errors import StakdError


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go, and where processes find what this file gives them to do."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def _report(pipe: Connection, word: str) -> None:
    """Leave a file, outlive Ctrl-C, say a word, and wait."""
    folder = tempfile.mkdtemp()
    os.kill(os.getpid(), signal.SIGINT)
    pipe.send((word, folder))
    time.sleep(600)


def _pass(pipe: Connection) -> None:
    pipe.send(tempfile.mkdtemp())


def test_nothing_is_left(place: Path) -> None:
    """A process gets what it is given, heeds no Ctrl-C, and when it is ended its files and its pipe go with it; ending it again does no harm."""
    worker = WorkerProcess("test", _report, "hello")
    word, folder = worker.pipe.recv()
    assert word == "hello"
    assert place in Path(folder).parents
    worker.end()
    worker.end()
    assert not list(place.iterdir())
    assert worker.pipe.closed
    with pytest.raises(ProcessLookupError):
        os.kill(worker.pid or 0, 0)


def test_one_that_is_done_clears_up(place: Path) -> None:
    """A process that comes to its end needs nobody to take its files away; its pipe tells."""
    worker = WorkerProcess("test", _pass)
    assert place in Path(worker.pipe.recv()).parents
    with pytest.raises(EOFError):
        worker.pipe.recv()
    worker.end()
    assert not list(place.iterdir())


@pytest.mark.parametrize("make", [Background, Thinker])
def test_one_that_cannot_start(make: type[Background | Thinker], place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If no process can be started that is told, nothing is left behind, and it can be tried again."""
    beside = make()
    with monkeypatch.context() as patch:
        patch.setattr(SpawnProcess, "start", _refuse)
        with pytest.raises(StakdError, match="too many processes"):
            beside.start()
        beside.close()
    assert not list(place.iterdir())
    beside.start()
    beside.close()


def _refuse(process: SpawnProcess) -> None:
    raise OSError("too many processes")
