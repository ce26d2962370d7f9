"""The same match every time: in another process, after every save, through falls, resignations and ends of rounds."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from games.match import ActKind, Match, MatchSetup, Seat
from games.record import load_record, read_record, record_text, save_record
from meshes.piece_set import load_piece_set
from meshes.placement import Placement
from physics.grip import SHAKY
from tests.games.test_match import toppled

CLASSIC = load_piece_set("classic")

_PLAYER = """
import sys
from games.match import Match, bot_setup
from games.record import record_text
from meshes.piece_set import load_piece_set
match = Match(bot_setup(load_piece_set("classic"), ["greedy"], players=1, seed=0, hand="normal"))
while not match.over and len(match.acts) < 25:
    match.place(match.think())
print(record_text(match), end="")
"""


def played(hash_seed: str) -> subprocess.Popen[str]:
    """A process that plays 25 acts of a solo match with hands and prints its record."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONIOENCODING": "utf8"}
    return subprocess.Popen([sys.executable, "-c", _PLAYER], env=environment, stdout=subprocess.PIPE, text=True, encoding="utf8")


def first_difference(one: str, two: str) -> int | None:
    """The number of the first line that differs, the header being 0; None if all are alike."""
    pairs = zip_longest(one.split("\n"), two.split("\n"))
    return next((number for number, (mine, other) in enumerate(pairs) if mine != other), None)


def test_a_match_repeats_in_other_processes() -> None:
    """A physical match is the same, track for track and seal for seal, in another process with another hash seed; a change
    planted at about act 20 is noticed there and not before."""
    one, two = (run.communicate()[0] for run in [played("1"), played("4242")])
    assert first_difference(one, two) is None
    lines = one.split("\n")
    number, planted, other = next(choice for choice in planted_choices(lines))
    planted.place(other)
    assert first_difference("\n".join(lines[: number + 1]) + "\n", record_text(planted)) == number


def planted_choices(lines: list[str]) -> Iterator[tuple[int, Match, Placement]]:
    """From act 20 backwards the acts that could have been another: their number, the match before, the other move."""
    for number in range(20, 0, -1):
        match = read_record("planted", "\n".join(lines[:number]))
        wanted = match.think()
        for move in match.state.legal_moves():
            if move != wanted:
                yield number, match, move
                break


def test_seeds_differ() -> None:
    """Seed 0 is a seed like any other: another seed gives another match."""
    matches = [Match(MatchSetup(CLASSIC, (Seat("A", "random"), Seat("B", "random")), seed)) for seed in (0, 7)]
    for match in matches:
        for _ in range(4):
            match.place(match.think())
    assert [act.placement for act in matches[0].acts] != [act.placement for act in matches[1].acts]


def test_saved_after_every_act_goes_on_alike(tmp_path: Path) -> None:
    """Saved and loaded after every act, through a knock-over, a resignation and the end of a round, a match goes on as if never stopped."""
    seats = (Seat("A", "random"), Seat("B", "greedy", SHAKY), Seat("C", "random"), Seat("D", "random"))
    whole = Match(MatchSetup(CLASSIC, seats, seed=3))
    stopped = Match(whole.setup)
    while not any(act.kind is ActKind.PLACED and "round_over" in [event["type"] for event in act.events] for act in whole.acts):
        for match in (whole, stopped):
            act_next(match)
        save_record(stopped, tmp_path / "match.stakd")
        stopped = load_record(tmp_path / "match.stakd")
        assert (stopped.tower, stopped.state.to_json(), stopped.state.left) == (whole.tower, whole.state.to_json(), whole.state.left)
    assert record_text(stopped) == record_text(whole)
    assert {ActKind.KNOCKED_OVER, ActKind.RESIGNED} <= {act.kind for act in whole.acts}


def act_next(match: Match) -> None:
    """The next act: first a round that ends in a fall, then one that the shaky player leaves, else what the bot wants."""
    if len(match.acts) == 8:
        match.settle_act(match.think(), toppled(match), hand="live")
    elif len(match.acts) == 14:
        match.resign(1)
    else:
        match.place(match.think())
