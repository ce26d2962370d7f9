"""Draws what Dear ImGui wants drawn, through moderngl, and keeps its textures."""

from __future__ import annotations

import ctypes

import moderngl
import numpy as np
from imgui_bundle import imgui

from viewer.shader_source import set_uniforms

_VERTEX = """
#version 330
uniform vec2 area;
in vec2 place;
in vec2 uv;
in vec4 colour;
out vec2 texel;
out vec4 tint;
void main() {
    texel = uv;
    tint = colour;
    gl_Position = vec4(2.0 * place.x / area.x - 1.0, 1.0 - 2.0 * place.y / area.y, 0.0, 1.0);
}
"""
_FRAGMENT = """
#version 330
uniform sampler2D image;
in vec2 texel;
in vec4 tint;
out vec4 colour;
void main() { colour = tint * texture(image, texel); }
"""
_BLEND = (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA, moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)


class GuiRenderer:
    """Draws the current ImGui context's frame into a framebuffer. Call `release` when done.

    Alpha of the target stays what it was, so that a window that is composited does not become see-through.
    """

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._program = context.program(vertex_shader=_VERTEX, fragment_shader=_FRAGMENT)
        self._vertices = context.buffer(reserve=1 << 16, dynamic=True)
        self._indices = context.buffer(reserve=1 << 14, dynamic=True)
        self._array = self._bound()
        self._textures: dict[int, moderngl.Texture] = {}
        io = imgui.get_io()
        io.backend_flags |= imgui.BackendFlags_.renderer_has_textures
        platform = imgui.get_platform_io()
        platform.renderer_texture_max_width = platform.renderer_texture_max_height = int(context.info["GL_MAX_TEXTURE_SIZE"])

    def use(self, texture: moderngl.Texture) -> imgui.ImTextureRef:
        """What ImGui calls a texture of ours in its draw lists; the caller keeps the texture alive for as long as it is drawn."""
        self._textures[texture.glo] = texture
        return imgui.ImTextureRef(texture.glo)

    def forget(self, texture: moderngl.Texture) -> None:
        """A texture of ours is gone."""
        self._textures.pop(texture.glo, None)

    def render(self, target: moderngl.Framebuffer) -> None:
        """Draw the frame that `imgui.render()` has closed over what is in `target`'s viewport."""
        self._serve_textures()
        data = imgui.get_draw_data()
        width, height = data.display_size
        if not data.cmd_lists_count or not width or not height:
            return
        context = self._context
        target.use()
        context.enable_only(moderngl.BLEND)
        context.blend_func = _BLEND  # type: ignore[assignment]
        context.clear_samplers()
        set_uniforms(self._program, area=(width, height))
        for commands in data.cmd_lists:
            self._upload(commands)
            for command in commands.cmd_buffer:
                self._draw(command, target, data.framebuffer_scale)
        target.scissor = None  # type: ignore[assignment]
        context.enable_only(moderngl.NOTHING)

    def release(self) -> None:
        """Free everything, ImGui's textures too."""
        for texture in imgui.get_platform_io().textures:
            held = self._textures.pop(texture.get_tex_id(), None)
            if held is not None:
                held.release()
                texture.set_tex_id(0)
                texture.set_status(imgui.ImTextureStatus.destroyed)
        for part in (self._array, self._vertices, self._indices, self._program):
            part.release()

    def _bound(self) -> moderngl.VertexArray:
        content = [(self._vertices, "2f 2f 4f1", "place", "uv", "colour")]
        return self._context.vertex_array(self._program, content, self._indices, index_element_size=imgui.INDEX_SIZE)

    def _upload(self, commands: imgui.ImDrawList) -> None:
        vertices, indices = commands.vtx_buffer, commands.idx_buffer
        vertex_bytes, index_bytes = vertices.size() * imgui.VERTEX_SIZE, indices.size() * imgui.INDEX_SIZE
        if vertex_bytes > self._vertices.size or index_bytes > self._indices.size:
            self._array.release()
            for buffer in (self._vertices, self._indices):
                buffer.release()
            self._vertices = self._context.buffer(reserve=2 * vertex_bytes, dynamic=True)
            self._indices = self._context.buffer(reserve=2 * index_bytes, dynamic=True)
            self._array = self._bound()
        if vertex_bytes:
            self._vertices.write((ctypes.c_char * vertex_bytes).from_address(vertices.data_address()))
            self._indices.write((ctypes.c_char * index_bytes).from_address(indices.data_address()))

    def _draw(self, command: imgui.ImDrawCmd, target: moderngl.Framebuffer, scale: imgui.ImVec2) -> None:
        left, top, right, bottom = command.clip_rect
        high = target.viewport[3]
        x, y = max(0, round(left * scale.x)), max(0, round(high - bottom * scale.y))
        width, height = round(right * scale.x) - x, round(high - top * scale.y) - y
        texture = self._textures.get(command.tex_ref.get_tex_id())
        if width <= 0 or height <= 0 or texture is None:
            return
        target.scissor = (x, y, width, height)
        texture.use(0)
        self._array.render(moderngl.TRIANGLES, vertices=command.elem_count, first=command.idx_offset)

    def _serve_textures(self) -> None:
        for texture in imgui.get_platform_io().textures:
            if texture.status == imgui.ImTextureStatus.want_create:
                made = self._context.texture((texture.width, texture.height), 4, _pixels(texture).tobytes())
                made.filter = (moderngl.LINEAR, moderngl.LINEAR)
                made.repeat_x = made.repeat_y = False
                self._textures[made.glo] = made
                texture.set_tex_id(made.glo)
                texture.set_status(imgui.ImTextureStatus.ok)
            elif texture.status == imgui.ImTextureStatus.want_updates:
                held, pixels = self._textures[texture.get_tex_id()], _pixels(texture)
                for part in texture.updates:
                    held.write(pixels[part.y : part.y + part.h, part.x : part.x + part.w].tobytes(), (part.x, part.y, part.w, part.h))
                texture.set_status(imgui.ImTextureStatus.ok)
            elif texture.status == imgui.ImTextureStatus.want_destroy and texture.unused_frames > 0:
                self._textures.pop(texture.get_tex_id()).release()
                texture.set_tex_id(0)
                texture.set_status(imgui.ImTextureStatus.destroyed)


def _pixels(texture: imgui.ImTextureData) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    """(height, width, 4)."""
    return np.asarray(texture.get_pixels_array(), dtype=np.uint8).reshape(texture.height, texture.width, 4)
