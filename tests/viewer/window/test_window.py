"""The real window: sizes, fine screens, closing, being killed, and what is missing around it."""

from __future__ import annotations

import colorsys
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from games.record import load_record
from meshes.piece_set import load_piece_set
from tests.viewer.window.hand import PATIENCE_S, ROOT, Hand, environment, program_window
from tests.viewer.xserver import XServer, x_server

TOWER = "tests.viewer.window.pages:high_tower"


def test_sizes(server: XServer, home: Path) -> None:
    """The smallest window, a large one and the full screen are filled, items are hit in each, the window manager's cross ends the program, and the
    next window opens as large."""
    with program_window(server, home, TOWER) as hand:
        hand.until("ready(page)")
        for width, height in ((960, 600), (1920, 1080)):
            hand.resize(width, height)
            _filled(hand, width, height)
        hand.key("f11")
        _filled(hand, 1920, 1080)
        assert hand.ask("program.settings.full_screen")
        hand.key("f11")
        assert not hand.ask("program.settings.full_screen or window.fullscreen")
        hand.resize(1100, 650)
        _filled(hand, 1100, 650)
        server.ask_to_close(hand.ask("window._window"))
        assert hand.ended() == (0, "")
    assert json.loads((home / "settings.json").read_text())["window_size"] == [1100, 650]


def _filled(hand: Hand, width: int, height: int) -> None:
    hand.until(f"gui.size == ({width}, {height})")
    hand.click("table/menu")
    hand.click("menu/on")
    corners = [hand.server.look(x, y, 8, 8).mean() for x in (0, width - 8) for y in (0, height - 8)]
    assert min(corners) > 1, "a corner was not drawn"


