/* Fills a reserved record. This innermost code of the marker path is inlined into its callers. */
#pragma once

#include "record/record.h"

#include <string.h>

/* Copies a payload in steps of fixed sizes. The compiler makes each step a vector move; steps may
 * overlap. No step touches a byte outside the payload. Bytes between the payload's end and the
 * record's end don't change; readers look only at `size` bytes. */
static ANNOT__INLINE void annot__payload_copy(void *restrict to, const void *restrict from,
                                              uint32_t size)
{
    char *target = to;
    const char *source = from;
    if (ANNOT__LIKELY(size - 16u <= 16u)) {
        memcpy(target, source, 16);
        memcpy(target + size - 16, source + size - 16, 16);
    } else if (size > 32) {
        const char *end = source + size;
        memcpy(target + size - 32, end - 32, 32);
        memcpy(target, source, 32);
        for (int64_t left = (int64_t)size - 64; left > 0; left -= 32) {
            memcpy(target + 32, source + 32, 32);
            source += 32;
            target += 32;
            ANNOT__OPAQUE(source);
        }
    } else if (size >= 8) {
        memcpy(target, source, 8);
        memcpy(target + size - 8, source + size - 8, 8);
    } else if (size >= 4) {
        memcpy(target, source, 4);
        memcpy(target + size - 4, source + size - 4, 4);
    } else if (size > 0) {
        target[0] = source[0];
        target[size / 2] = source[size / 2];
        target[size - 1] = source[size - 1];
    }
}

/* Publishes a record whose bytes are all written. From then on readers see the record. */
static inline void annot__record_publish(struct annot__record *record, enum annot__kind kind,
                                         uint32_t size)
{
    atomic_store_explicit(&record->word, ANNOT__WORD(kind, size), memory_order_release);
}

static inline void annot__record_close(struct annot__record *scope)
{
    uint32_t word = atomic_load_explicit(&scope->word, memory_order_relaxed);
    atomic_store_explicit(&scope->word, word | ANNOT__WORD_CLOSED, memory_order_relaxed);
}

/* Reserves, fills and publishes a record, outside the fast path. `parent` is stored in
 * annot__record.parent. Returns NULL if the record can't be kept. */
static inline struct annot__record *annot__record_append(struct annot__cursor *cursor,
                                                         enum annot__kind kind, uint64_t parent,
                                                         uint32_t metadata, const void *data,
                                                         uint32_t size)
{
    struct annot__record *record =
        size <= ANNOT__SIZE_MAX ? annot__cursor_reserve(cursor, annot__record_bytes(size)) : NULL;
    if (!record)
        return NULL;
    record->metadata = metadata;
    record->parent = parent;
    if (size > 0)
        memcpy(annot__record_payload(record), data, size);
    annot__record_publish(record, kind, size);
    return record;
}

static inline struct annot__record *annot__marker_append(struct annot__cursor *cursor,
                                                         uint64_t parent,
                                                         const struct annot__marker *marker)
{
    if (marker->reference)
        return annot__record_append(
            cursor, (enum annot__kind)((unsigned)marker->kind | ANNOT__BY_REFERENCE), parent,
            marker->metadata, marker->reference, sizeof *marker->reference);
    return annot__record_append(cursor, marker->kind, parent, marker->metadata, marker->data,
                                marker->size);
}

static inline struct annot__recording *annot__recording_of(const annot_device *device,
                                                           uint64_t recording)
{
    return annot__record_payload(annot__device_record(device, recording));
}
