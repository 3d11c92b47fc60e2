/* GPU, kernel and drivers with each of their allocations failing in turn: what is refused has not
 * happened, can be asked for again, and in the end not a byte is left. */
#include "kmd_rig.h"
#include "kmd/types.h"
#include "umd/driver.h"
#include "umd/types.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#define TILE  ((uint64_t)65536)
#define ENTRY ((uint64_t)1 << 36) /* what an entry of the page table's root stands for */

/* ---- the allocator of this program, but for the C library and Criterion ---- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *memory);

static atomic_long live;                 /* allocations that are not freed */
static atomic_long countdown = LONG_MAX; /* the allocation that fails: 1 is the next; 0: it has */
static long in_a_row = 1;                /* how many fail from there on */
static atomic_long failures;

static bool fails(void)
{
    const long left = atomic_fetch_sub(&countdown, 1);
    const bool is_one = left <= 1 && left > 1 - in_a_row;
    atomic_fetch_add(&failures, is_one);
    return is_one;
}

static void *counted(void *memory)
{
    atomic_fetch_add(&live, memory != NULL);
    return memory;
}

/* Memory from malloc is not zeroed. */
void *__wrap_malloc(size_t size)
{
    void *memory = fails() ? NULL : __real_malloc(size);
    if (memory)
        memset(memory, 0xA5, size);
    return counted(memory);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size)
{
    if (fails())
        return NULL;
    void *moved = __real_realloc(memory, size);
    return memory ? moved : counted(moved);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : counted(__real_strdup(text));
}

void __wrap_free(void *memory)
{
    atomic_fetch_sub(&live, memory != NULL);
    __real_free(memory);
}

static bool has_failed(void)
{
    return atomic_load(&countdown) <= 0;
}

static long known; /* failures when that was looked at last */

/* Only memory is a reason to refuse something. */
static bool granted(bool is_so)
{
    cr_assert(is_so || atomic_load(&failures) > known);
    known = atomic_load(&failures);
    return is_so;
}

/* The same for what needs each of its allocations. */
static bool made(bool is_so)
{
    cr_assert_eq(is_so, atomic_load(&failures) == known);
    return granted(is_so);
}

/* Lives with the first allocation failing, the second and so on, until none is left to fail. */
static long fail_each(void (*life)(emu_gpu *gpu), emu_gpu *gpu)
{
    for (long n = 1;; n++) {
        const long before = atomic_load(&live);
        atomic_store(&countdown, n);
        known = atomic_load(&failures);
        life(gpu);
        const bool is_over = !has_failed();
        atomic_store(&countdown, LONG_MAX);
        cr_assert_eq(atomic_load(&live), before, "allocation %ld", n);
        if (is_over)
            return n;
    }
}

/* ---- the GPU's memory ---- */

static bool is_free(emu_gpu *gpu, uint64_t address)
{
    return !emu_gpu_translate(gpu, address, 1);
}

static void live_on_a_gpu(emu_gpu *none)
{
    static char bytes[1];
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory small = {0}, tiles = {0}, large = {0};
    struct emu_gpu_access access;
    (void)none;
    if (!made(gpu != NULL))
        return;
    if (granted(emu_gpu_allocate(gpu, 300, 0, &small))) {
        cr_assert(small.address == EMU_GPU_ADDRESS_FIRST || has_failed());
        cr_assert_eq((uintptr_t)small.cpu % 4096, 0);
        memset(small.cpu, 1, 300);
    }
    if (granted(emu_gpu_reserve(gpu, 3 * TILE, 0, &tiles)) &&
        granted(emu_gpu_access_begin(gpu, tiles.address + 1, 2 * TILE, &access))) {
        cr_assert_eq(access.size, TILE - 1);
        memset(access.cpu, 1, TILE - 1);
        emu_gpu_access_end(&access);
    }
    /* Pages, a whole entry of the root, and pages again: all or none of them. */
    const uint64_t size = ENTRY + 2 * TILE, at = 512 * ENTRY - TILE;
    if (!granted(emu_gpu_import(gpu, bytes, size, at, &large))) {
        cr_assert(is_free(gpu, at) && is_free(gpu, at + TILE) && is_free(gpu, at + size - 1));
        cr_assert_eqs(gpu->count, (size_t)(small.size != 0) + (tiles.size != 0), large.size, 0);
        cr_assert(emu_gpu_import(gpu, bytes, size, at, &large));
    }
    cr_assert_eqs((uintptr_t)emu_gpu_translate(gpu, at + size - 1, 1), (uintptr_t)bytes + size - 1,
                  emu_gpu_bytes(gpu), small.size);
    emu_gpu_free(gpu, small.address);
    emu_gpu_free(gpu, large.address);
    cr_assert(is_free(gpu, at) && is_free(gpu, at + size - 1));
    cr_assert_eq(emu_gpu_bytes(gpu), 0);
}

