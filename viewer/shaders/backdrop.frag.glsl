#version 330 core
// The part of the picture above the table, which software OpenGL draws much faster without a table in its shader.
in vec2 screen;

#include "exposed.glsl"
#include "backdrop.glsl"

out vec4 colour;

void main() { colour = vec4(exposed(backdrop()), 1.0); }
