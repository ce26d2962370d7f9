"""All items in one vertex buffer and their paint in one small texture: any number of shapes, one draw call a pass."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import moderngl
import numpy as np
from numpy.typing import NDArray

from meshes.piece_set import PieceSet, PieceType
from physics.pose import as_array
from viewer.items import Colour, Item
from viewer.mesh_buffer import DrawnMesh, Level, drawn_mesh
from viewer.wood import TILE_MM

Array = NDArray[np.float64]

PAINT_UNIT = 0
"""Texture unit at which `render` binds the paint."""
_PAINT_TEXELS = 4
_GRAIN_STRENGTH = 0.9
_GLOWS, _GHOST = 1.0, 2.0
"""What the shaders read from a highlight's fourth number."""


class ItemBuffer:
    """Items of one piece set on the graphics side. Corners are moved here, not in shaders, because a picture draws each pose dozens of times.

    `corners_mm` (n, 3) are the corners, coarsely, of all items that are there (no ghosts), `letters` the letters that paint refers to by number.
    """

    def __init__(self, context: moderngl.Context, piece_set: PieceSet) -> None:
        self.context, self.piece_set = context, piece_set
        self.letters = "".join(piece.letter for piece in piece_set.pieces)
        self.corners_mm: Array = np.zeros((0, 3))
        self._shapes: tuple[PieceType, ...] = ()
        self._levels: dict[Level, _Corners] = {}
        self._paint: moderngl.Texture | None = None
        self._turns, self._places = np.zeros((0, 3, 3)), np.zeros((0, 3))
        self._ghost, self._order = np.zeros(0, bool), np.zeros(0, int)
        self._eye: Array = np.zeros(3)

    def update(self, items: Sequence[Item]) -> None:
        """Take over these items: only poses and paint if the pieces are those of the last call."""
        shapes = tuple(item.piece for item in items)
        if shapes != self._shapes:
            self._allot(shapes)
        self._ghost = np.array([item.ghost for item in items], bool)
        poses = np.array([as_array(item.pose) for item in items]).reshape(-1, 7)
        self._turns, self._places = _rotations(poses[:, 3:]), poses[:, :3]
        self.sort(self._eye)
        for level in self._levels.values():
            level.stale = True
        if self._paint is None:
            self.corners_mm = np.zeros((0, 3))
            return
        texels = np.zeros((len(items), _PAINT_TEXELS, 4), np.float32)
        texels[:, :3] = [self._texels(item) for item in items]
        texels[:, 3, :3] = self._turns[:, :, 2]
        self._paint.write(texels)
        coarse = self._level(Level.COARSE)
        self.corners_mm = coarse.placed[~self._ghost[coarse.owners]]

    def resize(self, piece_set: PieceSet) -> None:
        """Another set of the same letters; what was shown must be shown anew."""
        self.piece_set = piece_set
        self._allot(())

    def sort(self, eye: Array) -> None:
        """Draw what is there from near to far, so that little hidden is shaded, then ghosts from far to near, as blending wants."""
        self._eye = eye
        away = np.linalg.norm(self._places - eye, axis=1)
        self._order = np.lexsort((np.where(self._ghost, -away, away), self._ghost))

    @property
    def has_ghosts(self) -> bool:
        """Whether any item is a ghost."""
        return bool(self._ghost.any())

    def render(self, program: moderngl.Program, level: Level = Level.FINE, *, ghosts: bool = False) -> None:
        """Draw all items that are there, or else all `ghosts`, with one call.

        `program` reads `in_place` and, if it shades, all attributes of `item.vert`.
        """
        if self._paint is not None and (self._ghost == ghosts).any():
            self._paint.use(PAINT_UNIT)
            self._level(level).render(program, self._order, int((~self._ghost).sum()), ghosts)

    def release(self) -> None:
        """Free the buffers and the texture."""
        for level in self._levels.values():
            level.release()
        if self._paint is not None:
            self._paint.release()
        self._levels, self._paint, self._shapes = {}, None, ()

    def _allot(self, shapes: tuple[PieceType, ...]) -> None:
        self.release()
        self._shapes = shapes
        if shapes:
            self._paint = self.context.texture((_PAINT_TEXELS, len(shapes)), 4, dtype="f4")
            self._paint.filter = (moderngl.NEAREST, moderngl.NEAREST)

    def _level(self, level: Level) -> _Corners:
        """Corners of a level, where the items are now."""
        if level not in self._levels:
            self._levels[level] = _Corners(self.context, [drawn_mesh(self.piece_set, piece, level) for piece in self._shapes])
        corners = self._levels[level]
        if corners.stale:
            corners.place(self._turns, self._places)
        return corners

    def _texels(self, item: Item) -> list[tuple[float, float, float, float]]:
        """Paint and letter; highlight; offset into the wood, tone and strength of the grain."""
        paint = (*linear(item.piece.colour), float(self.letters.index(item.piece.letter)))
        tint = item.highlight or (item.piece.colour if item.ghost else None)
        glow = (*linear(tint), _GHOST if item.ghost else _GLOWS) if tint else (0.0, 0.0, 0.0, 0.0)
        return [paint, glow, _grain(item.seed)]