Test(memory_fails, memory_of_the_gpu_is_had_whole_or_not)
{
    cr_assert_gt(fail_each(live_on_a_gpu, NULL), 10);
}

/* ---- the kernel ---- */

static const emu_kernel_driver *kernel_driver;
static struct buffer write_word, spin_for_ever;
static emu_gpu_memory range;

static void reached(void *user)
{
    ++*(unsigned *)user;
}

/* More submissions than a queue has room for at first. */
static bool fill_queue(struct emu_kmd_queue *queue, uint32_t node)
{
    if (!made(queue != NULL) || !made(emu_kmd_queue_identify(queue, node, NULL)))
        return false;
    cr_assert_not_null(queue->kernel_context);
    const struct emu_gpu_tiles nothing = {EMU_GPU_TILES_MAP, 0, 0, 1, 0};
    made(emu_kmd_update_tiles(queue, &nothing, 1));
    for (uint64_t tag = 1; tag <= 20; tag++)
        if (!made(submit(queue, &write_word, tag)))
            cr_assert(submit(queue, &write_word, tag));
    return true;
}

static void use_queue(struct rig *r, struct emu_kmd_queue *queue, struct emu_kmd_fence *fence)
{
    const struct emu_gpu_tiles update = {EMU_GPU_TILES_MAP, range.address,
                                         write_word.memory.address, 1, 0};
    unsigned heard = 0;
    const bool notifies = made(fence_notify(fence, 3, reached, &heard));
    const bool maps = made(emu_kmd_update_tiles(queue, &update, 1));
    cr_assert(emu_kmd_signal(queue, fence, 3), "there is room");
    const enum emu_kmd_waited waited =
        emu_kmd_wait_for(&(struct emu_kmd_goal){&fence, &(uint64_t){3}, 1, false});
    if (!made(waited == EMU_KMD_REACHED)) {
        cr_assert_eq(waited, EMU_KMD_NO_MEMORY);
        cr_assert(fence_wait(fence, 3));
    }
    cr_assert_eqs(heard, notifies ? 1 : 0, emu_kmd_fence_value(fence), 3);
    struct emu_gpu_access access;
    if (granted(emu_gpu_access_begin(r->gpu, range.address, 4, &access))) {
        cr_assert_eq(*(uint32_t *)access.cpu == 0, !maps);
        emu_gpu_access_end(&access);
    }
    emu_gpu_update_tiles(r->gpu,
                         &(struct emu_gpu_tiles){EMU_GPU_TILES_MAP, range.address, 0, 1, 0});
    cr_assert(submit(queue, &spin_for_ever, 99));
    emu_kmd_run_until_idle(r->kmd);
    cr_assert_eqs(r->removals, 1, r->removal.error, EMU_KMD_HUNG);
    cr_assert_not_null(r->removal.tdr);
    cr_assert_eq(rig_blob(r)->queue_count, 2);
}

static void live_in_a_kernel(emu_gpu *gpu)
{
    struct rig r = {.gpu = gpu};
    r.kmd = emu_kmd_create(&(struct emu_kmd_desc){.gpu = gpu,
                                                  .seeded = true,
                                                  .driver = kernel_driver,
                                                  .marker_type = D3DWDDM1_3DDI_MARKER_TYPE_PROFILE,
                                                  .removed = rig_removed,
                                                  .completed = rig_completed,
                                                  .user = &r});
    if (!made(r.kmd != NULL))
        return;
    struct emu_kmd_fence *fence = emu_kmd_fence_create(r.kmd, 0);
    const bool has_fence = made(fence != NULL);
    struct emu_kmd_queue *queues[2];
    unsigned filled = 0;
    for (uint32_t i = 0; i < 2; i++) {
        queues[i] = emu_kmd_queue_create(r.kmd, NULL);
        filled += fill_queue(queues[i], i);
    }
    if (has_fence && filled == 2)
        use_queue(&r, queues[1], fence);
    else
        emu_kmd_run_until_idle(r.kmd);
    cr_assert_eq(r.completed, 20 * filled);
    for (int i = 0; i < 2; i++)
        emu_kmd_queue_destroy(queues[i]);
    emu_kmd_fence_destroy(fence);
    emu_kmd_destroy(r.kmd);
}