@pytest.mark.parametrize("dpi", [120, 192])
def test_fine_screens(dpi: int, home: Path) -> None:
    """At 125 % and 200 % panels are as large as they should be, and what is seen under the pointer is what a click there picks."""
    with x_server(size=(2560, 1440), dpi=dpi) as server, program_window(server, home, TOWER) as hand:
        hand.until("ready(page)")
        assert hand.ask("program.scale") == dpi / 96
        assert hand.ask("window.get_framebuffer_size()") == (1280 * dpi // 96, 720 * dpi // 96)
        hand.key("t")
        hand.until("ready(page)")
        for piece, (x, y) in hand.ask("top_nodes(page)"):
            hand.move(x, y)
            seen = hand.ask("page.view.pick(page.grasp.pointer).id")
            assert hand.ask(f"play.tower.piece_type({seen}).name") == piece
            assert _hue(server, round(x * dpi / 96), round(y * dpi / 96)) == pytest.approx(_own_hue(piece), abs=0.06)


def _hue(server: XServer, x: int, y: int) -> float:
    return colorsys.rgb_to_hsv(*server.look(x - 2, y - 2, 5, 5).reshape(-1, 3).mean(axis=0) / 255)[0]


def _own_hue(piece: str) -> float:
    return colorsys.rgb_to_hsv(*np.array(load_piece_set("classic").by_name[piece].colour) / 255)[0]


def test_killed_and_back(server: XServer, home: Path) -> None:
    """Killed while a piece is being laid, the match comes back with all acts before; the process that simulates goes too."""
    with program_window(server, home, "tests.viewer.window.pages:bots") as hand:
        hand.until("len(play.match.acts) >= 3 and play.phase.name == 'LAYING' and len(play.poses) > len(play.tower.laid)")
        acts, laid = hand.ask("len(play.match.acts), play.tower.laid")
        hand.process.kill()
        hand.ended()
        _gone(hand.process.pid)
    (path,) = (home / "matches").glob("*.stakd")
    assert len(load_record(path).acts) >= acts
    with program_window(server, home) as hand:
        hand.click("home/continue")
        hand.until("play is not None")
        assert hand.ask("play.tower.laid")[: len(laid)] == laid
        hand.until(f"len(play.match.acts) > {acts}")


def _gone(group: int) -> None:
    """Wait until no process of a group is left."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.killpg(group, signal.SIGKILL)
    raise AssertionError("processes are left behind")


def test_keyboard_alone(server: XServer, home: Path) -> None:
    """From home to a laid piece without a mouse; without a sound device it is silent, and damaged settings are set aside with a word."""
    (home / "settings.json").write_text("{ no settings")
    with program_window(server, home) as hand:
        hand.until("'damaged' in toasts(page)")
        assert (home / "settings.damaged-1.json").read_text() == "{ no settings"
        _go_to(hand, "home/play")
        hand.until("gui.focused == 'setup/start'")
        hand.key("enter")
        hand.until("type(page).__name__ == 'TablePage' and ready(page)")
        hand.key("1")
        hand.key("n")
        hand.until("page.ghost.legal")
        hand.key("enter")
        hand.until("[act.placement.piece for act in play.match.acts][:1] == ['BASE']")
        assert hand.ask("program.sounds.silent")


def _go_to(hand: Hand, item: str) -> None:
    """Tab to an item and press Enter."""
    for _ in range(12):
        if hand.ask("gui.focused") == item:
            hand.key("enter")
            return
        hand.key("tab")
    raise AssertionError(f"Tab never comes to {item}")


def test_wheel_and_modifiers(server: XServer, home: Path) -> None:
    """The wheel turns a piece, but with Ctrl held it zooms; once Ctrl is let go, or the keyboard is lost, it is held no longer."""
    with program_window(server, home, TOWER) as hand:
        hand.until("ready(page)")
        piece = hand.ask("first_legal(page)")
        hand.key(hand.ask(f"str([piece.name for piece in page.view.piece_set.pieces].index({piece!r}) + 1)"))
        hand.move(*hand.ask(f"legal_spot(page, {piece!r})[1]"))
        turns, distance = hand.ask("page.ghost.turns, page.view.orbit.camera.distance_mm")
        server.key("ctrl", True)
        hand.wheel(1)
        hand.until(f"page.view.orbit.goal.distance_mm < {distance}")
        assert hand.ask("page.ghost.turns") == turns
        server.key("ctrl", False)
        hand.shown()
        assert not hand.ask("held()")
        hand.wheel(1)
        assert hand.ask("page.ghost.turns") != turns
        server.key("shift", True)
        hand.shown()
        assert hand.ask("held()") == {"shift"}
        hand.ask("window.on_deactivate()")
        turned = hand.ask("page.view.orbit.goal.distance_mm, page.ghost.turns")
        hand.wheel(1)
        assert hand.ask("page.view.orbit.goal.distance_mm") == turned[0]
        assert hand.ask("page.ghost.turns") != turned[1]
        server.key("shift", False)


def test_nothing_to_draw_on(server: XServer, home: Path) -> None:
    """A window without a pixel, as some are when minimised, waits although something is to be drawn; it draws once it has some again."""
    with program_window(server, home) as hand:
        frames = hand.ask("minimise(window)")
        time.sleep(1.0)
        assert hand.ask("window.program.tick.calls") < 30
        assert hand.ask("window.frames") == frames
        hand.ask("window.__dict__.pop('get_framebuffer_size') and None")
        hand.until(f"window.frames > {frames}")


_TROUBLE = """
import signal
from viewer.casting import Casting
from viewer.launch import show_in_window
from viewer.screens.show import ShowPage

def update(page, seconds, update=ShowPage.update):
    return update(page, seconds) if not page._background._ready else {}

ShowPage.update = update
signal.signal(signal.SIGINT, signal.default_int_handler)
show_in_window(Casting.of(1))
"""
"""The demo, until its background is at work. A shell that runs the tests in the background has Ctrl-C ignored, and what they start inherits that."""


@pytest.mark.parametrize(("what", "told"), [("signal.raise_signal(signal.SIGINT)", "KeyboardInterrupt"), ("1 / 0", "ZeroDivisionError")])
def test_ends_tidily_whatever_happens(server: XServer, home: Path, what: str, told: str) -> None:
    """On Ctrl-C, or when something goes wrong in a page, pages are closed all the same: no process and no file stays behind."""
    (place := home / "tmp").mkdir()
    command = [sys.executable, "-c", _TROUBLE.format(what)]
    around = environment(server, home, TMPDIR=str(place))
    process = subprocess.Popen(command, cwd=ROOT, env=around, stderr=subprocess.PIPE, text=True, start_new_session=True)
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert errors.splitlines()[-1].startswith(told)
    assert not list(place.glob("stakd-*"))
    _gone(process.pid)


def _stakd(server: XServer | None, home: Path, **more: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "stakd"], cwd=ROOT, env=environment(server, home, **more), capture_output=True, text=True, timeout=PATIENCE_S
    )
    return done.returncode, done.stdout, done.stderr


def test_no_display(home: Path) -> None:
    """Without a display: one line, exit status 2."""
    status, out, errors = _stakd(None, home)
    assert (status, out, errors.count("\n")) == (2, "", 1)
    assert "display" in errors


def test_old_opengl(server: XServer, home: Path) -> None:
    """With OpenGL older than 3.3: one line that names the version found, exit status 2."""
    status, out, errors = _stakd(server, home, MESA_GL_VERSION_OVERRIDE="2.1")
    assert (status, out, errors.count("\n")) == (2, "", 1)
    assert "2.1" in errors


def test_light_start() -> None:
    """The first frame waits for no physics and no geometry: what home needs at first loads none of their libraries."""
    code = "import sys, viewer.launch, viewer.program, viewer.screens.home, viewer.sound; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert "viewer.program" in loaded
    assert not {"pybullet", "trimesh", "scipy", "shapely", "highspy", "games.match"} & set(loaded)
