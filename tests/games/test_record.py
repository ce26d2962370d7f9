"""Records: saved whole, checked on load, replayed exactly."""

from __future__ import annotations

import json
import math
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.match import ActKind, Match, MatchSetup, Seat, bot_setup
from games.record import BadRecord, load_record, read_record, record_text, save_record
from games.sealing import seal
from games.words import physics_note
from meshes.piece_set import load_piece_set
from physics.grip import SHAKY
from tests.games.test_match import play, toppled

CLASSIC = load_piece_set("classic")
SIXTH_TURN = (math.sin(math.radians(30)), math.cos(math.radians(30)))
LEANING = (math.sin(math.radians(2)), 0.0, 0.0, math.cos(math.radians(2)))
"""The last two numbers of a quaternion for 60° about the vertical, and all four for 4° about x."""


@pytest.fixture(scope="module")
def shaky() -> Match:
    """Some acts by shaky hands, then a real fall, the beginning of the next round, and a player who leaves."""
    match = Match(MatchSetup(CLASSIC, (Seat("Ada", "random", SHAKY), Seat("Zoë\u2028", "random", SHAKY)), seed=12))
    play(match, 6)
    match.settle_act(match.think(), toppled(match), hand="shaky")
    match.place(match.think())
    match.resign(0)
    return match


@pytest.fixture(scope="module")
def text(shaky: Match) -> str:
    """Its record."""
    return record_text(shaky)


def resealed(lines: list[dict[str, Any]]) -> str:
    """Lines with seals that fit, as one who forges a record would make them."""
    before, sealed = "", []
    for line in lines:
        content = {key: value for key, value in line.items() if key != "hash"}
        before = seal(before, content)
        sealed.append(json.dumps({**content, "hash": before}))
    return "\n".join(sealed) + "\n"


def changed(text: str, number: int, change: Callable[[dict[str, Any]], object]) -> str:
    """The record with line `number` (from 1) changed and all seals made to fit."""
    lines = [json.loads(line) for line in text.removesuffix("\n").split("\n")]
    change(lines[number - 1])
    return resealed(lines)


def codes(text: str) -> set[str]:
    """The codes of what is wrong with the text of a record."""
    with pytest.raises(BadRecord) as refused:
        read_record("test", text)
    return {defect.code for defect in refused.value.defects}


def test_record_reads_back_equal(shaky: Match, text: str) -> None:
    """A record read back holds the same acts, poses, tracks, events and state, to the last digit."""
    again = read_record("test", text)
    assert record_text(again) == text
    assert again.state.to_json() == shaky.state.to_json()
    assert again.tower == shaky.tower
    assert any(act.kind is ActKind.KNOCKED_OVER and act.track is not None for act in again.acts)


def test_every_moment_reads_back(text: str) -> None:
    """Cut after any act, a record is still a whole record of what came before."""
    lines = text.removesuffix("\n").split("\n")
    for count in range(1, len(lines) + 1):
        assert len(read_record("test", "\n".join(lines[:count])).acts) == count - 1


def test_resumed_match_goes_on_alike(tmp_path: Path) -> None:
    """A match saved and loaded after every act plays on exactly like one that never was."""
    setup = bot_setup(CLASSIC, ["greedy"], players=2, seed=5, hand="steady")
    whole, pieces = Match(setup), Match(setup)
    for _ in range(6):
        whole.place(whole.think())
        pieces.place(pieces.think())
        save_record(pieces, tmp_path / "match.stakd")
        pieces = load_record(tmp_path / "match.stakd")
    assert record_text(pieces) == record_text(whole)


