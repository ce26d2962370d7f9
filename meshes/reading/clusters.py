"""Boxes that meet."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

_AT_ONCE = 512


def clusters(boxes: NDArray[np.float64], *, gap: float) -> list[NDArray[np.int64]]:
    """Indices of boxes (n, 2, 3: lowest, highest corner) that meet, directly or by others, or are at most `gap` apart; in order of the first."""
    low, high = boxes[:, 0] - gap / 2, boxes[:, 1] + gap / 2
    rows, columns = [], []
    for start in range(0, len(boxes), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        meets = (low[part, None] <= high[None, :]).all(axis=2) & (high[part, None] >= low[None, :]).all(axis=2)
        row, column = np.nonzero(meets)
        rows.append(row + start)
        columns.append(column)
    i, j = np.concatenate(rows), np.concatenate(columns)
    label = connected_components(coo_matrix((np.ones(len(i), np.int8), (i, j)), shape=(len(boxes),) * 2), directed=False)[1]
    _, first = np.unique(label, return_index=True)
    return [np.flatnonzero(label == label[start]) for start in np.sort(first)]
