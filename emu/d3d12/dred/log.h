/* The operations of one recording of a command list: a byte per operation and, if contexts are on,
 * the payloads of the markers. One thread records the log. Submissions share the finished log,
 * which no longer changes.
 *
 * The log counts all operations, but keeps only the last DRED_OPS: operation i is at ops[i %
 * DRED_OPS] [DeviceRemovedExtendedData]. */
#pragma once

#include "base/com.h"

#define DRED_OPS 65536u

/* A marker's payload, with the bytes that the program recorded. */
struct dred_context {
    uint32_t op; /* index of the SetMarker or BeginEvent among the operations */
    uint32_t metadata, size;
    size_t offset; /* offset of the first byte of the payload in `payloads` */
};

struct dred_log {
    atomic_uint references;
    uint64_t id;      /* the recording's number; no other recording has this number */
    uint32_t count;   /* number of recorded operations */
    uint32_t markers; /* number of operations that are a SetMarker, BeginEvent or EndEvent */
    uint8_t *ops; /* the last operations; NULL: memory ran out, or no operation was recorded yet */
    uint32_t capacity; /* size of `ops` in bytes, a power of two that is at most DRED_OPS */
    bool ops_lost;     /* whether memory ran out, so that `ops` lacks operations */
    bool keeps_contexts;
    struct dred_context *contexts;
    size_t context_count, context_capacity;
    unsigned char *payloads;
    size_t payload_size, payload_capacity;
    struct dred_log **bundles; /* the logs of executed bundles, in order; some may be NULL */
    uint32_t bundle_count, bundle_capacity;
};

/* Makes an empty log; NULL: out of memory. */
struct dred_log *dred_log_create(bool keeps_contexts);
void dred_log_retain(struct dred_log *log);
void dred_log_release(struct dred_log *log); /* NULL is allowed */

/* Exchanges the caller's reference for a reference to an empty log, which may be `log` itself. NULL
 * means out of memory; the caller's old reference is gone in any case. */
struct dred_log *dred_log_restart(struct dred_log *log);

/* Notes that the newest operation is this marker. If memory runs out, the payload is missing. */
void dred_log_add_context(struct dred_log *log, UINT metadata, const void *data, UINT size);

/* Notes which bundle is executed next. False: out of memory; the log then drops all bundles. */
bool dred_log_add_bundle(struct dred_log *log, struct dred_log *bundle);

static inline bool dred_is_marker(D3D12_AUTO_BREADCRUMB_OP op)
{
    return op <= D3D12_AUTO_BREADCRUMB_OP_ENDEVENT;
}

/* dred_log_add adds an operation; it calls dred_log_add_slowly if `ops` has no room. */
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

/* Returns how many operations of the recording `ops` still has. */
static inline uint32_t dred_log_kept(const struct dred_log *log)
{
    if (log->ops_lost)
        return 0;
    return log->count < DRED_OPS ? log->count : DRED_OPS;
}
