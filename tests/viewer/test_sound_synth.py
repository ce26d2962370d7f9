"""Sounds made from numbers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from viewer.sound_synth import CLACK, LOSE_HZ, MOST_NODES, RATE_HZ, SHAPES, WIN_HZ, Cue, Shape, Sound, make_clack, make_cue, wood_hz


def energy(sound: Sound, low_hz: float, high_hz: float) -> float:
    """Share of the sound's energy between two frequencies."""
    power = np.abs(np.fft.rfft(sound)) ** 2
    hz = np.fft.rfftfreq(len(sound), 1 / RATE_HZ)
    return float(power[(hz >= low_hz) & (hz <= high_hz)].sum() / power.sum())


def near(sound: Sound, hz: float) -> float:
    """Share of the energy within half a semitone of a tone."""
    return energy(sound, hz * 2 ** (-1 / 24), hz * 2 ** (1 / 24))


def check_sound(sound: Sound, shape: Shape) -> None:
    """It has its length and its peak, no clipping, no step at either end and no constant part."""
    assert np.isfinite(sound).all()
    assert len(sound) == round(shape.seconds * RATE_HZ)
    assert np.abs(sound).max() == pytest.approx(shape.peak)
    assert abs(sound[0]) < 1e-9
    assert np.abs(sound[-RATE_HZ // 200 :]).max() < 0.01 * shape.peak
    assert abs(sound.mean()) < 0.01 * shape.peak


@pytest.mark.parametrize("cue", Cue)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_cues_are_clean(cue: Cue, seed: int) -> None:
    """No cue clips, cracks, or ends abruptly, whatever the chances."""
    check_sound(make_cue(cue, np.random.default_rng(seed)), SHAPES[cue])


@pytest.mark.parametrize("nodes", range(1, MOST_NODES + 1))
@pytest.mark.parametrize("hardness", [0.0, 0.5, 1.0])
def test_clacks_are_clean_and_ring_at_their_tone(nodes: int, hardness: float) -> None:
    """A piece that lands rings at the tone of its size, larger ones deeper, and is over soon."""
    sound = make_clack(nodes, hardness, np.random.default_rng(nodes))
    check_sound(sound, CLACK)
    power = np.abs(np.fft.rfft(sound)) ** 2
    assert np.fft.rfftfreq(len(sound), 1 / RATE_HZ)[power.argmax()] == pytest.approx(wood_hz(nodes), rel=0.05)
    assert np.square(sound[len(sound) // 2 :]).sum() < 0.01 * np.square(sound).sum()


def test_larger_pieces_are_deeper() -> None:
    """Pieces of each size can be told apart by ear: more than a semitone lies between neighbours."""
    tones = [wood_hz(nodes) for nodes in range(1, MOST_NODES + 1)]
    assert all(higher / lower > 2 ** (1 / 12) for higher, lower in pairwise(tones))
    assert wood_hz(20) == wood_hz(MOST_NODES)


@pytest.mark.parametrize("nodes", range(1, MOST_NODES + 1))
def test_harder_is_brighter(nodes: int) -> None:
    """A piece thrown down has more of its energy above 2.5 kHz than the same piece set down."""
    bright = [energy(make_clack(nodes, hardness, np.random.default_rng(3)), 2500, 20000) for hardness in (0.1, 0.5, 0.9)]
    assert bright == sorted(bright)
    assert bright[2] > 3 * bright[0]


def test_motifs_sing_their_notes() -> None:
    """Winning is C, E, G, C and losing G, E flat, C: nearly all energy is in those notes and each has its share."""
    rng = np.random.default_rng(0)
    for sound, notes in ((make_cue(Cue.WIN, rng), (*WIN_HZ, WIN_HZ[0] / 2)), (make_cue(Cue.LOSE, rng), LOSE_HZ)):
        shares = [near(sound, hz) for hz in notes]
        assert min(shares) > 0.05
        assert sum(shares) > 0.9
    assert np.allclose(np.array(WIN_HZ[1:]) / WIN_HZ[0], np.array([2 ** (4 / 12), 2 ** (7 / 12), 2]), rtol=1e-3)


def test_noises_are_where_they_should_be() -> None:
    """A fall rumbles and clacks, sliding wood is in the middle, paper is high."""
    rng = np.random.default_rng(5)
    fall = make_cue(Cue.FALL, rng)
    assert energy(fall, 30, 250) > 0.2
    assert energy(fall, 700, 8000) > 0.2
    assert energy(make_cue(Cue.SLIDE, rng), 400, 4000) > 0.9
    assert energy(make_cue(Cue.CARD, rng), 1200, 9000) > 0.9


def test_same_seed_same_sound() -> None:
    """Sounds depend on nothing but the generator; another one gives another piece of wood."""
    a, b, c = (make_clack(3, 0.5, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(a, b)
    assert not np.allclose(a, c)
