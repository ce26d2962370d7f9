"""Paints plates, words, rings and lines into ImGui's draw list, in units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum

from imgui_bundle import imgui

from viewer.gui.box import Box
from viewer.gui.theme import GOLD, INK, LINE, Colour, Face, Theme

_SPREAD = 16.0
"""How far a shadow reaches beyond its plate."""


class Align(Enum):
    """Which end of a line of words the given place is."""

    LEFT = 0.0
    CENTRE = 0.5
    RIGHT = 1.0


class Painter:
    """Paints on the current ImGui window, or over all of them while `on_top`; all colours are faded by `fade`."""

    def __init__(self, theme: Theme, shadow: imgui.ImTextureRef) -> None:
        self._theme, self._shadow = theme, shadow
        self.fade = 1.0
        self.on_top = False

    @property
    def _list(self) -> imgui.ImDrawList:
        return imgui.get_foreground_draw_list() if self.on_top else imgui.get_window_draw_list()

    def _ink(self, colour: Colour) -> int:
        red, green, blue, alpha = colour
        return imgui.color_convert_float4_to_u32(imgui.ImVec4(red, green, blue, alpha * self.fade))

    def measure(self, words: str, size: float, face: Face = Face.BODY, wrap: float = 0.0) -> tuple[float, float]:
        """Width and height of words with letters of `size` em, wrapped at a width if one is given."""
        imgui.push_font(self._theme.fonts[face], size * face.line_share)
        rounded = imgui.get_font_size() / (size * face.line_share)  # ImGui measures with a whole size, but draws with any
        found = imgui.calc_text_size(words, wrap_width=wrap * rounded if wrap else -1.0)
        imgui.pop_font()
        return found.x / rounded, found.y / rounded

    def words(
        self,
        words: str,
        x: float,
        y: float,
        size: float = 15.0,
        *,
        face: Face = Face.BODY,
        colour: Colour = INK,
        align: Align = Align.LEFT,
        wrap: float = 0.0,
    ) -> float:
        """Words whose first line begins at the height `y`; gives the height they take. Wrapped words are aligned left."""
        width, height = self.measure(words, size, face, wrap)
        place = imgui.ImVec2(round(x - (0.0 if wrap else align.value * width)), round(y))
        self._list.add_text(self._theme.fonts[face], size * face.line_share, place, self._ink(colour), words, wrap)
        return height

    def words_in(
        self, words: str, box: Box, size: float = 15.0, *, face: Face = Face.BODY, colour: Colour = INK, align: Align = Align.CENTRE
    ) -> None:
        """One line in a box, amid its height, made smaller or cut with … if it does not fit."""
        while size > 11.0 and self.measure(words, size, face)[0] > box.w:
            size -= 1.0
        words = self.cut(words, box.w, size, face)
        _, height = self.measure(words, size, face)
        x = box.x + align.value * box.w
        self.words(words, x, box.y + (box.h - height) / 2, size, face=face, colour=colour, align=align)

    def cut(self, words: str, width: float, size: float, face: Face = Face.BODY) -> str:
        """The words, or as much of them as fits with … at the end."""
        if self.measure(words, size, face)[0] <= width:
            return words
        while words and self.measure(words + "…", size, face)[0] > width:
            words = words[:-1]
        return words.rstrip() + "…"

    def plate(
        self,
        box: Box,
        colour: Colour,
        bottom: Colour | None = None,
        *,
        radius: float = 10.0,
        border: Colour | None = LINE,
        thickness: float = 1.0,
        shadow: float = 0.0,
    ) -> None:
        """A rounded plate, shaded from `colour` at the top to `bottom`, with a soft shadow of strength 0–1."""
        if shadow:
            self.shadow(box, shadow)
        low, high, draw = imgui.ImVec2(box.x, box.y), imgui.ImVec2(box.right, box.bottom), self._list
        first = draw.vtx_buffer.size()
        draw.add_rect_filled(low, high, self._ink(colour), radius)
        if bottom is not None:
            last = draw.vtx_buffer.size()
            end = imgui.ImVec2(box.x, box.bottom)
            imgui.internal.shade_verts_linear_color_gradient_keep_alpha(draw, first, last, low, end, self._ink(colour), self._ink(bottom))
        if border is not None:
            half = thickness / 2
            low, high = imgui.ImVec2(box.x + half, box.y + half), imgui.ImVec2(box.right - half, box.bottom - half)
            draw.add_rect(low, high, self._ink(border), radius, thickness)

    def shadow(self, box: Box, strength: float = 0.5) -> None:
        """A soft shadow under a plate, a little below it."""
        tint = self._ink((1.0, 1.0, 1.0, strength))
        outer, inner = _SPREAD, min(_SPREAD, box.w / 2, box.h / 2)
        xs = (box.x - outer, box.x + inner, box.right - inner, box.right + outer)
        ys = (box.y - outer + 5, box.y + inner + 5, box.bottom - inner + 5, box.bottom + outer + 5)
        cuts = (0.0, 0.5, 0.5, 1.0)
        for i in range(3):
            for j in range(3):
                if xs[i + 1] > xs[i] and ys[j + 1] > ys[j]:
                    low, high = imgui.ImVec2(xs[i], ys[j]), imgui.ImVec2(xs[i + 1], ys[j + 1])
                    self._list.add_image(self._shadow, low, high, imgui.ImVec2(cuts[i], cuts[j]), imgui.ImVec2(cuts[i + 1], cuts[j + 1]), tint)

    def frame(self, box: Box, colour: Colour = GOLD, *, radius: float = 10.0, thickness: float = 2.0, away: float = 3.0) -> None:
        """A ring around a box: what has the focus."""
        low, high = imgui.ImVec2(box.x - away, box.y - away), imgui.ImVec2(box.right + away, box.bottom + away)
        self._list.add_rect(low, high, self._ink(colour), radius + away, thickness)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """A filled circle."""
        self._list.add_circle_filled(imgui.ImVec2(x, y), radius, self._ink(colour))

    def circle(self, x: float, y: float, radius: float, colour: Colour, thickness: float = 2.0) -> None:
        """A circle."""
        self._list.add_circle(imgui.ImVec2(x, y), radius, self._ink(colour), 0, thickness)

    def line(self, points: Sequence[tuple[float, float]], colour: Colour, thickness: float = 1.5, *, closed: bool = False) -> None:
        """A line through points."""
        corners: list[imgui.ImVec2 | tuple[float, float] | list[float]] = [imgui.ImVec2(*point) for point in points]
        flags = imgui.ImDrawFlags_.closed if closed else imgui.ImDrawFlags_.none
        self._list.add_polyline(corners, self._ink(colour), thickness, flags)

    def area(self, points: Sequence[tuple[float, float]], colour: Colour) -> None:
        """A filled convex polygon."""
        corners: list[imgui.ImVec2 | tuple[float, float] | list[float]] = [imgui.ImVec2(*point) for point in points]
        self._list.add_convex_poly_filled(corners, self._ink(colour))

    def picture(
        self, texture: imgui.ImTextureRef, box: Box, *, low: tuple[float, float] = (0.0, 0.0), high: tuple[float, float] = (1.0, 1.0)
    ) -> None:
        """A texture, or the part of it from `low` to `high`, in a box."""
        corner, far = imgui.ImVec2(box.x, box.y), imgui.ImVec2(box.right, box.bottom)
        self._list.add_image(texture, corner, far, imgui.ImVec2(*low), imgui.ImVec2(*high), self._ink((1.0, 1.0, 1.0, 1.0)))

    def quad(
        self, texture: imgui.ImTextureRef, corners: Sequence[tuple[float, float]], low: tuple[float, float], high: tuple[float, float], tint: Colour
    ) -> None:
        """The part of a texture from `low` to `high` in a shape of four corners, given clockwise from its upper left one."""
        a, b, c, d = [imgui.ImVec2(*corner) for corner in corners]
        (left, top), (right, bottom) = low, high
        across, far, down = imgui.ImVec2(right, top), imgui.ImVec2(right, bottom), imgui.ImVec2(left, bottom)
        self._list.add_image_quad(texture, a, b, c, d, imgui.ImVec2(left, top), across, far, down, self._ink(tint))

    def bar(self, box: Box, share: float, colour: Colour, ground: Colour) -> None:
        """A bar filled to a share 0–1."""
        self.plate(box, ground, radius=box.h / 2, border=None)
        width = box.w * min(1.0, max(0.0, share))
        if width >= 1:
            self.plate(Box(box.x, box.y, max(width, box.h), box.h), colour, radius=box.h / 2, border=None)

    def tick(self, x: float, y: float, size: float, colour: Colour) -> None:
        """A tick mark around a middle."""
        self.line([(x - 0.45 * size, y), (x - 0.1 * size, y + 0.35 * size), (x + 0.5 * size, y - 0.4 * size)], colour, max(2.0, size / 5))

    def cross(self, x: float, y: float, size: float, colour: Colour) -> None:
        """A cross around a middle."""
        half = 0.38 * size
        for sign in (1, -1):
            self.line([(x - half, y - sign * half), (x + half, y + sign * half)], colour, max(2.0, size / 5))

    def ring_on(self, points: Sequence[tuple[float, float]], colour: Colour, *, dashed: bool = False, thickness: float = 2.0) -> None:
        """A closed line through points, whole or dashed."""
        if not dashed:
            self.line(points, colour, thickness, closed=True)
            return
        for k in range(0, len(points) - 1, 2):
            self.line([points[k], points[k + 1]], colour, thickness)

    def arrow(self, x: float, y: float, size: float, colour: Colour, *, turn_deg: float = 0.0) -> None:
        """A small filled triangle that points to the right, turned clockwise."""
        cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
        corners = [(-0.35, -0.5), (0.5, 0.0), (-0.35, 0.5)]
        self.area([(x + size * (cos * a - sin * b), y + size * (sin * a + cos * b)) for a, b in corners], colour)
