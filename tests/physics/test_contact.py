"""Contacts of flat towers: where pieces touch, and nowhere else."""

import math

import numpy as np
import pytest
import shapely

from meshes.outline import outline
from meshes.piece_set import PieceSet, load_piece_set
from meshes.placement import Placement
from physics.contact import TABLE, Contact, NotFlat, tower_contacts
from physics.pose import Pose
from physics.tower import LaidPiece, Tower

CLASSIC, SQUARE = load_piece_set("classic"), load_piece_set("square")
FLAT_RADIUS = CLASSIC.radius_mm - CLASSIC.bevel_mm


def _tower(piece_set: PieceSet, *texts: str) -> Tower:
    """Exactly placed pieces from their text forms."""
    return Tower.exact(piece_set, [placement for text in texts if (placement := Placement.parse(text))])


def _moved(tower: Tower, index: int, *, x: float = 0.0, y: float = 0.0, z: float = 0.0, yaw: float = 0.0) -> Tower:
    """`tower` with one flat pose shifted (x, y, z in mm) or turned (yaw in degrees)."""
    poses = [piece.pose for piece in tower.laid]
    old = poses[index]
    poses[index] = Pose.flat(old.x + x, old.y + y, old.z + z, old.yaw_deg + yaw)
    return tower.with_poses(poses)


def _area(contact: Contact) -> float:
    return float(shapely.MultiPoint(contact.points[:, :2]).convex_hull.area)


def test_disc_on_disc() -> None:
    """A UNI exactly on a UNI touches it in the whole flat disc, at the lower one's top, pushed upward."""
    contacts = tower_contacts(_tower(CLASSIC, "UNI 0 2,1", "UNI 1 2,1"))
    assert [(contact.lower, contact.upper) for contact in contacts] == [(TABLE, 0), (0, 1)]
    middle = CLASSIC.lattice.position((2, 1), CLASSIC.pitch_mm)
    assert np.allclose(np.linalg.norm(contacts[1].points[:, :2] - middle, axis=1), FLAT_RADIUS)
    assert np.allclose(contacts[1].points[:, 2], 10.0) and np.allclose(contacts[0].points[:, 2], 0.0)
    assert contacts[1].normal.tolist() == [0, 0, 1]
    assert _area(contacts[1]) == pytest.approx(math.pi * FLAT_RADIUS**2, rel=0.012)


def _lens_area(radius: float, distance: float) -> float:
    half = distance / 2 / radius
    return 2 * radius**2 * (math.acos(half) - half * math.sqrt(1 - half**2))


@pytest.mark.parametrize("shift", [0.5, 3.0, 10.0, 20.0])
def test_shifted_disc_touches_in_a_lens(shift: float) -> None:
    """A shifted UNI touches in the lens of both discs: between the lenses of the circles around and within the footprints' 24 sides."""
    found = _area(tower_contacts(_moved(_tower(CLASSIC, "UNI 0 0,0", "UNI 1 0,0"), 1, x=shift * 0.6, y=shift * 0.8))[1])
    assert _lens_area(FLAT_RADIUS * math.cos(math.pi / 24), shift) < found < _lens_area(FLAT_RADIUS, shift)


def test_bridge_has_a_contact_on_each_side() -> None:
    """A DUO over two UNIs rests on both and touches no neighbour of theirs."""
    contacts = tower_contacts(_tower(CLASSIC, "UNI 0 0,0", "UNI 0 1,0", "UNI 0 0,1", "DUO 1 0,0 1,0"))
    assert [(contact.lower, contact.upper) for contact in contacts] == [(-1, 0), (-1, 1), (-1, 2), (0, 3), (1, 3)]


def test_corner_piece_on_a_disc_is_held_by_the_disc_only() -> None:
    """An L on one UNI touches within that UNI's disc: nothing carries it in the notch or beyond."""
    contact = tower_contacts(_tower(SQUARE, "UNI 0 0,0", "TRIO 1 0,0 0,1 1,0"))[1]
    assert np.linalg.norm(contact.points[:, :2], axis=1).max() <= SQUARE.radius_mm - SQUARE.bevel_mm + 1e-9


