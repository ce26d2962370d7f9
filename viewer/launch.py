"""Starting the program with its window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import moderngl

from meshes.errors import StakdError
from meshes.files import mode_of, plain_status, reading_fault
from viewer.folders import config_folder
from viewer.settings import load_settings

if TYPE_CHECKING:
    from viewer.casting import Casting
    from viewer.program import Program
    from viewer.screens.screen import Screen
    from viewer.window import Window


class NoDisplay(StakdError):
    """There is no screen to open a window on."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(
            f"no window can be opened, as there is no display ({reason}); start it from a desktop, or see `stakd demo` and `stakd render`"
        )


def run_program(first: Callable[[Program], Screen] | None = None) -> None:
    """Open the window at home, or at the page that `first` gives over it, and run until it is closed. Raises `NoDisplay`, `NoGraphics`."""
    open_window(first).run()


def play_in_window(what: str | None = None, *, set_name: str | None = None) -> None:
    """Open the window where a match is set up (of `stakd`, the default, or of a card game), or at the table to go on with the record of that path,
    which is saved there again. `set_name`: the piece set of STAKD. Raises `BadRecord`, `BadPieceSet`, and `StakdError` if there is no such game or
    file."""
    from games.card_match import CARD_GAMES

    if what is None or what == "stakd":
        from viewer.screens.match_setup import MatchSetupPage

        if set_name is not None:
            from meshes.piece_set import load_piece_set

            load_piece_set(set_name)  # what is wrong with it is told before a window opens
        run_program(lambda program: MatchSetupPage(program, set_name))
    elif what in CARD_GAMES:
        from viewer.screens.cards.setup import CardSetupPage

        run_program(lambda program: CardSetupPage(program, what))
    elif mode_of(what) is None:
        raise StakdError(f"there is neither a game nor a file called {what}; games are stakd, {', '.join(CARD_GAMES)}")
    else:
        run_program(_table_of(Path(what)))


def _table_of(file: Path) -> Callable[[Program], Screen]:
    """The table to go on with a record; it is read before a window opens."""
    from games.card_record import is_card_file

    if is_card_file(file):
        from games.card_record import load_card_record
        from viewer.screens.cards.setup import TABLES

        cards = load_card_record(file)
        return lambda program: TABLES[cards.setup.game].begin(program, cards.setup, match=cards, path=file)
    from games.record import load_record
    from viewer.screens.table import TablePage

    match = load_record(file)
    return lambda program: TablePage(program, match.setup, match=match, path=file)


def replay_in_window(record: Path) -> None:
    """Open the window at the replay of a record. Raises `BadRecord`; `StakdError` if nothing has been done in it."""
    from games.card_record import is_card_file

    if is_card_file(record):
        from games.card_record import load_card_record
        from viewer.screens.cards.replay import CardReplay

        load_card_record(record)  # what is wrong with it is told before a window opens
        run_program(lambda program: CardReplay(program, record))
        return
    from games.record import load_record
    from viewer.screens.replay import ReplayPage

    match = load_record(record)
    run_program(lambda program: ReplayPage(program, match))


def lab_in_window(file: Path | None = None) -> None:
    """Open the window at the piece lab, with a mesh file or a set of one's own open. Raises `StakdError` if there is no such file."""
    from viewer.screens.lab.page import LabPage

    if file is not None:
        try:
            plain_status(file)
        except (OSError, ValueError) as error:
            raise StakdError(f"the lab can't open {file}: {reading_fault(file, error)}") from error
    run_program(lambda program: LabPage(program, file))


def show_in_window(casting: Casting) -> None:
    """Open the window at the demo."""
    from viewer.screens.show import ShowPage

    run_program(lambda program: ShowPage(program, casting))


def open_window(first: Callable[[Program], Screen] | None = None) -> Window:
    """The window, not shown yet. Raises `NoDisplay`, `NoGraphics`."""
    import pyglet

    pyglet.options.shadow_window = False
    pyglet.options.debug_gl = False  # it would blame its own next call for whatever went wrong before
    try:
        pyglet.display.get_display()
        from viewer.window import Window
    except Exception as error:  # each platform has its own kinds, and a missing X11 is an ImportError
        raise NoDisplay(str(error)) from error
    folder = config_folder()
    settings, message = load_settings(folder)

    def make(context: moderngl.Context) -> Program:
        from viewer.program import Program
        from viewer.screens.home import Home
        from viewer.sound import Sounds

        program = Program(context, settings, Sounds(volume=settings.volume, muted=settings.muted), folder=folder)
        program.open(Home(program))
        if first is not None:
            program.open(first(program))
        if message:
            program.tell(message)
        return program

    return Window(settings.window_size, make, full_screen=settings.full_screen)
