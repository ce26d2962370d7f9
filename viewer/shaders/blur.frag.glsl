#version 330 core
// One direction of two Gaussian blurs. A stride is the step between taps in texture coordinates; the deviation is three steps.
// Two taps are had with one look-up between them, weighted by where it is.
uniform sampler2D near;
uniform sampler2D far;
uniform vec2 near_stride;
uniform vec2 far_stride;

in vec2 screen;
layout(location = 0) out vec2 near_blurred;
layout(location = 1) out vec2 far_blurred;

float weight(float tap) { return exp(-tap * tap / 18.0); }

vec2 blur(sampler2D source, vec2 stride) {
    vec2 here = screen * 0.5 + 0.5;
    vec2 sum = texture(source, here).rg;
    float weights = 1.0;
    for (int pair = 0; pair < 4; ++pair) {
        float tap = 2.0 * float(pair) + 1.0, inner = weight(tap), outer = pair < 3 ? weight(tap + 1.0) : 0.0;
        vec2 step = stride * (tap + outer / (inner + outer));
        sum += (inner + outer) * (texture(source, here + step).rg + texture(source, here - step).rg);
        weights += 2.0 * (inner + outer);
    }
    return sum / weights;
}

void main() {
    near_blurred = blur(near, near_stride);
    far_blurred = blur(far, far_stride);
}
