"""Draws cards: any card of a game anywhere, turned, face up or down, with its shadow."""

from __future__ import annotations

import math

import moderngl

from viewer.cards.atlas import AROUND, HALO, SHADOW, SMALL, make_atlas
from viewer.cards.card_art import back_of
from viewer.cards.card_paper import HEIGHT, PADDING, WIDTH
from viewer.cards.place import Place
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.gui.theme import Colour, colour

_DIM = colour("#b2b5a9")
_KEPT = 6
"""Pixels of the padding that are drawn with a card, for smooth edges."""
_MOST_IN_PILE = 6


class CardFaces:
    """The cards of one game on the screen, from one texture. Call `release` when done.

    Making one takes a part of a second: do it when a page is opened, not while a frame is drawn."""

    def __init__(self, gui: Gui, context: moderngl.Context, game: str) -> None:
        self.game = game
        self._gui = gui
        self._atlas = make_atlas(game)
        image = self._atlas.image
        self._texture = context.texture(image.size, 4, image.tobytes())
        self._texture.repeat_x = self._texture.repeat_y = False
        self._texture.build_mipmaps()
        self._texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        context.finish()  # under software GL, textures made amid a frame have spoiled the frames after it now and then

    def release(self) -> None:
        """Free the texture."""
        self._gui.forget(self._texture)
        self._texture.release()

    def draw(
        self,
        card: str,
        place: Place,
        *,
        face_up: bool = True,
        lift: float = 0.0,
        dim: bool = False,
        glow: Colour | None = None,
        narrow: float = 1.0,
        shadow: bool = True,
        alpha: float = 1.0,
    ) -> None:
        """Draw a card, or its back. `lift` 0–1 is how high it is over the table; `glow` a ring around it, such as `GOLD`; `narrow` 0–1 its
        width while it is being turned over; `dim` greys it."""
        if shadow:
            self.shadow(place, lift=lift, narrow=narrow, alpha=alpha)
        if glow is not None:
            self._around(HALO, place, narrow, (*glow[:3], glow[3] * alpha), hole=0.46)
        name = card if face_up or card.startswith("back") else back_of(self.game, card)
        red, green, blue, _ = _DIM if dim else (1.0, 1.0, 1.0, 1.0)
        kept = Box(PADDING - _KEPT, PADDING - _KEPT, WIDTH + 2 * _KEPT, HEIGHT + 2 * _KEPT)
        self._tile(name, place, kept, place.width / WIDTH, narrow, (red, green, blue, alpha))

    def shadow(self, place: Place, *, lift: float = 0.0, narrow: float = 1.0, alpha: float = 1.0) -> None:
        """The shadow of a card that is drawn over it afterwards."""
        fall = place.width * (0.02 + 0.07 * lift)
        under = place._replace(x=place.x + 0.4 * fall, y=place.y + fall, width=place.width * (1 + 0.03 * lift))
        self._around(SHADOW, under, narrow, (1.0, 1.0, 1.0, alpha * (0.62 - 0.2 * lift)), hole=0.47 - 1.1 * fall / place.width)

    def slot(self, place: Place, tint: Colour = (1.0, 1.0, 1.0, 0.22)) -> None:
        """The outline of a card where none lies."""
        self._around(HALO, place, 1.0, tint, hole=0.0)

    def pile(self, card: str, place: Place, count: int, *, face_up: bool = False, glow: Colour | None = None, dim: bool = False) -> None:
        """A pile of `count` cards, its thickness growing with it, under a card on top; an empty one is an outline."""
        if count <= 0:
            self.slot(place)
            return
        layers = min(_MOST_IN_PILE, math.ceil(count / 6))
        step = place.width * 0.014
        for k in reversed(range(1, layers)):
            below = place._replace(x=place.x - k * step, y=place.y + k * step)
            self.draw(back_of(self.game, card) if not card.startswith("back") else card, below, face_up=False, shadow=k == layers - 1, dim=True)
        self.draw(card, place, face_up=face_up, glow=glow, dim=dim, shadow=layers == 1)

    def _around(self, name: str, place: Place, narrow: float, tint: Colour, *, hole: float) -> None:
        """A tile around a card, without the middle that the card hides: up to `hole` of its width from its centre line, as far from its ends."""
        scale = place.width / (WIDTH * SMALL)
        width, height = AROUND
        if hole <= 0:
            self._tile(name, place, Box(0, 0, width, height), scale, narrow, tint)
            return
        across = width / 2 - hole * WIDTH * SMALL
        down = height / 2 - (HEIGHT / 2 - (0.5 - hole) * WIDTH) * SMALL
        for part in (
            Box(0, 0, width, down),
            Box(0, down, across, height - 2 * down),
            Box(width - across, down, across, height - 2 * down),
            Box(0, height - down, width, down),
        ):
            self._tile(name, place, part, scale, narrow, tint)

    def _tile(self, name: str, place: Place, part: Box, scale: float, narrow: float, tint: Colour) -> None:
        """A part of a tile, in its pixels, as it lies if the tile's middle is that of the card."""
        (left, top), (width, height) = self._atlas.corners[name], self._atlas.image.size
        low = (left + part.x) / width, (top + part.y) / height
        high = (left + part.right) / width, (top + part.bottom) / height
        across, down = scale * narrow, scale
        x, y = part.x - AROUND[0] / 2, part.y - AROUND[1] / 2
        corners = place.around(x * across, y * down, (x + part.w) * across, (y + part.h) * down)
        self._gui.paint.quad(self._gui.use(self._texture), corners, low, high, tint)
