"""The bodies in a shape: shells mended, turned outwards, hollows kept, what overlaps united, what stands apart told apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from manifold3d import Manifold, OpType

from meshes.errors import Defect
from meshes.manifolds import corners_and_faces, manifold_of
from meshes.reading.clusters import clusters
from meshes.reading.hollows import hollowed, homes
from meshes.reading.limits import FLAT_SHARE, MOST_SHELLS, WELD_MM
from meshes.reading.scene import Faces, Shape, Unreadable, Vertices, together
from meshes.reading.shells import Shell, measured_shell, shares_within, within
from meshes.reading.surface import agreed, edges_of, seams_closed, shell_labels, volume, without_needless
from meshes.reading.touching import closed_alone


@dataclass(frozen=True, eq=False)
class Body:
    """One connected body, or what should have been one. Lengths in mm."""

    vertices: Vertices
    faces: Faces
    defects: tuple[Defect, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass
class _Told:
    """What was done to a shape, for its notes."""

    notes: list[str] = field(default_factory=list)

    def say(self, count: int, one: str, several: str) -> None:
        """Add a note unless nothing was done."""
        if count:
            self.notes.append(one if count == 1 else several.format(count))


def bodies_of(shape: Shape) -> list[Body]:
    """The bodies of a welded shape in mm, in the order of the file. Every body has the notes on the whole shape.

    Deterministic. Raises `Unreadable` only where there are too many shells.
    """
    told = _Told()
    shells = _shells(shape, told)
    if not shells:
        flat = Defect("flat", "", "it encloses nothing: its faces have no area, or lie back to back; give it a thickness")
        return [Body(shape.vertices, shape.faces, (flat,), tuple(told.notes))]
    bodies: list[Body] = []
    for members in clusters(np.array([shell.box for shell in shells]), gap=WELD_MM):
        bodies += _cluster_bodies([shells[k] for k in members], told)
    return [replace(body, notes=(*told.notes, *body.notes)) for body in bodies]


def _shells(shape: Shape, told: _Told) -> list[Shell]:
    vertices, faces = shape.vertices, shape.faces
    corners = len(vertices)
    vertices, faces = seams_closed(vertices, faces, WELD_MM)
    told.say(corners - len(vertices), f"1 corner within {WELD_MM:g} mm of a seam merged", f"{{}} corners within {WELD_MM:g} mm of a seam merged")
    alone, faces = _alone(vertices, faces)
    faces, no_triangles, doubled = without_needless(faces)
    told.say(no_triangles, "1 triangle without area left out", "{} triangles without area left out")
    told.say(doubled, "1 triangle that was there twice left out", "{} triangles that were there twice left out")
    edges = edges_of(faces)
    label = shell_labels(faces, edges)
    count = int(label.max(initial=-1)) + 1
    if count > MOST_SHELLS:
        raise Unreadable("too-many-shells", f"it falls into {count:,} loose surfaces, the most is {MOST_SHELLS:,}; join them", shape.name)
    faces, turned, _ = agreed(faces, edges)
    told.say(turned, "1 face turned to look the same way as its neighbours", "{} faces turned to look the same way as their neighbours")
    order = np.argsort(label, kind="stable")
    bounds = np.searchsorted(label[order], np.arange(count + 1))
    return alone + [measured_shell(vertices, faces[order[start:end]]) for start, end in pairwise(bounds)]


def _alone(vertices: Vertices, faces: Faces) -> tuple[list[Shell], Faces]:
    """Closed shells that share edges or faces with others, and the faces that are left."""
    edges = edges_of(faces)
    if (edges.uses <= 2).all():
        return [], faces
    label = closed_alone(vertices, faces, edges)
    if label.max() >= MOST_SHELLS:
        return [], faces
    return [measured_shell(vertices, faces[label == k]) for k in range(int(label.max()) + 1)], faces[label < 0]


def _cluster_bodies(shells: Sequence[Shell], told: _Told) -> list[Body]:
    """The bodies of shells whose boxes meet."""
    whole = [shell for shell in shells if _sound(shell)]
    broken = [shell for shell in shells if not _sound(shell)]
    bodies = _closed_bodies(_outwards(whole, told), told) if whole else []
    inside = np.array([shares_within(broken, Shell(body.vertices, body.faces)) > 0.5 for body in bodies]).reshape(len(bodies), len(broken))
    for k in range(len(bodies)):
        inner = [shell for shell, homes in zip(broken, inside.T, strict=True) if homes.any() and homes.argmax() == k]
        bodies[k] = _joined(bodies[k], inner) if inner else bodies[k]
    loose = [shell for shell, homes in zip(broken, inside.T, strict=True) if not homes.any()]
    groups = clusters(np.array([shell.box for shell in loose]), gap=WELD_MM) if loose else []
    return bodies + [_broken_body([loose[k] for k in group]) for group in groups]


def _sound(shell: Shell) -> bool:
    return shell.closed and shell.piercings is None and abs(_volume(shell)) > FLAT_SHARE * float(np.ptp(shell.box, axis=0).max()) ** 3


def _outwards(shells: Sequence[Shell], told: _Told) -> list[Shell]:
    """Turned so that what encloses material has a volume above 0; hollows, which lie within and look the other way, stay hollows."""
    inside = [np.flatnonzero(row).tolist() for row in within(shells, shells)]
    inward = [_volume(shell) < 0 for shell in shells]
    wrong = [inward[min(outer, key=lambda j: len(inside[j]))] if outer else inward[k] for k, outer in enumerate(inside)]
    turned = sum(wrong[k] and not inside[k] for k in range(len(shells)))
    told.say(turned, "it was inside out and is turned", "{} bodies were inside out and are turned")
    return [shell.turned if wrong[k] else shell for k, shell in enumerate(shells)]


def _closed_bodies(shells: Sequence[Shell], told: _Told) -> list[Body]:
    if len(shells) == 1 and not _self_touching(shells[0]):
        return [Body(shells[0].vertices, shells[0].faces)]
    solids = [_manifold(shell) for shell in shells]
    if any(solid is None for solid in solids):
        return [_unmanifold(shells)]
    material = [(solid, shell) for solid, shell in zip(solids, shells, strict=True) if solid is not None and _volume(shell) > 0]
    return _united(material, [shell for shell in shells if _volume(shell) < 0], told)


def _united(material: Sequence[tuple[Manifold, Shell]], hollows: Sequence[Shell], told: _Told) -> list[Body]:
    """Hollows are taken out before bodies are joined."""
    solids = hollowed(material, hollows).bodies
    pieces = (Manifold.batch_boolean(solids, OpType.Add) if len(solids) > 1 else solids[0]).decompose()
    outer = [piece for piece in pieces if piece.volume() > 0]
    nested = _count_nested(solids, [shell for _, shell in material])
    told.say(nested, "1 body wholly within another adds nothing and is left out", "{} bodies wholly within others add nothing and are left out")
    told.say(
        max(0, len(material) - nested - len(outer)),
        "2 bodies that overlap are made one",
        "bodies that overlap are made one, {} fewer than there were",
    )
    bodies = [_shell_of(piece) for piece in sorted(outer, key=_place)]
    inner = [_shell_of(piece) for piece in sorted((piece for piece in pieces if piece.volume() < 0), key=_place)]
    told.say(len(inner), "1 sealed hollow is kept", "{} sealed hollows are kept")
    around = homes(inner, bodies)
    return [Body(*together([body, *(shell for shell, home in zip(inner, around, strict=True) if home == k)])) for k, body in enumerate(bodies)]


def _count_nested(solids: Sequence[Manifold], shells: Sequence[Shell]) -> int:
    """How many solids lie wholly in the material of the smallest one around them; `shells` are their outsides."""
    return sum(home is not None and (solids[k] - solids[home]).is_empty() for k, home in enumerate(homes(shells, shells)))


def _volume(shell: Shell) -> float:
    return volume(shell.vertices, shell.faces)


def _place(piece: Manifold) -> tuple[float, ...]:
    return tuple(round(float(value), 6) for value in piece.bounding_box())


def _self_touching(shell: Shell) -> bool:
    """Whether it meets itself along edges, which then have four faces."""
    return bool((edges_of(shell.faces).uses > 2).any())


def _manifold(shell: Shell) -> Manifold | None:
    return manifold_of(shell.vertices, shell.faces)


def _shell_of(piece: Manifold) -> Shell:
    return Shell(*corners_and_faces(piece))


def _joined(body: Body, shells: Sequence[Shell]) -> Body:
    """With broken shells that lie within."""
    vertices, faces = together([body, *shells])
    return Body(vertices, faces, (*body.defects, *_defects(shells, vertices[:, 2].min())), body.notes)


def _broken_body(shells: Sequence[Shell]) -> Body:
    vertices, faces = together(shells)
    return Body(vertices, faces, tuple(_defects(shells, vertices[:, 2].min())))


def _unmanifold(shells: Sequence[Shell]) -> Body:
    message = "its faces can't be told into inside and outside; mend it in a modelling program"
    return Body(*together(shells), (Defect("non-manifold", "", message),))


def _defects(shells: Sequence[Shell], floor: float) -> Iterable[Defect]:
    """What is wrong with shells that enclose nothing for certain, each counted; `floor` is how high the lowest point of their body is."""
    lone, holes = sum(shell.open_edges for shell in shells), sum(shell.holes for shell in shells)
    odd, one_sided = sum(shell.odd_edges for shell in shells), sum(shell.one_sided for shell in shells)
    crossed = [shell.piercings for shell in shells if shell.piercings is not None]
    flat = sum(shell.closed for shell in shells) - len(crossed)
    if crossed:
        x, y, z = crossed[0].at - (0.0, 0.0, floor)
        pairs = sum(piercings.pairs for piercings in crossed)
        place = f"one at x = {x:.2f}, y = {y:.2f}, z = {z:.2f} mm (z from its lowest point)"
        message = f"it goes through itself: {_many(pairs, 'pair')} of faces cross, {place}; unite the body in your CAD program, or mend it there"
        yield Defect("crosses-itself", "", message)
    if lone:
        yield Defect("open", "", f"it is not closed: {_many(lone, 'edge')} with one face only, round {_many(holes, 'hole')}; fill in what is missing")
    if odd:
        yield Defect("non-manifold", "", f"{_many(odd, 'edge')} with faces that don't pair up; take out walls inside and faces that are there twice")
    if one_sided:
        yield Defect("one-sided", "", f"its windings can't agree at {_many(one_sided, 'edge')}: it is one-sided, like a Möbius strip; model it anew")
    if flat:
        yield Defect("flat", "", f"{_many(flat, 'surface')} without anything inside; give it a thickness")


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
