// The studio: a warm key light with true penumbras, a soft sky, the light the table throws back, and what varnish mirrors of it all.
uniform vec3 eye;
uniform vec3 key_direction;  // towards the light
uniform vec3 key_colour;
uniform mat4 key_matrix;     // table frame to shadow map, 0-1
uniform sampler2DShadow key_map;
uniform sampler2D key_depths;  // the same map, read as plain depths
uniform float key_spread;    // width of the penumbra in the map a unit of depth behind the edge
uniform float key_texel;     // side of a texel, 0-1
uniform int key_taps;        // 1: one soft tap, for many jittered lights; more: a penumbra within one picture
uniform bool sky_traced;     // one direction of the sky with its own shadow map, or a blurred map of heights
uniform vec3 sky_direction;
uniform mat4 sky_matrix;
uniform sampler2DShadow sky_map;
uniform sampler2D near_heights;
uniform sampler2D far_heights;
uniform vec4 heights_frame;  // corner x, y and 1 / sides of the map of heights, mm
uniform vec2 reaches;        // deviation of the two blurs, mm
uniform vec3 pool;           // middle x, y and radius of the lit part of the table, mm
uniform float turn;          // rotates the taps from sample to sample
uniform float lift;          // how far a point is moved off its surface before a shadow map is asked, mm

const vec3 TABLE_BOUNCE = vec3(0.46, 0.285, 0.155);

float noise_angle() {
    return 6.2832 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))) + turn);
}

bool inside(vec3 at) { return all(greaterThan(at, vec3(0.0))) && all(lessThan(at, vec3(1.0))); }

float key_light(vec3 place, vec3 normal) {
    vec3 at = (key_matrix * vec4(place + normal * lift, 1.0)).xyz;
    if (!inside(at)) return 1.0;
    float angle = noise_angle();
    float radius = key_texel;
    if (key_taps > 1) {
        float gap = 0.0, found = 0.0;
        for (int tap = 0; tap < 4; ++tap) {
            float a = angle + 2.4 * float(tap);
            vec2 offset = vec2(cos(a), sin(a)) * sqrt((float(tap) + 0.5) / 4.0) * key_spread * min(at.z, 0.30);
            float behind = at.z - texture(key_depths, at.xy + offset).r;
            if (behind > 0.004) { gap += behind; found += 1.0; }
        }
        radius = max(radius, found > 0.0 ? key_spread * gap / found : 0.0);
    }
    float lit = 0.0;
    for (int tap = 0; tap < key_taps; ++tap) {
        float a = angle + 2.4 * float(tap);
        vec2 offset = vec2(cos(a), sin(a)) * sqrt((float(tap) + 0.5) / float(key_taps)) * radius;
        lit += texture(key_map, vec3(at.xy + offset, at.z));
    }
    return lit / float(key_taps);
}

float sky_light(vec3 place, vec3 normal) {
    vec3 at = (sky_matrix * vec4(place + normal * lift, 1.0)).xyz;
    return inside(at) ? texture(sky_map, at) : 1.0;
}

// Share of the surroundings that stands higher, and by how much, from mean and mean square of the heights around.
float hidden(sampler2D heights, vec3 place, vec3 normal, float reach) {
    vec2 uv = (place.xy + normal.xy * reach - heights_frame.xy) * heights_frame.zw;
    vec2 moments = texture(heights, uv).rg;
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
    float front = 0.5 + 0.5 * dot(normalize(direction.xy + 1e-4), normalize(key_direction.xy));
    return mix(vec3(0.50, 0.44, 0.40), vec3(0.86, 0.88, 0.94), sqrt(max(direction.z, 0.0))) * mix(0.72, 1.18, front);
}

// What a mirror would show in this direction: a large soft box above, a strip on the other side, the table below.
vec3 studio(vec3 direction) {
    vec3 box = normalize(vec3(key_direction.xy * 0.7, 0.9));
    vec3 side = normalize(vec3(key_direction.y, -key_direction.x, 0.35));
    vec3 seen = mix(vec3(0.05, 0.045, 0.04), vec3(0.34, 0.34, 0.36), smoothstep(0.0, 0.9, direction.z));
    seen += vec3(2.4, 2.25, 2.0) * smoothstep(0.80, 0.95, dot(direction, box));
    seen += vec3(0.75, 0.85, 1.05) * smoothstep(0.86, 0.97, dot(direction, side));
    return mix(TABLE_BOUNCE * 0.7, seen, smoothstep(-0.12, 0.10, direction.z));
}

float pool_light(vec3 place) {
    float away = length(place.xy - pool.xy) / pool.z;
    return 1.0 / (1.0 + away * away * away * away);
}

vec3 shade(vec3 albedo, vec3 normal, vec3 face, vec3 place, float roughness, float gloss) {
    vec3 view = normalize(eye - place);
    float facing = max(dot(normal, view), 0.02);
    float slant = dot(normal, key_direction);
    float spot = pool_light(place);
    float key = slant > 0.0 && dot(face, key_direction) > 0.0 ? key_light(place, face) * spot : 0.0;
    float open = open_sky(place, face);
    vec3 sky;
    if (sky_traced) {
        float toward = dot(normal, sky_direction);
        sky = toward > 0.0 ? sky_colour(sky_direction) * 2.0 * toward * sky_light(place, face) : vec3(0.0);
    } else {
        sky = mix(sky_colour(normalize(normal + vec3(0.0, 0.0, 0.6))), vec3(0.70, 0.70, 0.72), 0.5) * (0.5 + 0.5 * normal.z) * open;
    }
    vec3 bounce = TABLE_BOUNCE * (0.62 - 0.5 * normal.z) * (0.35 + 0.65 * open);
    vec3 diffuse = albedo * (key_colour * max(slant, 0.0) * key + (sky * 0.62 + bounce) * mix(0.25, 1.0, spot));

    vec3 halfway = normalize(view + key_direction);
    float lobe = max(dot(normal, halfway), 0.0);
    float r2 = roughness * roughness * roughness * roughness;
    float spread = lobe * lobe * (r2 - 1.0) + 1.0;
    float glint = r2 / (spread * spread) * 0.25 / max(0.25, facing);
    float fresnel = 0.04 + 0.70 * pow(1.0 - facing, 5.0);
    vec3 mirrored = studio(reflect(-view, normal)) * fresnel * (0.25 + 0.75 * open) * spot;
    return diffuse + gloss * (mirrored + key_colour * 0.045 * min(glint, 24.0) * max(slant, 0.0) * key);
}
