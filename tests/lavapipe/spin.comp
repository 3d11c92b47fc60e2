#version 450
// Counts up `done` and, when `spin` is 1, waits until the host sets `go`. lavapipe ends a loop after 65,535 turns, so many
// groups wait, one after another; and it lets lanes without an invocation turn that often in any case, so groups are full.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) coherent volatile buffer Words { uint go; uint done; };
layout(push_constant) uniform Push { uint spin; };

void main()
{
    uint turns = 0u;
    while (spin == 1u && go == 0u && turns < 100000000u)
        turns++;
    if (gl_GlobalInvocationID.x == 0u)
        atomicAdd(done, 1u);
}
