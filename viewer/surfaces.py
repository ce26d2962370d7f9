"""What the scene's surfaces are made of: the shaders of painted pieces and table, in each way of shading, and their textures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import moderngl
import numpy as np

from meshes.lattice import Lattice
from meshes.piece_set import PieceSet
from viewer.glyphs import letter_atlas
from viewer.item_buffer import PAINT_UNIT, ItemBuffer
from viewer.lighting import Array, Studio
from viewer.shader_source import build_program, set_array, set_uniforms
from viewer.shadow_maps import REACHES_MM, HeightMaps, ShadowMap
from viewer.wood import TILE_MM, grain_texture

_UNITS = {"item_paint": PAINT_UNIT, "wood": 1, "letters": 2, "shadow_map": 3, "shadow_depths": 4, "near_heights": 5, "far_heights": 6}


@dataclass(frozen=True, slots=True)
class Shading:
    """How one sample is lit. Each way has shaders of its own, because software OpenGL runs loops of unknown length many times slower.

    `lights` points of the lamp, and as many directions of the sky, in a sample; `taps` (1 or 4) shadow look-ups for a point of the lamp,
    4 make the penumbra within the sample; `traced_sky` gives the sky's light shadows instead of guessing them from blurred heights.
    """

    lights: int
    taps: int
    traced_sky: bool


class Surfaces:
    """Draws items and table. `choose` a shading first; what is set is set for that one."""

    def __init__(self, context: moderngl.Context, piece_set: PieceSet, studio: Studio) -> None:
        self.context, self.piece_set, self.studio = context, piece_set, studio
        self._letters_used = "".join(piece.letter for piece in piece_set.pieces)
        self._wood, self._letters = _wood_texture(context), _letter_texture(context, self._letters_used)
        self._programs: dict[Shading, tuple[moderngl.Program, moderngl.Program, moderngl.VertexArray]] = {}

    def choose(self, shading: Shading) -> None:
        """Shade like this from now on."""
        if shading not in self._programs:
            constants = {"LIGHTS": shading.lights, "TAPS": shading.taps, "TRACED": int(shading.traced_sky)}
            item, table = (build_program(self.context, vertex, name, **constants) for vertex, name in (("item", "item"), ("screen", "table")))
            self._programs[shading] = item, table, self.context.vertex_array(table, [])
        self._item, self._table, self._table_array = self._programs[shading]
        self._set_fixed()

    def set(self, **values: object) -> None:
        """Set uniforms of both shaders."""
        set_uniforms(self._item, **values)
        set_uniforms(self._table, **values)

    def set_arrays(self, **values: Sequence[Array]) -> None:
        """Set uniform arrays of both shaders; empty ones are left alone."""
        for name, arrays in values.items():
            for program in (self._item, self._table):
                set_array(program, name, arrays)

    def bind(self, shadows: ShadowMap, heights: HeightMaps) -> None:
        """Bind all textures."""
        self._wood.use(_UNITS["wood"])
        self._letters.use(_UNITS["letters"])
        shadows.use(_UNITS["shadow_map"], _UNITS["shadow_depths"])
        heights.use(_UNITS["near_heights"], _UNITS["far_heights"])
        self.set(tiles=float(len(shadows.matrices)))

    def draw_items(self, items: ItemBuffer) -> None:
        """Draw all items."""
        items.render(self._item)

    def draw_table(self) -> None:
        """Draw table and backdrop at the far end of the depth range."""
        self._table_array.render(moderngl.TRIANGLES, vertices=3)

    def release(self) -> None:
        """Free shaders and textures."""
        for programs in self._programs.values():
            for part in programs:
                part.release()
        self._programs = {}
        self._wood.release()
        self._letters.release()

    def _set_fixed(self) -> None:
        piece_set = self.piece_set
        self.set(key_colour=self.studio.key_colour, wood_scale=1 / TILE_MM, reaches=REACHES_MM, **_UNITS)
        set_uniforms(
            self._item,
            is_hex=piece_set.lattice is Lattice.HEX,
            pitch=piece_set.pitch_mm,
            node_radius=piece_set.radius_mm,
            letter_count=float(len(self._letters_used)),
        )


def _wood_texture(context: moderngl.Context) -> moderngl.Texture:
    grain = grain_texture()
    height, width, channels = grain.shape
    texture = context.texture((width, height), channels, grain.tobytes())
    texture.build_mipmaps()
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    return texture


def _letter_texture(context: moderngl.Context, letters: str) -> moderngl.Texture:
    atlas = np.ascontiguousarray(letter_atlas(letters)[::-1])
    texture = context.texture((atlas.shape[1], atlas.shape[0]), 1, atlas.tobytes())
    texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
    return texture
