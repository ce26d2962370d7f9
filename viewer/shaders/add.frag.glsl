#version 330 core
// Adds one sample to the sum, by blending.
uniform sampler2D sample_picture;

out vec4 colour;

void main() { colour = texelFetch(sample_picture, ivec2(gl_FragCoord.xy), 0); }
