"""All items in one vertex buffer, their poses and paint in one small texture: any number of shapes, one draw call a pass."""

from __future__ import annotations

from collections.abc import Sequence

import moderngl
import numpy as np
from numpy.typing import NDArray

from meshes.piece_set import PieceSet, PieceType
from viewer.items import Colour, Item
from viewer.mesh_buffer import drawn_mesh, joined, posed_corners

_TEXELS = 6
_GRAIN_STRENGTH = 0.62


class ItemBuffer:
    """Items of one piece set on the graphics side.

    `corners_mm` (n, 3) are the items' corners where they are, `letters` the letters that paint refers to by number.
    """

    def __init__(self, context: moderngl.Context, piece_set: PieceSet) -> None:
        self.context, self.piece_set = context, piece_set
        self.letters = "".join(piece.letter for piece in piece_set.pieces)
        self.corners_mm: NDArray[np.float64] = np.zeros((0, 3))
        self._shapes: tuple[PieceType, ...] = ()
        self._arrays: dict[int, moderngl.VertexArray] = {}
        self._buffers: list[moderngl.Buffer] = []
        self._data: moderngl.Texture | None = None

    def update(self, items: Sequence[Item]) -> None:
        """Take over these items: only poses and paint if the pieces are those of the last call."""
        shapes = tuple(item.piece for item in items)
        if shapes != self._shapes:
            self._shapes = shapes
            self._upload_shapes()
        self.corners_mm = posed_corners(self.piece_set, [(item.piece, item.pose) for item in items])
        if items and self._data is not None:
            self._data.write(np.array([self._texels(item) for item in items], np.float32).tobytes())

    def render(self, program: moderngl.Program) -> None:
        """Draw all items with one call by `program`, which must read `in_position` and `in_item` and may read `in_normal`."""
        if not self._shapes or self._data is None:
            return
        self._data.use(0)
        self._array(program).render(moderngl.TRIANGLES)

    def release(self) -> None:
        """Free the buffers and the texture."""
        self._release_shapes()

    def _upload_shapes(self) -> None:
        self._release_shapes()
        if not self._shapes:
            return
        corners, triangles = joined([drawn_mesh(self.piece_set, piece) for piece in self._shapes])
        self._buffers = [self.context.buffer(corners.tobytes()), self.context.buffer(triangles.tobytes())]
        self._data = self.context.texture((_TEXELS, len(self._shapes)), 4, dtype="f4")
        self._data.filter = (moderngl.NEAREST, moderngl.NEAREST)

    def _array(self, program: moderngl.Program) -> moderngl.VertexArray:
        if program.glo not in self._arrays:
            corners, triangles = self._buffers
            has_normals = "in_normal" in program
            layout = ("3f 3f 1f", "in_position", "in_normal", "in_item") if has_normals else ("3f 3x4 1f", "in_position", "in_item")
            self._arrays[program.glo] = self.context.vertex_array(program, [(corners, *layout)], index_buffer=triangles)
        return self._arrays[program.glo]

    def _release_shapes(self) -> None:
        for part in (*self._arrays.values(), *self._buffers, *([self._data] if self._data else [])):
            part.release()
        self._arrays, self._buffers, self._data = {}, [], None

    def _texels(self, item: Item) -> list[tuple[float, float, float, float]]:
        """Three rows of the pose; paint and letter; highlight; offset into the wood, tone and strength of the grain."""
        rows = [(float(a), float(b), float(c), float(d)) for a, b, c, d in item.pose.transform[:3]]
        paint = (*linear(item.piece.colour), float(self.letters.index(item.piece.letter)))
        glow = (*linear(item.highlight), 1.0) if item.highlight else (0.0, 0.0, 0.0, 0.0)
        u, v, tone = np.random.default_rng(item.seed).random(3)
        return [*rows, paint, glow, (float(u) * 240, float(v) * 240, 0.95 + 0.10 * float(tone), _GRAIN_STRENGTH)]


def linear(colour: Colour) -> tuple[float, float, float]:
    """A screen colour (sRGB, 0–255) as linear light, 0–1."""
    red, green, blue = (share / 12.92 if (share := value / 255) <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for value in colour)
    return red, green, blue
