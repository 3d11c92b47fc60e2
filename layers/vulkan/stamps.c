/* Evidence inside render passes, at level "exact": time stamps of a query pool. Fills and barriers
 * are forbidden there, but time stamps are not. A label's begin gets a stamp at the top of the
 * pipe, and its end a stamp at the bottom; whether a stamp is available says how far the GPU came.
 *
 * When the device is lost, drivers don't answer any more. So the watchdog asks before, at each
 * check without progress. The watchdog asks on another thread, because some drivers only answer
 * when the work is done. If two answers are equal, they show the GPU's place. One answer proves
 * only which work was done.
 *
 * A recording's stamps are in its `checks`, in order, at the same places of its blocks of queries.
 * The host resets the blocks at each submission. A recording that may be in flight twice has no
 * stamps, and neither has a pass with several views, where a stamp takes several queries. */
#include "vulkan_layer.h"

#include "array.h"

enum { BLOCK = 256, READS = 64, LAST_WAIT_S = 2 };

/* The answers about one block, and the words of the list's row at the time of the question. */
struct read {
    uint64_t recording, started, completed;
    uint32_t part; /* index among the recording's blocks */
    uint32_t first;
    uint64_t bits[BLOCK / 64];
    bool is_confirmed; /* whether the previous answer was the same */
};

struct reading {
    struct vkl_question base;
    VkDevice device;
    VkQueryPool pool;
    PFN_vkGetQueryPoolResults get;
    bool is_told;
    uint32_t count;
    struct read reads[READS];
};

/* ---- the pool ---- */

void vkl_stamps_create(struct vkl_device *device)
{
    struct vkl_stamps *stamps = &device->stamps;
    const bool is_exact = device->settings.level == CRASH_LEVEL_EXACT;
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = is_exact ? BLOCK * VKL_STAMP_BLOCKS : 1,
    };
    pthread_mutex_init(&stamps->lock, NULL);
    const bool is_wanted =
        device->evidence == VKL_EVIDENCE_BARRIER || device->evidence == VKL_EVIDENCE_FILL;
    stamps->is_off = is_wanted && !device->has_query_reset &&
                     device->settings.level != CRASH_LEVEL_LOW; /* not asked for */
    if (!is_wanted || !device->has_query_reset || !device->next.ResetQueryPool ||
        device->next.CreateQueryPool(device->handle, &info, NULL, &stamps->pool) != VK_SUCCESS) {
        stamps->pool = VK_NULL_HANDLE;
        return;
    }
    device->next.ResetQueryPool(device->handle, stamps->pool, 0, info.queryCount);
    for (uint16_t i = 0; is_exact && i < VKL_STAMP_BLOCKS; i++)
        stamps->free[stamps->free_count++] = i;
}

void vkl_stamps_destroy(struct vkl_device *device)
{
    struct vkl_stamps *stamps = &device->stamps;
    if (stamps->question) {
        vkl_question_wait(stamps->question, LAST_WAIT_S);
        vkl_question_leave(stamps->question);
    }
    if (stamps->pool)
        device->next.DestroyQueryPool(device->handle, stamps->pool, NULL);
    free(stamps->answer);
    pthread_mutex_destroy(&stamps->lock);
}

/* ---- recording ---- */

static bool take_block(struct vkl_cmd *cmd)
{
    struct vkl_stamps *stamps = &cmd->device->stamps;
    pthread_mutex_lock(&stamps->lock); /* the watchdog reads the blocks */
    const bool is_there =
        stamps->free_count > 0 && ARRAY_ROOM(cmd->blocks, cmd->block_count, cmd->block_capacity);
    if (is_there)
        cmd->blocks[cmd->block_count++] = stamps->free[--stamps->free_count];
    pthread_mutex_unlock(&stamps->lock);
    return is_there;
}

void vkl_stamps_begin(struct vkl_cmd *cmd, VkCommandBufferUsageFlags flags)
{
    const struct vkl_device *device = cmd->device;
    cmd->takes_stamps = device->stamps.pool && device->settings.level == CRASH_LEVEL_EXACT &&
                        !(flags & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT) &&
                        cmd->pool->family < device->family_count &&
                        device->families[cmd->pool->family].timestampValidBits > 0;
    cmd->has_views = cmd->lacks_stamps = false;
    cmd->executed_count = 0;
}

void vkl_stamps_drop(struct vkl_cmd *cmd)
{
    struct vkl_stamps *stamps = &cmd->device->stamps;
    if (cmd->block_count == 0)
        return;
    pthread_mutex_lock(&stamps->lock);
    while (cmd->block_count > 0)
        stamps->free[stamps->free_count++] = cmd->blocks[--cmd->block_count];
    pthread_mutex_unlock(&stamps->lock);
}

