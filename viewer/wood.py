"""Wood grain as one texture that repeats without seams: noise shaped in the frequency domain, so every scale of it tiles."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import scipy.fft
from numpy.typing import NDArray

Array = NDArray[np.floating[Any]]

TILE_MM = 240.0
"""Side of the square that the texture covers; the grain runs along u."""
TILE_PIXELS = 1024
_SEED = 20_240_229
_DAMPED = 4.0
"""Where a Gaussian has so many deviations nothing is left of it."""


@cache
def grain_texture() -> NDArray[np.uint8]:
    """(1024, 1024, 4) uint8, row v, column u. The same in every run.

    Red: tone of long grain, growth rings cut lengthwise with fine streaks. Green: how much of a beech's dark ray fleck is there. Blue: tone of
    end grain, ring arcs with pores. Alpha: slow mottling. Tones have mean about 0.5.
    """
    rng = np.random.default_rng(_SEED)
    mottle = _noise(rng, 60, 40)
    channels = [_long_grain(rng), _flecks(rng), _end_grain(rng), 0.5 + 0.17 * mottle]
    return np.ascontiguousarray((np.clip(np.stack(channels, axis=-1), 0, 1) * 255).round().astype(np.uint8))


def _long_grain(rng: np.random.Generator) -> Array:
    """Rings cut along the trunk: bands that wander slowly, each dark late edge sharp on one side, and fine fibres over them."""
    _, v = _coordinates()
    wander = 2.2 * _noise(rng, 120, 26) + 0.5 * _noise(rng, 45, 9)
    phase = np.mod(26 * v + wander, 1.0)
    late = phase**3 * (1 - np.clip((phase - 0.92) / 0.08, 0, 1))
    strength = 0.75 + 0.3 * _noise(rng, 90, 14)
    fibres = 0.55 * _noise(rng, 14, 0.35) + 0.45 * _noise(rng, 40, 0.7)
    tone: Array = 0.60 - 0.36 * late * strength + 0.085 * fibres + 0.04 * _noise(rng, 100, 12)
    return tone


def _flecks(rng: np.random.Generator) -> Array:
    """Short spindles along the grain, a few mm long and a third of a mm thick."""
    field = _noise(rng, 1.15, 0.20)
    flecks: Array = np.clip((field - 1.75) / 0.9, 0, 1)
    return flecks


def _end_grain(rng: np.random.Generator) -> Array:
    """Ring arcs seen end on, crossed by fine rays and dotted with pores."""
    u, v = _coordinates()
    phase = np.mod(40 * v + 2.0 * np.sin(2 * np.pi * u) + 0.6 * _noise(rng, 30, 8), 1.0)
    pores = np.clip((_noise(rng, 0.22, 0.22) - 1.3) / 1.2, 0, 1)
    tone: Array = 0.56 - 0.18 * phase**2 - 0.35 * pores + 0.05 * _noise(rng, 0.3, 6)
    return tone


def _noise(rng: np.random.Generator, along_mm: float, across_mm: float) -> Array:
    """(1024, 1024) smooth noise with features of these sizes along and across the grain; mean 0, deviation 1."""
    frequencies = np.fft.fftfreq(TILE_PIXELS, TILE_MM / TILE_PIXELS).astype(np.float32) * np.float32(np.pi)
    along, across = frequencies[: TILE_PIXELS // 2] * along_mm, frequencies * across_mm
    columns, rows = np.flatnonzero(along < _DAMPED), np.flatnonzero(np.abs(across) < _DAMPED)
    block = rng.standard_normal((len(rows), len(columns), 2), np.float32).view(np.complex64)[..., 0]
    block *= np.exp(-0.5 * across[rows] ** 2)[:, None] * np.exp(-0.5 * along[columns] ** 2)
    block[0, 0] = 0
    spectrum = np.zeros((TILE_PIXELS, len(columns)), np.complex64)
    spectrum[rows] = block
    field: Array = scipy.fft.irfft(scipy.fft.ifft(spectrum, axis=0, overwrite_x=True), TILE_PIXELS, axis=1)
    field /= field.std()
    return field


def _coordinates() -> tuple[Array, Array]:
    """u and v in 0–1, broadcastable to the texture."""
    steps = np.arange(TILE_PIXELS, dtype=np.float32) / TILE_PIXELS
    return steps[None, :], steps[:, None]
