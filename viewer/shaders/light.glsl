// The studio: a warm key light with true penumbras, a soft sky, the light the table throws back, and what varnish mirrors of it all.
uniform vec3 eye;
// LIGHTS   directions of the lamp (and of the sky, if it is traced) in a sample
// TAPS     shadow look-ups a lamp direction; 1: many lights make the penumbra, more: taps do
// TRACED   1: the sky's light has shadow maps, 0: it is guessed from blurred heights
#include "exposed.glsl"

uniform vec3 key_direction[LIGHTS];    // towards points of the lamp
uniform vec3 key_colour;
uniform vec3 sky_direction[LIGHTS];
uniform mat4 light_matrix[2 * LIGHTS];  // table frame to a tile of the shadow map, 0-1: lamp first, then sky
uniform float tiles;                        // in the map, side by side
uniform sampler2DShadow shadow_map;
uniform sampler2D shadow_depths;            // the same map, read as plain depths
uniform float key_spread;                   // width of the penumbra, in tiles, a unit of depth behind the edge
uniform sampler2D near_heights;
uniform sampler2D far_heights;
uniform vec4 heights_frame;  // corner x, y and 1 / sides of the map of heights, mm
uniform vec2 reaches;        // deviation of the two blurs, mm
uniform vec3 pool;           // middle x, y and radius of the lit part of the table, mm
uniform float turn;          // rotates the taps from sample to sample
uniform float lift;          // how far a point is moved off its surface before a shadow map is asked, mm

const mat2 GOLDEN_TURN = mat2(-0.7373688, 0.6754903, -0.6754903, -0.7373688);
const float SKY = 0.50;
const vec3 TABLE_BOUNCE = vec3(0.46, 0.285, 0.155);

bool inside(vec3 at) { return all(greaterThan(at, vec3(0.0))) && all(lessThan(at, vec3(1.0))); }

float shadow_tap(vec3 at, int tile) { return texture(shadow_map, vec3((clamp(at.x, 0.0, 1.0) + float(tile)) / tiles, at.y, at.z)); }

// Taps on a spiral, turned differently in each pixel; as wide as the gap between what casts the shadow and what receives it makes it.
float soft_shadow(vec3 at, int tile) {
    float angle = 6.2832 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))) + turn);
    vec2 ray = vec2(cos(angle), sin(angle)), spiral[TAPS];
    float gap = 0.0, found = 0.0;
    for (int tap = 0; tap < TAPS; ++tap) {
        spiral[tap] = ray * sqrt((float(tap) + 0.5) / float(TAPS));
        ray = GOLDEN_TURN * ray;
        vec2 near = at.xy + spiral[tap] * key_spread * min(at.z, 0.3);
        float behind = at.z - texture(shadow_depths, vec2((clamp(near.x, 0.0, 1.0) + float(tile)) / tiles, near.y)).r;
        if (behind > 0.004) { gap += behind; found += 1.0; }
    }
    if (found == 0.0) return shadow_tap(at, tile);
    float radius = max(0.0015, key_spread * gap / found);
    float lit = 0.0;
    for (int tap = 0; tap < TAPS; ++tap) lit += shadow_tap(vec3(at.xy + spiral[tap] * radius, at.z), tile);
    return lit / float(TAPS);
}

// 1 where the light of this tile arrives.
float arrives(vec3 place, int tile) {
    vec3 at = (light_matrix[tile] * vec4(place, 1.0)).xyz;
    if (!inside(at)) return 1.0;
    return TAPS > 1 ? soft_shadow(at, tile) : shadow_tap(at, tile);
}

// Share of the surroundings that stands higher, and by how much, from mean and mean square of the heights around.
float hidden(sampler2D heights, vec3 place, vec3 normal, float reach) {
    vec2 uv = (place.xy + normal.xy * reach - heights_frame.xy) * heights_frame.zw;
    if (any(lessThan(uv, vec2(0.0))) || any(greaterThan(uv, vec2(1.0)))) return 0.0;
    vec2 moments = textureLod(heights, uv, 0.0).rg;
    float level = place.z + max(normal.z, 0.0) * 0.4;
    float mean = max(moments.x - level, 0.0);
    float square = max(moments.y - 2.0 * level * moments.x + level * level, 1e-4);
    float share = min(mean * mean / square, 1.0);
    float excess = square / max(mean, 1e-3);
    return share * excess / sqrt(excess * excess + reach * reach);
}

