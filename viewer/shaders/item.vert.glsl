#version 330 core
// Puts a corner of an item where the item's pose has it. Poses and paint stand in a small texture, six texels an item, so that all items,
// whatever their shapes, are drawn by one call.
#include "item_data.glsl"

uniform mat4 camera_matrix;
uniform vec2 shift;  // sub-pixel shift in clip space

in vec3 in_position;
in vec3 in_normal;
in float in_item;

out vec3 place;         // mm, table frame
out vec3 normal;
out vec3 local_place;   // mm, piece frame
out vec3 local_normal;
flat out vec4 paint;    // linear red, green, blue; number of the letter
flat out vec4 glow;     // linear red, green, blue of a highlight; whether there is one
flat out vec4 grain;    // offset into the wood, tone, strength of the grain

void main() {
    int item = int(in_item + 0.5);
    mat4x3 pose = item_pose(item);
    place = pose * vec4(in_position, 1.0);
    normal = mat3(pose) * in_normal;
    local_place = in_position;
    local_normal = in_normal;
    paint = texelFetch(item_data, ivec2(3, item), 0);
    glow = texelFetch(item_data, ivec2(4, item), 0);
    grain = texelFetch(item_data, ivec2(5, item), 0);
    gl_Position = camera_matrix * vec4(place, 1.0);
    gl_Position.xy += shift * gl_Position.w;
}
