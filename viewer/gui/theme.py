"""The look of the 2D layer: colours, fonts, the soft shadow."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from importlib.resources import as_file, files

import moderngl
from imgui_bundle import imgui
from PIL import Image, ImageDraw, ImageFilter

Colour = tuple[float, float, float, float]
"""Red, green, blue, alpha, 0–1."""


def colour(code: str, alpha: float = 1.0) -> Colour:
    """A colour from `#rrggbb`."""
    return int(code[1:3], 16) / 255, int(code[3:5], 16) / 255, int(code[5:7], 16) / 255, alpha


INK = colour("#4a2b1a")
SOFT_INK = colour("#7a6353")
FAINT_INK = colour("#7a6353", 0.55)
CREAM, SAND = colour("#fffaf0"), colour("#f4e7d3")
LINE = colour("#e3d2b6")
PAPER = colour("#fffdf6")
ORANGE, ORANGE_DEEP = colour("#e98d66"), colour("#d9663d")
GOLD, GOLD_SOFT = colour("#e8ae45"), colour("#fbe3b4")
RED, GREEN, BLUE = colour("#c0392b"), colour("#3f8a55"), colour("#3f74b5")
NIGHT = colour("#221914", 0.78)
NIGHT_INK = colour("#fff3df")
SEATS = tuple(map(colour, ("#d9653b", "#3f74b5", "#4a8a5a", "#8a5aa0", "#b08a1e")))
"""Colours of the players by seat; each also has a letter."""
ROUND = 12.0
"""Radius of the corners of a panel."""

_LINE_SHARE = {"Nunito": 1.364, "Fredoka": 1.21}
"""Line height over em: ImGui sizes a font by its line."""
_TILE, _BLUR = 64, 9


class Face(Enum):
    """A shipped font."""

    BODY = "Nunito-Regular"
    SEMI = "Nunito-SemiBold"
    BOLD = "Nunito-Bold"
    TITLE = "Fredoka-SemiBold"
    SUBTITLE = "Fredoka-Medium"

    @property
    def line_share(self) -> float:
        """Line height over em."""
        return _LINE_SHARE[self.value.split("-")[0]]


@dataclass(frozen=True, slots=True)
class Theme:
    """What the look needs in one ImGui context."""

    fonts: dict[Face, imgui.ImFont]
    shadow: moderngl.Texture
    """A blurred black plate of `_TILE` pixels a side whose edge lies a quarter in; stretched in nine parts."""


def make_theme(context: moderngl.Context) -> Theme:
    """Load fonts into the current ImGui context and set the style of what is drawn by ImGui itself."""
    io = imgui.get_io()
    fonts = {}
    for face in Face:
        with as_file(files("viewer") / "fonts" / f"{face.value}.ttf") as path:
            fonts[face] = io.fonts.add_font_from_file_ttf(str(path), 16.0)
    _set_style()
    return Theme(fonts, _shadow(context))


def _shadow(context: moderngl.Context) -> moderngl.Texture:
    image = Image.new("L", (_TILE, _TILE), 0)
    quarter = _TILE // 4
    ImageDraw.Draw(image).rounded_rectangle((quarter, quarter, _TILE - quarter - 1, _TILE - quarter - 1), 8, fill=255)
    alpha = image.filter(ImageFilter.GaussianBlur(_BLUR * 0.6))
    tile = Image.merge("RGBA", [*Image.new("RGB", alpha.size, (40, 22, 8)).split(), alpha])
    texture = context.texture(tile.size, 4, tile.tobytes())
    texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
    texture.repeat_x = texture.repeat_y = False
    return texture


def _set_style() -> None:
    style = imgui.get_style()
    style.window_padding = style.item_spacing = style.item_inner_spacing = imgui.ImVec2(0, 0)
    style.window_border_size = style.child_border_size = 0.0
    style.frame_rounding, style.scrollbar_rounding, style.grab_rounding = 9.0, 6.0, 6.0
    style.scrollbar_size, style.frame_border_size = 9.0, 1.0
    style.frame_padding = imgui.ImVec2(12, 9)
    style.disabled_alpha = 1.0
    chosen = imgui.Col_
    colours = {
        chosen.text: INK,
        chosen.text_disabled: FAINT_INK,
        chosen.frame_bg: PAPER,
        chosen.frame_bg_hovered: CREAM,
        chosen.frame_bg_active: CREAM,
        chosen.border: LINE,
        chosen.window_bg: (0.0, 0.0, 0.0, 0.0),
        chosen.child_bg: (0.0, 0.0, 0.0, 0.0),
        chosen.scrollbar_bg: (0.0, 0.0, 0.0, 0.0),
        chosen.scrollbar_grab: colour("#4a2b1a", 0.22),
        chosen.scrollbar_grab_hovered: colour("#4a2b1a", 0.36),
        chosen.scrollbar_grab_active: colour("#4a2b1a", 0.5),
        chosen.text_selected_bg: colour("#e8ae45", 0.45),
        chosen.nav_cursor: GOLD,
        chosen.input_text_cursor: ORANGE_DEEP,
    }
    for which, value in colours.items():
        style.set_color_(which, imgui.ImVec4(*value))
