"""Cards fly from place to place, at the speed of the settings, and arrive exactly."""

from dataclasses import replace

import pytest

from viewer.cards.motion import Motion
from viewer.cards.place import Place
from viewer.settings import Settings

START, END = Place(100.0, 50.0, 80.0, 0.0), Place(611.3, 402.7, 131.0, 12.5)


def test_a_flight_begins_and_ends_exactly_at_its_places() -> None:
    """A card leaves from where it lay and is where it belongs at the end, then it is on its way no more."""
    motion = Motion(Settings)
    motion.fly("U7", START, END, seconds=0.5)
    assert motion.flying()[0].place == START
    assert motion.busy
    assert motion.update(0.25)
    middle = motion.flying()[0]
    assert middle.place == pytest.approx([(a + b) / 2 for a, b in zip(START, END, strict=True)])
    assert middle.lift > 0.5
    motion.update(0.2499)
    assert motion.flying()[0].place == pytest.approx(END, abs=0.01)
    assert motion.update(0.001)  # the frame in which it has arrived must be drawn
    assert not motion.busy and not motion.flying() and not motion.update(1.0)


@pytest.mark.parametrize("speed", [0.25, 1.0, 4.0])
def test_speed_comes_from_the_settings(speed: float) -> None:
    """At four times the speed a flight takes a quarter of the time."""
    motion = Motion(lambda: Settings(animation_speed=speed))
    motion.fly("U7", START, END, seconds=0.4)
    motion.update(0.39 / speed)
    assert motion.busy
    motion.update(0.02 / speed)
    assert not motion.busy


def test_with_reduced_motion_cards_arrive_at_once() -> None:
    """Nothing flies, also what was on its way when the setting was changed."""
    settings = Settings()
    motion = Motion(lambda: settings)
    motion.fly("U7", START, END)
    settings = replace(settings, reduced_motion=True)
    assert motion.update(0.001) and not motion.busy
    motion.fly("U7", START, END)
    assert not motion.busy
    settings = replace(settings, reduced_motion=False)
    motion.fly("U7", START, END)
    assert motion.busy and motion.flying()[0].place == START


def test_a_card_turned_over_shows_its_back_first_and_its_face_on_arrival() -> None:
    """With `flip` the other side is seen in the first half, and the card is narrow in between."""
    motion = Motion(Settings)
    motion.fly("U7", START, END, flip=True, seconds=1.0)
    sides, widths = [], []
    for _ in range(10):
        card = motion.flying()[0]
        sides.append(card.face_up)
        widths.append(card.narrow)
        motion.update(0.1)
    assert sides == [False] * 5 + [True] * 5
    assert widths[0] == 1.0 and min(widths) < 0.1


def test_cards_fly_one_after_the_other() -> None:
    """One that waits stays at its start; `finish` ends all."""
    motion = Motion(Settings)
    motion.fly("U7", START, END, seconds=0.2)
    motion.fly("U8", START, END, seconds=0.2, delay=0.3)
    motion.update(0.25)
    assert [(card.card, card.place) for card in motion.flying()] == [("U8", START)]
    motion.finish()
    assert not motion.busy
