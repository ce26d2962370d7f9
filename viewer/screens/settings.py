"""Settings: how the program looks, sounds and is handled."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from viewer.folders import matches_folder, pictures_folder
from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import RED, SOFT_INK, Face
from viewer.screens.screen import Key, Screen
from viewer.screens.sheet import heading, sheet
from viewer.settings import Placing, Settings
from viewer.sound import Cue

if TYPE_CHECKING:
    from viewer.program import Program

LONGEST_NAME = 40
_SHOWN = frozenset(
    "ui_scale full_screen volume muted placing show_legal show_margins reduced_motion camera_speed animation_speed".split()  # noqa: SIM905 - a list to read
)
"""What "Usual settings" puts back."""
_PLACING_HINTS = (
    "A piece glides from one legal place to the next and is laid exactly.",
    "A piece hangs from your hand, may bump into others, and lies where you let it go.",
)


class SettingsPage(Screen):
    """A page of switches and sliders; each change is kept at once, that of a slider when it is let go."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._sliding: dict[str, Any] = {}
        self._name = ""
        self._asking = False

    def enter(self) -> None:
        """The name may have been changed elsewhere."""
        self._name = self.program.settings.player_name

    def leave(self) -> None:
        """What was being typed or slid counts."""
        self._keep_slid()
        self._keep_name()

    def on_key(self, key: Key) -> bool:
        """Escape takes the question back."""
        if key.name != "escape" or not self._asking:
            return False
        self._asking = False
        return True

    def draw(self, gui: Gui) -> None:
        """The sheet, and the question over it."""
        with gui.blocked(self._asking):
            inner = sheet(gui, "Settings", 940, 530)
            left, right = inner.row(2, 48)
            self._draw_look(gui, Column(left))
            self._draw_play(gui, Column(right))
            self._draw_foot(gui, Box(inner.x, inner.bottom - 44, inner.w, 44))
        if self._asking:
            self._draw_question(gui)
        if self._sliding and not gui.holding:
            self._keep_slid()
        if self._name != self.program.settings.player_name and not gui.typing:
            self._keep_name()

    # --- parts

    def _draw_look(self, gui: Gui, column: Column) -> None:
        settings = self.program.settings
        heading(gui, "Picture", column.take(20, 2))
        self._slider(gui, column, "ui_scale", "Size of panels and words", 100, 200, 5, lambda value: f"{value:.0f} %")
        full = gui.switch("settings/full_screen", column.take(34, 4), "Full screen", settings.full_screen, hint="F11 does the same.")
        if full != settings.full_screen:
            self.program.full_screen = full
            self.program.change(full_screen=full)
        self._switch(gui, column, "reduced_motion", "Less motion", "The camera jumps to where it is wanted instead of flying there.")
        self._speed(gui, column, "camera_speed", "Speed of the camera")
        self._speed(gui, column, "animation_speed", "Speed of moving pieces")
        column.take(2, 6)
        heading(gui, "Sound", column.take(20, 2))
        self._slider(gui, column, "volume", "Loudness", 0, 1, 0.05, lambda value: f"{100 * value:.0f} %")
        self._switch(gui, column, "muted", "No sound at all", "")
        if self.program.sounds.silent:
            gui.paint.words("No device for sound was found; the program is silent.", column.box.x, column.y, 13, colour=SOFT_INK)

    def _draw_play(self, gui: Gui, column: Column) -> None:
        settings = self.program.settings
        heading(gui, "Playing", column.take(20, 4))
        row = column.take(38, 2)
        gui.paint.words_in("Your name", Box(row.x, row.y, 110, row.h), align=Align.LEFT)
        self._name = gui.field("settings/player_name", Box(row.x + 120, row.y, row.w - 120, row.h), self._name)
        fault = self._name_fault
        gui.paint.words(fault or "New matches begin with this name.", row.x + 120, column.take(18, 6).y, 12.5, colour=RED if fault else SOFT_INK)
        row = column.take(38, 8)
        gui.paint.words_in("You lay pieces", Box(row.x, row.y, 110, row.h), align=Align.LEFT)
        box, chosen = Box(row.x + 120, row.y, row.w - 120, row.h), list(Placing).index(settings.placing)
        placing = list(Placing)[gui.choice("settings/placing", box, ("On the board", "By hand"), chosen, hints=_PLACING_HINTS)]
        if placing is not settings.placing:
            self.program.change(placing=placing)
        self._switch(gui, column, "show_legal", "Show all legal places", "Every place where the piece in your hand may lie is drawn.")
        self._switch(
            gui, column, "show_margins", "Show how safely towers stand", "By how many degrees the table could be tilted before something falls."
        )
        column.take(2, 6)
        heading(gui, "Where things are kept", column.take(20, 4))
        for words, folder in (("Settings", self.program.folder), ("Matches", matches_folder()), ("Pictures", pictures_folder())):
            row = column.take(24, 2)
            gui.paint.words(words, row.x, row.y, 14, face=Face.SEMI)
            gui.paint.words(_shortened(gui, folder, row.w - 80), row.x + 80, row.y, 14, colour=SOFT_INK)

    def _draw_foot(self, gui: Gui, row: Box) -> None:
        if gui.button("settings/lessons", Box(row.x, row.y, 210, row.h), "Show the lessons again"):
            self.program.change(learned=frozenset(), first_start=True)
            self.program.tell("The lessons begin anew; home offers them.")
        if gui.button("settings/usual", Box(row.x + 222, row.y, 160, row.h), "Usual settings"):
            self._asking = True
        if gui.button("settings/back", Box(row.right - 130, row.y, 130, row.h), "Back", kind=Kind.PRIMARY):
            self.program.back()

    def _draw_question(self, gui: Gui) -> None:
        with gui.dialog("usual", 440, 190) as inner:
            gui.paint.words("Put all of this back as it was at first?", inner.x, inner.y, 18, face=Face.BOLD, wrap=inner.w)
            gui.paint.words("Your name, your matches and the lessons you have done stay.", inner.x, inner.y + 34, 15, colour=SOFT_INK, wrap=inner.w)
            no, yes = Box(inner.x, inner.bottom - 44, inner.w, 44).row(2, 12)
            if gui.button("settings/usual/no", no, "Leave them"):
                self._asking = False
            if gui.button("settings/usual/yes", yes, "Usual settings", kind=Kind.PRIMARY):
                self._asking = False
                usual = {entry.name: entry.default for entry in fields(Settings) if entry.name in _SHOWN}
                self.program.full_screen = bool(usual["full_screen"])
                self.program.change(**usual)

    def _switch(self, gui: Gui, column: Column, field: str, words: str, hint: str) -> None:
        before = getattr(self.program.settings, field)
        value = gui.switch(f"settings/{field}", column.take(34, 4), words, before, hint=hint)
        if value != before:
            self.program.change(**{field: value})

    def _speed(self, gui: Gui, column: Column, field: str, words: str) -> None:
        """A factor; the slider moves by its logarithm, so that half and double lie equally far from 1."""
        self._slider(gui, column, field, words, -2, 2, 0.25, lambda value: f"× {2**value:.2g}", into=math.log2, out=lambda x: 2**x)

    def _slider(
        self,
        gui: Gui,
        column: Column,
        field: str,
        words: str,
        low: float,
        high: float,
        step: float,
        shown: Callable[[float], str],
        *,
        into: Callable[[float], float] = float,
        out: Callable[[float], float] = float,
    ) -> None:
        row = column.take(34, 4)
        value = into(self._sliding.get(field, getattr(self.program.settings, field)))
        gui.paint.words_in(words, Box(row.x, row.y, 0.5 * row.w, row.h), align=Align.LEFT)
        gui.paint.words_in(shown(value), Box(row.right - 54, row.y, 54, row.h), 14, face=Face.SEMI, colour=SOFT_INK, align=Align.RIGHT)
        new = gui.slider(f"settings/{field}", Box(row.x + 0.52 * row.w, row.y + 3, 0.48 * row.w - 62, row.h - 6), value, low, high, step=step)
        if new != value:
            self._sliding[field] = round(new) if field == "ui_scale" else out(new)
            self.program.sounds.volume = self._sliding.get("volume", self.program.settings.volume)

    # --- keeping

    def _keep_slid(self) -> None:
        slid, self._sliding = self._sliding, {}
        if slid:
            self.program.change(**slid)
        if "volume" in slid:
            self.program.sounds.play(Cue.KNOCK)

    @property
    def _name_fault(self) -> str:
        words = self._name.strip()
        return "A name is needed." if not words else f"At most {LONGEST_NAME} letters." if len(words) > LONGEST_NAME else ""

    def _keep_name(self) -> None:
        """Take over the name that was typed, if it can be one; else the old one stays."""
        if not self._name_fault and self._name.strip() != self.program.settings.player_name:
            self.program.change(player_name=self._name.strip())
        self._name = self.program.settings.player_name


def _shortened(gui: Gui, folder: Path, width: float) -> str:
    """A path, its beginning left out if it is too long."""
    words = str(folder)
    if gui.paint.measure(words, 14)[0] <= width:
        return words
    while words and gui.paint.measure("…" + words, 14)[0] > width:
        words = words[1:]
    return "…" + words
