"""How the program ends in a terminal."""

from __future__ import annotations

import os
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


def test_ctrl_c_while_libraries_load_leaves_no_process_and_no_file(tmp_path: Path) -> None:
    """Helpers that have started already, and what they and their pool put aside, go with the program, and nothing is said of them."""
    (tmp_path / "library.py").write_text(LIBRARY)
    (tmp_path / "aside").mkdir()
    run = """
import signal, sys, tempfile
from games.processes import process_pool
from viewer.terminal import run_quietly
def work():
    with process_pool(1, if_lost="") as pool:
        pool.submit(tempfile.mkdtemp).result()
        import library
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.append(sys.argv[1])
run_quietly(work)
"""
    around = {**os.environ, "TMPDIR": str(tmp_path / "aside")}
    ended = subprocess.run([sys.executable, "-c", run, tmp_path], capture_output=True, text=True, check=False, env=around)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
    assert list((tmp_path / "aside").iterdir()) == []
