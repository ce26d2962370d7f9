"""The 2D layer: Dear ImGui with a look of our own, drawn by moderngl."""
