"""Settings: how the program looks, sounds and is handled."""

from __future__ import annotations

from viewer.gui.gui import Gui
from viewer.screens.screen import Screen


class SettingsPage(Screen):
    """A page of switches and sliders; each change is kept at once."""

    def draw(self, gui: Gui) -> None:
        """The panel in the middle."""
