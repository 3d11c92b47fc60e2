#include "history/timeline.h"
#include "array.h"
#include "gate.h"

#include <utlist.h>

/* ---- life ---- */

bool history_init(struct history *history, bool on)
{
    *history = (struct history){.on = on};
    pthread_mutex_init(&history->lock, NULL);
    return !on || (history->clocks = calloc(EMU_KMD_CLOCK_PAIRS, sizeof *history->clocks)) != NULL;
}

static void drop(struct history *history, struct history_submission **list,
                 struct history_submission *submission)
{
    DL_DELETE(*list, submission);
    history->submission_count--;
    history->list_count -= submission->list_count;
    for (uint32_t i = 0; i < submission->list_count; i++)
        dred_log_release(submission->lists[i].source.log);
    free(submission);
}

void history_finish(struct history *history)
{
    while (history->pending)
        drop(history, &history->pending, history->pending);
    while (history->done)
        drop(history, &history->done, history->done);
    pthread_mutex_destroy(&history->lock);
    free(history->clocks);
    free(history->submitted);
    free(history->rows);
}

/* ---- submissions ---- */

static bool reserve_rows(struct history *history, uint32_t lists)
{
    return ARRAY_RESERVE(history->submitted, history->submission_capacity,
                         history->submission_count + 1) &&
           ARRAY_RESERVE(history->rows, history->list_capacity, history->list_count + lists);
}

/* Returns how many numbers the driver's log announces, up to the kernel's limit. */
static uint32_t announced(const D3DDDICB_SUBMITCOMMAND *command)
{
    uint64_t count = 0;
    if (!command)
        return 0;
    if (command->MarkerLogType != D3DDDIMLT_BATCHED)
        count = (uint64_t)command->CompletedAPISequenceNumberLow0Size +
                command->CompletedAPISequenceNumberLow1Size;
    else
        for (uint32_t i = 0; command->pBatchedMarkerData && i < command->BatchedMarkerDataCount &&
                             count < UINT32_MAX;
             i++)
            count += command->pBatchedMarkerData[i].CompletedAPISequenceNumberLowSize;
    return count <= EMU_KMD_LOG_NUMBERS_MAX ? (uint32_t)count : 0;
}

struct history_submission *history_add(struct history *history, const void *queue,
                                       uint64_t queue_object, uint64_t serial,
                                       const D3DDDICB_SUBMITCOMMAND *command,
                                       const struct history_source *sources, uint32_t count)
{
    const uint32_t stamps = announced(command);
    const size_t bytes = sizeof(struct history_submission) + count * sizeof(struct history_list) +
                         stamps * sizeof(annot_stamp);
    struct history_submission *submission = history->frozen ? NULL : malloc(bytes);
    if (!submission || !reserve_rows(history, count)) {
        history->forgotten += !history->frozen;
        free(submission);
        return NULL;
    }
    memset(submission, 0, bytes - stamps * sizeof(annot_stamp)); /* they have counts */
    submission->queue = queue;
    submission->row = (annot_submitted){.queue = queue_object, .submission = serial};
    if (command && command->Flags.NullRendering)
        submission->row.flags = ANNOT_SUBMITTED_NULL_RENDERING;
    submission->bytes = bytes;
    submission->list_count = count;
    submission->lists = (struct history_list *)(void *)(submission + 1);
    submission->stamps = (annot_stamp *)(void *)(submission->lists + count);
    submission->stamp_capacity = stamps;
    for (uint32_t i = 0; i < count; i++) {
        submission->lists[i].source = sources[i];
        if (sources[i].log)
            dred_log_retain(sources[i].log);
    }
    DL_APPEND(history->pending, submission);
    history->submission_count++;
    history->list_count += count;
    return submission;
}

void history_cancel(struct history *history, struct history_submission *submission)
{
    if (submission && !history->frozen)
        drop(history, &history->pending, submission);
}

static struct history_submission *find(const struct history *history, const void *queue,
                                       uint64_t serial)
{
    struct history_submission *submission;
    DL_FOREACH(history->pending, submission)
    {
        if (submission->queue == queue && submission->row.submission == serial)
            return submission;
    }
    return NULL;
}

