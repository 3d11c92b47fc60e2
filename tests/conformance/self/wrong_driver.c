/* The reference driver with one thing that is wrong, which WRONG_DRIVER names: an entry that does
 * nothing, or the opposite, or the right thing with another argument, or only sometimes. driver.sh
 * says which case notices which. */
#include <emu/driver.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const emu_driver *real;
static const emu_driver_host *host;
static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 *marks;
static char wrong[64]; /* a copy: the environment may change */
static emu_gpu *gpu;
static struct made {
    void *handle;
    uint32_t type;
    unsigned calls; /* of what goes wrong only later */
} lists[4096];
static unsigned list_count;

static bool is(const char *name)
{
    return strcmp(wrong, name) == 0;
}

static struct made *find(const void *list)
{
    unsigned at = list_count; /* the newest one: a handle may be used again */
    while (at > 0 && lists[at].handle != list)
        at--;
    return &lists[at];
}

/* On lists of the type WRONG_TYPE, or on all. */
static bool skips(const char *name, const void *list)
{
    const char *const type = getenv("WRONG_TYPE");
    return is(name) && (!type || !*type || find(list)->type == strtoul(type, NULL, 10));
}

/* ---- markers and names ---- */

static uint64_t last_begun;

static void ANNOT_DDI_CALL list_begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                      const void *data, uint32_t size, uint64_t event_id)
{
    const uint64_t before = last_begun;
    last_begun = event_id;
    if (is("begin-as-set"))
        marks->pfnCmdListSetMarker(list, metadata, data, size, event_id);
    else if (!skips("skip-begin", list.pDrvPrivate))
        marks->pfnCmdListBeginEvent(list, metadata, data, size,
                                    is("swaps") && before ? before : event_id);
}

static void ANNOT_DDI_CALL list_end(D3D12DDI_HCOMMANDLIST list, uint64_t event_id)
{
    static unsigned calls;
    if (!skips("skip-end", list.pDrvPrivate) && !(is("forgets") && ++calls % 2 == 0))
        marks->pfnCmdListEndEvent(list, is("end-the-last") ? last_begun : event_id);
}

/* "late": a list's last marker is never written. */
static void ANNOT_DDI_CALL list_set(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                                    uint32_t size, uint64_t event_id)
{
    static void *of;
    static uint64_t waits;
    if (is("set-as-begin"))
        marks->pfnCmdListBeginEvent(list, metadata, data, size, event_id);
    else if (!skips("skip-set", list.pDrvPrivate) && (!is("late") || of == list.pDrvPrivate))
        marks->pfnCmdListSetMarker(list, metadata, data, size, is("late") ? waits : event_id);
    of = list.pDrvPrivate;
    waits = event_id;
}

static void ANNOT_DDI_CALL set_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name)
{
    if (!is("drop-name") && !(is("keep-name") && !name) &&
        !(is("name-resources") && object.Type != D3D12DDI_HT_RESOURCE))
        marks->pfnSetName(object, name);
}

/* ---- lists ---- */

static void *list_create(void *device, uint32_t type, uint64_t id)
{
    static unsigned bundles;
    if (is("few-bundles") && type == 1 && bundles++ == 8)
        return NULL;
    void *const list = real->list_create(device, type, id);
    if (list_count < 4095)
        lists[++list_count] = (struct made){list, type, 0};
    return list;
}

static bool list_reset(void *list)
{
    return is("keep-recording") || (is("reset-once") && find(list)->calls++ > 0) ||
           real->list_reset(list);
}

static bool list_close(void *list)
{
    return is("never-close") || real->list_close(list);
}

/* ---- work ---- */

static void cmd_copy(void *list, uint64_t dst, uint64_t src, uint64_t size)
{
    if (skips("skip-copy", list))
        return;
    if (is("copy-half"))
        size /= 2;
    else if (is("copy-words"))
        size &= ~UINT64_C(3);
    else if (is("copy-64-kib") && size > 65536)
        size &= ~UINT64_C(65535);
    real->cmd_copy(list, is("copy-back") ? src : dst, is("copy-back") ? dst : src, size);
}

