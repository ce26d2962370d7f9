// A table of beech planks.
uniform sampler2D wood;
uniform float wood_scale;
uniform float blur_bias;

const float PLANK = 96.0;    // mm
const float LENGTH = 1150.0;
const mat2 LAY = mat2(0.9336, 0.3584, -0.3584, 0.9336);

// 0-1, the same for the same place, else at random.
float hash(vec2 at) {
    vec3 p = fract(vec3(at.xyx) * 0.1031);
    p += dot(p, p.yzx + 33.33);
    return fract((p.x + p.y) * p.z);
}

vec3 planks(vec2 at, vec2 dx, vec2 dy, out float sheen) {
    float row = floor(at.y / PLANK);
    float start = at.x + LENGTH * hash(vec2(row, 3.0));
    vec2 plank = vec2(floor(start / LENGTH), row);
    vec2 within = vec2(start - plank.x * LENGTH, at.y - row * PLANK);
    float h1 = hash(plank), h2 = fract(57.31 * h1), h3 = fract(191.7 * h1);
    float scale = wood_scale * 0.62, sharper = exp2(blur_bias);
    vec2 uv = at * vec2(0.55, 1.0) * scale + vec2(h1, h2);
    vec2 squash = vec2(0.55, 1.0) * scale * sharper;
    vec4 grain = textureGrad(wood, uv, dx * squash, dy * squash);
    float tone = grain.r - 0.5;
    vec3 beech = mix(vec3(0.58, 0.395, 0.225), vec3(0.52, 0.330, 0.172), h3);
    vec3 albedo = beech * (1.0 + 0.62 * tone - 0.22 * grain.g + 0.20 * (grain.a - 0.5)) * (0.95 + 0.10 * h2);
    float pixel = length(abs(dx) + abs(dy)) * 0.5;
    float gap = min(min(within.y, PLANK - within.y), min(within.x, LENGTH - within.x));
    float seam = (1.0 - smoothstep(0.35 - pixel, 0.35 + pixel, gap)) * min(1.0, 0.7 / max(pixel, 0.35));
    sheen = 1.0 - 0.8 * seam + 0.35 * tone;
    return albedo * (1.0 - 0.62 * seam);
}
