#version 330 core
// Items as the camera, a light, or an eye straight above, sees them.
uniform mat4 camera_matrix;

in vec3 in_place;

out float height;

invariant gl_Position;

void main() {
    height = in_place.z;
    gl_Position = camera_matrix * vec4(in_place, 1.0);
}
