#version 330 core
// Height and its square: blurred, they give mean and spread.
in float height;
out vec2 moments;

void main() { moments = vec2(height, height * height); }
