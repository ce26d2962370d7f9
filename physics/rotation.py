"""Rotations as unit quaternions (x, y, z, w): of many things at once in arrays, of one thing in tuples, which is thirty times as fast."""

from __future__ import annotations

import math

import numpy as np

from physics.pose import Quaternion, Vector

Triple = tuple[float, float, float]


def inverses(a: Vector) -> Vector:
    """(…, 4) the rotations back."""
    result: Vector = a * np.array([-1.0, -1.0, -1.0, 1.0])
    return result


def rotated(a: Vector, points: Vector) -> Vector:
    """(…, 3) `points` rotated by a (…, 4)."""
    across = 2 * _cross(a[..., :3], points)
    result: Vector = points + a[..., 3:] * across + _cross(a[..., :3], across)
    return result


def tilts_deg(a: Vector) -> Vector:
    """(n,) by how much the rotations (n, 4) tip what stood upright, 0–180°."""
    tilts: Vector = np.degrees(2 * np.arcsin(np.minimum(1.0, np.hypot(a[:, 0], a[:, 1]))))
    return tilts


def from_matrix(matrix: Vector) -> Quaternion:
    """The quaternion of a rotation matrix (3, 3)."""
    m = matrix
    squares = np.array([1 + m[0, 0] - m[1, 1] - m[2, 2], 1 - m[0, 0] + m[1, 1] - m[2, 2], 1 - m[0, 0] - m[1, 1] + m[2, 2], 1 + np.trace(m)])
    largest = int(np.argmax(squares))
    rows = (
        (squares[0], m[1, 0] + m[0, 1], m[0, 2] + m[2, 0], m[2, 1] - m[1, 2]),
        (m[1, 0] + m[0, 1], squares[1], m[2, 1] + m[1, 2], m[0, 2] - m[2, 0]),
        (m[0, 2] + m[2, 0], m[2, 1] + m[1, 2], squares[2], m[1, 0] - m[0, 1]),
        (m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], squares[3]),
    )
    x, y, z, w = (float(value) / (2 * math.sqrt(squares[largest])) for value in rows[largest])
    return x, y, z, w


def product(a: Quaternion, b: Quaternion) -> Quaternion:
    """The rotation b, then a."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def turned(a: Quaternion, point: Triple) -> Triple:
    """`point` rotated by a."""
    x, y, z, w = a
    px, py, pz = point
    cx, cy, cz = 2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)
    return px + w * cx + y * cz - z * cy, py + w * cy + z * cx - x * cz, pz + w * cz + x * cy - y * cx


def turn_between(a: Quaternion, b: Quaternion) -> Triple:
    """The turn that leads from a to b the short way: its axis times its angle in radians."""
    x, y, z, w = product(b, (-a[0], -a[1], -a[2], a[3]))
    if w < 0:
        x, y, z, w = -x, -y, -z, -w
    sine = math.sqrt(x * x + y * y + z * z)
    scale = 2 * math.atan2(sine, w) / sine if sine > 1e-12 else 2.0
    return x * scale, y * scale, z * scale


def from_turn(turn: Triple) -> Quaternion:
    """The rotation by a turn, axis times angle in radians."""
    angle = math.hypot(*turn)
    scale = math.sin(angle / 2) / angle if angle > 1e-12 else 0.5
    return turn[0] * scale, turn[1] * scale, turn[2] * scale, math.cos(angle / 2)


def _cross(a: Vector, b: Vector) -> Vector:
    """(…, 3) cross products; numpy's own is far slower on small arrays."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    result = np.empty(np.broadcast_shapes(a.shape, b.shape))
    result[..., 0], result[..., 1], result[..., 2] = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    return result