def test_corner_piece_on_two_discs_gets_two_contacts() -> None:
    """An L over the two ends of its arms is carried at the ends, by each UNI in its own disc."""
    contacts = tower_contacts(_tower(SQUARE, "UNI 0 0,1", "UNI 0 1,0", "TRIO 1 0,0 0,1 1,0"))[2:]
    for contact, cell in zip(contacts, [(0, 1), (1, 0)], strict=True):
        middle = SQUARE.lattice.position(cell, SQUARE.pitch_mm)
        assert np.linalg.norm(contact.points[:, :2] - middle, axis=1).max() <= SQUARE.radius_mm - SQUARE.bevel_mm + 1e-9


def test_plus_on_plus_touches_at_points_of_both() -> None:
    """Two pluses in different places touch with corners that lie in both outlines, though outlines are concave."""
    pair = _tower(SQUARE, "BASE 0 -1,0 0,-1 0,0 0,1 1,0", "BASE 1 0,0 1,-1 1,0 1,1 2,0")
    contact = tower_contacts(pair)[1]
    shapes = [outline(SQUARE, SQUARE.base, inset_mm=SQUARE.bevel_mm - 1e-6), outline(SQUARE, SQUARE.base, inset_mm=SQUARE.bevel_mm - 1e-6)]
    for piece, shape in zip(pair.laid, shapes, strict=True):
        local = contact.points[:, :2] - [piece.pose.x, piece.pose.y]
        assert shapely.distance(shape, shapely.points(local)).max() < 0.13  # the outline's 96 sides against the footprint's 24


def test_turning_the_tower_turns_its_contacts() -> None:
    """The whole tower turned by an odd angle about a far point has the same contacts, turned."""
    level = _moved(_moved(_tower(CLASSIC, "BASE 0 0,0 0,1 1,0 1,1 2,0", "DUO 1 0,0 1,0", "UNI 2 1,0"), 1, x=1.3, yaw=4.0), 2, y=-2.0)
    angle, centre = 37.3, np.array([311.0, -47.0])
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    matrix = np.array([[cos, -sin], [sin, cos]])
    poses = []
    for piece in level.laid:
        x, y = matrix @ (np.array([piece.pose.x, piece.pose.y]) - centre) + centre
        poses.append(Pose.flat(x, y, piece.pose.z, piece.pose.yaw_deg + angle))
    for before, after in zip(tower_contacts(level), tower_contacts(level.with_poses(poses)), strict=True):
        expected = (before.points[:, :2] - centre) @ matrix.T + centre
        gaps = np.linalg.norm(expected[:, None] - after.points[None, :, :2], axis=2).min(axis=1)
        assert gaps.max() < 1e-4 and len(before.points) == len(after.points)


@pytest.mark.parametrize(("gap", "touching"), [(0.4, True), (-0.4, True), (0.6, False), (-0.6, False)])
def test_height_tolerance(gap: float, touching: bool) -> None:
    """Half a millimetre of height is forgiven, more is not touching."""
    contacts = tower_contacts(_moved(_tower(CLASSIC, "UNI 0 0,0", "UNI 1 0,0"), 1, z=gap))
    assert (len(contacts) == 2) == touching


def test_leaning_piece_is_named() -> None:
    """A tower with a piece that leans by 2° has no flat contacts; the error names the piece."""
    pair = _tower(CLASSIC, "UNI 0 0,0", "UNI 1 0,0")
    half = math.radians(1.0)
    leaning = Pose(0.0, 0.0, 10.2, (math.sin(half), 0.0, 0.0, math.cos(half)))
    with pytest.raises(NotFlat, match="piece 1 leans") as error:
        tower_contacts(Tower(CLASSIC, (pair.laid[0], LaidPiece(pair.laid[1].placement, leaning))))
    assert error.value.pieces == (1,)


def test_empty_tower_has_no_contacts() -> None:
    """Nothing laid, nothing touches."""
    assert tower_contacts(Tower(CLASSIC)) == []
