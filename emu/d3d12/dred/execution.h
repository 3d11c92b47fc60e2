/* Executions of command lists that the GPU may not have finished. Each execution has the log of the
 * list's recording, and breadcrumb words. Every list of a submission has one execution; the oldest
 * execution is first. */
#pragma once

#include "dred/log.h"
#include "dred/names.h"
#include "dred/words.h"

/* A command list in a submission. */
struct dred_source {
    ID3D12GraphicsCommandList *list;
    struct private_data *names;
    struct dred_log *log; /* NULL: memory ran out, so the log of the list's operations is missing */
};

/* The queue and the submission of several executions. */
struct dred_submission {
    ID3D12CommandQueue *queue;
    struct private_data *names;
    uint64_t queue_object; /* annot_object_id */
    uint64_t serial;
};

struct dred_execution {
    struct dred_execution *next, *prev;
    ID3D12CommandQueue
        *queue; /* the queue that the list was submitted to; its methods are never called */
    ID3D12GraphicsCommandList *list;
    uint64_t queue_object, serial;
    uint32_t index; /* the list's index in the submission */
    struct dred_names queue_names, list_names;
    struct dred_log *log; /* a reference */
    struct dred_run run;  /* breadcrumb words: word 0 is the list's, word n is its n-th bundle's */
};

/* Makes an execution, or returns NULL if memory runs out. The caller holds the lock of `words`. */
struct dred_execution *dred_execution_create(struct dred_words *words,
                                             const struct dred_submission *submission,
                                             const struct dred_source *source, uint32_t index);
void dred_execution_destroy(struct dred_words *words, struct dred_execution *execution);

/* Returns the last breadcrumb that the GPU wrote: the number of finished operations, plus 1 at its
 * end. DRED_NEVER_BEGUN: the GPU never reached this list or bundle. `word` 0 belongs to the list.
 */
static inline uint32_t dred_execution_word(const struct dred_execution *execution, uint32_t word)
{
    return atomic_load_explicit(&execution->run.words[word], memory_order_acquire);
}

/* Whether `crumb` is the breadcrumb at the end of a log with `count` operations. */
static inline bool dred_is_end(uint32_t crumb, uint32_t count)
{
    return crumb != DRED_NEVER_BEGUN && crumb > count;
}
