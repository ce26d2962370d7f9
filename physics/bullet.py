"""The Bullet library, loaded without the banner that its C code prints to standard error. Import `pybullet` from here."""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType
from typing import Any


def _load_quietly() -> ModuleType:
    try:
        kept = os.dup(2)
    except OSError:  # no standard error to keep clean
        return import_module("pybullet")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    try:
        return import_module("pybullet")
    finally:
        os.dup2(kept, 2)
        os.close(kept)


pybullet: Any = _load_quietly()
