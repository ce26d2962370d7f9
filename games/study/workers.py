"""Where the games of a study are played: in this process, in processes of this machine, or on a Dask cluster. All give the same results."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice

from games.processes import process_pool
from games.study.game import play_game, play_game_text
from games.study.result import GameResult
from games.study.setup import StudySetup, Task

WAITING = 3
"""So many games a process are handed out ahead of time."""


def played_here(setup: StudySetup, tasks: Sequence[Task], processes: int) -> Generator[GameResult, None, None]:
    """Play `tasks` on this machine; results come as they end. Closing the iterator, or an error, ends the processes at once."""
    if processes == 1 or len(tasks) == 1:
        for task in tasks:
            yield play_game(setup, task)
        return
    text = setup.text
    with process_pool(min(processes, len(tasks)), if_lost="what is done is kept, go on with --resume") as pool:
        yield from _through(pool, text, tasks, processes * WAITING)


def _through(pool: ProcessPoolExecutor, text: str, tasks: Sequence[Task], ahead: int) -> Generator[GameResult, None, None]:
    waiting = iter(tasks)
    running: set[Future[str]] = {pool.submit(play_game_text, text, task) for task in islice(waiting, ahead)}
    while running:
        done, running = wait(running, return_when=FIRST_COMPLETED)
        running |= {pool.submit(play_game_text, text, task) for task in islice(waiting, len(done))}
        for future in done:
            yield GameResult.model_validate_json(future.result())
