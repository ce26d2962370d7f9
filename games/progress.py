"""Progress bars for long work on the command line."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

_LINE_S = 10.0


@contextmanager
def progress_bar(console: Console, what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar that is gone when the work is done, or a line at most every ten seconds where the console is no terminal. Call what it gives with done
    and total."""
    if not console.is_terminal:
        yield _lines(console, what)
        return
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def _lines(console: Console, what: str) -> Callable[[int, int], None]:
    """Tells how far the work is, for log files."""
    told_s = time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal told_s
        if time.monotonic() - told_s >= _LINE_S:
            told_s = time.monotonic()
            console.print(f"{what}: {done} of {total}", highlight=False)

    return tell
