/* ID3D12DevicePreview: whether a removed device leaves a file, what the application adds to it, how long it stays
 * [ANN-FILE; DirectX dump files v0.02]. */
#include "kit.h"

#include <annot/reader.h>

#include <stdio.h>
#include <unistd.h>

static struct {
    ID3D12DevicePreview *preview;
    UINT answer;
    HRESULT (*add)(void);
    int begun, ended;
    UINT64 flags;
    HRESULT added;
    D3D12_DEVICE_ERROR_CODE code;
    HRESULT reason;
    char path[256];
    bool was_there;
} told;

static ID3D12Device *told_device;

static UINT STDMETHODCALLTYPE on_begin(UINT64 flags)
{
    told.begun++;
    told.flags = flags;
    told.code = ID3D12DevicePreview_GetDeviceErrorCode(told.preview);
    told.reason = ID3D12Device_GetDeviceRemovedReason(told_device);
    if (told.add != NULL)
        told.added = told.add();
    return told.answer;
}

static void STDMETHODCALLTYPE on_end(const WCHAR *path)
{
    size_t length = 0;
    told.ended++;
    for (; path[length] != 0 && length < sizeof told.path - 1; length++)
        told.path[length] = (char)path[length];
    told.path[length] = '\0';
    told.was_there = access(told.path, R_OK) == 0;
}

struct scene {
    ID3D12Device *device;
    ID3D12DevicePreview *preview;
    char path[64];
};

static void scene_open(struct scene *s)
{
    emu_config config = EMU_CONFIG_INIT;
    config.order = EMU_ORDER_SEEDED;
    snprintf(s->path, sizeof s->path, "file-%d.annotdmp", (int)getpid());
    remove(s->path);
    config.dump_path = s->path;
    s->device = kit_device_with(&config);
    MUST(ID3D12Device_QueryInterface(s->device, &IID_ID3D12DevicePreview, (void **)&s->preview));
    memset(&told, 0, sizeof told);
    told.preview = s->preview;
    told.answer = 1;
    told_device = s->device;
}

static void scene_close(struct scene *s)
{
    ID3D12DevicePreview_Release(s->preview);
    kit_close(s->device);
    remove(s->path);
}

static bool has_file(const struct scene *s)
{
    return access(s->path, R_OK) == 0;
}

static size_t blobs_of(const struct scene *s, uint32_t kind, annot_reader_blob *last)
{
    annot_reader *reader = NULL;
    size_t count = 0;
    cr_assert(annot_reader_open_file(NULL, s->path, &reader) == ANNOT_OK);
    annot_reader_blob blob;
    for (size_t i = 0; annot_reader_blob_at(reader, i, &blob); i++)
        if (blob.kind == kind) {
            *last = blob;
            count++;
        }
    annot_reader_close(reader);
    return count;
}

Test(dump_file, without_callbacks_it_is_written_and_stays)
{
    struct scene s;
    scene_open(&s);
    cr_assert(ID3D12DevicePreview_GetDeviceErrorCode(s.preview) == D3D12_DEVICE_ERROR_NONE);
    kit_remove(s.device);
    cr_assert(has_file(&s));
    cr_assert(ID3D12DevicePreview_GetDeviceErrorCode(s.preview) == D3D12_DEVICE_ERROR_DEVICE_HUNG);
    scene_close(&s);
}

Test(dump_file, begin_1_writes_it_and_end_gets_its_path)
{
    struct scene s;
    scene_open(&s);
    ID3D12DevicePreview_SetDumpFileCallbacks(s.preview, on_begin, on_end);
    kit_remove(s.device);
    cr_assert(told.begun == 1 && told.flags == 0 && told.ended == 1);
    cr_assert_str_eq(told.path, s.path);
    cr_assert(told.was_there && has_file(&s));
    cr_assert(told.code == D3D12_DEVICE_ERROR_DEVICE_HUNG, "known from Begin on");
    cr_assert(told.reason == S_OK, "the device is removed behind the dump");
    scene_close(&s);
}

Test(dump_file, begin_0_writes_none_and_end_is_not_called)
{
    struct scene s;
    scene_open(&s);
    told.answer = 0;
    ID3D12DevicePreview_SetDumpFileCallbacks(s.preview, on_begin, on_end);
    kit_remove(s.device);
    cr_assert(told.begun == 1 && told.ended == 0 && !has_file(&s));
    scene_close(&s);
}

Test(dump_file, one_that_is_not_retained_is_gone_behind_the_end_callback)
{
    struct scene s;
    scene_open(&s);
    ID3D12DevicePreview_SetDumpFileCallbacks(s.preview, NULL, on_end);
    ID3D12DevicePreview_RetainDumpFile(s.preview, FALSE);
    kit_remove(s.device);
    cr_assert(told.ended == 1 && told.was_there && !has_file(&s));
    scene_close(&s);
}

static unsigned char big[2 << 20];

