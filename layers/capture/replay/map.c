#include "map.h"

#include "array.h"
#include "hashed.h"

struct key {
    uint64_t kind, value;
};

struct one {
    struct key key;
    uint64_t here;
    UT_hash_handle hh;
};

struct range {
    uint64_t kind, recorded, here, size;
    struct map_owner owner;
};

struct map {
    struct one *ones;
    struct range *ranges; /* ranges by kind and begin, without overlaps */
    size_t count, capacity;
};

struct map *map_create(void)
{
    return calloc(1, sizeof(struct map));
}

void map_destroy(struct map *map)
{
    if (!map)
        return;
    TABLE_FREE(struct one, map->ones)
    free(map->ranges);
    free(map);
}

bool map_add_value(struct map *map, uint8_t kind, uint64_t recorded, uint64_t here)
{
    const struct key key = {kind, recorded};
    struct one *one;
    TABLE_FIND_OR_ADD(map->ones, key, key, one);
    if (one)
        one->here = here;
    return one != NULL;
}

bool map_value(const struct map *map, uint8_t kind, uint64_t recorded, uint64_t *here)
{
    const struct key key = {kind, recorded};
    struct one *one;
    HASH_FIND(hh, map->ones, &key, sizeof key, one);
    if (one)
        *here = one->here;
    return one != NULL;
}

/* Returns the index of the first range behind this value. */
static size_t behind(const struct map *map, uint64_t kind, uint64_t recorded)
{
    const struct range *r = map->ranges;
    size_t at;
    ARRAY_COUNT_FIRST(at, map->count, i,
                      r[i].kind < kind || (r[i].kind == kind && r[i].recorded <= recorded));
    return at;
}

static bool insert(struct map *map, struct range range)
{
    if (!ARRAY_ROOM(map->ranges, map->count, map->capacity))
        return false;
    const size_t at = behind(map, range.kind, range.recorded);
    memmove(&map->ranges[at + 1], &map->ranges[at], (map->count - at) * sizeof *map->ranges);
    map->ranges[at] = range;
    map->count++;
    return true;
}

/* Cuts each entry that overlaps the range into the part before it and the part behind it. */
static bool make_room(struct map *map, const struct range *range)
{
    const uint64_t end = range->recorded + range->size;
    size_t at = behind(map, range->kind, range->recorded);
    if (at && map->ranges[at - 1].kind == range->kind)
        at--;
    while (at < map->count && map->ranges[at].kind == range->kind &&
           map->ranges[at].recorded < end) {
        struct range *r = &map->ranges[at];
        const uint64_t old_end = r->recorded + r->size;
        const struct range rest = {r->kind, end, r->here + (end - r->recorded), old_end - end,
                                   r->owner};
        if (old_end <= range->recorded) {
            at++;
            continue;
        }
        if (r->recorded < range->recorded) {
            r->size = range->recorded - r->recorded;
            at++;
        } else {
            memmove(r, r + 1, (--map->count - at) * sizeof *r);
        }
        if (old_end > end)
            return insert(map, rest);
    }
    return true;
}

bool map_add_owned(struct map *map, uint8_t kind, uint64_t recorded, uint64_t here, uint64_t size,
                   struct map_owner owner)
{
    const uint64_t most = UINT64_MAX - recorded;
    const struct range range = {kind, recorded, here,
                                size == 0     ? 1
                                : size < most ? size
                                              : most,
                                owner};
    return make_room(map, &range) && insert(map, range);
}

bool map_add_range(struct map *map, uint8_t kind, uint64_t recorded, uint64_t here, uint64_t size)
{
    return map_add_owned(map, kind, recorded, here, size, (struct map_owner){0});
}

uint64_t map_find_owner(const struct map *map, uint8_t kind, uint64_t here, struct map_owner *owner)
{
    for (size_t i = 0; i < map->count; i++) {
        const struct range *r = &map->ranges[i];
        if (r->kind != kind || here < r->here || here - r->here >= r->size)
            continue;
        *owner = r->owner;
        return r->size - (here - r->here);
    }
    return 0;
}

uint64_t map_range(const struct map *map, uint8_t kind, uint64_t recorded)
{
    const size_t at = behind(map, kind, recorded);
    const struct range *r = at ? &map->ranges[at - 1] : NULL;
    /* The address behind the last byte also belongs to the range. */
    return r && r->kind == kind && recorded - r->recorded <= r->size
               ? r->here + (recorded - r->recorded)
               : recorded;
}
