#version 330 core
// Everything that is not an item: planks where the ray meets the table, and the dark studio they fade into.
in vec2 screen;

#include "light.glsl"
#include "planks.glsl"
#include "backdrop.glsl"

uniform mat4 ray_matrix;        // picture, -1 to 1, to direction from the eye
uniform vec2 shift;
uniform sampler2D table_light;  // share of the lamp's light that arrives, share of the sky that is open
uniform vec4 table_frame;       // corner x, y and 1 / sides of that map, mm

out vec4 colour;

const vec3 UP = vec3(0.0, 0.0, 1.0);

// As `shade`, with what arrives at the table looked up.
vec3 mapped_light(vec3 albedo, vec3 place, float roughness, float gloss) {
    vec2 at = (place.xy - table_frame.xy) * table_frame.zw;
    vec2 arriving = texture(table_light, at).rg;
    vec3 view = normalize(eye - place);
    float key = key_direction[0].z * arriving.r;
    float shine = key * glint(UP, normalize(view + key_direction[0]), roughness);
    return reflected(albedo, UP, view, pool_light(place), arriving.g, key, guessed_sky(UP, arriving.g), shine, gloss);
}

void main() {
    vec3 ray = (ray_matrix * vec4(screen - shift, 1.0, 1.0)).xyz;
    vec3 behind = backdrop();
    float steps = -eye.z / min(ray.z, -1e-5);
    vec3 place = vec3(eye.xy + ray.xy * steps, 0.0);
    float away = length(place.xy - pool.xy) / pool.z;
    vec2 at = LAY * place.xy, dx = dFdx(at), dy = dFdy(at);
    colour = vec4(behind, 1.0);
    if (ray.z < -1e-4 && away < 3.0) {
        float sheen;
        vec3 albedo = planks(at, dx, dy, sheen);
        vec3 lit = LIVE == 1 ? mapped_light(albedo, place, 0.42, 0.55 * sheen) : shade(albedo, UP, place, 0.42, 0.55 * sheen);
        colour.rgb = mix(min(lit, vec3(6.0)), behind, smoothstep(0.75, 2.3, away));
    }
    colour.rgb = exposed(colour.rgb);
}
