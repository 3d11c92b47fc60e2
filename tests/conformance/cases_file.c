/* ANN-FILE: dump files as a program steers them through ID3D12DevicePreview. */
#include "kit_scene.h"

CASES(file_cases, "file");

#define NEEDED        (PREVIEW | EMULATOR | HANG | DUMP | KERNELS)
#define INVALID_CALL  0x887A0001 /* DXGI_ERROR_INVALID_CALL */
#define OUT_OF_MEMORY 0x8007000E
#define BLOBS_LIMIT   (2u << 20) /* blobs and their metadata together */

static ID3D12DevicePreview *preview_of(ID3D12Device *device)
{
    ID3D12DevicePreview *preview = NULL;
    REQUIRE_OK(ID3D12Device_QueryInterface(device, &IID_ID3D12DevicePreview, (void **)&preview));
    return preview;
}

/* ---- a device that hangs, and what its callbacks hear ---- */

static struct hang {
    struct kit_scene scene;
    ID3D12DevicePreview *preview;
    ID3D12CommandQueue *queue;
    struct kit_list list;
    UINT answer; /* of Begin */
    void (*in_begin)(void);
    unsigned begun, ended;
    UINT64 flags;
    char path[512];
    bool was_there;
} hang;

static bool is_there(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

static UINT on_begin(UINT64 flags)
{
    hang.begun++;
    hang.flags = flags;
    if (hang.in_begin)
        hang.in_begin();
    return hang.answer;
}

static void on_end(const WCHAR *path)
{
    size_t length = 0;
    hang.ended++;
    for (; path[length] && length + 1 < sizeof hang.path; length++)
        hang.path[length] = (char)path[length];
    hang.path[length] = '\0';
    hang.was_there = is_there(hang.path);
}

static void hang_open(UINT answer)
{
    memset(&hang, 0, sizeof hang);
    hang.answer = answer;
    kit_scene(&hang.scene, NULL);
    hang.preview = preview_of(hang.scene.device);
    hang.queue = kit_named_queue(&hang.scene, DIRECT, "Q");
    hang.list = kit_named_list(&hang.scene, DIRECT, "L");
    kit_scope(&hang.list, "Stuck");
    kit_spin(&hang.scene, &hang.list);
}

/* Until the device is removed. */
static void hang_run(void)
{
    kit_execute(hang.queue, &hang.list);
    the_runtime.run_until_idle(hang.scene.device);
    REQUIRE_HR(ID3D12Device_GetDeviceRemovedReason(hang.scene.device), 0x887A0006);
}

static void hang_done(void)
{
    kit_list_done(&hang.list);
    kit_release(hang.queue);
    kit_release(hang.preview);
    kit_scene_done(&hang.scene);
}

/* Blobs of a kind in the dump, and the last of them. */
static size_t blobs_of(uint32_t kind, annot_reader_blob *last)
{
    AT_END(at_end_close) annot_reader *reader = NULL;
    annot_reader_blob blob;
    size_t count = 0;
    REQUIRE_EQ(annot_reader_open_file(NULL, hang.scene.path, &reader), ANNOT_OK);
    for (size_t i = 0; annot_reader_blob_at(reader, i, &blob); i++)
        if (blob.kind == kind) {
            *last = blob;
            count++;
        }
    return count;
}

/* ---- whether there is a file ---- */

CASE(begin_1_writes, "ANN-FILE-01", "An application asks for a dump, and there is none.",
     .needs = NEEDED)
{
    hang_open(1);
    ID3D12DevicePreview_SetDumpFileCallbacks(hang.preview, on_begin, NULL);
    hang_run();
    EXPECT_EQ(hang.begun, 1);
    EXPECT_EQ(hang.flags, 0);
    EXPECT(is_there(hang.scene.path));
    hang_done();
}

/* kit_scene expects that the removal tells of a dump. Here it may not: a device that hangs at once,
 * with these callbacks; the path is the dump's when there is one. */
static void note_path(void *user, annot_device_error error, const char *path)
{
    (void)error;
    *(bool *)user = path != NULL;
}

static void hang_without_scene(D3D12_DUMPFILEBEGINCALLBACK begin, BOOL retain)
{
    bool is_told = true;
    emu_config config = kit_config();
    config.dump_path = case_file("annotdmp");
    config.on_removed = note_path;
    config.user = &is_told;
    config.hang = (emu_hang){.place = EMU_HANG_AT_SUBMISSION, .count = 1};
    memset(&hang, 0, sizeof hang);
    AT_END(kit_device_end) ID3D12Device *device = kit_device_with(&config, 0);
    OWNED ID3D12DevicePreview *preview = preview_of(device);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OWNED_LIST list = kit_list(device, DIRECT);
    ID3D12DevicePreview_SetDumpFileCallbacks(preview, begin, on_end);
    ID3D12DevicePreview_RetainDumpFile(preview, retain);
    kit_execute(queue, &list);
    the_runtime.run_until_idle(device);
    EXPECT_EQ(ID3D12DevicePreview_GetDeviceErrorCode(preview), D3D12_DEVICE_ERROR_DEVICE_HUNG);
    EXPECT(!is_told && !is_there(config.dump_path));
}

CASE(begin_0_writes_none, "ANN-FILE-02",
     "An application refuses the dump, and finds one on its user's disk (that End is not called "
     "is a decision of this project).",
     .needs = NEEDED)
{
    hang_without_scene(on_begin, TRUE); /* which answers 0 */
    EXPECT_EQ(hang.begun, 1);
    EXPECT_EQ(hang.ended, 0);
}

CASE(no_callbacks_writes, "ANN-FILE-03", "Only applications that know of dump files leave one.",
     .needs = NEEDED)
{
    hang_open(1);
    EXPECT_EQ(ID3D12DevicePreview_GetDeviceErrorCode(hang.preview), D3D12_DEVICE_ERROR_NONE);
    hang_run();
    EXPECT(is_there(hang.scene.path));
    EXPECT_EQ(ID3D12DevicePreview_GetDeviceErrorCode(hang.preview), D3D12_DEVICE_ERROR_DEVICE_HUNG);
    hang_done();
}

CASE(end_gets_the_path, "ANN-FILE-04",
     "The application uploads another file than its dump, or one that isn't written yet.",
     .needs = NEEDED)
{
    hang_open(1);
    ID3D12DevicePreview_SetDumpFileCallbacks(hang.preview, on_begin, on_end);
    hang_run();
    EXPECT_EQ(hang.ended, 1);
    EXPECT(strcmp(hang.path, hang.scene.path) == 0);
    EXPECT(hang.was_there);
    hang_done();
}

CASE(not_retained_is_gone_after_end, "ANN-FILE-05",
     "A dump that the application does not keep stays, or is gone before End could read it.",
     .needs = NEEDED)
{
    hang_without_scene(NULL, FALSE);
    EXPECT_EQ(hang.ended, 1);
    EXPECT(hang.was_there);
}

/* ---- what the application adds ---- */

static unsigned char big[BLOBS_LIMIT];

static HRESULT add(const void *data, UINT size, UINT64 metadata)
{
    return ID3D12DevicePreview_AddBlobToDumpFile(hang.preview, (void *)(uintptr_t)data, size,
                                                 metadata);
}

/* The memory may be used again at once. */
static void add_to_the_limit(void)
{
    unsigned char three[3] = {1, 2, 3};
    EXPECT_OK(add(three, 3, 77));
    memset(three, 0, sizeof three);
    EXPECT_OK(add(big, BLOBS_LIMIT - 8 - 3 - 8, 78));
}

CASE(blobs_up_to_2_mib, "ANN-FILE-06",
     "What the application knows of itself is not in the dump, or is cut.", .needs = NEEDED)
{
    annot_reader_blob blob;
    uint8_t bytes[4] = {0};
    hang_open(1);
    hang.in_begin = add_to_the_limit;
    ID3D12DevicePreview_SetDumpFileCallbacks(hang.preview, on_begin, NULL);
    hang_run();
    EXPECT_EQ(blobs_of(ANNOT_BLOB_APPLICATION, &blob), 2);
    EXPECT_EQ(blob.metadata, 78);
    EXPECT_EQ(blob.size, BLOBS_LIMIT - 19);
    const annot_reader *reader = kit_crash(&hang.scene);
    for (size_t i = 0; annot_reader_blob_at(reader, i, &blob); i++)
        if (blob.kind == ANNOT_BLOB_APPLICATION && blob.metadata == 77)
            annot_reader_blob_read(reader, i, 0, bytes, 3);
    EXPECT(bytes[0] == 1 && bytes[1] == 2 && bytes[2] == 3);
    hang_done();
}

static void add_past_the_limit(void)
{
    EXPECT_OK(add(big, BLOBS_LIMIT - 8 - 8 - 3, 1));
    EXPECT_HR(add(big, 4, 2), OUT_OF_MEMORY);
    EXPECT_HR(add(big, UINT32_MAX, 2), OUT_OF_MEMORY);
    EXPECT_OK(add(big, 3, 3)); /* what fits still does */
}

CASE(one_byte_more_fails, "ANN-FILE-07",
     "Past 2 MiB a blob overruns its memory, or is stored in part (the code is a decision of this "
     "project).",
     .needs = NEEDED)
{
    annot_reader_blob blob;
    hang_open(1);
    hang.in_begin = add_past_the_limit;
    ID3D12DevicePreview_SetDumpFileCallbacks(hang.preview, on_begin, NULL);
    hang_run();
    EXPECT_EQ(hang.begun, 1);
    EXPECT_EQ(blobs_of(ANNOT_BLOB_APPLICATION, &blob), 2);
    EXPECT_EQ(blob.metadata, 3);
    hang_done();
}

CASE(outside_begin_fails, "ANN-FILE-08",
     "A blob that can't go into any dump is taken as if it did (the code is a decision of this "
     "project).",
     .needs = PREVIEW)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    OWNED ID3D12DevicePreview *preview = preview_of(device);
    EXPECT_HR(ID3D12DevicePreview_AddBlobToDumpFile(preview, big, 4, 1), INVALID_CALL);
}

