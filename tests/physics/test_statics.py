"""Statics against closed forms, against a plain linear programme over all contact points, and on towers from play."""

import math
from itertools import pairwise

import numpy as np
import pytest
import shapely
from numpy.random import Generator
from scipy.optimize import linprog
from scipy.sparse import csc_array

from bench.blocks import LENGTH, UP, blocks, four_in_three, harmonic, harmonic_overhang, overhang
from games.stakd.state import State
from meshes.piece_set import PieceSet, load_piece_set
from meshes.placement import Placement
from physics.bodies import Bodies, tower_bodies
from physics.contact import TABLE, Contact, tower_contacts
from physics.flat_system import Unsupported, flat_system
from physics.pose import Pose
from physics.shrink import holds_upright, largest_inset
from physics.statics import equilibrium, tower_stability
from physics.tilt import least_flat_tilt, stands_level
from physics.tower import Tower

CLASSIC, SQUARE = load_piece_set("classic"), load_piece_set("square")


@pytest.mark.parametrize("count", range(1, 9))
def test_harmonic_stack(count: int) -> None:
    """n blocks overhang by H_n / 2 lengths and no more; on the edge itself both margins are nought."""
    places = harmonic(count)
    assert overhang(places) == pytest.approx(harmonic_overhang(count)) == pytest.approx(sum(1 / k for k in range(1, count + 1)) / 2)
    edge = equilibrium(*blocks(places), friction=0.5)
    assert edge.stable and edge.shrink.mm == pytest.approx(0, abs=1e-6) and edge.tilt.deg == pytest.approx(0, abs=1e-6)
    assert equilibrium(*blocks(harmonic(count, -1e-6)), friction=0.5).stable
    beyond = equilibrium(*blocks(harmonic(count, 1e-6)), friction=0.5)
    assert not beyond.stable and beyond.fall.first == 0 and beyond.fall.moving == tuple(range(count))
    assert beyond.shrink.mm == pytest.approx(-1e-6 * LENGTH, abs=1e-6)


@pytest.mark.parametrize("margins", [False, True])
def test_four_blocks_in_three_levels(margins: bool) -> None:
    """The best overhang of four blocks in three levels is (15 − 4√2) / 8 = 1.16789 lengths (Hall 2005, Paterson and Zwick 2009):
    one below, two in the middle, one on top that weighs both down."""
    (_, below), (_, right), (_, left), (_, top) = four_in_three()
    assert overhang(four_in_three()) == pytest.approx((15 - 4 * math.sqrt(2)) / 8)
    assert equilibrium(*blocks(four_in_three(-1e-6)), friction=0, margins=margins).stable
    assert not equilibrium(*blocks(four_in_three(1e-6)), friction=0, margins=margins).stable
    assert equilibrium(*blocks(four_in_three()), friction=0).shrink.mm == pytest.approx(0, abs=1e-6)
    assert not equilibrium(*blocks([(0, below - 1e-6), (1, right), (1, left), (2, top)]), friction=0).stable


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
def test_cubes_tip(count: int) -> None:
    """n cubes on end tip at atan(1/n), over an edge; each touching face could lose half its width."""
    stability = equilibrium(*blocks([(level, -5) for level in range(count)], length=20, width=20, height=20), friction=3)
    assert stability.tilt.deg == pytest.approx(math.degrees(math.atan(1 / count)), abs=1e-6)
    assert stability.tilt.towards_deg % 90 == pytest.approx(0, abs=1e-6)
    assert stability.tilt.fall.moving == tuple(range(count))
    assert stability.shrink.mm == pytest.approx(10, abs=1e-6)


@pytest.mark.parametrize("friction", [0.0, 0.1, 0.45])
def test_cubes_slide(friction: float) -> None:
    """Two cubes slide at atan(μ), before they would tip."""
    bodies, contacts = blocks([(0, -5), (1, -5)], length=20, width=20, height=20)
    stability = equilibrium(bodies, contacts, friction=friction)
    assert stability.tilt.deg == pytest.approx(math.degrees(math.atan(friction)), abs=1e-6)
    for change in (-1e-6, 1e-6):
        slope = equilibrium(bodies, contacts, friction=friction, gravity=(max(0.0, friction + change), 0, -1))
        assert slope.stable == (change < 0 or friction + change <= 0)


