/* The reference driver as a shared object that is wrong in the way that WRONG_... names;
 * WRONG_good: in none. */
#include <emu/driver.h>

static emu_driver table;
static D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 annotation;

#if defined(WRONG_submission)
static const emu_driver *reference;

static bool submit_every_other(void *queue, const emu_submission *submission,
                               emu_command_buffer *out)
{
    static unsigned calls;
    return ++calls % 2 == 1 && reference->queue_submit(queue, submission, out);
}
#endif

#if defined(WRONG_full_fails) || defined(WRONG_boasts) || defined(WRONG_no_options)
static D3D12DDI_DUMP_FILE_FUNCS_0121 dump_file;
static unsigned asked;
static uint32_t told;

static int32_t ANNOT_DDI_CALL set_options(D3D12DDI_HDEVICE device,
                                          D3D12DDI_DUMP_FILE_OPTIONS_0121 options)
{
    (void)device;
    told = options;
#if defined(WRONG_no_options)
    return INT32_MIN;
#else
    return 0;
#endif
}

/* One question for sizes, and after FULL fails MINI, with the size that was given then. */
static int32_t ANNOT_DDI_CALL give_info(D3D12DDI_HDEVICE device, const void *kernel, size_t size,
                                        D3D12DDI_DEBUG_BLOB_INFO *info)
{
    (void)device, (void)kernel, (void)size;
    asked++;
    for (uint32_t i = 0; i < info->NumDebugBlobDetails; i++) {
        D3D12DDI_DEBUG_BLOB_DETAILS *of = &info->pDebugBlobDetails[i];
        const size_t has = of->DebugBlobType == D3D12DDI_DEBUG_BLOB_FULL ? 4096 : 64;
        of->DebugBlobSize = of->DebugBlobSize == 0 || has <= of->DebugBlobSize ? has : 0;
    }
    return 0;
}

static int32_t ANNOT_DDI_CALL give_blob(D3D12DDI_HDEVICE device, const void *kernel, size_t size,
                                        D3D12DDI_DEBUG_BLOB *blob)
{
    (void)device, (void)kernel, (void)size;
    char *bytes = blob->pDebugBlob;
#if defined(WRONG_full_fails)
    if (blob->DebugBlobType == D3D12DDI_DEBUG_BLOB_FULL)
        return INT32_MIN;
#endif
    bytes[0] = (char)('0' + asked);
    bytes[1] = blob->DebugBlobType == D3D12DDI_DEBUG_BLOB_MINI ? 'm' : 'f';
    bytes[2] = (char)('0' + told);
#if defined(WRONG_boasts)
    blob->DebugBlobSize++;
#endif
    return 0;
}
#endif

#if defined(WRONG_no_entry)
#define emu_driver_open emu_driver_opened
EMU_DRIVER_EXPORT const emu_driver *emu_driver_open(const emu_driver_host *host);
#endif

EMU_DRIVER_EXPORT const emu_driver *emu_driver_open(const emu_driver_host *host)
{
#if defined(WRONG_good)
    static unsigned calls; /* "once in a process" */
    if (++calls > 1)
        return NULL;
#endif
    table = *host->reference;
    annotation = *table.annot.annotation;
    table.annot.annotation = &annotation;
    table.annot.name = "from outside";
#if defined(WRONG_null)
    return NULL;
#elif defined(WRONG_version)
    table.version++;
#elif defined(WRONG_size)
    table.size -= (uint32_t)sizeof(void *);
#elif defined(WRONG_name)
    table.annot.name = NULL;
#elif defined(WRONG_hole)
    table.cmd_copy = NULL;
#elif defined(WRONG_last_hole)
    table.crash_report = NULL;
#elif defined(WRONG_annotation_hole)
    annotation.pfnCmdQueueEndEvent = NULL;
#elif defined(WRONG_annotation_version)
    table.annot.annotation_version = 77;
#elif defined(WRONG_submission)
    reference = host->reference;
    table.queue_submit = submit_every_other;
#elif defined(WRONG_full_fails) || defined(WRONG_boasts) || defined(WRONG_no_options)
    dump_file = *table.dump_file;
    dump_file.pfnSetDumpFileOptions = set_options;
    dump_file.pfnGetDebugBlobInfo = give_info;
    dump_file.pfnGetDebugBlob = give_blob;
    table.dump_file = &dump_file;
#endif
    return &table;
}
