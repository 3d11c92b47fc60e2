/*
 * You will see the three markers of a command list as the driver gets them, and then what the GPU
 * did between them:
 *
 *     driver: begin   Frame 1              EventID 0x00010000000d
 *     driver: marker  the buffer is next   EventID 0x000100000011
 *     driver: end                          EventID 0x00010000000d
 *     GPU:    1024 words, all 0x00C0FFEE
 */
#define INITGUID
#include "setup.h"

#include <inttypes.h>

enum { WORDS = 1024 };

/* ---- between the runtime and the driver: print, and pass on ---- */

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 *driver;

static void tell(const char *what, uint32_t metadata, const void *data, uint32_t size, uint64_t id)
{
    char name[128] = "";
    annot_pix_event event;
    if (size != 0)
        annot_pix_decode(metadata, data, size, name, sizeof name, &event);
    printf("driver: %-7s %-20s EventID 0x%012" PRIx64 "\n", what, name, id);
}

static void begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data, uint32_t size,
                  uint64_t id)
{
    tell("begin", metadata, data, size, id);
    driver->pfnCmdListBeginEvent(list, metadata, data, size, id);
}

static void set(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data, uint32_t size,
                uint64_t id)
{
    tell("marker", metadata, data, size, id);
    driver->pfnCmdListSetMarker(list, metadata, data, size, id);
}

static void end(D3D12DDI_HCOMMANDLIST list, uint64_t id)
{
    tell("end", 0, NULL, 0, id);
    driver->pfnCmdListEndEvent(list, id);
}

static void listen_in(void)
{
    static D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table;
    static const annot_driver ear = {
        "ear", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0, &table, 0};
    emu_config config = EMU_CONFIG_INIT;
    driver = emu_driver_annotation("reference")->annotation;
    table = *driver;
    table.pfnCmdListBeginEvent = begin;
    table.pfnCmdListSetMarker = set;
    table.pfnCmdListEndEvent = end;
    config.annotation = &ear;
    emu_configure(&config);
}

int main(void)
{
    listen_in();
    const D3D12_COMMAND_LIST_TYPE direct = D3D12_COMMAND_LIST_TYPE_DIRECT;
    ID3D12Device *device = make_device();
    ID3D12CommandQueue *queue = make_queue(device, direct, L"Graphics queue");
    ID3D12CommandAllocator *allocator = make_allocator(device, direct);
    ID3D12GraphicsCommandList *list = make_list(device, allocator, direct, L"Frame list");
    ID3D12RootSignature *signature = make_root_signature(device);
    ID3D12PipelineState *fill = make_pipeline(device, signature, EMU_KERNEL_FILL, L"Fill");
    ID3D12Resource *buffer =
        make_buffer(device, D3D12_HEAP_TYPE_READBACK, WORDS * sizeof(uint32_t), L"Pixels");
    ID3D12Fence *fence = make_fence(device);

    PIXBeginEvent(list, PIX_COLOR(80, 160, 240), "Frame %d", 1);
    PIXSetMarker(list, PIX_COLOR_DEFAULT, "the buffer is next");
    dispatch(list, signature, fill, buffer, 0x00C0FFEE, WORDS);
    PIXEndEvent(list);
    MUST(ID3D12GraphicsCommandList_Close(list));
    execute(queue, 1, &list);
    MUST(ID3D12CommandQueue_Signal(queue, fence, 1));
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 1, NULL));

    uint32_t *words = NULL, same = 0;
    MUST(ID3D12Resource_Map(buffer, 0, NULL, (void **)&words));
    while (same < WORDS && words[same] == words[0])
        same++;
    printf("GPU:    %u words, %s 0x%08X\n", WORDS, same == WORDS ? "all" : "not all", words[0]);

    void *const objects[] = {fence, buffer, fill, signature, list, allocator, queue, device};
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        IUnknown_Release((IUnknown *)objects[i]);
    return same == WORDS ? 0 : 1;
}