Test(memory_fails, the_kernel_refuses_or_does_what_it_is_asked_for)
{
    static const emu_kernel_driver *const drivers[] = {&emu__kernel_driver,
                                                       &emu__kernel_driver_hostile};
    for (int i = 0; i < 2; i++) {
        AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
        kernel_driver = drivers[i];
        write_word = buffer_create(gpu);
        spin_for_ever = buffer_create(gpu);
        cr_assert(emu_gpu_reserve(gpu, TILE, 0, &range));
        put_write(&write_word, write_word.memory.address + 4096, 5);
        put_kernel(&spin_for_ever, EMU_KERNEL_SPIN, 0, 0, 0, 0);
        cr_assert_gt(fail_each(live_in_a_kernel, gpu), 15);
    }
}

/* ---- marker logs ---- */

enum { NULL_RENDERED = 1, EXECUTED, HUNG, PENDING, LAST };

/* The submissions' results, in the order of their tags. */
struct logs {
    unsigned count, completed;
    uint64_t last;
    enum emu_kmd_log_problem problems[LAST + 1];
    bool is_removed;
};

static void keep_history(void *user, void *queue, uint64_t tag,
                         const struct emu_kmd_history *history)
{
    struct logs *logs = user;
    (void)queue;
    cr_assert(tag > logs->last && tag <= LAST && !logs->is_removed);
    cr_assert_eq(history->null_rendering, tag == NULL_RENDERED);
    cr_assert_eqs(history->sequence, tag, history->begin, 0);
    logs->count++;
    logs->last = tag;
    logs->problems[tag] = history->problem;
}

static void keep_completion(void *user, void *queue, uint64_t tag)
{
    struct logs *logs = user;
    (void)queue;
    cr_assert_leq(tag, EXECUTED);
    logs->completed++;
}

static void keep_removal(void *user, const struct emu_kmd_removal *removal)
{
    struct logs *logs = user;
    cr_assert_eq(removal->error, EMU_KMD_HUNG);
    logs->is_removed = true;
}

/* Without memory for its numbers a log has none; without any there is no log, and what would be
 * null rendering is refused. */
static bool submit_log(struct emu_kmd_queue *queue, uint64_t tag)
{
    static const uint64_t list = 5;
    static const uint32_t low[] = {1, 2, 3};
    const struct buffer *b = tag == HUNG ? &spin_for_ever : &write_word;
    D3DKMT_HANDLE history = EMU_HISTORY_HANDLE(range.address);
    const D3DDDICB_SUBMITCOMMAND command = {.Commands = b->memory.address,
                                            .CommandLength = (uint32_t)b->used,
                                            .BroadcastContextCount = 1,
                                            .MarkerLogType = D3DDDIMLT_FT_PROFILE,
                                            .RenderCBSequence = (uint32_t)tag,
                                            .Flags.NullRendering = tag == NULL_RENDERED,
                                            .CompletedAPISequenceNumberLow0Size = 3,
                                            .pCompletedAPISequenceNumberLow0 = low,
                                            .NumHistoryBuffers = 1,
                                            .HistoryBufferArray = &history};
    return emu_kmd_submit_command(queue, b->memory.address, b->used, tag, &command, &list, 1);
}

static void live_with_logs(emu_gpu *gpu)
{
    struct logs logs = {0};
    struct emu_kmd *kmd =
        emu_kmd_create(&(struct emu_kmd_desc){.gpu = gpu,
                                              .seeded = true,
                                              .marker_type = D3DWDDM1_3DDI_MARKER_TYPE_PROFILE,
                                              .removed = keep_removal,
                                              .completed = keep_completion,
                                              .history = keep_history,
                                              .user = &logs});
    struct emu_kmd_queue *queue = kmd ? emu_kmd_queue_create(kmd, NULL) : NULL;
    uint32_t *word = (uint32_t *)((char *)write_word.memory.cpu + 4096);
    if (granted(queue != NULL)) {
        unsigned accepted = 0;
        *word = 0;
        accepted += granted(submit_log(queue, NULL_RENDERED));
        emu_kmd_run_until_idle(kmd);
        cr_assert_eqs(*word, 0, logs.completed, accepted);
        const bool is_executed = granted(submit_log(queue, EXECUTED));
        accepted += is_executed;
        emu_kmd_run_until_idle(kmd);
        cr_assert_eqs(*word, is_executed ? 5 : 0, logs.completed, accepted);
        accepted += granted(submit_log(queue, HUNG));
        accepted += granted(submit_log(queue, PENDING));
        accepted += granted(submit_log(queue, LAST));
        emu_kmd_run_until_idle(kmd);
        cr_assert(logs.is_removed && accepted >= 4);
        cr_assert(logs.count == accepted || (has_failed() && logs.count + 1 == accepted));
        cr_assert_not(submit_log(queue, LAST + 1));
        for (int tag = NULL_RENDERED; tag <= LAST; tag++)
            cr_assert(logs.problems[tag] ==
                          (tag == NULL_RENDERED ? EMU_KMD_LOG_FINE : EMU_KMD_LOG_BUFFER) ||
                      has_failed());
    }
    emu_kmd_destroy(kmd);
}

