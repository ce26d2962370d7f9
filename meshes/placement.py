"""A placement: which piece stands on which cells of which layer, exactly. The word of the rules, shared by all rooms."""

from __future__ import annotations

import re
from typing import NamedTuple

from meshes.lattice import Cells

_COUNT = r"(?:0|[1-9][0-9]{0,5})"
_WHOLE = rf"(?:-(?!0)|){_COUNT}"
_FORM = re.compile(rf"[A-Z][A-Z0-9_]* {_COUNT}(?: {_WHOLE},{_WHOLE})+")


class Placement(NamedTuple):
    """Piece (by the name of its type), layer (0 = BASE layer) and cells, sorted by (q, r).

    A named tuple rather than a dataclass: the rules make thousands of these a second. `str()` and `parse` are the text
    form of the engine protocol, `DUO 1 0,0 1,0`.
    """

    piece: str
    layer: int
    cells: Cells

    def __str__(self) -> str:
        return f"{self.piece} {self.layer} " + " ".join(f"{q},{r}" for q, r in self.cells)

    @classmethod
    def parse(cls, text: str) -> Placement | None:
        """Read the printed form back; None if `text` is not exactly in that form (unsorted or repeated cells included)."""
        if not _FORM.fullmatch(text):
            return None
        piece, layer, *pairs = text.split(" ")
        cells = tuple((int(q), int(r)) for q, _, r in (pair.partition(",") for pair in pairs))
        if list(cells) != sorted(set(cells)):
            return None
        return cls(piece, int(layer), cells)