/* "fill-bytes": of the first byte; "fill-cached": a pattern that began alike before. */
static void cmd_fill(void *list, uint64_t dst, uint64_t size, const void *pattern, uint32_t unit)
{
    static unsigned char bytes[16];
    if (!is("fill-cached") || memcmp(bytes, pattern, unit < 4 ? unit : 4) != 0)
        for (uint32_t i = 0; i < 16; i++)
            bytes[i] = ((const unsigned char *)pattern)[is("fill-bytes") ? 0 : i % unit];
    real->cmd_fill(list, dst, is("fill-once") && size > unit ? unit : size, bytes,
                   is("fill-words") && unit > 4 ? 4 : unit);
}

static void cmd_resolve(void *list, uint64_t dst, uint64_t src, uint64_t size)
{
    if (is("resolve-as-copy"))
        real->cmd_copy(list, dst, src, size);
    else if (!is("skip-resolve"))
        real->cmd_resolve(list, dst, is("resolve-first") ? src & ~UINT64_C(31) : src,
                          is("resolve-halves") ? size - 4 : size);
}

static void cmd_predicate(void *list, uint64_t address, bool skip_if_not_zero)
{
    const uint64_t *const now = host->gpu_map(gpu, address, sizeof *now);
    if (is("skip-predicate") || (is("never-end-predicate") && address == 0))
        return;
    if (is("predicate-now") && address != 0)
        address = (*now != 0) == skip_if_not_zero ? address : 0;
    real->cmd_predicate(list, address, skip_if_not_zero != is("invert-predicate"));
}

static void cmd_write_immediate(void *list, uint64_t dst, uint32_t value, uint32_t mode)
{
    if (is("write-16-bits"))
        value &= 0xFFFF;
    if (is("write-in-one-mode") || (is("swap-modes") && mode != 0))
        mode = is("swap-modes") ? 3 - mode : 0;
    if (!skips("skip-write", list))
        real->cmd_write_immediate(list, dst, value, mode);
}

static void cmd_barrier(void *list)
{
    if (!skips("skip-barrier", list))
        real->cmd_barrier(list);
}

static void cmd_dispatch(void *list, const emu_dispatch *work)
{
    emu_dispatch other = *work;
    if (is("swap-arguments")) {
        other.arguments[0] = work->arguments[1];
        other.arguments[1] = work->arguments[0];
    }
    if (is("forget-constants"))
        memset(other.constants, 0, sizeof other.constants);
    if (is("inherit-nothing"))
        other.inherited = 0;
    if (is("one-group"))
        other.groups[1] = 1;
    if (!skips("skip-dispatch", list))
        real->cmd_dispatch(list, &other);
}

static void cmd_draw(void *list, const emu_dispatch *work)
{
    emu_dispatch other = *work;
    if (is("draw-inherits-nothing"))
        other.inherited = 0;
    if (is("one-instance"))
        other.groups[1] = 1;
    if (!skips("skip-draw", list))
        real->cmd_draw(list, &other);
}

static void cmd_execute_indirect(void *list, const emu_dispatch *work, bool draws,
                                 const emu_indirect *indirect)
{
    emu_indirect other = *indirect;
    const uint32_t *const count = host->gpu_map(gpu, indirect->count, sizeof *count);
    if (is("count-now") && count && *count < other.max_count)
        other.max_count = *count;
    if (is("count-now") || is("ignore-count"))
        other.count = 0;
    if (is("ignore-limit") && other.count != 0)
        other.max_count = UINT32_MAX;
    if (is("ignore-groups"))
        other.groups_offset = EMU_INDIRECT_NOWHERE;
    if (is("ignore-arguments"))
        other.argument_offsets[0] = other.argument_offsets[1] = EMU_INDIRECT_NOWHERE;
    if (!skips("skip-indirect", list) && other.max_count > 0)
        real->cmd_execute_indirect(list, work, draws && !is("dispatch-draws"), &other);
}

static void cmd_timestamp(void *list, uint64_t dst)
{
    static const uint64_t time = 1;
    if (is("one-time"))
        real->cmd_fill(list, dst, sizeof time, &time, sizeof time);
    else if (!skips("skip-timestamp", list))
        real->cmd_timestamp(list, dst);
}

