/* The data that a user-mode driver passes to pfnSubmitCommandCb with its commands. The data are
 * checked and copied, because the driver may change its memory. A wrong log is dropped with a
 * reason, but its work is executed.
 *
 * A 64-bit API sequence number is High : low. Low1 continues Low0, and where the low half goes
 * down, High goes up by one; the documentation says neither (docs/POSTMORTEM.md). */
#include "kmd/types.h"

#include <stdlib.h>
#include <string.h>

/* The arrays of low halves of one list, in order. */
struct run {
    uint32_t high;
    const uint32_t *parts[2];
    uint32_t sizes[2];
};

static struct run single_run(const D3DDDICB_SUBMITCOMMAND *command)
{
    return (struct run){
        command->FirstAPISequenceNumberHigh,
        {command->pCompletedAPISequenceNumberLow0, command->pCompletedAPISequenceNumberLow1},
        {command->CompletedAPISequenceNumberLow0Size, command->CompletedAPISequenceNumberLow1Size}};
}

static struct run batched_run(const D3DDDI_BATCHEDMARKERDATA *data)
{
    return (struct run){data->FirstAPISequenceNumberHigh,
                        {data->pCompletedAPISequenceNumberLow, NULL},
                        {data->CompletedAPISequenceNumberLowSize, 0}};
}

static struct run nth_run(const D3DDDICB_SUBMITCOMMAND *command, uint32_t n)
{
    return command->MarkerLogType == D3DDDIMLT_BATCHED
               ? batched_run(&command->pBatchedMarkerData[n])
               : single_run(command);
}

/* Counts the numbers of a run, up to the limit. False: some arrays of the run are missing. */
static bool count_run(const struct run *run, uint64_t *count)
{
    for (int i = 0; i < 2; i++) {
        if (run->sizes[i] != 0 && !run->parts[i])
            return false;
        *count += run->sizes[i];
    }
    return true;
}

/* Checks the calls that began: these calls are not used, but must be there. */
static bool has_begun(const D3DDDICB_SUBMITCOMMAND *command)
{
    return command->MarkerLogType == D3DDDIMLT_BATCHED ||
           ((command->BegunAPISequenceNumberLow0Size == 0 ||
             command->pBegunAPISequenceNumberLow0) &&
            (command->BegunAPISequenceNumberLow1Size == 0 || command->pBegunAPISequenceNumberLow1));
}

static uint32_t run_count(const D3DDDICB_SUBMITCOMMAND *command, uint32_t list_count)
{
    return command->MarkerLogType == D3DDDIMLT_BATCHED ? command->BatchedMarkerDataCount
           : list_count > 0                            ? 1
                                                       : 0;
}

/* ---- checks, in the order of the structure ---- */

static bool is_right_type(const struct emu_kmd *kmd, const D3DDDICB_SUBMITCOMMAND *command,
                          uint32_t list_count)
{
    if (kmd->desc.marker_type == D3DWDDM1_3DDI_MARKER_TYPE_NONE)
        return command->MarkerLogType == D3DDDIMLT_NONE;
    if (command->MarkerLogType == D3DDDIMLT_BATCHED)
        return true;
    return command->MarkerLogType == D3DDDIMLT_FT_PROFILE && list_count <= 1;
}

static bool are_right_lists(const D3DDDICB_SUBMITCOMMAND *command, const uint64_t *lists,
                            uint32_t list_count)
{
    if (command->MarkerLogType != D3DDDIMLT_BATCHED)
        return true;
    if (command->BatchedMarkerDataCount != list_count ||
        (list_count > 0 && !command->pBatchedMarkerData))
        return false;
    for (uint32_t i = 0; i < list_count; i++)
        if (command->pBatchedMarkerData[i].hRTCommandListHandle != (void *)(uintptr_t)lists[i])
            return false;
    return true;
}

/* RenderCBSequence goes up by one with every submission of the device, from 1, or from 0x80000001
 * with free-threaded DDIs. */
static bool is_next_sequence(struct emu_kmd *kmd, uint32_t sequence)
{
    const uint32_t last = kmd->last_sequence;
    kmd->last_sequence = sequence;
    if (last == 0)
        return sequence == 1 || sequence == 0x80000001u;
    return sequence != 0 && sequence == last + 1;
}

