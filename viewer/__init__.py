"""What people see: 3D scene, pictures and films; later the window."""
