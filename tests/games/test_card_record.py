"""Records of card games: whole, sealed, played again by the rules, and good to go on from at any moment."""

from __future__ import annotations

import json
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.card_demo import LeapingClock
from games.card_match import CardMatch, CardSeat, CardSetup
from games.card_play import CardPlay
from games.card_record import BadRecord, card_record_text, is_card_record, load_card_record, read_card_record, save_card_record
from games.card_thinker import AtOnce
from games.sealing import seal
from tests.games.card_tables import GAMES, bots_only, played, run_out


def resealed(lines: list[dict[str, Any]]) -> str:
    """Lines with seals that fit, as one who forges a record would make them."""
    before, sealed = "", []
    for line in lines:
        content = {key: value for key, value in line.items() if key != "hash"}
        before = seal(before, content)
        sealed.append(json.dumps({**content, "hash": before}))
    return "\n".join(sealed) + "\n"


def forged(text: str, number: int, change: Callable[[dict[str, Any]], object]) -> str:
    """The record with line `number` (from 1) changed and all seals made to fit."""
    lines = [json.loads(line) for line in text.splitlines()]
    change(lines[number - 1])
    return resealed(lines)


def codes(text: str) -> set[str]:
    """Why a record is refused."""
    with pytest.raises(BadRecord) as refused:
        read_card_record("match", text)
    return {defect.code for defect in refused.value.defects}


@pytest.fixture(scope="module")
def text() -> str:
    """The record of a game of Sakana Stack by bots."""
    return card_record_text(played(bots_only("sakana")))


@pytest.mark.parametrize("game", GAMES)
def test_there_and_back(game: str, tmp_path: Path) -> None:
    """A record gives the same match back, who left included, and the same record again."""
    match = played(bots_only(game))
    save_card_record(match, tmp_path / "match.stakd")
    again = load_card_record(tmp_path / "match.stakd")
    assert (again.setup, again.acts, again.state.to_json()) == (match.setup, match.acts, match.state.to_json())
    assert card_record_text(again) == card_record_text(match)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_going_on_from_any_act(game: str, seed: int) -> None:
    """Stopped after any act, saved, loaded and played on by the same bots, a match ends as the one that was never stopped, to the
    millisecond of every slap."""
    whole = played(bots_only(game, seed=seed))
    for number in range(0, len(whole.acts), 9):
        stopped = CardMatch(whole.setup)
        for act in whole.acts[:number]:
            stopped.restore(act)
        clock = LeapingClock()
        play = CardPlay(read_card_record("match", card_record_text(stopped)), AtOnce(), clock=clock)
        assert run_out(play, clock).match.acts == whole.acts


def test_killed_at_any_moment(tmp_path: Path) -> None:
    """However a program is killed while it saves after every act, the record loads and goes on as if nothing had been."""
    setup = bots_only("sakapuss", seed=5)
    whole, path = played(setup).acts, tmp_path / "sakapuss.stakd"
    program = (
        "import sys; from pathlib import Path; from rich.console import Console; from games.card_demo import play_card_demo\n"
        "from tests.games.card_tables import bots_only\n"
        "while True: play_card_demo(bots_only('sakapuss', seed=5), Path(sys.argv[1]), say=lambda line: None, console=Console(quiet=True))"
    )
    child = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], cwd=Path(__file__).parents[2])
    lengths: set[int] = set()
    try:
        end = time.monotonic() + 60
        while len(lengths) < 3:
            assert time.monotonic() < end, "nothing is saved"
            time.sleep(0.05)
            if path.exists():
                lengths.add(len(load_card_record(path).acts))
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
    clock = LeapingClock()
    play = CardPlay.resume(path, AtOnce(), clock=clock)
    assert run_out(play, clock).match.acts == whole
    play.close()
    assert load_card_record(path).acts == whole


