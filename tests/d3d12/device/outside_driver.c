/* Drivers from outside, as emu/driver.h and emu/kernel.h describe them [ANN-DDI-01, ANN-CAPS-04]:
 * tests/modules has some that are wrong in many ways, examples/driver_so.c is one that works. */
#include "kit.h"

#include <emu/dxcore.h>

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#define MODULE(name) MODULES "/" name ".so"

static HRESULT create(void **out)
{
    return D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, out);
}

static BOOL is_supported(ID3D12Device *device)
{
    D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION data = {.Supported = 77};
    MUST(ID3D12Device_CheckFeatureSupport(device, D3D12_FEATURE_USER_DEFINED_ANNOTATION, &data,
                                          sizeof data));
    return data.Supported;
}

static ID3D12Device *device_with_driver(const char *driver, const char *dump_path)
{
    emu_config config = kit_config();
    config.driver = driver;
    config.dump_path = dump_path;
    if (dump_path)
        remove(dump_path); /* a dump replaces nothing */
    return kit_device_with(&config);
}

/* ---- what can't be used ---- */

/* The lines that stderr gets while `attempts` devices are asked for, all failing with
 * `expected`. */
static char *complaints(const char *variable, const char *path, HRESULT expected, int attempts)
{
    static char text[2048];
    char file[] = "/tmp/annot-outside-XXXXXX";
    const int to = mkstemp(file), before = dup(2);
    cr_assert(to >= 0 && before >= 0);
    setenv(variable, path, 1);
    fflush(stderr);
    dup2(to, 2);
    HRESULT hr = expected;
    void *out = NULL;
    for (int i = 0; i < attempts && hr == expected && !out; i++) {
        out = &out;
        hr = create(&out);
    }
    fflush(stderr);
    dup2(before, 2);
    close(before);
    unsetenv(variable);
    const ssize_t size = pread(to, text, sizeof text - 1, 0);
    text[size > 0 ? size : 0] = '\0';
    close(to);
    remove(file);
    cr_assert_eqs(hr, expected, out, NULL, "%s: 0x%08x", path, (unsigned)hr);
    return text;
}

static int lines(const char *text)
{
    int count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

Test(outside_driver, that_cannot_be_used_fails_creation_and_says_why_once)
{
    static const struct {
        const char *path;
        HRESULT expected;
    } cases[] = {
        {MODULES "/there_is_none.so", DXGI_ERROR_NOT_FOUND},
        {"there_is_none_here_either.so", DXGI_ERROR_NOT_FOUND},
        {MODULES, DXGI_ERROR_NOT_FOUND}, /* a folder */
        {__FILE__, DXGI_ERROR_NOT_FOUND},
        {MODULE("no_entry"), DXGI_ERROR_NOT_FOUND},
        {MODULE("null"), DXGI_ERROR_UNSUPPORTED},
        {MODULE("version"), DXGI_ERROR_UNSUPPORTED},
        {MODULE("size"), DXGI_ERROR_UNSUPPORTED},
        {MODULE("name"), DXGI_ERROR_UNSUPPORTED},
        {MODULE("hole"), DXGI_ERROR_UNSUPPORTED},
        {MODULE("last_hole"), DXGI_ERROR_UNSUPPORTED},
    };
    kit_close(kit_device()); /* what a recorder in front says first is no complaint */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = complaints("EMU_DRIVER_PATH", cases[i].path, cases[i].expected, 3);
        cr_assert(lines(text) == 1 && strstr(text, cases[i].path), "%s: %s", cases[i].path, text);
        void *adapter = &adapter;
        cr_assert_eq(emu_adapter_create(cases[i].path, &adapter), ANNOT_ERROR_INVALID_ARGUMENT);
        cr_assert(!adapter);
    }
    AT_END(kit_closed) ID3D12Device *device = kit_device(); /* and nothing else is harmed */
}

/* "or NULL when the driver does not support this emulator"; a driver's name is UTF-8, not none. */
Test(outside_driver, of_the_kernel_that_cannot_be_used_fails_creation_and_says_why_once)
{
    static const char *const paths[] = {
        MODULES "/there_is_no_kernel.so", MODULE("kernel_no_entry"), MODULE("kernel_null"),
        MODULE("kernel_version"),         MODULE("kernel_size"),     MODULE("kernel_name"),
    };
#if defined(__GLIBC__)
    mallopt(M_PERTURB, 0xA5); /* a path that is kept without its end goes on */
#endif
    kit_close(kit_device()); /* what a recorder in front says first is no complaint */
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
            const char *text =
                complaints("EMU_KERNEL_DRIVER_PATH", paths[i], DXGI_ERROR_UNSUPPORTED, 2);
            cr_assert_eq(lines(text), round == 0, "%s: %s", paths[i], text);
            cr_assert(round == 1 || strstr(text, paths[i]), "%s: %s", paths[i], text);
        }
    kit_close(kit_device()); /* and nothing else is harmed */
}

