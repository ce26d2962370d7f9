"""Saving a match after every act without making anybody wait; what can't be saved is told, and play goes on."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Generic

from games.sealing import ActT, SealedWriter
from meshes.files import write_atomically


class Autosave(Generic[ActT]):
    """Keeps the record at `path` up to date, in a thread of its own. `close` waits until the last state is on disk."""

    def __init__(self, writer: SealedWriter[ActT], path: Path) -> None:
        self._path = path
        self._writer = writer
        self._thread = ThreadPoolExecutor(1, "autosave")
        self._saving: list[Future[None]] = []

    def save(self, acts: Sequence[ActT]) -> None:
        """Save the match after `acts`; older states that still wait are left out."""
        for waiting in self._saving:
            waiting.cancel()
        self._saving.append(self._thread.submit(self._write, tuple(acts)))

    def problems(self) -> list[str]:
        """What went wrong since the last call, in words."""
        done = [future for future in self._saving if future.done()]
        self._saving = [future for future in self._saving if not future.done()]
        return [f"The match could not be saved: {error}" for future in done if not future.cancelled() and (error := future.exception())]

    def close(self) -> list[str]:
        """Finish saving; what went wrong since `problems` was last asked."""
        self._thread.shutdown(wait=True)
        return self.problems()

    def _write(self, acts: Sequence[ActT]) -> None:
        write_atomically(self._path, self._writer.text(acts).encode())
