"""A match of STAKD at the table, by clicks and keys. The background says only what a test lets it say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from games.background import ActDone, Background, Failed, Judged, Poses, Report
from games.judgement import PieceJudgement, TowerJudgement
from games.match import Match, MatchSetup, Seat
from games.play import Phase
from meshes.piece_set import load_piece_set
from meshes.placement import Placement
from physics.act import place_on_board
from physics.judge import judge
from physics.pose import as_array
from physics.statics import tower_stability
from physics.tower import exact_pose
from tests.viewer.driver import HeadlessDriver
from viewer.impacts import Impact
from viewer.program import Program
from viewer.screens.home import Home
from viewer.screens.table import TablePage
from viewer.settings import Placing

CLASSIC = load_piece_set("classic")


class QuietBackground(Background):
    """Keeps its books as ever, but no process works for it: what it hears is put into `reports`. `asked`: questions, oldest first."""

    def __init__(self, *, pace: float = 1.0) -> None:
        super().__init__(pace=pace)
        self.reports: list[Report] = []
        self.asked: list[tuple[int, str]] = []

    def start(self) -> None:
        """Nothing starts."""

    def poll(self) -> list[Report]:
        """What the test wants to be heard."""
        heard = [passed for report in self.reports for passed in self._heard(report)]
        self.reports.clear()
        return heard

    def judge_piece(self, *args: object, **more: object) -> int:
        """A question is noted."""
        return self._note("piece")

    def judge_tower(self, *args: object) -> int:
        """A question is noted."""
        return self._note("tower")

    def _note(self, kind: str) -> int:
        self.asked.append((next(self._numbers), kind))
        return self.asked[-1][0]


@dataclass
class Table:
    """A page with the hand that uses it."""

    program: Program
    page: TablePage
    hand: HeadlessDriver
    background: QuietBackground

    def hear(self, *reports: Report) -> None:
        """The background says something; it is seen."""
        self.background.reports += reports
        self.hand.frame()

    def spot(self, placement: Placement) -> tuple[float, float]:
        """Where the middle of a place is seen."""
        x, y = np.mean([CLASSIC.lattice.position(cell, CLASSIC.pitch_mm) for cell in placement.cells], axis=0)
        seen = self.page.view.project(np.array([[x, y, placement.layer * CLASSIC.thickness_mm]]))[0]
        return float(seen[0]), float(seen[1])

    def act_done(self, placement: Placement) -> ActDone:
        """A piece has been laid exactly."""
        job = self.background._job
        assert job is not None, "nothing is being laid"
        return ActDone(job.number, place_on_board(self.page.play.match.tower, placement))


def sit(program: Program, monkeypatch: pytest.MonkeyPatch, *bots: str | None, acts: int = 0) -> Table:
    """A table of Ada, Bo and Cy, None being a person, after so many acts that lay the first legal piece."""
    monkeypatch.setattr("viewer.screens.table.Background", QuietBackground)
    program.change(reduced_motion=True, placing=Placing.BOARD)
    match = Match(MatchSetup(CLASSIC, tuple(Seat(name, bot) for name, bot in zip(("Ada", "Bo", "Cy"), bots, strict=False)), 3))
    while len(match.acts) < acts:
        match.place(match.state.legal_moves()[0])
    page = TablePage(program, match.setup, match=match)
    program.open(page)
    hand = HeadlessDriver(program, (960, 600))
    hand.frame(3)
    background = page._background
    assert isinstance(background, QuietBackground)
    return Table(program, page, hand, background)


def answer(table: Table) -> Judged:
    """The true answer to the last question."""
    number, kind = table.background.asked[-1]
    tower, placement = table.page.play.match.tower, table.page.ghost.placement
    if kind == "tower":
        return Judged(number, TowerJudgement(tower_stability(tower), (), (), None, ("BASE",)))
    assert placement is not None, "no ghost"
    verdict = judge(tower, CLASSIC.by_name[placement.piece], exact_pose(CLASSIC, placement), layer=placement.layer)
    return Judged(number, PieceJudgement(verdict, None))


def aim(table: Table) -> Placement:
    """A ghost of the first legal piece at a legal place."""
    move = table.page.play.legal("BASE")[0]
    table.page.choose(move.piece)
    table.page.ghost.show(move)
    table.page.grasp._aimed()
    return move


def test_who_asked_to_resign_resigns(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one named when the question opened leaves, though a bot's turn has passed meanwhile: never a bot."""
    table = sit(program, monkeypatch, None, "greedy", None)
    table.hand.key("escape")
    table.hand.click("menu/resign")
    table.page.play.match.place(table.page.play.legal("BASE")[0])
    table.page.play._stand()
    assert table.page.play.seat.bot is not None
    table.hand.frame()
    table.hand.click("question/yes")
    assert [event["player"] for event in table.page.play.match.acts[-1].events if event["type"] == "out"] == [0]


