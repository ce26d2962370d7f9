"""What a study varies: words in, designs that can be built out."""

from __future__ import annotations

import numpy as np
import pytest

from games.study import variation
from games.study.variation import BadVariation, Variation, buildable_share, draw_values, parse_variations, varied_set
from meshes.errors import BadPieceSet
from meshes.piece_set import PieceSet, load_piece_set
from meshes.set_changes import with_sizes

CLASSIC = load_piece_set("classic")


def test_a_name_alone_is_five_percent_up_and_down() -> None:
    """The classic set is 10 mm thick and weighs 0.7 g/cm³."""
    thickness, weight = parse_variations("thickness,weight", CLASSIC)
    assert (thickness.low, thickness.high) == pytest.approx((9.5, 10.5))
    assert (weight.low, weight.high) == pytest.approx((0.665, 0.735))


def test_ranges_and_single_values_are_taken_as_given() -> None:
    """LOW:HIGH is a range, a number alone a fixed value, spaces do not matter."""
    radius, pitch = parse_variations(" radius = 12:12.5 , pitch=31", CLASSIC)
    assert (radius.low, radius.high, pitch.low, pitch.high) == (12, 12.5, 31, 31)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("width", "no such dimension; name one of radius, thickness, pitch, bevel, weight, friction, bounce"),
        ("radius=wide", "a number or a range LOW:HIGH"),
        ("radius=1:2:3", "a number or a range LOW:HIGH"),
        ("radius=nan", "a number or a range LOW:HIGH"),
        ("radius=13:12", "write radius=12:13"),
        ("radius,radius", "name it once"),
        ("friction=5", "it can be from 0 to 2;"),
        ("friction=3:5,radius", "it can be from 0 to 2;"),
        ("thickness=5:1e9", "it can be from 1 mm to 200 mm;"),
        ("", "no such dimension"),
    ],
)
def test_what_makes_no_sense_is_refused(text: str, message: str) -> None:
    """One error that says what would be right."""
    with pytest.raises(BadVariation, match=message):
        parse_variations(text, CLASSIC)


def test_all_that_is_wrong_is_named_at_once() -> None:
    """Several mistakes are several defects of one error."""
    with pytest.raises(BadVariation) as caught:
        parse_variations("width,radius=x,pitch=2:1", CLASSIC)
    assert [defect.where for defect in caught.value.defects] == ["width", "radius=x", "pitch=2:1"]


def test_a_range_without_any_sound_design_is_refused_with_the_reason() -> None:
    """At a pitch of 30 mm outlines meet beyond a radius of 12.84 mm."""
    with pytest.raises(BadVariation, match=r"no design .* at most 12\.84 mm"):
        buildable_share(CLASSIC, parse_variations("radius=13:14", CLASSIC))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("radius=50:60,thickness", "outlines overlap"),
        ("bevel=4:6,radius=4:12,thickness=6:8", "the bevel must be smaller"),
        ("bevel=13,radius=10:20", "the bevel must be smaller|outlines"),
    ],
)
def test_ranges_that_can_not_be_are_refused_at_once(text: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One design tells that none can be built; drawing hundreds to say so took seconds."""
    tried: list[dict[str, float]] = []

    def counted(piece_set: PieceSet, *, name: str, **sizes: float) -> PieceSet:
        tried.append(sizes)
        return with_sizes(piece_set, name=name, **sizes)

    monkeypatch.setattr(variation, "with_sizes", counted)
    variation._built.cache_clear()
    with pytest.raises(BadVariation, match=message):
        buildable_share(CLASSIC, parse_variations(text, CLASSIC))
    assert len(tried) == 1


def test_no_range_with_a_sound_design_is_refused() -> None:
    """Over random ranges: wherever a draw can be built, the one design that is looked at first can be, too."""
    rng = np.random.default_rng(5)
    spans = {"radius": (1, 20), "pitch": (10, 50), "bevel": (0, 8), "thickness": (1, 20), "friction": (0, 2)}
    sound = 0
    for _ in range(20):
        ends = {word: sorted(rng.uniform(low, high, 2)) for word, (low, high) in spans.items()}
        ranges = parse_variations(",".join(f"{word}={low}:{high}" for word, (low, high) in ends.items()), CLASSIC)
        if any(_builds(ranges, tuple(rng.uniform(one.low, one.high) for one in ranges)) for _ in range(10)):
            sound += 1
            buildable_share(CLASSIC, ranges)
    assert sound > 2


def _builds(ranges: tuple[Variation, ...], values: tuple[float, ...]) -> bool:
    try:
        varied_set(CLASSIC, ranges, values)
    except BadPieceSet:
        return False
    return True


def test_designs_that_cannot_be_built_are_left_out() -> None:
    """Of radius 12.5–13.5 mm at pitch 30 the part up to 12.84 can be built, a third; no draw lies beyond it."""
    variations = parse_variations("radius=12.5:13.5", CLASSIC)
    assert buildable_share(CLASSIC, variations) == pytest.approx(0.34, abs=0.08)
    draws = [draw_values(CLASSIC, variations, np.random.default_rng(seed))[0] for seed in range(40)]
    assert 12.5 <= min(draws) < max(draws) <= 12.8404


def test_drawn_values_are_in_the_set_that_is_played() -> None:
    """The set is the old one but for what was varied."""
    variations = parse_variations("thickness=8,friction=0.3,weight=1.2", CLASSIC)
    played = varied_set(CLASSIC, variations, draw_values(CLASSIC, variations, np.random.default_rng(1)))
    assert (played.thickness_mm, played.friction, played.density_g_cm3) == (8, 0.3, 1.2)
    assert (played.pitch_mm, played.pieces, played.hands) == (CLASSIC.pitch_mm, CLASSIC.pieces, CLASSIC.hands)