def test_replay_never_simulates(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a record builds no physical world, so other physics can't change it."""
    monkeypatch.setattr("physics.world.World.__init__", lambda *_, **__: pytest.fail("a world was built"))
    assert read_record("test", text).acts


@pytest.mark.parametrize("number", [1, 2, 5, 8])
def test_changed_line_is_named(text: str, number: int) -> None:
    """A line changed by hand no longer fits its seal; the line is named."""
    lines = text.split("\n")
    lines[number - 1] = lines[number - 1].replace('"round":1', '"round":2').replace('"seed":12', '"seed":13')
    with pytest.raises(BadRecord, match=f"line {number}"):
        read_record("test", "\n".join(lines))


def test_missing_line_is_noticed(text: str) -> None:
    """A record without one of its acts is refused."""
    lines = text.split("\n")
    assert codes("\n".join(lines[:3] + lines[4:])) == {"wrong-hash"}


@pytest.mark.parametrize(
    ("number", "change", "code"),
    [
        (1, lambda line: line.update(version=2), "other-version"),
        (1, lambda line: line.update(rules=99), "other-version"),
        (1, lambda line: line.update(format="sav"), "other-version"),
        (1, lambda line: line.update(seed=-1), "bad-value"),
        (1, lambda line: line.update(seed=True), "bad-value"),
        (1, lambda line: line.update(cheat=1), "unknown-key"),
        (1, lambda line: line.update(seats=[]), "bad-value"),
        (1, lambda line: line["seats"].extend([line["seats"][0]] * 4), "bad-header"),
        (1, lambda line: line["seats"][0].update(bot="deep"), "bad-header"),
        (1, lambda line: line["seats"][0].update(hand="drunk"), "bad-header"),
        (1, lambda line: line["seats"][0].update(name="\x1b[2J"), "bad-value"),
        (1, lambda line: line["set"].update(lattice="kagome"), "bad-header"),
        (1, lambda line: line.update(options={"new_layer_exception": "never"}), "bad-header"),
        (3, lambda line: line.update(move="QUAD 9 0,0 0,1 1,0 1,1"), "illegal-act"),
        (3, lambda line: line.update(move="BASE"), "bad-move"),
        (3, lambda line: line.update(move=None), "bad-move"),
        (3, lambda line: line.update(act=7), "out-of-order"),
        (3, lambda line: line.update(round=2), "out-of-order"),
        (3, lambda line: line.update(player=0), "not-to-move"),
        (3, lambda line: line.update(player=9), "out-of-order"),
        (3, lambda line: line.update(kind="flown"), "bad-value"),
        (3, lambda line: line.update(rest=[[99, 0, 0, 0, 0, 0, 0, 1]]), "bad-pose"),
        (3, lambda line: line.update(rest=[[0, 0, 0, 0, 0, 0, 0, 2]]), "bad-pose"),
        (3, lambda line: line.update(rest=[[0, 1e9, 0, 0, 0, 0, 0, 1]]), "bad-value"),
        (3, lambda line: line.update(rest=[[0, "x", 0, 0, 0, 0, 0, 1]]), "bad-value"),
        (3, lambda line: line.update(rest=[[0, 0, 0, 0, 0, 0, 0, 1]] * 1_000_000), "bad-value"),
        (3, lambda line: line.update(track="AAAA"), "bad-track"),
        (3, lambda line: line.update(events=[]), "other-outcome"),
        (3, lambda line: line.update(knock_over={"words": "", "fallen": [[0, "fell"]], "first": {}}), "missing-key"),
        (8, lambda line: line["knock_over"]["first"].update(piece=99), "bad-knock-over"),
        (8, lambda line: line["knock_over"].update(fallen=[[0, "flew"]]), "bad-knock-over"),
        (8, lambda line: line.update(knock_over=None), "bad-act"),
        (1, lambda line: line.pop("physics"), "missing-key"),
        (3, lambda line: line.update(rest=[]), "bad-rest"),
        (3, lambda line: line["rest"].append(line["rest"][0]), "bad-rest"),
        (3, lambda line: line["rest"].append([0, 0, 0, 4.0, 0, 0, 0, 1]), "bad-rest"),
        (3, lambda line: line["rest"].append([0, 3.0, 0, 0, 0, 0, 0, 1]), "bad-rest"),
        (3, lambda line: line["rest"].append([0, 0, 0, 0, 0, 0, *SIXTH_TURN]), "bad-rest"),
        (3, lambda line: line["rest"].append([0, 0, 0, 0, *LEANING]), "bad-rest"),
        (3, lambda line: line["rest"][-1].__setitem__(1, 900000), "bad-rest"),
        (3, lambda line: line["rest"][-1].__setitem__(3, 10.0), "bad-rest"),
        (3, lambda line: line.update(squared_up=True), "bad-rest"),
        (3, lambda line: line.update(offset_mm=None), "bad-offset"),
        (3, lambda line: line.update(offset_mm=-1.0), "bad-offset"),
        (3, lambda line: line.update(offset_mm=line["offset_mm"] + 0.3), "bad-offset"),
        (3, lambda line: line.update(offset_mm=5000.0), "bad-offset"),
        (8, lambda line: line.update(rest=[[0, 0, 0, 0, 0, 0, 0, 1]]), "bad-rest"),
        (8, lambda line: line.update(offset_mm=5000.0), "bad-offset"),
        (10, lambda line: line.update(offset_mm=0.0), "bad-offset"),
        (10, lambda line: line.update(rest=[[0, 0, 0, 0, 0, 0, 0, 1]]), "bad-rest"),
    ],
)
def test_forged_lines_are_refused(text: str, number: int, change: Callable[[dict[str, Any]], object], code: str) -> None:
    """Even with seals that fit, what makes no sense or breaks a rule is refused, naming the line and the reason."""
    assert codes(changed(text, number, change)) == {code}


def test_other_physics_replays_and_is_told(text: str) -> None:
    """A record of another build of the physics replays to the same poses, stays what it is when saved again, and its build is named."""
    here = read_record("test", text)
    assert (here.foreign_physics, physics_note(here)) == (None, None)
    other = changed(text, 1, lambda line: line.update(physics="physics 0, pybullet 2.8.1"))
    match = read_record("test", other)
    assert [act.rest for act in match.acts] == [act.rest for act in here.acts]
    assert match.foreign_physics == "physics 0, pybullet 2.8.1"
    assert "physics 0, pybullet 2.8.1" in str(physics_note(match))
    assert json.loads(record_text(match).split("\n")[0])["physics"] == "physics 0, pybullet 2.8.1"


def test_not_a_number_is_refused(text: str) -> None:
    """NaN and infinity, which Python's JSON would take, are refused."""
    lines = text.split("\n")
    for constant in ("NaN", "Infinity", "-Infinity"):
        broken = lines[2].replace('"offset_mm":', f'"offset_mm":{constant},"old":', 1)
        assert codes("\n".join([*lines[:2], broken])) == {"not-json"}


@pytest.mark.parametrize("content", [b"", b"\n", b"[]\n", b"{}\n", b"\xff\xfe\x00", b"{" * 100_000, pickle.dumps({"format": "stakd-record"})])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    """Empty, binary and foreign files, a renamed pickle among them, are refused; nothing in them is run."""
    path = tmp_path / "match.stakd"
    path.write_bytes(content)
    with pytest.raises(BadRecord):
        load_record(path)


def test_missing_file_and_folder_are_refused(tmp_path: Path) -> None:
    """A file that is not there and a folder are refused as unreadable."""
    for path in (tmp_path / "none.stakd", tmp_path):
        with pytest.raises(BadRecord, match="unreadable"):
            load_record(path)


_SAVER = """
import itertools, sys
from games.record import load_record, save_record
matches = [load_record(path) for path in sys.argv[1:3]]
print("ready", flush=True)
for match in itertools.cycle(matches):
    save_record(match, sys.argv[3])
"""


def test_killed_saves_leave_a_whole_record(tmp_path: Path, text: str) -> None:
    """A process killed at any moment of saving leaves one of the two records whole, and the next save works."""
    lines = text.removesuffix("\n").split("\n")
    short, whole, slot = tmp_path / "short.stakd", tmp_path / "whole.stakd", tmp_path / "slot.stakd"
    short.write_text("\n".join(lines[:4]) + "\n", "utf8")
    whole.write_text(text, "utf8")
    rng = np.random.default_rng(0)
    saver = subprocess.Popen([sys.executable, "-c", _SAVER, short, whole, slot], stdout=subprocess.PIPE)
    assert saver.stdout is not None
    for round_number in range(5):
        saver.stdout.readline()
        for _ in range(20):
            time.sleep(float(rng.uniform(0, 0.01)))
            os.kill(saver.pid, signal.SIGSTOP)
            if slot.exists():
                assert len(load_record(slot).acts) in (3, len(lines) - 1)
            os.kill(saver.pid, signal.SIGCONT)
        saver.kill()
        saver.wait()
        assert len(load_record(slot).acts) in (3, len(lines) - 1)
        if round_number < 4:
            saver = subprocess.Popen([sys.executable, "-c", _SAVER, short, whole, slot], stdout=subprocess.PIPE)
            assert saver.stdout is not None
    save_record(load_record(whole), slot)
    assert slot.read_text("utf8") == text
