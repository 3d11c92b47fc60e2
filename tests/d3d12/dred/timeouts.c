/* The kernel's questions to its driver when the device is removed, and their part of the dump
 * [ANN-TDR; WDDM 3.2]: each test has a kernel-mode driver with one difference. */
#include "dred_kit.h"

/* ---- drivers: they have no adapter of their own; what they were asked is noted ---- */

static struct asked {
    unsigned old, second, resets, resets_before; /* it was asked for the first time */
    uint32_t reason, type, payload_size;
    bool has_payload, is_zeroed, has_extension;
    size_t size;
    DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT payload;
    const unsigned char *kept; /* the payload's address, for a look after the call */
} asked;

static int contexts[8];
static unsigned context_count;

static void *adapter_create(emu_kernel_adapter *kernel)
{
    (void)kernel;
    return &asked;
}

static void adapter_destroy(void *adapter)
{
    (void)adapter;
}

static void *context_create(void *adapter, uint32_t node)
{
    (void)adapter, (void)node;
    return &contexts[context_count++ % 8];
}

static bool is_zero(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static NTSTATUS collect_old(void *adapter, const DXGKARG_COLLECTDBGINFO *info)
{
    (void)adapter;
    asked.old++;
    asked.reason = info->Reason;
    memcpy(info->pBuffer, "old", 3);
    return STATUS_SUCCESS;
}

static NTSTATUS collect(void *adapter, const DXGKARG_COLLECTDBGINFO2 *info)
{
    (void)adapter;
    if (asked.second++ == 0)
        asked.resets_before = asked.resets;
    asked.reason = info->Reason;
    asked.type = (uint32_t)info->TdrType;
    asked.payload_size = info->TdrPayloadSize;
    asked.has_payload = info->TdrPayload != NULL;
    asked.is_zeroed = is_zero(info->pBuffer, info->BufferSize) &&
                      is_zero((void *)info->pExtension, sizeof *info->pExtension);
    asked.size = info->BufferSize;
    asked.kept = info->TdrPayload;
    if (info->TdrPayload)
        memcpy(&asked.payload, info->TdrPayload,
               info->TdrPayloadSize < sizeof asked.payload ? info->TdrPayloadSize
                                                           : sizeof asked.payload);
    memcpy(info->pBuffer, "second", 6);
    info->pExtension->BucketingKey = 0xB0C4E7;
    info->pExtension->CurrentDmaBufferOffset = 96;
    return STATUS_SUCCESS;
}

static NTSTATUS reset_engine(void *adapter, DXGKARG_RESETENGINE *reset)
{
    (void)adapter;
    asked.resets++;
    reset->LastAbortedFenceId = 2;
    return STATUS_SUCCESS;
}

static NTSTATUS reset_fails(void *adapter, DXGKARG_RESETENGINE *reset)
{
    (void)adapter, (void)reset;
    return STATUS_UNSUCCESSFUL;
}

static NTSTATUS reset_aborts_a_completed_fence(void *adapter, DXGKARG_RESETENGINE *reset)
{
    (void)adapter;
    reset->LastAbortedFenceId = 1;
    return STATUS_SUCCESS;
}

static NTSTATUS reset_aborts_a_future_fence(void *adapter, DXGKARG_RESETENGINE *reset)
{
    (void)adapter;
    reset->LastAbortedFenceId = 4;
    return STATUS_SUCCESS;
}

static emu_kernel_driver driver_with(void)
{
    memset(&asked, 0, sizeof asked);
    context_count = 0;
    return (emu_kernel_driver){.size = sizeof(emu_kernel_driver),
                               .version = EMU_KERNEL_DRIVER_VERSION,
                               .name = "test",
                               .adapter_create = adapter_create,
                               .adapter_destroy = adapter_destroy,
                               .context_create = context_create,
                               .DxgkDdiResetEngine = reset_engine,
                               .DxgkDdiCollectDbgInfo = collect_old,
                               .DxgkDdiCollectDbgInfo2 = collect};
}

/* ---- one submission is done, the second hangs, the third waits ---- */

enum how { HANGS, FAULTS, FORCED, REMOVED };

static emu_config config_with(const emu_kernel_driver *driver)
{
    emu_config config = kit_config();
    config.kernel_driver = driver;
    config.dump_path = dred_dump();
    unlink(dred_dump());
    return config;
}

static annot_reader *stop_with(const emu_config *config, enum how how)
{
    struct scene s;
    scene_open_with(&s, config);
    MUST(ID3D12Object_SetName((ID3D12Object *)s.queue, (const WCHAR *)L"Guilty"));
    MUST(ID3D12GraphicsCommandList_Close(s.list));
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)s.list};
    ID3D12CommandQueue_ExecuteCommandLists(s.queue, 1, lists);
    emu_run_until_idle(s.device);
    MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
    if (how == FAULTS)
        scene_touch(&s, 0x700000000000);
    else if (how == HANGS)
        scene_hang_here(&s, s.list);
    MUST(ID3D12GraphicsCommandList_Close(s.list));
    ID3D12CommandQueue_ExecuteCommandLists(s.queue, 1, lists);
    ID3D12CommandQueue_ExecuteCommandLists(s.queue, 1, lists);
    if (how == FORCED)
        emu_force_tdr(s.device);
    else if (how == REMOVED)
        ID3D12Device5_RemoveDevice((ID3D12Device5 *)s.device);
    else
        emu_run_until_idle(s.device);
    cr_assert(ID3D12Device_GetDeviceRemovedReason(s.device) != S_OK);
    scene_close(&s);
    return dred_dump_read();
}

