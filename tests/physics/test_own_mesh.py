"""Pieces with meshes of their own in the simulation and in the statics."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh
from shapely import Polygon

from meshes.mesh_parts import MOST_CORNERS
from meshes.outline import outline
from meshes.piece_mesh import PieceMesh
from meshes.piece_set import PieceSet, PieceType, load_piece_set
from meshes.placement import Placement
from meshes.solid import build_solid
from physics.act import ActResult, Onlooker, Outcome, place_by_hand
from physics.contact import tower_contacts
from physics.grip import NORMAL
from physics.overlap import overlaps, surface_under
from physics.pose import Pose
from physics.settle import settle
from physics.statics import tower_stability
from physics.tower import LaidPiece, Tower
from physics.world import World
from tests.meshes.piece_shapes import joined, peanut, plate
from tests.physics.own_pieces import disc, own

CLASSIC, SQUARE = load_piece_set("classic"), load_piece_set("square")
SECOND = 960


def prism(piece_set: PieceSet, name: str) -> trimesh.Trimesh:
    """The outline of a shipped piece, straight up."""
    mesh = trimesh.creation.extrude_polygon(outline(piece_set, piece_set.by_name[name]), piece_set.thickness_mm)
    return trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)


def test_ten_meshes_are_as_high_as_ten_pieces() -> None:
    """Ten discs from a mesh file, piled, are 100 mm high to 0.2 mm a layer: nothing makes them fatter."""
    piece_set = own(CLASSIC, {"UNI": disc(12.8, 10.0)})
    settled = settle(Tower.exact(piece_set, [Placement("UNI", layer, ((0, 0),)) for layer in range(10)]))
    assert settled.stands
    heights = [laid.pose.z for laid in settled.tower.laid]
    assert heights == pytest.approx([10.0 * layer for layer in range(10)], abs=0.2)


def test_meshes_laid_edge_to_edge_stay() -> None:
    """Two square BASEs from a mesh, with sides that touch, stay within 0.1 mm of where they were put."""
    block = trimesh.creation.box([60, 60, 10])
    block.apply_translation([0, 0, 5])
    solid = build_solid(piece_set := own(SQUARE, {"BASE": block}), piece_set.base)
    with World() as world:
        for x in (0.0, 60.0):
            world.add(solid, Pose(x, 0, 0), friction=0.45, restitution=0.25)
        world.step(2 * SECOND)
        assert np.abs(world.states()[:, :3] - [[0, 0, 0], [60, 0, 0]]).max() < 0.1


def test_two_ls_from_meshes_fit_into_each_other() -> None:
    """Two L-shaped meshes whose hulls overlap, but not their shapes, lie in one layer and neither moves."""
    piece_set = own(SQUARE, {"TRIO": prism(SQUARE, "TRIO")})
    piece = piece_set.by_name["TRIO"]
    first = ((0, 0), (1, 0), (0, 1))
    assert set(piece.cells) == set(first)
    tower = Tower.exact(piece_set, [Placement("TRIO", 0, tuple(sorted(first))), Placement("TRIO", 0, ((1, 1), (1, 2), (2, 1)))])
    settled = settle(tower)
    assert settled.stands
    assert settled.moved_mm < 0.1


def ring_set() -> PieceSet:
    """The classic set, its BASE a flat ring with a hole of 14 mm radius around an empty middle node, its UNI a peg of 5 mm."""
    ring = trimesh.creation.annulus(14.0, 42.8, 10.0, sections=96)
    ring.apply_translation([30.0, 0, 5.0])
    around = tuple(sorted((q, r) for q, r in ((0, 0), (2, 0), (1, -1), (2, -1), (1, 1), (0, 1))))
    with_ring = own(CLASSIC, {"UNI": disc(5.0, 10.0)})
    base = PieceType("RING", around, 2, (200, 120, 40), "R", PieceMesh.of(ring))
    return replace(with_ring, pieces=(*with_ring.pieces, base))


def test_a_peg_goes_through_a_ring() -> None:
    """A ring from a mesh, dropped on a BASE, rests on it; a thin peg falls through its hole onto the BASE; nothing leaves the world."""
    piece_set = ring_set()
    ring, peg, base = (build_solid(piece_set, piece_set.by_name[name]) for name in ("RING", "UNI", "BASE"))
    middle = build_solid(CLASSIC, CLASSIC.base).centre_mm
    with World() as world:
        world.add(base, Pose(-middle[0], -middle[1], 0), friction=0.45, restitution=0.25)
        world.add(ring, Pose(-30.0, 0, 12.0), friction=0.45, restitution=0.25)
        world.step(SECOND)
        assert world.pose(1).z == pytest.approx(10.0, abs=0.2)
        world.add(peg, Pose(0, 0, 32.0), friction=0.45, restitution=0.25)
        world.step(SECOND)
        assert world.pose(2).z == pytest.approx(10.0, abs=0.2)
        assert world.pose(1).z == pytest.approx(10.0, abs=0.2)


def test_contact_is_where_flats_meet() -> None:
    """A knob narrow at the top and wide at the bottom carries with its top of 8 mm radius only: another, 9 mm aside, falls, 7 mm aside stands."""
    profile = np.array([[0, 0], [12.8, 0], [12.8, 4], [8, 6], [8, 10], [0, 10]])
    knob = trimesh.creation.revolve(profile, sections=96)
    piece_set = own(CLASSIC, {"UNI": knob})
    solid = build_solid(piece_set, piece_set.by_name["UNI"])
    assert sum(flat.area for flat in solid.top) == pytest.approx(np.pi * 8**2, rel=0.01)
    assert sum(flat.area for flat in solid.footprint) == pytest.approx(np.pi * 12.8**2, rel=0.01)
    for aside, stands in ((7.0, True), (9.0, False)):
        laid = [LaidPiece(Placement("UNI", layer, ((0, 0),)), Pose(x, 0, 10.0 * layer)) for layer, x in ((0, 0.0), (1, aside))]
        tower = Tower(piece_set, tuple(laid))
        assert tower_stability(tower, margins=False).stable is stands
        on_top = next(contact for contact in tower_contacts(tower) if contact.lower == 0)
        lens = Polygon(outline_of_circle(8.0, 0.0)).intersection(Polygon(outline_of_circle(12.8, aside)))
        assert Polygon(on_top.points[:, :2]).area == pytest.approx(lens.area, rel=0.02)


def outline_of_circle(radius: float, x: float) -> list[tuple[float, float]]:
    """Corners of a circle around (x, 0)."""
    angles = np.linspace(0, 2 * np.pi, 360, endpoint=False)
    return [(x + radius * float(np.cos(a)), radius * float(np.sin(a))) for a in angles]


def test_overlapping_discs_of_a_file_count_once() -> None:
    """A piece whose file holds discs and bridges that run into each other weighs what the united solid does, with the same middle."""
    places = [(0.0, 0.0), (30.0, 0.0)]
    shells = [disc(12.8, 10.0).apply_translation([x, y, 0]) for x, y in places]
    bridge = trimesh.creation.box([30, 20, 10])
    bridge.apply_translation([12.0, 0, 5])
    whole = PieceMesh.of(joined(*shells, bridge))
    united = trimesh.boolean.union([*shells, bridge])
    assert whole.trimesh.volume == pytest.approx(united.volume, rel=1e-4)
    assert whole.trimesh.center_mass == pytest.approx(united.center_mass, abs=0.01)


def test_a_fine_mesh_stays_within_the_engine_and_keeps_its_size() -> None:
    """A disc of 160 000 corners is made one to play with: few corners a part, size and volume kept to 0.1 mm and 0.5 %."""
    fine = trimesh.creation.cylinder(12.8, 10.0, sections=80_000)
    fine.apply_translation([0, 0, 5.0])
    piece_set = own(CLASSIC, {"UNI": fine})
    solid = build_solid(piece_set, piece_set.by_name["UNI"])
    assert max(map(len, solid.parts)) <= MOST_CORNERS
    assert np.ptp(np.concatenate(solid.parts), axis=0) == pytest.approx([25.6, 25.6, 10.0], abs=0.1)
    assert solid.mesh.volume == pytest.approx(np.pi * 12.8**2 * 10, rel=0.005)


def resident_mb() -> float:
    """Memory of this process."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def test_worlds_of_meshes_leave_no_memory_behind() -> None:
    """Of five hundred fresh worlds with a mesh of 3 000 triangles those after the first twenty add less than 6 MB (50 are allowed)."""
    ball = trimesh.creation.icosphere(4, 12.8)
    piece_set = own(CLASSIC, {"UNI": trimesh.intersections.slice_mesh_plane(ball, [0, 0, 1], [0, 0, -5], cap=True)})
    solid = build_solid(piece_set, piece_set.by_name["UNI"])
    sizes = []
    for _ in range(500):
        with World() as world:
            world.add(solid, Pose(0, 0, 0), friction=0.45, restitution=0.25)
            world.step()
        sizes.append(resident_mb())
    assert sizes[-1] - sizes[19] < 6


