"""The sum of samples of a picture, in floating point, and its last step to eight bits."""

from __future__ import annotations

import moderngl

from viewer.shader_source import build_program, set_uniforms


class SampleSum:
    """Draw a sample after `use`, keep it with `add`; `finish` turns the mean into a picture."""

    def __init__(self, context: moderngl.Context) -> None:
        self.context = context
        self._count = 0
        self._add_program = build_program(context, "screen", "add")
        self._resolve_program = build_program(context, "screen", "resolve")
        self._add = context.vertex_array(self._add_program, [])
        self._resolve = context.vertex_array(self._resolve_program, [])
        self._size = (0, 0)
        self._parts: list[moderngl.Texture | moderngl.Renderbuffer | moderngl.Framebuffer] = []

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._size

    def begin(self, size: tuple[int, int]) -> None:
        """Empty the sum, for a picture of `size`."""
        if size != self._size:
            self._release_targets()
            context = self.context
            self._picture, self._total = context.texture(size, 4, dtype="f2"), context.texture(size, 4, dtype="f4")
            depth = context.depth_renderbuffer(size)
            self._picture_target, self._total_target = context.framebuffer([self._picture], depth), context.framebuffer([self._total])
            self._parts = [self._picture, self._total, depth, self._picture_target, self._total_target]
            self._size = size
        self._total_target.clear(0.0, 0.0, 0.0, 0.0)
        self._count = 0

    def use(self) -> None:
        """Make the sample's own picture the target to draw into, emptied."""
        self._picture_target.scissor = (0, 0, *self._size)
        self._picture_target.use()
        self._picture_target.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)

    @property
    def target(self) -> moderngl.Framebuffer:
        """The sample's own picture, to go on drawing into."""
        return self._picture_target

    def add(self) -> None:
        """Add the sample drawn."""
        self._total_target.use()
        self.context.enable_only(moderngl.BLEND)
        self.context.blend_func = moderngl.ONE, moderngl.ONE
        self._picture.use(0)
        set_uniforms(self._add_program, sample_picture=0)
        self._add.render(moderngl.TRIANGLES, vertices=3)
        self._count += 1

    def finish(self, target: moderngl.Framebuffer, *, exposure: float) -> None:
        """Draw the mean of the samples, through film and to sRGB, into `target`, which has this sum's size."""
        target.use()
        self.context.enable_only(moderngl.NOTHING)
        self._total.use(0)
        set_uniforms(self._resolve_program, samples=0, share=1 / self._count, exposure=exposure)
        self._resolve.render(moderngl.TRIANGLES, vertices=3)

    def release(self) -> None:
        """Free everything."""
        self._release_targets()
        for part in (self._add, self._resolve, self._add_program, self._resolve_program):
            part.release()

    def _release_targets(self) -> None:
        for part in self._parts:
            part.release()
        self._parts = []
