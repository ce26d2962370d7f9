"""Running a study: games are played wherever there is room, and each is written down as soon as it ends."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from games.processes import cores
from games.progress import progress_bar
from games.study.cluster import played_on_cluster
from games.study.journal import Journal
from games.study.result import GameResult
from games.study.setup import StudySetup, Task
from games.study.workers import played_here
from meshes.errors import StakdError


class Stopped(StakdError):
    """A study was interrupted; what is done is kept."""

    exit_status = 130
    """As a shell has it for what Ctrl-C ended."""

    def __init__(self, done: int, wanted: int, folder: Path) -> None:
        self.done, self.wanted, self.folder = done, wanted, folder
        super().__init__(f"stopped: {done} of {wanted} games are kept in {folder}; the same command with --resume goes on")


@dataclass(frozen=True, slots=True)
class Place:
    """Where to play: on so many processes of this machine (None: one a core), or on the cluster at `cluster`."""

    processes: int | None = None
    cluster: str | None = None


def run_study(
    setup: StudySetup, folder: Path, *, place: Place | None = None, resume: bool = False, console: Console | None = None
) -> list[GameResult]:
    """Play what is missing and give all games, in the order of their numbers.

    Raises `Stopped` when interrupted; the errors of `Journal`, of `StudySetup.check`, and of the cluster.
    """
    setup.check()
    with Journal(folder, setup, resume=resume) as journal:
        missing = [task for task in setup.tasks if task not in journal.results]
        _play(journal, setup, missing, place or Place(), console or Console(stderr=True), folder)
        return [journal.results[task] for task in setup.tasks]


def _play(journal: Journal, setup: StudySetup, missing: Sequence[Task], place: Place, console: Console, folder: Path) -> None:
    total = len(setup.tasks)
    known = total - len(missing)
    if not missing:
        return
    try:
        with progress_bar(console, "games") as report, closing(_played(setup, missing, place)) as played:
            report(known, total)
            for number, result in enumerate(played, known + 1):
                journal.add(result)
                report(number, total)
    except KeyboardInterrupt as error:
        raise Stopped(sum(task in journal.results for task in setup.tasks), total, folder) from error


def _played(setup: StudySetup, missing: Sequence[Task], place: Place) -> Generator[GameResult, None, None]:
    if place.cluster is not None:
        yield from played_on_cluster(setup, missing, place.cluster)
    else:
        yield from played_here(setup, missing, place.processes or cores())
