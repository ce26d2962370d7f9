"""Pose tracks: where pieces were over time, for replays and films. A track keeps what happened, so showing it needs no physics."""

from __future__ import annotations

import base64
import binascii
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from meshes.errors import Defect, DefectiveInput
from physics.pose import Pose, Vector

RATE_HZ = 60
"""Frames a second of recorded tracks."""
MOVED_MM = 0.05
MOVED_DEG = 0.1
"""Pieces that never moved or turned more than this are left out of a track."""
MOST_FRAMES = 60 * 60 * 15
MOST_PIECES = 1000
FARTHEST_MM = 20_000.0

_MAGIC = b"STAKDpt1"
_HEAD = struct.Struct("<8sII")
_TIME, _PLACE, _TURN = 1e-4, 0.01, 1 / 32000
"""What one unit of the stored whole numbers means: seconds, mm, quaternion components."""
_MOST_BYTES = 64 * 2**20


class BadTrack(DefectiveInput):
    """A stored pose track is damaged."""

    kind = "pose track"


@dataclass(frozen=True, slots=True, eq=False)
class PoseTrack:
    """Poses of some pieces at some moments.

    `times`: (n,) seconds, growing, from 0. `pieces`: k indices into the tower (the piece being laid comes after the laid ones), growing.
    `states`: (n, k, 7) x, y, z in mm and a quaternion x, y, z, w, of length 1 to four digits.
    """

    times: Vector
    pieces: tuple[int, ...]
    states: Vector

    @classmethod
    def empty(cls) -> PoseTrack:
        """A track of no pieces and one moment."""
        return cls(np.zeros(1), (), np.empty((1, 0, 7)))

    @classmethod
    def of(cls, times: Sequence[float], states: Sequence[Vector]) -> PoseTrack:
        """A track from frames (each (m, 7), of all m pieces), of the pieces that moved more than `MOVED_MM` or turned more than
        `MOVED_DEG` at some time."""
        frames = np.array(states)
        offset = np.linalg.norm(frames[:, :, :3] - frames[0, :, :3], axis=2).max(axis=0)
        likeness = np.abs(np.einsum("nkc,kc->nk", frames[:, :, 3:], frames[0, :, 3:])).min(axis=0)
        moved = np.flatnonzero((offset > MOVED_MM) | (likeness < np.cos(np.radians(MOVED_DEG / 2))))
        return cls(np.array(times), tuple(moved.tolist()), frames[:, moved])

    @property
    def seconds(self) -> float:
        """Length of the track."""
        return float(self.times[-1])

    def sample(self, seconds: float) -> dict[int, Pose]:
        """Pose of each piece of the track at a moment, between frames on the straight way; before the start and after the end it stands."""
        after = int(np.clip(np.searchsorted(self.times, seconds), 1, max(1, len(self.times) - 1)))
        if len(self.times) == 1:
            return self._poses(self.states[0])
        start, end = self.times[after - 1], self.times[after]
        share = float(np.clip((seconds - start) / (end - start), 0.0, 1.0))
        a, b = self.states[after - 1], self.states[after].copy()
        # The same rotation has two signs; the one nearer to the frame before is the short way.
        b[np.einsum("kc,kc->k", a[:, 3:], b[:, 3:]) < 0, 3:] *= -1
        return self._poses(a + share * (b - a))

    def since(self, seconds: float) -> PoseTrack:
        """The part from `seconds` on, which then is second 0."""
        kept = self.times >= min(seconds, self.seconds)
        return PoseTrack(self.times[kept] - self.times[kept][0], self.pieces, self.states[kept])

    def to_bytes(self) -> bytes:
        """The track compressed: times to 0.1 ms, positions to 0.01 mm, rotations to 0.004°."""
        whole = np.round(self.states[:, :, :3] / _PLACE).astype("<i4")
        turns = np.round(self.states[:, :, 3:] / _TURN).astype("<i2")
        times = np.round(self.times / _TIME).astype("<i4")
        body = b"".join(np.diff(values, axis=0, prepend=values[:1] * 0).tobytes() for values in (times, whole, turns))
        pieces = np.array(self.pieces, dtype="<i4").tobytes()
        return _HEAD.pack(_MAGIC, len(self.times), len(self.pieces)) + zlib.compress(pieces + body, 6)

    @classmethod
    def from_bytes(cls, data: bytes) -> PoseTrack:
        """A track from what `to_bytes` gave; `to_bytes` then gives the same bytes again. Raises `BadTrack` naming what is wrong with it."""
        frames, count = _read_head(data)
        body = _decompressed(data[_HEAD.size :], 4 * count + frames * (4 + count * 20))
        pieces = np.frombuffer(body, "<i4", count)
        times = np.frombuffer(body, "<i4", frames, 4 * count).cumsum() * _TIME
        whole = np.frombuffer(body, "<i4", frames * count * 3, 4 * (count + frames)).reshape(frames, count, 3)
        turns = np.frombuffer(body, "<i2", frames * count * 4, 4 * (count + frames + frames * count * 3)).reshape(frames, count, 4)
        # Differences wrap around at the ends of their whole numbers, and so do the sums.
        places = whole.cumsum(axis=0, dtype=np.int32) * _PLACE
        rotations = turns.cumsum(axis=0, dtype=np.int16) * _TURN
        _check(pieces, times, places, rotations)
        return cls(times, tuple(pieces.tolist()), np.concatenate([places, rotations], axis=2))

    def to_text(self) -> str:
        """`to_bytes` as base64, for records."""
        return base64.b64encode(self.to_bytes()).decode("ascii")

    @classmethod
    def from_text(cls, text: str) -> PoseTrack:
        """A track from what `to_text` gave. Raises `BadTrack`."""
        try:
            return cls.from_bytes(base64.b64decode(text, validate=True))
        except (binascii.Error, ValueError) as error:
            raise _bad("not-base64", f"the text is not base64: {error}") from error

    def _poses(self, states: Vector) -> dict[int, Pose]:
        rotations = states[:, 3:] / np.linalg.norm(states[:, 3:], axis=1, keepdims=True)
        rows = zip(self.pieces, states[:, :3].tolist(), rotations.tolist(), strict=True)
        return {piece: Pose(x, y, z, (a, b, c, d)) for piece, (x, y, z), (a, b, c, d) in rows}


