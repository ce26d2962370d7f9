from __future__ import annotations

import numpy as np

from viewer.wood import TILE_PIXELS, grain_texture


def test_grain_repeats_without_a_seam() -> None:
    """Across the texture's edges neighbours differ no more than within it."""
    grain = grain_texture().astype(float)
    for axis in (0, 1):
        within = np.abs(np.diff(grain, axis=axis)).mean()
        across = np.abs(np.take(grain, 0, axis=axis) - np.take(grain, -1, axis=axis)).mean()
        assert across < 1.5 * within + 1


def test_grain_runs_along_u() -> None:
    """Long grain changes far less along the trunk than across it."""
    tone = grain_texture()[:, :, 0].astype(float)
    assert np.abs(np.diff(tone, axis=1)).mean() < 0.4 * np.abs(np.diff(tone, axis=0)).mean()


def test_grain_keeps_the_paints_brightness() -> None:
    """Tones have mean about one half, so grain neither darkens nor brightens a piece."""
    grain = grain_texture()
    assert grain.shape == (TILE_PIXELS, TILE_PIXELS, 4)
    for channel in (0, 2, 3):
        assert abs(grain[:, :, channel].mean() / 255 - 0.5) < 0.06
