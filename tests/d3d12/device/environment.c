/* What docs/EMULATOR.md promises of the environment variables, for programs that are not written
 * for the emulator. */
#include "kit.h"

#include <annot/reader.h>

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

struct run {
    HRESULT reason;    /* GetDeviceRemovedReason */
    UINT64 dispatched; /* how many of the two dispatches were done */
};

/* Two lists with a dispatch in a submission each; the second is in a scope "frame 2 /
 * particles". */
static struct run run_program(void)
{
    ID3D12Device *device = kit_device();
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12RootSignature *signature = kit_root_signature(device);
    ID3D12PipelineState *pipeline = kit_pipeline(device, signature, EMU_KERNEL_FILL);
    ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 64);
    ID3D12CommandAllocator *allocators[2];
    ID3D12GraphicsCommandList *lists[2];
    UINT32 *words = NULL;
    struct run run = {S_OK, 0};
    kit_set_mode(device, MODE_RETAIL);
    MUST(ID3D12Resource_Map(buffer, 0, NULL, (void **)&words)); /* a removed device maps nothing */
    for (UINT i = 0; i < 2; i++) {
        allocators[i] = kit_allocator(device, DIRECT);
        lists[i] = kit_list(device, allocators[i], DIRECT);
        if (i == 1)
            ID3D12GraphicsCommandList_BeginEvent(lists[i], 1, "frame 2 / particles", 20);
        kit_dispatch(lists[i], signature, pipeline, buffer, NULL, i + 1, 1);
        if (i == 1)
            ID3D12GraphicsCommandList_EndEvent(lists[i]);
        MUST(ID3D12GraphicsCommandList_Close(lists[i]));
    }
    for (int i = 0; i < 2; i++) {
        ID3D12CommandQueue_ExecuteCommandLists(queue, 1, (ID3D12CommandList *const *)&lists[i]);
        emu_run_until_idle(device);
    }
    run.reason = ID3D12Device_GetDeviceRemovedReason(device);
    run.dispatched = words[0];
    for (int i = 0; i < 2; i++) {
        ID3D12GraphicsCommandList_Release(lists[i]);
        ID3D12CommandAllocator_Release(allocators[i]);
    }
    ID3D12Resource_Release(buffer);
    ID3D12PipelineState_Release(pipeline);
    ID3D12RootSignature_Release(signature);
    ID3D12CommandQueue_Release(queue);
    kit_close(device);
    return run;
}

/* "dump-PID.annotdmp" */
static const char *dump_path(void)
{
    static char path[64];
    snprintf(path, sizeof path, "environment-%d-1%%.annotdmp", (int)getpid());
    return path;
}

static void expect_report(const char *scope)
{
    char text[256];
    annot_reader *reader = NULL;
    cr_assert(annot_reader_open_file(NULL, dump_path(), &reader) == ANNOT_OK);
    annot_reader_stop_path(reader, 0, text, sizeof text);
    cr_assert(strcmp(text, scope) == 0, "%s", text);
    annot_reader_close(reader);
}

static void set(const char *name, const char *value)
{
    cr_assert(setenv(name, value, 1) == 0);
}

