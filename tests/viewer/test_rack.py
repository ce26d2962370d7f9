from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations

import pytest
from shapely import affinity
from shapely.geometry import Polygon

from meshes.outline import outline
from meshes.piece_set import PieceSet, load_piece_set
from physics.tower import Tower
from viewer.items import Item, tower_items
from viewer.rack import rack_items


def _seen_from_above(piece_set: PieceSet, item: Item) -> Polygon:
    turned = affinity.rotate(outline(piece_set, item.piece), item.pose.yaw_deg, origin=(0, 0))
    return affinity.translate(turned, item.pose.x, item.pose.y)


@pytest.mark.parametrize(("set_name", "players"), [("classic", 1), ("classic", 2), ("classic", 5), ("square", 3)])
def test_nothing_in_the_rack_touches(set_name: str, players: int, random_tower: Callable[[int, str], Tower]) -> None:
    """Full hands of any number of players lie flat on the table, clear of each other and of the tower."""
    tower, piece_set = random_tower(3, set_name), load_piece_set(set_name)
    items = rack_items(tower, [piece_set.hand(players)] * players)
    assert all(item.pose.z == 0 and item.pose.tilt_deg == 0 for item in items)
    shapes = [_seen_from_above(piece_set, item) for item in items]
    assert all(a.distance(b) > 1 for a, b in combinations(shapes, 2))
    standing = [_seen_from_above(piece_set, item) for item in tower_items(tower) if item.pose.z == 0]
    assert min(a.distance(b) for a in shapes for b in standing) > 20


def test_rack_shows_just_what_is_left(classic: PieceSet) -> None:
    """Each hand's pieces appear once each; the same hands give the same rack."""
    tower = Tower(classic)
    hands = [{"UNI": 3, "DUO": 0, "QUAD": 2}, {"TRIO": 1}]
    items = rack_items(tower, hands)
    assert Counter(item.piece.name for item in items) == {"UNI": 3, "QUAD": 2, "TRIO": 1}
    assert items == rack_items(tower, hands)
    assert len({item.seed for item in items}) == len(items)


def test_unknown_piece_in_a_hand_is_an_error(classic: PieceSet) -> None:
    """A name that the set does not have raises KeyError."""
    with pytest.raises(KeyError):
        rack_items(Tower(classic), [{"PENTA": 1}])
