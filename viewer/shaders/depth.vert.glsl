#version 330 core
// Items as a light, or an eye straight above, sees them.
#include "item_data.glsl"

uniform mat4 light_matrix;

in vec3 in_position;
in float in_item;

out float height;

void main() {
    vec3 place = item_pose(int(in_item + 0.5)) * vec4(in_position, 1.0);
    height = place.z;
    gl_Position = light_matrix * vec4(place, 1.0);
}
