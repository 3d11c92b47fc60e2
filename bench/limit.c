#include "limit.h"

#include "driver.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct limit_header {
    uint32_t metadata, size;
    struct limit_header *parent;
};

_Static_assert(sizeof(struct limit_header) == 8 + sizeof(void *), "a header without gaps");

void limit_init(struct limit_library *it, size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        abort();
    const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 *table = bench_driver_empty.annotation;
    *it = (struct limit_library){.memory = memory,
                                 .size = size,
                                 .begin = table->pfnCmdListBeginEvent,
                                 .end_event = table->pfnCmdListEndEvent,
                                 .next_id = 1};
    limit_rewind(it);
}

void limit_finish(struct limit_library *it)
{
    munmap(it->memory, it->size);
}

void limit_rewind(struct limit_library *it)
{
    it->cursor = it->memory;
    it->end = it->memory + it->size;
    it->open = NULL;
}

static inline void copy(char *to, const char *from, uint32_t size)
{
    uint32_t offset = 0;
    do {
        memcpy(to + offset, from + offset, 16);
        offset += 16;
        __asm__("" : "+r"(offset)); /* stays a loop: gcc would call memcpy instead */
    } while (offset < size);
}

static inline char *record(struct limit_library *it, uint32_t metadata, const void *data,
                           uint32_t size)
{
    size_t bytes = ((size_t)size + 31) & ~(size_t)15;
    if (__builtin_expect(bytes > (size_t)(it->end - it->cursor), 0))
        return NULL;
    struct limit_header *header = (struct limit_header *)(void *)it->cursor;
    it->cursor += bytes;
    header->metadata = metadata;
    header->size = size;
    header->parent = it->open;
    copy((char *)(header + 1), data, size);
    return (char *)header;
}

/* Placed as the library places its own: where a function begins in a cache line is worth a
 * cycle. */
#define PLACED __attribute__((hot, aligned(64)))

PLACED void limit_begin(struct limit_library *it, uint32_t metadata, const void *data,
                        uint32_t size)
{
    char *header = record(it, metadata, data, size);
    if (__builtin_expect(!header, 0))
        return;
    it->open = (struct limit_header *)(void *)header;
    it->begin(it->handle, metadata, header + sizeof(struct limit_header), size, it->next_id++);
}

PLACED void limit_set(struct limit_library *it, uint32_t metadata, const void *data, uint32_t size)
{
    char *header = record(it, metadata, data, size);
    if (__builtin_expect(!header, 0))
        return;
    it->begin(it->handle, metadata, header + sizeof(struct limit_header), size, it->next_id++);
}

PLACED void limit_end(struct limit_library *it)
{
    struct limit_header *scope = it->open;
    it->open = scope->parent;
    it->end_event(it->handle, (uintptr_t)scope);
}

PLACED void limit_call(struct limit_library *it, uint32_t metadata, const void *data, uint32_t size)
{
    it->begin(it->handle, metadata, data, size, 0);
}
