"""Settings: kept, mended, set aside, never fatal."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from games.match import BOARD
from physics.grip import STEADINESS
from viewer.folders import config_folder, matches_folder, pictures_folder
from viewer.settings import FILE_NAME, HandLevel, Placing, SeatChoice, Settings, load_settings, save_settings

CHANGED = Settings(
    ui_scale=150,
    full_screen=True,
    window_size=(1920, 1080),
    volume=0.25,
    muted=True,
    placing=Placing.HAND,
    show_legal=True,
    player_name="Zoë",
    seats=(SeatChoice("Zoë"), SeatChoice("Ada", "mcts", "shaky", 500)),
    learned=frozenset({"overhang", "base"}),
    first_start=False,
)


def write(folder: Path, content: Any) -> None:
    """Put a settings file, as JSON or as it is, into a folder."""
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / FILE_NAME).write_text(text, "utf8")


def test_nothing_kept_yet_gives_defaults(tmp_path: Path) -> None:
    """On the first start there is no file and no complaint, and learning is offered."""
    settings, message = load_settings(tmp_path / "none")
    assert (settings, message) == (Settings(), None)
    assert settings.first_start


def test_settings_come_back(tmp_path: Path) -> None:
    """What was saved is loaded again, in a folder that did not exist."""
    folder = tmp_path / "a" / "b"
    assert save_settings(CHANGED, folder) is None
    assert load_settings(folder) == (CHANGED, None)


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", '{"volume": NaN}', "[" * 100_000, "\0\0\0", '{"a": "' + "x" * (1 << 20) + '"}'])
def test_damaged_file_is_set_aside(tmp_path: Path, text: str) -> None:
    """A damaged file costs the settings, not the program: it is kept beside under another name and the user is told in one line."""
    for number in (1, 2):
        write(tmp_path, text)
        settings, message = load_settings(tmp_path)
        assert settings == Settings()
        assert f"settings.damaged-{number}.json" in (message or "")
        assert "\n" not in (message or "")
        assert (tmp_path / f"settings.damaged-{number}.json").read_text("utf8") == text
    assert save_settings(CHANGED, tmp_path) is None
    assert load_settings(tmp_path) == (CHANGED, None)


def test_bytes_that_are_no_text_and_folders_are_set_aside(tmp_path: Path) -> None:
    """Neither random bytes nor a folder in the file's place stop the program."""
    (tmp_path / FILE_NAME).write_bytes(b"\xff\xfe\x00")
    assert "damaged-1" in (load_settings(tmp_path)[1] or "")
    (tmp_path / FILE_NAME).mkdir()
    assert "damaged-2" in (load_settings(tmp_path)[1] or "")


@pytest.mark.parametrize(
    ("key", "value", "becomes"),
    [
        ("ui_scale", 900, 200),
        ("ui_scale", -1, 100),
        ("ui_scale", "huge", 100),
        ("volume", 7.5, 1.0),
        ("volume", None, 0.7),
        ("window_size", [100, 20000], (960, 8640)),
        ("window_size", 5, (1280, 720)),
        ("placing", "feet", Placing.BOARD),
        ("player_name", "", "Player"),
        ("learned", 3, frozenset()),
        ("seats", [{"name": "Ada", "milliseconds": -4}], ()),
        ("seats", [{"bot": "mcts"}], ()),
    ],
)
def test_wrong_value_is_mended_alone(tmp_path: Path, key: str, value: Any, becomes: Any) -> None:
    """A value out of range goes to the nearest in range, another wrong one to its default; the others stay, and the user is told which."""
    save_settings(CHANGED, tmp_path)
    write(tmp_path, json.loads((tmp_path / FILE_NAME).read_text("utf8")) | {key: value})
    settings, message = load_settings(tmp_path)
    assert settings == replace(CHANGED, **{key: becomes})
    assert key in (message or "")
    assert (tmp_path / FILE_NAME).exists()


def test_many_wrong_values_are_all_named(tmp_path: Path) -> None:
    """Several wrong values give one line that names each of them once."""
    write(tmp_path, {"volume": -1, "ui_scale": 0, "window_size": [1, 1], "show_legal": True})
    settings, message = load_settings(tmp_path)
    assert settings == Settings(volume=0, ui_scale=100, window_size=(960, 600), show_legal=True)
    assert all((message or "").count(key) == 1 for key in ("volume", "ui_scale", "window_size"))


def test_what_a_newer_version_wrote_is_kept(tmp_path: Path) -> None:
    """Keys that this version does not know are no fault and are still there after saving."""
    write(tmp_path, {"volume": 0.5, "hologram": {"depth": [1, 2]}, "unknown": 3})
    settings, message = load_settings(tmp_path)
    assert (settings.volume, message) == (0.5, None)
    save_settings(replace(settings, muted=True), tmp_path)
    kept = json.loads((tmp_path / FILE_NAME).read_text("utf8"))
    assert (kept["hologram"], kept["muted"]) == ({"depth": [1, 2]}, True)


def test_folder_that_can_not_be_written_gives_a_line(tmp_path: Path) -> None:
    """Where nothing can be written, saving says so and goes on."""
    blocker = tmp_path / "file"
    blocker.write_text("")
    assert "not kept" in (save_settings(CHANGED, blocker / "below") or "")
    assert load_settings(blocker / "below")[0] == Settings()


def test_changes_are_checked() -> None:
    """The program itself can't make settings that could not be loaded again."""
    with pytest.raises(ValidationError):
        replace(CHANGED, volume=2)


def test_hands_are_those_of_the_match() -> None:
    """Every steadiness of the physics can be chosen for a seat, and laying on the board."""
    assert set(get_args(HandLevel)) == {BOARD, *STEADINESS}


def test_one_variable_moves_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """STAKD_HOME moves settings, saves and pictures; without it they are where the system has such things."""
    monkeypatch.setenv("STAKD_HOME", str(tmp_path))
    assert save_settings(CHANGED) is None
    assert load_settings() == (CHANGED, None)
    assert {config_folder(), matches_folder().parent, pictures_folder().parent} == {tmp_path}
    monkeypatch.delenv("STAKD_HOME")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert tmp_path not in (config_folder(), matches_folder().parent, pictures_folder().parent)


def test_letters_that_can_not_be_written_hinder_nothing(tmp_path: Path) -> None:
    """Half a letter (a lone surrogate) in a key of a newer version does not keep settings from being saved."""
    (tmp_path / "settings.json").write_text('{"x\\ud800": 1}')
    settings, message = load_settings(tmp_path)
    assert message is None and save_settings(settings, tmp_path) is None
    assert load_settings(tmp_path)[1] is None
