from __future__ import annotations

import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

from meshes.errors import MissingExtra, UnknownFormat, UnwritableFile
from meshes.piece_set import PieceSet
from meshes.placement import Placement
from physics.tower import Tower
from physics.track import PoseTrack
from viewer.film import Film
from viewer.film_file import Progress, check_film_file, write_film
from viewer.picture import BadPicture
from viewer.shots import Shot, moments

SMALL = (96, 64)


@pytest.fixture
def fall(classic: PieceSet) -> Shot:
    """Half a second in which the upper of two UNIs slides off sideways, 60 mm, and drops to the table; then 1.4 s of rest."""
    tower = Tower.exact(classic, [Placement("UNI", layer, ((0, 0),)) for layer in range(2)])
    times = np.linspace(0, 0.5, 31)
    track = PoseTrack.of(times.tolist(), [np.array([[0, 0, 0, 0, 0, 0, 1], [120 * t, 0, 10 - 20 * t, 0, 0, 0, 1]]) for t in times])
    return Shot(tower, track=track, hold_s=1.4, caption="UNI lost its support")


def _save(shot: Shot, path: Path, *, size: tuple[int, int] = SMALL, progress: Progress | None = None) -> int:
    """Film a shot at 10 frames a second; gives the number of frames."""
    with Film([shot], size=size, fps=10) as film:
        write_film(film, path, progress=progress)
        return len(film)


def test_film_shows_the_track_at_its_speed(fall: Shot) -> None:
    """Twice slowed, half a second takes one second of frames; each frame has the pose of its moment."""
    frames = list(moments(replace(fall, slowness=2.0, hold_s=0.0), 10.0))
    assert len(frames) == 10
    for number, frame in enumerate(frames):
        assert frame.tower.laid[1].pose.x == pytest.approx(120 * (number + 0.5) / 10 / 2, abs=0.1)
        assert frame.tower.laid[0].pose == fall.tower.laid[0].pose


def test_shot_rests_in_its_last_pose(fall: Shot) -> None:
    """After the track the film rests, as long as asked for, where everything ended."""
    frames = list(moments(fall, 10.0))
    assert len(frames) == 19
    assert all(frame.tower.laid[1].pose.x == pytest.approx(60, abs=0.01) for frame in frames[5:])


def test_arriving_piece_glides_into_place(fall: Shot) -> None:
    """An arriving piece comes down from above its place and ends exactly in it; nothing else moves."""
    frames = list(moments(Shot(fall.tower, arriving=1), 20.0))
    heights = [frame.tower.laid[1].pose.z for frame in frames]
    assert heights[0] > 40
    assert all(a >= b for a, b in pairwise(heights))
    assert heights[-1] == 10.0
    assert {frame.tower.laid[0].pose for frame in frames} == {fall.tower.laid[0].pose}


def test_camera_keeps_what_moves_in_sight(fall: Shot) -> None:
    """In every frame of a fall all pieces are inside the picture, and the camera never jumps."""
    with Film([fall], size=SMALL, fps=20) as film:
        cameras = [film.camera(number) for number in range(len(film))]
    for camera, frame in zip(cameras, moments(fall, 20), strict=True):
        seen = camera.project(np.array([laid.pose.position for laid in frame.tower.laid]), SMALL) / SMALL
        assert seen.min() > 0
        assert seen.max() < 1
    steps = np.diff([camera.target for camera in cameras], axis=0)
    assert np.linalg.norm(steps, axis=1).max() < 5


def test_gif_has_all_frames_and_loops(fall: Shot, tmp_path: Path) -> None:
    """A GIF lasts as long as its shots, has the size asked for, starts again at its end; progress counts every frame."""
    calls: list[tuple[int, int]] = []
    count = _save(fall, tmp_path / "fall.gif", progress=lambda done, total: calls.append((done, total)))
    assert count == 19, "0.5 s of motion and 1.4 s of rest at 10 frames a second"
    assert calls == [(number, count) for number in range(1, count + 1)]
    gif = Image.open(tmp_path / "fall.gif")
    assert (gif.size, gif.info["loop"]) == (SMALL, 0)
    durations = []
    for number in range(gif.n_frames):  # type: ignore[attr-defined]
        gif.seek(number)
        durations.append(gif.info["duration"])
    assert sum(durations) == 1900
    assert durations[:5] == [100] * 5, "while something moves, every frame is its own"


def test_gif_looks_like_its_frames(fall: Shot, tmp_path: Path) -> None:
    """The palette keeps colours: a GIF's first frame differs little from the frame drawn."""
    _save(fall, tmp_path / "fall.gif")
    gif = np.asarray(Image.open(tmp_path / "fall.gif").convert("RGB"), float)
    with Film([fall], size=SMALL, fps=10) as film:
        drawn = np.asarray(film.frame(0), float)
    assert np.abs(gif - drawn).mean() < 6


def test_mp4_has_all_frames(fall: Shot, tmp_path: Path) -> None:
    """An MP4 has as many frames as were drawn, at the rate asked for."""
    count = _save(fall, tmp_path / "fall.mp4")
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(str(tmp_path / "fall.mp4"))
    assert frames == count
    assert seconds == pytest.approx(count / 10, abs=0.11)


def test_mp4_without_its_extra_says_what_to_install(fall: Shot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without imageio-ffmpeg the error holds the line that installs it, before any frame is drawn."""
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    drawn: list[int] = []
    with pytest.raises(MissingExtra, match=r"pip install 'stakd\[video\]'"):
        _save(fall, tmp_path / "fall.mp4", progress=lambda done, total: drawn.append(done))
    assert drawn == []
    assert list(tmp_path.iterdir()) == []


def test_bad_film_files_are_refused(fall: Shot, tmp_path: Path) -> None:
    """Another ending, an odd size for MP4 and a missing folder are named errors, and leave nothing behind."""
    with pytest.raises(UnknownFormat, match=r"\.gif, \.mp4"):
        check_film_file(tmp_path / "fall.avi", SMALL)
    with pytest.raises(BadPicture, match="even"):
        check_film_file(tmp_path / "fall.mp4", (97, 64))
    with pytest.raises(UnwritableFile):
        _save(fall, tmp_path / "nowhere" / "fall.gif", size=(32, 32))
    assert list(tmp_path.iterdir()) == []


def test_captions_are_in_the_frames(fall: Shot) -> None:
    """A shot's caption is drawn at the foot of its frames."""
    with Film([fall], size=(320, 180), fps=4) as told, Film([replace(fall, caption="")], size=(320, 180), fps=4) as silent:
        a, b = (np.asarray(film.frame(3), float) for film in (told, silent))
    changed = np.any(a != b, axis=2)
    assert changed[150:].any()
    assert not changed[:140].any()


def test_film_needs_a_frame(classic: PieceSet) -> None:
    """A film of nothing is a ValueError."""
    with pytest.raises(ValueError, match="frame"):
        Film([Shot(Tower(classic), hold_s=0.0)])
