// As a film would take it: a soft shoulder that keeps colours, a slight vignette, and a last half-step of noise so that the dark backdrop shows
// no bands. `screen` is the place in the picture, -1 to 1.
vec3 film(vec3 x) {
    return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

vec3 developed(vec3 light, vec2 screen) {
    light *= 1.0 - 0.30 * smoothstep(0.35, 1.75, dot(screen, screen));
    // Applied to brightness and to each channel, half and half: the first alone looks like paint, the second alone burns out.
    float bright = max(dot(light, vec3(0.2126, 0.7152, 0.0722)), 1e-5);
    vec3 kept = light * (film(vec3(bright)).x / bright);
    vec3 mapped = clamp(mix(film(light), kept, 0.45), 0.0, 1.0);
    vec3 display = mix(12.92 * mapped, 1.055 * pow(mapped, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, mapped));
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    return display + (noise - 0.5) / 255.0;
}
