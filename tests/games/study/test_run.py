"""Running a study: the same results wherever it is played and however often it is stopped."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from games.study import cluster, run
from games.study.cluster import ClusterTrouble
from games.study.game import play_game
from games.study.result import GameResult
from games.study.run import Place, Stopped, run_study
from games.study.setup import StudySetup, Task, setup_of
from games.study.variation import parse_variations
from meshes.errors import MissingExtra, StakdError
from meshes.piece_mesh import PieceMesh
from meshes.piece_set import PieceSet, load_piece_set
from meshes.set_changes import with_mesh
from meshes.solid import build_solid
from tests.games.study.conftest import SMALL


@pytest.fixture
def varied(small: PieceSet) -> StudySetup:
    """A study with hands and with sizes that vary."""
    variations = parse_variations("radius=11:12,weight", small)
    return StudySetup(small, 2, variations, bots=("random",), hand="shaky", seed=3, placements=1, hands=5)


def test_one_or_two_processes_give_the_same_results(varied: StudySetup, tmp_path: Path) -> None:
    """One seed a game: who plays it does not matter."""
    one, two = (run_study(varied, tmp_path / str(processes), place=Place(processes)) for processes in (1, 2))
    assert one == two
    assert [result.game for result in one] == [0, 1]
    assert len({result.values for result in one}) == 2


def test_a_set_with_a_mesh_is_studied(small: PieceSet, tmp_path: Path) -> None:
    """The thickness of a set whose UNI is a mesh is varied, and both games are played to their end."""
    uni = small.by_name["UNI"]
    own = with_mesh(small, "UNI", PieceMesh.of(build_solid(small, uni).mesh), uni.cells)
    setup = StudySetup(own, 2, parse_variations("thickness", own), bots=("random",), hand="normal", seed=5, placements=1, hands=5)
    results = run_study(setup, tmp_path / "study")
    assert [result.fault for result in results] == [None, None]
    assert len({result.values for result in results}) == 2


def test_a_stopped_study_goes_on_to_the_same_end(quick: StudySetup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C after two games keeps them; going on plays only the others, and the end is that of a study never stopped."""
    played: list[Task] = []

    def interrupted(setup: StudySetup, missing: list[Task], place: Place) -> Iterator[GameResult]:
        for task in missing:
            if len(played) == 2:
                raise KeyboardInterrupt
            played.append(task)
            yield play_game(setup, task)

    with monkeypatch.context() as patch:
        patch.setattr(run, "_played", interrupted)
        with pytest.raises(Stopped, match="2 of 4 games are kept"):
            run_study(quick, tmp_path / "stopped")
        assert len(run_study(replace(quick, games=2), tmp_path / "stopped", resume=True)) == 2
    resumed = run_study(quick, tmp_path / "stopped", resume=True, place=Place(1))
    assert resumed == run_study(quick, tmp_path / "whole", place=Place(1))


def test_more_games_extend_a_study(quick: StudySetup, tmp_path: Path) -> None:
    """The first games of a longer study are those of the shorter one."""
    short = run_study(quick, tmp_path, place=Place(1))
    assert run_study(replace(quick, games=6), tmp_path, resume=True, place=Place(1))[:4] == short


def test_ctrl_c_ends_the_processes_too(tmp_path: Path) -> None:
    """The command line stops within seconds, with what is done kept, status 130, and no process left behind."""
    own = tmp_path / "small.toml"
    own.write_text(SMALL)
    journal = tmp_path / "s" / "journal.jsonl"
    ended = _interrupted(
        f"study {own} --games 5000 --hand board --processes 2 --out {tmp_path / 's'}",
        lambda leader: journal.exists() and len(journal.read_text().splitlines()) > 1,
    )
    assert ended.status == 130
    assert "games are kept" in ended.errors
    assert "Traceback" not in ended.errors
    with pytest.raises(ProcessLookupError):
        for _ in range(50):
            os.killpg(ended.group, 0)
            time.sleep(0.1)


@pytest.mark.parametrize(
    ("command", "told"),
    [("study {own} --games 5000 --hand board --out {out}", "0 of 5000 games are kept"), ("arena --bots mcts,greedy --games 5000 --ms 2000", "")],
)
def test_ctrl_c_while_processes_start_is_quiet(tmp_path: Path, command: str, told: str) -> None:
    """Processes that still load what they need print nothing and leave nothing behind when Ctrl-C reaches them with the rest of the group."""
    own = tmp_path / "small.toml"
    own.write_text(SMALL)
    ended = _interrupted(f"{command.format(own=own, out=tmp_path / 's')} --processes 2", lambda leader: _group(leader) >= 3, after_s=0.1)
    assert ended.status == 130
    assert told in ended.errors
    assert "Traceback" not in ended.errors and "KeyboardInterrupt" not in ended.errors


class _Ended(NamedTuple):
    """How a command ended: its exit status, what it said on standard error, and the number of its group of processes."""

    status: int
    errors: str
    group: int


def _interrupted(words: str, ready: Callable[[int], bool], *, after_s: float = 0.0) -> _Ended:
    """Run a command and send Ctrl-C to its whole group so long after `ready`, which is asked about the group, says yes."""
    options: dict[str, Any] = {"stderr": subprocess.PIPE, "stdout": subprocess.DEVNULL, "text": True, "start_new_session": True}
    with subprocess.Popen([sys.executable, "-m", "stakd", *words.split()], preexec_fn=_heed_ctrl_c, **options) as child:
        try:
            _wait_for(lambda: ready(child.pid), child)
            time.sleep(after_s)
            os.killpg(child.pid, signal.SIGINT)
            _, errors = child.communicate(timeout=60)
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
    return _Ended(child.returncode, errors, child.pid)