def test_ladder() -> None:
    """A uniform ladder against a wall of the same friction μ stands from tan(angle) = (1 − μ²) / 2μ on: leaning bodies, point contacts."""
    friction = 0.3
    steepness = math.atan((1 - friction**2) / (2 * friction))
    for change in (-1e-5, 1e-5):
        angle = steepness + change
        foot, head = np.array([[0.0, 0.0, 0.0]]), 1000 * np.array([[math.cos(angle), 0.0, math.sin(angle)]])
        contacts = [Contact(TABLE, 0, foot, UP), Contact(TABLE, 0, head, np.array([-1.0, 0.0, 0.0]))]
        stability = equilibrium(Bodies(np.array([500.0]), (foot + head) / 2), contacts, friction=friction)
        assert stability.stable == (change > 0)
        assert stability.needs_friction == (change > 0)
        assert stability.shrink is None


def test_four_legs_tip_like_a_cube() -> None:
    """A cube on four single points under its corners tips at 45° by the point form, as it does on its face."""
    legs = [Contact(TABLE, 0, np.array([[x, y, 0.0]]), UP) for x in (-10.0, 10.0) for y in (-10.0, 10.0)]
    stability = equilibrium(Bodies(np.array([5.6]), np.array([[0.0, 0.0, 10.0]])), legs, friction=2)
    assert stability.stable and not stability.needs_friction
    assert stability.tilt.deg == pytest.approx(45, abs=1e-6)
    assert stability.tilt.fall.first == 0


@pytest.mark.parametrize(("friction", "stands"), [(0.0, False), (0.2 - 1e-6, False), (0.2 + 1e-6, True), (0.45, True)])
def test_bridge_ties_two_leaning_stacks(friction: float, stands: bool) -> None:
    """Two upper blocks lean towards each other, their middles 1 mm beyond the edges below; a bridge that rests on them from 2 mm
    beyond keeps them apart by friction of at least (1 + 2/2) / (20/2) = 0.2 (torques about the edge), and we say so."""
    bodies, contacts = blocks([(0, -3.5), (0, -1.46), (1, -2.99), (1, -1.97), (2, -2.48)])
    stability = equilibrium(bodies, contacts, friction=friction)
    assert stability.stable == stands and stability.needs_friction == stands
    assert stability.shrink.mm < 0
    assert _stands_level(bodies, contacts, friction) == stands


def test_a_system_can_be_weighed_again() -> None:
    """A seesaw 2 mm beyond its middle falls; with a body twice as heavy on its far end it stands, and prepared for that at once it says the same."""
    tower = _tower("UNI 0 0,0", "DUO 1 0,0 1,0").with_piece(Placement("UNI", 2, ((0, 0),)))
    bodies, contacts = tower_bodies(tower), tower_contacts(tower)
    light, heavy = (Bodies(np.array([1.0, 4.0, mass]), bodies.centre_mm) for mass in (0.1, 8.0))
    system, other = flat_system(light, contacts), flat_system(heavy, contacts)
    assert system is not None and other is not None
    assert not holds_upright(system) and holds_upright(other)
    again = system.weighing(heavy.mass_g)
    assert holds_upright(again)
    assert largest_inset(again).value == pytest.approx(largest_inset(other).value)
    assert least_flat_tilt(again, 0.45).value == pytest.approx(least_flat_tilt(other, 0.45).value)


def _stands_level(bodies: Bodies, contacts: list[Contact], friction: float) -> bool:
    """What the force method says without asking for any tilt; what nothing carries falls."""
    try:
        system = flat_system(bodies, contacts)
    except Unsupported:
        return False
    assert system is not None
    return stands_level(system, friction)


class _PlainProgramme:
    """Outside witness: scipy's answer to whether any forces at the contact points, within 12-sided friction pyramids, balance everything."""

    def __init__(self, bodies: Bodies, contacts: list[Contact], friction: float) -> None:
        self.bodies = bodies
        angles = 2 * math.pi * np.arange(12) / 12
        edges = np.column_stack([friction * np.cos(angles), friction * np.sin(angles), np.ones(12)]) if friction else UP[None, :]
        columns = []
        for contact in contacts:
            force = np.tile(edges, (len(contact.points), 1))
            point = np.repeat(contact.points, len(edges), axis=0)
            column = np.zeros((len(force), len(bodies), 6))
            for body, sign in ((contact.upper, 1), (contact.lower, -1)):
                if body != TABLE:
                    column[:, body] = sign * np.hstack([force, np.cross((point - bodies.centre_mm[body]) / 50, force)])
            columns.append(column.reshape(len(force), -1))
        self.matrix = csc_array(np.concatenate(columns).T)

    def holds(self, x: float = 0.0, y: float = 0.0) -> bool:
        """Whether gravity along (x, y, −1) is balanced."""
        weight = np.hstack([self.bodies.mass_g[:, None] * np.array([x, y, -1]), np.zeros((len(self.bodies), 3))]).ravel()
        return bool(linprog(np.zeros(self.matrix.shape[1]), A_eq=self.matrix, b_eq=-weight / self.bodies.mass_g.mean(), method="highs").status == 0)


