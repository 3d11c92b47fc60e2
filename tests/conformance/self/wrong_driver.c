/* The reference driver with one thing that is wrong, which WRONG_DRIVER names: an entry that does
 * nothing, or the opposite, or the right thing with another argument. driver.sh says which case
 * notices which. */
#include <emu/driver.h>

#include <stdlib.h>
#include <string.h>

static const emu_driver *real;
static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 *marks;
static emu_driver driver;
static D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 annotation;

/* ---- markers and names ---- */

static void ANNOT_DDI_CALL swap_ids(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                                    uint32_t size, uint64_t event_id)
{
    static uint64_t before;
    marks->pfnCmdListBeginEvent(list, metadata, data, size, before ? before : event_id);
    before = event_id;
}

static void ANNOT_DDI_CALL forget_ends(D3D12DDI_HCOMMANDLIST list, uint64_t event_id)
{
    static unsigned calls;
    if (++calls % 2 == 1)
        marks->pfnCmdListEndEvent(list, event_id);
}

/* A list's last marker is never written. */
static void ANNOT_DDI_CALL write_late(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                      const void *data, uint32_t size, uint64_t event_id)
{
    static void *of;
    static uint64_t waits;
    if (of == list.pDrvPrivate)
        marks->pfnCmdListSetMarker(list, metadata, data, size, waits);
    of = list.pDrvPrivate;
    waits = event_id;
}

static void ANNOT_DDI_CALL drop_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name)
{
    (void)object, (void)name;
}

/* ---- work ---- */

static bool keep(void *list)
{
    return list != NULL;
}

static void skip(void *list)
{
    (void)list;
}

static void skip_copy(void *list, uint64_t dst, uint64_t src, uint64_t size)
{
    (void)list, (void)dst, (void)src, (void)size;
}

static void copy_back(void *list, uint64_t dst, uint64_t src, uint64_t size)
{
    real->cmd_copy(list, src, dst, size);
}

static void copy_half(void *list, uint64_t dst, uint64_t src, uint64_t size)
{
    real->cmd_copy(list, dst, src, size / 2);
}

static void resolve_as_copy(void *list, uint64_t dst, uint64_t src, uint64_t size)
{
    real->cmd_copy(list, dst, src, size);
}

static void fill_once(void *list, uint64_t dst, uint64_t size, const void *pattern, uint32_t unit)
{
    real->cmd_fill(list, dst, size < unit ? size : unit, pattern, unit);
}

static void skip_predicate(void *list, uint64_t address, bool skip_if_not_zero)
{
    (void)list, (void)address, (void)skip_if_not_zero;
}

static void invert_predicate(void *list, uint64_t address, bool skip_if_not_zero)
{
    real->cmd_predicate(list, address, !skip_if_not_zero);
}

static void never_end_predicate(void *list, uint64_t address, bool skip_if_not_zero)
{
    if (address != 0)
        real->cmd_predicate(list, address, skip_if_not_zero);
}

static void write_in_one_mode(void *list, uint64_t dst, uint32_t value, uint32_t mode)
{
    (void)mode;
    real->cmd_write_immediate(list, dst, value, 0);
}

static void swap_modes(void *list, uint64_t dst, uint32_t value, uint32_t mode)
{
    real->cmd_write_immediate(list, dst, value, mode == 0 ? 0 : 3 - mode);
}

static void skip_work(void *list, const emu_dispatch *work)
{
    (void)list, (void)work;
}

static void swap_arguments(void *list, const emu_dispatch *work)
{
    emu_dispatch other = *work;
    other.arguments[0] = work->arguments[1];
    other.arguments[1] = work->arguments[0];
    real->cmd_dispatch(list, &other);
}

static void forget_constants(void *list, const emu_dispatch *work)
{
    emu_dispatch other = *work;
    memset(other.constants, 0, sizeof other.constants);
    real->cmd_dispatch(list, &other);
}

static void inherit_nothing(void *list, const emu_dispatch *work)
{
    emu_dispatch other = *work;
    other.inherited = 0;
    real->cmd_dispatch(list, &other);
}

static void skip_indirect(void *list, const emu_dispatch *work, bool draws,
                          const emu_indirect *indirect)
{
    (void)list, (void)work, (void)draws, (void)indirect;
}

static void ignore_count(void *list, const emu_dispatch *work, bool draws,
                         const emu_indirect *indirect)
{
    emu_indirect other = *indirect;
    other.count = 0;
    real->cmd_execute_indirect(list, work, draws, &other);
}

static void ignore_arguments(void *list, const emu_dispatch *work, bool draws,
                             const emu_indirect *indirect)
{
    emu_indirect other = *indirect;
    other.argument_offsets[0] = other.argument_offsets[1] = EMU_INDIRECT_NOWHERE;
    real->cmd_execute_indirect(list, work, draws, &other);
}

