#include "mapped.h"

#include <stdlib.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct mapped {
    uint64_t number;
    uint8_t *memory;
    uint64_t size;
    UT_hash_handle hh;
};

static struct mapped *find(struct mapped *all, uint64_t number)
{
    struct mapped *m;
    HASH_FIND(hh, all, &number, sizeof number, m);
    return m;
}

bool mapped_add(struct mapped **all, uint64_t number, void *memory, uint64_t size)
{
    struct mapped *m = find(*all, number), *head = *all;
    if (!m) {
        m = calloc(1, sizeof *m);
        if (!m)
            return false;
        m->number = number;
        HASH_ADD(hh, head, number, sizeof m->number, m);
        *all = head;
    }
    m->memory = memory;
    m->size = size;
    return true;
}

void mapped_remove(struct mapped **all, uint64_t number)
{
    struct mapped *m = find(*all, number), *head = *all;
    if (!m)
        return;
    HASH_DEL(head, m);
    *all = head;
    free(m);
}

void mapped_remove_all(struct mapped **all)
{
    struct mapped *m, *next, *head = *all;
    HASH_ITER(hh, head, m, next)
    {
        HASH_DEL(head, m);
        free(m);
    }
    *all = head;
}

uint8_t *mapped_bytes(struct mapped *all, uint64_t number, uint64_t offset, uint64_t size)
{
    const struct mapped *m = find(all, number);
    return m && offset <= m->size && size <= m->size - offset ? m->memory + offset : NULL;
}
