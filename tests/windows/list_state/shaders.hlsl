// The shaders of program.c. What a draw used is in its colour: the pipeline, the vertex buffers of slots 0 and 1, and the index
// buffer, whose indices are 3 or 6 and up.
struct vertex
{
    float first : FIRST;
    float second : SECOND;
    uint id : SV_VertexID;
};

struct corner
{
    float4 position : SV_Position;
    float4 used : USED;
};

// A triangle that covers all.
corner vs_all(vertex v)
{
    corner c;
    uint which = v.id % 3;
    c.position = float4(which == 1 ? 3.0 : -1.0, which == 2 ? 3.0 : -1.0, 0.25, 1.0);
    c.used = float4(v.first, v.second, v.id / 3, 0.0);
    return c;
}

float4 ps_one(corner c) : SV_Target
{
    return float4(1.0, c.used.xyz);
}

float4 ps_two(corner c) : SV_Target
{
    return float4(2.0, c.used.xyz);
}
