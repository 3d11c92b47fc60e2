/*
 * You will see eight tiles that a frame has lit, and with --broken one of them wrong. Which call
 * made it wrong is found without a look at the code:
 *
 *     annot capture -o good.annottrace -- wrong_draw
 *     annot capture -o bad.annottrace -- wrong_draw --broken
 *     annot trace diff good.annottrace bad.annottrace
 *
 *     wrong_draw [--broken [constant|draw|barrier|size|order]]    what is wrong with tile 5
 */
#define INITGUID
#include "setup.h"

#define DIRECT D3D12_COMMAND_LIST_TYPE_DIRECT
#define TILES  8u
#define SIZE   65536u /* of a tile's buffer */

static const char *wrong = "";

static bool is_wrong(UINT tile, const char *what)
{
    return tile == 5 && strcmp(wrong, what) == 0;
}

static void light_tile(ID3D12GraphicsCommandList *list, ID3D12RootSignature *signature,
                       ID3D12PipelineState *fill, UINT tile, ID3D12Resource *buffer,
                       ID3D12Resource *result)
{
    const D3D12_RESOURCE_BARRIER barrier = {.Transition = {buffer, 0, D3D12_RESOURCE_STATE_COMMON,
                                                           is_wrong(tile, "barrier")
                                                               ? D3D12_RESOURCE_STATE_GENERIC_READ
                                                               : D3D12_RESOURCE_STATE_COPY_SOURCE}};
    PIXBeginEvent(list, 0, "Tile %u", tile);
    if (!is_wrong(tile, "draw"))
        dispatch(list, signature, fill, buffer, is_wrong(tile, "constant") ? 0 : 100 + tile, 4);
    ID3D12GraphicsCommandList_ResourceBarrier(list, 1, &barrier);
    ID3D12GraphicsCommandList_CopyBufferRegion(list, result, 16 * tile, buffer, 0, 16);
    PIXEndEvent(list);
}

static void print_tiles(ID3D12Resource *result)
{
    void *memory;
    MUST(ID3D12Resource_Map(result, 0, NULL, &memory));
    for (UINT i = 0; i < TILES; i++) {
        UINT brightness;
        memcpy(&brightness, (const char *)memory + 16 * i, sizeof brightness);
        printf("tile %u: %u\n", i, brightness);
    }
    ID3D12Resource_Unmap(result, 0, NULL);
}

int main(int argc, char **argv)
{
    help(argc, argv, "usage: wrong_draw [--broken [constant|draw|barrier|size|order]]");
    if (argc > 1 && strcmp(argv[1], "--broken") == 0)
        wrong = argc > 2 ? argv[2] : "constant";
    ID3D12Device *device = make_device();
    ID3D12CommandQueue *queue = make_queue(device, DIRECT, L"Graphics queue");
    ID3D12CommandAllocator *allocator = make_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = make_list(device, allocator, DIRECT, L"Lighting list");
    ID3D12RootSignature *signature = make_root_signature(device);
    ID3D12PipelineState *fill = make_pipeline(device, signature, EMU_KERNEL_FILL, L"Light culling");
    ID3D12Resource *result = make_buffer(device, D3D12_HEAP_TYPE_READBACK, SIZE, L"Result");
    ID3D12Resource *tiles[TILES];
    ID3D12Fence *fence = make_fence(device);
    for (UINT i = 0; i < TILES; i++)
        tiles[i] = make_buffer(device, D3D12_HEAP_TYPE_DEFAULT,
                               is_wrong(i, "size") ? SIZE / 2 : SIZE, L"Tile");

    PIXBeginEvent(list, 0, "Frame 1");
    for (UINT i = 0; i < TILES; i++) {
        const UINT tile = !is_wrong(5, "order") || i < 5 ? i : i < TILES - 1 ? i + 1 : 5;
        light_tile(list, signature, fill, tile, tiles[tile], result);
    }
    PIXEndEvent(list);
    MUST(ID3D12GraphicsCommandList_Close(list));
    execute(queue, 1, &list);
    MUST(ID3D12CommandQueue_Signal(queue, fence, 1));
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 1, NULL));
    print_tiles(result);
    return 0;
}
