"""The replay page and the fall's panel, used by clicks and keys."""

from __future__ import annotations

import sys
import time
import types
from pathlib import Path

import moderngl
import pytest
import trimesh

from games.match import Match
from games.record import save_record
from tests.viewer.driver import HeadlessDriver
from tests.viewer.told_match import LOSS_S, told_match
from viewer.exporting import Exporter, PictureOrder
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.item_buffer import placed_corners
from viewer.playback import LEAD_S
from viewer.program import Program
from viewer.screens.fall_replay import CARRIER_GOLD, FIRST_RED, FallReplay, without_cells
from viewer.screens.replay import ReplayPage, open_replay
from viewer.screens.screen import Key, Screen
from viewer.screens.table_view import TableView


@pytest.fixture
def match() -> Match:
    """The match made by hand: a fall in act 4 of 5."""
    return told_match()


@pytest.fixture
def page(program: Program, match: Match) -> ReplayPage:
    """Its replay over an empty page."""
    program.open(Screen(program))
    program.open(page := ReplayPage(program, match))
    page.margins.close()
    return page


@pytest.fixture
def hand(program: Program, page: ReplayPage) -> HeadlessDriver:
    """The hand that uses it, in the smallest window."""
    return HeadlessDriver(program, (960, 600))


def test_space_plays_and_pauses(hand: HeadlessDriver, page: ReplayPage) -> None:
    """Space and the button play and pause; while it plays, time goes on as the clock does."""
    hand.key("space")
    before = page.playback.position
    hand.frame(10, seconds=0.02)
    assert page.playback.position - before == pytest.approx(0.2)
    hand.click("replay/play")
    standing = page.playback.position
    hand.frame(5)
    assert page.playback.position == standing
    assert not page.busy


def test_acts_are_stepped_through_and_chosen(hand: HeadlessDriver, page: ReplayPage) -> None:
    """Keys, buttons and the list of acts all go to the end of an act; choosing a fall plays it."""
    hand.key("period")
    hand.click("replay/next")
    hand.key("right", shift=True)
    assert page.playback.act == 3
    hand.key("comma")
    hand.click("replay/previous")
    assert page.playback.act == 1
    assert hand.enabled("replay/previous")
    hand.key("left", shift=True)
    assert page.playback.act == 0
    hand.frame()
    assert not hand.enabled("replay/previous")
    hand.click("replay/act/3")
    assert (page.playback.act, page.playback.playing) == (3, False)
    hand.click("replay/act/4")
    assert (page.playback.act, page.playback.playing) == (4, True)


def test_dragging_the_time_line_scrubs(hand: HeadlessDriver, page: ReplayPage) -> None:
    """The moment under the pointer is seen, from the first to the last."""
    box = hand.box("replay/time")
    hand.drag((box.x + 0.2 * box.w, box.y + 8), (box.x + 0.5 * box.w, box.y + 8))
    assert page.playback.position == pytest.approx(0.5 * page.playback.length, rel=0.01)
    hand.drag((box.x + 0.2 * box.w, box.y + 8), (box.right + 50, box.y + 8))
    assert page.playback.position == page.playback.length


def test_speed_slider_catches_round_speeds(hand: HeadlessDriver, page: ReplayPage) -> None:
    """The slider's ends are the least and the greatest speed, and real time is easily hit."""
    slider = hand.box("replay/speed")
    hand.click("replay/speed", at=(0.0, 0.5))
    assert page.playback.speed == 0.05
    hand.click("replay/speed", at=(0.999, 0.5))
    assert page.playback.speed == 2.0
    hand.click("replay/speed", at=((9 + 0.81 * (slider.w - 18)) / slider.w, 0.5))
    assert page.playback.speed == 1.0


def test_falls_are_marked_and_watched(hand: HeadlessDriver, page: ReplayPage) -> None:
    """The mark on the time line, the button and J go to shortly before the first support was lost; the piece that fell first glows."""
    begin = page.playback.spans[3].start + LOSS_S - LEAD_S
    for go in (lambda: hand.click("replay/fall/4"), lambda: hand.click("replay/fall"), lambda: hand.key("j")):
        page.playback.jump(0)
        hand.frame()
        go()
        assert page.playback.playing
        assert begin <= page.playback.position < begin + 0.2
    assert page._items()[0].highlight == FIRST_RED


