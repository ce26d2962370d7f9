"""The Bullet engine: how it is opened and set so that slender towers stand."""

from __future__ import annotations

from dataclasses import dataclass

from physics.bullet import pybullet
from physics.units import LENGTH

TOUCH_MM = 0.07
"""Contact points farther apart than this are dropped; less than the gap between neighbours, which would cost time. The engine keeps one
such value for the whole process, so it must be the same in every world."""
BOUNCE_MM_S = 50.0
"""Bodies that meet more slowly do not bounce."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the engine works. The defaults let towers of 50 pieces in 28 layers sway by at most 0.6 mm, `FINE` by half of that.

    `ramp_s`: seconds over which gravity grows to its full size in a fresh world, so that a tower takes its load gently.
    `damping`: share of its speed a body loses in a second.
    """

    steps_per_second: int = 960
    iterations: int = 30
    warm_start: float = 0.85
    damping: float = 0.04
    ramp_s: float = 0.25


DEFAULT = Settings()
"""What acts and knocks use while everything stands."""

FINE = Settings(iterations=100)
"""For a witness rather than a show: slender columns sway less, at 1.5 times the cost."""

BRISK = Settings(steps_per_second=480, iterations=20)
"""For things that fall, and for what tips after a blow: less than half the work; what still stands meanwhile sways by up to 1 mm (47 to 51 pieces in
18 layers, 4 s)."""


_idle: list[int] = []
"""Empty engines kept for the next world, as opening one takes longer than many an act."""
_MOST_IDLE = 2


def open_engine(settings: Settings) -> int:
    """An engine without bodies; returns its client number, to be given to `close_engine`."""
    try:
        client: int = _idle.pop()
    except IndexError:
        client = pybullet.connect(pybullet.DIRECT)
    set_engine(client, settings)
    return client


def close_engine(client: int) -> None:
    """Give an engine back with all that is in it. An emptied one works on as a new one does, bit for bit."""
    if len(_idle) < _MOST_IDLE:
        pybullet.resetSimulation(physicsClientId=client)
        _idle.append(client)
    else:
        pybullet.disconnect(client)


def set_engine(client: int, settings: Settings) -> None:
    """Make an engine work as `settings` say from now on (damping and ramp are the world's business)."""
    pybullet.setPhysicsEngineParameter(
        fixedTimeStep=1 / settings.steps_per_second,
        numSolverIterations=settings.iterations,
        warmStartingFactor=settings.warm_start,
        solverResidualThreshold=0,
        deterministicOverlappingPairs=1,
        contactBreakingThreshold=TOUCH_MM * LENGTH,
        restitutionVelocityThreshold=BOUNCE_MM_S * LENGTH,
        physicsClientId=client,
    )