def test_games_with_meshes_share_nothing() -> None:
    """An act with meshes ends the same alone, while a world of other pieces is opened and closed beside it, and in two threads at once."""
    piece_set = own(CLASSIC, {"UNI": disc(12.8, 10.0), "DUO": prism(CLASSIC, "DUO")})
    tower = Tower.exact(piece_set, [Placement("DUO", 0, ((0, 0), (1, 0))), Placement("UNI", 1, ((0, 0),))])

    def act(onlooker: Onlooker | None = None) -> ActResult:
        return place_by_hand(tower, Placement("UNI", 1, ((1, 0),)), NORMAL, np.random.default_rng(4), onlooker=onlooker)

    def meddle(seconds: float, states: np.ndarray) -> None:
        with World(table_friction=0.0, tilt_deg=30.0) as other:
            other.add(build_solid(SQUARE, SQUARE.pieces[0]), Pose(0, 0, 0), friction=0.0, restitution=0.0)
            other.step()

    alone = act()
    with ThreadPoolExecutor(2) as pool:
        others = [act(meddle), *pool.map(lambda _: act(), range(2))]
    assert alone.outcome is Outcome.PLACED
    for other in others:
        assert (other.tower, other.seconds) == (alone.tower, alone.seconds)
        assert (other.track.states == alone.track.states).all()


