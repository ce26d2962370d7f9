"""Variations: which dimensions of a set a study varies, how far, and the sets that come of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import numpy as np

from meshes.errors import BadPieceSet, Defect, DefectiveInput
from meshes.piece_set import PieceSet
from meshes.set_changes import with_sizes
from meshes.set_file import LIMITS

SHARE = 0.05
"""A dimension named without a range is varied by so much of its value, up and down."""
_TRIES = 2000
"""So many designs are drawn before a range is said to hold none that can be built."""
_MESH_TRIES = 40
"""…and so many of a set with meshes of its own."""
_SURVEY = 400
"""So many designs tell which share of the ranges can be built."""

Values = tuple[float, ...]
"""One value for each variation, in their order."""


class BadVariation(DefectiveInput):
    """What is to be varied is not said rightly, or no such set can be built."""

    kind = "variation"


class Dimension(Enum):
    """What can be varied: the word for it, its key in the set's file, and its unit."""

    RADIUS = ("radius", "radius_mm", "mm")
    THICKNESS = ("thickness", "thickness_mm", "mm")
    PITCH = ("pitch", "pitch_mm", "mm")
    BEVEL = ("bevel", "bevel_mm", "mm")
    WEIGHT = ("weight", "density_g_cm3", "g/cm³")
    FRICTION = ("friction", "friction", "")
    BOUNCE = ("bounce", "restitution", "")

    def __init__(self, word: str, key: str, unit: str) -> None:
        self.word, self.key, self.unit = word, key, unit

    @classmethod
    def named(cls, word: str) -> Dimension | None:
        """The dimension of this word."""
        return next((dimension for dimension in cls if dimension.word == word), None)

    def of(self, piece_set: PieceSet) -> float:
        """Its value in a set."""
        return float(getattr(piece_set, self.key))

    def text(self, value: float) -> str:
        """A value with its unit."""
        return f"{value:.4g} {self.unit}".rstrip()


@dataclass(frozen=True, slots=True)
class Variation:
    """One dimension, drawn evenly from `low` to `high`."""

    dimension: Dimension
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.dimension.word}={self.low:g}" if self.low == self.high else f"{self.dimension.word}={self.low:g}:{self.high:g}"


def parse_variations(text: str, piece_set: PieceSet) -> tuple[Variation, ...]:
    """What `--vary` asks for: `radius=12.5:13.5,thickness,weight=0.7`, a name alone meaning 5 % up and down.

    Raises `BadVariation` for words, numbers or repetitions that make no sense; whether such sets can be built is asked by `check_variations`.
    """
    variations, defects = [], []
    for part in text.split(","):
        try:
            variations.append(_parsed(part.strip(), piece_set))
        except _Unclear as error:
            defects.append(Defect("unclear", part.strip() or "(nothing)", str(error)))
    words = [variation.dimension.word for variation in variations]
    defects += [Defect("repeated", word, "it is named more than once; name it once") for word in sorted(set(words)) if words.count(word) > 1]
    if defects:
        raise BadVariation(text, defects)
    return tuple(variations)


class _Unclear(Exception):
    """A part of `--vary` that can't be understood."""


def _parsed(part: str, piece_set: PieceSet) -> Variation:
    word, equals, rest = (piece.strip() for piece in part.partition("="))
    dimension = Dimension.named(word)
    if dimension is None:
        raise _Unclear(f"there is no such dimension; name one of {', '.join(known.word for known in Dimension)}")
    least, most = LIMITS[dimension.key]
    if not equals:
        value = dimension.of(piece_set)
        if value == 0:
            raise _Unclear(f"it is 0 in this set, so 5 % of it is nothing; give a range, such as {word}=0:0.5")
        return Variation(dimension, max(least, value * (1 - SHARE)), min(most, value * (1 + SHARE)))
    try:
        numbers = [float(number) for number in rest.split(":")]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2) or not np.isfinite(numbers).all():
        raise _Unclear(f"after = comes a number or a range LOW:HIGH, such as {word}={dimension.of(piece_set):g}")
    low, high = numbers[0], numbers[-1]
    if low > high:
        raise _Unclear(f"the range begins with the lower value; write {word}={high:g}:{low:g}")
    if low < least or high > most:
        raise _Unclear(f"it can be from {dimension.text(least)} to {dimension.text(most)}; give a value or a range within that")
    return Variation(dimension, low, high)


