"""What a scene shows: pieces at poses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from meshes.piece_set import PieceType
from physics.pose import Pose
from physics.tower import Tower

Colour = tuple[int, int, int]
"""Red, green, blue, 0–255 each, as on a screen (sRGB)."""


@dataclass(frozen=True, slots=True)
class Item:
    """A piece at a pose. `seed` picks its own bit of wood and stays with the piece; `highlight` makes it glow in a colour.

    A `ghost` is a piece that is not there: it shows through, in the colour of its highlight or else of its paint, casts no shadow
    and is never picked.
    """

    piece: PieceType
    pose: Pose
    seed: int
    highlight: Colour | None = None
    ghost: bool = False


def tower_items(tower: Tower, *, highlights: Mapping[int, Colour] | None = None) -> list[Item]:
    """The pieces of a tower, in the order they were laid; `highlights` by index."""
    return list(_tower_items(tower, highlights or {}))


def _tower_items(tower: Tower, highlights: Mapping[int, Colour]) -> Iterator[Item]:
    for index, laid in enumerate(tower.laid):
        yield Item(tower.piece_type(index), laid.pose, index, highlights.get(index))
