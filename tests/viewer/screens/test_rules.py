"""The rules to read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.stakd.guide import rules_page
from tests.viewer.driver import HeadlessDriver, headless_program
from viewer.screens.home import Home
from viewer.screens.rules import RulesPage


@pytest.fixture
def hand(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[HeadlessDriver]:
    """A hand at the rules page, opened from home."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("STAKD_HOME", str(folder))
    with headless_program(folder) as program:
        program.open(Home(program))
        hand = HeadlessDriver(program, (960, 600))
        hand.click("home/rules")
        yield hand


def _page(hand: HeadlessDriver) -> RulesPage:
    assert isinstance(hand.program.screen, RulesPage)
    return hand.program.screen


def test_every_section_is_listed_and_can_be_gone_to(hand: HeadlessDriver) -> None:
    """Each section of the guide has its line, and a click makes it the one that is read."""
    for number in range(len(rules_page())):
        hand.click(f"rules/section/{number}")
        hand.frame(4)
        assert _page(hand).current == number


def test_keys_go_from_section_to_section(hand: HeadlessDriver) -> None:
    """Down, End and Home."""
    hand.key("down")
    hand.frame(4)
    assert _page(hand).current == 1
    hand.key("end")
    hand.frame(4)
    assert _page(hand).current == len(rules_page()) - 1
    hand.key("home")
    hand.frame(4)
    assert _page(hand).current == 0


def test_a_search_leaves_what_holds_all_words(hand: HeadlessDriver) -> None:
    """Searching narrows the text, other sections can't be chosen, Escape brings everything back and only then leaves."""
    hand.write("rules/search", "twin")
    found = _page(hand).found()
    assert {section.title for _, section in found} >= {"No twins"}
    assert len(found) < len(rules_page())
    gone = next(k for k in range(len(rules_page())) if k not in {number for number, _ in found})
    assert not hand.enabled(f"rules/section/{gone}")
    hand.key("escape")
    assert len(_page(hand).found()) == len(rules_page())
    hand.key("escape")
    assert isinstance(hand.program.screen, Home)


def test_a_rule_is_found_by_its_row(hand: HeadlessDriver) -> None:
    """Reasons on the table cite rows such as S31; searching for one finds it."""
    hand.write("rules/search", "s31")
    assert [section.title for _, section in _page(hand).found()] == ["A UNI starts nothing"]
