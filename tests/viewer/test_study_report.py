"""The report of a study: one page that opens offline and says what the figures say."""

from __future__ import annotations

import re

import pytest

from games.acts import ActKind
from games.study.result import ActRow, GameResult, PlacementRow
from games.study.setup import StudySetup
from games.study.summary import summarise
from games.study.variation import parse_variations
from meshes.piece_set import load_piece_set
from viewer.study_report import report_html

CLASSIC = load_piece_set("classic")
BASE = ActRow("BASE", 0, 0, ActKind.PLACED, 0.1, 0, None, "BASE 0 0,0 0,1 1,0 1,1 2,0")
UNI = ActRow("UNI", 1, 1, ActKind.PLACED, 0.2, 0, None, "UNI 1 0,0")
FALL = ActRow("UNI", 2, 0, ActKind.KNOCKED_OVER, None, 1, "UNI on layer 1 slid off", "UNI 2 0,0")


def games(setup: StudySetup, *, fallen: int) -> list[GameResult]:
    """Made-up games, of which so many of each set ended in a fall."""
    made = []
    for task in setup.tasks:
        fell = task.game < fallen
        chance = PlacementRow("UNI", 1, 1, 50, 2, (9.5, 9.8, 10.1))
        made.append(
            GameResult(
                design=task.design,
                game=task.game,
                seed=1,
                values=setup.values(task),
                layers=2,
                height_mm=20.0,
                pieces=2,
                winner=None if fell else 1,
                toppled_by=0 if fell else None,
                acts=(BASE, UNI, FALL) if fell else (BASE, UNI),
                placements=(chance,),
            )
        )
    return made


def page(setup: StudySetup, *, fallen: int = 4) -> str:
    """The report of such games."""
    played = games(setup, fallen=fallen)
    return report_html(summarise(setup, played), played)


def own_markup(text: str) -> str:
    """The page without the drawing library and the data of plots."""
    return re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


@pytest.fixture(scope="module")
def varied() -> str:
    """The page of a study with variations."""
    return page(StudySetup(CLASSIC, 16, parse_variations("thickness,friction", CLASSIC)))


def test_nothing_is_fetched(varied: str) -> None:
    """No script, style, font or picture comes from elsewhere, and the page itself forbids it."""
    markup = own_markup(varied)
    assert "default-src 'none'" in markup
    assert not re.findall(r"(?:src|href)\s*=|url\((?!data:)|@import", markup)
    assert not re.findall(r"<script[^>]*\ssrc", varied)
    assert "Plotly.newPlot" in varied


def test_the_figures_are_on_the_page(varied: str) -> None:
    """4 of 16 rounds fell: a quarter."""
    assert "<b>25.0 %</b>" in varied
    for heading in ("Which dimension matters", "by layer", "by piece", "How high", "How long", "Does going first help?", "How near to falling"):
        assert heading in varied


def test_the_tower_that_fell_is_shown_to_be_turned(varied: str) -> None:
    """A solid for each piece type and the piece that brought it down."""
    for name in ("BASE (B)", "UNI (U)", "the piece that was being laid"):
        assert f'"name":"{name}"' in varied
    assert "UNI on layer 1 slid off" in varied


def test_the_same_results_give_the_same_page() -> None:
    """Nothing on it hangs on when or where it was made."""
    setup = StudySetup(CLASSIC, 3)
    assert page(setup, fallen=0) == page(setup, fallen=0)


def test_two_sets_are_told_side_by_side() -> None:
    """A table of differences, and both names in the plots."""
    text = page(StudySetup(CLASSIC, 5, against=load_piece_set("square")), fallen=0)
    markup = own_markup(text)
    assert "The two sets side by side" in markup
    assert "may be chance" in markup
    assert all(f'"name":"{name}"' in text for name in ("classic", "square"))


def test_a_study_of_faults_says_so() -> None:
    """If no game could be played there is a page all the same."""
    setup = StudySetup(CLASSIC, 2)
    broken = [game.model_copy(update={"fault": "the solver gave up"}) for game in games(setup, fallen=0)]
    text = report_html(summarise(setup, broken), broken)
    assert "2 rounds could not be simulated" in text
    assert "nothing to show" in text


def test_names_cannot_become_markup() -> None:
    """A set's title is text, whatever it holds."""
    source = {**CLASSIC.source, "title": "<script>alert(1)</script>"}
    from meshes.piece_set import build_piece_set

    assert "<script>alert" not in page(StudySetup(build_piece_set("classic", source), 2))