static HRESULT add_all(void)
{
    static unsigned char three[3] = {1, 2, 3};
    MUST(ID3D12DevicePreview_AddBlobToDumpFile(told.preview, three, 3, 77));
    memset(big, 0x5A, sizeof big);
    return ID3D12DevicePreview_AddBlobToDumpFile(told.preview, big, sizeof big - 8 - 11, 78);
}

/* Blobs and their metadata together take 2 MiB at most. */
Test(dump_file, blobs_up_to_2_mib_are_in_it)
{
    struct scene s;
    annot_reader_blob blob;
    scene_open(&s);
    told.add = add_all;
    ID3D12DevicePreview_SetDumpFileCallbacks(s.preview, on_begin, NULL);
    kit_remove(s.device);
    cr_assert(told.added == S_OK);
    cr_assert(blobs_of(&s, ANNOT_BLOB_APPLICATION, &blob) == 2);
    cr_assert(blob.metadata == 78 && blob.size == sizeof big - 19);
    cr_assert(blobs_of(&s, ANNOT_BLOB_KERNEL, &blob) == 1);
    scene_close(&s);
}

static HRESULT add_too_much(void)
{
    MUST(ID3D12DevicePreview_AddBlobToDumpFile(told.preview, big, sizeof big - 8 - 11, 1));
    EXPECT_HR(ID3D12DevicePreview_AddBlobToDumpFile(told.preview, big, 4, 2), E_OUTOFMEMORY);
    EXPECT_HR(ID3D12DevicePreview_AddBlobToDumpFile(told.preview, big, UINT32_MAX, 2),
              E_OUTOFMEMORY);
    EXPECT_HR(ID3D12DevicePreview_AddBlobToDumpFile(told.preview, NULL, 4, 2), E_INVALIDARG);
    EXPECT_HR(ID3D12DevicePreview_AddBlobToDumpFile(told.preview, big, 0, 2), E_INVALIDARG);
    return ID3D12DevicePreview_AddBlobToDumpFile(told.preview, big, 3, 3);
}

Test(dump_file, one_byte_more_fails_and_stores_nothing)
{
    struct scene s;
    annot_reader_blob blob;
    scene_open(&s);
    told.add = add_too_much;
    ID3D12DevicePreview_SetDumpFileCallbacks(s.preview, on_begin, NULL);
    EXPECT_HR(ID3D12DevicePreview_AddBlobToDumpFile(s.preview, big, 4, 2), DXGI_ERROR_INVALID_CALL);
    kit_remove(s.device);
    cr_assert(told.added == S_OK, "what fits still does");
    cr_assert(blobs_of(&s, ANNOT_BLOB_APPLICATION, &blob) == 2 && blob.metadata == 3);
    EXPECT_HR(ID3D12DevicePreview_AddBlobToDumpFile(s.preview, big, 4, 2), DXGI_ERROR_INVALID_CALL);
    scene_close(&s);
}

Test(dump_file, no_data_leaves_out_what_driver_and_kernel_have)
{
    struct scene s;
    annot_reader_blob blob;
    scene_open(&s);
    EXPECT_HR(ID3D12DevicePreview_ConfigureDumpFile(s.preview, 0xFF), S_OK);
    kit_remove(s.device);
    cr_assert(blobs_of(&s, ANNOT_BLOB_KERNEL, &blob) == 0);
    cr_assert(blobs_of(&s, ANNOT_BLOB_DRIVER, &blob) == 0);
    scene_close(&s);
}

static HRESULT use_the_device(void)
{
    ID3D12Resource *buffer = kit_buffer(told_device, D3D12_HEAP_TYPE_DEFAULT, 64);
    ID3D12Resource_Release(buffer);
    ID3D12DevicePreview_RetainDumpFile(told.preview, TRUE);
    ID3D12DevicePreview_SetDumpFileCallbacks(told.preview, on_begin, on_end);
    return S_OK;
}

Test(dump_file, a_callback_may_use_the_device)
{
    struct scene s;
    scene_open(&s);
    told.add = use_the_device;
    told.added = E_FAIL;
    ID3D12DevicePreview_SetDumpFileCallbacks(s.preview, on_begin, NULL);
    kit_remove(s.device);
    cr_assert(told.added == S_OK && told.ended == 1);
    scene_close(&s);
}

Test(dump_file, drivers_without_options_are_tier_0)
{
    static const char *const drivers[] = {"reference", "warp", "legacy"};
    for (size_t i = 0; i < 3; i++) {
        emu_config config = EMU_CONFIG_INIT;
        config.driver = drivers[i];
        ID3D12Device *device = kit_device_with(&config);
        D3D12_FEATURE_DATA_DUMP_FILE answer;
        MUST(ID3D12Device_CheckFeatureSupport(device, D3D12_FEATURE_DUMP_FILE, &answer,
                                              sizeof answer));
        cr_assert(answer.SupportedByOS == TRUE && answer.DumpFileDriverOptionsMask == 0);
        cr_assert(answer.DumpFileDriverTier == D3D12_DUMP_FILE_DRIVER_TIER_NOT_SUPPORTED);
        kit_close(device);
    }
}