float open_sky(vec3 place, vec3 normal) {
    float near = hidden(near_heights, place, normal, reaches.x);
    float far = hidden(far_heights, place, normal, reaches.y);
    return (1.0 - 0.55 * near) * (1.0 - 0.85 * far);
}

vec3 sky_colour(vec3 direction) {
    float front = 0.5 + 0.5 * dot(normalize(direction.xy + 1e-4), normalize(key_direction[0].xy));
    return mix(vec3(0.50, 0.44, 0.40), vec3(0.86, 0.88, 0.94), sqrt(max(direction.z, 0.0))) * mix(0.72, 1.18, front);
}

// What a mirror would show in this direction: a large soft box above, a strip on the other side, the table below.
vec3 studio(vec3 direction) {
    vec3 box = normalize(vec3(key_direction[0].xy * 0.7, 0.9));
    vec3 side = normalize(vec3(key_direction[0].y, -key_direction[0].x, 0.35));
    vec3 seen = mix(vec3(0.05, 0.045, 0.04), vec3(0.34, 0.34, 0.36), smoothstep(0.0, 0.9, direction.z));
    seen += vec3(1.7, 1.6, 1.45) * smoothstep(0.80, 0.95, dot(direction, box));
    seen += vec3(0.75, 0.85, 1.05) * smoothstep(0.86, 0.97, dot(direction, side));
    return mix(TABLE_BOUNCE * 0.35, seen, smoothstep(-0.12, 0.10, direction.z));
}

float pool_light(vec3 place) {
    float away = length(place.xy - pool.xy) / pool.z;
    return 1.0 / (1.0 + away * away * away * away);
}

// Normal distribution of a rough varnish (GGX), without its constant.
float glint(vec3 normal, vec3 halfway, float roughness) {
    float lobe = max(dot(normal, halfway), 0.0);
    float r2 = roughness * roughness * roughness * roughness;
    float spread = lobe * lobe * (r2 - 1.0) + 1.0;
    return min(r2 / (spread * spread), 24.0);
}

// How much of the sky's light a point gets whose sky is open to this share, guessed.
vec3 guessed_sky(vec3 normal, float open) {
    vec3 mean = mix(sky_colour(normalize(normal + vec3(0.0, 0.0, 0.6))), vec3(0.70, 0.70, 0.72), 0.5);
    return mean * (0.5 + 0.5 * normal.z) * open;
}

// Light that a point sends to the eye, of what arrives from lamp and sky. `shine` is the lamp's glint.
vec3 reflected(vec3 albedo, vec3 normal, vec3 view, float spot, float open, float key, vec3 sky, float shine, float gloss) {
    float facing = max(dot(normal, view), 0.02);
    vec3 bounce = TABLE_BOUNCE * (0.62 - 0.5 * normal.z) * (0.35 + 0.65 * open);
    vec3 diffuse = albedo * (key_colour * key * spot + (SKY * sky + bounce) * mix(0.25, 1.0, spot));
    float grazing = (1.0 - facing) * (1.0 - facing);
    float fresnel = 0.04 + 0.55 * grazing * grazing * (1.0 - facing);
    vec3 mirrored = studio(reflect(-view, normal)) * fresnel * (0.25 + 0.75 * open) * smoothstep(0.0, 0.12, dot(normal, view));
    vec3 glare = key_colour * 0.045 * shine * 0.25 / max(0.25, facing);
    return diffuse + gloss * spot * (mirrored + glare);
}

// Light that a point sends to the eye. `normal` is that of the surface's finish.
vec3 shade(vec3 albedo, vec3 normal, vec3 place, float roughness, float gloss) {
    vec3 view = normalize(eye - place), lifted = place + normal * lift;
    float open = open_sky(place, normal);
    float key = 0.0, shine = 0.0;
    vec3 sky = vec3(0.0);
    for (int light = 0; light < LIGHTS; ++light) {
        float slant = dot(normal, key_direction[light]);
        if (slant > 0.0) {
            float amount = slant * arrives(lifted, light);
            key += amount;
            shine += amount * glint(normal, normalize(view + key_direction[light]), roughness);
        }
        float toward = dot(normal, sky_direction[light]);
        if (TRACED == 1 && toward > 0.0) sky += sky_colour(sky_direction[light]) * 2.0 * toward * arrives(lifted, LIGHTS + light);
    }
    const float share = 1.0 / float(LIGHTS);
    sky = TRACED == 1 ? sky * share : guessed_sky(normal, open);
    return reflected(albedo, normal, view, pool_light(place), open, key * share, sky, shine * share, gloss);
}
