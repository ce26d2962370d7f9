"""What a study varies: words in, designs that can be built out."""

from __future__ import annotations

import numpy as np
import pytest

from games.study.variation import BadVariation, buildable_share, draw_values, parse_variations, varied_set
from meshes.piece_set import load_piece_set

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
