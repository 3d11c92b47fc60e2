/* The memory that the GPU writes breadcrumbs into, as 32-bit words. The runtime allocates and reads
 * the words, so no driver can lose or change them. Words in a chunk are used again when the
 * submissions that use the chunk are completed. The caller must hold a lock. */
#pragma once

#include "gpu/gpu.h"

#include <stdatomic.h>

#define DRED_NEVER_BEGUN 0xFFFFFFFFu

struct dred_words_chunk;

/* Words without chunks need only `gpu`. */
struct dred_words {
    emu_gpu *gpu;
    /* Chunks of words; free words are taken from the first chunk. */
    struct dred_words_chunk *chunks;
};

/* Consecutive breadcrumb words. The first value of each word is DRED_NEVER_BEGUN. */
struct dred_run {
    struct dred_words_chunk *chunk;
    _Atomic uint32_t *words;
    uint64_t address; /* GPU address of the run's first word */
    uint32_t count;
};

void dred_words_finish(struct dred_words *words); /* call this when no engine can run any more */

/* Takes `count` consecutive unused words. False means out of memory. */
bool dred_words_take(struct dred_words *words, uint32_t count, struct dred_run *out);
void dred_words_give(struct dred_words *words, const struct dred_run *run);