class _Corners:
    """The corners of all items at one level of detail; `owners` (n,) is the item each belongs to, `placed` (n, 3) where it is."""

    def __init__(self, context: moderngl.Context, meshes: Sequence[DrawnMesh]) -> None:
        self.context = context
        counts = [len(mesh.places) for mesh in meshes]
        starts = np.cumsum([0, *counts])
        self.owners = np.repeat(np.arange(len(meshes)), counts)
        self.placed: Array = np.zeros((starts[-1], 3))
        self.stale = True
        self._meshes = meshes
        self._blocks = [(mesh.triangles + start).astype(np.int32) for mesh, start in zip(meshes, starts[:-1], strict=True)]
        own = np.column_stack([np.concatenate([mesh.places for mesh in meshes]), np.concatenate([mesh.normals for mesh in meshes]), self.owners])
        self._own = context.buffer(own.astype(np.float32).tobytes())
        self._buffer = context.buffer(reserve=len(own) * 6 * 4, dynamic=True)
        self._order = np.arange(len(meshes))
        self._ends = np.cumsum([block.size for block in self._blocks])
        self._triangles = context.buffer(np.concatenate(self._blocks).tobytes(), dynamic=True)
        self._arrays: dict[int, moderngl.VertexArray] = {}

    def place(self, turns: Array, places: Array) -> None:
        """Move all corners to the poses of their items."""
        self.placed = np.concatenate([mesh.places @ turn.T + place for mesh, turn, place in zip(self._meshes, turns, places, strict=True)])
        normals = np.concatenate([mesh.normals @ turn.T for mesh, turn in zip(self._meshes, turns, strict=True)])
        both = np.empty((len(self.placed), 6), np.float32)
        both[:, :3], both[:, 3:] = self.placed, normals
        self._buffer.write(both)
        self.stale = False

    def render(self, program: moderngl.Program, order: NDArray[np.int_], solid: int, ghosts: bool) -> None:
        """Draw in this order of items: the first `solid` of it, or else the rest."""
        if not np.array_equal(order, self._order):
            blocks = [self._blocks[number] for number in order]
            self._triangles.write(np.concatenate(blocks))
            self._order, self._ends = order, np.cumsum([block.size for block in blocks])
        middle = int(self._ends[solid - 1]) if solid else 0
        first, last = (middle, int(self._ends[-1])) if ghosts else (0, middle)
        self._array(program).render(moderngl.TRIANGLES, vertices=last - first, first=first)

    def release(self) -> None:
        for array in self._arrays.values():
            array.release()
        for buffer in (self._own, self._buffer, self._triangles):
            buffer.release()

    def _array(self, program: moderngl.Program) -> moderngl.VertexArray:
        if program.glo not in self._arrays:
            content: list[tuple[moderngl.Buffer, str, *tuple[str, ...]]] = [(self._buffer, "3f 3x4", "in_place")]
            if "in_normal" in program:
                own = (self._own, "3f 3f 1f", "in_local_place", "in_local_normal", "in_item")
                content = [(self._buffer, "3f 3f", "in_place", "in_normal"), own]
            self._arrays[program.glo] = self.context.vertex_array(program, content, index_buffer=self._triangles)
        return self._arrays[program.glo]


def placed_corners(piece_set: PieceSet, items: Sequence[Item]) -> Array:
    """(n, 3) mm: every corner of every item where it is; what a camera or a light must take in."""
    if not items:
        return np.zeros((0, 3))
    return np.concatenate([item.pose.apply(drawn_mesh(piece_set, item.piece).places) for item in items])


@lru_cache(maxsize=1024)
def linear(colour: Colour) -> tuple[float, float, float]:
    """A screen colour (sRGB, 0–255) as linear light, 0–1."""
    red, green, blue = (share / 12.92 if (share := value / 255) <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for value in colour)
    return red, green, blue


@lru_cache(maxsize=4096)
def _grain(seed: int) -> tuple[float, float, float, float]:
    u, v, tone = np.random.default_rng(seed).random(3)
    return float(u) * TILE_MM, float(v) * TILE_MM, 0.94 + 0.12 * float(tone), _GRAIN_STRENGTH


def _rotations(quaternions: Array) -> Array:
    """(n, 3, 3) matrices of (n, 4) quaternions."""
    x, y, z, w = quaternions.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)