Test(environment, a_place_is_where_the_gpu_hangs)
{
    static const struct {
        const char *place;
        UINT64 dispatched;
    } cases[] = {{"dispatch:1", 0},
                 {"dispatch:2", 1},
                 {"list:2", 1},
                 {"submission:1", 0},
                 {"marker:*/ part?cles", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set("EMU_HANG", cases[i].place);
        const struct run run = run_program();
        cr_assert(run.reason == DXGI_ERROR_DEVICE_HUNG, "%s", cases[i].place);
        cr_assert(run.dispatched == cases[i].dispatched, "%s", cases[i].place);
    }
}

Test(environment, what_is_no_place_hangs_nothing)
{
    static const char *const places[] = {
        "dispatch:3",  "draw:1",           "dispatch:0", "dispatch:-1", "dispatch:", "dispatch",
        "dispatch:1x", "marker:particles", "marker:",    "1",           " list:1"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        set("EMU_HANG", places[i]);
        const struct run run = run_program();
        cr_assert(run.reason == S_OK && run.dispatched == 2, "%s", places[i]);
    }
}

Test(environment, a_hang_at_a_marker_is_reported_in_its_scope)
{
    set("EMU_HANG", "marker:frame 2*");
    set("EMU_DUMP", "environment-%p-%n%%.annotdmp");
    cr_assert(run_program().reason == DXGI_ERROR_DEVICE_HUNG);
    expect_report("frame 2 / particles");
    unlink(dump_path());
}

Test(environment, a_fault_is_at_an_address_without_memory)
{
    set("EMU_FAULT", "dispatch:2");
    set("EMU_DUMP", "environment-%p-%n%%.annotdmp");
    cr_assert(run_program().reason == DXGI_ERROR_DEVICE_HUNG);
    annot_reader *reader = NULL;
    cr_assert(annot_reader_open_file(NULL, dump_path(), &reader) == ANNOT_OK);
    annot_reader_device info;
    annot_reader_get_device(reader, &info);
    cr_assert(info.error == ANNOT_DEVICE_ERROR_PAGE_FAULT && info.fault_address != 0);
    annot_reader_close(reader);
    unlink(dump_path());
}

/* "DXGI_ERROR_DEVICE_REMOVED: the device was physically removed from the system, or a driver
 * upgrade occurred." */
Test(environment, a_lost_device_did_not_hang)
{
    set("EMU_LOSE", "list:2");
    const struct run run = run_program();
    cr_assert(run.reason == DXGI_ERROR_DEVICE_REMOVED && run.dispatched == 1);
}

/* Filters are the program's; whoever looks from outside sees everything. */
Test(environment, messages_are_printed_whatever_the_filters_say)
{
    char line[256] = "";
    const char *path = "environment-messages";
    struct stat kind;
    unlink(path);
    set("EMU_MESSAGES", path);
    ID3D12Device *device = kit_device();
    ID3D12InfoQueue *queue = NULL;
    MUST(ID3D12Device_QueryInterface(device, &IID_ID3D12InfoQueue, (void **)&queue));
    D3D12_MESSAGE_SEVERITY severity = D3D12_MESSAGE_SEVERITY_ERROR;
    D3D12_INFO_QUEUE_FILTER filter = {.DenyList = {.NumSeverities = 1, .pSeverityList = &severity}};
    MUST(ID3D12InfoQueue_PushStorageFilter(queue, &filter));
    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    MUST(ID3D12GraphicsCommandList_SetName(list, L"shadows \u00e9"));
    MUST(ID3D12GraphicsCommandList_Close(list));
    cr_assert(FAILED(ID3D12GraphicsCommandList_Close(list)));
    MUST(ID3D12GraphicsCommandList_SetName(list, NULL));
    cr_assert(FAILED(ID3D12GraphicsCommandList_Close(list)));
    ID3D12InfoQueue_Release(queue);
    ID3D12GraphicsCommandList_Release(list);
    ID3D12CommandAllocator_Release(allocator);
    kit_close(device);
    FILE *file = fopen(path, "r");
    cr_assert(file && fgets(line, sizeof line, file));
    cr_assert(strncmp(line, "d3d12: ERROR 547: ", 18) == 0, "%s", line);
    cr_assert(strstr(line, " 'shadows \u00e9')\n"), "%s", line);
    cr_assert(fgets(line, sizeof line, file) && strstr(line, " (object ") && !strchr(line, '\''));
    cr_assert(fstat(fileno(file), &kind) == 0 && (kind.st_mode & 0777) == 0600);
    fclose(file);
    unlink(path);
}

/* ANN-SEC: a planted link is not followed. */
Test(environment, messages_go_to_no_link)
{
    unlink("environment-link");
    unlink("environment-target");
    cr_assert(symlink("environment-target", "environment-link") == 0);
    set("EMU_MESSAGES", "environment-link");
    kit_close(kit_device());
    cr_assert(access("environment-target", F_OK) != 0);
    unlink("environment-link");
}
