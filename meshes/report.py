"""Reports on a piece set: sizes and weights of its pieces, as data and as a table."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from meshes.piece_set import PieceSet, PieceType
from meshes.solid import build_solid


def set_report(piece_set: PieceSet) -> dict[str, Any]:
    """Everything about a set as plain data; lengths in mm, volumes in cm³, masses in g."""
    return {
        "name": piece_set.name,
        "title": piece_set.title,
        "lattice": piece_set.lattice.value,
        "pitch_mm": piece_set.pitch_mm,
        "radius_mm": piece_set.radius_mm,
        "thickness_mm": piece_set.thickness_mm,
        "bevel_mm": piece_set.bevel_mm,
        "density_g_cm3": piece_set.density_g_cm3,
        "friction": piece_set.friction,
        "restitution": piece_set.restitution,
        "base": piece_set.base.name,
        "pieces": [piece_report(piece_set, piece) for piece in piece_set.pieces],
        "notes": list(piece_set.notes),
        "hands": {str(n): piece_set.hand(n) for n in range(1, piece_set.max_players + 1)},
    }


def piece_report(piece_set: PieceSet, piece: PieceType) -> dict[str, Any]:
    """One piece as plain data: nodes, outer size, volume, mass and where its centre of mass is."""
    solid = build_solid(piece_set, piece)
    return {
        "name": piece.name,
        "letter": piece.letter,
        "nodes": len(piece.cells),
        "cells": [list(cell) for cell in piece.cells],
        "count": piece.count,
        "size_mm": [round(float(extent), 3) for extent in solid.mesh.extents],
        "volume_cm3": round(float(solid.mesh.volume) / 1000, 4),
        "mass_g": round(solid.mass_g, 4),
        "centre_mm": [round(float(value), 4) for value in solid.centre_mm],
        "convex": len(solid.parts) == 1,
        "mesh_triangles": None if piece.mesh is None else len(piece.mesh.faces),
    }


def set_table(piece_set: PieceSet) -> Table:
    """The pieces of a set as a table for people."""
    caption = f"{piece_set.lattice.value} lattice, pitch {piece_set.pitch_mm:g} mm, {piece_set.thickness_mm:g} mm thick, "
    caption += f"{sum(piece.count for piece in piece_set.pieces)} pieces, 1–{piece_set.max_players} players"
    caption += "".join(f"\n{note}" for note in piece_set.notes)
    table = Table(title=piece_set.title, caption=caption)
    for heading in ("piece", "letter", "nodes", "in the box", "size mm", "weight g", "shape"):
        table.add_column(heading, justify="right" if heading in ("nodes", "in the box", "weight g") else "left")
    for piece in piece_set.pieces:
        facts = piece_report(piece_set, piece)
        size = " × ".join(f"{extent:.1f}" for extent in facts["size_mm"])
        shape = "convex" if facts["convex"] else "concave"
        shape += f", mesh of {facts['mesh_triangles']} triangles" if facts["mesh_triangles"] else ""
        table.add_row(piece.name, piece.letter, str(facts["nodes"]), str(piece.count), size, f"{facts['mass_g']:.1f}", shape)
    return table