def test_camera_keys_look_from_other_sides(hand: HeadlessDriver, page: ReplayPage) -> None:
    """1 looks from above, 2 from the front, 3 as at first, F at the piece of the act; a drag turns."""
    orbit = page._view.orbit
    hand.frame()
    home = orbit.goal
    hand.key("1")
    assert orbit.goal.elevation_deg == 90
    hand.key("2")
    assert orbit.goal.elevation_deg < 10
    hand.key("3")
    assert orbit.goal.azimuth_deg == home.azimuth_deg
    page.playback.jump(3)
    hand.key("f")
    assert orbit.goal.distance_mm < home.distance_mm
    hand.drag((300, 200), (380, 200))
    assert orbit.goal.azimuth_deg != home.azimuth_deg


def test_arrows_turn_the_view_and_move_no_focus(hand: HeadlessDriver, page: ReplayPage) -> None:
    """An arrow looks around the tower and nothing else; after Tab it moves the focus and the view stays."""
    orbit = page._view.orbit
    before = orbit.goal
    hand.key("right")
    hand.frame(20)
    turned = orbit.goal
    assert turned.azimuth_deg != before.azimuth_deg
    assert not hand.program.gui.navigating
    hand.key("tab")
    hand.key("right")
    hand.frame(20)
    assert hand.program.gui.navigating
    assert orbit.goal == turned


def test_plays_on_from_where_nothing_has_fallen(
    hand: HeadlessDriver, page: ReplayPage, program: Program, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match goes on from the acts that are over at that moment; after a fall the button says why it can't."""
    asked = []

    def continue_from(program: Program, match: Match, number: int) -> Screen:
        asked.append((match, number))
        return Screen(program)

    table = types.ModuleType("viewer.screens.table")
    table.TablePage = types.SimpleNamespace(continue_from=continue_from)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "viewer.screens.table", table)
    page.playback.jump(4)
    hand.frame()
    assert not hand.enabled("replay/continue")
    page.playback.seek(page.playback.spans[2].start + 0.5)
    hand.frame()
    hand.click("replay/continue")
    assert asked == [(match, 2)]
    assert program.screen is not page


def test_saves_a_model_by_the_menu(hand: HeadlessDriver, page: ReplayPage, home: Path, told: list[str]) -> None:
    """Save… opens a menu; STL writes the tower beside the window, and its path is told. Escape and a press beside it close the menu."""
    hand.click("save")
    assert {"save/png", "save/glb", "save/stl", "save/3mf", "save/film0/gif", "save/film0/mp4"} <= hand.names
    assert not hand.enabled("save/stl"), "nothing lies on the table yet"
    hand.key("escape")
    assert "save/png" not in hand.names
    page.playback.jump(3)
    hand.click("save")
    hand.click_at(300, 200)
    assert "save/png" not in hand.names
    hand.click("save")
    assert hand.enabled("save/stl")
    hand.click("save/stl")
    assert "save/cancel" in hand.names
    _wait(hand, page)
    (path,) = (home / "pictures").iterdir()
    assert told == [f"Saved as {path}"]
    assert trimesh.load_mesh(path).extents[2] == pytest.approx(page.match.setup.piece_set.thickness_mm, abs=1e-3)


