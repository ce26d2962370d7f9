"""Saving pictures, models and films in a process of its own, so that the window goes on meanwhile."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from games.worker_process import WorkerProcess
from meshes.errors import StakdError

if TYPE_CHECKING:  # the window's first picture must not wait for what only films need
    from meshes.piece_set import PieceSet
    from physics.tower import Tower
    from viewer.camera import Array, Camera
    from viewer.items import Item
    from viewer.shots import Shot

FILM_SIZE = (800, 450)
PICTURE_SIZE = (1920, 1080)


@dataclass(frozen=True, slots=True, eq=False)
class PictureOrder:
    """A picture of items at full quality; `lit` as `Stage.show` has it."""

    path: Path
    piece_set: PieceSet
    items: Sequence[Item]
    camera: Camera
    lit: Array | None = None
    size: tuple[int, int] = PICTURE_SIZE


@dataclass(frozen=True, slots=True)
class ModelOrder:
    """A tower as it stands, for other programs and for printers."""

    path: Path
    tower: Tower


@dataclass(frozen=True, slots=True)
class FilmOrder:
    """Shots one after the other; the camera looks from where `camera` does and follows by itself."""

    path: Path
    shots: Sequence[Shot]
    camera: Camera
    size: tuple[int, int] = FILM_SIZE
    fps: float = 20.0


Order = PictureOrder | ModelOrder | FilmOrder


@dataclass(frozen=True, slots=True)
class Exported:
    """The file is written."""

    path: Path


@dataclass(frozen=True, slots=True)
class ExportFailed:
    """Nothing was written; `message` says why, in one line."""

    message: str


class Exporter:
    """Writes one file at a time. `start` an order, then `poll` now and then until it gives a report."""

    def __init__(self) -> None:
        self._process: WorkerProcess | None = None
        self.progress = 0.0
        """Share of the order in hand that is done, 0–1."""
        self.order: Order | None = None
        """The order in hand."""

    @property
    def busy(self) -> bool:
        """Whether a file is being written."""
        return self.order is not None

    def start(self, order: Order) -> None:
        """Begin to write a file. Raises `StakdError` while another is written, or if no process can be; of a film what `check_film_file` finds."""
        if self.order is not None:
            raise StakdError("another file is being written; wait for it or cancel it")
        if isinstance(order, FilmOrder):
            from viewer.film_file import check_film_file

            check_film_file(order.path, order.size)
        self._process = WorkerProcess("stakd-export", _work, order)
        self.order, self.progress = order, 0.0

    def poll(self) -> Exported | ExportFailed | None:
        """The report, once there is one. Never blocks."""
        try:
            while self._process is not None and self._process.pipe.poll():
                heard = self._process.pipe.recv()
                if not isinstance(heard, float):
                    self.cancel()
                    return heard if isinstance(heard, Exported) else ExportFailed(str(heard))
                self.progress = heard
        except (EOFError, OSError):
            self.cancel()
            return ExportFailed("the process that writes the file ended unexpectedly")
        return None

    def cancel(self) -> None:
        """Drop the order in hand, if there is one; what was not finished is not there."""
        if self._process is not None:
            self._process.end()
        self._process = self.order = None

    close = cancel


def carry_out(order: Order, progress: Callable[[float], None]) -> None:
    """Write the file of an order here and now; `progress` is told the share done. Raises what drawing and writing raise, `StakdError` all."""
    if isinstance(order, FilmOrder):
        from viewer.film import Film
        from viewer.film_file import write_film

        with Film(order.shots, size=order.size, fps=order.fps, camera=order.camera) as film:
            write_film(film, order.path, progress=lambda done, count: progress(done / count))
    elif isinstance(order, PictureOrder):
        from viewer.picture import Darkroom, save_picture

        with Darkroom(order.piece_set, order.size) as darkroom:
            save_picture(darkroom.shoot(order.items, order.camera, lit=order.lit), order.path)
    else:
        from meshes.export import export_tower

        tower = order.tower
        export_tower(tower.piece_set, [(tower.piece_type(i), laid.pose.transform) for i, laid in enumerate(tower.laid)], order.path)


def _work(pipe: Connection, order: Order) -> None:
    """Carry out an order, and report."""
    if hasattr(os, "nice"):
        os.nice(5)
    report: Exported | str
    try:
        carry_out(order, lambda share: pipe.send(float(share)))
        report = Exported(order.path)
    except Exception as error:  # noqa: BLE001 – whatever it is, the player hears of it
        report = " ".join(str(error).split()) or repr(error)
    with suppress(OSError):
        pipe.send(report)
