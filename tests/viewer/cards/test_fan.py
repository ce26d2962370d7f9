"""A hand of cards is held as a fan and can be used with the pointer and the keyboard."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
import shapely

from tests.viewer.driver import HeadlessDriver, headless_program
from viewer.cards.faces import CardFaces
from viewer.cards.fan import Fan, FanEvents, card_at, fan_places, lifted, topmost
from viewer.cards.felt import Felt
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.program import Program
from viewer.screens.screen import Screen

BOX = Box(100, 300, 800, 280)


@pytest.mark.parametrize("count", range(1, 15))
@pytest.mark.parametrize("box", [BOX, Box(0, 0, 420, 200), Box(10, 10, 1200, 190)])
def test_cards_stay_in_their_box(count: int, box: Box) -> None:
    """All of a hand up to 14 cards is within its box, with room for any card to rise, and each shows its number."""
    places = fan_places(count, box)
    assert len(places) == count
    for place in places:
        for rise in (0.0, 0.27):
            bounds = lifted(place, rise).box
            assert bounds.x >= box.x - 1 and bounds.right <= box.right + 1
            assert bounds.y >= box.y - 1 and bounds.bottom <= box.bottom + 1
    assert sum(place.turn_deg for place in places) == pytest.approx(0)
    assert all(left.x < right.x and left.turn_deg < right.turn_deg for left, right in pairwise(places))
    assert all(right.x - left.x > 0.1 * left.width for left, right in pairwise(places))


def test_the_card_seen_at_a_point_is_the_one_meant() -> None:
    """Where cards lie on each other the upper one answers, as geometry has it; nothing answers beside them."""
    places = fan_places(9, BOX)
    shapes = [shapely.Polygon(place.corners) for place in places]
    for x in range(80, 920, 13):
        for y in range(290, 590, 13):
            over = [k for k, shape in enumerate(shapes) if shape.contains(shapely.Point(x, y))]
            assert topmost(places, x, y) == (over[-1] if over else None)


def test_a_risen_card_answers_where_it_sticks_out_and_takes_nothing_from_its_neighbours() -> None:
    """Its old place is still its own, so that it does not flutter; the cards beside it can be reached."""
    places = fan_places(7, BOX)
    risen = [lifted(place, 0.27 if k == 3 else 0.0) for k, place in enumerate(places)]
    assert card_at(places, risen, *risen[3].at(0, -0.45 * risen[3].height)) == 3
    assert card_at(places, risen, *places[3].at(-0.3 * places[3].width, 0.45 * places[3].height)) == 3
    for k in (2, 4):
        assert card_at(places, risen, *places[k].at(-0.4 * places[k].width, 0)) == k


class _Hand(Screen):
    """A page with a hand and nothing else."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.faces, self.felt = CardFaces(program.gui, program.context, "sakapuss"), Felt(program.context)
        self.fan = Fan()
        self.fan.still = True
        self.heard: list[FanEvents] = []

    def update(self, seconds: float) -> bool:
        return self.fan.update(seconds)

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[object, bool]:  # type: ignore[override]
        return self.felt.picture(size), False

    def draw(self, gui: Gui) -> None:
        cards = ["A", "B", "C", "D", "E", "A", "B", "C"]
        self.heard.append(self.fan.draw(gui, self.faces, cards, BOX, legal={0, 1, 2}, hints={5: "no"}))

    def close(self) -> None:
        self.faces.release()
        self.felt.release()


@contextmanager
def _hand(folder: Path) -> Iterator[tuple[_Hand, HeadlessDriver]]:
    with headless_program(folder) as program:
        page = _Hand(program)
        program.open(page)
        yield page, HeadlessDriver(program, (480, 300), ratio=0.5)


def test_each_card_is_clicked_where_it_is_seen(tmp_path: Path) -> None:
    """Every card of an overlapping fan is an item that the pointer reaches, one press each; the pointed card rises."""
    with _hand(tmp_path) as (page, driver):
        for k in (0, 3, 7, 2):
            page.heard.clear()
            driver.click(f"hand/{k}")
            assert [event.pressed for event in page.heard if event.pressed is not None] == [k]
            assert page.heard[-1].pointed == k
        driver.move(500, 100)
        assert page.heard[-1] == FanEvents()


def test_a_card_is_reached_with_the_keyboard(tmp_path: Path) -> None:
    """Tab goes to the cards, the one in focus rises, Enter presses it."""
    with _hand(tmp_path) as (page, driver):
        driver.key("tab")
        driver.key("tab")
        pointed = page.heard[-1].pointed
        assert pointed is not None
        page.heard.clear()
        driver.key("enter")
        assert [event.pressed for event in page.heard if event.pressed is not None] == [pointed]


def test_a_card_can_be_dragged_out_of_the_hand(tmp_path: Path) -> None:
    """It is let go where the pointer is and is not pressed as well."""
    with _hand(tmp_path) as (page, driver):
        driver.drag(driver.box("hand/2").middle, (480.0, 120.0))
        dropped = [event.dropped for event in page.heard if event.dropped is not None]
        assert dropped == [(2, pytest.approx(480.0), pytest.approx(120.0))]
        assert any(event.dragged == 2 for event in page.heard)
        assert all(event.pressed is None for event in page.heard)
        page.heard.clear()
        driver.drag(driver.box("hand/2").middle, driver.box("hand/6").middle)
        assert all(event.dropped is None and event.pressed is None for event in page.heard), "back in the hand nothing happens"
        page.heard.clear()
        driver.click("hand/4")
        assert [event.pressed for event in page.heard if event.pressed is not None] == [4]