void vkl_stamp(struct vkl_cmd *cmd, enum vkl_checkpoint what, uint64_t event_id)
{
    const struct vkl_device *device = cmd->device;
    const uint32_t at = cmd->check_count % BLOCK;
    if (!cmd->takes_stamps)
        return;
    if (what != VKL_CHECKPOINT_BUNDLE && (!cmd->in_pass || cmd->has_views || event_id == 0))
        return;
    if ((at == 0 && !take_block(cmd)) ||
        !ARRAY_ROOM(cmd->checks, cmd->check_count, cmd->check_capacity)) {
        cmd->takes_stamps = false;
        cmd->lacks_stamps = true;
        return;
    }
    cmd->checks[cmd->check_count++] = (struct vkl_checked){event_id, what};
    if (what != VKL_CHECKPOINT_BUNDLE)
        device->next.CmdWriteTimestamp(cmd->handle,
                                       what == VKL_CHECKPOINT_STARTED
                                           ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT
                                           : VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                                       device->stamps.pool,
                                       cmd->blocks[cmd->block_count - 1] * (uint32_t)BLOCK + at);
}

void vkl_stamps_execute(struct vkl_cmd *cmd, VkCommandBuffer secondary)
{
    if (!cmd->takes_stamps)
        return;
    if (ARRAY_ROOM(cmd->executed, cmd->executed_count, cmd->executed_capacity))
        cmd->executed[cmd->executed_count++] = secondary;
}

static void reset(const struct vkl_cmd *cmd)
{
    const struct vkl_device *device = cmd->device;
    for (uint32_t i = 0; i < cmd->block_count; i++)
        device->next.ResetQueryPool(device->handle, device->stamps.pool,
                                    cmd->blocks[i] * (uint32_t)BLOCK, BLOCK);
}

void vkl_stamps_submit(const struct vkl_cmd *cmd)
{
    reset(cmd);
    for (uint32_t i = 0; i < cmd->executed_count; i++) {
        /* the handle may be freed, so don't read the device from it */
        const struct vkl_cmd *secondary =
            vkl_cmd_find(cmd->device, cmd->executed[i], atomic_load(&vkl_generation));
        if (secondary)
            reset(secondary);
    }
}

/* ---- the watchdog's questions ---- */

