from __future__ import annotations

import numpy as np
from PIL import Image

from viewer.caption import add_caption


def _changed(text: str, size: tuple[int, int] = (640, 360), opacity: float = 1.0) -> np.ndarray:
    """(height, width) where a caption changes a grey picture."""
    plain = Image.new("RGB", size, (120, 120, 120))
    changed: np.ndarray = np.any(np.asarray(add_caption(plain, text, opacity=opacity)) != np.asarray(plain), axis=2)
    return changed


def test_caption_stands_at_the_foot() -> None:
    """A caption changes only the lowest fifth, symmetrically about the middle."""
    rows, columns = np.nonzero(_changed("QUAD on layer 6 lost 3 of 4 supports"))
    assert rows.min() > 0.8 * 360
    assert rows.max() < 360 - 5
    assert abs((columns.min() + columns.max()) / 2 - 319.5) <= 1


def test_long_caption_shrinks_to_fit() -> None:
    """A very long line is drawn smaller, never cut off at the sides."""
    columns = np.nonzero(_changed("a very long story about a tower " * 8))[1]
    assert columns.min() > 0
    assert columns.max() < 639


def test_no_text_or_no_opacity_changes_nothing() -> None:
    """An empty or wholly faded caption leaves the picture alone."""
    assert not _changed("").any()
    assert not _changed("words", opacity=0.0).any()
