#version 330 core
// One triangle that covers the picture, at the far end of the depth range.
out vec2 screen;  // -1 to 1

void main() {
    screen = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(screen, 1.0, 1.0);
}
