"""What keys do at a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from games.play import Phase
from viewer.screens.rules import RulesPage
from viewer.screens.screen import Key

if TYPE_CHECKING:
    from viewer.screens.table import TablePage


def table_key(page: TablePage, key: Key) -> bool:
    """Pieces by number, Q and E turn, N goes from one legal place to the next, Space and Enter lay, and views. Whether the key meant something."""
    deed = _deeds(page).get("ctrl+" + key.name if key.ctrl else key.name)
    if deed is not None:
        deed()
        page.program.wake()
        return True
    if key.name == "n":
        page.grasp.next_place(-1 if key.shift else 1)
        return True
    pieces = page.view.piece_set.pieces
    if key.name.isdigit() and 1 <= int(key.name) <= len(pieces):
        page.choose(pieces[int(key.name) - 1].name)
        return True
    return page.view.key(key, True)


def _deeds(page: TablePage) -> dict[str, Callable[[], None]]:
    tower, view, program, grasp = page.play.tower, page.view, page.program, page.grasp
    settings = program.settings
    return {
        "q": lambda: grasp.turn(1),
        "e": lambda: grasp.turn(-1),
        "space": lambda: _space(page),
        "enter": lambda: _enter(page),
        "escape": lambda: _escape(page),
        "ctrl+z": page.undo,
        "backspace": page.undo,
        "l": lambda: program.change(show_legal=not settings.show_legal),
        "h": grasp.swap_mode,
        "t": lambda: view.fly_top(tower),
        "f": lambda: view.fly_front(tower),
        "home": lambda: view.fly_home(tower),
        "v": page.scene.look_at_last,
        "f1": lambda: program.open(RulesPage(program, view.piece_set)),
    }


def _space(page: TablePage) -> None:
    if page.play.phase is Phase.HOLDING:
        page.hand.lowering = True
    else:
        _enter(page)


def _enter(page: TablePage) -> None:
    if page.play.phase is Phase.ROUND_OVER:
        page.go_on()
    else:
        page.grasp.click()


def _escape(page: TablePage) -> None:
    if page.grasp.full:
        page.grasp.put_back()
    else:
        page.panels.questions.open_menu()