def test_pictures_show_what_is_seen_beside_the_panels(hand: HeadlessDriver, page: ReplayPage, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a saved picture the tower is in the middle, from the side it is seen from, in high definition."""
    orders: list[PictureOrder] = []
    monkeypatch.setattr(Exporter, "start", lambda exporter, order: orders.append(order))
    page.playback.jump(3)
    page._view.fly_fitted(page.playback.tower(), 0.0)
    hand.click("save")
    hand.click("save/png")
    (order,) = orders
    assert order.size == (1920, 1080)
    assert order.camera.azimuth_deg == page._view.orbit.camera.azimuth_deg
    corners = order.camera.project(placed_corners(order.piece_set, order.items), order.size)
    assert (corners.min(axis=0) > 0).all()
    assert (corners.max(axis=0) < order.size).all()
    assert (corners.min(axis=0) + corners.max(axis=0)) / 2 == pytest.approx([960, 540], abs=60)


def test_saving_can_be_cancelled(hand: HeadlessDriver, page: ReplayPage, home: Path, told: list[str]) -> None:
    """A film of the whole match is dropped by the button in its bar."""
    page.playback.jump(3)
    hand.click("save")
    hand.click("save/film1/gif")
    hand.click("save/cancel")
    assert not page.menu.busy
    assert told == ["Not saved."]
    assert not list((home / "pictures").iterdir())


def test_another_window_size_keeps_the_tower_in_sight(hand: HeadlessDriver, page: ReplayPage) -> None:
    """The camera is fitted to a resized window, unless somebody has moved it."""
    small = page._view.orbit.goal
    hand.resize((1280, 720))
    assert page._view.orbit.goal != small
    hand.move(300, 200)
    hand.scroll(2)
    nearer = page._view.orbit.goal
    hand.resize((960, 600))
    assert page._view.orbit.goal == nearer


def test_landing_pieces_are_heard(hand: HeadlessDriver, page: ReplayPage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay clacks where a piece came down; a table on which all stands is silent."""
    heard: list[object] = []
    monkeypatch.setattr(page.program.sounds, "land", heard.extend)
    hand.key("space")
    hand.frame(14, seconds=0.05)
    assert page.playback.position > page.playback.spans[0].rest
    assert heard
    heard.clear()
    page.playback.watch(3)
    hand.frame(10, seconds=0.05)
    assert not heard


def test_damaged_or_empty_records_are_told(program: Program, told: list[str], tmp_path: Path, match: Match) -> None:
    """A record that can't be read, or holds no act yet, is named on the page one is on; a sound one opens."""
    program.open(first := Screen(program))
    (tmp_path / "bad.stakd").write_text("{}")
    open_replay(program, tmp_path / "bad.stakd")
    save_record(Match(match.setup), tmp_path / "new.stakd")
    open_replay(program, tmp_path / "new.stakd")
    assert program.screen is first
    assert len(told) == 2
    assert "bad.stakd" in told[0]
    assert "nothing has been laid" in told[1]
    save_record(told_match(falls=False), tmp_path / "good.stakd")
    open_replay(program, tmp_path / "good.stakd")
    assert isinstance(program.screen, ReplayPage)


def test_words_go_without_cells() -> None:
    """People read layers and pieces, not cell numbers."""
    assert without_cells("Ann adds a DUO on layer 1 (0,-1 1,-1), 0.4 mm off.") == "Ann adds a DUO on layer 1, 0.4 mm off."


class _FallPage(Screen):
    """A page that has nothing but the fall's panel, as the table page has it."""

    def __init__(self, program: Program, match: Match) -> None:
        super().__init__(program)
        self.view = TableView(program, match.setup.piece_set)
        self.fall = FallReplay(program, self.view, match, 4)

    @property
    def busy(self) -> bool:
        return self.fall.busy

    def update(self, seconds: float) -> bool:
        return self.fall.update(seconds)

    def draw(self, gui: Gui) -> None:
        self.view.free = Box(0, 0, gui.size[0] - 360, gui.size[1])
        self.fall.draw(gui, Box(gui.size[0] - 340, 40, 320, FallReplay.LEAST_HEIGHT))

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[moderngl.Texture | None, bool]:
        self.view.show(self.fall.items(), lit=self.fall.lit)
        return self.view.backdrop(size, now)

    def on_key(self, key: Key) -> bool:
        return self.fall.key(key)


def test_fall_panel_plays_scrubs_and_looks(program: Program, match: Match) -> None:
    """The panel plays by itself in slow motion, is scrubbed and stepped, and ends where the track does."""
    program.open(page := _FallPage(program, match))
    hand = HeadlessDriver(program, (960, 600))
    fall = page.fall.playback
    assert fall.playing
    hand.frame(4, seconds=0.1)
    assert 0.1 <= fall.position <= 0.12
    box = hand.box("fall/time")
    hand.click_at(box.x + 0.5 * (box.w - 62), box.y + 12)
    assert fall.position == pytest.approx(0.5 * fall.length, rel=0.02)
    assert not fall.playing
    before = fall.position
    hand.key("period")
    assert fall.position == pytest.approx(before + 1 / 30)
    hand.key("space")
    hand.until(lambda: not page.busy, seconds=0.1)
    assert fall.position == fall.length
    hand.click("fall/save")
    assert "fall/save/film0/mp4" in hand.names
    hand.key("escape")
    goal = page.view.orbit.goal
    hand.click("fall/look")
    assert page.view.orbit.goal != goal
    assert [item.highlight for item in page.fall.items()] == [FIRST_RED, None, None]
    assert CARRIER_GOLD != FIRST_RED


def _wait(hand: HeadlessDriver, page: ReplayPage) -> None:
    """Until a file is written, the window going on meanwhile."""
    begun = time.monotonic()
    while page.menu.busy:
        hand.program.tick(begun + time.monotonic())
        assert time.monotonic() - begun < 120, "it never ended"
        time.sleep(0.01)
