#version 450
// As spin.comp, for draws: counts up `done` and, when `spin` is 1, waits in every vertex until the host sets `go`.
layout(set = 0, binding = 0) coherent volatile buffer Words { uint go; uint done; };
layout(push_constant) uniform Push { uint spin; };

void main()
{
    uint turns = 0u;
    while (spin == 1u && go == 0u && turns < 100000000u)
        turns++;
    if (gl_VertexIndex == 0 && gl_InstanceIndex == 0)
        atomicAdd(done, 1u);
    gl_Position = vec4(0.0);
}
