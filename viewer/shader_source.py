"""Shader sources: files of the package `viewer/shaders`, with `#include "other.glsl"` lines filled in."""

from __future__ import annotations

import re
from collections.abc import Sequence
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


def build_program(context: moderngl.Context, vertex: str, fragment: str, **constants: int) -> moderngl.Program:
    """The program of two shader files, named without their endings; `constants` are defined in the fragment shader."""
    version, _, rest = shader_source(f"{fragment}.frag").partition("\n")
    defines = "".join(f"#define {name} {value}\n" for name, value in constants.items())
    return context.program(vertex_shader=shader_source(f"{vertex}.vert"), fragment_shader=f"{version}\n{defines}{rest}")


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


def set_array(program: moderngl.Program, name: str, values: Sequence[NDArray[np.float64]]) -> None:
    """Set the first elements of a uniform array; matrices as OpenGL stores them, transposed."""
    if values and name in program:
        member = program[name]
        assert isinstance(member, moderngl.Uniform)
        full = np.zeros((member.array_length, *values[0].shape), np.float32)
        full[: len(values)] = values[: member.array_length]
        member.write(full.tobytes())
