#version 330 core
// What of lamp and sky arrives where on the table, as a map.
#include "light.glsl"

uniform vec4 table_frame;  // corner x, y and 1 / sides, mm

in vec2 screen;
out vec2 arriving;

void main() {
    vec3 place = vec3(table_frame.xy + (screen * 0.5 + 0.5) / table_frame.zw, 0.0), up = vec3(0.0, 0.0, 1.0);
    arriving = vec2(arrives(place + up * lift, 0), open_sky(place, up));
}
