"""Is the program with its real window quick, quiet and frugal? Software OpenGL on two cores, 66 pieces, 1280 × 720; Linux with Xvfb."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import TYPE_CHECKING

import moderngl

from bench.finding import Benchmark, Finding, at_most
from bench.towers import full_tower
from games.match import Match, MatchSetup, Seat
from meshes.cache import HOME_VARIABLE
from viewer.items import tower_items
from viewer.launch import open_window
from viewer.screens.table import TablePage

if TYPE_CHECKING:
    from viewer.window import Window

PIECES, SMOKE_PIECES = 66, 10
FIRST_S, MOVING_MS, CAMERA_MS, REST_S, IDLE_SHARE, INPUT_FRAMES, GROWTH_MB = 1.5, 50.0, 35.0, 3.0, 0.05, 2, 20.0
CHANGES = 6000
"""Ten minutes of panels that change ten times a second."""
_PATIENCE_S = 60.0
_FIRST = """
import os, sys, stakd
from viewer import launch
def run(first=None):
    window = launch.open_window(first)
    window.set_visible(True)
    while not window.frames:
        window.step(0.5)
    os._exit(0)
launch.run_program = run
sys.argv = ["stakd"]
stakd.main()
"""


def program_speed(smoke: bool) -> Iterator[Finding]:
    """From the start to the first frame; then frames, idleness and memory of a table, in a process of its own."""
    with _display() as home, ProcessPoolExecutor(1, mp_context=get_context("spawn")) as child:
        yield at_most("from start to first frame", statistics.median(_first_frame_s(home) for _ in range(1 if smoke else 5)), "s", FIRST_S)
        yield from child.submit(_table_findings, smoke).result()


@contextmanager
def _display() -> Iterator[str]:
    """A screen and a home of one's own, in the environment while the block lasts."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1920x1080x24", "-noreset", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    before = dict(os.environ)
    try:
        with os.fdopen(read) as number, tempfile.TemporaryDirectory() as home:
            (Path(home) / "settings.json").write_text('{"first_start": false, "muted": true}')
            os.environ.update(DISPLAY=f":{number.readline().strip()}", **{HOME_VARIABLE: home})
            yield home
    finally:
        os.environ.clear()
        os.environ.update(before)
        server.terminate()
        server.wait()


def _first_frame_s(home: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", _FIRST], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


class _Shaken(TablePage):
    """A table whose pieces all move a little in each frame, while `shaking`."""

    shaking = False

    def update(self, seconds: float) -> bool:
        return super().update(seconds) or self.shaking

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[moderngl.Texture | None, bool]:
        if self.shaking:
            items = tower_items(self.play.tower)
            self.view.show([replace(item, pose=replace(item.pose, z=item.pose.z + time.perf_counter() % 1)) for item in items])
        return super().backdrop(size, now)


def _table_findings(smoke: bool) -> list[Finding]:
    tower = full_tower(SMOKE_PIECES if smoke else PIECES, 349)
    match = Match(MatchSetup(tower.piece_set, (Seat("Ada"),), 1))
    for laid in tower.laid:
        match.place(laid.placement)
    window = open_window(lambda program: _Shaken(program, match.setup, match=match))
    window.set_visible(True)
    page = window.program.screen
    assert isinstance(page, _Shaken)
    _rest(window)
    if "summary/look" in window.program.gui.items:  # with all pieces laid the match is over
        _press(window, "summary/look")
    frames = 10 if smoke else 90

    def turn() -> None:
        page.view.orbit.turn(4.0, 0.0)
        window.program.wake()

    found = [at_most("camera moving", _frame_ms(window, turn, frames), "ms", CAMERA_MS)]
    page.shaking = True
    found.append(at_most("all pieces moving", _frame_ms(window, window.program.wake, frames), "ms", MOVING_MS))
    page.shaking = False
    page.scene.forget()
    window.program.wake()
    found.append(at_most("from rest to full quality", _rest(window), "s", REST_S))
    found.append(at_most("frames until an input is seen", _input_frames(window), "frames", INPUT_FRAMES))
    _rest(window)
    share, drawn = _idle(window, 1.0 if smoke else 8.0)
    found.append(at_most("share of a core while nothing happens", share, "", IDLE_SHARE))
    found.append(at_most("frames drawn while nothing happens", drawn, "frames", 0))
    found.append(at_most("memory after ten minutes of changing panels", _growth_mb(window, 60 if smoke else CHANGES), "MB more", GROWTH_MB))
    window.close()
    return found


def _frame_ms(window: Window, change: Callable[[], object], frames: int) -> float:
    took = []
    for _ in range(frames):
        change()
        start, before = time.perf_counter(), window.frames
        while window.frames == before:
            window.step()
        took.append(1000 * (time.perf_counter() - start))
    return statistics.median(took[frames // 3 :])


def _rest(window: Window) -> float:
    """Go on until nothing more is to be drawn; gives how long that took, s."""
    start = time.perf_counter()
    while window.program.patience == 0.0 or window.program.screen.busy or window.program.tick(time.perf_counter()):
        window.step(0.05)
        if time.perf_counter() - start > _PATIENCE_S:
            raise RuntimeError("the window never comes to rest")
    return time.perf_counter() - start


def _press(window: Window, name: str) -> None:
    """Click an item."""
    program = window.program
    program.on_move(*(place * program.scale for place in program.gui.items[name].box.middle))
    for down in (True, False):
        window.step()
        program.on_button("left", down)
    _rest(window)


def _input_frames(window: Window) -> int:
    """How many frames pass until a button under the pointer looks otherwise: the slowest of a few."""
    program, slowest = window.program, 0
    for name in ("table/menu", "view/top", "view/front", "table/menu"):
        before, box, start = _seen(), program.gui.items[name].box, window.frames
        program.on_move(box.middle[0] * program.scale, box.middle[1] * program.scale)
        while _seen() == before and window.frames - start < 10:
            window.step()
        slowest = max(slowest, window.frames - start)
        _rest(window)
    return slowest


def _seen() -> bytes:
    from pyglet.image import get_buffer_manager

    image = get_buffer_manager().get_color_buffer().get_image_data()  # type: ignore[no-untyped-call]
    return bytes(image.get_data("RGB", 3 * image.width))


def _idle(window: Window, seconds: float) -> tuple[float, int]:
    """Share of a core that window and worker use, and frames drawn."""
    start, frames, used = time.perf_counter(), window.frames, _used_s()
    while time.perf_counter() - start < seconds:
        window.step(0.5)
    return (_used_s() - used) / (time.perf_counter() - start), window.frames - frames


def _used_s() -> float:
    """Processor time of this process and its children."""
    ticks = os.sysconf("SC_CLK_TCK")
    stats = [Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split() for child in active_children()]
    return time.process_time() + sum(int(stat[11]) + int(stat[12]) for stat in stats) / ticks


def _growth_mb(window: Window, changes: int) -> float:
    """How much more memory is held after so many changes of what the panels say."""

    def say(number: int) -> None:
        window.program._toasts = []
        window.program.tell(f"Change {number}: {number * 7919 % 10007} of 10007")
        window.step()

    for number in range(max(10, changes // 10)):
        say(number)
    before = _resident_mb()
    for number in range(changes):
        say(number)
    return max(0.0, _resident_mb() - before)


def _resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


BENCHMARKS = (Benchmark("window", "Is the program with its real window quick, quiet and frugal?", program_speed),)