Test(memory_fails, a_submission_is_executed_whatever_there_is_of_its_log)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    write_word = buffer_create(gpu);
    spin_for_ever = buffer_create(gpu);
    range = allocate(gpu, 64);
    put_write(&write_word, write_word.memory.address + 4096, 5);
    put_kernel(&spin_for_ever, EMU_KERNEL_SPIN, 0, 0, 0, 0);
    for (in_a_row = 1; in_a_row <= 2; in_a_row++)
        cr_assert_gt(fail_each(live_with_logs, gpu), 10);
}

/* ---- the user-mode driver ---- */

enum { WORDS = 200, BUNDLES = 20, MARKERS = 70, NAMES = 3 };

static const emu_driver *driver;
static emu_gpu_memory words; /* the last one: how often the bundle ran; the one before: 1 */

static bool record(void *list, void *bundle)
{
    for (uint32_t i = 0; i < WORDS; i++) {
        driver->cmd_write_immediate(list, words.address + 4 * i, i + 1, 0);
        driver->cmd_set_marker(list);
    }
    for (uint32_t i = 0; i < BUNDLES; i++) {
        driver->cmd_execute_bundle(list, bundle);
        driver->op_end(list);
    }
    return granted(driver->list_close(list));
}

static bool record_bundle(void *bundle)
{
    const emu_dispatch add = {.kernel = EMU_KERNEL_ADD,
                              .groups = {1, 1, 1},
                              .arguments = {words.address + 4096, words.address + 4100},
                              .constants = {0, 1}};
    driver->cmd_dispatch(bundle, &add);
    driver->annot.annotation->pfnCmdListSetMarker((D3D12DDI_HCOMMANDLIST){bundle}, 0, NULL, 0, 7);
    return granted(driver->list_close(bundle));
}

/* A recording that failed can be made again, from the start. */
static void record_again(void *list, void *bundle)
{
    cr_assert(driver->list_reset(list));
    cr_assert(bundle ? record(list, bundle) : record_bundle(list));
}

static void execute(emu_gpu *gpu, void *device, void *queue, void *list)
{
    static const uint32_t high[2] = {1, 2};
    void *const lists[2] = {list, list};
    const emu_submission twice = {lists, 2, 5, NULL, high};
    const struct emu_reference_device *reference = device;
    emu_command_buffer buffer;
    struct emu_engine engine;
    const uint64_t rows = reference->row_count;
    if (!granted(driver->queue_submit(queue, &twice, &buffer))) {
        cr_assert_eq(reference->row_count, rows);
        cr_assert(driver->queue_submit(queue, &twice, &buffer));
    }
    cr_assert_not_null(buffer.submit);
    memset(words.cpu, 0, 4104);
    ((uint32_t *)words.cpu)[1025] = 1;
    emu_engine_init(&engine, gpu);
    emu_engine_start(&engine, buffer.address, buffer.size);
    cr_assert_eq(run(&engine), EMU_ENGINE_DONE);
    for (uint32_t i = 0; i < WORDS; i++)
        cr_assert_eq(((uint32_t *)words.cpu)[i], i + 1);
    cr_assert_eq(((uint32_t *)words.cpu)[1024], 2 * BUNDLES);
    annot_crash_report report = {.size = sizeof report};
    driver->crash_report(device, &report);
    cr_assert_eq(report.progress_count, 1 + 2 * (1 + BUNDLES));
    for (size_t i = 1; i < report.progress_count; i++)
        cr_assert_eq(report.progress[i].state, ANNOT_PROGRESS_FINISHED);
    if (!made(driver->list_reset(list))) { /* the GPU has what it recorded */
        cr_assert_not(driver->list_close(list));
        cr_assert(driver->list_reset(list));
    }
    driver->submission_retired(queue, 5);
    cr_assert_eq(reference->row_count, rows);
    emu__reference_queue_mark(queue, EMU_MARKER_SET, 7);
    if (!granted(driver->queue_flush(queue, 6, &buffer)))
        cr_assert(driver->queue_flush(queue, 6, &buffer));
    cr_assert(buffer.size != 0 || ((struct emu_reference_queue *)queue)->markers_lost);
    driver->submission_retired(queue, 6);
}

