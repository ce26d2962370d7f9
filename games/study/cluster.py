"""Studies on a Dask cluster: the scheduler hands games to workers on any machines, and hands them out anew when a worker dies."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from importlib import import_module
from itertools import islice
from typing import Any

from games.study.game import play_game_text
from games.study.result import GameResult
from games.study.setup import StudySetup, Task
from meshes.errors import MissingExtra, StakdError

CONNECT_S = 5
"""So long a scheduler may take to answer."""
ALONE_S = 60
"""So long a cluster may be without any worker."""
_LOOK_S = 5
_AHEAD = 3
"""So many games a thread of the cluster are handed out ahead of time."""
_GONE = "has gone away; what is done is kept, go on with --resume"


class ClusterTrouble(StakdError):
    """The cluster can't be reached, or does not do its work."""

    def __init__(self, address: str, why: str) -> None:
        self.address = address
        super().__init__(f"the cluster at {address} {why}")


def played_on_cluster(setup: StudySetup, tasks: Sequence[Task], address: str) -> Generator[GameResult, None, None]:
    """Play `tasks` on the cluster whose scheduler is at `address` (`tcp://host:8786`); results come as they end.

    Workers need this program and the extra `cluster`; the piece sets go along as data. Raises `MissingExtra`, `ClusterTrouble`.
    """
    client = _connected(address)
    try:
        text = setup.text
        if not _workers(client):
            raise ClusterTrouble(address, f"has no workers; start one: dask worker {address}")
        yield from _through(client, address, text, tasks)
    finally:
        with suppress(Exception):  # the cluster may be gone already, and nothing hangs on a good-bye
            client.close(timeout=2)


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise MissingExtra("a study on a cluster", "distributed", "cluster") from error


def _connected(address: str) -> Any:
    client = _distributed().Client
    try:
        return client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise ClusterTrouble(address, f"can't be reached: {_first_line(error)}; is `dask scheduler` running there, and the port right?") from error


def _through(client: Any, address: str, text: str, tasks: Sequence[Task]) -> Generator[GameResult, None, None]:
    waiting = iter(tasks)
    running = _submitted(client, text, islice(waiting, max(2, _AHEAD * sum(_workers(client).values()))))
    alone = 0.0
    while running:
        done = _ended(client, running, address)
        running = [future for future in running if future not in done]
        running += _submitted(client, text, islice(waiting, len(done)))
        for future in done:
            yield GameResult.model_validate_json(_outcome(future, address))
        alone = 0.0 if done or client.status != "running" or _workers(client) else alone + _LOOK_S
        if client.status != "running":
            raise ClusterTrouble(address, _GONE)
        if alone >= ALONE_S:
            raise ClusterTrouble(address, f"has had no workers for {ALONE_S} s; start some and go on with --resume")


def _submitted(client: Any, text: str, tasks: Iterable[Task]) -> list[Any]:
    # impure: named anew by each client, as a game of an earlier study of the same name must not be taken for one of this
    return [client.submit(play_game_text, text, tuple(task), pure=False) for task in tasks]


def _ended(client: Any, running: Sequence[Any], address: str) -> set[Any]:
    """The games that have ended; none if none did for a while."""
    try:
        with client.as_current():
            return set(_distributed().wait(running, timeout=_LOOK_S, return_when="FIRST_COMPLETED").done)
    except TimeoutError:
        return set()
    except CancelledError as error:
        raise ClusterTrouble(address, _GONE) from error


def _outcome(future: Any, address: str) -> str:
    try:
        text: str = future.result()
    except CancelledError as error:
        raise ClusterTrouble(address, _GONE) from error
    except _distributed().KilledWorker as error:
        raise ClusterTrouble(address, "lost worker after worker over one game; look at their logs, then go on with --resume") from error
    except StakdError:
        raise
    except Exception as error:  # whatever a foreign machine may raise
        raise ClusterTrouble(address, f"can't play: {_first_line(error)}; is the same stakd installed on every worker?") from error
    return text


def _workers(client: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.nthreads()
    return found


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).strip().splitlines()[0]
