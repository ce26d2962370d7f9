"""Acts repeat to the last bit: at any frame rate, after any previews, in other processes and from files."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from games.tower_file import load_table, save_tower
from physics.act import MOST_ADVANCE_S, Act, ActResult, Outcome, place_by_hand
from physics.grip import NORMAL
from physics.pose import Pose
from physics.tower import exact_pose
from tests.physics.test_act import CLASSIC, LOW, parsed, same, swept

SCRIPT = ((0.0, Pose(60, 0, 40)), (0.4, Pose(57, 2, 30)), (0.8, Pose(48, 5, 14)), (1.2, Pose(52, 3, 12)))


def scripted(chunks: Iterator[float]) -> ActResult:
    """Play one move script, inputs at fixed moments, with time handed over in chunks."""
    with Act(LOW, "UNI", Pose(90, 0, 40)) as act:
        owed = next(chunks)
        for start, pose in (*SCRIPT, (1.6, None)):
            while act.seconds < start - 1e-6:
                step = min(owed, start - act.seconds)
                act.advance(step)
                owed = owed - step if owed - step > 1e-9 else next(chunks)
            act.release() if pose is None else act.move_to(pose)
        while not act.done:
            act.advance(next(chunks))
        return act.result()


def steady_chunks(rate: float) -> Iterator[float]:
    """Frames of one length."""
    while True:
        yield 1 / rate


def ragged_chunks() -> Iterator[float]:
    """Frames of all lengths, and a stall of five seconds now and then."""
    rng = np.random.default_rng(5)
    while True:
        yield from rng.uniform(0.0001, 0.05, 40).tolist()
        yield 5.0


def test_frame_rate_and_stalls_change_nothing() -> None:
    """The same move script at 30, 60 and 144 frames a second and with ragged frames and stalls ends in the same poses, bit for bit."""
    first = scripted(steady_chunks(60))
    for chunks in (steady_chunks(30), steady_chunks(144), ragged_chunks()):
        assert same(scripted(chunks), first)


def test_a_stall_is_not_caught_up() -> None:
    """After five seconds in which the window did not answer the act goes on by a tenth of a second only."""
    with Act(LOW, "UNI", Pose(90, 0, 40)) as act:
        act.advance(5.0)
        assert act.seconds == pytest.approx(MOST_ADVANCE_S, abs=1 / 900)


def test_previews_leave_no_trace() -> None:
    """Twenty acts tried and thrown away before a move give the same move, bit for bit, as the move alone."""
    alone = place_by_hand(LOW, parsed("UNI 1 2,0"), NORMAL, np.random.default_rng(7))
    for seed in range(20):
        with Act(LOW, "DUO", Pose(0, 0, 30 + seed)) as act:
            act.release()
            act.run(60)
    assert same(place_by_hand(LOW, parsed("UNI 1 2,0"), NORMAL, np.random.default_rng(7)), alone)


FINGERPRINT = """
import hashlib
import numpy as np
from meshes.piece_set import load_piece_set
from meshes.placement import Placement
from physics.act import place_by_hand
from physics.grip import SHAKY
from physics.tower import ALIGN_TOLERANCE, Tower

tower = Tower.exact(load_piece_set("square"), [Placement("BASE", 0, ((-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)))])
result = place_by_hand(tower, Placement("TRIO", 1, ((0, 0), (0, 1), (1, 0))), SHAKY, np.random.default_rng(4))
print(hashlib.sha256(result.track.states.tobytes()).hexdigest(), result.outcome.value)
"""


def test_acts_repeat_across_processes() -> None:
    """The same seed gives the same act in another process, whatever its hash seed."""
    outputs = {
        subprocess.run([sys.executable, "-c", FINGERPRINT], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}).stdout
        for seed in ("0", "7")
    }
    assert len(outputs) == 1


def test_resuming_from_a_file_is_like_going_on(tmp_path: Path) -> None:
    """A tower saved after an act, before all that moved has been forgotten, and loaded from its file leads to the same next act, bit for
    bit, with a piece placed and with a knock-over: an act ends at rest and hides nothing."""
    first = place_by_hand(LOW, parsed("UNI 1 2,0"), NORMAL, np.random.default_rng(3)).tower
    assert first.laid[-1].pose != exact_pose(CLASSIC, first.laid[-1].placement)
    save_tower(first, tmp_path / "tower.json")
    loaded = load_table(tmp_path / "tower.json").tower
    assert loaded == first
    ends = [place_by_hand(tower, parsed("DUO 2 0,0 0,1"), NORMAL, np.random.default_rng(4)) for tower in (first, loaded)]
    assert same(*ends)
    sweeps = [swept(tower, 0.5, 5.0, 1.0) for tower in (first, loaded)]
    assert sweeps[0].outcome is Outcome.KNOCKED_OVER
    assert same(*sweeps)
