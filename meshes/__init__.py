"""What a piece is: lattice, piece sets, outlines, solids, export. Knows nothing of the other rooms."""
