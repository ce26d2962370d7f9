"""All items in one vertex buffer and their paint in one small texture: any number of shapes, one draw call a pass."""

from __future__ import annotations

from collections.abc import Sequence

import moderngl
import numpy as np
from numpy.typing import NDArray

from meshes.piece_set import PieceSet, PieceType
from viewer.items import Colour, Item
from viewer.mesh_buffer import drawn_mesh
from viewer.wood import TILE_MM

PAINT_UNIT = 0
"""Texture unit at which `render` binds the paint."""
_PAINT_TEXELS = 3
_GRAIN_STRENGTH = 0.9


class ItemBuffer:
    """Items of one piece set on the graphics side. Corners are moved here, not in shaders, because a picture draws each pose dozens of times.

    `corners_mm` (n, 3) are the items' corners where they are, `letters` the letters that paint refers to by number.
    """

    def __init__(self, context: moderngl.Context, piece_set: PieceSet) -> None:
        self.context, self.piece_set = context, piece_set
        self.letters = "".join(piece.letter for piece in piece_set.pieces)
        self.corners_mm: NDArray[np.float64] = np.zeros((0, 3))
        self._shapes: tuple[PieceType, ...] = ()
        self._arrays: dict[int, moderngl.VertexArray] = {}
        self._parts: list[moderngl.Buffer | moderngl.Texture] = []

    def update(self, items: Sequence[Item]) -> None:
        """Take over these items: only poses and paint if the pieces are those of the last call."""
        shapes = tuple(item.piece for item in items)
        if shapes != self._shapes:
            self._allot(shapes)
        self.corners_mm = placed_corners(self.piece_set, items)
        if items:
            normals = [drawn_mesh(self.piece_set, item.piece).normals @ item.pose.matrix.T for item in items]
            self._placed.write(np.column_stack([self.corners_mm, np.concatenate(normals)]).astype(np.float32).tobytes())
            self._paint.write(np.array([self._texels(item) for item in items], np.float32).tobytes())

    def render(self, program: moderngl.Program) -> None:
        """Draw all items with one call; `program` reads `in_place` and, if it shades, all attributes of `item.vert`."""
        if self._shapes:
            self._paint.use(PAINT_UNIT)
            self._array(program).render(moderngl.TRIANGLES)

    def release(self) -> None:
        """Free the buffers and the texture."""
        for part in (*self._arrays.values(), *self._parts):
            part.release()
        self._arrays, self._parts = {}, []

    def _allot(self, shapes: tuple[PieceType, ...]) -> None:
        """Make room for these pieces and upload what does not depend on poses."""
        self.release()
        self._shapes = shapes
        if not shapes:
            return
        meshes = [drawn_mesh(self.piece_set, piece) for piece in shapes]
        own = [np.column_stack([mesh.places, mesh.normals, np.full(len(mesh.places), number)]) for number, mesh in enumerate(meshes)]
        starts = np.cumsum([0, *(len(mesh.places) for mesh in meshes)])
        triangles = [mesh.triangles + start for mesh, start in zip(meshes, starts[:-1], strict=True)]
        context = self.context
        self._own = context.buffer(np.concatenate(own).astype(np.float32).tobytes())
        self._placed = context.buffer(reserve=int(starts[-1]) * 6 * 4, dynamic=True)
        self._triangles = context.buffer(np.concatenate(triangles).astype(np.int32).tobytes())
        self._paint = context.texture((_PAINT_TEXELS, len(shapes)), 4, dtype="f4")
        self._paint.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._parts = [self._own, self._placed, self._triangles, self._paint]

    def _array(self, program: moderngl.Program) -> moderngl.VertexArray:
        if program.glo not in self._arrays:
            content: list[tuple[moderngl.Buffer, str, *tuple[str, ...]]] = [(self._placed, "3f 3x4", "in_place")]
            if "in_normal" in program:
                own = (self._own, "3f 3f 1f", "in_local_place", "in_local_normal", "in_item")
                content = [(self._placed, "3f 3f", "in_place", "in_normal"), own]
            self._arrays[program.glo] = self.context.vertex_array(program, content, index_buffer=self._triangles)
        return self._arrays[program.glo]

    def _texels(self, item: Item) -> list[tuple[float, float, float, float]]:
        """Paint and letter; highlight; offset into the wood, tone and strength of the grain."""
        paint = (*linear(item.piece.colour), float(self.letters.index(item.piece.letter)))
        glow = (*linear(item.highlight), 1.0) if item.highlight else (0.0, 0.0, 0.0, 0.0)
        u, v, tone = np.random.default_rng(item.seed).random(3)
        return [paint, glow, (float(u) * TILE_MM, float(v) * TILE_MM, 0.94 + 0.12 * float(tone), _GRAIN_STRENGTH)]


def placed_corners(piece_set: PieceSet, items: Sequence[Item]) -> NDArray[np.float64]:
    """(n, 3) mm: every corner of every item where it is; what a camera or a light must take in."""
    if not items:
        return np.zeros((0, 3))
    return np.concatenate([item.pose.apply(drawn_mesh(piece_set, item.piece).places) for item in items])


def linear(colour: Colour) -> tuple[float, float, float]:
    """A screen colour (sRGB, 0–255) as linear light, 0–1."""
    red, green, blue = (share / 12.92 if (share := value / 255) <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for value in colour)
    return red, green, blue
