"""Where the program keeps things. The environment variable `STAKD_HOME` names one folder for all of them, for a stick or for tests."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from meshes.cache import home_folder


def config_folder() -> Path:
    """Where the settings are."""
    return home_folder() or Path(platformdirs.user_config_dir("stakd", appauthor=False))


def matches_folder() -> Path:
    """Where matches are saved."""
    return (home_folder() or Path(platformdirs.user_data_dir("stakd", appauthor=False))) / "matches"


def pictures_folder() -> Path:
    """Where pictures, films and models of towers go."""
    home = home_folder()
    return home / "pictures" if home else Path(platformdirs.user_pictures_dir()) / "stakd"


def sets_folder() -> Path:
    """Where piece sets made in the lab are."""
    return (home_folder() or Path(platformdirs.user_data_dir("stakd", appauthor=False))) / "sets"


def free_path(folder: Path, stem: str, suffix: str) -> Path:
    """`stem.suffix` in a folder, or `stem-2.suffix` and so on if that is taken."""
    path, number = folder / f"{stem}{suffix}", 1
    while os.path.lexists(path):
        number += 1
        path = folder / f"{stem}-{number}{suffix}"
    return path
