#version 330 core
// A piece of painted beech: grain under the paint, bare wood where the edges are worn, a ring and a letter printed at each node.
#include "light.glsl"

uniform sampler2D wood;      // long grain, flecks, end grain, mottling
uniform sampler2D letters;   // distance fields
uniform float wood_scale;    // 1 / mm
uniform float blur_bias;     // negative: sharper, when many samples are averaged
uniform bool is_hex;
uniform float pitch;         // mm
uniform float node_radius;   // mm
uniform float letter_count;
uniform float thickness;     // mm
uniform float bevel;         // mm

in vec3 place;
in vec3 normal;
in vec3 local_place;
in vec3 local_normal;
flat in vec3 upward;  // the piece's own up
flat in vec4 paint;
flat in vec4 glow;
flat in vec4 grain;
out vec4 colour;

// From the middle of the nearest node, mm.
vec2 from_node(vec2 at) {
    if (!is_hex) return at - pitch * round(at / pitch);
    float r = at.y / (pitch * 0.8660254), q = at.x / pitch - 0.5 * r;
    vec3 cube = vec3(q, r, -q - r), whole = round(cube), off = abs(whole - cube);
    if (off.x > off.y && off.x > off.z) whole.x = -whole.y - whole.z;
    else if (off.y > off.z) whole.y = -whole.x - whole.z;
    return at - pitch * vec2(whole.x + 0.5 * whole.y, 0.8660254 * whole.y);
}

// Distance field of the print, mm, positive inside: a letter within a thin ring.
float print_distance(vec2 at) {
    float ring = 0.028 * node_radius - abs(length(at) - 0.74 * node_radius);
    float tile = 1.45 * node_radius;  // a capital is 0.6 of it
    vec2 uv = at / tile + 0.5;
    if (any(lessThan(uv, vec2(0.02))) || any(greaterThan(uv, vec2(0.98)))) return ring;
    float field = texture(letters, vec2((uv.x + paint.a) / letter_count, uv.y)).r;
    return max(ring, (field - 0.5) * 2.0 * 0.16 * tile);
}

void main() {
    vec3 own = normalize(local_normal), face = normalize(normal);
    if (LIVE == 1 && abs(own.z) < 0.5) {  // coarse meshes have no bevels: bend the light as if they had
        float at = local_place.z / thickness, edge = clamp(1.0 - thickness * min(at, 1.0 - at) / (1.5 * bevel + 0.01), 0.0, 1.0);
        face = normalize(face + upward * edge * (at > 0.5 ? 0.9 : -0.9));
    }
    own = abs(own);
    float flatness = smoothstep(0.75, 0.95, own.z);
    float along = local_normal.x * local_normal.x / max(1e-4, dot(local_normal.xy, local_normal.xy));
    float end = (1.0 - flatness) * smoothstep(0.35, 0.85, along);

    vec2 top_uv = (local_place.xy + grain.xy) * wood_scale;
    vec2 side_uv = (vec2(local_place.x, local_place.z * 1.3 + 40.0) + grain.xy) * wood_scale;
    vec2 end_uv = (local_place.yz * 1.2 + grain.yx) * wood_scale;
    vec2 uv = own.z > 0.5 ? top_uv : side_uv;
    vec4 long_grain = texture(wood, uv, blur_bias);
    float cut = end > 0.0 ? texture(wood, end_uv, blur_bias).b - 0.10 : 0.0;
    float tone = mix(long_grain.r, cut, end) - 0.5;
    float fleck = long_grain.g * (1.0 - end);
    float mottle = long_grain.a - 0.5;

    vec3 beech = vec3(0.62, 0.41, 0.235) * (1.0 + 0.9 * tone - 0.35 * fleck);
    float grained = 1.0 + grain.w * (0.85 * tone - 0.22 * fleck + 0.22 * mottle) - 0.10 * end;
    vec3 albedo = paint.rgb * 0.92 * grained * grain.z;
    float edge = smoothstep(0.30, 0.62, own.z) * (1.0 - smoothstep(0.80, 0.97, own.z));
    float worn = edge * smoothstep(0.08, 0.30, mottle + 0.35 * tone + 0.08);
    albedo = mix(albedo, beech, 0.5 * worn * smoothstep(-0.2, 0.3, normal.z));

    float printed = 0.0;
    if (own.z > 0.9) {
        vec2 at = from_node(local_place.xy);
        if (local_normal.z < 0.0) at.x = -at.x;
        float distance = print_distance(at);
        float soft = 0.6 * length(fwidth(local_place.xy)) * 0.7071 + 0.01;
        printed = smoothstep(-soft, soft, distance);
        float light = dot(paint.rgb, vec3(0.2126, 0.7152, 0.0722));
        vec3 ink = light > 0.36 ? vec3(0.13, 0.075, 0.035) : vec3(0.86, 0.80, 0.68);
        albedo = mix(albedo, ink * (1.0 + 0.5 * tone), printed * 0.88);
    }
    bool ghost = glow.a > 1.5;
    if (ghost) albedo = mix(albedo, glow.rgb * (1.0 + tone), 0.8 - 0.5 * printed);
    vec3 lit = shade(albedo, face, place, 0.36 + 0.10 * tone, ghost ? 0.3 : 1.0 - 0.35 * end);
    float opacity = 1.0;
    if (glow.a > 0.0) {
        float rim = 1.0 - max(dot(face, normalize(eye - place)), 0.0);
        lit = mix(lit, glow.rgb, 0.22) + glow.rgb * (ghost ? 0.25 : 0.9) * rim * rim;
        if (ghost) opacity = mix(LIVE == 1 ? 0.60 : 0.66, 0.9, max(0.6 * rim * rim, max(edge, printed)));
    }
    colour = vec4(exposed(lit), opacity);
}