/* Its adapter can't be made, so that no device is made with it. "NULL: the shared object in
 * EMU_KERNEL_DRIVER_PATH"; a file in the current folder needs no "./". */
Test(outside_driver, of_the_kernel_is_for_programs_that_name_none)
{
    static const emu_kernel_driver own = {sizeof own, EMU_KERNEL_DRIVER_VERSION, .name = "own"};
    void *out = NULL;
    emu_config config = EMU_CONFIG_INIT;
    cr_assert_eq(chdir(MODULES), 0);
    setenv("EMU_KERNEL_DRIVER_PATH", "kernel_poor.so", 1);
    EXPECT_HR(create(&out), E_OUTOFMEMORY);
    cr_assert(!out);
    config.kernel_driver = &own;
    kit_close(kit_device_with(&config));
    setenv("EMU_KERNEL_DRIVER_PATH", "/nowhere/driver.so", 1);
    kit_close(kit_device_with(&config));
    unsetenv("EMU_KERNEL_DRIVER_PATH");
}

/* ---- ANN-CAPS-04 ---- */

Test(outside_driver, with_a_holed_or_unknown_annotation_table_has_no_such_feature)
{
    static const char *const paths[] = {MODULE("annotation_hole"), MODULE("annotation_version")};
    for (int i = 0; i < 2; i++) {
        AT_END(kit_closed) ID3D12Device *device = device_with_driver(paths[i], NULL);
        cr_assert(!is_supported(device));
        cr_assert_eq(kit_messages(device), 1);
        cr_assert_eq(kit_count(device, ANNOT_MESSAGE_DRIVER_TABLE_INVALID), 1);
        kit_set_mode(device, MODE_RETAIL);
        ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
        ID3D12CommandQueue_BeginEvent(queue, 1, "a", 1);
        ID3D12CommandQueue_EndEvent(queue); /* the entry that isn't there */
        kit_finish(device, queue);
        ID3D12CommandQueue_Release(queue);
        cr_assert_eq(kit_messages(device), 1);
    }
}

/* ---- what can ---- */

Test(outside_driver, is_named_by_environment_or_configuration_and_loaded_once)
{
    setenv("EMU_DRIVER_PATH", MODULE("good"), 1);
    setenv("EMU_DRIVER", "warp", 1); /* the path goes before it */
    ID3D12Device *device = NULL, *again = NULL;
    MUST(create((void **)&device));
    unsetenv("EMU_DRIVER_PATH");
    unsetenv("EMU_DRIVER");
    emu_config config = EMU_CONFIG_INIT;
    config.driver = MODULE("good");
    cr_assert_eq(emu_configure(&config), ANNOT_OK);
    MUST(create((void **)&again));
    cr_assert_eq(again, device, "the same driver, the same default adapter");
    ID3D12Device_Release(again);
    cr_assert(is_supported(device));
    kit_close(device);
    cr_assert_eq(emu_configure(NULL), ANNOT_OK);

    IDXCoreAdapter *adapter = NULL;
    char text[128];
    cr_assert_eq(emu_adapter_create(MODULE("good"), (void **)&adapter), ANNOT_OK);
    MUST(adapter->lpVtbl->GetProperty(adapter, DriverDescription, sizeof text, text));
    cr_assert(strstr(text, "from outside"));
    IUnknown_Release((IUnknown *)adapter);
    adapter = NULL;
    cr_assert_eq(emu_adapter_create(MODULE("good"), (void **)&adapter), ANNOT_OK);
    IUnknown_Release((IUnknown *)adapter);
}

/* A file in the current folder needs no "./". */
Test(outside_driver, is_found_in_the_current_folder)
{
    AT_END(kit_closed) ID3D12Device *device = NULL;
    cr_assert_eq(chdir(MODULES), 0);
    setenv("EMU_DRIVER_PATH", "good.so", 1);
    MUST(create((void **)&device));
    unsetenv("EMU_DRIVER_PATH");
}