static annot_reader_tdr tdr_of(annot_reader *reader)
{
    annot_reader_tdr tdr;
    cr_assert(annot_reader_get_tdr(reader, &tdr));
    return tdr;
}

static annot_reader *stop(const emu_kernel_driver *driver, enum how how)
{
    const emu_config config = config_with(driver);
    return stop_with(&config, how);
}

/* The kernel-mode driver's bytes in the dump, as text; "": none. */
static const char *driver_data(const annot_reader *reader)
{
    static char bytes[64];
    annot_reader_blob blob;
    memset(bytes, 0, sizeof bytes);
    for (size_t i = 0; annot_reader_blob_at(reader, i, &blob); i++)
        if (blob.kind == ANNOT_BLOB_KERNEL_DRIVER)
            annot_reader_blob_read(reader, i, 0, bytes, sizeof bytes - 1);
    return bytes;
}

/* ---- which function ---- */

Test(tdr, two_replaces_one)
{
    const emu_kernel_driver driver = driver_with();
    AT_END(at_end_close) annot_reader *reader = stop(&driver, HANGS);
    cr_assert_eqs(asked.old, 0, asked.second, 1);
    cr_assert(asked.is_zeroed);
    cr_assert_eq(asked.size, 65536);
    const annot_reader_tdr tdr = tdr_of(reader);
    cr_assert_eqs(tdr.ddi, 2, tdr.bucketing_key, 0xB0C4E7);
    cr_assert_eqs(tdr.dma_offset, 96, tdr.flags, 0);
    cr_assert_str_eq(driver_data(reader), "second");
}

Test(tdr, only_one_falls_back)
{
    emu_kernel_driver driver = driver_with();
    driver.DxgkDdiCollectDbgInfo2 = NULL;
    AT_END(at_end_close) annot_reader *reader = stop(&driver, HANGS);
    cr_assert_eq3(asked.old, 1, asked.second, 0, asked.reason, 0x141);
    cr_assert_eqs(tdr_of(reader).ddi, 1, tdr_of(reader).payload_size, 0);
    cr_assert_str_eq(driver_data(reader), "old");
}

Test(tdr, neither_is_fine)
{
    emu_kernel_driver driver = driver_with();
    driver.DxgkDdiCollectDbgInfo2 = NULL;
    driver.DxgkDdiCollectDbgInfo = NULL;
    AT_END(at_end_close) annot_reader *reader = stop(&driver, HANGS);
    cr_assert_eqs(tdr_of(reader).ddi, 0, tdr_of(reader).type, DXGK_TDR_TYPE_ENGINE_TIMEOUT);
    cr_assert_str_empty(driver_data(reader));
    cr_assert(!annot_reader_is_damaged(reader) && annot_reader_object_count(reader) > 0);
}

/* ---- types ---- */

/* "KMD can save state that is relevant to the part of the GPU responsible for the TDR" [S4]: it is
 * gone with a reset. */
