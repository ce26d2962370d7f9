"""Saved matches, as a list to choose from, and free names for what players save."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from meshes.errors import UnwritableFile
from meshes.files import make_folder
from viewer.folders import free_path, matches_folder, pictures_folder

SUFFIX = ".stakd"


@dataclass(frozen=True, slots=True)
class Save:
    """What there is to know about a saved match without playing through it.

    `when` it was last written, local time. `pieces` laid so far in round `round`, `scores` by seat; `winners` only once it is `over`. Card
    games lay no pieces, and the scores of Sunny Day Sardines stay 0 until it is over, as they are hidden.
    `defect`, if not None, says why the file can't be used; all but `path` and `when` are then empty.
    """

    path: Path
    when: datetime
    names: tuple[str, ...] = ()
    bots: tuple[str | None, ...] = ()
    round: int = 1
    scores: tuple[int, ...] = ()
    pieces: int = 0
    acts: int = 0
    over: bool = False
    winners: tuple[str, ...] = ()
    defect: str | None = None
    game: str = "stakd"


class Export(StrEnum):
    """What players can save from the window, by the ending of the file."""

    PNG = "png"
    GIF = "gif"
    MP4 = "mp4"
    GLB = "glb"
    STL = "stl"
    THREE_MF = "3mf"


def new_save_path(now: datetime) -> Path:
    """A free name for a match begun `now`; its folder is there then. Raises `UnwritableFile`."""
    return free_path(make_folder(matches_folder()), f"{now:%Y-%m-%d %H-%M-%S}", SUFFIX)


def export_path(kind: Export, now: datetime) -> Path:
    """A free name for a picture, film or model saved `now`; its folder is there then. Raises `UnwritableFile`."""
    return free_path(make_folder(pictures_folder()), f"stakd {now:%Y-%m-%d %H-%M-%S}", f".{kind}")


def list_saves(folder: Path | None = None) -> list[Save]:
    """All matches in `folder` (default: `matches_folder()`), the last played first; damaged ones are among them, with their defect.

    Seals are checked, rules are not: loading does that. A file is read again only if it has changed.
    """
    return [*_glances(folder)]


def latest_unfinished(folder: Path | None = None) -> Save | None:
    """The match played last, if there is a sound one that is not over; older files are not read."""
    return next((save for save in _glances(folder) if save.defect is None and not save.over), None)


def delete_save(path: Path) -> None:
    """Remove a saved match; it is well if it is gone already. Raises `UnwritableFile`."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise UnwritableFile(path, f"it can't be deleted ({error.strerror or error})") from error


class _Order(BaseModel):
    points: int


class _Event(BaseModel):
    type: str
    player: int = 0
    order: _Order | None = None
    round: int = 1
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()


class _Act(BaseModel):
    round: int
    kind: str
    events: tuple[_Event, ...]


def _glances(folder: Path | None) -> Iterator[Save]:
    """Each save, the last written first, read when it is asked for."""
    found = []
    for path in (folder or matches_folder()).glob(f"*{SUFFIX}"):
        with suppress(OSError):  # deleted since the folder was listed, or a link to nowhere
            status = path.stat()
            found.append((status.st_mtime_ns, path, status.st_size))
    return (_glance(path, changed_ns, size) for changed_ns, path, size in sorted(found, reverse=True))


@lru_cache(maxsize=512)
def _glance(path: Path, changed_ns: int, size: int) -> Save:
    """A save as it was when its file had this time and size."""
    from games.card_record import is_card_record
    from games.sealing import BadRecord, LineFault, file_text, sealed_lines

    when = _moment(changed_ns)
    try:
        text = file_text(path)
        lines = (content for _, content in sealed_lines(path.name, text))
        return _card_save(path, when, lines) if is_card_record(text) else _save(path, when, lines)
    except (BadRecord, LineFault) as error:
        return Save(path, when, defect="; ".join(f"{d.where}: {d.message}" if d.where else d.message for d in error.defects))
    except (ValidationError, IndexError) as error:
        return Save(path, when, defect=f"an act is not what an act should be ({type(error).__name__})")


def _moment(changed_ns: int) -> datetime:
    """When a file was written; some systems keep times that no calendar has, which then count as the oldest."""
    try:
        return datetime.fromtimestamp(changed_ns / 1e9).astimezone()
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0).astimezone()


def _save(path: Path, when: datetime, lines: Iterator[dict[str, Any]]) -> Save:
    """A match of STAKD, from the content of its lines."""
    # records know physics, which takes its time to import: not before it is wanted
    from games.record_lines import read_header

    seats = read_header(next(lines)).seats
    names = tuple(seat.name for seat in seats)
    return Save(path, when, names, tuple(seat.bot for seat in seats), **_progress(names, map(_Act.model_validate, lines)))


def _card_save(path: Path, when: datetime, lines: Iterator[dict[str, Any]]) -> Save:
    """A match of a card game, from the content of its lines."""
    from games.card_record import read_card_header

    setup = read_card_header(next(lines))
    names = tuple(seat.name for seat in setup.seats)
    number, done, orders, winners = 1, 0, [0] * len(names), None
    scores: tuple[int, ...] = (0,) * len(names)
    for done, act in enumerate(map(_Act.model_validate, lines), 1):  # noqa: B007 - the last is their count
        for event in act.events:
            if event.type == "round_over":
                scores = event.scores
            elif event.type == "dealt":
                number = event.round
            elif event.type == "filled" and event.order is not None:
                orders[event.player] += event.order.points
            elif event.type == "game_over":
                winners = tuple(names[winner] for winner in event.winners)
    if setup.game == "sardines" and winners is not None:
        scores = tuple(orders)
    bots = tuple(seat.bot for seat in setup.seats)
    return Save(path, when, names, bots, number, scores, 0, done, winners is not None, winners or (), game=setup.game)


def _progress(names: tuple[str, ...], acts: Iterable[_Act]) -> dict[str, Any]:
    """How far the acts have brought the match: the fields of `Save` that tell."""
    number, pieces, done, ended = 1, 0, 0, 0
    scores: tuple[int, ...] = (0,) * len(names)
    winners: tuple[str, ...] = ()
    over = False
    for done, act in enumerate(acts, 1):  # noqa: B007 - the last is their count
        pieces = (pieces if act.round == number else 0) + (act.kind == "placed")
        number = act.round
        for event in act.events:
            if event.type == "round_over":
                ended, scores = event.round, event.scores
            elif event.type == "game_over":
                over, winners = True, tuple(names[winner] for winner in event.winners)
    if ended >= number and not over:
        number, pieces = ended + 1, 0
    return {"round": max(number, ended), "scores": scores, "pieces": pieces, "acts": done, "over": over, "winners": winners}
