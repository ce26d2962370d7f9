#version 330 core
// One direction of a Gaussian blur; `stride` is the step between taps in texture coordinates, the deviation is three steps.
uniform sampler2D source;
uniform vec2 stride;

in vec2 screen;
out vec2 blurred;

void main() {
    vec2 here = screen * 0.5 + 0.5;
    vec2 sum = vec2(0.0);
    float weights = 0.0;
    for (int tap = -7; tap <= 7; ++tap) {
        float weight = exp(-float(tap * tap) / 18.0);
        sum += weight * texture(source, here + float(tap) * stride).rg;
        weights += weight;
    }
    blurred = sum / weights;
}
