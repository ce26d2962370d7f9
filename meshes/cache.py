"""Where the program keeps what it could work out again. The environment variable `STAKD_HOME` names one folder for all it keeps."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

HOME_VARIABLE = "STAKD_HOME"


def home_folder() -> Path | None:
    """The folder that `STAKD_HOME` names, if it names one."""
    named = os.environ.get(HOME_VARIABLE)
    return Path(named).expanduser() if named else None


def cache_folder() -> Path:
    """Where things are kept that take long to work out; may be emptied at any time."""
    home = home_folder()
    return home / "cache" if home else Path(platformdirs.user_cache_dir("stakd", appauthor=False))
