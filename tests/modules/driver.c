/* The reference driver from outside, with what WRONG_... says amiss; WRONG_good: nothing is. */
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

#if defined(WRONG_no_entry)
#define emu_driver_open emu_driver_opened
EMU_DRIVER_EXPORT const emu_driver *emu_driver_open(const emu_driver_host *host);
#endif

EMU_DRIVER_EXPORT const emu_driver *emu_driver_open(const emu_driver_host *host)
{
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
#endif
    return &table;
}
