"""Rotations as unit quaternions (x, y, z, w) in arrays; the last axis holds the components, leading axes broadcast."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


def product(a: Vector, b: Vector) -> Vector:
    """The rotation b followed by a."""
    ax, ay, az, aw = np.moveaxis(a, -1, 0)
    bx, by, bz, bw = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ],
        axis=-1,
    )


def inverse(a: Vector) -> Vector:
    """The rotation back."""
    result: Vector = a * np.array([-1.0, -1.0, -1.0, 1.0])
    return result


def rotated(a: Vector, points: Vector) -> Vector:
    """`points` (…, 3) rotated by a."""
    axis, w = a[..., :3], a[..., 3:]
    across = 2 * np.cross(axis, points)
    result: Vector = points + w * across + np.cross(axis, across)
    return result


def from_matrix(matrix: Vector) -> Vector:
    """The quaternion (4,) of a rotation matrix (3, 3)."""
    m = matrix
    squares = np.array([1 + m[0, 0] - m[1, 1] - m[2, 2], 1 - m[0, 0] + m[1, 1] - m[2, 2], 1 - m[0, 0] - m[1, 1] + m[2, 2], 1 + np.trace(m)])
    largest = int(np.argmax(squares))
    rows = (
        (squares[0], m[1, 0] + m[0, 1], m[0, 2] + m[2, 0], m[2, 1] - m[1, 2]),
        (m[1, 0] + m[0, 1], squares[1], m[2, 1] + m[1, 2], m[0, 2] - m[2, 0]),
        (m[0, 2] + m[2, 0], m[2, 1] + m[1, 2], squares[2], m[1, 0] - m[0, 1]),
        (m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], squares[3]),
    )
    result: Vector = np.array(rows[largest]) / (2 * math.sqrt(squares[largest]))
    return result


def vector(a: Vector) -> Vector:
    """The rotation vectors (…, 3): axis times angle in radians, at most π long."""
    short = np.where(a[..., 3:] < 0, -a, a)
    sine = np.linalg.norm(short[..., :3], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(sine, short[..., 3:])
    result: Vector = np.where(sine > 1e-12, short[..., :3] * angle / np.maximum(sine, 1e-12), 2 * short[..., :3])
    return result


def angles_deg(a: Vector, b: Vector) -> Vector:
    """Angles (…,) between rotations a and b, 0–180 degrees."""
    result: Vector = np.degrees(np.linalg.norm(vector(product(a, inverse(b))), axis=-1))
    return result
