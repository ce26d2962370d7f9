"""One game of a study: a whole bot round with hands, and some of its placements looked at more closely."""

from __future__ import annotations

import math
from collections.abc import Iterator

from games.acts import ActKind, MatchAct
from games.match import Match, bot_setup
from games.study.result import ActRow, GameResult, PlacementRow
from games.study.setup import StudySetup, Task, setup_of
from meshes.errors import StakdError
from physics.chance import fall_chance
from physics.grip import EXACT, STEADINESS

_PLACES = 4
"""Millimetres are kept to so many decimal places."""


def play_game_text(text: str, task: Task) -> str:
    """`play_game` from text to text, for other processes and machines."""
    return play_game(setup_of(text), Task(*task)).model_dump_json()


def play_game(setup: StudySetup, task: Task) -> GameResult:
    """Play one game. What can't be simulated to its end is told as a `fault`, so that one bad tower does not end a study."""
    piece_set = setup.played_set(task)
    seed = setup.match_seed(task)
    match_setup = bot_setup(piece_set, setup.bots, players=setup.players, seed=seed, hand=setup.hand, iterations=setup.iterations)
    match, fault = Match(match_setup), None
    placements: tuple[PlacementRow, ...] = ()
    try:
        while match.state.round == 1 and not match.over:
            match.place(match.think())
        placements = tuple(_placements(setup, task, match))
    except StakdError as error:
        fault = str(error)
    end = match.table_after(len(match.acts)).tower if match.acts else match.tower
    return GameResult(
        design=task.design,
        game=task.game,
        seed=seed,
        values=setup.values(task),
        layers=end.layers,
        height_mm=round(end.layers * piece_set.thickness_mm, _PLACES),
        pieces=len(end.laid),
        winner=_winner(match),
        toppled_by=next((act.player for act in match.acts if act.kind is ActKind.KNOCKED_OVER), None),
        acts=tuple(_act_row(act) for act in match.acts),
        placements=placements,
        fault=fault,
    )


def _winner(match: Match) -> int | None:
    return next((event["winner"] for act in match.acts for event in act.events if event["type"] == "round_over"), None)


def _act_row(act: MatchAct) -> ActRow:
    assert act.placement is not None, "bots don't resign"
    offset = None if act.offset_mm is None else round(act.offset_mm, _PLACES)
    fell = act.knock_over
    return ActRow(
        act.placement.piece,
        act.placement.layer,
        act.player,
        act.kind,
        offset,
        len(fell.fallen) if fell else 0,
        str(fell) if fell else None,
        str(act.placement),
    )


def _placements(setup: StudySetup, task: Task, match: Match) -> Iterator[PlacementRow]:
    """Some acts of a round, each laid again by many hands."""
    rng = setup.rng(task, 2)
    steadiness = STEADINESS.get(setup.hand, EXACT)
    above = [(act.number, act.placement) for act in match.acts if act.placement is not None and act.placement.layer > 0]
    for place in rng.permutation(len(above))[: setup.placements].tolist():
        number, placement = above[place]
        tower = match.table_before(number).tower
        chance = fall_chance(tower, placement, steadiness, rng, hands=setup.hands)
        margins = tuple(round(margin, _PLACES) for margin in chance.margins_mm if math.isfinite(margin))
        yield PlacementRow(placement.piece, placement.layer, len(tower.laid), chance.hands, chance.falls, margins)
