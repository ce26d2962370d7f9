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
from viewer.mesh_buffer import Level
from viewer.shader_source import build_program, set_array, set_uniforms
from viewer.shadow_maps import REACHES_MM, HeightMaps, ShadowMap
from viewer.table_light import TableLight
from viewer.wood import TILE_MM, grain_texture

_UNITS = {"item_paint": PAINT_UNIT} | {
    name: unit for unit, name in enumerate(("wood", "letters", "shadow_map", "shadow_depths", "near_heights", "far_heights", "table_light"), 1)
}


@dataclass(frozen=True, slots=True)
class Shading:
    """How one sample is lit. Each way has shaders of its own, because software OpenGL runs loops of unknown length many times slower.

    `lights` points of the lamp, and as many directions of the sky, in a sample; `taps` (1 or 4) shadow look-ups for a point of the lamp,
    4 make the penumbra within the sample; `traced_sky` gives the sky's light shadows instead of guessing them from blurred heights. `live` pictures
    are of one sample, made ready for the eye at once; what light arrives at the table is looked up in a map for them (see `draw_table_light`),
    and only there `taps` count, because on pieces penumbras are narrow.
    """

    lights: int
    taps: int
    traced_sky: bool
    live: bool = False


class Surfaces:
    """Draws items and table. `choose` a shading first; what is set is set for that one."""

    def __init__(self, context: moderngl.Context, piece_set: PieceSet, studio: Studio) -> None:
        self.context, self.piece_set, self.studio = context, piece_set, studio
        self._letters_used = "".join(piece.letter for piece in piece_set.pieces)
        self._wood, self._letters = _wood_texture(context), _letter_texture(context, self._letters_used)
        self._programs: dict[Shading, tuple[moderngl.Program, ...]] = {}
        self._chosen: tuple[moderngl.Program, ...] = ()
        self._arrays: dict[int, moderngl.VertexArray] = {}

    def choose(self, shading: Shading) -> None:
        """Shade like this from now on."""
        if shading not in self._programs:
            constants = {"LIGHTS": shading.lights, "TAPS": shading.taps, "TRACED": int(shading.traced_sky), "LIVE": int(shading.live)}
            item = build_program(self.context, "item", "item", **(constants | {"TAPS": 1} if shading.live else constants))
            table = build_program(self.context, "screen", "table", **constants)
            backdrop = build_program(self.context, "screen", "backdrop", **constants)
            light = [build_program(self.context, "screen", "table_light", **constants)] if shading.live else []
            self._programs[shading] = item, table, backdrop, *light
            self._chosen = self._programs[shading]
            self._set_fixed()
        self._chosen = self._programs[shading]

    def resize(self, piece_set: PieceSet) -> None:
        """Another set of the same lattice and letters."""
        self.piece_set, chosen = piece_set, self._chosen
        for programs in self._programs.values():
            self._chosen = programs
            self._set_fixed()
        self._chosen = chosen

    def set(self, **values: object) -> None:
        """Set uniforms of all shaders."""
        for program in self._chosen:
            set_uniforms(program, **values)

    def set_arrays(self, **values: Sequence[Array]) -> None:
        """Set uniform arrays of all shaders; empty ones are left alone."""
        for name, arrays in values.items():
            for program in self._chosen:
                set_array(program, name, arrays)

    def bind(self, shadows: ShadowMap, heights: HeightMaps, table_light: TableLight | None = None) -> None:
        """Bind all textures; `table_light` only for a live shading."""
        self._wood.use(_UNITS["wood"])
        self._letters.use(_UNITS["letters"])
        shadows.use(_UNITS["shadow_map"], _UNITS["shadow_depths"])
        heights.use(_UNITS["near_heights"], _UNITS["far_heights"])
        if table_light is not None:
            table_light.use(_UNITS["table_light"])
        self.set(tiles=float(len(shadows.matrices)))

    def draw_items(self, items: ItemBuffer, level: Level = Level.FINE, *, ghosts: bool = False) -> None:
        """Draw all items that are there, or all ghosts."""
        items.render(self._chosen[0], level, ghosts=ghosts)

    def draw_table(self) -> None:
        """Draw table and backdrop at the far end of the depth range."""
        self._cover(self._chosen[1])

    def draw_backdrop(self) -> None:
        """Draw the backdrop alone, where no table is seen, quicker than `draw_table` would."""
        self._cover(self._chosen[2])

    def draw_table_light(self) -> None:
        """Draw the map of what light arrives at the table; for a live shading."""
        self._cover(self._chosen[3])

    def release(self) -> None:
        """Free shaders and textures."""
        for array in self._arrays.values():
            array.release()
        for programs in self._programs.values():
            for program in programs:
                program.release()
        self._programs, self._arrays = {}, {}
        self._wood.release()
        self._letters.release()

    def _cover(self, program: moderngl.Program) -> None:
        if program.glo not in self._arrays:
            self._arrays[program.glo] = self.context.vertex_array(program, [])
        self._arrays[program.glo].render(moderngl.TRIANGLES, vertices=3)

    def _set_fixed(self) -> None:
        piece_set = self.piece_set
        self.set(key_colour=self.studio.key_colour, exposure=self.studio.exposure, wood_scale=1 / TILE_MM, reaches=REACHES_MM, **_UNITS)
        self.set(
            is_hex=piece_set.lattice is Lattice.HEX,
            pitch=piece_set.pitch_mm,
            node_radius=piece_set.radius_mm,
            thickness=piece_set.thickness_mm,
            bevel=piece_set.bevel_mm,
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
