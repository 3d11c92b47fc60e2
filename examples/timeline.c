/*
 * You will see a dispatch hang behind two copies, and when each of the three was done, in a program
 * that switches SetMarkerMode to PROFILE for its device and reads the times out of its dump:
 *
 *     CopyBufferRegion       done after 1.000 us, API call 2
 *     CopyBufferRegion       done after 1.000 us, API call 3
 *     Dispatch               not done for 2000000.000 us, API call 4
 *
 *     timeline [--out PATH]         annot timeline PATH shows the same, and more
 */
#define INITGUID
#include "setup.h"

#include <annot/timeline.h>

#define DIRECT D3D12_COMMAND_LIST_TYPE_DIRECT

static int print_calls(const char *path)
{
    annot_reader *reader = NULL;
    annot_timeline *timeline = NULL;
    annot_timeline_slice slice;
    annot_reader_open_file(NULL, path, &reader);
    if (!reader || annot_timeline_create(reader, &timeline) != ANNOT_OK)
        return 1;
    for (size_t i = 0; annot_timeline_slice_at(timeline, i, &slice); i++)
        if (slice.kind == ANNOT_SLICE_CALL)
            printf("%-22s %s %.3f us, API call %u\n", annot_op_text(slice.op),
                   slice.is_unfinished ? "not done for" : "done after",
                   (double)(slice.end - slice.begin) / 1000, (unsigned)slice.number);
    annot_timeline_destroy(timeline);
    annot_reader_close(reader);
    return 0;
}

int main(int argc, char **argv)
{
    help(argc, argv, "usage: timeline [--out PATH]");
    emu_config config = EMU_CONFIG_INIT;
    config.dump_path = argc == 3 && strcmp(argv[1], "--out") == 0 ? argv[2] : "timeline.annotdmp";
    config.order = EMU_ORDER_SEEDED; /* no waiting */
    config.marker_type = D3DWDDM1_3DDI_MARKER_TYPE_PROFILE;
    emu_configure(&config);
    remove(config.dump_path); /* a dump replaces nothing */
    ID3D12Device *device = make_device();
    ID3D12CommandQueue *queue = make_queue(device, DIRECT, L"Graphics queue");
    ID3D12CommandAllocator *allocator = make_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = make_list(device, allocator, DIRECT, L"Frame list");
    ID3D12RootSignature *signature = make_root_signature(device);
    ID3D12PipelineState *spin = make_pipeline(device, signature, EMU_KERNEL_SPIN, L"Spin");
    ID3D12Resource *depth = make_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 65536, L"Depth");

    PIXBeginEvent(list, 0, "Frame 1"); /* API call 1: a marker alone is no work */
    for (int i = 0; i < 2; i++)
        ID3D12GraphicsCommandList_CopyBufferRegion(list, depth, 0, depth, 4096, 256);
    dispatch(list, signature, spin, depth, 0, 0);
    PIXEndEvent(list);
    MUST(ID3D12GraphicsCommandList_Close(list));
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)list};
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
    emu_run_until_idle(device);
    RELEASE_ALL(device, queue, allocator, list, signature, spin, depth);
    return print_calls(config.dump_path);
}