static void cmd_bindings(void *list, const emu_dispatch *bound, bool draws)
{
    if (!is("skip-bindings") && !(is("bind-once") && find(list)->calls++ > 1))
        real->cmd_bindings(list, bound, draws != is("swap-bindings"));
}

static void cmd_execute_bundle(void *list, void *bundle)
{
    static void *last;
    if (!is("skip-bundle") && !(is("run-once") && bundle == last))
        real->cmd_execute_bundle(list, bundle);
    if (is("run-twice"))
        real->cmd_execute_bundle(list, bundle);
    last = bundle;
}

static void op_end(void *list)
{
    if (!is("skip-breadcrumbs"))
        real->op_end(list);
}

/* ---- queues ---- */

static bool queue_submit(void *queue, const emu_submission *submission, emu_command_buffer *out)
{
    static void *last;
    emu_submission other = *submission;
    void *swapped[64];
    if (other.count > 0 && (is("lose-last") || (is("first-time") && other.lists[0] == last)))
        other.count--;
    last = submission->lists[0];
    for (uint32_t i = 0; is("swap-lists") && i < other.count && other.count <= 64; i++)
        swapped[i] = submission->lists[other.count - 1 - i];
    if (is("swap-lists"))
        other.lists = swapped;
    other.serial += is("next-serial");
    return real->queue_submit(queue, &other, out);
}

static bool queue_flush(void *queue, uint64_t serial, emu_command_buffer *out)
{
    *out = (emu_command_buffer){0};
    return is("skip-flush") || real->queue_flush(queue, serial, out);
}

static void submission_withdrawn(void *queue, uint64_t serial)
{
    if (is("retire-withdrawn"))
        real->submission_retired(queue, serial);
    else if (!is("ignore-withdrawn"))
        real->submission_withdrawn(queue, serial);
}

static void submission_retired(void *queue, uint64_t serial)
{
    real->submission_retired(queue, serial + is("retire-next"));
}

static void crash_report(void *device, annot_crash_report *report)
{
    static annot_progress rows[64];
    real->crash_report(device, report);
    for (size_t i = 0; i < report->progress_count && i < 64; i++) {
        rows[i] = report->progress[i];
        if (is("first-queue"))
            rows[i].queue = rows[0].queue;
        if (is("finish-early") && rows[i].state == ANNOT_PROGRESS_STARTED)
            rows[i].state = ANNOT_PROGRESS_FINISHED;
        if (is("start-early") && rows[i].state == ANNOT_PROGRESS_NOT_STARTED)
            rows[i].state = ANNOT_PROGRESS_STARTED;
        if (is("never-completed"))
            rows[i].completed = 0;
    }
    report->progress = rows;
    report->progress_count -= is("lose-row") && report->progress_count > 0;
}

static void *device_create(emu_gpu *memory, uint64_t seed)
{
    gpu = memory;
    return real->device_create(memory, seed);
}

EMU_DRIVER_EXPORT const emu_driver *emu_driver_open(const emu_driver_host *with)
{
    static D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 annotation;
    static emu_driver driver;
    host = with;
    real = host->reference;
    marks = real->annot.annotation;
    const char *const name = getenv("WRONG_DRIVER");
    snprintf(wrong, sizeof wrong, "%s", name ? name : "");
    driver = *real;
    annotation = *marks;
    annotation.pfnCmdListBeginEvent = list_begin;
    annotation.pfnCmdListEndEvent = list_end;
    annotation.pfnCmdListSetMarker = list_set;
    annotation.pfnSetName = set_name;
    driver.annot.name = "wrong";
    driver.annot.annotation = &annotation;
#define USE(entry) driver.entry = entry
    /* clang-format off */
    USE(device_create); USE(list_create); USE(list_reset); USE(list_close); USE(cmd_copy);
    USE(cmd_fill); USE(cmd_resolve); USE(cmd_predicate); USE(cmd_write_immediate); USE(cmd_barrier);
    USE(cmd_dispatch); USE(cmd_draw); USE(cmd_execute_indirect); USE(cmd_timestamp);
    USE(cmd_bindings); USE(cmd_execute_bundle); USE(op_end); USE(queue_submit); USE(queue_flush);
    USE(submission_withdrawn); USE(submission_retired); USE(crash_report);
    /* clang-format on */
    return name ? &driver : NULL;
}
