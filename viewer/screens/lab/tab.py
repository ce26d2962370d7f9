"""What every tab of the lab is to the lab's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.items import Item
from viewer.screens.screen import Key, Pointer

if TYPE_CHECKING:
    from viewer.screens.lab.page import LabPage


class Tab:
    """One tab: items on the table and a part of the panel. What it does not say does nothing."""

    title = ""

    def __init__(self, page: LabPage) -> None:
        self._page = page

    @property
    def busy(self) -> bool:
        """Whether `update` must be called soon though nobody does anything."""
        return False

    @property
    def covered_left(self) -> float:
        """How wide a part of the view on the left it covers with panels of its own."""
        return 0.0

    def items(self) -> list[Item]:
        """What stands on the table."""
        return []

    def update(self, seconds: float) -> bool:
        """Time has passed; gives whether something looks different now."""
        return False

    def draw(self, gui: Gui, box: Box) -> None:
        """Draw its part of the panel."""

    def draw_over(self, gui: Gui) -> None:
        """Draw marks over the table."""

    def on_move(self, pointer: Pointer) -> None:
        """The pointer moved over the table."""

    def on_click(self, pointer: Pointer) -> None:
        """The table was clicked."""

    def on_lower(self, down: bool) -> None:
        """The right button went down over the table, or up again."""

    def on_scroll(self, pointer: Pointer) -> bool:
        """The wheel turned over the table; gives whether it meant something here."""
        return False

    def on_key(self, key: Key) -> bool:
        """A key went down; gives whether it meant something here."""
        return False

    def on_key_up(self, key: Key) -> None:
        """A key went up."""

    def leave(self) -> None:
        """Another tab or page comes in front."""

    def set_changed(self) -> None:
        """The lab works with another set."""

    def close(self) -> None:
        """Nothing may work on."""
