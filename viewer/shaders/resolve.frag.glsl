#version 330 core
// The mean of all samples, developed.
#include "film.glsl"

uniform sampler2D samples;
uniform float share;  // 1 / number of samples
uniform float exposure;

in vec2 screen;
out vec4 colour;

void main() { colour = vec4(developed(texelFetch(samples, ivec2(gl_FragCoord.xy), 0).rgb * share * exposure, screen), 1.0); }
