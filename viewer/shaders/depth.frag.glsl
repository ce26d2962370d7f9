#version 330 core
// Only the depth counts.

void main() {}