static enum emu_kmd_log_problem check(struct emu_kmd_queue *queue, const struct emu_kmd_item *item,
                                      const D3DDDICB_SUBMITCOMMAND *command, const uint64_t *lists,
                                      uint32_t list_count)
{
    const bool is_next = is_next_sequence(queue->kmd, command->RenderCBSequence);
    if (command->Commands != item->address || command->CommandLength != item->size)
        return EMU_KMD_LOG_COMMANDS;
    if (command->BroadcastContextCount != 1 || command->BroadcastContext[0] != queue->context)
        return EMU_KMD_LOG_CONTEXTS;
    if (command->PrivateDriverDataSize != 0)
        return EMU_KMD_LOG_PRIVATE_DATA; /* the size must be below the kernel-mode driver's limit,
                                            and no size is */
    if (command->NumPrimaries > D3DDDI_MAX_WRITTEN_PRIMARIES)
        return EMU_KMD_LOG_PRIMARIES;
    if (command->Flags.Reserved != 0 || command->Reserved != 0)
        return EMU_KMD_LOG_RESERVED;
    if (!is_right_type(queue->kmd, command, list_count))
        return EMU_KMD_LOG_TYPE;
    if (!are_right_lists(command, lists, list_count))
        return EMU_KMD_LOG_LISTS;
    if (!is_next)
        return EMU_KMD_LOG_SEQUENCE;
    return EMU_KMD_LOG_FINE;
}

/* Sums up all runs, or returns a problem. */
static enum emu_kmd_log_problem count_numbers(const D3DDDICB_SUBMITCOMMAND *command, uint32_t runs,
                                              uint64_t *count)
{
    if (runs > 0 && !has_begun(command))
        return EMU_KMD_LOG_ARRAY;
    for (uint32_t i = 0; i < runs; i++) {
        const struct run run = nth_run(command, i);
        if (!count_run(&run, count))
            return EMU_KMD_LOG_ARRAY;
        if (*count > EMU_KMD_LOG_NUMBERS_MAX)
            return EMU_KMD_LOG_TOO_LONG;
    }
    return EMU_KMD_LOG_FINE;
}

/* ---- the copy ---- */

static struct emu_kmd_log *allocate(uint32_t lists, uint32_t numbers)
{
    const size_t list_bytes = lists * sizeof(struct emu_kmd_log_list);
    struct emu_kmd_log *log =
        malloc(sizeof *log + list_bytes + (2 * (size_t)numbers + 2) * sizeof(uint64_t));
    if (!log)
        return NULL;
    memset(log, 0, sizeof *log);
    log->numbers = (uint64_t *)(void *)(log + 1);
    log->stamps = log->numbers + numbers;
    log->lists = (struct emu_kmd_log_list *)(void *)(log->stamps + numbers + 2);
    return log;
}

static void copy_run(struct emu_kmd_log *log, const struct run *run)
{
    struct emu_kmd_log_list *list = &log->lists[log->list_count++];
    uint64_t high = run->high;
    uint32_t last = 0;
    *list = (struct emu_kmd_log_list){.first = log->count};
    for (int part = 0; part < 2; part++)
        for (uint32_t i = 0; i < run->sizes[part]; i++) {
            const uint32_t low = run->parts[part][i];
            high += low < last;
            last = low;
            log->numbers[log->count++] = high << 32 | low;
        }
    list->count = log->count - list->first;
}

struct emu_kmd_log *emu__kmd_log_create(struct emu_kmd_queue *queue,
                                        const struct emu_kmd_item *item,
                                        const D3DDDICB_SUBMITCOMMAND *command,
                                        const uint64_t *lists, uint32_t list_count)
{
    uint64_t count = 0;
    enum emu_kmd_log_problem problem = check(queue, item, command, lists, list_count);
    const uint32_t runs =
        command->MarkerLogType != D3DDDIMLT_NONE ? run_count(command, list_count) : 0;
    if (problem == EMU_KMD_LOG_FINE)
        problem = count_numbers(command, runs, &count);
    struct emu_kmd_log *log = problem == EMU_KMD_LOG_FINE ? allocate(runs, (uint32_t)count) : NULL;
    if (!log) {
        if (problem == EMU_KMD_LOG_FINE)
            problem = EMU_KMD_LOG_MEMORY;
        log = allocate(0, 0);
        if (!log)
            return NULL;
    }
    log->sequence = command->RenderCBSequence;
    log->problem = problem;
    if (problem == EMU_KMD_LOG_FINE || problem == EMU_KMD_LOG_MEMORY)
        log->null_rendering = command->Flags.NullRendering != 0;
    if (problem != EMU_KMD_LOG_FINE)
        return log;
    for (uint32_t i = 0; i < runs; i++) {
        const struct run run = nth_run(command, i);
        copy_run(log, &run);
    }
    if (command->MarkerLogType == D3DDDIMLT_NONE)
        return log;
    if (command->NumHistoryBuffers != 1 || !command->HistoryBufferArray)
        log->problem = EMU_KMD_LOG_BUFFER;
    else
        log->history = EMU_HISTORY_ADDRESS(command->HistoryBufferArray[0]);
    return log;
}
