"""What a mesh is like at a place: room, flats, thickness. Lengths in mm."""

from __future__ import annotations

import math
from functools import cached_property
from typing import NamedTuple

import numpy as np
import trimesh
from numpy.typing import NDArray
from shapely import MultiPolygon, Point, Polygon

from meshes.discs import disc_cover, largest_disc
from meshes.flats import flat_bottom, flat_top, section
from meshes.lattice_fit import without_small_holes

_SAMPLES = 61
_GOLDEN = math.pi * (3 - math.sqrt(5))
_MOST_SAMPLES = 0.9
"""Share of the samples of a disc that count for its flatness; the others may fall into a drilled hole."""
_ENOUGH = 0.97
"""Share of the radius for which there must be room where a node is."""

Points = NDArray[np.float64]


class NodeSurface(NamedTuple):
    """See `meshes.nodes.NodeFit`; `off_mm` is how far away there is room for the whole disc."""

    disc_mm: float
    off_mm: float
    cover_bottom: float
    cover_top: float
    flatness_mm: float
    thickness_mm: float


class SurfaceProbe:
    """Measures one closed mesh that lies with z up."""

    def __init__(self, mesh: trimesh.Trimesh) -> None:
        self.mesh = mesh
        self.low_mm, self.high_mm = float(mesh.vertices[:, 2].min()), float(mesh.vertices[:, 2].max())

    @property
    def height_mm(self) -> float:
        """From the lowest to the highest point."""
        return self.high_mm - self.low_mm

    @cached_property
    def bottom(self) -> MultiPolygon:
        """Its flat bottom."""
        return flat_bottom(self.mesh)

    @cached_property
    def top(self) -> MultiPolygon:
        """Its flat top."""
        return flat_top(self.mesh)

    @cached_property
    def outline(self) -> MultiPolygon:
        """Its section at half height."""
        return section(self.mesh)

    def at(self, places: Points, radius_mm: float, flat_mm: float) -> list[NodeSurface]:
        """The surface about (n, 2) places; `radius_mm` is the nodes', `flat_mm` that of the part which should be flat."""
        whole = without_small_holes(self.outline, radius_mm)
        discs = largest_disc(whole, places)
        heights = self._sampled(places, flat_mm)
        return [
            NodeSurface(
                disc_mm=float(disc),
                off_mm=_way_to_room(whole, x, y, radius_mm),
                cover_bottom=disc_cover(self.bottom, x, y, flat_mm),
                cover_top=disc_cover(self.top, x, y, flat_mm),
                flatness_mm=self._flatness(bottom, top),
                thickness_mm=float(np.median(real)) if len(real := (top - bottom)[np.isfinite(top - bottom)]) else 0.0,
            )
            for (x, y), disc, (bottom, top) in zip(places.tolist(), discs, heights, strict=True)
        ]

    def _flatness(self, bottom: Points, top: Points) -> float:
        off = np.sort(np.concatenate([bottom - self.low_mm, self.high_mm - top]))
        off = off[np.isfinite(off)]
        return float(off[int(_MOST_SAMPLES * (len(off) - 1))]) if len(off) else 0.0

    def _sampled(self, places: Points, radius: float) -> Points:
        """(n, 2, samples): heights of the bottom and the top where samples are spread evenly over discs; NaN where there is nothing."""
        number = np.arange(_SAMPLES)
        reach, angle = radius * np.sqrt((number + 0.5) / _SAMPLES), _GOLDEN * number
        spots = (places[:, None] + np.column_stack([reach * np.cos(angle), reach * np.sin(angle)])).reshape(-1, 2)
        starts = np.concatenate([np.column_stack([spots, np.full(len(spots), height)]) for height in (self.low_mm - 1.0, self.high_mm + 1.0)])
        rays = np.repeat([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]], len(spots), axis=0)
        hits, which, _ = self.mesh.ray.intersects_location(starts, rays, multiple_hits=False)
        heights = np.full(len(starts), np.nan)
        heights[which] = hits[:, 2]
        sampled: Points = heights.reshape(2, len(places), _SAMPLES).swapaxes(0, 1)
        return sampled


def _way_to_room(whole: Polygon | MultiPolygon, x: float, y: float, radius_mm: float) -> float:
    """How far it is to where there is room for the disc; if there is none, as far as the disc is wide."""
    room = whole.buffer(-_ENOUGH * radius_mm, quad_segs=8)
    return 2 * radius_mm if room.is_empty else float(room.distance(Point(x, y)))
