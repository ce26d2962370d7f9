"""How the program ends in a terminal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

LIBRARY = """
import signal
try:
    signal.raise_signal(signal.SIGINT)
except BaseException:
    pass
"""
"""A module that imports something on trial while Ctrl-C comes."""
RUN = "from viewer.terminal import run_quietly; run_quietly(lambda: print(__import__('library')))"


def test_ctrl_c_ends_the_program_while_libraries_load(tmp_path: Path) -> None:
    """A library that catches whatever happens in what it imports does not keep the program alive, and nothing is said of it."""
    (tmp_path / "library.py").write_text(LIBRARY)
    run = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); sys.path.append(sys.argv[1]);" + RUN
    ended = subprocess.run([sys.executable, "-c", run, tmp_path], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
