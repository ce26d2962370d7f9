"""Films of matches: acts become shots, shots become a GIF or MP4 file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from meshes.placement import Placement
from physics.tower import Tower
from physics.track import PoseTrack
from viewer.film_file import Progress, check_film_file, write_film
from viewer.filming import Film
from viewer.scene import QUICK, Quality
from viewer.shots import Shot

_REST_S, _FALLEN_REST_S, _ARRIVE_S = 0.25, 1.4, 0.4


@dataclass(frozen=True, slots=True)
class FilmAct:
    """One act of a match, for the film.

    `placement` is the piece laid, if one was; `track` how it and what it touched moved, if that was recorded: the piece laid has the index after
    those of `before`. Without a track the piece glides into its place in `after`. `fallen` acts rest longer at their end.
    """

    before: Tower
    placement: Placement | None
    track: PoseTrack | None
    after: Tower
    caption: str = ""
    fallen: bool = False


def save_film(
    acts: Sequence[FilmAct],
    path: str | Path,
    *,
    size: tuple[int, int] = (640, 360),
    fps: float = 20.0,
    speed: float = 1.0,
    quality: Quality = QUICK,
    progress: Progress | None = None,
) -> int:
    """Film these acts to a `.gif` or `.mp4` file, motion shown at `speed` times real time, and give the number of frames.

    The file is there wholly or not at all. `progress` is called with the frames done and all frames. Raises `UnknownFormat` for another
    ending, `MissingExtra` for MP4 without the `video` extra, `BadPicture` for a size that can't be, `NoGraphics`, `UnwritableFile`;
    ValueError without acts.
    """
    check_film_file(path, size)
    shots = [shot for act in acts for shot in act_shots(act, speed=speed)]
    with Film(shots, size=size, fps=fps, quality=quality) as film:
        write_film(film, path, progress=progress)
        return len(film)


def act_shots(act: FilmAct, *, speed: float = 1.0) -> Iterator[Shot]:
    """The shots that show an act."""
    rest_s = _FALLEN_REST_S if act.fallen else _REST_S
    if act.track is not None:
        tower = act.before if act.placement is None else act.before.with_piece(act.placement)
        yield Shot(tower, track=act.track, slowness=1 / speed, hold_s=rest_s, caption=act.caption)
    elif act.placement is not None and len(act.after.laid) > len(act.before.laid):
        yield Shot(act.after, arriving=len(act.before.laid), arrive_s=_ARRIVE_S, hold_s=rest_s, caption=act.caption)
    else:
        yield Shot(act.after, hold_s=max(rest_s, 1.0), caption=act.caption)
