"""What a mesh file may ask for at most. Beyond any of these it is refused, and the refusal names the limit."""

from __future__ import annotations

MOST_BYTES = 192 * 2**20
"""Size of a mesh file, of a file it names, and of what is unpacked from it in all."""
MOST_FACES = 500_000
"""Triangles in a file, instances counted; known from header or size before the rest is read, where the format tells."""
MOST_CORNERS = 1_500_000
"""Corners in a file."""
MOST_LINES = 6_000_000
"""Lines of a text file, empty ones included."""
MOST_PARTS = 100
"""Parts in a file."""
MOST_SHELLS = 500
"""Closed surfaces, or loose ones, in a part."""
MOST_CROSSINGS = 50_000_000
"""Faces that are looked at to tell which surfaces of a part lie within one."""
MOST_NEAR = 50_000_000
"""Edges and flat faces near one another that are looked at to tell whether a surface goes through itself."""
MOST_NODES = 10_000
"""Nodes of a scene, objects and components of a model."""
MOST_DEPTH = 100
"""Components of a model within one another."""
MOST_MEMBERS = 2000
"""Files in an archive."""
MOST_RATIO = 200
"""How many times its packed size a file in an archive may unpack to, once it is larger than `RATIO_FROM_BYTES`."""
RATIO_FROM_BYTES = 2**20
MOST_JSON_BYTES = 32 * 2**20
"""Size of the JSON of a glTF file, embedded data included."""
MOST_CORNERS_OF_A_FACE = 10_000
"""Corners of one polygon."""
MOST_CUTTING = 500_000_000
"""Squares of the corners of all polygons that are not convex, summed: what cutting them into triangles may take."""

FARTHEST = 1e9
"""How far from the origin a corner may be, in the file's unit: beyond, nothing can be reckoned."""

LIKELY_MM = (10.0, 200.0)
"""A piece is likely this much across; what the unit of a file that does not tell is inferred from."""
SMALLEST_MM = 1.0
"""Nothing smaller across can be a piece."""
LARGEST_MM = 1000.0
"""Nothing larger across can be a piece."""
THINNEST_MM = 0.01
"""What is thinner is flat."""
WELD_MM = 0.01
"""Corners on open edges that are at most this far apart are one."""
THROUGH_MM = 0.005
"""Faces of a surface that go less than this through one another touch."""
FLAT_SHARE = 1e-9
"""A surface that encloses less of its bounding cube than this encloses nothing."""
