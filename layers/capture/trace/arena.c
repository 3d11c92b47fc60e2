/* Memory for decoded calls. */
#include "codec.h"

#include "codec_bytes.h"

#include <stdlib.h>

struct codec_block {
    struct codec_block *next;
    size_t size, used;
};

struct codec_arena {
    struct codec_block *blocks;
    size_t taken, limit; /* limit 0: BYTES_MAX */
};

#define BLOCK_HEAD 32

struct codec_arena *codec_arena_create(void)
{
    return calloc(1, sizeof(struct codec_arena));
}

struct codec_arena *codec_arena_over(void *memory, size_t size)
{
    struct codec_arena *arena = memory;
    struct codec_block *block = (void *)((uint8_t *)memory + BLOCK_HEAD);
    *block = (struct codec_block){NULL, size - 2 * BLOCK_HEAD, 0};
    *arena = (struct codec_arena){.blocks = block};
    return arena;
}

void codec_arena_reset(struct codec_arena *arena)
{
    while (arena->blocks && arena->blocks->next) {
        struct codec_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    if (arena->blocks)
        arena->blocks->used = 0;
    arena->taken = 0;
}

void codec_arena_limit(struct codec_arena *arena, size_t size)
{
    arena->limit = size < BYTES_MAX ? size : BYTES_MAX;
}

void codec_arena_destroy(struct codec_arena *arena)
{
    if (!arena)
        return;
    codec_arena_reset(arena);
    free(arena->blocks);
    free(arena);
}

void *codec_arena_take(struct codec_arena *arena, size_t size)
{
    struct codec_block *block = arena->blocks;
    const size_t limit = arena->limit ? arena->limit : BYTES_MAX;
    if (size > limit || arena->taken > limit - size)
        return NULL;
    size = (size + 31) & ~(size_t)15; /* a pointer past the end still belongs to this block */
    if (!block || block->size - block->used < size) {
        const size_t capacity = size > 65536 ? size : 65536;
        block = malloc(BLOCK_HEAD + capacity);
        if (!block)
            return NULL;
        *block = (struct codec_block){arena->blocks, capacity, 0};
        arena->blocks = block;
    }
    void *taken = (uint8_t *)block + BLOCK_HEAD + block->used;
    block->used += size;
    arena->taken += size;
    return memset(taken, 0, size);
}
