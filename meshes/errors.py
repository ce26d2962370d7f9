"""The root of the error tree. Every error a user can cause is a `StakdError`, says what to do, and ends a command with exit status 2."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_MOST_TOLD = 30
"""So many defects fill a screen; a broken file can have thousands."""


def harmless(text: object) -> str:
    """What quotes something given to us, without signs that a terminal would obey; lines stay lines."""
    return "".join(sign if sign.isprintable() or sign == "\n" else "\N{REPLACEMENT CHARACTER}" for sign in str(text))


class StakdError(Exception):
    """Root of all errors of this program; the message names the thing, says why and what to do."""

    exit_status = 2
    """What a command that ends with this error gives back to the shell."""

    def __reduce__(self) -> tuple[object, ...]:
        """For its way back from another process: as it is, not made anew from its words."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[StakdError], words: tuple[object, ...], state: dict[str, object]) -> StakdError:
    error = kind.__new__(kind, *words)
    error.__dict__.update(state)
    return error


@dataclass(frozen=True, slots=True)
class Defect:
    """One thing wrong with something given to us.

    `code` is a stable short name (`unknown-key`), `where` names the place inside the thing (`pieces.DUO.cells`),
    `message` says why it is wrong and what would be right.
    """

    code: str
    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message} [{self.code}]" if self.where else f"{self.message} [{self.code}]"

    def to_json(self) -> dict[str, str]:
        """Plain data."""
        return {"code": self.code, "where": self.where, "message": self.message}


class DefectiveInput(StakdError):
    """Something given to us has one or more defects; all of them are listed in `defects`, the message tells the first of them."""

    kind = "input"

    def __init__(self, subject: str, defects: Iterable[Defect]) -> None:
        self.subject = subject
        self.defects = tuple(defects)
        lines = [f"\n  - {defect}" for defect in self.defects[:_MOST_TOLD]]
        if len(self.defects) > _MOST_TOLD:
            lines.append(f"\n  … and {len(self.defects) - _MOST_TOLD} more; mend these first")
        super().__init__(f"{self.kind} {subject} can't be used:{''.join(lines)}")


class BadPieceSet(DefectiveInput):
    """A piece set breaks its own rules."""

    kind = "piece set"


class BadMesh(DefectiveInput):
    """A mesh can't be a piece."""

    kind = "mesh"


class UnknownPiece(StakdError):
    """A piece is asked for that the set does not have."""

    def __init__(self, name: str, set_name: str, known: tuple[str, ...]) -> None:
        self.name, self.set_name, self.known = name, set_name, known
        super().__init__(f"the set {set_name} has no piece {name}; it has {', '.join(known)}")


class UnwritableFile(StakdError):
    """A file could not be written; what was there before is untouched."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"can't write {path}: {reason}")


class UnknownFormat(StakdError):
    """A file name does not end in a form we write."""

    def __init__(self, path: Path, known: Iterable[str]) -> None:
        self.path, self.known = path, tuple(known)
        super().__init__(f"can't tell the format of {path}: end the name in {', '.join(self.known)}")


class EmptyExport(StakdError):
    """There is no piece to write."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"nothing to write to {path}: the tower has no pieces; lay one first")


class PlateTooSmall(StakdError):
    """A piece does not fit on a print plate, turned or not. Sizes are (x, y) in mm, the gaps included."""

    def __init__(self, piece: str, needed_mm: tuple[float, float], plate_mm: tuple[float, float]) -> None:
        self.piece, self.needed_mm, self.plate_mm = piece, needed_mm, plate_mm
        needed, plate = ("{:g} × {:g} mm".format(*(round(side, 1) for side in size)) for size in (needed_mm, plate_mm))
        super().__init__(f"{piece} needs {needed} and the plate is {plate}: give a larger plate or a smaller gap")


class MissingExtra(StakdError):
    """A feature needs an optional package that is not installed; the message holds the line that installs it."""

    def __init__(self, feature: str, package: str, extra: str) -> None:
        self.feature, self.package, self.extra = feature, package, extra
        super().__init__(f"{feature} needs {package}, which is not installed: pip install 'stakd[{extra}]'")