/* ---- what the driver adds ---- */

CASE(configure_0xff_succeeds, "ANN-FILE-09",
     "An application has to ask for options before it may set them.", .needs = PREVIEW,
     .drivers = ALL_DRIVERS)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    OWNED ID3D12DevicePreview *preview = preview_of(device);
    EXPECT_OK(ID3D12DevicePreview_ConfigureDumpFile(preview, 0xFF));
}

CASE(no_data_calls_no_blob_ddi, "ANN-FILE-10",
     "The driver's data is in a dump of an application that wanted none of it.", .needs = NEEDED)
{
    static const struct {
        UINT options;
        bool has_data;
    } rows[] = {{D3D12_DUMP_FILE_DRIVER_OPTION_NO_OVERHEAD, true},
                {D3D12_DUMP_FILE_DRIVER_OPTION_NO_DATA, false},
                {0xFF, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        annot_reader_blob blob;
        hang_open(1);
        EXPECT_OK(ID3D12DevicePreview_ConfigureDumpFile(hang.preview, rows[i].options));
        hang_run();
        EXPECT_EQ_AT(i, blobs_of(ANNOT_BLOB_DRIVER, &blob), rows[i].has_data);
        EXPECT_EQ_AT(i, blobs_of(ANNOT_BLOB_KERNEL, &blob), rows[i].has_data);
        EXPECT_EQ_AT(i, blobs_of(ANNOT_BLOB_KERNEL_DRIVER, &blob), rows[i].has_data);
        hang_done();
    }
}

CASE(tier_matches_options, "ANN-FILE-11", "A driver's tier promises options that it doesn't have.",
     .needs = PREVIEW, .drivers = REFERENCE | WARP | LEGACY | REORDER)
{
    const UINT none = D3D12_DUMP_FILE_DRIVER_OPTION_NO_OVERHEAD;
    const UINT some =
        D3D12_DUMP_FILE_DRIVER_OPTION_MEDIUM_OVERHEAD | D3D12_DUMP_FILE_DRIVER_OPTION_HIGH_OVERHEAD;
    const UINT no_data = D3D12_DUMP_FILE_DRIVER_OPTION_NO_DATA;
    D3D12_FEATURE_DATA_DUMP_FILE feature = {0};
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    REQUIRE_OK(ID3D12Device_CheckFeatureSupport(device, D3D12_FEATURE_DUMP_FILE, &feature,
                                                sizeof feature));
    const UINT mask = feature.DumpFileDriverOptionsMask;
    switch (feature.DumpFileDriverTier) {
    case D3D12_DUMP_FILE_DRIVER_TIER_2:
        EXPECT(mask & none);
        EXPECT(mask & ~(none | some | no_data)); /* a single option */
        EXPECT(mask & no_data);
        break;
    case D3D12_DUMP_FILE_DRIVER_TIER_1:
        EXPECT(mask & some);
        EXPECT(mask & no_data);
        break;
    default:
        EXPECT_EQ(mask, 0);
    }
}

/* ---- inside of a callback ---- */

static void use_the_device(void)
{
    kit_release(kit_buffer(hang.scene.device, D3D12_HEAP_TYPE_DEFAULT, 65536));
    kit_release(kit_queue(hang.scene.device, COPY));
    ID3D12DevicePreview_RetainDumpFile(hang.preview, TRUE);
    EXPECT_EQ(ID3D12DevicePreview_GetDeviceErrorCode(hang.preview), D3D12_DEVICE_ERROR_DEVICE_HUNG);
    ID3D12DevicePreview_SetDumpFileCallbacks(hang.preview, on_begin, on_end);
}

CASE(callback_may_use_the_device, "ANN-FILE-14",
     "An application that asks its device for something in Begin never gets its dump.",
     .needs = NEEDED)
{
    hang_open(1);
    hang.in_begin = use_the_device;
    ID3D12DevicePreview_SetDumpFileCallbacks(hang.preview, on_begin, NULL);
    hang_run();
    EXPECT_EQ(hang.begun, 1);
    EXPECT_EQ(hang.ended, 1); /* set in Begin */
    EXPECT(is_there(hang.scene.path));
    hang_done();
}
