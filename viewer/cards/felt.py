"""The green cloth under the cards."""

from __future__ import annotations

import moderngl

from viewer.shader_source import set_uniforms

_VERTEX = """
#version 330
out vec2 place;
void main() {
    place = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
    gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);
}
"""
_FELT = """
#version 330
uniform vec2 size;
in vec2 place;
out vec4 colour;
float hash(vec2 at) { return fract(sin(dot(at, vec2(12.9898, 78.233))) * 43758.5453); }
float noise(vec2 at) {
    vec2 cell = floor(at), part = smoothstep(0.0, 1.0, fract(at));
    return mix(mix(hash(cell), hash(cell + vec2(1, 0)), part.x), mix(hash(cell + vec2(0, 1)), hash(cell + vec2(1, 1)), part.x), part.y);
}
void main() {
    vec2 off = (place - vec2(0.5, 0.52)) * vec2(min(size.x / size.y, 2.0) / 1.5, 1.0);
    vec3 cloth = mix(vec3(0.212, 0.482, 0.376), vec3(0.098, 0.271, 0.208), smoothstep(0.0, 0.78, length(off)));
    vec2 at = gl_FragCoord.xy;
    float threads = noise(at * vec2(0.55, 0.13)) + noise(at * vec2(0.13, 0.55)) - 1.0;
    float weave = 0.45 * threads + 0.4 * (hash(at) - 0.5) + 0.5 * (noise(at * 0.03) - 0.5);
    colour = vec4(cloth * (1.0 + 0.09 * weave), 1.0);
}
"""


class Felt:
    """A picture of cloth for `Screen.backdrop`, drawn once for each size of the window. Call `release` when done."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._texture: moderngl.Texture | None = None

    def picture(self, size: tuple[int, int]) -> moderngl.Texture:
        """The cloth at a size in pixels."""
        if self._texture is None or self._texture.size != size:
            self.release()
            self._texture = self._drawn(size)
        return self._texture

    def release(self) -> None:
        """Free the picture."""
        if self._texture is not None:
            self._texture.release()
            self._texture = None

    def _drawn(self, size: tuple[int, int]) -> moderngl.Texture:
        texture = self._context.texture(size, 4)
        texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        texture.repeat_x = texture.repeat_y = False
        program = self._context.program(vertex_shader=_VERTEX, fragment_shader=_FELT)
        array, target = self._context.vertex_array(program, []), self._context.framebuffer([texture])
        set_uniforms(program, size=size)
        target.use()
        self._context.enable_only(moderngl.NOTHING)
        array.render(moderngl.TRIANGLES, vertices=3)
        for part in (target, array, program):
            part.release()
        return texture
