/* Gives EventIDs to markers without memory (dropped markers), and counts dropped scopes. These IDs
 * have a slot number that no chunk has, so that a lookup can distinguish dropped from expired
 * markers. */
#include "record/record.h"

#include <string.h>

uint64_t annot__drop(annot_device *device, uint32_t size)
{
    uint64_t number = atomic_fetch_add_explicit(&device->dropped_ids, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&device->dropped_markers, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&device->dropped_bytes, size, memory_order_relaxed);
    return annot__id_of_dropped(number);
}

void annot__drop_report(annot_device *device, uint32_t size)
{
    if (size > ANNOT__SIZE_MAX) {
        annot__message(device, ANNOT_MESSAGE_MARKERS_DROPPED, ANNOT_SEVERITY_WARNING,
                       "a marker's payload of %lu bytes was not retained: a payload may have at "
                       "most %lu bytes. The driver got the payload.",
                       (unsigned long)size, (unsigned long)ANNOT__SIZE_MAX);
        return;
    }
    if (atomic_exchange_explicit(&device->drop_reported, true, memory_order_relaxed))
        return;
    if (device->budget == UINT64_MAX)
        annot__message(device, ANNOT_MESSAGE_MARKERS_DROPPED, ANNOT_SEVERITY_WARNING,
                       "markers are being dropped: the process is out of memory. Reset command "
                       "allocators more often.");
    else
        annot__message(device, ANNOT_MESSAGE_MARKERS_DROPPED, ANNOT_SEVERITY_WARNING,
                       "markers are being dropped: the device's marker memory (budget %llu bytes) "
                       "is exhausted. Reset command allocators more often or raise memory_budget.",
                       (unsigned long long)device->budget);
}

void annot__scopes_init(struct annot__dropped_scopes *scopes)
{
    scopes->ids = scopes->first;
    scopes->capacity = sizeof scopes->first / sizeof scopes->first[0];
}

static size_t grown_bytes(const struct annot__dropped_scopes *scopes)
{
    return scopes->ids == scopes->first ? 0 : scopes->capacity * sizeof *scopes->ids;
}

void annot__scopes_finish(annot_device *device, struct annot__dropped_scopes *scopes)
{
    const size_t bytes = grown_bytes(scopes);
    if (bytes == 0)
        return;
    annot__release(device, scopes->ids, bytes);
    atomic_fetch_sub_explicit(&device->scopes_bytes, bytes, memory_order_relaxed);
    annot__scopes_init(scopes);
}

static bool grow(annot_device *device, struct annot__dropped_scopes *scopes)
{
    const uint32_t capacity = scopes->capacity * 2;
    const size_t bytes = capacity * sizeof *scopes->ids, more = bytes - grown_bytes(scopes);
    uint64_t *ids = NULL;
    if (atomic_fetch_add_explicit(&device->scopes_bytes, more, memory_order_relaxed) + more <=
        ANNOT__SCOPES_BYTES)
        ids = annot__allocate(device, bytes, ANNOT__MAX_ALIGN);
    if (!ids) {
        atomic_fetch_sub_explicit(&device->scopes_bytes, more, memory_order_relaxed);
        return false;
    }
    memcpy(ids, scopes->ids, scopes->depth * sizeof *ids);
    if (scopes->ids != scopes->first)
        annot__release(device, scopes->ids, scopes->capacity * sizeof *ids);
    scopes->ids = ids;
    scopes->capacity = capacity;
    return true;
}

void annot__scopes_push(annot_device *device, struct annot__dropped_scopes *scopes, uint64_t id)
{
    if (scopes->overflow || (scopes->depth == scopes->capacity && !grow(device, scopes)))
        scopes->overflow++;
    else
        scopes->ids[scopes->depth++] = id;
}

uint64_t annot__scopes_pop(struct annot__dropped_scopes *scopes)
{
    if (scopes->overflow) {
        scopes->overflow--;
        return 0;
    }
    return scopes->ids[--scopes->depth];
}
