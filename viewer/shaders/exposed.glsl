// LIVE     1: the colour is for the eye, 0: it is light, to be averaged
#include "film.glsl"

uniform float exposure;
uniform vec2 pixel;  // 1 / size of the picture, if it is live

// The colour to write for this light: as it is, to be averaged with other samples, or as a film would take it.
vec3 exposed(vec3 light) {
    light = min(light, vec3(6.0));
    return LIVE == 1 ? developed(light * exposure, gl_FragCoord.xy * pixel * 2.0 - 1.0) : light;
}
