/* The operations of one recording of a command list: a byte per operation and, if contexts are on,
 * the payloads of its markers. One thread records it. Submissions share it; then it doesn't change.
 *
 * All operations are counted, but only the last DRED_OPS are kept: operation i at ops[i % DRED_OPS]
 * [DeviceRemovedExtendedData].
 */
#pragma once

#include "base/com.h"

#include <stdatomic.h>

#define DRED_OPS 65536u

/* A marker's payload, as it was recorded. */
struct dred_context {
    uint32_t op; /* index of the operation */
    uint32_t metadata, size;
    size_t offset; /* offset of the bytes in `payloads` */
};

struct dred_log {
    atomic_uint references;
    uint64_t id;       /* a number that no other recording of the process has */
    uint32_t count;    /* operations recorded */
    uint32_t markers;  /* SetMarker, BeginEvent and EndEvent among the operations */
    uint8_t *ops;      /* NULL: no memory, or no operations */
    uint32_t capacity; /* bytes of `ops`; a power of two up to DRED_OPS */
    bool ops_lost;     /* no memory: `ops` is not whole */
    bool keeps_contexts;
    struct dred_context *contexts;
    size_t context_count, context_capacity;
    unsigned char *payloads;
    size_t payload_size, payload_capacity;
    struct dred_log **bundles; /* the logs of executed bundles, in order; an entry may be NULL */
    uint32_t bundle_count, bundle_capacity;
};

/* Makes an empty log; NULL: out of memory. */
struct dred_log *dred_log_create(bool keeps_contexts);
void dred_log_retain(struct dred_log *log);
void dred_log_release(struct dred_log *log); /* NULL is allowed */

/* Replaces the caller's reference by one to an empty log; it is this log if nobody else references
 * it. NULL: no memory; the reference is gone. */
struct dred_log *dred_log_restart(struct dred_log *log);

/* Notes that the newest operation is this marker; without memory its context is left out. */
void dred_log_add_context(struct dred_log *log, UINT metadata, const void *data, UINT size);

/* Notes the bundle of the next ExecuteBundle. False means out of memory; then the log has lost its
 * bundles. */
bool dred_log_add_bundle(struct dred_log *log, struct dred_log *bundle);

static inline bool dred_is_marker(D3D12_AUTO_BREADCRUMB_OP op)
{
    return op <= D3D12_AUTO_BREADCRUMB_OP_ENDEVENT;
}

/* Add an operation. The second one needs room in the log. */
void dred_log_add_slowly(struct dred_log *log, D3D12_AUTO_BREADCRUMB_OP op);
static inline void dred_log_add(struct dred_log *log, D3D12_AUTO_BREADCRUMB_OP op)
{
    if (log->count >= log->capacity || log->ops_lost) {
        dred_log_add_slowly(log, op);
        return;
    }
    log->ops[log->count++] = (uint8_t)op;
    log->markers += dred_is_marker(op);
}

/* How many operations `ops` holds. */
static inline uint32_t dred_log_kept(const struct dred_log *log)
{
    if (log->ops_lost)
        return 0;
    return log->count < DRED_OPS ? log->count : DRED_OPS;
}
