"""An OpenGL context without a window or a display (EGL), and what `stakd doctor` says about it."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import glcontext  # type: ignore[import-untyped]
import moderngl

from meshes.errors import StakdError

LEAST_VERSION = 330
"""OpenGL 3.3 core: the oldest the shaders can do with."""
_GL_VERSION = 0x1F02
_EGL: Mapping[str, Any] = {"backend": "egl"}
"""By name, which moderngl takes though its types say otherwise."""
_ADVICE = "on Debian or Ubuntu install libegl1 and libgl1-mesa-dri (software drawing, no graphics card needed), elsewhere a graphics driver"


class NoGraphics(StakdError):
    """No OpenGL good enough could be opened. `found` is the version there is, as (3, 1), or None if there is none at all."""

    def __init__(self, found: tuple[int, int] | None, reason: str = "") -> None:
        self.found, self.reason = found, reason
        state = f"OpenGL {found[0]}.{found[1]} was found" if found else f"no OpenGL was found{f' ({reason})' if reason else ''}"
        super().__init__(f"drawing needs OpenGL 3.3 or newer, but {state}: {_ADVICE}")


@dataclass(frozen=True, slots=True)
class GraphicsReport:
    """What there is to draw with: version as `4.5`, the renderer's and maker's names, largest texture side in pixels."""

    version: str
    renderer: str
    vendor: str
    largest_texture: int
    is_software: bool


def headless_context() -> moderngl.Context:
    """A fresh OpenGL ≥ 3.3 context that draws into framebuffers only; needs no display.

    Raises `NoGraphics`. Call `release()` on it when done. Framebuffers are given 8 bits a channel explicitly by those who make
    them, because EGL's own default surface may be 16-bit.
    """
    try:
        context = moderngl.create_context(standalone=True, require=LEAST_VERSION, **_EGL)
    except Exception as error:  # plain ones from glcontext, its own from moderngl
        raise NoGraphics(version_found(), first_line(error)) from error
    context.gc_mode = "auto"
    return context


def graphics_report() -> GraphicsReport:
    """Open a context, look, close it again; raises `NoGraphics`."""
    context = headless_context()
    try:
        info = context.info
        renderer = str(info["GL_RENDERER"])
        software = any(name in renderer.lower() for name in ("llvmpipe", "softpipe", "swrast", "swiftshader"))
        version = f"{context.version_code // 100}.{context.version_code % 100 // 10}"
        return GraphicsReport(version, renderer, str(info["GL_VENDOR"]), int(info["GL_MAX_TEXTURE_SIZE"]), software)
    finally:
        context.release()


def version_found() -> tuple[int, int] | None:
    """Version of whatever OpenGL there is, as (3, 1), however old, or None; asked of the driver itself because moderngl opens nothing below 3.0."""
    try:
        raw = glcontext.get_backend_by_name("egl")(mode="standalone", glversion=100)
    except Exception:  # noqa: BLE001 - none at all; the caller reports that
        return None
    with raw:
        get_string = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_uint)(raw.load("glGetString"))
        text = get_string(_GL_VERSION) or b""
    raw.release()
    found = re.match(rb"(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else None


def first_line(error: Exception) -> str:
    """What an error says, in one line."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
