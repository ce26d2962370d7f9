"""The lessons: small positions from the rulebook's figures (RULES 1.5), judged by the real rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from games.errors import IllegalMove
from games.stakd.codes import Code
from games.stakd.geometry import place_violations
from games.stakd.lessons import Goal, Lesson, lesson, lessons
from meshes.lattice import moved
from meshes.placement import Placement

LESSONS = lessons()
PLAYED = [entry for entry in LESSONS if not entry.is_question]
ASKED = [entry for entry in LESSONS if entry.is_question]
ROWS = {f"S{number}" for number in range(1, 54)}


def named(entry: Lesson) -> str:
    """For the test's name."""
    return entry.id


def conceivable(entry: Lesson) -> Iterator[Placement]:
    """Every way to put a piece of the hand on or around the position, on any layer up to one above the top."""
    state = entry.state()
    around = [(q, r) for q in range(-2, 9) for r in range(-3, 4)]
    for name, count in state.hand(entry.to_move).items():
        for shape in state.rules.piece_set.lattice.orientations(state.rules.piece_set.by_name[name].cells) if count else ():
            for q, r in around:
                for layer in range(len(state.layers) + 1):
                    yield Placement(name, layer, moved(shape, q, r))


def test_about_ten_lessons_with_names_of_their_own() -> None:
    """A dozen or so steps, no two of the same id or title, found by id."""
    assert 10 <= len(LESSONS) <= 15
    assert len({entry.id for entry in LESSONS}) == len({entry.title for entry in LESSONS}) == len(LESSONS)
    assert lesson("out") is LESSONS[[entry.id for entry in LESSONS].index("out")]


@pytest.mark.parametrize("entry", LESSONS, ids=named)
def test_position_keeps_the_rules(entry: Lesson) -> None:
    """What lies on the table could lie there, nobody holds more than is dealt, and the box has enough of every type."""
    state = entry.state()
    rules = state.rules
    for layer, pieces in enumerate(entry.laid):
        for index, placement in enumerate(pieces):
            assert not list(place_violations(rules.piece_set, rules.options.base_contact, (*entry.laid[:layer], pieces[:index]), placement))
    laid = Counter(placement.piece for placement in state.placements())
    for name, dealt in rules.piece_set.hand(state.players).items():
        held = [hand.get(name, 0) for hand in entry.hands]
        assert max(held) <= dealt
        assert sum(held) + laid[name] <= rules.piece_set.by_name[name].count
    assert len(entry.names) == len(entry.scores) == state.players
    assert state.to_move == entry.to_move
    assert state.layers == entry.laid


@pytest.mark.parametrize("entry", PLAYED, ids=named)
def test_right_answers_are_moves_and_others_exist(entry: Lesson) -> None:
    """There is a right answer and a wrong one; what the rules refuse is never right, what is right the rules accept."""
    right = set(entry.right_placements())
    assert right
    wrong = 0
    for placement in conceivable(entry):
        answer = entry.judge(placement)
        assert answer.right == (placement in right)
        assert answer.words
        if answer.right:
            assert answer.violations == ()
            assert entry.state().play(placement)[0]["type"] == "placed"
        elif answer.violations:
            wrong += 1
    assert wrong
    first = next(placement for placement in conceivable(entry) if entry.judge(placement).violations)
    with pytest.raises(IllegalMove):
        entry.state().play(first)


@pytest.mark.parametrize("entry", LESSONS, ids=named)
def test_wrong_tries_get_words_of_the_lesson(entry: Lesson) -> None:
    """Whatever a learner tries with a piece in hand, the words are the lesson's plain ones, not those of the engine."""
    words = {*entry.wrong.values(), entry.explanation, entry.missed}
    assert {entry.judge(placement).words for placement in conceivable(entry)} <= words


@pytest.mark.parametrize("entry", PLAYED, ids=named)
def test_figures(entry: Lesson) -> None:
    """Each lesson shows a right try and a wrong one, and they are what they are said to be (RULES 1.5)."""
    said = {try_.code for try_ in entry.tries}
    assert "" in said
    assert said - {""}
    for try_ in entry.tries:
        answer = entry.judge(try_.placement)
        found = "" if answer.right else answer.violations[0].code if answer.violations else "missed"
        assert found == try_.code


@pytest.mark.parametrize("entry", ASKED, ids=named)
def test_questions_have_one_right_choice(entry: Lesson) -> None:
    """One choice is right by the rules, the others are wrong and say why; no placement answers a question."""
    answers = [entry.answer(index) for index in range(len(entry.choices))]
    assert [answer.right for answer in answers].count(True) == 1
    assert len({answer.words for answer in answers}) == len(answers) >= 2
    assert not any(entry.judge(placement).right for placement in conceivable(entry))


def test_ben_is_out_though_a_uni_would_fit() -> None:
    """The lesson on going out: Ben's UNI fits but for the larger piece in his hand; without that piece he could play (S31, S30)."""
    out = lesson("out")
    assert out.truth() == "S31"
    answer = out.judge(Placement("UNI", 3, ((2, 1),)))
    assert [broken.code for broken in answer.violations] == [Code.UNI_OPENS_LAYER]


def test_last_word_ends_the_round() -> None:
    """The right move of the lesson on winning puts Ben out and brings the point (S37, S39)."""
    last = lesson("last-word")
    assert last.goal is Goal.WIN
    (move,) = last.right_placements()
    state = last.state()
    told = state.play(move)
    assert {"type": "out", "player": 1, "reason": "S31"}.items() <= told[1].items()
    assert state.scores == (1, 0)


def test_knock_over_costs_a_point() -> None:
    """The lesson on knock-overs: from 1 to 1 the culprit falls to 0 and nobody gains (S39)."""
    assert lesson("knock-over").truth() == "0 1"


def test_solo_can_be_finished_only_from_the_right_move() -> None:
    """After the right move all the rest can be laid, after any other it can't (S49)."""
    solo = lesson("solo")

    def wins(move: Placement) -> bool:
        ends, states = [], [solo.state()]
        states[0].play(move)
        while states:
            state = states.pop()
            if state.over:
                ends.append(state.outcome().winners == (0,))
            for further in state.legal_moves():
                after = state.copy()
                after.play(further)
                states.append(after)
        return any(ends)

    assert {move for move in solo.state().legal_moves() if wins(move)} == set(solo.right_placements())


@pytest.mark.parametrize("entry", LESSONS, ids=named)
def test_texts(entry: Lesson) -> None:
    """Every text is there and ends like a sentence; rows and codes named exist."""
    texts = [entry.instruction, entry.hint, entry.explanation, entry.missed, *entry.wrong.values(), *(choice.words for choice in entry.choices)]
    assert all(text.endswith((".", "?")) and text == text.strip() for text in texts)
    assert set(entry.wrong) <= {code.value for code in Code}
    assert entry.rules
    assert set(entry.rules) <= ROWS
