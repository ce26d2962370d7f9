"""Still pictures of towers, drawn without a screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from types import TracebackType

import numpy as np
from PIL import Image

from meshes.errors import StakdError, UnknownFormat
from meshes.files import write_atomically
from meshes.piece_set import PieceSet
from physics.tower import Tower
from viewer.camera import Array, Camera
from viewer.context import headless_context
from viewer.fitting import fitted_camera, pictured_items
from viewer.item_buffer import placed_corners
from viewer.items import Colour, Item, tower_items
from viewer.rack import rack_items
from viewer.scene import STILL, Quality, Scene

LARGEST_SIDE = 8192
"""Pixels; what every graphics card of OpenGL 3.3 and the software renderer can do."""
_FORMATS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WEBP"}


class BadPicture(StakdError):
    """A picture or film can't be made or saved as asked. `what` names the size or file concerned."""

    def __init__(self, what: str, reason: str) -> None:
        self.what, self.reason = what, reason
        super().__init__(f"{what}: {reason}")


def render(
    tower: Tower,
    *,
    size: tuple[int, int] = (1280, 720),
    camera: Camera | None = None,
    quality: Quality = STILL,
    rest: Sequence[Mapping[str, int]] = (),
    highlights: Mapping[int, Colour] | None = None,
) -> Image.Image:
    """An RGB picture of `tower`, `size` pixels wide and high.

    `rest` are the hands still to be laid (pieces left by name, one mapping a player); they lie around the tower. The camera is fitted to the
    tower unless given. `highlights` make pieces glow, by index. The same arguments give the same picture on the same graphics driver.
    Raises `NoGraphics`, `BadPicture`.
    """
    items = [*tower_items(tower, highlights=highlights), *rack_items(tower, rest)]
    with Darkroom(tower.piece_set, size) as darkroom:
        lit = placed_corners(tower.piece_set, pictured_items(tower))
        return darkroom.shoot(items, camera or fitted_camera(tower, size), quality, lit=lit)


def save_picture(image: Image.Image, path: str | Path) -> None:
    """Write a picture as PNG, JPEG or WebP, by the file's ending, wholly or not at all; raises `UnknownFormat`, `UnwritableFile`."""
    form = _FORMATS.get(Path(path).suffix.lower())
    if form is None:
        raise UnknownFormat(Path(path), _FORMATS)
    data = BytesIO()
    image.save(data, form, **({"quality": 93} if form != "PNG" else {"optimize": True}))
    write_atomically(path, data.getvalue())


class Darkroom:
    """A scene with a context and a framebuffer of its own, for many pictures of one size. Use it in a `with` statement.

    Raises `NoGraphics` if there is no OpenGL, `BadPicture` if the size can't be drawn.
    """

    def __init__(self, piece_set: PieceSet, size: tuple[int, int]) -> None:
        if not all(1 <= side <= LARGEST_SIDE for side in size):
            raise BadPicture(f"{size[0]}×{size[1]} pixels", f"each side of a picture must be 1 to {LARGEST_SIDE} pixels")
        self.size = size
        self._context = headless_context()
        self._scene = Scene(self._context, piece_set)
        self._target = self._context.framebuffer([self._context.texture(size, 4, dtype="f1")])

    def __enter__(self) -> Darkroom:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def shoot(self, items: Sequence[Item], camera: Camera, quality: Quality = STILL, *, lit: Array | None = None) -> Image.Image:
        """An RGB picture of `items`. The lamp's pool of light is laid around the points `lit` (n, 3), or around the items."""
        with self._context:
            self._scene.show(items, lit=lit)
            self._scene.draw(camera, self._target, quality=quality)
            data = self._target.read(components=4)
        width, height = self.size
        pixels = np.frombuffer(data, np.uint8).reshape(height, width, 4)
        return Image.fromarray(np.ascontiguousarray(pixels[::-1, :, :3]))

    def close(self) -> None:
        """Free the context and everything in it."""
        with self._context:
            self._scene.release()
        self._context.release()
