"""The chance that a hand topples a tower: against the normal distribution, against geometry, and against Bullet."""

from __future__ import annotations

import math
import threading
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from games.processes import process_pool
from meshes.piece_set import PieceSet, load_piece_set
from meshes.placement import Placement
from meshes.solid import build_solid
from physics import chance as chance_module
from physics.chance import MARGINS, Cause, Chance, Share, fall_chance, fall_chance_by_engine, shares
from physics.contact import NotFlat
from physics.grip import EXACT, SHAKY, Steadiness
from physics.hand import HandPath
from physics.load_cases import LoadCases
from physics.pose import Pose
from physics.statics import tower_stability
from physics.tower import LaidPiece, Tower
from tests.physics.own_pieces import disc, own

CLASSIC = load_piece_set("classic")
BASE = Placement("BASE", 0, ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0)))
CAREFUL = Steadiness("careful", 1.0, 0.0, 0.0, 0.0, 0.0, 200.0)
"""Errs sideways only, and lays its piece down."""
WOBBLE = 1 + (0.35**2 + 0.25**2 + 0.08**2) / 2
"""How much the wobble of a hand adds to the variance of where it lets go."""


def seesaw(aside_mm: float) -> Tower:
    """A DUO across a UNI that was pushed along, so that the middle of the DUO is `aside_mm` beyond the middle of the UNI."""
    uni = LaidPiece(Placement("UNI", 0, ((0, 0),)), Pose(15.0 - aside_mm, 0.0, 0.0))
    return Tower(CLASSIC, (uni,)).with_piece(Placement("DUO", 1, ((0, 0), (1, 0))))


def test_a_seesaw_falls_as_often_as_the_normal_distribution_says() -> None:
    """A UNI on the end of the DUO tips it when the common centre is beyond the rim of the UNI below (12 mm, the bevel taken off), that is when the
    hand errs outwards by so much: P(error > e)."""
    aside, rim = 7.5, 12.0
    uni, duo = (build_solid(CLASSIC, CLASSIC.piece(name)).mass_g for name in ("UNI", "DUO"))
    tower, end = seesaw(aside), Placement("UNI", 2, ((1, 0),))
    edge = (rim - aside) * (uni + duo) / uni - 15.0
    expected = float(norm.sf(edge / math.sqrt(WOBBLE)))
    cases = LoadCases(tower, end)
    paths = [HandPath(tower, end, CAREFUL, stream) for stream in np.random.default_rng(1).spawn(400)]
    falls = sum(cases.falls(cases.at(path.letting_go)) for path in paths)
    assert 0.1 < expected < 0.9
    interval = binomtest(falls, 400).proportion_ci(0.999)
    assert interval.low < expected < interval.high


def test_the_own_piece_slipping_off_is_no_fall() -> None:
    """A UNI put down beyond the rim of the one below falls alone, which is no knock-over (RULES S43)."""
    tower = Tower.exact(CLASSIC, [BASE]).with_piece(Placement("UNI", 1, ((0, 0),)), Pose(-11.0, 0.0, 10.0))
    chance = fall_chance(tower, Placement("UNI", 2, ((0, 0),)), CAREFUL, np.random.default_rng(1), hands=60)
    assert chance.falls == 0
    assert min(chance.margins_mm) < 0 < max(chance.margins_mm)


@pytest.mark.parametrize("piece_set", [CLASSIC, own(CLASSIC, {"UNI": disc(12.8, 10.0)})], ids=["plain", "mesh"])
def test_a_hand_that_carries_too_low_sweeps_what_is_in_its_way(piece_set: PieceSet) -> None:
    """Of hands from all directions those sweep a UNI at 30 mm along that come low (half of them) from its side. They meet it at two radii, 25.6 mm,
    and go on for more than half a pitch: within 58.6° of its direction. Discs with meshes of their own are met where they are, too."""
    tower = Tower.exact(piece_set, [BASE, Placement("UNI", 1, ((1, 0),))])
    reckless = Steadiness("reckless", 0.0, 0.0, 0.0, 0.0, 1000.0, 200.0)
    chance = fall_chance(tower, Placement("UNI", 1, ((0, 0),)), reckless, np.random.default_rng(3), hands=600)
    expected = 0.5 * math.asin(25.6 / 30) / math.pi
    interval = binomtest(chance.causes.count(Cause.SWEPT), 600).proportion_ci(0.999)
    assert interval.low < expected < interval.high