@pytest.mark.parametrize(("bots", "who"), [((None, "greedy"), 0), ((None, "greedy", None), None), (("greedy", "greedy"), None)])
def test_only_person_may_resign_while_a_bot_thinks(
    program: Program, monkeypatch: pytest.MonkeyPatch, bots: Sequence[str | None], who: int | None
) -> None:
    """While a bot thinks the only person may leave; of two nobody knows which one it is, and at a table of bots nobody may."""
    table = sit(program, monkeypatch, *bots, acts=1)
    assert table.page.play.phase is Phase.THINKING
    table.hand.key("escape")
    assert table.hand.enabled("menu/resign") == (who is not None)
    if who is not None:
        table.hand.click("menu/resign")
        table.hand.click("question/yes")
        assert table.page.play.match.acts[-1].player == who


def test_piece_dragged_back_over_the_tray_is_put_back(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece let go over the tray again, wherever there, is not laid; over the table it is."""
    table = sit(program, monkeypatch, None, None)
    hand, tray, other = table.hand, table.hand.box("tray/BASE"), table.hand.box("tray/UNI")
    spot = table.spot(table.page.play.legal("BASE")[0])
    for back in (True, False):
        hand.move(*tray.middle)
        hand.press()
        for x, y in ((tray.middle[0], tray.y - 60), spot, *([other.middle] if back else [])):
            hand.move(x, y)
        assert table.page.ghost.legal
        hand.release()
        assert table.page.ghost.piece is None
        assert table.page.play.phase is (Phase.PERSON if back else Phase.LAYING)


def test_margin_of_the_tower_is_shown_where_wanted(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only with the setting on the tower is weighed, once for each act, and the panel says how far it may be tilted."""
    table = sit(program, monkeypatch, None, None, acts=1)
    table.hand.frame(5)
    assert table.background.asked == []
    program.change(show_margins=True)
    words = _words(program, monkeypatch)
    table.hand.frame(5)
    assert [kind for _, kind in table.background.asked] == ["tower"]
    assert "Weighing the tower…" in words
    table.hear(answer(table))
    words.clear()
    table.hand.frame(1)
    tilt = tower_stability(table.page.play.tower).tilt
    assert tilt is not None
    assert f"It stands, with {tilt.deg:.1f}° of tilt to spare" in words
    move = table.page.play.legal("BASE")[0]
    table.page.play.lay(move)
    table.hear(table.act_done(move))
    assert [kind for _, kind in table.background.asked] == ["tower", "tower"]


def test_bots_paused_by_failures_are_let_go_on(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """After three failures the page rests and shows a button that lets bots go on."""
    table = sit(program, monkeypatch, "greedy", None)
    for _ in range(3):
        table.hand.until(lambda: table.background.busy, seconds=1.0)
        job = table.background._job
        assert job is not None
        assert "table/go_on" not in table.hand.names
        table.hear(Failed(job.number, "no luck"))
    assert not table.page.busy
    table.hand.click("table/go_on")
    assert table.page.busy
    table.hand.until(lambda: table.background.busy, seconds=1.0)


def test_lost_verdict_is_told(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """A verdict lost with the background is not waited for; the place is weighed when pointed to again."""
    table = sit(program, monkeypatch, None, None, acts=1)
    aim(table)
    assert table.page.busy
    table.hand.until(lambda: bool(table.background.asked))
    words = _words(program, monkeypatch)
    table.hand.frame()
    assert "Weighing…" in words
    monkeypatch.setattr(table.background, "poll", lambda: [Failed(None, "it died", crashed=True, unanswered=(table.background.asked[-1][0],))])
    table.hand.frame(1)
    monkeypatch.undo()
    words = _words(program, monkeypatch)
    table.hand.frame()
    assert not table.page.busy
    assert "It could not be weighed" in words


def test_same_place_is_weighed_again_after_undo(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece taken back and held over the same place again gets its verdict again."""
    table = sit(program, monkeypatch, None, "greedy", acts=0)
    move = aim(table)
    table.hand.until(lambda: bool(table.background.asked))
    table.hear(answer(table))
    assert table.page.verdict is not None
    table.page.grasp.click()
    table.hear(table.act_done(move))
    table.hand.key("z", ctrl=True)
    assert aim(table) == move
    table.hand.frame(20)
    assert len(table.background.asked) == 2
    table.hear(answer(table))
    assert table.page.verdict is not None


def test_landings_sound_by_the_time_of_the_act(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """However slowly an act is shown, a piece that falls at 500 mm/s sounds as one that does."""
    table = sit(program, monkeypatch, None, None, acts=1)
    heard: list[Impact] = []
    monkeypatch.setattr(program.sounds, "land", lambda impacts: heard.extend(impacts))
    move = table.page.play.legal("BASE")[0]
    table.page.play.lay(move)
    job = table.background._job
    assert job is not None
    lies = as_array(exact_pose(CLASSIC, move))
    for frame, height in enumerate((40, 30, 20, 10, 0, 0)):
        state = lies + np.array([0, 0, height, 0, 0, 0, 0])
        table.background.reports.append(Poses(job.number, 1 + frame * 0.02, (1,), state[None], held=False, feels_support=False))
        table.hand.frame(1, seconds=0.2)
    assert [round(impact.speed_mm_s) for impact in heard] == [500]


def test_summary_keeps_from_what_is_under_it(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """A button that had the keyboard focus when the round ended has it no more, and Tab reaches nothing under the summary."""
    table = sit(program, monkeypatch, None, None, acts=1)
    while program.gui.focused != "table/menu":
        table.hand.key("tab")
    _end_round(table)
    focused = {program.gui.focused}
    for _ in range(6):
        table.hand.key("tab")
        focused.add(program.gui.focused)
    assert focused <= {"summary/look", "summary/on", None}


@pytest.mark.parametrize("key", ["enter", "space"])
@pytest.mark.parametrize("look", [False, True])
def test_keys_leave_the_end_of_a_round(program: Program, monkeypatch: pytest.MonkeyPatch, key: str, look: bool) -> None:
    """Enter and Space go on to the next round; after a look at the tower too, and then a button does."""
    table = sit(program, monkeypatch, None, None, acts=1)
    _end_round(table)
    if look:
        table.hand.click("summary/look")
        assert {"summary/on", "table/menu"} <= table.hand.names
    table.hand.key(key)
    assert table.page.play.phase is Phase.PERSON


def test_match_that_is_over_leads_home(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """Enter leaves the summary of a match for home; after a look at the tower a button does."""
    program.open(Home(program))
    table = sit(program, monkeypatch, None, None, acts=1)
    table.page.play.resign(1)
    table.hand.frame()
    table.hand.click("summary/look")
    assert "summary/home" in table.hand.names
    table.page.panels.phase_changed()
    table.hand.frame()
    table.hand.key("enter")
    assert isinstance(program.screen, Home)


def _end_round(table: Table) -> None:
    table.page.play._phase = Phase.ROUND_OVER
    table.page.panels.phase_changed()
    table.hand.frame()


def _words(program: Program, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All words painted from now on."""
    said: list[str] = []
    paint = program.gui.paint
    real = paint.words

    def listen(words: str, *args: object, **more: object) -> float:
        said.append(words)
        return real(words, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(paint, "words", listen)
    return said
