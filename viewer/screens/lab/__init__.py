"""The piece lab: look at a mesh, move the table under a stack, change sizes."""
