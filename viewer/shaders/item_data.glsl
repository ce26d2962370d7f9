uniform sampler2D item_data;

// The first three texels are the rows of the pose.
mat4x3 item_pose(int item) {
    vec4 x = texelFetch(item_data, ivec2(0, item), 0);
    vec4 y = texelFetch(item_data, ivec2(1, item), 0);
    vec4 z = texelFetch(item_data, ivec2(2, item), 0);
    return transpose(mat3x4(x, y, z));
}