def _group(leader: int) -> int:
    """How many processes of a group run Python from its start: the leader and those it spawned."""
    count = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ProcessLookupError):
            if os.getpgid(int(folder.name)) == leader and b"resource_tracker" not in (folder / "cmdline").read_bytes():
                count += 1
    return count


def _heed_ctrl_c() -> None:
    """A shell that runs the tests in the background has them ignore it, and what they start inherits that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_two_sets_play_games_of_the_same_seeds(quick: StudySetup, small: PieceSet) -> None:
    """A comparison gives both sets the same luck."""
    setup = replace(quick, against=load_piece_set("square"))
    assert setup.tasks[:3] == [Task(0, 0), Task(1, 0), Task(0, 1)]
    assert setup.match_seed(Task(0, 1)) == setup.match_seed(Task(1, 1)) != setup.match_seed(Task(0, 0))
    assert [setup.played_set(Task(design, 0)).name for design in (0, 1)] == ["small", "square"]


def test_a_set_up_goes_along_as_text(varied: StudySetup, quick: StudySetup) -> None:
    """A set of the user's own reaches other machines as data."""
    compared = replace(quick, against=load_piece_set("square"), iterations=7)
    for setup in (varied, compared):
        assert setup_of(setup.text) == setup


@pytest.mark.parametrize(
    ("change", "message"),
    [({"bots": ("clever",)}, "no bot clever"), ({"players": 3}, "hands for 1 to 2 players"), ({"hand": "third"}, "no hand third")],
)
def test_what_cannot_be_played_is_refused_before_it_begins(quick: StudySetup, tmp_path: Path, change: dict[str, object], message: str) -> None:
    """A mistake ends at once and leaves no folder."""
    with pytest.raises(StakdError, match=message):
        run_study(replace(quick, **change), tmp_path / "none")  # type: ignore[arg-type]
    assert not (tmp_path / "none").exists()


def test_a_game_that_cannot_be_simulated_is_told_and_counts_nowhere(quick: StudySetup, monkeypatch: pytest.MonkeyPatch) -> None:
    """One bad tower does not end a study."""

    def fails(*_: object) -> None:
        raise StakdError("the solver gave up")

    monkeypatch.setattr("games.match.Match.place", fails)
    assert play_game(quick, Task(0, 0)).fault == "the solver gave up"


def test_a_cluster_gives_the_same_results_and_loses_nothing_with_a_worker(varied: StudySetup, tmp_path: Path) -> None:
    """A real scheduler and two workers: one is killed in the middle, and the results are still those of one process."""
    setup = replace(varied, games=6)
    with _cluster(tmp_path) as (address, workers):
        journal = tmp_path / "c" / "journal.jsonl"
        child = subprocess.Popen([sys.executable, "-c", _PLAYS, setup.text, str(tmp_path / "c"), address])
        _wait_for(lambda: journal.exists() and len(journal.read_text().splitlines()) > 1, child)
        workers[0].kill()
        assert child.wait(timeout=60) == 0
    assert len(journal.read_text().splitlines()) == 7
    assert run_study(setup, tmp_path / "c", resume=True) == run_study(setup, tmp_path / "here", place=Place(1))


_PLAYS = """
import sys
from pathlib import Path
from typing import Any
from games.study.run import Place, run_study
from games.study.setup import setup_of
run_study(setup_of(sys.argv[1]), Path(sys.argv[2]), place=Place(cluster=sys.argv[3]))
"""


def test_an_address_where_nothing_is_is_told_within_seconds(quick: StudySetup, tmp_path: Path) -> None:
    """One clear error, no hanging."""
    begun = time.monotonic()
    with pytest.raises(ClusterTrouble, match="can't be reached"):
        run_study(quick, tmp_path, place=Place(cluster=f"tcp://127.0.0.1:{_free_port()}"))
    assert time.monotonic() - begun < 3 * cluster.CONNECT_S


def test_an_address_that_is_none_is_told(quick: StudySetup, tmp_path: Path) -> None:
    """Nonsense is refused like an unreachable address."""
    with pytest.raises(ClusterTrouble, match="can't be reached"):
        run_study(quick, tmp_path, place=Place(cluster="nonsense://here"))


def test_without_the_extra_the_hint_says_how_to_get_it(quick: StudySetup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cluster needs an optional package."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"stakd\[cluster\]"):
        run_study(quick, tmp_path, place=Place(cluster="tcp://127.0.0.1:1"))


class _cluster:  # noqa: N801 - used like a function
    """A scheduler and two workers in processes of their own, on loopback."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._children: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> tuple[str, list[subprocess.Popen[bytes]]]:
        address = f"tcp://127.0.0.1:{_free_port()}"
        self._start("scheduler", "--host", address, "--no-dashboard", "--no-show")
        for name in ("a", "b"):
            self._start(
                "worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", name, "--local-directory", str(self._folder / name)
            )
        self._wait_for_workers(address)
        return address, self._children[1:]

    def __exit__(self, *_: object) -> None:
        for child in self._children:
            child.kill()
            child.wait(timeout=20)

    def _start(self, *words: str) -> None:
        command = [sys.executable, "-m", "dask", *words]
        self._children.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def _wait_for_workers(self, address: str) -> None:
        from distributed import Client

        with Client(address, timeout=30, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)


def _free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(happened: Callable[[], bool], child: subprocess.Popen[Any], seconds: float = 60.0) -> None:
    """Wait until something has happened; the child must live until then."""
    end = time.monotonic() + seconds
    while not happened():
        assert child.poll() is None, "the study ended early"
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.05)