def _shrunk(contacts: list[Contact], inset_mm: float) -> list[Contact]:
    """The contacts with every patch drawn in; those of which nothing is left are gone."""
    left = []
    for contact in contacts:
        hull = shapely.MultiPoint(contact.points[:, :2]).convex_hull.buffer(-inset_mm, join_style="mitre", mitre_limit=50)
        if not hull.is_empty:
            flat = np.asarray(hull.exterior.coords)[:-1]
            left.append(Contact(contact.lower, contact.upper, np.column_stack([flat, np.full(len(flat), contact.points[0, 2])]), UP))
    return left


def _played_tower(piece_set: PieceSet, rng: Generator, most: int = 100) -> Tower:
    """A legal tower from a random round."""
    state = State.new(int(rng.integers(2, 5)), piece_set=piece_set)
    placements: list[Placement] = []
    while state.round == 1 and not state.over and len(placements) < most:
        placements = [*placements, state.placement(move := int(rng.choice(state.legal_ids())))]
        state.play_id(move)
    return Tower.exact(piece_set, placements)


def _shaken(tower: Tower, rng: Generator, *, shift_mm: float, turn_deg: float = 0.0) -> Tower:
    """The tower with every piece off by a normal error."""
    poses = []
    for piece in tower.laid:
        dx, dy = rng.normal(0, shift_mm, 2)
        poses.append(
            Pose.flat(
                piece.pose.x + dx, piece.pose.y + dy, piece.pose.z, piece.pose.yaw_deg + rng.normal(0, turn_deg) if turn_deg else piece.pose.yaw_deg
            )
        )
    return tower.with_poses(poses)


@pytest.mark.parametrize("piece_set", [CLASSIC, SQUARE], ids=["classic", "square"])
def test_played_towers_stand(piece_set: PieceSet) -> None:
    """Every legally and exactly placed tower stands without friction, with room all round (RULES 1.3)."""
    rng = np.random.default_rng(11)
    for _ in range(8):
        stability = tower_stability(_played_tower(piece_set, rng))
        assert stability.stable and not stability.needs_friction and stability.fall is None
        assert stability.shrink.mm > 10 and stability.tilt.deg > 5


@pytest.mark.parametrize("seed", range(24))
def test_agrees_with_a_plain_programme(seed: int) -> None:
    """Badly shaken small towers: the verdict, the shrink margin and the tilt margin hold when all forces at all points are asked for."""
    rng = np.random.default_rng(seed)
    tower = _shaken(_played_tower([CLASSIC, SQUARE][seed % 2], rng, most=14), rng, shift_mm=[3.0, 6.0, 9.0][seed % 3], turn_deg=3)
    bodies, contacts = tower_bodies(tower), tower_contacts(tower)
    stability = equilibrium(bodies, contacts, friction=0.45)
    rough = _PlainProgramme(bodies, contacts, 0.45)
    assert rough.holds() == stability.stable
    assert tower_stability(tower, margins=False).stable == stability.stable
    assert _stands_level(bodies, contacts, 0.45) == rough.holds()
    if stability.shrink is not None:
        holds = [_PlainProgramme(bodies, _shrunk(contacts, stability.shrink.mm + change), 0).holds() for change in (-0.02, 0.02)]
        assert holds == [True, False]
    if stability.tilt is not None:
        reach, towards = math.tan(math.radians(stability.tilt.deg)), math.radians(stability.tilt.towards_deg)
        assert not rough.holds(1.01 * reach * math.cos(towards), 1.01 * reach * math.sin(towards))
        for angle in towards + np.radians([0, 72, 144, 216, 288]):
            assert rough.holds(0.96 * reach * math.cos(angle), 0.96 * reach * math.sin(angle))


def _tower(*texts: str) -> Tower:
    return Tower.exact(CLASSIC, [placement for text in texts if (placement := Placement.parse(text))])


def test_piece_beyond_the_edge_is_named() -> None:
    """A UNI pushed out until its middle passes the edge of what is below falls, and is named; inside the edge it stands."""
    tower = _tower("BASE 0 0,0 0,1 1,0 1,1 2,0", "TRIO 1 0,0 0,1 1,0", "DUO 1 1,1 2,0", "UNI 2 0,0")
    edge = CLASSIC.radius_mm - CLASSIC.bevel_mm
    for shift, stands in ((-edge * 0.98, True), (-edge * 1.02, False)):
        poses = [piece.pose for piece in tower.laid]
        poses[3] = Pose.flat(poses[3].x + shift, poses[3].y, poses[3].z)
        stability = tower_stability(tower.with_poses(poses))
        assert stability.stable == stands
        if not stands:
            assert stability.fall.first == 3 and stability.fall.moving == (3,) and stability.tilt is None and stability.shrink.mm < 0