def test_beside_a_narrow_neck_there_is_room() -> None:
    """A disc in the waist of a peanut keeps clear of both its ends, where it would cut into a plain DUO; nearer it cuts into both as circles do."""
    tower = Tower.exact(own(CLASSIC, {"DUO": plate(peanut())}), [Placement("DUO", 0, ((0, 0), (1, 0)))])
    uni = tower.piece_set.piece("UNI")
    plain = Tower.exact(CLASSIC, [Placement("DUO", 0, ((0, 0), (1, 0)))])
    assert overlaps(tower, uni, Pose(15.0, 21.0, 0.0)) == ()
    assert overlaps(plain, uni, Pose(15.0, 21.0, 0.0))[0].depth_mm == pytest.approx(25.6 - 21.0)
    assert overlaps(tower, uni, Pose(15.0, 18.0, 0.0))[0].depth_mm == pytest.approx(25.6 - np.hypot(15.0, 18.0), abs=0.03)
    centre = np.array([[15.0, 21.0, 0.0]])
    assert (surface_under(tower, centre), surface_under(plain, centre)) == (0.0, 10.0)


def test_two_meshes_are_as_deep_in_each_other_as_the_part_they_share_is_wide() -> None:
    """Two discs of 12.8 mm, 20 mm apart, share a lens 5.6 mm wide; 26 mm apart they share nothing, as do two that only touch."""
    piece_set = own(CLASSIC, {"UNI": disc(12.8, 10.0)})
    tower = Tower.exact(piece_set, [Placement("UNI", 0, ((0, 0),))])
    uni = piece_set.piece("UNI")
    assert overlaps(tower, uni, Pose(20.0, 0.0, 0.0))[0].depth_mm == pytest.approx(5.6, abs=0.03)
    assert overlaps(tower, uni, Pose(25.6, 0.0, 0.0)) == overlaps(tower, uni, Pose(26.0, 0.0, 0.0)) == ()
