// The dark studio behind the table.
vec3 backdrop() {
    float away = length((screen - vec2(0.0, 0.25)) * vec2(0.85, 0.75));
    return mix(vec3(0.075, 0.064, 0.056), vec3(0.008, 0.0075, 0.0075), smoothstep(0.0, 1.2, away));
}
