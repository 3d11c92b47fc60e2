#include "hashed.h"

#include <stdlib.h>
#include <string.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct hashed_marker {
    uint64_t id;
    uint32_t metadata, size;
    UT_hash_handle hh;
    char payload[];
};

static void add(struct bench_hashed *it, uint32_t metadata, const void *data, uint32_t size)
{
    struct hashed_marker *marker = malloc(sizeof *marker + size);
    if (!marker)
        abort();
    marker->id = ++it->next_id;
    marker->metadata = metadata;
    marker->size = size;
    memcpy(marker->payload, data, size);
    HASH_ADD(hh, it->table, id, sizeof marker->id, marker);
    limit_call(&it->lane->limit, metadata, marker->payload, size);
}

void bench_hashed_clear(void *state)
{
    struct bench_hashed *it = state;
    struct hashed_marker *marker, *next;
    HASH_ITER(hh, it->table, marker, next)
    {
        HASH_DEL(it->table, marker);
        free(marker);
    }
}

void bench_hashed_run(void *state)
{
    struct bench_hashed *it = state;
    for (uint64_t i = it->count; i != 0; i--)
        add(it, 2, it->lane->payload, it->lane->size);
}

void bench_hashed_fill(void *state)
{
    bench_hashed_clear(state);
    bench_hashed_run(state);
}