static void use_driver(emu_gpu *gpu, void *device, void *queue, void *list, void *bundle,
                       void *object)
{
    static const wchar_t *const names[NAMES] = {L"a name", L"another one that is longer", L"b"};
    const void *handles[NAMES] = {queue, list, object};
    const D3D12DDI_HANDLETYPE types[NAMES] = {D3D12DDI_HT_COMMAND_QUEUE, D3D12DDI_HT_COMMAND_LIST,
                                              D3D12DDI_HT_FENCE};
    for (int i = 0; i < NAMES; i++)
        driver->annot.annotation->pfnSetName(
            (D3D12DDI_HANDLE_AND_TYPE){(void *)(uintptr_t)handles[i], types[i]}, names[i]);
    for (uint64_t i = 0; i < MARKERS; i++)
        driver->annot.annotation->pfnCmdQueueSetMarker((D3D12DDI_HCOMMANDQUEUE){queue}, 0, NULL, 0,
                                                       i + 1);
    if (!record_bundle(bundle))
        record_again(bundle, NULL);
    if (!record(list, bundle))
        record_again(list, bundle);
    execute(gpu, device, queue, list);
    if (!record(list, bundle))
        record_again(list, bundle);
    execute(gpu, device, queue, list);
}

/* A queue that could not be made is in no report, and can be made. */
static void *make_queue(void *device)
{
    annot_crash_report report = {.size = sizeof report};
    void *queue = driver->queue_create(device, 0, 11);
    const bool is_made = granted(queue != NULL);
    driver->crash_report(device, &report);
    cr_assert_eq(report.progress_count, is_made);
    return is_made ? queue : driver->queue_create(device, 0, 11);
}

static void live_with_a_driver(emu_gpu *gpu)
{
    const size_t count = gpu->count;
    void *device = driver->device_create(gpu, 0);
    if (!made(device != NULL))
        return;
    driver->set_marker_mode(device, D3DWDDM1_3DDI_MARKER_TYPE_PROFILE, 0);
    void *queue = make_queue(device), *list = driver->list_create(device, 0, 12);
    const bool has_list = made(list != NULL);
    void *bundle = driver->list_create(device, EMU_LIST_TYPE_BUNDLE, 13),
         *object = driver->object_create(device, D3D12DDI_HT_FENCE, 14);
    if (made(bundle && object) && has_list)
        use_driver(gpu, device, queue, list, bundle, object);
    driver->object_destroy(object);
    driver->list_destroy(bundle);
    driver->list_destroy(list);
    driver->queue_destroy(queue);
    driver->device_destroy(device);
    cr_assert_eq(gpu->count, count);
}

Test(memory_fails, a_driver_says_what_it_could_not_keep)
{
    static const char *const drivers[] = {"reference", "hostile"};
    for (int i = 0; i < 2; i++) {
        AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
        driver = emu_driver_find(drivers[i]);
        words = allocate(gpu, 2 * TILE);
        cr_assert_gt(fail_each(live_with_a_driver, gpu), 20);
    }
}

/* ---- WARP's log ---- */

static off_t size_of(int file)
{
    struct stat status;
    cr_assert_eq(fstat(file, &status), 0);
    return status.st_size;
}

static int log_file, errors;

static void live_with_a_log(emu_gpu *gpu)
{
    const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 *annotation =
        emu_driver_find("warp")->annot.annotation;
    const off_t before = size_of(log_file);
    annotation->pfnCmdListSetMarker((D3D12DDI_HCOMMANDLIST){gpu}, 0, NULL, 0, 7);
    granted(size_of(log_file) > before);
}

/* Memory that has run out says nothing of the file. */
Test(memory_fails, a_call_that_can_not_be_logged_is_not_complained_of)
{
    char path[] = "/tmp/warp-log-XXXXXX", other[] = "/tmp/warp-log-XXXXXX";
    const int standard = dup(2);
    log_file = mkstemp(path);
    errors = mkstemp(other);
    setenv("EMU_WARP_LOG", path, 1);
    dup2(errors, 2);
    const long allocations = fail_each(live_with_a_log, NULL);
    dup2(standard, 2);
    unsetenv("EMU_WARP_LOG");
    unlink(path);
    unlink(other);
    cr_expect(allocations > 1 && size_of(log_file) > 0);
    cr_expect_eq(size_of(errors), 0);
    close(log_file);
    close(errors);
    close(standard);
}
