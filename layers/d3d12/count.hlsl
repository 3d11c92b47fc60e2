// `annot d3d12 --probe` dispatches this between two words. Each invocation adds one in each turn, so that the counter tells how
// much of the dispatch is done. count.h has it compiled.
RWByteAddressBuffer counter : register(u0);

[RootSignature("UAV(u0)")] [numthreads(64, 1, 1)] void cs_count()
{
    [loop] for (uint i = 0; i < 64; i++)
        counter.InterlockedAdd(0, 1);
}
