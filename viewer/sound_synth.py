"""The sounds of the table, made from numbers: wood that is struck, wood that slides, and a few marimba tones. Nothing is recorded.

Struck wood is a sum of decaying sines in the ratios of a free bar, and a burst of noise for the touch itself. All sounds are mono, from
−1 to 1, at `RATE_HZ`, end in silence, and depend on nothing but their arguments and the generator.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Sound = NDArray[np.float64]

RATE_HZ = 44_100
MOST_NODES = 5
"""Larger pieces sound like this one."""
BAR_RATIOS = (1.0, 2.756, 5.404)
"""Frequencies of a free bar that is struck, by its lowest."""
WIN_HZ = (523.25, 659.26, 783.99, 1046.5)
"""C, E, G, C."""
LOSE_HZ = (392.0, 311.13, 261.63)
"""G, E flat, C."""


class Cue(StrEnum):
    """What can be heard besides pieces that land; the value is how screens call it.

    `TICK` an item of the screen is used, `CARD` something paper-like moves, `LIFT` a piece is taken up, `SLIDE` wood on wood, `KNOCK` a bump
    against the tower, `FALL` a whole tower comes down, `WIN`, `LOSE`, `NO` that can't be done.
    """

    TICK = "tick"
    CARD = "card"
    LIFT = "lift"
    SLIDE = "slide"
    KNOCK = "knock"
    FALL = "fall"
    WIN = "win"
    LOSE = "lose"
    NO = "no"


class Shape(NamedTuple):
    """Length of a sound in seconds and its highest peak."""

    seconds: float
    peak: float


SHAPES: Mapping[Cue, Shape] = {
    Cue.TICK: Shape(0.06, 0.25),
    Cue.CARD: Shape(0.16, 0.3),
    Cue.LIFT: Shape(0.12, 0.3),
    Cue.SLIDE: Shape(0.35, 0.35),
    Cue.KNOCK: Shape(0.30, 0.7),
    Cue.FALL: Shape(2.4, 0.9),
    Cue.WIN: Shape(1.9, 0.6),
    Cue.LOSE: Shape(1.5, 0.5),
    Cue.NO: Shape(0.30, 0.45),
}
CLACK = Shape(0.16, 0.8)
_BLOCK = 128


def make_cue(cue: Cue, rng: Generator) -> Sound:
    """The sound of a cue, as long and as loud as `SHAPES` says."""
    seconds, peak = SHAPES[cue]
    return _finished(_MAKERS[cue](_silence(seconds), rng), peak)


def make_clack(nodes: int, hardness: float, rng: Generator) -> Sound:
    """A piece of so many nodes that lands on wood. `hardness` 0 is set down with care, 1 is thrown: brighter, not louder.

    It rings at `wood_hz(nodes)`, a little off by chance.
    """
    sound, struck = _silence(CLACK.seconds), _struck(nodes, hardness, rng)
    _add(sound, 0.0, struck)
    _add(sound, float(rng.uniform(0.009, 0.018)), 0.25 * struck)  # no piece lands with all its edge at once
    return _finished(sound, CLACK.peak)


def wood_hz(nodes: int) -> float:
    """The lowest tone of a piece: larger ones are deeper."""
    return float(1900.0 / min(max(nodes, 1), MOST_NODES) ** 0.45)


def _silence(seconds: float) -> Sound:
    return np.zeros(round(seconds * RATE_HZ))


def _finished(sound: Sound, peak: float) -> Sound:
    """At its peak loudness, without the steps at start and end that would crack."""
    start, end = round(0.0005 * RATE_HZ), len(sound) // 6
    sound[:start] *= np.linspace(0, 1, start)
    sound[-end:] *= 0.5 + 0.5 * np.cos(np.linspace(0, math.pi, end))
    finished: Sound = sound * (peak / np.abs(sound).max())
    return finished


def _add(sound: Sound, start_s: float, part: Sound) -> None:
    """Mix `part` in; what would reach beyond the end is dropped."""
    start = round(start_s * RATE_HZ)
    room = sound[start : start + len(part)]
    room += part[: len(room)]


def _tone(hz: float, decay_s: float) -> Sound:
    """A sine that falls to 1/e in `decay_s`, until it can't be heard. Powers of one complex number, by blocks: far quicker than sines."""
    pace = complex(-1 / decay_s, 2 * math.pi * hz) / RATE_HZ
    blocks = math.ceil(7 * decay_s * RATE_HZ / _BLOCK)
    tone: Sound = np.outer(np.exp(pace * _BLOCK * np.arange(blocks)), np.exp(pace * np.arange(_BLOCK))).imag.ravel()
    return tone


def _noise(seconds: float, low_hz: float, high_hz: float, rng: Generator) -> Sound:
    """Noise between two frequencies, with soft edges, of standard deviation 1."""
    count = round(seconds * RATE_HZ)
    hz = np.fft.rfftfreq(count, 1 / RATE_HZ)
    low, high = np.square(low_hz / np.maximum(hz, 1.0)), np.square(hz / high_hz)
    share = 1 / ((1 + low * low * low) * (1 + high * high * high))
    noise: Sound = np.fft.irfft(np.fft.rfft(rng.standard_normal(count)) * share, count)
    return noise / float(noise.std())


