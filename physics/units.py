"""Units: the one place that turns mm, grams, seconds and newtons into the units of the Bullet world and back.

Bullet is written for bodies of about a metre, so the world is a scale model, `SCALE` times as large as the table. Mass and time
stay as they are; lengths, speeds and gravity grow by the scale, forces with them, torques and moments of inertia by its square.
Everything in the model then happens at the moment it happens on the table.
"""

from __future__ import annotations

SCALE = 30.0
"""World lengths per metre of the table."""

GRAVITY_MM_S2 = 9806.65
"""Standard gravity, mm/s²."""

LENGTH = SCALE / 1000.0
"""World units per mm; also per mm/s of speed and per mm/s² of acceleration."""
MASS = 1 / 1000.0
"""World units per gram."""
FORCE = SCALE
"""World units per newton; also per newton-second of impulse."""
TORQUE = SCALE * SCALE / 1000.0
"""World units per newton-millimetre."""
INERTIA = MASS * LENGTH * LENGTH
"""World units per g·mm²."""

DYNAMIC = 1e-6
"""N·s²/mm per gram, and N·mm·s² per g·mm²: what makes newtons of grams times mm/s²."""


def weight_n(mass_g: float) -> float:
    """Weight of a mass in newtons."""
    return mass_g * DYNAMIC * GRAVITY_MM_S2
