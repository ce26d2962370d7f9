"""Which physics this is: its own version and the Bullet that is installed. The same build repeats every act bit for bit."""

from __future__ import annotations

from functools import lru_cache
from importlib import metadata

PHYSICS_VERSION = 2
"""Raised whenever the same act from the same tower could end otherwise."""

_BULLETS = ("pybullet", "pybullet-arm64")


@lru_cache(maxsize=1)
def physics_build() -> str:
    """For example `physics 2, pybullet 3.2.7`. Another build may end the same act with other last digits, and so with another fall."""
    return ", ".join([f"physics {PHYSICS_VERSION}", *bullets()])


def bullets() -> list[str]:
    """The builds of Bullet that are installed, with their versions; one on a sound machine."""
    return [f"{name} {version}" for name in _BULLETS if (version := _version(name))]


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
