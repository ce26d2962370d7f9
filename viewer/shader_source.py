"""Shader sources: files of the package `viewer/shaders`, with `#include "other.glsl"` lines filled in."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

import moderngl
import numpy as np
from numpy.typing import NDArray

_INCLUDE = re.compile(r'^#include "([a-z_.]+)"$', re.MULTILINE)


@cache
def shader_source(name: str) -> str:
    """Text of `viewer/shaders/<name>.glsl`, includes filled in."""
    text = resources.files("viewer").joinpath("shaders", f"{name}.glsl").read_text("utf8")
    return _INCLUDE.sub(lambda found: shader_source(found[1].removesuffix(".glsl")), text)


def build_program(context: moderngl.Context, vertex: str, fragment: str) -> moderngl.Program:
    """The program of two shader files, named without `.glsl`."""
    return context.program(vertex_shader=shader_source(f"{vertex}.vert"), fragment_shader=shader_source(f"{fragment}.frag"))


def set_uniforms(program: moderngl.Program, **values: object) -> None:
    """Set uniforms by name; names that the compiler found unused are passed over.

    Give matrices through `columns`.
    """
    for name, value in values.items():
        if name in program:
            member = program[name]
            assert isinstance(member, moderngl.Uniform)
            member.value = value


def columns(matrix: NDArray[np.float64]) -> tuple[float, ...]:
    """A (4, 4) array as the sixteen numbers OpenGL wants, column by column."""
    return tuple(float(value) for value in matrix.T.flat)
