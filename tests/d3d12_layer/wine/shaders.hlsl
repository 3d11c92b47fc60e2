// The shaders of program.c. A dispatch or draw of "spin" ends when the host writes the word; u0 is the render target's.
RWByteAddressBuffer word : register(u1);
RWByteAddressBuffer results : register(u2);
cbuffer constants : register(b0) { uint seed; uint count; };

void wait_for_host()
{
    uint seen = 0;
    [allow_uav_condition] [loop] while (seen == 0)
        word.InterlockedOr(0, 0, seen);
}

[numthreads(8, 1, 1)] void cs_fill(uint3 id : SV_DispatchThreadID)
{
    if (id.x < count)
        results.Store(4 * id.x, id.x * seed + 7);
}

[numthreads(8, 1, 1)] void cs_spin(uint3 id : SV_DispatchThreadID)
{
    wait_for_host();
    if (id.x < count && id.y == 0)
        results.Store(4 * id.x, results.Load(4 * id.x) ^ seed);
}

// A triangle that covers all.
float4 vs_all(uint id : SV_VertexID) : SV_Position
{
    return float4(id == 1 ? 3 : -1, id == 2 ? 3 : -1, 0, 1);
}

float4 ps_fill(float4 position : SV_Position) : SV_Target
{
    return float4(frac(position.x / 64), frac(position.y / 32), (seed & 255) / 255.0, 1);
}

float4 ps_spin(float4 position : SV_Position) : SV_Target
{
    wait_for_host();
    return float4(frac(position.y / 64), frac(position.x / 32), (seed & 255) / 255.0, 1);
}