static bool read_block(const struct reading *reading, struct read *read, uint32_t count)
{
    uint64_t results[BLOCK][2] = {{0}};
    const VkResult result =
        reading->get(reading->device, reading->pool, read->first, count, sizeof *results * count,
                     results, sizeof *results,
                     VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    for (uint32_t i = 0; i < count; i++)
        read->bits[i / 64] |= (uint64_t)(results[i][1] != 0) << i % 64;
    return result == VK_SUCCESS || result == VK_NOT_READY;
}

static void ask(struct vkl_question *base)
{
    struct reading *reading = (struct reading *)base;
    struct read one = {.first = 0};
    reading->is_told = reading->count > 0 || read_block(reading, &one, 1);
    for (uint32_t i = 0; i < reading->count && reading->is_told; i++)
        reading->is_told = read_block(reading, &reading->reads[i], BLOCK);
}

static void let_go(struct vkl_question *base)
{
    free(base);
}

static const struct read *read_of(const struct reading *reading, uint64_t recording, uint32_t part)
{
    for (uint32_t i = 0; reading && i < reading->count; i++)
        if (reading->reads[i].recording == recording && reading->reads[i].part == part)
            return &reading->reads[i];
    return NULL;
}

/* Takes the answer, if there is one; then the asker's thread is gone. stamps->lock is held. */
static void take_answer(struct vkl_stamps *stamps)
{
    struct reading *reading = (struct reading *)stamps->question;
    if (!reading || !vkl_question_wait(stamps->question, 0))
        return;
    stamps->question = NULL;
    if (!reading->is_told) { /* the device is lost, so earlier answers count */
        vkl_question_leave(&reading->base);
        return;
    }
    for (uint32_t i = 0; i < reading->count; i++) {
        struct read *read = &reading->reads[i];
        const struct read *before = read_of(stamps->answer, read->recording, read->part);
        read->is_confirmed = before && before->started == read->started &&
                             before->completed == read->completed &&
                             memcmp(before->bits, read->bits, sizeof read->bits) == 0;
    }
    free(stamps->answer);
    stamps->answer = reading;
}

/* Whether the GPU may be in the list, because fills without a barrier don't show its start. */
static bool may_be_there(const annot_progress *list)
{
    return list->state == ANNOT_PROGRESS_STARTED || list->state == ANNOT_PROGRESS_UNKNOWN;
}

static void add_reads(struct reading *reading, const struct vkl_cmd *cmd,
                      const annot_progress *list)
{
    for (uint32_t i = 0; cmd && i < cmd->block_count && reading->count < READS; i++)
        reading->reads[reading->count++] = (struct read){.recording = cmd->recording,
                                                         .started = list->started,
                                                         .completed = list->completed,
                                                         .part = i,
                                                         .first = cmd->blocks[i] * (uint32_t)BLOCK};
}

void vkl_stamps_ask(struct vkl_device *device, const annot_progress *rows, uint32_t count)
{
    struct vkl_stamps *stamps = &device->stamps;
    const annot_progress *list = NULL;
    if (!stamps->pool || pthread_mutex_trylock(&stamps->lock) != 0)
        return;
    take_answer(stamps);
    struct reading *reading = stamps->question ? NULL : calloc(1, sizeof *reading);
    if (reading && pthread_rwlock_tryrdlock(&device->objects) == 0) {
        for (uint32_t i = 0; i < count; i++) {
            if (rows[i].bundle == 0)
                list = may_be_there(&rows[i]) ? &rows[i] : NULL;
            if (list)
                add_reads(reading, vkl_cmd_of_object(device, rows[i].object), list);
        }
        pthread_rwlock_unlock(&device->objects);
        reading->base = (struct vkl_question){.ask = ask, .let_go = let_go};
        reading->device = device->handle;
        reading->pool = stamps->pool;
        reading->get = device->next.GetQueryPoolResults;
        stamps->question = vkl_question_start(&reading->base) ? &reading->base : NULL;
        reading = NULL;
    }
    free(reading);
    pthread_mutex_unlock(&stamps->lock);
}

/* ---- the dump ---- */

/* Finds the checks of a list's own bundle. False: there is none with this ordinal. */
static bool find_bundle(const struct vkl_cmd *list, uint32_t ordinal, uint32_t *first,
                        uint32_t *end)
{
    *first = 0;
    for (*end = 0; *end < list->check_count; ++*end) {
        if (list->checks[*end].what != VKL_CHECKPOINT_BUNDLE)
            continue;
        if (--ordinal == 0)
            return true;
        *first = *end + 1;
    }
    return ordinal == 1;
}

/* Fills in the row of a bundle in the pass where the GPU stopped. */
static void judge(struct vkl_device *device, const annot_progress *list, annot_progress *row)
{
    const struct reading *answer = (const struct reading *)device->stamps.answer;
    const struct vkl_cmd *in = vkl_cmd_of_object(device, list->object);
    const struct vkl_cmd *own = vkl_cmd_of_object(device, row->object), *cmd = own ? own : in;
    uint32_t first = 0, end = cmd ? cmd->check_count : 0;
    uint64_t started = 0, completed = 0;
    if (!in || (!own && !find_bundle(cmd, row->bundle, &first, &end)))
        return;
    const struct vkl_straddled straddled = vkl_straddled_of(in, list->started);
    if (straddled.begins || straddled.ends)
        return; /* the list's own labels are not the open labels here */
    bool is_all = !cmd->lacks_stamps, is_sure = !cmd->lacks_stamps;
    for (uint32_t i = first; i < end; i++) {
        const struct read *read = read_of(answer, cmd->recording, i / BLOCK);
        const enum vkl_checkpoint what = cmd->checks[i].what;
        if (!read || read->started != list->started || read->completed != list->completed)
            return;
        is_sure &= read->is_confirmed;
        if (!(read->bits[i % BLOCK / 64] >> i % 64 & 1)) {
            is_all = false;
            continue;
        }
        if (what == VKL_CHECKPOINT_STARTED || what == VKL_CHECKPOINT_PASSED)
            started = cmd->checks[i].event_id;
        if (what == VKL_CHECKPOINT_COMPLETED || what == VKL_CHECKPOINT_PASSED)
            completed = cmd->checks[i].event_id;
    }
    if (is_all || started == 0)
        return;
    row->state = ANNOT_PROGRESS_STARTED;
    row->inside = is_sure ? ANNOT_INSIDE_TRACKED : ANNOT_INSIDE_COMPLETED;
    row->started = is_sure ? started : 0;
    row->completed = completed;
}

const char *vkl_stamps_judge(struct vkl_device *device, annot_progress *rows, uint32_t count)
{
    struct vkl_stamps *stamps = &device->stamps;
    const annot_progress *list = NULL;
    const struct timespec until = crash_deadline(1);
    if (pthread_mutex_timedlock(&stamps->lock, &until) != 0)
        return NULL; /* a dead thread has the lock */
    take_answer(stamps);
    for (uint32_t i = 0; stamps->answer && i < count; i++)
        if (rows[i].bundle == 0)
            list = may_be_there(&rows[i]) ? &rows[i] : NULL;
        else if (list && rows[i].inside == ANNOT_INSIDE_NOT_TRACKED)
            judge(device, list, &rows[i]);
    const char *said = stamps->answer     ? "time stamps at level exact"
                       : stamps->question ? "nothing: the driver answers no query before work ends"
                       : stamps->is_off   ? "nothing: the feature hostQueryReset is not enabled"
                                          : NULL;
    pthread_mutex_unlock(&stamps->lock);
    return said;
}
