#version 330 core
// A corner of an item. Its paint stands in a small texture, four texels an item, so that all items, whatever their shapes, are drawn by one call.
uniform mat4 camera_matrix;
uniform sampler2D item_paint;

in vec3 in_place;
in vec3 in_normal;
in vec3 in_local_place;
in vec3 in_local_normal;
in float in_item;

out vec3 place;         // mm, table frame
out vec3 normal;
out vec3 local_place;   // mm, piece frame
out vec3 local_normal;
flat out vec3 upward;   // the piece's own up, table frame
flat out vec4 paint;    // linear red, green, blue; number of the letter
flat out vec4 glow;     // linear red, green, blue of a highlight; whether there is one
flat out vec4 grain;    // offset into the wood, tone, strength of the grain

invariant gl_Position;  // the depth pass before must give the very same depths

void main() {
    int item = int(in_item + 0.5);
    place = in_place;
    normal = in_normal;
    local_place = in_local_place;
    local_normal = in_local_normal;
    paint = texelFetch(item_paint, ivec2(0, item), 0);
    glow = texelFetch(item_paint, ivec2(1, item), 0);
    grain = texelFetch(item_paint, ivec2(2, item), 0);
    upward = texelFetch(item_paint, ivec2(3, item), 0).xyz;
    gl_Position = camera_matrix * vec4(in_place, 1.0);
}
