#include "map.h"

#include <stdlib.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

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
};

#define OBJECTS 255u /* the kind that objects have among the others */

struct map {
    struct one *ones;
    struct range *ranges; /* the newest last */
    size_t count, capacity;
};

struct map *map_create(void)
{
    return calloc(1, sizeof(struct map));
}

void map_destroy(struct map *map)
{
    struct one *one, *next;
    if (!map)
        return;
    HASH_ITER(hh, map->ones, one, next)
    {
        HASH_DEL(map->ones, one);
        free(one);
    }
    free(map->ranges);
    free(map);
}

bool map_add_value(struct map *map, uint8_t kind, uint64_t recorded, uint64_t here)
{
    const struct key key = {kind, recorded};
    struct one *one;
    HASH_FIND(hh, map->ones, &key, sizeof key, one);
    if (!one) {
        one = calloc(1, sizeof *one);
        if (!one)
            return false;
        one->key = key;
        HASH_ADD(hh, map->ones, key, sizeof one->key, one);
    }
    one->here = here;
    return true;
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

bool map_add_object(struct map *map, uint64_t number, void *pointer)
{
    return map_add_value(map, OBJECTS, number, (uint64_t)(uintptr_t)pointer);
}

void *map_object(const struct map *map, uint64_t number)
{
    uint64_t here = 0;
    map_value(map, OBJECTS, number, &here);
    return (void *)(uintptr_t)here;
}

bool map_add_range(struct map *map, uint8_t kind, uint64_t recorded, uint64_t here, uint64_t size)
{
    for (size_t i = 0; i < map->count; i++) { /* the same again: it may lead elsewhere now */
        struct range *r = &map->ranges[i];
        if (r->kind == kind && r->recorded == recorded) {
            *r = map->ranges[--map->count];
            break;
        }
    }
    if (map->count == map->capacity) {
        const size_t capacity = map->capacity ? map->capacity * 2 : 64;
        struct range *grown = realloc(map->ranges, capacity * sizeof *grown);
        if (!grown)
            return false;
        map->ranges = grown;
        map->capacity = capacity;
    }
    map->ranges[map->count++] = (struct range){kind, recorded, here, size};
    return true;
}

uint64_t map_range(const struct map *map, uint8_t kind, uint64_t recorded)
{
    for (size_t i = map->count; i-- > 0;) {
        const struct range *r = &map->ranges[i];
        if (r->kind == kind && recorded >= r->recorded && recorded - r->recorded <= r->size)
            return r->here + (recorded - r->recorded);
    }
    return recorded;
}
