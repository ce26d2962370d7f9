"""Reading mesh files: one module a format, and those that guard, mend, measure and split what they read. `meshes.mesh_file` is the way in."""