static void skip_timestamp(void *list, uint64_t dst)
{
    (void)list, (void)dst;
}

static void one_time(void *list, uint64_t dst)
{
    static const uint64_t time = 1;
    real->cmd_fill(list, dst, sizeof time, &time, sizeof time);
}

static void skip_bindings(void *list, const emu_dispatch *bound, bool draws)
{
    (void)list, (void)bound, (void)draws;
}

static void swap_bindings(void *list, const emu_dispatch *bound, bool draws)
{
    real->cmd_bindings(list, bound, !draws);
}

static void skip_bundle(void *list, void *bundle)
{
    (void)list, (void)bundle;
}

static void run_twice(void *list, void *bundle)
{
    real->cmd_execute_bundle(list, bundle);
    real->cmd_execute_bundle(list, bundle);
}

static bool lose_last(void *queue, const emu_submission *submission, emu_command_buffer *out)
{
    emu_submission other = *submission;
    other.count -= other.count > 0;
    return real->queue_submit(queue, &other, out);
}

static void ignore_serial(void *queue, uint64_t serial)
{
    (void)queue, (void)serial;
}

static void retire_all(void *queue, uint64_t serial)
{
    real->submission_retired(queue, serial);
}

/* ---- all of them ---- */

#define ALL(M)                                                                                     \
    M("swaps", annotation.pfnCmdListBeginEvent, swap_ids)                                          \
    M("forgets", annotation.pfnCmdListEndEvent, forget_ends)                                       \
    M("late", annotation.pfnCmdListSetMarker, write_late)                                          \
    M("drop-name", annotation.pfnSetName, drop_name)                                               \
    M("keep-recording", driver.list_reset, keep)                                                   \
    M("never-close", driver.list_close, keep)                                                      \
    M("skip-copy", driver.cmd_copy, skip_copy)                                                     \
    M("copy-back", driver.cmd_copy, copy_back)                                                     \
    M("copy-half", driver.cmd_copy, copy_half)                                                     \
    M("fill-once", driver.cmd_fill, fill_once)                                                     \
    M("skip-resolve", driver.cmd_resolve, skip_copy)                                               \
    M("resolve-as-copy", driver.cmd_resolve, resolve_as_copy)                                      \
    M("skip-predicate", driver.cmd_predicate, skip_predicate)                                      \
    M("invert-predicate", driver.cmd_predicate, invert_predicate)                                  \
    M("never-end-predicate", driver.cmd_predicate, never_end_predicate)                            \
    M("write-in-one-mode", driver.cmd_write_immediate, write_in_one_mode)                          \
    M("swap-modes", driver.cmd_write_immediate, swap_modes)                                        \
    M("skip-barrier", driver.cmd_barrier, skip)                                                    \
    M("skip-dispatch", driver.cmd_dispatch, skip_work)                                             \
    M("swap-arguments", driver.cmd_dispatch, swap_arguments)                                       \
    M("forget-constants", driver.cmd_dispatch, forget_constants)                                   \
    M("inherit-nothing", driver.cmd_dispatch, inherit_nothing)                                     \
    M("skip-draw", driver.cmd_draw, skip_work)                                                     \
    M("skip-indirect", driver.cmd_execute_indirect, skip_indirect)                                 \
    M("ignore-count", driver.cmd_execute_indirect, ignore_count)                                   \
    M("ignore-arguments", driver.cmd_execute_indirect, ignore_arguments)                           \
    M("skip-timestamp", driver.cmd_timestamp, skip_timestamp)                                      \
    M("one-time", driver.cmd_timestamp, one_time)                                                  \
    M("skip-bindings", driver.cmd_bindings, skip_bindings)                                         \
    M("swap-bindings", driver.cmd_bindings, swap_bindings)                                         \
    M("skip-bundle", driver.cmd_execute_bundle, skip_bundle)                                       \
    M("run-twice", driver.cmd_execute_bundle, run_twice)                                           \
    M("lose-last", driver.queue_submit, lose_last)                                                 \
    M("ignore-withdrawn", driver.submission_withdrawn, ignore_serial)                              \
    M("retire-withdrawn", driver.submission_withdrawn, retire_all)

EMU_DRIVER_EXPORT const emu_driver *emu_driver_open(const emu_driver_host *host)
{
    const char *wrong = getenv("WRONG_DRIVER");
    bool is_known = false;
    real = host->reference;
    marks = real->annot.annotation;
    driver = *real;
    annotation = *marks;
#define USE(name, entry, function)                                                                 \
    if (wrong && strcmp(wrong, name) == 0) {                                                       \
        (entry) = (function);                                                                      \
        is_known = true;                                                                           \
    }
    ALL(USE)
#undef USE
    driver.annot.name = "wrong";
    driver.annot.annotation = &annotation;
    return is_known ? &driver : NULL;
}