def draw_values(piece_set: PieceSet, variations: Sequence[Variation], rng: np.random.Generator, *, tries: int = _TRIES) -> Values:
    """One value for each variation, evenly from all those designs within the ranges that can be built; raises `BadVariation` if none of so many
    `tries` can."""
    error: BadPieceSet | None = None
    for _ in range(tries):
        values = _drawn(variations, rng)
        try:
            varied_set(piece_set, variations, values)
        except BadPieceSet as defect:
            error = defect
        else:
            return values
    assert error is not None, "a design was tried"
    raise BadVariation(", ".join(map(str, variations)), _told(error, f"none of {tries} designs drawn within these ranges can be built; the last one"))


def varied_set(piece_set: PieceSet, variations: Sequence[Variation], values: Values) -> PieceSet:
    """The set with `values` in place of its own; raises `BadPieceSet` if it can't be built."""
    return _built(piece_set, tuple(variation.dimension for variation in variations), values) if variations else piece_set


def buildable_share(piece_set: PieceSet, variations: Sequence[Variation]) -> float:
    """The share of the designs within the ranges that can be built, 0–1; the others are left out. Raises `BadVariation` if none can."""
    if not variations:
        return 1.0
    _check_roomiest(piece_set, variations)
    if all(_can_be_built(piece_set, variations, corner) for corner in _corners(variations)):
        return 1.0
    rng = np.random.default_rng(0)
    if any(piece.mesh for piece in piece_set.pieces):
        # each design of own meshes takes a while, so the first few must show that some can be built
        draw_values(piece_set, variations, rng, tries=_MESH_TRIES)
    share = float(np.mean([_can_be_built(piece_set, variations, _drawn(variations, rng)) for _ in range(_SURVEY)]))
    draw_values(piece_set, variations, rng)
    return share


def _check_roomiest(piece_set: PieceSet, variations: Sequence[Variation]) -> None:
    """Refuses at once what can't be built for want of room or by the limits of a set's file; what own meshes bear only trying tells."""
    try:
        varied_set(piece_set, variations, _roomiest(piece_set, variations))
    except BadPieceSet as error:
        single = all(variation.low == variation.high for variation in variations)
        if single or not any(defect.where.startswith("pieces.") for defect in error.defects):
            raise BadVariation(", ".join(map(str, variations)), _told(error, "no design within these ranges can be built")) from error


def _roomiest(piece_set: PieceSet, variations: Sequence[Variation]) -> Values:
    """The design that is built if any is: pitch and thickness as large as they may be, the bevel as small, the radius hardly larger than it."""
    ends = {}
    for variation in variations:
        dimension = variation.dimension
        least, most = LIMITS[dimension.key]
        low, high = max(variation.low, least), min(variation.high, most)
        ends[dimension] = (variation.low, variation.high) if low > high else (low, high)
    bevel = ends[Dimension.BEVEL][0] if Dimension.BEVEL in ends else Dimension.BEVEL.of(piece_set)
    chosen = {dimension: high if dimension in (Dimension.PITCH, Dimension.THICKNESS) else low for dimension, (low, high) in ends.items()}
    if Dimension.RADIUS in ends:
        chosen[Dimension.RADIUS] = min(max(ends[Dimension.RADIUS][0], np.nextafter(bevel, np.inf)), ends[Dimension.RADIUS][1])
    return tuple(float(chosen[variation.dimension]) for variation in variations)


@lru_cache(maxsize=64)
def _built(piece_set: PieceSet, dimensions: tuple[Dimension, ...], values: Values) -> PieceSet:
    return with_sizes(piece_set, name=piece_set.name, **dict(zip((dimension.key for dimension in dimensions), values, strict=True)))


def _drawn(variations: Sequence[Variation], rng: np.random.Generator) -> Values:
    return tuple(float(rng.uniform(variation.low, variation.high)) for variation in variations)


def _can_be_built(piece_set: PieceSet, variations: Sequence[Variation], values: Values) -> bool:
    try:
        varied_set(piece_set, variations, values)
    except BadPieceSet:
        return False
    return True


def _corners(variations: Sequence[Variation]) -> Iterator[Values]:
    """Every design with all values at an end of their ranges; what can be built is convex, so they speak for all between."""
    ends = np.array([(variation.low, variation.high) for variation in variations])
    for choice in np.ndindex(*[2] * len(variations)):
        yield tuple(float(end) for end in ends[np.arange(len(ends)), list(choice)])


def _told(error: BadPieceSet, what: str) -> list[Defect]:
    return [Defect(defect.code, defect.where, f"{what}: {defect.message}") for defect in error.defects]


def named_values(variations: Sequence[Variation], values: Values) -> Mapping[str, float]:
    """The values by the words of their dimensions."""
    return {variation.dimension.word: value for variation, value in zip(variations, values, strict=True)}
