"""The doctor: what this machine has, what it lacks, and how to get it."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from meshes.errors import StakdError
from physics.build import bullets
from viewer.context import graphics_report

_NEEDED = (
    "numpy",
    "scipy",
    "highspy",
    "trimesh",
    "shapely",
    "manifold3d",
    "pyglet",
    "moderngl",
    "imgui-bundle",
    "Pillow",
    "pydantic",
    "typer",
    "rich",
    "platformdirs",
)
_EXTRAS = {"imageio-ffmpeg": ("video", "films as MP4"), "open_spiel": ("rl", "the rules benchmarks")}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: what was found, or how to get it; `needed` things make the program unwell when missing."""

    name: str
    found: str | None
    advice: str
    needed: bool


@dataclass(frozen=True, slots=True)
class Health:
    """All findings."""

    findings: tuple[Finding, ...]

    @property
    def well(self) -> bool:
        """Whether everything needed is there."""
        return all(finding.found is not None for finding in self.findings if finding.needed)

    def to_json(self) -> dict[str, Any]:
        """Plain data, for `--json`."""
        entries = [{"name": f.name, "found": f.found, "advice": f.advice if f.found is None else "", "needed": f.needed} for f in self.findings]
        return {"well": self.well, "findings": entries}

    def words(self) -> Iterator[str]:
        """One line a finding, then the verdict."""
        for finding in self.findings:
            state = finding.found or ("MISSING" if finding.needed else "not installed") + f": {finding.advice}"
            yield f"{finding.name:15} {state}"
        yield "All that is needed is here." if self.well else "Something needed is missing; see above."


def examine() -> Health:
    """Look at Python, packages and OpenGL."""
    return Health((_python(), _own(), *(_package(name) for name in _NEEDED), _bullet(), _opengl(), *map(_extra, _EXTRAS)))


def _python() -> Finding:
    version = platform.python_version()
    fits = (3, 11) <= sys.version_info[:2] <= (3, 13)
    return Finding("python", f"{version} on {platform.platform()}" if fits else None, f"{version} is here; 3.11 to 3.13 is needed", needed=True)


def _own() -> Finding:
    return Finding("stakd", _version("stakd"), "run it from an installation: make setup", needed=True)


def _package(name: str) -> Finding:
    return Finding(name, _version(name), f"pip install {name}", needed=True)


def _bullet() -> Finding:
    return Finding("bullet", ", ".join(bullets()) or None, "pip install stakd, which picks the build for this machine", needed=True)


def _extra(name: str) -> Finding:
    extra, use = _EXTRAS[name]
    return Finding(name, _version(name), f"pip install 'stakd[{extra}]' for {use}", needed=False)


def _opengl() -> Finding:
    try:
        return Finding("opengl", _graphics_words(), "", needed=True)
    except StakdError as error:
        return Finding("opengl", None, str(error), needed=True)


def _graphics_words() -> str:
    report = graphics_report()
    return f"{report.version} ({report.renderer}{', drawn by the processor' if report.is_software else ''})"


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
