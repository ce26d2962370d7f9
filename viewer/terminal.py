"""The terminal: where commands print, and how the program ends there."""

from __future__ import annotations

import atexit
import errno
import io
import json
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

from rich.console import Console

from meshes.errors import StakdError, harmless

STDOUT = Console(highlight=False, soft_wrap=True, markup=False)
STDERR = Console(stderr=True, highlight=False, soft_wrap=True, markup=False)

_CLOSED_PIPE = 141
"""What a shell calls a program that died because its reader had gone."""
_INTERRUPTED = 130
"""…or by Ctrl-C."""


def run_quietly(app: Callable[[], object]) -> None:
    """Run the command line; every error of ours is one message on standard error and its exit status, and a reader that has gone is no error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # a terminal that can't show a letter shows a question mark instead
            stream.reconfigure(errors="replace")
    try:
        try:
            with _ctrl_c_heeded():
                app()
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except SystemExit as error:
        # typer leaves with the status of an answer that is no when its reader has gone
        if isinstance(error.__context__, OSError) and error.__context__.errno == errno.EPIPE:
            _leave_without_output(_CLOSED_PIPE)
        raise
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except StakdError as error:
        STDERR.print(f"stakd: {harmless(error)}")
        sys.exit(error.exit_status)
    except OSError as error:
        if error.errno == errno.EPIPE:
            _leave_without_output(_CLOSED_PIPE)
        what = "the output can't be written" if error.filename is None else f"{error.filename} can't be used"
        STDERR.print(f"stakd: {harmless(what)}: {error.strerror}")
        _leave_without_output(2)


def print_json(value: object) -> None:
    """One JSON value, for programs."""
    print(json.dumps(value))


def report(written: dict[str, Any], as_json: bool) -> None:
    """What a command has written, a line each, or as JSON."""
    if as_json:
        print_json(written)
    else:
        for key, value in written.items():
            STDOUT.print(f"{key}: {value}")


@contextmanager
def _ctrl_c_heeded() -> Iterator[None]:
    """Ctrl-C works while modules load, too."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupt(_: int, frame: FrameType | None) -> None:
    """While modules load the program ends at once: libraries catch whatever happens in what they import on trial, and go on without it."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            # nothing clears up by itself: processes would live on, deaf, temporary files stay, and the terminal keep its cursor hidden
            for child in multiprocessing.active_children():
                child.terminate()
            atexit._run_exitfuncs()
            STDERR.show_cursor(True)
            os._exit(_INTERRUPTED)
        frame = frame.f_back
    raise KeyboardInterrupt


def _leave_without_output(status: int) -> NoReturn:
    """End, with what is still to be written pointed nowhere, so that Python's own flush stays quiet."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(status)