static void begin_dispatch(ID3D12GraphicsCommandList *list, ID3D12RootSignature *signature,
                           ID3D12PipelineState *pipeline, ID3D12Resource *buffer, const char *name)
{
    ID3D12GraphicsCommandList_BeginEvent(list, 1, name, (UINT)strlen(name) + 1);
    kit_dispatch(list, signature, pipeline, buffer, NULL, 42, 1);
}

/* "Frame / Draw" runs, "Frame / Broken" hangs, in the second of three submissions. */
static void play(ID3D12Device *device)
{
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OWNED ID3D12RootSignature *signature = kit_root_signature(device);
    OWNED ID3D12PipelineState *fill = kit_pipeline(device, signature, EMU_KERNEL_FILL);
    OWNED ID3D12PipelineState *spin = kit_pipeline(device, signature, EMU_KERNEL_SPIN);
    OWNED ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 4);
    ID3D12CommandAllocator *allocators[3];
    ID3D12GraphicsCommandList *lists[3];
    uint32_t *word = kit_map(buffer);
    for (int i = 0; i < 3; i++) {
        allocators[i] = kit_allocator(device, DIRECT);
        lists[i] = kit_list(device, allocators[i], DIRECT);
        ID3D12GraphicsCommandList_BeginEvent(lists[i], 1, "Frame", 6);
        begin_dispatch(lists[i], signature, fill, buffer, "Draw");
        ID3D12GraphicsCommandList_EndEvent(lists[i]);
        begin_dispatch(lists[i], signature, i == 1 ? spin : fill, buffer, "Broken");
        ID3D12GraphicsCommandList_EndEvent(lists[i]);
        ID3D12GraphicsCommandList_EndEvent(lists[i]);
        kit_execute(queue, lists[i]);
    }
    emu_run_until_idle(device);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(device), DXGI_ERROR_DEVICE_HUNG);
    cr_assert_eq(*word, 42, "what comes before the hang has run");
    for (int i = 0; i < 3; i++)
        RELEASE(lists[i], allocators[i]);
}

/* The example's breadcrumbs, in its own GPU memory, lead to the same place as the reference
 * driver's. */
Test(outside_driver, with_breadcrumbs_of_its_own_finds_the_guilty_pass)
{
    char dump[] = "/tmp/annot-outside-XXXXXX", path[256];
    close(mkstemp(dump));
    ID3D12Device *device = device_with_driver(DRIVER_SO, dump);
    kit_set_mode(device, MODE_RETAIL);
    play(device);
    kit_close(device);
    annot_reader *reader = NULL;
    cr_assert_eq(annot_reader_open_file(NULL, dump, &reader), ANNOT_OK);
    cr_assert_eq(annot_reader_stop_count(reader), 1);
    annot_reader_stop_path(reader, 0, path, sizeof path);
    cr_assert_str_eq(path, "Frame / Broken");
    cr_assert_eq(annot_reader_finding_count(reader), 0, "and nothing contradicts itself");
    annot_reader_close(reader);
    remove(dump);
}

/* Work that the driver turned down was never a submission: the application is told, and a dump
 * doesn't take the completion of a later one for that of the lost one. */
Test(outside_driver, that_refuses_submissions_finishes_nothing_by_it)
{
    char dump[] = "/tmp/annot-outside-XXXXXX";
    close(mkstemp(dump));
    ID3D12Device *device = device_with_driver(MODULE("submission"), dump);
    kit_set_mode(device, MODE_RETAIL);
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12RootSignature *signature = kit_root_signature(device);
    ID3D12PipelineState *pipelines[] = {kit_pipeline(device, signature, EMU_KERNEL_FILL),
                                        kit_pipeline(device, signature, EMU_KERNEL_SPIN)};
    ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 4);
    for (int i = 0; i < 5; i++) { /* 1st, 3rd and 5th run, the 5th for ever */
        OWNED ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
        ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
        begin_dispatch(list, signature, pipelines[i == 4], buffer, "Pass");
        ID3D12GraphicsCommandList_EndEvent(list);
        kit_execute(queue, list);
        cr_assert_eq(kit_count(device, EMU_MESSAGE_SUBMISSION_LOST), (UINT64)(i + 1) / 2);
        emu_run_until_idle(device);
        ID3D12GraphicsCommandList_Release(list);
        if (i % 2 == 1)
            EXPECT_HR(ID3D12CommandAllocator_Reset(allocator), S_OK); /* nothing runs of it */
    }
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(device), DXGI_ERROR_DEVICE_HUNG);
    RELEASE(buffer, pipelines[0], pipelines[1], signature, queue);
    kit_close(device);
    annot_reader *reader = NULL;
    cr_assert_eq(annot_reader_open_file(NULL, dump, &reader), ANNOT_OK);
    cr_assert_eq(annot_reader_submission_count(reader), 3);
    cr_assert_eq(annot_reader_finding_count(reader), 0);
    annot_reader_close(reader);
    remove(dump);
}