Test(tdr, the_driver_is_told_the_type_and_asked_before_the_engine_is_reset)
{
    static const struct {
        const char *what;
        enum how how;
        NTSTATUS (*reset)(void *, DXGKARG_RESETENGINE *);
        uint32_t type, reason;
    } rows[] = {
        {"hangs", HANGS, reset_engine, DXGK_TDR_TYPE_ENGINE_TIMEOUT, 0x141},
        {"reset fails", HANGS, reset_fails, DXGK_TDR_TYPE_ENGINE_TIMEOUT_PROMOTED, 0x117},
        {"a fence that is complete is aborted", HANGS, reset_aborts_a_completed_fence,
         DXGK_TDR_TYPE_ENGINE_TIMEOUT_PROMOTED, 0x117},
        {"a fence to come is aborted", HANGS, reset_aborts_a_future_fence,
         DXGK_TDR_TYPE_ENGINE_TIMEOUT_PROMOTED, 0x117},
        {"hangs, no reset", HANGS, NULL, DXGK_TDR_TYPE_PREEMPT_TIMEOUT, 0x117},
        {"faults", FAULTS, reset_engine, DXGK_TDR_TYPE_ENGINE_PAGE_FAULT, 0x141},
        {"faults, no reset", FAULTS, NULL, DXGK_TDR_TYPE_PAGE_FAULT, 0x117},
        {"forced", FORCED, reset_engine, DXGK_TDR_TYPE_FORCED, 0x117},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        emu_kernel_driver driver = driver_with();
        driver.DxgkDdiResetEngine = rows[i].reset;
        AT_END(at_end_close) annot_reader *reader = stop(&driver, rows[i].how);
        const annot_reader_tdr tdr = tdr_of(reader);
        const bool is_reset = rows[i].reason == 0x141;
        cr_assert_eqs(tdr.type, rows[i].type, tdr.reason, rows[i].reason, "%s", rows[i].what);
        cr_assert_eqs(asked.type, tdr.type, asked.reason, tdr.reason, "%s", rows[i].what);
        cr_assert_eqs(asked.resets, is_reset, asked.resets_before, 0, "%s", rows[i].what);
        cr_assert(asked.second == 1 || !is_reset, "%s", rows[i].what);
        cr_assert_eqs(asked.has_payload, i == 0, asked.payload_size != 0, i == 0, "%s",
                      rows[i].what);
        if (i == 0)
            cr_assert_eq3(asked.payload.LastHwCompletedFenceId, 1,
                          asked.payload.LastHwSubmittedFenceId, 3, asked.payload.NodeOrdinal, 0);
    }
}

static NTSTATUS collect_once(void *adapter, const DXGKARG_COLLECTDBGINFO2 *info)
{
    NTSTATUS status = collect(adapter, info);
    if (asked.second > 1) {
        memset(info->pBuffer, 0, 6);
        *info->pExtension = (DXGKARG_COLLECTDBGINFO_EXT){0};
        return status;
    }
    memcpy(info->pBuffer, "engine", 6);
    ((DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT *)info->TdrPayload)->hContext = &contexts[0];
    return status;
}

/* The second time the engine's state may be gone. */
Test(tdr, what_it_said_before_a_reset_that_failed_stays)
{
    emu_kernel_driver driver = driver_with();
    driver.DxgkDdiResetEngine = reset_fails;
    driver.DxgkDdiCollectDbgInfo2 = collect_once;
    AT_END(at_end_close) annot_reader *reader = stop(&driver, HANGS);
    const annot_reader_tdr tdr = tdr_of(reader);
    cr_assert_eq(asked.second, 2);
    cr_assert_eqs(tdr.type, DXGK_TDR_TYPE_ENGINE_TIMEOUT_PROMOTED, tdr.reason, 0x117);
    cr_assert_eq3(tdr.context, tdr.queue, tdr.bucketing_key, 0xB0C4E7, tdr.dma_offset, 96);
    cr_assert_eq(tdr.flags, ANNOT_TDR_RESET_FAILED);
    cr_assert_str_eq(driver_data(reader), "engine");
}

Test(tdr, remove_device_is_none)
{
    const emu_kernel_driver driver = driver_with();
    AT_END(at_end_close) annot_reader *reader = stop(&driver, REMOVED);
    annot_reader_tdr tdr;
    cr_assert(!annot_reader_get_tdr(reader, &tdr));
    cr_assert_eq(asked.second, 0);
}

/* ---- payloads: told apart by their size only ---- */

static void check_payload(emu_tdr_payload version, uint32_t size)
{
    const emu_kernel_driver driver = driver_with();
    emu_config config = config_with(&driver);
    config.tdr_payload = version;
    AT_END(at_end_close) annot_reader *reader = stop_with(&config, HANGS);
    cr_assert_eqs(asked.payload_size, size, asked.has_payload, size != 0);
    cr_assert_eq(tdr_of(reader).payload_size, size);
}

Test(tdr, a_payload_of_any_size_is_kept)
{
    check_payload(EMU_TDR_PAYLOAD_NONE, 0);
    check_payload(EMU_TDR_PAYLOAD_SHORT, 24);
    check_payload(EMU_TDR_PAYLOAD_PUBLISHED, sizeof(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT));
    check_payload(EMU_TDR_PAYLOAD_LONGER, sizeof(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT) + 8);
}

static unsigned char seen_after[24];

static void look_after(void *user, annot_device_error error, const char *path)
{
    (void)user, (void)error, (void)path;
    memcpy(seen_after, asked.kept, sizeof seen_after);
}

Test(tdr, payload_is_gone_after_the_call)
{
    const emu_kernel_driver driver = driver_with();
    emu_config config = config_with(&driver);
    config.on_removed = look_after;
    AT_END(at_end_close) annot_reader *reader = stop_with(&config, HANGS);
    for (size_t i = 0; i < sizeof seen_after; i++)
        cr_assert_eq(seen_after[i], 0xDD);
}

