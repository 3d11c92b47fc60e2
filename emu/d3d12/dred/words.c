#include "dred/words.h"

#include <stdlib.h>
#include <utlist.h>

#define CHUNK_WORDS 16384u /* 64 KiB */

struct dred_words_chunk {
    struct dred_words_chunk *next, *prev;
    emu_gpu_memory memory;
    uint32_t capacity, used; /* both count words */
    uint32_t runs;           /* number of runs that were taken and not given back */
};

static void free_chunk(struct dred_words *words, struct dred_words_chunk *chunk)
{
    DL_DELETE(words->chunks, chunk);
    emu_gpu_free(words->gpu, chunk->memory.address);
    free(chunk);
}

void dred_words_finish(struct dred_words *words)
{
    while (words->chunks)
        free_chunk(words, words->chunks);
}

static struct dred_words_chunk *add_chunk(struct dred_words *words, uint32_t capacity)
{
    struct dred_words_chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk)
        return NULL;
    if (!emu_gpu_allocate(words->gpu, (uint64_t)capacity * sizeof(uint32_t), 0, &chunk->memory)) {
        free(chunk);
        return NULL;
    }
    chunk->capacity = capacity;
    DL_PREPEND(words->chunks, chunk);
    return chunk;
}

bool dred_words_take(struct dred_words *words, uint32_t count, struct dred_run *out)
{
    struct dred_words_chunk *chunk = words->chunks;
    if (chunk && chunk->runs == 0)
        chunk->used = 0;
    if (!chunk || count > chunk->capacity - chunk->used)
        chunk = add_chunk(words, count < CHUNK_WORDS ? CHUNK_WORDS : count);
    if (!chunk)
        return false;
    *out =
        (struct dred_run){chunk, (_Atomic uint32_t *)chunk->memory.cpu + chunk->used,
                          chunk->memory.address + (uint64_t)chunk->used * sizeof(uint32_t), count};
    for (uint32_t i = 0; i < count; i++)
        atomic_store_explicit(&out->words[i], DRED_NEVER_BEGUN, memory_order_relaxed);
    chunk->used += count;
    chunk->runs++;
    return true;
}

void dred_words_give(struct dred_words *words, const struct dred_run *run)
{
    if (--run->chunk->runs == 0 && run->chunk != words->chunks)
        free_chunk(words, run->chunk);
}
