/* The memory that the GPU writes breadcrumbs into: 32-bit words that the runtime allocates and
 * reads, so no driver can lose or change them. Words of completed submissions are used again, a
 * chunk at a time. The caller holds a lock. */
#pragma once

#include "gpu/gpu.h"

#include <stdatomic.h>

#define DRED_NEVER_BEGUN 0xFFFFFFFFu

struct dred_words_chunk;

struct dred_words {
    emu_gpu *gpu;
    struct dred_words_chunk *chunks; /* the chunks; the first one is in use */
};

/* Some consecutive words, each DRED_NEVER_BEGUN at first. */
struct dred_run {
    struct dred_words_chunk *chunk;
    _Atomic uint32_t *words;
    uint64_t address; /* the first word's address for the GPU */
    uint32_t count;
};

void dred_words_init(struct dred_words *words, emu_gpu *gpu);
void dred_words_finish(struct dred_words *words); /* no engine runs */

/* Takes `count` free words that follow each other; false means out of memory. */
bool dred_words_take(struct dred_words *words, uint32_t count, struct dred_run *out);
void dred_words_give(struct dred_words *words, const struct dred_run *run);
