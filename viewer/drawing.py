"""Drawing files: a tower, position or record becomes a picture or a film. What `stakd render` does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from games.match import ActKind, Match, MatchAct, Table
from games.progress import progress_bar
from games.record import load_record
from games.tower_file import load_table
from games.words import tell
from meshes.errors import StakdError
from physics.tower import Tower
from physics.track import PoseTrack
from physics.watch import KnockOver
from viewer.camera import Camera
from viewer.film import Film
from viewer.film_file import check_film_file, write_film
from viewer.fitting import fitted_camera
from viewer.picture import BadPicture, render, save_picture
from viewer.playback import LEAD_S
from viewer.shots import Shot

LEAST_SIDE, MOST_WIDE, MOST_HIGH = 64, 7680, 4320
HOLD_S, FALLEN_HOLD_S = 0.5, 1.5
"""How long a film rests on the end of an act, and of a fall."""


def parse_size(text: str) -> tuple[int, int]:
    """Pixels from `1280x720`; raises `BadPicture`."""
    form = re.fullmatch(r"([1-9][0-9]{1,4})[x×]([1-9][0-9]{1,4})", text)
    if form is None or not LEAST_SIDE <= int(form[1]) <= MOST_WIDE or not LEAST_SIDE <= int(form[2]) <= MOST_HIGH:
        limits = f"{LEAST_SIDE}x{LEAST_SIDE} to {MOST_WIDE}x{MOST_HIGH}"
        raise BadPicture(f"size {text}", f"a size is width x height in pixels, such as 1280x720, from {limits}")
    return int(form[1]), int(form[2])


def draw_picture(
    file: Path,
    output: Path | None,
    size: tuple[int, int],
    *,
    set_name: str | None = None,
    act: int | None = None,
    azimuth: float | None = None,
    elevation: float | None = None,
) -> dict[str, Any]:
    """Draw what `file` puts on the table to `output`, or beside it; azimuth and elevation of the camera in degrees. Tells what was drawn."""
    table = load_table(file, set_name=set_name, act=act)
    output = output or file.with_suffix(".png")  # of what can be read, so it has a name
    default = Camera()
    turned = replace(
        default,
        azimuth_deg=default.azimuth_deg if azimuth is None else azimuth,
        elevation_deg=default.elevation_deg if elevation is None else elevation,
    )
    camera = fitted_camera(table.tower, size, camera=turned)
    save_picture(render(table.tower, size=size, camera=camera, rest=hands_left(table)), output)
    return {"picture": str(output), "pieces": len(table.tower.laid), "layers": table.tower.layers}


def draw_film(file: Path, output: Path, size: tuple[int, int], *, whole: bool, speed: float, act: int | None, console: Console) -> dict[str, Any]:
    """Film the topple in a record (or act `act`, or with `whole` every act) to `output`, at `speed` times real time."""
    match = load_record(file)
    acts = match.acts if whole else [_filmed_act(match, str(file), act)]
    frames = film_shots([shot_of(match, entry, speed) for entry in acts], output, size=size, console=console)
    return {"film": str(output), "frames": frames, "acts": [entry.number for entry in acts]}


def film_shots(shots: Sequence[Shot], output: Path, *, size: tuple[int, int], console: Console) -> int:
    """Film shots one after the other; gives the number of frames. Raises `UnknownFormat`, `MissingExtra`, `UnwritableFile`."""
    check_film_file(output, size)
    with Film(shots, size=size) as film, progress_bar(console, "drawing the film") as report:
        write_film(film, output, progress=report)
        return len(film)


def shot_of(match: Match, act: MatchAct, speed: float) -> Shot:
    """An act as a stretch of film. Of a fall only what counts: from shortly before the first support is lost."""
    names = [seat.name for seat in match.setup.seats]
    before = match.table_before(act.number).tower
    tower = before.with_piece(act.placement) if act.placement else before
    if act.knock_over is None:
        arriving = len(before.laid) if act.placement and act.track is None else None
        return Shot(tower, track=act.track, arriving=arriving, slowness=1 / speed, hold_s=HOLD_S, caption=next(tell(act, names)))
    return fall_shot(tower, act.track, act.knock_over, speed)


def fall_shot(tower: Tower, track: PoseTrack | None, knock_over: KnockOver, speed: float) -> Shot:
    """A fall of `tower`, from shortly before the first support is lost."""
    fall = track.since(knock_over.first.seconds - LEAD_S) if track else None
    return Shot(tower, track=fall, slowness=1 / speed, hold_s=FALLEN_HOLD_S, caption=str(knock_over))


def hands_left(table: Table) -> list[dict[str, int]]:
    """What each player still holds, for the rack; nothing where it is not known."""
    if table.state is None:
        return []
    return [table.state.hand(player) for player in range(table.state.players)]


def _filmed_act(match: Match, name: str, act: int | None) -> MatchAct:
    """The act asked for, or the last one in which something fell."""
    if act is not None:
        chosen = match.act(act)
        if chosen.track is None:
            raise StakdError(f"act {act} of {name} has no motion to film; it was laid on the board. Choose another, or --whole")
        return chosen
    fallen = [entry for entry in match.acts if entry.kind is ActKind.KNOCKED_OVER]
    if not fallen:
        raise StakdError(f"nothing falls in {name}; name an act with --act N, or film every act with --whole")
    return fallen[-1]
