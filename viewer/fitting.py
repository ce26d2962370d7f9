"""Where to stand to see a tower: the camera fitted to the pieces that belong to the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from physics.tower import Tower, exact_pose
from viewer.camera import Camera
from viewer.item_buffer import placed_corners
from viewer.items import Item, tower_items

_MARGIN = 0.15
_NEAREST_PITCHES = 14.0
"""The eye comes no nearer to its target, so that a piece alone looks as small as it is."""
_LEFT_PITCHES = 1.0
"""A piece farther than this from its exact place has left it."""
_NEAR_SHARE, _NEAR_FACTOR, _NEAR_MM = 0.8, 1.5, 60.0


def fitted_camera(tower: Tower, size: tuple[int, int], *, camera: Camera | None = None) -> Camera:
    """`camera`, or the default one, moved to where the tower just fits into a picture of `size` pixels with some air around it.

    Pieces that fell and rolled far from the rest are not waited for.
    """
    camera = camera or Camera()
    items = pictured_items(tower)
    if not items:
        return camera
    fitted = camera.frame(placed_corners(tower.piece_set, items), aspect=size[0] / size[1], margin=_MARGIN)
    return replace(fitted, distance_mm=max(fitted.distance_mm, _NEAREST_PITCHES * tower.piece_set.pitch_mm))


def pictured_items(tower: Tower) -> list[Item]:
    """All pieces but those that have left their places and lie much farther from the tower's middle than most."""
    items = tower_items(tower)
    if not items:
        return []
    places = np.array([item.pose.position for item in items])
    exact = np.array([exact_pose(tower.piece_set, laid.placement).position for laid in tower.laid])
    has_left = np.linalg.norm(places - exact, axis=1) > _LEFT_PITCHES * tower.piece_set.pitch_mm
    away = np.linalg.norm(places[:, :2] - np.median(places[:, :2], axis=0), axis=1)
    is_far = away > _NEAR_FACTOR * np.quantile(away, _NEAR_SHARE) + _NEAR_MM
    return [item for item, lost in zip(items, has_left & is_far, strict=True) if not lost]
