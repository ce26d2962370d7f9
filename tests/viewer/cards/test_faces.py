"""Cards appear on the screen as they were drawn."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.viewer.driver import HeadlessDriver, headless_program
from viewer.cards.card_art import draw_cards
from viewer.cards.faces import CardFaces
from viewer.cards.felt import Felt
from viewer.cards.place import Place
from viewer.gui.gui import Gui
from viewer.program import Program
from viewer.screens.screen import Screen

PLACE = Place(200.0, 150.0, 130.0)


class _Table(Screen):
    """A page on which a test draws cards."""

    def __init__(self, program: Program, paint: Callable[[CardFaces], None]) -> None:
        super().__init__(program)
        self.faces, self.felt = CardFaces(program.gui, program.context, "sakapuss"), Felt(program.context)
        self.paint = paint

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[object, bool]:  # type: ignore[override]
        return self.felt.picture(size), False

    def draw(self, gui: Gui) -> None:
        self.paint(self.faces)

    def close(self) -> None:
        self.faces.release()
        self.felt.release()


def _shown(folder: Path, paint: Callable[[CardFaces], None]) -> NDArray[np.float64]:
    """(600, 960, 3): a frame with what `paint` draws."""
    with headless_program(folder) as program:
        program.open(_Table(program, paint))
        driver = HeadlessDriver(program, (960, 600))
        return np.asarray(driver.screenshot(), dtype=np.float64)


def _away(shown: NDArray[np.float64], card: str) -> float:
    """Mean difference of the inner part of the card at `PLACE` from its face."""
    face = draw_cards("sakapuss")[card].convert("RGB").resize((130, 182), Image.Resampling.BOX)
    found = shown[59:241, 135:265]
    return float(np.abs(found - np.asarray(face, dtype=float))[12:-12, 12:-12].mean())


@pytest.mark.parametrize(
    ("card", "face_up", "seen"), [("C", True, "C"), ("C", False, "back"), ("iF", False, "back:pile"), ("back:pile", True, "back:pile")]
)
def test_a_card_is_seen_as_it_lies(tmp_path: Path, card: str, face_up: bool, seen: str) -> None:
    """Face up the card itself, face down the back of its deck, in its place and size."""
    shown = _shown(tmp_path, lambda faces: faces.draw(card, PLACE, face_up=face_up))
    assert _away(shown, seen) < 8
    assert _away(shown, "A") > 20


def test_half_a_turn_shows_the_card_upside_down(tmp_path: Path) -> None:
    """Turning goes around the middle."""
    upright = _shown(tmp_path, lambda faces: faces.draw("E", PLACE, shadow=False))[59:241, 135:265]
    turned = _shown(tmp_path, lambda faces: faces.draw("E", PLACE._replace(turn_deg=180.0), shadow=False))[59:241, 135:265]
    assert np.abs(upright - turned[::-1, ::-1])[12:-12, 12:-12].mean() < 4


def test_dim_cards_are_darker_and_shadows_fall_beside_the_card(tmp_path: Path) -> None:
    """What can't be used is greyed; a lying card throws a soft shadow downwards; an empty pile is only an outline."""
    plain = _shown(tmp_path, lambda faces: faces.draw("D", PLACE))
    dim = _shown(tmp_path, lambda faces: faces.draw("D", PLACE, dim=True))
    empty = _shown(tmp_path, lambda faces: faces.pile("back", PLACE, 0))
    card = np.s_[70:230, 145:255]
    assert dim[card].mean() < 0.85 * plain[card].mean()
    assert plain[244:248, 150:250].mean() < 0.85 * empty[270:274, 150:250].mean()
    assert abs(empty[100:200, 170:230].mean() - empty[100:200, 400:460].mean()) < 12


def test_the_cloth_is_made_once_for_each_size(tmp_path: Path) -> None:
    """Its picture is kept until the window has another size, and fades towards the corners."""
    with headless_program(tmp_path) as program:
        felt = Felt(program.context)
        picture = felt.picture((320, 200))
        assert felt.picture((320, 200)) is picture
        pixels = np.frombuffer(picture.read(), np.uint8).reshape(200, 320, 4).astype(float)
        red, green, blue = pixels[..., :3].mean(axis=(0, 1))
        assert green > blue > red
        assert pixels[90:110, 150:170, 1].mean() > 1.3 * pixels[:10, :10, 1].mean()
        assert felt.picture((321, 200)).size == (321, 200)
        felt.release()