def test_a_blow_from_higher_up_tips_more() -> None:
    """A seesaw that would bear the UNI stands when it is laid down, and is tipped over by one dropped from high enough."""
    tower, end = seesaw(6.4), Placement("UNI", 2, ((1, 0),))

    def rate(drop_mm: float) -> float:
        hand = Steadiness("dropping", 0.0, 0.0, 0.0, drop_mm, 0.0, 200.0)
        return fall_chance(tower, end, hand, np.random.default_rng(2), hands=16).rate

    assert rate(0.0) == 0.0
    assert rate(0.0) <= rate(2.0) <= rate(20.0)
    assert rate(20.0) > 0.5


def test_the_margin_is_that_of_statics() -> None:
    """A hand that does not err lays the exact tower, whose margin statics tells."""
    tower = Tower.exact(CLASSIC, [BASE, Placement("DUO", 1, ((0, 0), (1, 0)))])
    uni = Placement("UNI", 2, ((0, 0),))
    chance = fall_chance(tower, uni, EXACT, np.random.default_rng(0), hands=MARGINS + 5)
    shrink = tower_stability(tower.with_piece(uni)).shrink
    assert shrink is not None
    assert chance.margins_mm == pytest.approx([shrink.mm] * MARGINS, abs=1e-6)
    assert chance.falls == 0


def test_the_hand_lets_go_where_it_is_said_to() -> None:
    """The place from which all is reckoned is the last one a hand wants before it opens, if it feels nothing on its way."""
    tower, uni = Tower.exact(CLASSIC, [BASE]), Placement("UNI", 1, ((1, 0),))
    for seed in range(5):
        path = HandPath(tower, uni, SHAKY, np.random.default_rng(seed))
        said, seconds = path.letting_go, 0.0
        last = path.start
        while (wanted := path.follow(seconds, feels_support=False)) is not None:
            last, seconds = wanted, seconds + 1 / 960
        assert (last.x, last.y, last.z) == pytest.approx((said.x, said.y, said.z), abs=0.05)


def test_the_same_generator_gives_the_same_hands() -> None:
    """Answers repeat to the last digit."""
    tower, end = seesaw(7.5), Placement("UNI", 2, ((1, 0),))
    first, second = (fall_chance(tower, end, SHAKY, np.random.default_rng(4), hands=20) for _ in range(2))
    assert first == second


def test_helpers_change_nothing() -> None:
    """Hands reckoned by another process too give the answer of one alone."""
    tower, end = seesaw(6.4), Placement("UNI", 2, ((1, 0),))
    alone = fall_chance(tower, end, SHAKY, np.random.default_rng(4), hands=80)
    with process_pool(1, if_lost="") as helpers:
        helpers.submit(int).result()
        assert fall_chance(tower, end, SHAKY, np.random.default_rng(4), hands=80, helpers=helpers) == alone
    assert 0 < alone.falls < alone.hands


