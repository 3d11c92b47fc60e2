#define INITGUID
#include "game.h"

uint64_t game_next(uint64_t *random)
{
    uint64_t z = *random += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

int game_below(uint64_t *random, int count)
{
    return (int)(game_next(random) % (uint64_t)count);
}

void game_name(ID3D12Object *object, const char *name)
{
    MUST(ID3D12Object_SetPrivateData(object, &WKPDID_D3DDebugObjectName, (UINT)strlen(name), name));
}

static ID3D12CommandQueue *game_queue(struct game *game, D3D12_COMMAND_LIST_TYPE type,
                                      const char *name)
{
    const D3D12_COMMAND_QUEUE_DESC desc = {.Type = type};
    ID3D12CommandQueue *queue = NULL;
    MUST(ID3D12Device_CreateCommandQueue(game->device, &desc, &IID_ID3D12CommandQueue,
                                         (void **)&queue));
    game_name((ID3D12Object *)queue, name);
    return queue;
}

ID3D12GraphicsCommandList *game_list(struct game *game, ID3D12CommandAllocator *allocator,
                                     D3D12_COMMAND_LIST_TYPE type, const char *name)
{
    ID3D12GraphicsCommandList *list = NULL;
    MUST(ID3D12Device_CreateCommandList(game->device, 0, type, allocator, NULL,
                                        &IID_ID3D12GraphicsCommandList, (void **)&list));
    game_name((ID3D12Object *)list, name);
    return list;
}

ID3D12Resource *game_buffer(struct game *game, D3D12_HEAP_TYPE type, UINT64 size, const char *name)
{
    ID3D12Resource *buffer = make_unnamed_buffer(game->device, type, size);
    game_name((ID3D12Object *)buffer, name);
    return buffer;
}

static ID3D12PipelineState *make_compute(struct game *game, emu_kernel kernel)
{
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = game->root};
    desc.CS.pShaderBytecode = emu_kernel_bytecode(kernel, &desc.CS.BytecodeLength);
    ID3D12PipelineState *pipeline = NULL;
    MUST(ID3D12Device_CreateComputePipelineState(game->device, &desc, &IID_ID3D12PipelineState,
                                                 (void **)&pipeline));
    return pipeline;
}

static ID3D12PipelineState *make_draw(struct game *game, emu_kernel kernel)
{
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = {
        .pRootSignature = game->root,
        .SampleMask = UINT32_MAX,
        .RasterizerState = {.FillMode = D3D12_FILL_MODE_SOLID, .CullMode = D3D12_CULL_MODE_NONE},
        .PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE,
        .SampleDesc = {.Count = 1},
    };
    desc.VS.pShaderBytecode = emu_kernel_bytecode(kernel, &desc.VS.BytecodeLength);
    ID3D12PipelineState *pipeline = NULL;
    MUST(ID3D12Device_CreateGraphicsPipelineState(game->device, &desc, &IID_ID3D12PipelineState,
                                                  (void **)&pipeline));
    return pipeline;
}

static void make_indirect(struct game *game)
{
    const D3D12_INDIRECT_ARGUMENT_DESC argument = {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH};
    const D3D12_COMMAND_SIGNATURE_DESC desc = {12, 1, &argument, 0};
    UINT *groups = NULL;
    MUST(ID3D12Device_CreateCommandSignature(game->device, &desc, NULL, &IID_ID3D12CommandSignature,
                                             (void **)&game->indirect));
    game->arguments = game_buffer(game, D3D12_HEAP_TYPE_UPLOAD, 256, "Draw arguments");
    MUST(ID3D12Resource_Map(game->arguments, 0, NULL, (void **)&groups));
    groups[0] = groups[1] = groups[2] = 1;
    ID3D12Resource_Unmap(game->arguments, 0, NULL);
}

static void release(void *object)
{
    if (object)
        IUnknown_Release((IUnknown *)object);
}

/* Addresses and numbers of objects differ from run to run. */
static void make_ballast(struct game *game)
{
    for (int i = game_below(&game->random, 5); i > 0; i--)
        release(game_buffer(game, D3D12_HEAP_TYPE_DEFAULT, 65536u << game_below(&game->random, 4),
                            "Ballast"));
}

void game_open(struct game *game)
{
    game->device = make_device();
    make_ballast(game);
    game->graphics = game_queue(game, D3D12_COMMAND_LIST_TYPE_DIRECT, "Graphics queue");
    game->compute = game_queue(game, D3D12_COMMAND_LIST_TYPE_COMPUTE, "Compute queue");
    game->copy = game_queue(game, D3D12_COMMAND_LIST_TYPE_COPY, "Copy queue");
    game->video = game_queue(game, D3D12_COMMAND_LIST_TYPE_COMPUTE, "Video queue");
    game->culled = make_fence(game->device);
    game->uploaded = make_fence(game->device);
    game->shown = make_fence(game->device);
    game->done = make_fence(game->device);
    game->root = make_root_signature(game->device);
    game->fill = make_compute(game, EMU_KERNEL_FILL);
    game->spin = make_compute(game, EMU_KERNEL_SPIN);
    game->touch = make_compute(game, EMU_KERNEL_TOUCH);
    game->draw = make_draw(game, EMU_KERNEL_FILL);
    game->draw_spin = make_draw(game, EMU_KERNEL_SPIN);
    game->target = game_buffer(game, D3D12_HEAP_TYPE_DEFAULT, 65536, "Scene colour");
    game->staging = game_buffer(game, D3D12_HEAP_TYPE_DEFAULT, 65536, "Staging");
    make_indirect(game);
    const bool is_pool = game->fault == FAULT_particles_freed;
    char tile[64];
    snprintf(tile, sizeof tile, "Terrain tile %d,%d lod %d", (int)(game->random % 64),
             (int)(game->random >> 8 & 63), (int)(game->random >> 16 & 7));
    game->freed = game_buffer(game, D3D12_HEAP_TYPE_DEFAULT, 1 << 20,
                              game->fault == FAULT_terrain_freed ? tile
                              : is_pool                          ? "Particle pool"
                                                                 : "Light grid");
    game->freed_address = ID3D12Resource_GetGPUVirtualAddress(game->freed) + 64;
    if (game->fault < FAULT_FIRST_UNSEEN)
        game_add_passes(game);
    else
        game_add_unseen_passes(game);
}

void game_close(struct game *game)
{
    for (int i = 0; i < game->pass_count; i++)
        for (int k = 0; k < SLOTS; k++) {
            release(game->passes[i].lists[k]);
            release(game->passes[i].allocators[k]);
        }
    void *const objects[] = {game->casters,
                             game->bad_casters,
                             game->bundle_allocators[0],
                             game->bundle_allocators[1],
                             game->arguments,
                             game->indirect,
                             game->freed,
                             game->staging,
                             game->target,
                             game->draw_spin,
                             game->draw,
                             game->touch,
                             game->spin,
                             game->fill,
                             game->root,
                             game->done,
                             game->culled,
                             game->uploaded,
                             game->shown,
                             game->video,
                             game->copy,
                             game->compute,
                             game->graphics};
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        release(objects[i]);
    if (ID3D12Device_Release(game->device) != 0) {
        fprintf(stderr, "the device lives on\n");
        exit(1);
    }
}
