"""The page of settings, by clicks and keys."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.viewer.driver import HeadlessDriver
from viewer.program import Program
from viewer.screens.settings import SettingsPage
from viewer.settings import FILE_NAME, Placing, Settings, load_settings


@pytest.fixture
def driver(program: Program) -> HeadlessDriver:
    """The page, open over another."""
    program.open(SettingsPage(program))
    program.open(SettingsPage(program))
    return HeadlessDriver(program, (240, 150), ratio=0.25)


def kept(home: Path) -> dict[str, Any]:
    """What the settings file says."""
    table: dict[str, Any] = json.loads((home / FILE_NAME).read_text("utf8"))
    return table


@pytest.mark.parametrize("field", ["full_screen", "reduced_motion", "muted", "show_legal", "show_margins"])
def test_each_switch_is_kept(driver: HeadlessDriver, home: Path, field: str) -> None:
    """A switch counts at once and is on disk at once; a second click puts it back."""
    driver.click(f"settings/{field}")
    assert getattr(driver.program.settings, field)
    assert kept(home)[field] is True
    driver.click(f"settings/{field}", at=(0.1, 0.5))
    assert kept(home)[field] is False


def test_full_screen_reaches_the_window(driver: HeadlessDriver) -> None:
    """The window asks the program whether it is to fill the screen."""
    driver.click("settings/full_screen")
    assert driver.program.full_screen


@pytest.mark.parametrize(
    ("field", "least", "most"), [("volume", 0.0, 1.0), ("camera_speed", 0.25, 4.0), ("animation_speed", 0.25, 4.0), ("ui_scale", 100, 200)]
)
def test_each_slider_reaches_its_ends(driver: HeadlessDriver, home: Path, field: str, least: float, most: float) -> None:
    """Sliders can be drawn to both ends, even beyond them, and are kept when let go."""
    driver.resize((480, 300))
    for end, far in ((most, 3.0), (least, -3.0)):
        box = driver.box(f"settings/{field}")
        driver.drag(box.middle, (box.x + (0.5 + far) * box.w, box.y + 300))
        assert kept(home)[field] == pytest.approx(end)
        assert getattr(driver.program.settings, field) == pytest.approx(end)


def test_scale_waits_for_the_hand(driver: HeadlessDriver, home: Path) -> None:
    """While the size of the panels is drawn nothing moves under the pointer, nor is anything written; let go, it counts."""
    driver.resize((480, 300))
    box = driver.box("settings/ui_scale")
    driver.move(*box.middle)
    driver.press()
    driver.move(box.right - 9, box.middle[1])
    assert (driver.program.scale, driver.program.settings.ui_scale) == (0.25, 100)
    assert not (home / FILE_NAME).exists()
    driver.release()
    assert driver.program.scale == 0.5
    assert kept(home)["ui_scale"] == 200


def test_volume_is_heard_while_drawn(driver: HeadlessDriver) -> None:
    """The loudness follows the slider before it is let go."""
    box = driver.box("settings/volume")
    driver.move(*box.middle)
    driver.press()
    assert driver.program.sounds.volume == pytest.approx(0.5)
    driver.release()
    assert driver.program.settings.volume == pytest.approx(0.5)


def test_placing(driver: HeadlessDriver, home: Path) -> None:
    """Board or hand can be chosen."""
    driver.click("settings/placing/1")
    assert driver.program.settings.placing is Placing.HAND
    assert kept(home)["placing"] == "hand"


def test_name_is_kept_once_it_is_one(driver: HeadlessDriver, home: Path) -> None:
    """A name counts when typed to its end; an empty or endless one leaves the old."""
    driver.write("settings/player_name", "  Zoë ")
    assert kept(home)["player_name"] == "Zoë"
    for wrong in ("", "   ", "x" * 41):
        driver.write("settings/player_name", wrong)
        assert driver.program.settings.player_name == "Zoë"
    driver.click("settings/player_name")
    driver.key("a", ctrl=True)
    driver.type("Ann")
    driver.key("escape")
    driver.click("settings/back")
    assert load_settings(home)[0] == driver.program.settings


def test_name_half_typed_counts_when_the_page_is_left(driver: HeadlessDriver, home: Path) -> None:
    """Leaving the page in the middle of a name keeps it."""
    driver.click("settings/player_name")
    driver.key("a", ctrl=True)
    driver.type("Ann")
    driver.program.back()
    assert kept(home)["player_name"] == "Ann"


def test_lessons_again(driver: HeadlessDriver, home: Path, told: list[str]) -> None:
    """The lessons can be begun anew."""
    driver.program.change(learned=frozenset({"base"}), first_start=False)
    driver.click("settings/lessons")
    assert (kept(home)["learned"], kept(home)["first_start"]) == ([], True)
    assert told


def test_usual_settings_ask_first(program: Program, home: Path) -> None:
    """Going back to the usual settings asks, can be called off by button and Escape, and spares name and lessons."""
    mine = Settings(muted=True, show_legal=True, placing=Placing.HAND, camera_speed=2.0, player_name="Zoë", learned=frozenset({"base"}))
    program.settings = mine
    program.open(SettingsPage(program))
    driver = HeadlessDriver(program)
    driver.click("settings/usual")
    driver.click("settings/usual/no")
    assert driver.program.settings == mine
    driver.click("settings/usual")
    assert "settings/back" not in driver.names
    driver.key("escape")
    assert "settings/back" in driver.names
    driver.click("settings/usual")
    driver.click("settings/usual/yes")
    assert driver.program.settings == Settings(player_name="Zoë", learned=frozenset({"base"}))
    assert load_settings(home)[0] == driver.program.settings


def test_keyboard_alone(driver: HeadlessDriver) -> None:
    """Tab goes through every item and round again; Space turns a switch, arrows move a slider and stay on it, Enter leaves."""
    walk = []
    for _ in driver.names:
        driver.key("tab")
        walk.append(driver.program.gui.focused)
    assert set(walk) == driver.names
    before = driver.program.settings
    while driver.program.gui.focused != "settings/camera_speed":
        driver.key("tab")
    driver.key("right")
    assert driver.program.gui.focused == "settings/camera_speed"
    driver.key("space")
    driver.key("left")
    assert driver.program.settings == before
    driver.key("right")
    assert driver.program.settings.camera_speed > 1
    while driver.program.gui.focused != "settings/muted":
        driver.key("tab")
    driver.key("space")
    assert driver.program.settings.muted
    page = driver.program.screen
    while driver.program.gui.focused != "settings/back":
        driver.key("tab")
    driver.key("enter")
    assert driver.program.screen is not page


def test_saving_fails(driver: HeadlessDriver, home: Path, told: list[str]) -> None:
    """Where nothing can be written the change still counts, and the user is told that it will not last."""
    driver.program.folder = home / "file" / "below"
    (home / "file").write_text("")
    driver.click("settings/muted")
    assert driver.program.settings.muted
    assert "not kept" in told[0]


@pytest.mark.parametrize("size", [(960, 600), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("scale", [100, 150, 200])
def test_everything_has_its_place(program: Program, size: tuple[int, int], scale: int) -> None:
    """At all sizes and scales every item is within the window and none lies over another."""
    program.settings = replace(program.settings, ui_scale=scale)
    program.open(SettingsPage(program))
    HeadlessDriver(program, (size[0] // 4, size[1] // 4), ratio=0.25).check_places()