/* Counts the submission from now on, and drops older submissions to make room. */
static void settle(struct history *history, struct history_submission *submission)
{
    DL_DELETE(history->pending, submission);
    DL_APPEND(history->done, submission);
    history->bytes += submission->bytes;
    while (history->bytes > HISTORY_BYTES) {
        history->bytes -= history->done->bytes;
        drop(history, &history->done, history->done);
        history->forgotten++;
    }
}

/* ---- the data that the kernel found ---- */

_Static_assert((int)EMU_KMD_LOG_COMMANDS == (int)ANNOT_HISTORY_PROBLEM_COMMANDS &&
                   (int)EMU_KMD_LOG_LISTS == (int)ANNOT_HISTORY_PROBLEM_LISTS &&
                   (int)EMU_KMD_LOG_ARRAY == (int)ANNOT_HISTORY_PROBLEM_ARRAY,
               "the kernel's numbers are the dump's");

static void take_list(struct history_submission *submission, uint32_t index,
                      const struct emu_kmd_history *taken)
{
    struct history_list *list = &submission->lists[index];
    const struct emu_kmd_log_list *from = &taken->lists[index];
    list->stamps = submission->stamps + from->first;
    list->count = from->count;
    for (uint32_t i = 0; i < from->count; i++)
        list->stamps[i] =
            (annot_stamp){taken->numbers[from->first + i], taken->stamps[from->first + i]};
}

static void take(struct history_submission *submission, const struct emu_kmd_history *taken)
{
    submission->row.sequence = taken->sequence;
    submission->row.problem = (uint32_t)taken->problem;
    submission->row.begin = taken->begin;
    submission->row.end = taken->end;
    submission->row.flags |= ANNOT_SUBMITTED_STAMPED;
    if (taken->list_count != submission->list_count || taken->count > submission->stamp_capacity)
        return;
    for (uint32_t i = 0; i < taken->list_count; i++)
        take_list(submission, i, taken);
}

void history_take(struct history *history, const void *queue, uint64_t serial,
                  const struct emu_kmd_history *taken)
{
    emu_lock(&history->lock);
    struct history_submission *submission = history->frozen ? NULL : find(history, queue, serial);
    if (submission)
        take(submission, taken);
    emu_unlock(&history->lock);
}

void history_retire(struct history *history, const void *queue, uint64_t serial)
{
    struct history_submission *submission, *next;
    if (!history->on)
        return;
    emu_lock(&history->lock);
    if (!history->frozen)
        DL_FOREACH_SAFE(history->pending, submission, next)
        {
            if (submission->queue == queue && submission->row.submission <= serial) {
                submission->row.flags |= ANNOT_SUBMITTED_COMPLETED;
                settle(history, submission);
            }
        }
    emu_unlock(&history->lock);
}

/* ---- the removal ---- */

static annot_history row_of(const struct history_submission *submission, uint32_t index)
{
    const struct history_list *list = &submission->lists[index];
    const struct dred_log *log = list->source.log;
    annot_history row = {.queue = submission->row.queue,
                         .submission = submission->row.submission,
                         .list = index,
                         .object = list->source.object,
                         .count = list->count,
                         .stamps = list->stamps};
    if (log) {
        row.log = log->id;
        row.op_count = log->count;
        row.markers = log->markers;
        row.kept = dred_log_kept(log);
        row.ops = log->ops;
    }
    return row;
}

static void fill_rows(struct history *history, const struct history_submission *list)
{
    const struct history_submission *submission;
    DL_FOREACH(list, submission)
    {
        history->submitted[history->submitted_count++] = submission->row;
        for (uint32_t i = 0; i < submission->list_count; i++)
            history->rows[history->row_count++] = row_of(submission, i);
    }
}

_Static_assert(sizeof(annot_clock_pair) == sizeof(struct emu_kmd_clock_pair),
               "the same three numbers");

void history_freeze(struct history *history, struct emu_kmd *kmd)
{
    if (!history->on)
        return;
    emu_lock(&history->lock);
    history->frozen = true;
    fill_rows(history, history->done);
    fill_rows(history, history->pending);
    history->clock_count = emu_kmd_clock_pairs(
        kmd, (struct emu_kmd_clock_pair *)(void *)history->clocks, EMU_KMD_CLOCK_PAIRS);
    emu_unlock(&history->lock);
}
