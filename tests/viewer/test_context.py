from __future__ import annotations

import os
import subprocess
import sys

import pytest

from viewer.context import NoGraphics, graphics_report, headless_context

_OPEN = """
from viewer.context import NoGraphics, headless_context
try:
    headless_context()
except NoGraphics as error:
    print(error.found, error)
"""


def _opened(**environment: str) -> str:
    """What opening a context prints in a fresh process with this environment."""
    result = subprocess.run([sys.executable, "-c", _OPEN], env=os.environ | environment, capture_output=True, text=True, check=True)
    return result.stdout.strip()


def test_context_is_at_least_3_3() -> None:
    """A headless context is OpenGL 3.3 or newer."""
    context = headless_context()
    assert context.version_code >= 330
    context.release()


@pytest.mark.parametrize(("version", "found"), [("2.1", "(2, 1)"), ("3.2", "(3, 2)")])
def test_too_old_opengl_is_named(version: str, found: str) -> None:
    """Below OpenGL 3.3 one line names the version found and the packages that help (TRIALS V02)."""
    printed = _opened(MESA_GL_VERSION_OVERRIDE=version)
    assert printed.startswith(found)
    assert f"OpenGL {version} was found" in printed
    assert "libegl1" in printed and "libgl1-mesa-dri" in printed
    assert "\n" not in printed


def test_no_opengl_at_all_is_said() -> None:
    """Without any driver the message says so, in one line with advice, and `found` is None."""
    printed = _opened(LIBGL_DRIVERS_PATH="/nowhere", __EGL_VENDOR_LIBRARY_DIRS="/nowhere")
    assert printed.startswith("None drawing needs OpenGL 3.3")
    assert "no OpenGL was found" in printed and "libegl1" in printed


def test_report_names_version_and_renderer() -> None:
    """The doctor's report has a version of two numbers, not below 3.3, and a renderer's name."""
    report = graphics_report()
    major, minor = (int(part) for part in report.version.split("."))
    assert (major, minor) >= (3, 3)
    assert report.renderer
    assert report.largest_texture >= 1024


def test_error_carries_the_version() -> None:
    """`found` of the error is the version as numbers."""
    assert NoGraphics((3, 1)).found == (3, 1)
