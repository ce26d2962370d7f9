"""A whole round in the real window, with mouse and keys."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path

import pytest

from games.acts import ActKind
from games.match import Match
from games.record import load_record
from tests.viewer.window.hand import Hand, program_window
from tests.viewer.xserver import XServer

PERSONS = ("Mia", "Tom")


@pytest.fixture
def small_set(home: Path) -> Path:
    """The classic set, but each player has three pieces only; it is the set chosen last."""
    text = resources.files("meshes.sets").joinpath("classic.toml").read_text("utf8")
    path = home / "small.toml"
    path.write_text(re.sub(r"(?m)^(\d) = .*$", r"\1 = { BASE = 1, UNI = 1, DUO = 1 }", text))
    settings = json.loads((home / "settings.json").read_text())
    (home / "settings.json").write_text(json.dumps({**settings, "piece_set": str(path)}))
    return home


def test_whole_round(server: XServer, small_set: Path) -> None:
    """Two persons and a bot set a match up and play a round: pieces from tray and rack, turned by wheel and keys, an illegal try, one taken back
    after asking, one by hand; the round ends with a winner, and the match left is gone on with from home."""
    with program_window(server, small_set) as hand:
        _set_up(hand)
        _lay(hand)
        _try_what_is_illegal(hand)
        _lay(hand, from_rack=True)
        _undo(hand)
        _lay(hand, wheel=True)
        by_hand = False
        while not hand.ask("play.phase.name in ('ROUND_OVER', 'OVER')"):
            if hand.ask("ready(page)"):
                if not by_hand and hand.ask("play.tower.layers > 1"):
                    by_hand = _lay_by_hand(hand)
                else:
                    _lay(hand)
        assert by_hand
        hand.click("summary/on")
        hand.until("play.match.state.round == 2 and play.phase.name in ('PERSON', 'THINKING', 'LAYING')")
        hand.until("ready(page)")
        acts = hand.ask("len(play.match.acts)")
        _leave(hand)
        hand.click("home/continue")
        hand.until(f"play is not None and len(play.match.acts) >= {acts}")
        assert hand.ask("play.scores") and hand.ask("max(play.scores)") == 1
    kept = _saved(small_set)
    assert [seat.name for seat in kept.setup.seats] == ["Mia", "Tom", "Björn"]
    assert "own" in {act.hand for act in kept.acts}


def _set_up(hand: Hand) -> None:
    hand.click("home/play")
    hand.click("setup/players/2")
    hand.click("setup/level/1/0")
    hand.click("setup/level/2/2")
    hand.click("setup/hand/2/0")
    for seat, name in enumerate(PERSONS):
        hand.click(f"setup/name/{seat}")
        hand.key("a", ctrl=True)
        hand.type(name)
        hand.key("enter")
        assert hand.ask(f"page.draft.seats[{seat}].name") == name
    hand.click("setup/start")
    hand.until("type(page).__name__ == 'TablePage' and ready(page)")


def _lay(hand: Hand, *, from_rack: bool = False, wheel: bool = False) -> None:
    """Whoever is to move lays a piece on the board."""
    hand.until("ready(page)")
    acts, piece = hand.ask("len(play.match.acts)"), hand.ask("first_legal(page)")
    if from_rack:
        hand.click_at(*hand.ask(f"rack_spot(page, {piece!r})"))
    else:
        hand.click(f"tray/{piece}")
    hand.until(f"page.ghost.piece is not None and page.ghost.piece.name == {piece!r}")
    turns, place = hand.ask(f"legal_spot(page, {piece!r})")
    for _ in range(turns):
        if wheel:
            hand.move(*place)
            hand.wheel(1)
        else:
            hand.key("q")
    hand.move(*place)
    hand.until("page.ghost.legal")
    hand.click_at(*place)
    hand.until(f"len(play.match.acts) > {acts}")
    assert hand.ask(f"play.match.acts[{acts}].kind.name") == "PLACED"


def _try_what_is_illegal(hand: Hand) -> None:
    """The reason is shown, what it is about lights up, and a click changes nothing."""
    hand.until("ready(page)")
    before = hand.ask("len(play.match.acts), play.tower.laid, play.to_move")
    hand.click(f"tray/{hand.ask('first_legal(page)')}")
    hand.until("page.ghost.piece")
    place = hand.ask("illegal_spot(page, page.ghost.piece.name)")
    hand.move(*place)
    assert hand.ask("[broken.code for broken in page.ghost.violations]")
    hand.click_at(*place)
    assert hand.ask("len(play.match.acts), play.tower.laid, play.to_move") == before
    hand.key("escape")
    hand.until("page.ghost.piece is None and play.phase.name == 'PERSON'")


def _undo(hand: Hand) -> None:
    """The others are asked first. On a person's turn: a bot's may be over before the key is down."""
    hand.until("ready(page) and play.can_undo")
    hand.key("z", ctrl=True)
    hand.click("question/no")
    hand.until("ready(page) and play.can_undo")
    acts = hand.ask("len(play.match.acts)")
    hand.click("table/undo")
    hand.click("question/yes")
    hand.until(f"len(play.match.acts) < {acts}")


def _lay_by_hand(hand: Hand) -> bool:
    """From above, so that what is under the pointer does not depend on the height."""
    acts, piece = hand.ask("len(play.match.acts)"), hand.ask("first_legal(page)")
    hand.key("t")
    hand.until("ready(page)")
    hand.click("table/mode/1")
    turns, place = hand.ask(f"hand_spot(page, {piece!r})")
    hand.move(*place)
    hand.key(hand.ask(f"str([piece.name for piece in page.view.piece_set.pieces].index({piece!r}) + 1)"))
    hand.until("play.phase.name == 'HOLDING'")
    for _ in range(turns):
        hand.key("q")
    over = "page.hand.below(page.play.legal(page.play.moving.name))[1]"
    for tries in range(10):  # it moves at another height once it is over the place
        if tries > 2 and hand.ask(over):
            break
        _, place = hand.ask(f"hand_spot(page, {piece!r})")
        hand.move(*place)
        hand.until("steady(page)")
    hand.until(over)
    hand.server.key("space", True)
    hand.until("play.feels_support or page.hand._height <= 0")
    hand.server.key("space", False)
    hand.shown()
    hand.click_at(*place)
    hand.until(f"len(play.match.acts) > {acts}")
    kind = hand.ask(f"play.match.acts[{acts}].kind.name")
    hand.until("play.phase.name not in ('SLIPPED', 'LAYING')")
    hand.click("table/mode/0")
    hand.key("home")
    return bool(kind == "PLACED")


def _leave(hand: Hand) -> None:
    hand.click("table/menu")
    hand.click("menu/leave")
    hand.until("type(page).__name__ == 'Home'")


def _saved(home: Path) -> Match:
    (path,) = (home / "matches").glob("*.stakd")
    return load_record(path)


def test_knock_over(server: XServer, home: Path) -> None:
    """A piece swept by hand through a slender tower brings it down: the account is told, the fall is shown again and scrubbed, play goes on in the
    next round, and the saved match can be watched."""
    with program_window(server, home, "tests.viewer.window.pages:high_tower") as hand:
        hand.until("ready(page)")
        hand.key("h")
        hand.move(*hand.ask("point(page, -230, 0, 14)"))
        piece = hand.ask("first_legal(page)")
        hand.key(hand.ask(f"str([piece.name for piece in page.view.piece_set.pieces].index({piece!r}) + 1)"))
        hand.until("play.phase.name == 'HOLDING' and page.hand.plane_mm < 20 and len(play.poses) > len(play.tower.laid)")
        hand.until("steady(page)")
        hand.move(*hand.ask("point(page, 260, 0, 14)"))
        hand.until("play.poses[-1][1].x > 0")
        hand.click_at(*hand.ask("(page.grasp.pointer.x, page.grasp.pointer.y)"))
        hand.until("play.phase.name == 'FALLEN' and page.panels.fall is not None")
        assert "layer" in hand.ask("play.account")
        hand.until("page.panels.fall.playback.position == page.panels.fall.playback.length")
        hand.click("fall/play")
        assert hand.ask("page.panels.fall.playback.playing")
        box = hand.box("fall/time")
        hand.drag((box.x + 5, box.middle[1]), (box.x + 0.5 * box.w, box.middle[1]))
        assert 0.3 < hand.ask("page.panels.fall.playback.position / page.panels.fall.playback.length") < 0.9
        hand.click("fall/on")
        hand.until("play.match.state.round == 2 and play.phase.name == 'PERSON'")
        assert min(hand.ask("play.scores")) == -1
        assert sum(kind == "KNOCKED_OVER" for kind in hand.ask("[act.kind.name for act in play.match.acts]")) == 1
        _leave(hand)
        hand.click("home/matches")
        hand.click("matches/watch/0")
        hand.until("type(page).__name__ == 'ReplayPage'")
        hand.click("replay/fall")
        hand.until("page.playback.playing")
    assert _saved(home).acts[-1].kind is ActKind.KNOCKED_OVER
