#include "dred/range.h"
#include "array.h"
#include "gate.h"

#include <utlist.h>

void dred_ranges_init(struct dred_ranges *ranges, bool on)
{
    *ranges = (struct dred_ranges){.on = on};
    pthread_mutex_init(&ranges->lock, NULL);
}

static size_t freed_kept(const struct dred_ranges *ranges)
{
    return ranges->freed_count < ranges->freed_capacity ? (size_t)ranges->freed_count
                                                        : ranges->freed_capacity;
}

void dred_ranges_finish(struct dred_ranges *ranges)
{
    for (size_t i = 0; i < freed_kept(ranges); i++)
        free(ranges->freed[i].name);
    free(ranges->freed);
    pthread_mutex_destroy(&ranges->lock);
}

void dred_ranges_add(struct dred_ranges *ranges, struct dred_range *range)
{
    if (!ranges->on || range->size == 0)
        return;
    emu_lock(&ranges->lock);
    DL_APPEND(ranges->live, range);
    emu_unlock(&ranges->lock);
}

static char *copy_name(const annot_object *object)
{
    char *name = NULL;
    for (size_t size; (size = annot_object_get_name(object, NULL, 0)) != 0;) {
        free(name);
        name = malloc(size + 1);
        if (!name || annot_object_get_name(object, name, size + 1) <= size)
            return name; /* otherwise the object was renamed meanwhile */
    }
    free(name);
    return NULL;
}

/* Returns a place for the next freed object: a new place, or the oldest object's. NULL: out of
 * memory; the object is forgotten. */
static struct dred_freed *take_place(struct dred_ranges *ranges)
{
    if (ranges->freed_capacity < DRED_FREED &&
        !ARRAY_ROOM(ranges->freed, ranges->freed_count, ranges->freed_capacity))
        return NULL;
    struct dred_freed *place = &ranges->freed[ranges->freed_count % ranges->freed_capacity];
    if (ranges->freed_count++ >= ranges->freed_capacity)
        free(place->name);
    return place;
}

void dred_ranges_remove(struct dred_ranges *ranges, struct dred_range *range, uint64_t time)
{
    if (!ranges->on || range->size == 0)
        return;
    char *name = copy_name(range->object);
    emu_lock(&ranges->lock);
    DL_DELETE(ranges->live, range);
    struct dred_freed *place = take_place(ranges);
    if (place)
        *place = (struct dred_freed){range->address, range->size,
                                     time,           annot_object_id(range->object),
                                     range->iface,   name,
                                     range->type,    ranges->frozen};
    else
        free(name);
    emu_unlock(&ranges->lock);
}

void dred_ranges_freeze(struct dred_ranges *ranges)
{
    emu_lock(&ranges->lock);
    ranges->frozen = true;
    emu_unlock(&ranges->lock);
}

static bool holds(uint64_t start, uint64_t size, uint64_t address)
{
    return address >= start && address - start < size;
}

/* Returns the n-th object that was freed before now, from 0. */
static const struct dred_freed *nth_freed(const struct dred_ranges *ranges, size_t n)
{
    return &ranges->freed[(ranges->freed_count - 1 - n) % ranges->freed_capacity];
}

static bool visit(struct dred_ranges *ranges, uint64_t address, bool all, dred_see *see, void *user)
{
    const struct dred_range *live;
    DL_FOREACH(ranges->live, live)
    {
        if ((all || holds(live->address, live->size, address)) && !see(user, live, NULL))
            return false;
    }
    for (size_t i = 0; i < freed_kept(ranges); i++) {
        const struct dred_freed *freed = nth_freed(ranges, i);
        if ((all || holds(freed->address, freed->size, address)) && !see(user, NULL, freed))
            return false;
    }
    return true;
}

void dred_ranges_at(struct dred_ranges *ranges, uint64_t address, dred_see *see, void *user)
{
    emu_lock(&ranges->lock);
    visit(ranges, address, false, see, user);
    emu_unlock(&ranges->lock);
}

uint64_t dred_ranges_resource_at(struct dred_ranges *ranges, uint64_t address)
{
    const struct dred_range *live, *found = NULL;
    bool are_several = false;
    emu_lock(&ranges->lock);
    DL_FOREACH(ranges->live, live)
    {
        if (live->type != D3D12_DRED_ALLOCATION_TYPE_RESOURCE ||
            !holds(live->address, live->size, address))
            continue;
        are_several = found != NULL;
        found = live;
        if (are_several || !live->is_placed)
            break;
    }
    const uint64_t object = found && !are_several ? annot_object_id(found->object) : 0;
    emu_unlock(&ranges->lock);
    return object;
}

/* ---- for a dump ---- */

struct selection {
    uint64_t address, time;
    annot_allocation_range *rows, below, above; /* size 0: none yet */
    size_t count, capacity;
};

static annot_allocation_range row_of(const struct dred_range *live, const struct dred_freed *freed,
                                     uint64_t time)
{
    if (live)
        return (annot_allocation_range){.address = live->address,
                                        .size = live->size,
                                        .object = annot_object_id(live->object),
                                        .kind = (uint32_t)live->type};
    return (annot_allocation_range){.address = freed->address,
                                    .size = freed->size,
                                    .object = freed->object,
                                    .kind = (uint32_t)freed->type,
                                    .flags = freed->outlived ? 0 : ANNOT_RANGE_FREED,
                                    .freed_before = freed->outlived ? 0 : time - freed->time};
}

static bool select_row(void *user, const struct dred_range *live, const struct dred_freed *freed)
{
    struct selection *selection = user;
    const annot_allocation_range row = row_of(live, freed, selection->time);
    const uint64_t at = selection->address;
    if (holds(row.address, row.size, at)) {
        if (selection->count < selection->capacity)
            selection->rows[selection->count++] = row;
    } else if (row.address < at) {
        const annot_allocation_range *below = &selection->below;
        if (below->size == 0 || row.address + row.size > below->address + below->size)
            selection->below = row;
    } else if (selection->above.size == 0 || row.address < selection->above.address) {
        selection->above = row;
    }
    return true;
}

size_t dred_ranges_select(struct dred_ranges *ranges, uint64_t address, uint64_t time,
                          annot_allocation_range *rows, size_t capacity)
{
    struct selection selection = {
        .address = address, .time = time, .rows = rows, .capacity = capacity};
    emu_lock(&ranges->lock);
    visit(ranges, address, true, select_row, &selection);
    emu_unlock(&ranges->lock);
    if (selection.below.size != 0 && selection.count < capacity)
        rows[selection.count++] = selection.below;
    if (selection.above.size != 0 && selection.count < capacity)
        rows[selection.count++] = selection.above;
    return selection.count;
}