/* ---- who is guilty ---- */

static void *named;

static NTSTATUS collect_and_name(void *adapter, const DXGKARG_COLLECTDBGINFO2 *info)
{
    NTSTATUS status = collect(adapter, info);
    if (info->TdrPayloadSize >= sizeof(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT))
        ((DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT *)info->TdrPayload)->hContext = named;
    return status;
}

static annot_reader_tdr name_context(void *context, annot_reader **reader)
{
    emu_kernel_driver driver = driver_with();
    driver.DxgkDdiCollectDbgInfo2 = collect_and_name;
    named = context;
    *reader = stop(&driver, HANGS);
    return tdr_of(*reader);
}

Test(tdr, the_guilty_context_becomes_a_queue)
{
    AT_END(at_end_close) annot_reader *reader;
    annot_reader_object object;
    const annot_reader_tdr tdr = name_context(&contexts[0], &reader);
    cr_assert(annot_reader_object_find(reader, tdr.context, &object));
    cr_assert_eq(object.name.size, 6);
    cr_assert_mem_eq(object.name.data, "Guilty", 6);
    cr_assert_eqs(tdr.queue, tdr.context, tdr.flags, 0);
}

Test(tdr, forged_context_is_ignored)
{
    AT_END(at_end_close) annot_reader *reader;
    const annot_reader_tdr tdr = name_context(&asked, &reader);
    cr_assert_eqs(tdr.context, 0, tdr.flags, ANNOT_TDR_FORGED_CONTEXT);
}

/* ---- drivers that break the rules: the rest of the dump is as without them ---- */

static enum manner { OVERRUNS, UNDERRUNS, FAILS, CHANGES_THE_PAYLOAD } manner;

static NTSTATUS collect_badly(void *adapter, const DXGKARG_COLLECTDBGINFO2 *info)
{
    NTSTATUS status = collect(adapter, info);
    if (manner == OVERRUNS)
        ((char *)info->pBuffer)[info->BufferSize] = 1;
    if (manner == UNDERRUNS)
        ((char *)info->pBuffer)[-1] = 1;
    if (manner == CHANGES_THE_PAYLOAD)
        ((DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT *)info->TdrPayload)->LastHwCompletedFenceId = 77;
    return manner == FAILS ? STATUS_UNSUCCESSFUL : status;
}

static void check_badly(enum manner how, uint32_t flags, const char *data)
{
    emu_kernel_driver driver = driver_with();
    driver.DxgkDdiCollectDbgInfo2 = collect_badly;
    manner = how;
    AT_END(at_end_close) annot_reader *reader = stop(&driver, HANGS);
    cr_assert_eq(tdr_of(reader).flags, flags, "%d: %u", how, tdr_of(reader).flags);
    cr_assert_str_eq(driver_data(reader), data);
    annot_finding finding = {0};
    bool is_told = false;
    for (size_t i = 0; annot_reader_finding(reader, i, &finding); i++)
        is_told |= finding.kind == ANNOT_FINDING_KERNEL_DRIVER;
    cr_assert(is_told && annot_reader_object_count(reader) > 0);
}

Test(tdr, overrun_discards_the_buffer_and_failed_status_keeps_the_dump)
{
    check_badly(OVERRUNS, ANNOT_TDR_OVERRUN, "");
    check_badly(UNDERRUNS, ANNOT_TDR_OVERRUN, "");
    check_badly(FAILS, ANNOT_TDR_FAILED, "");
    check_badly(CHANGES_THE_PAYLOAD, ANNOT_TDR_PAYLOAD_CHANGED, "second");
}

/* ---- a driver from outside ---- */

Test(tdr, a_driver_that_is_not_there_makes_no_device)
{
    ID3D12Device *device = NULL;
    setenv("EMU_KERNEL_DRIVER_PATH", "/nowhere/driver.so", 1);
    EXPECT_HR(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&device),
              DXGI_ERROR_UNSUPPORTED);
    unsetenv("EMU_KERNEL_DRIVER_PATH");
}

/* ---- the driver that is built in ---- */

Test(tdr, the_built_in_driver_names_the_guilty_context_and_the_packet)
{
    const emu_config config = config_with(NULL);
    AT_END(at_end_close) annot_reader *reader = stop_with(&config, HANGS);
    const annot_reader_tdr tdr = tdr_of(reader);
    cr_assert_eq3(tdr.flags, 0, tdr.ddi, 2, tdr.context, tdr.queue);
    cr_assert(tdr.context != 0);
    cr_assert_eq(tdr.bucketing_key, 6u << 16 | 10, "ENGINE_TIMEOUT in a DISPATCH packet");
    cr_assert_str_eq(driver_data(reader), "EMUKDRV1\001");
}
