/*
 * You will see an application take part in its dump: it is asked whether there shall be one, adds
 * what it knows of itself, is told where the file is, and keeps it.
 *
 *     the GPU is given up, device error 7: yes, write a dump
 *     the dump is dump_file.annotdmp
 *     in it: "level 3, 1280x720"
 *
 *     dump_file [--out PATH]
 */
#define INITGUID
#include "setup.h"

#include <annot/reader.h>

#define DIRECT D3D12_COMMAND_LIST_TYPE_DIRECT

static ID3D12DevicePreview *preview; /* callbacks get no argument of the application's */

static UINT on_begin(UINT64 flags)
{
    static char about[] = "level 3, 1280x720"; /* the memory may be used again at once */
    (void)flags;                               /* reserved */
    printf("the GPU is given up, device error %d: yes, write a dump\n",
           (int)ID3D12DevicePreview_GetDeviceErrorCode(preview));
    MUST(ID3D12DevicePreview_AddBlobToDumpFile(preview, about, sizeof about, 1));
    return 1; /* 0: no dump */
}

/* The path is the runtime's, and valid until this returns. The examples' paths are ASCII. */
static void on_end(const WCHAR *path)
{
    fputs("the dump is ", stdout);
    for (; *path != 0; path++)
        putchar((char)*path);
    putchar('\n');
}

static int print_blob(const char *path)
{
    annot_reader *reader = NULL;
    annot_reader_blob blob;
    char text[64] = "";
    annot_reader_open_file(NULL, path, &reader);
    for (size_t i = 0; reader && annot_reader_blob_at(reader, i, &blob); i++)
        if (blob.kind == ANNOT_BLOB_APPLICATION)
            annot_reader_blob_read(reader, i, 0, text, sizeof text - 1);
    printf("in it: \"%s\"\n", text);
    annot_reader_close(reader);
    return !text[0];
}

int main(int argc, char **argv)
{
    help(argc, argv, "usage: dump_file [--out PATH]");
    emu_config config = EMU_CONFIG_INIT;
    config.dump_path = argc == 3 && strcmp(argv[1], "--out") == 0 ? argv[2] : "dump_file.annotdmp";
    config.order = EMU_ORDER_SEEDED; /* no waiting */
    config.hang = (emu_hang){.place = EMU_HANG_AT_SUBMISSION,
                             .count = 1}; /* the GPU never comes to the list */
    emu_configure(&config);
    remove(config.dump_path); /* a dump replaces nothing */
    ID3D12Device *device = make_device();
    MUST(ID3D12Device_QueryInterface(device, &IID_ID3D12DevicePreview, (void **)&preview));
    ID3D12DevicePreview_SetDumpFileCallbacks(preview, on_begin, on_end);
    ID3D12DevicePreview_RetainDumpFile(preview, TRUE);
    MUST(ID3D12DevicePreview_ConfigureDumpFile(preview,
                                               D3D12_DUMP_FILE_DRIVER_OPTION_EVENT_MARKERS));

    ID3D12CommandQueue *queue = make_queue(device, DIRECT, L"Graphics queue");
    ID3D12CommandAllocator *allocator = make_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = make_list(device, allocator, DIRECT, L"Frame list");
    MUST(ID3D12GraphicsCommandList_Close(list));
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)list};
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
    emu_run_until_idle(device);
    RELEASE_ALL(device, queue, allocator, list);
    return print_blob(config.dump_path);
}
