import struct
import zlib

import numpy as np
import pytest

from physics.pose import Pose
from physics.track import BadTrack, PoseTrack


def swing(frames: int = 61, pieces: int = 5) -> PoseTrack:
    """One second in which piece 0 stands, and each other piece k moves k·100 mm along x while it turns k·40° about the vertical."""
    times = np.arange(frames) / 60
    states = []
    for t in times:
        half = np.radians(40 * t * np.arange(pieces)) / 2
        zero = np.zeros(pieces)
        states.append(np.column_stack([100 * t * np.arange(pieces), zero, zero + 10, zero, zero, np.sin(half), np.cos(half)]))
    return PoseTrack.of(times.tolist(), states)


def code(data: bytes) -> str:
    """The code of the defect for which `data` is refused."""
    with pytest.raises(BadTrack) as caught:
        PoseTrack.from_bytes(data)
    return caught.value.defects[0].code


def repacked(track: PoseTrack, change: object) -> bytes:
    """The bytes of a track whose unpacked body was changed by a function of bytearray."""
    data = track.to_bytes()
    body = bytearray(zlib.decompress(data[16:]))
    assert callable(change)
    change(body)
    return data[:16] + zlib.compress(bytes(body))


def test_only_pieces_that_moved_are_kept() -> None:
    """A piece that stands still takes no room in a track."""
    assert swing().pieces == (1, 2, 3, 4)


def test_bytes_round_trip_within_the_stated_precision() -> None:
    """Stored positions are right to 0.01 mm, rotations to 0.01°, times to 0.1 ms."""
    track = swing()
    back = PoseTrack.from_bytes(track.to_bytes())
    assert back.pieces == track.pieces
    assert np.abs(back.times - track.times).max() <= 1e-4
    assert np.abs(back.states[:, :, :3] - track.states[:, :, :3]).max() <= 0.01
    turned = back.states[:, :, 3:] / np.linalg.norm(back.states[:, :, 3:], axis=2, keepdims=True)
    likeness = np.abs((turned * track.states[:, :, 3:]).sum(axis=2)).clip(max=1)
    assert np.degrees(2 * np.arccos(likeness)).max() <= 0.01


def test_storing_again_changes_nothing() -> None:
    """A record that is loaded and saved again stays the same, byte for byte."""
    data = swing().to_bytes()
    again = PoseTrack.from_bytes(data).to_bytes()
    assert PoseTrack.from_bytes(again).to_bytes() == again


def test_text_round_trip() -> None:
    """A track in a JSON record is plain text and comes back the same."""
    track = swing()
    assert track.to_text().isascii()
    assert np.array_equal(PoseTrack.from_text(track.to_text()).states, PoseTrack.from_bytes(track.to_bytes()).states)


def test_a_second_of_fifty_pieces_is_small() -> None:
    """Records stay small: 50 moving pieces take less than 40 kB a second (100 kB raw)."""
    assert len(swing(pieces=51).to_bytes()) < 40_000


def test_sample_between_frames() -> None:
    """Half-way between two frames a piece is half-way between its poses; before and after the track it stands."""
    track = swing()
    middle = track.sample(0.5 + 1 / 120)[2]
    assert middle.x == pytest.approx(200 * (0.5 + 1 / 120), abs=1e-6)
    assert middle.yaw_deg == pytest.approx(80 * (0.5 + 1 / 120), abs=1e-3)
    assert track.sample(-1.0)[1] == Pose(0.0, 0.0, 10.0)
    assert track.sample(9.0)[1].x == pytest.approx(100.0)


def test_sample_takes_the_short_way_round() -> None:
    """A rotation stored with the other sign of its quaternion does not make a piece spin between frames."""
    states = np.zeros((2, 1, 7))
    states[0, 0, 6], states[1, 0, 6] = 1.0, -1.0
    states[1, 0, 0] = 5.0
    track = PoseTrack(np.array([0.0, 1.0]), (0,), states)
    for same in (track, PoseTrack.from_bytes(track.to_bytes())):
        assert same.sample(0.5)[0] == Pose(2.5, 0.0, 0.0)


def test_empty_track() -> None:
    """An act in which nothing moved has a track too."""
    back = PoseTrack.from_bytes(PoseTrack.empty().to_bytes())
    assert back.pieces == ()
    assert back.sample(1.0) == {}


def test_damaged_tracks_are_refused_by_name() -> None:
    """Each kind of damage to a stored track is named; nothing of it is taken over."""
    track = swing()
    data = track.to_bytes()
    assert code(data[:10]) == "cut-short"
    assert code(b"x" + data[1:]) == "not-a-track"
    assert code(data[:-5]) == "wrong-size"
    assert code(data + b"0") == "wrong-size"
    assert code(data[:16] + b"abc") == "not-compressed"
    assert code(struct.pack("<8sII", b"STAKDpt1", 10**9, 1)) == "too-large"
    assert code(struct.pack("<8sII", b"STAKDpt1", 1, 10**6)) == "too-large"
    with pytest.raises(BadTrack, match="base64"):
        PoseTrack.from_text("no base64 !")


def test_impossible_values_are_refused() -> None:
    """Times that run back, far-off places, false rotations and pieces named twice are refused."""
    track = swing()
    k, n = len(track.pieces), len(track.times)
    times, places, turns = 4 * k, 4 * (k + n), 4 * (k + n + n * k * 3)

    def put(at: int, form: str, value: int) -> bytes:
        return repacked(track, lambda body: struct.pack_into(form, body, at, value))

    assert code(put(0, "<i", 2)) == "bad-pieces"
    assert code(put(times + 4, "<i", -5)) == "bad-times"
    assert code(put(places, "<i", 2 * 10**9)) == "out-of-range"
    assert code(put(turns + 6, "<h", 5)) == "bad-rotation"


def test_bomb_is_refused_at_once() -> None:
    """A small track that unpacks to gigabytes is refused without unpacking it."""
    head = struct.pack("<8sII", b"STAKDpt1", 10, 1)
    assert code(head + zlib.compress(bytes(50_000_000))) == "wrong-size"
