/* ANN-FILE without the emulator's help: the dump of a device that the application itself removes,
 * as its callbacks get it. The specification doesn't say that there is one: a runtime that calls no
 * Begin then is skipped. */
#include "kit.h"

#include <annot/dxdmp.h>
#include <annot/reader.h>

CASES(file_removed_cases, "file");

static const char scope[] = "Scope of the list that waits", queue_marker[] = "Marker of the queue",
                  added[] = "What the application knows of itself";

static struct removed {
    ID3D12Device *device;
    ID3D12DevicePreview *preview;
    UINT answer; /* of Begin */
    unsigned begun, ended;
    bool is_ended_first, is_whole, has_scope, has_queue_marker, has_added;
} removed;

static bool has_bytes(const char *data, size_t size, const char *wanted)
{
    const size_t length = strlen(wanted);
    for (size_t at = 0; at + length <= size; at++)
        if (memcmp(data + at, wanted, length) == 0)
            return true;
    return false;
}

static bool look_at(void *is_good, const void *data, size_t size)
{
    annot_reader *reader = NULL;
    *(bool *)is_good = annot_reader_open_memory(NULL, data, size, &reader) == ANNOT_OK &&
                       !annot_reader_is_damaged(reader);
    annot_reader_close(reader);
    return true;
}

/* Windows' own format, or a runtime's that is built on libannot. */
static bool is_whole(const char *data, size_t size)
{
    bool is_good = false;
    const annot_report_sink sink = {&is_good, look_at};
    if (annot_dxdmp_is(data, size))
        annot_dxdmp_as_dump(NULL, data, size, &sink);
    else
        look_at(&is_good, data, size);
    return is_good;
}

static void read_dump(const char *path)
{
    enum { LARGEST = 64 << 20 };
    FILE *file = fopen(path, "rb");
    char *data = malloc(LARGEST);
    if (EXPECT(file && data)) {
        const size_t size = fread(data, 1, LARGEST, file);
        removed.is_whole = is_whole(data, size);
        removed.has_scope = has_bytes(data, size, scope);
        removed.has_queue_marker = has_bytes(data, size, queue_marker);
        removed.has_added = has_bytes(data, size, added);
    }
    free(data);
    if (file)
        fclose(file);
}

static UINT on_begin(UINT64 flags)
{
    (void)flags;
    removed.begun++;
    if (removed.answer)
        EXPECT_OK(ID3D12DevicePreview_AddBlobToDumpFile(removed.preview, (void *)(uintptr_t)added,
                                                        sizeof added, 77));
    return removed.answer;
}

static void on_end(const WCHAR *wide)
{
    char path[1024] = "";
    removed.is_ended_first = removed.begun == 0;
    removed.ended++;
    for (size_t i = 0; wide[i] && i + 1 < sizeof path; i++)
        path[i] = (char)wide[i];
    read_dump(path);
}

/* A device with a list behind a fence that never comes, which then is removed. */
static void remove_device(kit_mode mode, UINT answer)
{
    memset(&removed, 0, sizeof removed);
    removed.answer = answer;
    if (the_runtime.configure) { /* the emulator writes none unless it is told where to */
        emu_config config = kit_config();
        config.dump_path = case_file("annotdmp");
        removed.device = kit_device_with(&config, mode);
    } else {
        removed.device = kit_device(mode);
    }
    REQUIRE_OK(ID3D12Device_QueryInterface(removed.device, &IID_ID3D12DevicePreview,
                                           (void **)&removed.preview));
    ID3D12DevicePreview_SetDumpFileCallbacks(removed.preview, on_begin, on_end);
    ID3D12CommandQueue *queue = kit_queue(removed.device, DIRECT);
    struct kit_list list = kit_list(removed.device, DIRECT);
    ID3D12Fence *never = kit_fence(removed.device, 0);
    kit_begin(&list, 1, scope, sizeof scope);
    kit_end(&list);
    ID3D12CommandQueue_SetMarker(queue, 1, queue_marker, sizeof queue_marker);
    REQUIRE_OK(ID3D12CommandQueue_Wait(queue, never, 1));
    kit_execute(queue, &list);
    kit_remove(removed.device);
    if (removed.begun == 0)
        SKIP("needs a dump of a removed device: Begin was not called");
    kit_release(never);
    kit_list_done(&list);
    kit_release(queue);
    kit_release(removed.preview);
    kit_device_done(removed.device);
}

CASE(a_removed_devices_callbacks_get_a_whole_file, "ANN-FILE-01 ANN-FILE-04",
     "End comes before Begin, twice, or with a file that can't be read.", .needs = PREVIEW)
{
    remove_device(0, 1);
    EXPECT_EQ(removed.begun, 1);
    EXPECT_EQ(removed.ended, 1);
    EXPECT(!removed.is_ended_first);
    EXPECT(removed.is_whole);
}

CASE(a_removed_devices_dump_may_be_refused, "ANN-FILE-02",
     "An application refuses the dump, and gets one (that End is not called is a decision of this "
     "project).",
     .needs = PREVIEW)
{
    remove_device(0, 0);
    EXPECT_EQ(removed.begun, 1);
    EXPECT_EQ(removed.ended, 0);
}

CASE(a_removed_devices_dump_has_what_was_added, "ANN-FILE-06",
     "What the application knows of itself is not in the dump.", .needs = PREVIEW)
{
    remove_device(0, 1);
    EXPECT(removed.has_added);
}

CASE(a_removed_devices_dump_has_its_markers, "ANN-CRASH-01",
     "The markers of work that never ended are not in the dump file.", .needs = PREVIEW | TOOLS)
{
    remove_device(RETAIL, 1);
    EXPECT(removed.is_whole);
    EXPECT(removed.has_scope);
    EXPECT(removed.has_queue_marker);
}
