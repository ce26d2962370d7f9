"""What lies behind the panels: a picture of the 3D stage, stretched over the window, or plain studio darkness."""

from __future__ import annotations

import moderngl

_VERTEX = """
#version 330
out vec2 place;
void main() {
    place = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
    gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);
}
"""
_PICTURE = """
#version 330
uniform sampler2D image;
in vec2 place;
out vec4 colour;
void main() { colour = vec4(texture(image, place).rgb, 1.0); }
"""
_STUDIO = """
#version 330
in vec2 place;
out vec4 colour;
void main() {
    float far = distance(place, vec2(0.5, 0.35));
    vec3 warm = mix(vec3(0.36, 0.29, 0.24), vec3(0.12, 0.095, 0.08), smoothstep(0.0, 0.85, far));
    float grain = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) / 255.0;
    colour = vec4(warm + grain, 1.0);
}
"""


class Backdrop:
    """Fills a framebuffer. Call `release` when done."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._programs = [context.program(vertex_shader=_VERTEX, fragment_shader=fragment) for fragment in (_PICTURE, _STUDIO)]
        self._arrays = [context.vertex_array(program, []) for program in self._programs]

    def draw(self, picture: moderngl.Texture | None, target: moderngl.Framebuffer) -> None:
        """Draw `picture` over all of the viewport of `target`, or the studio if there is none."""
        target.use()
        self._context.enable_only(moderngl.NOTHING)
        if picture is not None:
            self._context.clear_samplers()
            picture.use(0)
        self._arrays[0 if picture is not None else 1].render(moderngl.TRIANGLES, vertices=3)

    def release(self) -> None:
        """Free everything."""
        for array in self._arrays:
            array.release()
        for program in self._programs:
            program.release()