def _bad(code: str, message: str) -> BadTrack:
    return BadTrack("", [Defect(code, "", f"{message}; the file is damaged, take another copy")])


def _read_head(data: bytes) -> tuple[int, int]:
    if len(data) < _HEAD.size:
        raise _bad("cut-short", f"only {len(data)} bytes are left")
    magic, frames, count = _HEAD.unpack_from(data)
    if magic != _MAGIC:
        raise _bad("not-a-track", "it does not begin as a pose track of this version does")
    if not 1 <= frames <= MOST_FRAMES or count > MOST_PIECES:
        raise _bad("too-large", f"{frames} frames of {count} pieces; 1 to {MOST_FRAMES} frames of at most {MOST_PIECES} pieces are possible")
    if frames * count * 20 > _MOST_BYTES:
        raise _bad("too-large", f"{frames} frames of {count} pieces are more than {_MOST_BYTES >> 20} MB")
    return frames, count


def _decompressed(data: bytes, size: int) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        body = unpacker.decompress(data, size + 1)
    except zlib.error as error:
        raise _bad("not-compressed", f"it can't be unpacked ({error})") from error
    if len(body) != size or not unpacker.eof or unpacker.unused_data:
        raise _bad("wrong-size", f"it does not unpack to the {size} bytes that its head promises")
    return body


def _check(pieces: NDArray[np.int32], times: Vector, places: Vector, rotations: Vector) -> None:
    if len(pieces) and (pieces[0] < 0 or pieces[-1] >= 10 * MOST_PIECES or (np.diff(pieces) <= 0).any()):
        raise _bad("bad-pieces", "its pieces are not growing indices")
    if abs(times[0]) > 0 or (np.diff(times) <= 0).any():
        raise _bad("bad-times", "its times don't grow from 0")
    if places.size and np.abs(places).max() > FARTHEST_MM:
        raise _bad("out-of-range", f"a piece is more than {FARTHEST_MM / 1000:g} m away")
    if rotations.size and np.abs(np.linalg.norm(rotations, axis=2) - 1).max() > 1e-3:
        raise _bad("bad-rotation", "a quaternion is not of length 1")
