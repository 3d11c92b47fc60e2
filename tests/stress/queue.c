/* Queue markers from many threads: each forwarded exactly once, no two with one EventID, scopes
 * paired, while others submit, complete and evict [ANN-MARK-04, ANN-MARK-13, ANN-LIFE-06]. */
#include "checks.h"
#include "deaf_driver.h"

#include <annot/annot.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 20000, CALLS = THREADS * ROUNDS * 3 };

/* The driver is called under the queue's lock, so plain memory will do. */
static struct log {
    uint64_t ids[CALLS];
    size_t count, begins, sets, ends, wrong, depth;
    uint64_t stack[THREADS + 1];
    unsigned inside;
} logs[2];

static struct log *log_of(D3D12DDI_HCOMMANDQUEUE queue)
{
    return queue.pDrvPrivate;
}

static void note(struct log *log, const void *data, uint32_t size, uint64_t id)
{
    unsigned char first;
    log->wrong += log->inside++ != 0; /* one at a time per queue */
    if (size > 0) {
        memcpy(&first, data, 1);
        for (uint32_t i = 0; i < size; i++)
            log->wrong += ((const unsigned char *)data)[i] != first;
    }
    log->ids[log->count++] = id;
    log->inside--;
}

static void ANNOT_DDI_CALL begin(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata, const void *data,
                                 uint32_t size, uint64_t id)
{
    struct log *log = log_of(queue);
    (void)metadata;
    note(log, data, size, id);
    log->begins++;
    if (log->depth <= THREADS)
        log->stack[log->depth] = id;
    log->depth++;
}

static void ANNOT_DDI_CALL end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t id)
{
    struct log *log = log_of(queue);
    log->ends++;
    if (log->depth == 0 || log->stack[--log->depth] != id)
        log->wrong++;
}

static void ANNOT_DDI_CALL set(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata, const void *data,
                               uint32_t size, uint64_t id)
{
    (void)metadata;
    note(log_of(queue), data, size, id);
    log_of(queue)->sets++;
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {
    begin, end, set, deaf_list_marker, deaf_list_end, deaf_list_marker, deaf_set_name};
static const annot_driver driver = {"stress", 1, &table, 0};

static annot_context *queues[2];
static annot_device *device;
static const uint64_t budget = 20 * 65536;
static _Atomic size_t over_budget;

static void *work(void *argument)
{
    unsigned char payload[200];
    memset(payload, (int)(size_t)argument, sizeof payload);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        annot_context *queue = queues[i % 2];
        annot_context_begin_event(queue, i, payload, i % 120);
        annot_context_set_marker(queue, i, payload, i % 200);
        annot_context_end_event(queue);
        if (i % 16 == 0)
            annot_context_completed(queue, annot_context_submit(queue, NULL, 0));
        if (i % 64 == 0) {
            annot_device_stats stats;
            annot_device_get_stats(device, &stats);
            over_budget += stats.live_bytes > budget + 2 * 16 * 65536; /* submissions may go past */
            annot_marker_info info;
            annot_device_lookup(device, (uint64_t)1 << 32 | i, &info, payload, 0);
        }
    }
    return NULL;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, 8);
    memcpy(&y, b, 8);
    return x < y ? -1 : x > y;
}

int main(void)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    desc.driver = &driver;
    desc.memory_budget = budget;
    desc.force_driver_retail = true;
    if (annot_device_create(&desc, &device))
        return 1;
    annot_object *objects[2];
    for (int i = 0; i < 2; i++) {
        annot_object_desc object = {.kind = D3D12DDI_HT_COMMAND_QUEUE, .driver_handle = &logs[i]};
        if (annot_object_create(device, &object, &objects[i]) ||
            annot_context_create(objects[i], &queues[i]))
            return 1;
    }
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);

    static uint64_t ids[2 * CALLS];
    size_t count = 0, repeated = 0;
    uint64_t evicted = 0, dropped = 0, live = 0, unknown = 0;
    for (int q = 0; q < 2; q++) {
        struct log *log = &logs[q];
        check(log->begins == THREADS * ROUNDS / 2, "each Begin forwarded once");
        check(log->sets == THREADS * ROUNDS / 2, "each Set forwarded once");
        check(log->ends == THREADS * ROUNDS / 2, "each End forwarded once");
        check(log->wrong == 0, "calls one at a time, payloads whole, Ends paired");
        check(log->depth == 0, "all scopes closed");
        memcpy(ids + count, log->ids, log->count * sizeof *ids);
        count += log->count;
    }
    for (size_t i = 0; i < count; i++) {
        annot_marker_info info;
        annot_lookup answer = annot_device_lookup(device, ids[i], &info, NULL, 0);
        live += answer == ANNOT_LOOKUP_LIVE;
        evicted += answer == ANNOT_LOOKUP_EXPIRED;
        dropped += answer == ANNOT_LOOKUP_DROPPED;
        unknown += answer == ANNOT_LOOKUP_NEVER_ISSUED;
    }
    qsort(ids, count, sizeof *ids, by_value);
    for (size_t i = 0; i < count; i++)
        repeated += ids[i] == 0 || (i && ids[i] == ids[i - 1]);
    check(repeated == 0, "no EventID twice");
    annot_device_stats stats;
    annot_device_get_stats(device, &stats);
    check(unknown == 0, "each ID was issued");
    check(evicted == stats.evicted_markers, "evictions counted");
    check(dropped == stats.dropped_markers, "drops counted");
    check(live > 0 && evicted > 0, "some live, some evicted");
    check(over_budget == 0, "budget kept");
    for (int i = 0; i < 2; i++) {
        annot_context_destroy(queues[i]);
        annot_object_destroy(objects[i]);
    }
    annot_device_get_stats(device, &stats);
    check(stats.live_bytes == 0, "nothing stays charged");
    annot_device_destroy(device);
    return checks_ended();
}
