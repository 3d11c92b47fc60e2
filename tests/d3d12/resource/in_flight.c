/* Objects that the program releases while the GPU still has work with them. */
#include "kit.h"

enum { SIZE = 65536 };
enum kind { RESOURCE, PIPELINE, ALLOCATOR, HEAP, KINDS };

struct stage {
    ID3D12Device *device;
    ID3D12GraphicsCommandList *list, *bundle;
    ID3D12Resource *released, *other;
    ID3D12RootSignature *signature;
    ID3D12PipelineState *fill;
    ID3D12Heap *heap;
};

#define USES(name, ...)                                                                            \
    static void name(struct stage *s)                                                              \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
USES(copy_from,
     ID3D12GraphicsCommandList_CopyBufferRegion(s->list, s->other, 0, s->released, SIZE - 8, 8))
USES(copy_to, ID3D12GraphicsCommandList_CopyResource(s->list, s->released, s->other))
USES(dispatch, kit_dispatch(s->list, s->signature, s->fill, s->released, NULL, 1, 16))
USES(others, kit_dispatch(s->list, s->signature, s->fill, s->other, NULL, 1, 16))

static void dispatch_in_bundle(struct stage *s)
{
    kit_dispatch(s->bundle, s->signature, s->fill, s->released, NULL, 1, 16);
    MUST(ID3D12GraphicsCommandList_Close(s->bundle));
    ID3D12GraphicsCommandList_ExecuteBundle(s->list, s->bundle);
}

static void indirect(struct stage *s)
{
    const D3D12_INDIRECT_ARGUMENT_DESC argument = {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH};
    const D3D12_COMMAND_SIGNATURE_DESC desc = {12, 1, &argument, 0};
    OWNED ID3D12CommandSignature *commands = NULL;
    MUST(ID3D12Device_CreateCommandSignature(s->device, &desc, NULL, &IID_ID3D12CommandSignature,
                                             (void **)&commands));
    kit_dispatch(s->list, s->signature, s->fill, s->other, NULL, 1, 16);
    ID3D12GraphicsCommandList_ExecuteIndirect(s->list, commands, 1, s->released, 0, NULL, 0);
}

static IUnknown *copy_from_placed(struct stage *s)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(SIZE);
    ID3D12Resource *placed = MADE(ID3D12Resource, s->device, CreatePlacedResource, s->heap, 0,
                                  &desc, D3D12_RESOURCE_STATE_COMMON, NULL);
    ID3D12GraphicsCommandList_CopyBufferRegion(s->list, s->other, 0, placed, 0, 8);
    return (IUnknown *)placed;
}
USES(copy_from_heap, OWNED IUnknown *placed = copy_from_placed(s))
/* The other resource keeps the placed resource, and so the heap's memory. */
USES(copy_from_living, OWNED IUnknown *placed = copy_from_placed(s);
     MUST(ID3D12Resource_SetPrivateDataInterface(s->other, &IID_IUnknown, placed)))

struct row {
    const char *title;
    void (*record)(struct stage *s);
    enum kind released;
    UINT64 messages;
};

/* Whether the queue waits for the gate when the object is released. */
static UINT64 messages_of(const emu_config *config, const struct row *row, bool is_held)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device_with(config);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OWNED ID3D12Fence *gate = kit_fence(device, 0);
    OPEN_BUNDLE;
    OWNED ID3D12Resource *other = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, SIZE);
    OWNED ID3D12RootSignature *signature = kit_root_signature(device);
    ID3D12PipelineState *fill = kit_pipeline(device, signature, EMU_KERNEL_FILL);
    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    OWNED ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    ID3D12Resource *released = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, SIZE);
    const D3D12_HEAP_DESC heap_desc = {SIZE, {.Type = D3D12_HEAP_TYPE_DEFAULT}, 0, 0};
    ID3D12Heap *heap = MADE(ID3D12Heap, device, CreateHeap, &heap_desc);
    void *const objects[KINDS] = {released, fill, allocator, heap};
    row->record(&(struct stage){device, list, bundle, released, other, signature, fill, heap});
    MUST(ID3D12CommandQueue_Wait(queue, gate, 1));
    kit_execute(queue, list);
    if (!is_held) {
        MUST(ID3D12Fence_Signal(gate, 1));
        kit_finish(device, queue);
    }
    IUnknown_Release((IUnknown *)objects[row->released]);
    const UINT64 told = kit_count(device, D3D12_MESSAGE_ID_OBJECT_DELETED_WHILE_STILL_IN_USE);
    cr_expect_eq(kit_messages(device), told);
    MUST(ID3D12Fence_Signal(gate, 1));
    emu_run_until_idle(device);
    const bool is_lost = config->reset_in_flight && told > 0 && row->released == RESOURCE;
    cr_expect_eq(ID3D12Device_GetDeviceRemovedReason(device),
                 is_lost ? DXGI_ERROR_DEVICE_HUNG : S_OK, "%s", row->title);
    for (enum kind i = RESOURCE; i < KINDS; i++)
        if (i != row->released)
            IUnknown_Release((IUnknown *)objects[i]);
    return told;
}

static const struct row rows[] = {
    {"a copy's source", copy_from, RESOURCE, 1},
    {"a copy's destination", copy_to, RESOURCE, 1},
    {"a root argument", dispatch, RESOURCE, 1},
    {"a bundle's root argument", dispatch_in_bundle, RESOURCE, 1},
    {"indirect commands", indirect, RESOURCE, 1},
    {"another resource", others, RESOURCE, 0},
    {"a pipeline", others, PIPELINE, 1},
    {"a bundle's pipeline", dispatch_in_bundle, PIPELINE, 1},
    {"another pipeline", copy_from, PIPELINE, 0},
    {"an allocator", copy_from, ALLOCATOR, 1},
    {"a heap", copy_from_heap, HEAP, 1},
    {"a heap with a living resource", copy_from_living, HEAP, 0},
    {"another heap", copy_from, HEAP, 0},
};

/* The debug layer says so; the emulator keeps the memory, or lets it go as a GPU's driver does. */
Test(in_flight, a_release_is_told_if_the_gpu_still_uses_the_object)
{
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        emu_config config = kit_config();
        config.reset_in_flight = i % 2;
        cr_expect_eq(messages_of(&config, &rows[i / 2], true), rows[i / 2].messages, "%s",
                     rows[i / 2].title);
        cr_expect_eq(messages_of(&config, &rows[i / 2], false), 0, "%s, done", rows[i / 2].title);
    }
}
