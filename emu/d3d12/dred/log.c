#include "dred/log.h"

#include "array.h"

#define PAYLOAD_LIMIT 4096u /* bytes of one marker that are kept */

static uint64_t next_id(void)
{
    static atomic_uint_fast64_t last;
    return atomic_fetch_add(&last, 1) + 1;
}

struct dred_log *dred_log_create(bool keeps_contexts)
{
    struct dred_log *log = calloc(1, sizeof *log);
    if (!log)
        return NULL;
    atomic_init(&log->references, 1);
    log->id = next_id();
    log->keeps_contexts = keeps_contexts;
    return log;
}

void dred_log_retain(struct dred_log *log)
{
    atomic_fetch_add_explicit(&log->references, 1, memory_order_relaxed);
}

/* Drops the log's bundles. Bundles execute no bundles, so one level is enough. */
static void drop_bundles(struct dred_log *log)
{
    while (log->bundle_count != 0)
        dred_log_release(log->bundles[--log->bundle_count]);
}

void dred_log_release(struct dred_log *log)
{
    if (!log || atomic_fetch_sub_explicit(&log->references, 1, memory_order_acq_rel) != 1)
        return;
    drop_bundles(log);
    free(log->bundles);
    free(log->ops);
    free(log->contexts);
    free(log->payloads);
    free(log);
}

struct dred_log *dred_log_restart(struct dred_log *log)
{
    if (atomic_load_explicit(&log->references, memory_order_acquire) != 1) {
        const bool keeps_contexts = log->keeps_contexts;
        dred_log_release(log);
        return dred_log_create(keeps_contexts);
    }
    drop_bundles(log);
    log->id = next_id();
    log->count = log->markers = 0;
    log->ops_lost = false;
    log->context_count = 0;
    log->payload_size = 0;
    return log;
}

void dred_log_add_slowly(struct dred_log *log, D3D12_AUTO_BREADCRUMB_OP op)
{
    if (log->count == UINT32_MAX - 2) /* the breadcrumb of the end is one more */
        return;
    if (log->count >= log->capacity && log->capacity < DRED_OPS && !log->ops_lost &&
        !array_double_32(&log->ops, 1, &log->capacity))
        log->ops_lost = true;
    if (!log->ops_lost)
        log->ops[log->count % DRED_OPS] = (uint8_t)op;
    log->count++;
    log->markers += dred_is_marker(op);
}

void dred_log_add_context(struct dred_log *log, UINT metadata, const void *data, UINT size)
{
    const size_t kept = !data ? 0 : size < PAYLOAD_LIMIT ? size : PAYLOAD_LIMIT;
    if (!log->keeps_contexts ||
        !ARRAY_ROOM(log->contexts, log->context_count, log->context_capacity) ||
        !ARRAY_RESERVE(log->payloads, log->payload_capacity, log->payload_size + kept))
        return;
    if (kept != 0)
        memcpy(log->payloads + log->payload_size, data, kept);
    log->contexts[log->context_count++] =
        (struct dred_context){log->count - 1, metadata, (uint32_t)kept, log->payload_size};
    log->payload_size += kept;
}

bool dred_log_add_bundle(struct dred_log *log, struct dred_log *bundle)
{
    if (!ARRAY_ROOM(log->bundles, log->bundle_count, log->bundle_capacity))
        return false;
    if (bundle)
        dred_log_retain(bundle);
    log->bundles[log->bundle_count++] = bundle;
    return true;
}