@pytest.mark.parametrize(
    ("number", "change", "code"),
    [
        (1, lambda line: line.update(version=2), "other-version"),
        (1, lambda line: line.update(rules=99), "other-version"),
        (1, lambda line: line.update(format="stakd-record"), "other-version"),
        (1, lambda line: line.update(deal="0" * 16), "other-version"),
        (1, lambda line: line.update(game="chess"), "bad-value"),
        (1, lambda line: line.update(seed=-1), "bad-value"),
        (1, lambda line: line.update(seed=True), "bad-value"),
        (1, lambda line: line.update(cheat=1), "unknown-key"),
        (1, lambda line: line.update(seats=[]), "bad-value"),
        (1, lambda line: line["seats"].extend([line["seats"][0]] * 3), "bad-header"),
        (1, lambda line: line["seats"][0].update(bot="deep"), "bad-header"),
        (1, lambda line: line["seats"][0].update(level="asleep"), "bad-header"),
        (1, lambda line: line.update(options={"speed": 1}), "bad-header"),
        (1, lambda line: line.update(seed=8), "other-version"),
        (3, lambda line: line.update(move="play U7 U7"), "illegal-act"),
        (3, lambda line: line.update(move="eat fish"), "illegal-act"),
        (3, lambda line: line.update(move=None), "bad-act"),
        (3, lambda line: line.update(player=None), "bad-act"),
        (3, lambda line: line.update(player=2), "illegal-act"),
        (3, lambda line: line.update(player=9), "bad-act"),
        (3, lambda line: line.update(kind="left"), "bad-act"),
        (3, lambda line: line.update(kind="redealt"), "bad-act"),
        (3, lambda line: line.update(kind="flown"), "bad-value"),
        (3, lambda line: line.update(act=7), "out-of-order"),
        (3, lambda line: line.update(round=2), "out-of-order"),
        (3, lambda line: line.update(events=[]), "other-outcome"),
        (3, lambda line: line["events"][0].update(player=2), "other-outcome"),
        (2, lambda line: line.update(seconds=9.0), "out-of-order"),
        (3, lambda line: line.update(seconds=-1.0), "bad-value"),
        (3, lambda line: line.update(events=[{}] * 1_000_000), "bad-value"),
    ],
)
def test_forged_lines_are_refused(text: str, number: int, change: Callable[[dict[str, Any]], object], code: str) -> None:
    """Even with seals that fit, what makes no sense or breaks a rule is refused, naming the line and the reason."""
    assert codes(forged(text, number, change)) == {code}


def test_damaged_records_are_refused(text: str, tmp_path: Path) -> None:
    """A changed or missing line, cut files, numbers that are none, a pickle, a folder: refused with the reason, and nothing is run."""
    lines = text.splitlines(keepends=True)
    assert codes(text.replace('"act":3', '"act":4', 1)) == {"wrong-hash"}
    assert codes("".join(lines[:2] + lines[3:])) == {"wrong-hash"}
    assert codes(text[: len(text) // 2]) == {"not-json"}
    assert codes(text.replace('"seconds":0.0', '"seconds":NaN', 1)) == {"not-json"}
    assert codes("") == {"not-json"}
    (tmp_path / "pickle.stakd").write_bytes(pickle.dumps({"format": "stakd-cards"}, protocol=5))
    for path in (tmp_path / "pickle.stakd", tmp_path / "none.stakd", tmp_path):
        with pytest.raises(BadRecord):
            load_card_record(path)


def test_first_bad_line_is_named(text: str) -> None:
    """The message says which line is the first that is wrong."""
    with pytest.raises(BadRecord, match="line 5, move: "):
        read_card_record("match", forged(text, 5, lambda line: line.update(move="play C1 C1")))


def test_one_sort_of_record_is_told_from_the_other(text: str) -> None:
    """By its first line, even if it is damaged."""
    assert is_card_record(text[:300])
    assert not is_card_record('{"format":"stakd-record","version":1}')


def test_names_may_hold_anything(tmp_path: Path) -> None:
    """Line ends that Python knows and JSON does not, quotes and emoji in a name do no harm."""
    setup = CardSetup("sakana", (CardSeat('\u2028"😺\u200b'), CardSeat("B")), seed=2)
    save_card_record(CardMatch(setup), tmp_path / "match.stakd")
    assert load_card_record(tmp_path / "match.stakd").setup == setup
