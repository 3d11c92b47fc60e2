#include "dred/log.h"

#include "array.h"

#define FIRST_OPS     64u
#define PAYLOAD_LIMIT 4096u /* bytes kept of one marker */

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

/* Bundles execute no bundles: this goes one level deep. */
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

/* Room for `needed` elements of `size` bytes in *array, which doubles; false without memory, and
 * nothing changes. */
static bool reserve(void **array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return true;
    size_t grown = *capacity != 0 ? *capacity : 16;
    while (grown < needed)
        grown *= 2;
    void *memory = realloc(*array, grown * size);
    if (!memory)
        return false;
    *array = memory;
    *capacity = grown;
    return true;
}

static bool grow_ops(struct dred_log *log)
{
    const uint32_t capacity = log->capacity != 0 ? log->capacity * 2 : FIRST_OPS;
    uint8_t *ops = realloc(log->ops, capacity);
    if (!ops)
        return false;
    log->ops = ops;
    log->capacity = capacity;
    return true;
}

void dred_log_add_slowly(struct dred_log *log, D3D12_AUTO_BREADCRUMB_OP op)
{
    if (log->count == UINT32_MAX - 2) /* the end is one more */
        return;
    if (log->count >= log->capacity && log->capacity < DRED_OPS && !log->ops_lost && !grow_ops(log))
        log->ops_lost = true;
    if (!log->ops_lost)
        log->ops[log->count % DRED_OPS] = (uint8_t)op;
    log->count++;
    log->markers += dred_is_marker(op);
}

void dred_log_add_context(struct dred_log *log, UINT metadata, const void *data, UINT size)
{
    const size_t kept = !data ? 0 : size < PAYLOAD_LIMIT ? size : PAYLOAD_LIMIT;
    void *contexts = log->contexts, *payloads = log->payloads;
    if (!log->keeps_contexts ||
        !reserve(&contexts, &log->context_capacity, log->context_count + 1, sizeof *log->contexts))
        return;
    log->contexts = contexts;
    if (!reserve(&payloads, &log->payload_capacity, log->payload_size + kept, 1))
        return;
    log->payloads = payloads;
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
