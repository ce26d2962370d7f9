#version 330 core
// Each texel averaged with those around, so that the pattern of the taps of a shadow's edge does not show.
uniform sampler2D source;

in vec2 screen;
out vec2 softened;

void main() {
    vec2 here = screen * 0.5 + 0.5, step = 0.75 / vec2(textureSize(source, 0));
    softened = 0.25 * (texture(source, here + step).rg + texture(source, here - step).rg
        + texture(source, here + vec2(step.x, -step.y)).rg + texture(source, here + vec2(-step.x, step.y)).rg);
}