def test_shares_come_back_in_order_whoever_reckons_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five shares, the last ones by a helper: each is reckoned once, and their margins follow each other as the hands did."""
    begun: list[bool] = []

    def reckoned(share: Share) -> Chance:
        helping = threading.current_thread() is not threading.main_thread()
        begun.append(helping)
        if not helping:
            time.sleep(0.05)
        return Chance(len(share.streams), 0, (float(share.streams[0].random()),))

    monkeypatch.setattr(chance_module, "reckoned", reckoned)
    first = [float(share.streams[0].random()) for share in shares(Tower(CLASSIC), BASE, SHAKY, np.random.default_rng(4), 50)]
    with ThreadPoolExecutor(1) as helpers:
        chance = fall_chance(Tower(CLASSIC), BASE, SHAKY, np.random.default_rng(4), hands=50, helpers=helpers)
    assert list(chance.margins_mm) == first
    assert {False, True} == set(begun)


class Dying(Executor):
    """A pool whose processes are gone: when they are handed work, or once they have it."""

    def __init__(self, *, at_once: bool) -> None:
        self._at_once = at_once

    def submit(self, *_: object, **__: object) -> Future[Any]:
        """Nothing comes of it."""
        if self._at_once:
            raise BrokenExecutor
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        future.set_exception(BrokenExecutor())
        return future


@pytest.mark.parametrize("at_once", [False, True])
def test_a_lost_helper_costs_nothing(at_once: bool) -> None:
    """Where no process can be kept alive, all is reckoned here."""
    tower, uni = Tower.exact(CLASSIC, [BASE]), Placement("UNI", 1, ((0, 0),))
    alone = fall_chance(tower, uni, SHAKY, np.random.default_rng(0), hands=30)
    assert fall_chance(tower, uni, SHAKY, np.random.default_rng(0), hands=30, helpers=Dying(at_once=at_once)) == alone


def test_the_hands_are_the_same_however_many_are_asked() -> None:
    """The first 20 of 40 hands are those of 20 alone: their margins say so."""
    tower, uni = Tower.exact(CLASSIC, [BASE]), Placement("UNI", 1, ((0, 0),))
    few, many = (fall_chance(tower, uni, SHAKY, np.random.default_rng(0), hands=hands) for hands in (MARGINS, 2 * MARGINS))
    assert few.margins_mm == many.margins_mm
    assert len(few.margins_mm) == MARGINS


def test_a_tower_that_falls_by_itself_falls_with_every_hand() -> None:
    """A seesaw 13 mm beyond its middle falls whatever is laid where: on its far end, beside it, and where nothing bears the piece."""
    tower = seesaw(13.0)
    for cells, layer in ((((0, 0),), 2), (((3, 0),), 0), (((3, 0),), 2)):
        chance = fall_chance(tower, Placement("UNI", layer, cells), EXACT, np.random.default_rng(0), hands=3)
        assert (chance.rate, chance.causes) == (1.0, (Cause.LOADED,) * 3)


def test_nothing_can_fall_on_an_empty_table() -> None:
    """The first piece has nothing to topple."""
    assert fall_chance(Tower(CLASSIC), BASE, SHAKY, np.random.default_rng(0), hands=5).falls == 0


def test_leaning_pieces_are_refused() -> None:
    """What leans touches in no flat patch."""
    lean = math.radians(5) / 2
    tower = Tower.exact(CLASSIC, [BASE]).with_piece(Placement("UNI", 1, ((0, 0),)), Pose(0, 0, 11, (math.sin(lean), 0, 0, math.cos(lean))))
    with pytest.raises(NotFlat):
        fall_chance(tower, Placement("UNI", 1, ((1, 0),)), SHAKY, np.random.default_rng(0))


@pytest.mark.parametrize(("aside_mm", "falls"), [(3.0, 0), (11.0, 4)])
def test_bullet_agrees_where_the_answer_is_clear(aside_mm: float, falls: int) -> None:
    """A seesaw far from its edge stands under every hand, one that hardly stands falls under every one, by both witnesses; Bullet shares its work."""
    tower, end = seesaw(aside_mm), Placement("UNI", 2, ((1, 0),))
    hand = Steadiness("letting go", 1.0, 0.0, 0.0, 0.3, 0.0, 200.0)
    assert fall_chance(tower, end, hand, np.random.default_rng(6), hands=4).falls == falls
    assert sum(fall_chance_by_engine(tower, end, hand, np.random.default_rng(6), hands=4, part=slice(k, None, 2)).falls for k in (0, 1)) == falls


def test_bullet_agrees_near_the_edge() -> None:
    """Where about half of the hands topple a seesaw, whole acts in Bullet topple it as often, within what is chance among so few hands."""
    tower, end = seesaw(6.4), Placement("UNI", 2, ((1, 0),))
    quick, whole = (way(tower, end, SHAKY, np.random.default_rng(8), hands=40).falls for way in (fall_chance, fall_chance_by_engine))
    assert 8 <= whole <= 32
    assert abs(quick - whole) <= 5
