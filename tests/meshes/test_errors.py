"""The error tree: one root, values in fields, messages that say what to do."""

from __future__ import annotations

import importlib
import pickle
import pkgutil
from pathlib import Path

import pytest

from meshes.errors import BadPieceSet, Defect, EmptyExport, MissingExtra, PlateTooSmall, StakdError, UnknownFormat, UnwritableFile


@pytest.mark.parametrize(
    "error",
    [
        BadPieceSet("mine", [Defect("bad-value", "title", "must be a text")]),
        UnwritableFile(Path("a.png"), "disk full"),
        UnknownFormat(Path("a.obj"), [".stl"]),
        EmptyExport(Path("a.stl")),
        PlateTooSmall("BASE", (95.0, 61.0), (50.0, 50.0)),
        MissingExtra("films as MP4", "imageio-ffmpeg", "video"),
    ],
)
def test_every_error_is_a_stakd_error(error: StakdError) -> None:
    """The front door catches one class and ends with exit status 2."""
    assert isinstance(error, StakdError)
    assert str(error)


def test_all_defects_stand_in_the_message_one_a_line() -> None:
    """The message names the thing, then each defect with place and code."""
    error = BadPieceSet("mine", [Defect("bad-value", "title", "must be a text"), Defect("not-toml", "", "not a TOML file")])
    assert str(error) == "piece set mine can't be used:\n  - title: must be a text [bad-value]\n  - not a TOML file [not-toml]"
    assert [defect.code for defect in error.defects] == ["bad-value", "not-toml"]


def test_missing_extra_tells_the_line_that_installs_it() -> None:
    """A feature without its package says how to get it."""
    assert "pip install 'stakd[video]'" in str(MissingExtra("films as MP4", "imageio-ffmpeg", "video"))


def test_errors_come_back_from_other_processes_as_they_were() -> None:
    """Whatever their makers ask for: kind, words and fields are the same after pickling, of every error below the viewer."""
    for module in ("meshes", "physics", "games"):
        for found in pkgutil.walk_packages([module], f"{module}."):
            importlib.import_module(found.name)
    kinds = [StakdError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    assert len(kinds) > 40
    for kind in kinds:
        error = kind.__new__(kind, "words of its own")
        error.__dict__.update(pieces=(1, 2), path=Path("a.stl"))
        again = pickle.loads(pickle.dumps(error))  # noqa: S301 – our own bytes
        assert (type(again), str(again), again.__dict__) == (kind, str(error), error.__dict__)
