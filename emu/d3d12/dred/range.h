/* The GPU virtual addresses of living objects, and of the last DRED_FREED objects that were
 * destroyed. The ranges explain page faults: an address may be in a living object, in a destroyed
 * object, or between objects [ANN-DRED]. */
#pragma once

#include "base/com.h"

#include <annot/dump.h>
#include <pthread.h>

#define DRED_FREED 65536u

/* The addresses of an object; a member of the object. If `size` is 0, they are not registered. */
struct dred_range {
    struct dred_range *next, *prev;
    uint64_t address, size; /* both in bytes */
    annot_object *object;
    struct private_data *names;
    IUnknown *iface;
    D3D12_DRED_ALLOCATION_TYPE type;
    bool is_placed; /* whether other objects may have the same GPU addresses */
};

struct dred_freed {
    uint64_t address, size;
    uint64_t time;         /* when the object was destroyed, in ns */
    uint64_t object;       /* annot_object_id */
    const IUnknown *iface; /* the interface's address, for comparisons only: the object is gone */
    char *name; /* the object's name in UTF-8; NULL: the object has no name, or memory ran out */
    D3D12_DRED_ALLOCATION_TYPE type;
    bool outlived; /* whether the object was destroyed after the device's removal */
};

struct dred_ranges {
    bool on;
    pthread_mutex_t lock;
    bool frozen; /* whether the data stays: the device is removed */
    struct dred_range *live;
    struct dred_freed *freed; /* the n-th freed object is element n % DRED_FREED */
    size_t freed_capacity;
    uint64_t freed_count; /* how many ranged objects were destroyed so far */
};

void dred_ranges_init(struct dred_ranges *ranges, bool on);
void dred_ranges_finish(struct dred_ranges *ranges);

/* Registers `range`. If ranges are off, the function does nothing. Any thread may call it. */
void dred_ranges_add(struct dred_ranges *ranges, struct dred_range *range);
/* Removes an object's range and notes the object as freed. Call the function before the object is
 * destroyed, while the object has a name. `time` is the current time in ns. */
void dred_ranges_remove(struct dred_ranges *ranges, struct dred_range *range, uint64_t time);

/* Notes the device's removal. Objects that are destroyed later still count as alive then. */
void dred_ranges_freeze(struct dred_ranges *ranges);

/* Calls `see` under the lock with every range that contains `address`: first the ranges of living
 * objects in the order of creation, then the ranges of destroyed objects, the latest first. For
 * each range, one of `live` and `freed` is NULL. The calls end when `see` returns false. */
typedef bool dred_see(void *user, const struct dred_range *live, const struct dred_freed *freed);
void dred_ranges_at(struct dred_ranges *ranges, uint64_t address, dred_see *see, void *user);
/* Returns annot_object_id of the living resource at `address`. Returns 0 if no resource, or more
 * than one, is at `address`. */
uint64_t dred_ranges_resource_at(struct dred_ranges *ranges, uint64_t address);

/* Fills `rows` for a dump at `time` (ns): the ranges that contain `address`, and the nearest ranges
 * below and above `address`. Allocates nothing. Returns the number of rows. */
size_t dred_ranges_select(struct dred_ranges *ranges, uint64_t address, uint64_t time,
                          annot_allocation_range *rows, size_t capacity);