def _struck(nodes: int, hardness: float, rng: Generator) -> Sound:
    """Wood struck once: it rings, but lies on other wood, which soon quiets it; the touch itself hisses; the table thuds."""
    size = min(max(nodes, 1), MOST_NODES)
    lowest, bright_hz = wood_hz(size) * rng.normal(1, 0.012), 1500 + 5000 * hardness
    sound = _silence(0.1)
    for number, ratio in enumerate(BAR_RATIOS):
        strength = rng.uniform(0.7, 1.0) / (1 + (ratio * lowest / bright_hz) ** 2)
        _add(sound, 0.0, strength * _tone(ratio * lowest, 0.008 * size**0.3 / (1 + number)))
    _add(sound, 0.0, 0.3 * _noise(0.012, 400, bright_hz, rng) * np.exp(-np.linspace(0, 6, round(0.012 * RATE_HZ))))
    _add(sound, 0.0, 0.15 * math.sqrt(size) * _tone(180 - 8 * size, 0.014))
    return sound


def _add_marimba(sound: Sound, start_s: float, hz: float, loudness: float, *, ring_s: float = 0.35) -> None:
    """A rosewood bar, tuned as makers do: the second tone two octaves up."""
    for ratio, strength, share in ((1.0, 1.0, 1.0), (4.0, 0.22, 0.3), (9.2, 0.06, 0.1)):
        _add(sound, start_s, loudness * strength * _tone(ratio * hz, ring_s * share))


def _tick(sound: Sound, rng: Generator) -> Sound:
    _add(sound, 0.0, _tone(1750, 0.005))
    _add(sound, 0.0, 0.5 * _tone(3300, 0.002))
    return sound


def _card(sound: Sound, rng: Generator) -> Sound:
    shape = np.linspace(0, 1, len(sound))
    return _noise(len(sound) / RATE_HZ, 1500, 7000, rng) * shape**0.7 * (1 - shape) ** 2


def _lift(sound: Sound, rng: Generator) -> Sound:
    _add(sound, 0.0, 0.15 * _noise(0.03, 900, 4000, rng) * np.linspace(0, 1, round(0.03 * RATE_HZ)))
    _add(sound, 0.03, _struck(2, 0.1, rng))
    return sound


def _slide(sound: Sound, rng: Generator) -> Sound:
    """Wood sticks and slips: noise in grains."""
    seconds = len(sound) / RATE_HZ
    grains = 1 + 0.5 * _noise(seconds, 20, 90, rng)
    return _noise(seconds, 600, 3000, rng) * grains * np.sin(np.linspace(0, math.pi, len(sound))) ** 1.5


def _knock(sound: Sound, rng: Generator) -> Sound:
    for hz, strength, decay_s in ((120, 0.7, 0.035), (340, 1.0, 0.030), (830, 0.6, 0.018), (1560, 0.3, 0.010)):
        _add(sound, 0.0, strength * _tone(hz * rng.normal(1, 0.01), decay_s))
    _add(sound, 0.0, 0.2 * _noise(0.008, 300, 3000, rng) * np.linspace(1, 0, round(0.008 * RATE_HZ)))
    return sound


def _fall(sound: Sound, rng: Generator) -> Sound:
    """Pieces land thick and fast, then the last ones one by one, over the rumble of the table."""
    seconds = len(sound) / RATE_HZ
    struck = [_struck(1 + number % MOST_NODES, hardness, rng) for number, hardness in enumerate(rng.uniform(0.3, 1.0, size=10))]
    for start_s in np.minimum(rng.gamma(2.2, 0.26, size=36), seconds - 0.4):
        _add(sound, float(start_s), rng.uniform(0.3, 1.0) * math.exp(-start_s / 1.1) * struck[int(rng.integers(len(struck)))])
    t = np.linspace(0, seconds, len(sound))
    sound += 0.4 * _noise(seconds, 45, 170, rng) * np.minimum(t / 0.15, 1) * np.exp(-t / 0.45)
    mixed: Sound = np.tanh(0.9 * sound)
    return mixed


def _win(sound: Sound, rng: Generator) -> Sound:
    for number, hz in enumerate(WIN_HZ):
        _add_marimba(sound, 0.12 * number, hz, 0.8)
    for hz in (*WIN_HZ[:3], WIN_HZ[0] / 2):
        _add_marimba(sound, 0.62, hz, 0.6, ring_s=0.45)
    return sound


def _lose(sound: Sound, rng: Generator) -> Sound:
    for number, hz in enumerate(LOSE_HZ):
        _add_marimba(sound, 0.2 * number, hz, 0.9 - 0.1 * number)
    return sound


def _no(sound: Sound, rng: Generator) -> Sound:
    for start_s, hz in ((0.0, 220.0), (0.09, 174.6)):
        _add_marimba(sound, start_s, hz, 1.0, ring_s=0.05)
    return sound


_MAKERS: Mapping[Cue, Callable[[Sound, Generator], Sound]] = {
    Cue.TICK: _tick,
    Cue.CARD: _card,
    Cue.LIFT: _lift,
    Cue.SLIDE: _slide,
    Cue.KNOCK: _knock,
    Cue.FALL: _fall,
    Cue.WIN: _win,
    Cue.LOSE: _lose,
    Cue.NO: _no,
}