/* ---- ANN-FILE-12, -13: debug blobs ---- */

/* The driver's blob in the dump; how often the runtime complained of its size. */
static UINT64 driver_blob(const char *driver, UINT options, char text[8], UINT64 *complaints)
{
    char path[64];
    annot_reader *reader = NULL;
    annot_reader_blob blob;
    UINT64 size = 0;
    snprintf(path, sizeof path, "outside-blob-%d.annotdmp", (int)getpid()); /* tests run at once */
    ID3D12Device *device = device_with_driver(driver, path);
    ID3D12DevicePreview *preview = AS(ID3D12DevicePreview, device);
    if (options)
        MUST(ID3D12DevicePreview_ConfigureDumpFile(preview, options));
    ID3D12DevicePreview_Release(preview);
    kit_remove(device);
    *complaints = kit_count(device, (int)EMU_MESSAGE_DEBUG_BLOB);
    kit_close(device);
    memset(text, 0, 8);
    cr_assert_eq(annot_reader_open_file(NULL, path, &reader), ANNOT_OK);
    for (size_t i = 0; annot_reader_blob_at(reader, i, &blob); i++)
        if (blob.kind == ANNOT_BLOB_DRIVER) {
            size = blob.size;
            annot_reader_blob_read(reader, i, 0, text, 7);
        }
    annot_reader_close(reader);
    remove(path);
    return size;
}

/* "1m1": after one question for sizes, the mini one; no overhead is the default. */
Test(outside_driver, is_asked_for_the_mini_blob_once_after_its_full_blob_fails)
{
    char text[8];
    UINT64 complaints;
    cr_assert_eq(driver_blob(MODULE("full_fails"), 0, text, &complaints), 64);
    cr_assert_str_eq(text, "1m1");
    cr_assert_eq(complaints, 0);
}

Test(outside_driver, has_its_blob_cut_and_reported_if_it_claims_more_than_it_got)
{
    char text[8];
    UINT64 complaints;
    cr_assert_eq(driver_blob(MODULE("boasts"), 0, text, &complaints), 4096);
    cr_assert_str_eq(text, "1f1");
    cr_assert_eq(complaints, 1);
}

Test(outside_driver, that_refuses_its_options_is_told_of)
{
    AT_END(kit_closed) ID3D12Device *device = device_with_driver(MODULE("no_options"), NULL);
    OWNED ID3D12DevicePreview *preview = AS(ID3D12DevicePreview, device);
    EXPECT_HR(ID3D12DevicePreview_ConfigureDumpFile(preview,
                                                    D3D12_DUMP_FILE_DRIVER_OPTION_NO_OVERHEAD),
              S_OK);
    cr_assert_eq(kit_count(device, 1450), 1);
}

/* The highest overhead wins. */
Test(outside_driver, is_told_the_highest_overhead_that_was_asked_for)
{
    static const struct {
        UINT asked;
        char told;
    } cases[] = {{D3D12_DUMP_FILE_DRIVER_OPTION_NO_OVERHEAD, '1'},
                 {D3D12_DUMP_FILE_DRIVER_OPTION_MEDIUM_OVERHEAD, '2'},
                 {D3D12_DUMP_FILE_DRIVER_OPTION_HIGH_OVERHEAD, '4'},
                 {D3D12_DUMP_FILE_DRIVER_OPTION_NO_OVERHEAD |
                      D3D12_DUMP_FILE_DRIVER_OPTION_MEDIUM_OVERHEAD,
                  '2'},
                 {D3D12_DUMP_FILE_DRIVER_OPTION_MEDIUM_OVERHEAD |
                      D3D12_DUMP_FILE_DRIVER_OPTION_HIGH_OVERHEAD,
                  '4'}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[8];
        UINT64 complaints;
        driver_blob(MODULE("full_fails"), cases[i].asked, text, &complaints);
        cr_assert_eq(text[2], cases[i].told, "asked for %u: %s", cases[i].asked, text);
    }
}
