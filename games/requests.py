"""The params of each method of the engine protocol, with their checks."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Seed = Annotated[int, Field(ge=0, le=2**63 - 1)]
Seat = Annotated[int, Field(ge=0, le=2**31)]
_Positive = Annotated[int, Field(ge=1, le=10**9)]
_Number = Annotated[float, Field(allow_inf_nan=False, ge=-1e6, le=1e6)]


class Params(BaseModel):
    """No params, and the ground of all others: a key that is not known and a value of another kind are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NewParams(Params):
    game: str
    players: int
    seed: Seed
    options: dict[str, Any] = {}


class LoadParams(Params):
    state: dict[str, Any]
    seed: Seed = 0


class SeatParams(Params):
    player: Seat


class OptionalSeatParams(Params):
    player: Seat | None = None


class MoveParams(OptionalSeatParams):
    move: str


class BotParams(OptionalSeatParams):
    name: str
    milliseconds: _Positive | None = None
    iterations: _Positive | None = None
    seed: Seed = 0


class PerftParams(Params):
    depth: Annotated[int, Field(ge=0)]


class JudgeParams(Params):
    piece: str
    x_mm: _Number
    y_mm: _Number
    yaw_deg: _Number
    layer: Annotated[int, Field(ge=0, le=10_000)] | None = None