def test_piece_in_the_air_is_named() -> None:
    """A piece that nothing carries falls; margins then have no meaning and are not given."""
    tower = _tower("UNI 0 0,0", "UNI 1 0,0", "UNI 2 4,0")
    stability = tower_stability(tower)
    assert not stability.stable and stability.fall.first == 2 and stability.shrink is None and stability.tilt is None


def test_all_in_the_air_fall() -> None:
    """A tower of which nothing touches the table or another piece falls, all of it, level or tilted; so does what rests on a floating piece."""
    tower = _tower("UNI 0 0,0", "UNI 1 4,0", "UNI 2 4,0")
    for heights, first in (((100.0,), 0), ((100.0, 40.0), 1), ((-100.0, -40.0), 0), ((0.0, 100.0, 110.0), 1), ((100.0, 110.0), 0)):
        poses = [Pose(0 if height == 0 else 120, 0, height) for height in heights]
        lifted = Tower(CLASSIC, tower.laid[: len(poses)]).with_poses(poses)
        for margins in (True, False):
            stability = tower_stability(lifted, margins=margins)
            assert (stability.stable, stability.needs_friction, stability.shrink, stability.tilt) == (False, False, None, None)
            assert stability.fall.first == first
            assert stability.fall.moving == tuple(i for i, height in enumerate(heights) if height != 0)
        slope = equilibrium(tower_bodies(lifted), tower_contacts(lifted), friction=0.45, gravity=(0.1, 0.0, -1.0))
        assert not slope.stable and slope.fall.first == first


def test_nothing_stands() -> None:
    """An empty table stands."""
    assert tower_stability(Tower(CLASSIC)).stable


def _turned(tower: Tower, angle_deg: float) -> Tower:
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return tower.with_poses(
        [Pose.flat(cos * p.x - sin * p.y + 40, sin * p.x + cos * p.y - 9, p.z, p.yaw_deg + angle_deg) for p in (piece.pose for piece in tower.laid)]
    )


@pytest.mark.parametrize("piece_set", [CLASSIC, SQUARE], ids=["classic", "square"])
def test_turning_keeps_margins(piece_set: PieceSet) -> None:
    """A tower turned by a lattice turn, moved, and at any angle where friction is no limit, has the same margins."""
    rng = np.random.default_rng(5)
    tower = _shaken(_played_tower(piece_set, rng, most=25), rng, shift_mm=1.5)
    before = tower_stability(tower)
    for angle in (piece_set.lattice.turn_deg, 17.0):
        after = tower_stability(_turned(tower, angle))
        assert after.shrink.mm == pytest.approx(before.shrink.mm, abs=1e-4)
        assert after.tilt.deg == pytest.approx(before.tilt.deg, rel=1e-3)


def test_mirroring_keeps_margins() -> None:
    """Bodies and contacts mirrored in a plane have the same margins, mirrored."""
    rng = np.random.default_rng(6)
    tower = _shaken(_played_tower(CLASSIC, rng, most=25), rng, shift_mm=1.5)
    bodies, contacts = tower_bodies(tower), tower_contacts(tower)
    mirror = np.array([-1.0, 1.0, 1.0])
    mirrored = [Contact(contact.lower, contact.upper, contact.points * mirror, contact.normal) for contact in contacts]
    before = equilibrium(bodies, contacts, friction=0.45)
    after = equilibrium(Bodies(bodies.mass_g, bodies.centre_mm * mirror), mirrored, friction=0.45)
    assert after.shrink.mm == pytest.approx(before.shrink.mm, abs=1e-6)
    assert after.tilt.deg == pytest.approx(before.tilt.deg, abs=1e-6)


def test_less_friction_never_helps() -> None:
    """With less friction no margin grows."""
    rng = np.random.default_rng(7)
    for _ in range(4):
        tower = _shaken(_played_tower(CLASSIC, rng, most=20), rng, shift_mm=2.0)
        bodies, contacts = tower_bodies(tower), tower_contacts(tower)
        answers = [equilibrium(bodies, contacts, friction=friction) for friction in (0.0, 0.1, 0.3, 0.6, 1.0)]
        assert all(a.stable <= b.stable for a, b in pairwise(answers))
        assert all(a.shrink.mm <= b.shrink.mm + 1e-9 for a, b in pairwise(answers))
        tilts = [answer.tilt.deg if answer.tilt else 0.0 for answer in answers]
        assert all(a <= b + 1e-6 for a, b in pairwise(tilts))
        assert tilts[0] == pytest.approx(0)
