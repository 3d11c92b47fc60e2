/* Executions of command lists that the GPU may not have finished. Each execution has the log of the
 * list's recording, and breadcrumb words. Every list of a submission has one execution. The oldest
 * execution is the first. */
#pragma once

#include "dred/log.h"
#include "dred/names.h"
#include "dred/words.h"

/* A command list of a submission, with its names and its log. */
struct dred_source {
    ID3D12GraphicsCommandList *list;
    struct private_data *names;
    struct dred_log *log; /* the log of the list's operations; NULL: memory ran out */
};

/* The queue and the submission that several executions belong to. */
struct dred_submission {
    ID3D12CommandQueue *queue;
    struct private_data *names;
    uint64_t queue_object; /* annot_object_id */
    uint64_t serial;
};

struct dred_execution {
    struct dred_execution *next, *prev;
    /* The queue that got the list; only its address is used, no method is called. */
    ID3D12CommandQueue *queue;
    ID3D12GraphicsCommandList *list;
    uint64_t queue_object, serial;
    uint32_t index; /* the list's index in the submission */
    struct dred_names queue_names, list_names;
    struct dred_log *log; /* a reference */
    /* Breadcrumb words: word 0 belongs to the list, word n to the list's n-th bundle. */
    struct dred_run run;
};

/* Makes an execution; NULL: out of memory. The caller must hold the lock of `words`. */
struct dred_execution *dred_execution_create(struct dred_words *words,
                                             const struct dred_submission *submission,
                                             const struct dred_source *source, uint32_t index);
void dred_execution_destroy(struct dred_words *words, struct dred_execution *execution);

/* Returns the last breadcrumb that the GPU wrote into `word`: the number of finished operations,
 * plus 1 when the list or bundle has ended. DRED_NEVER_BEGUN: the GPU never reached the list or
 * bundle. Word 0 belongs to the list. */
static inline uint32_t dred_execution_word(const struct dred_execution *execution, uint32_t word)
{
    return atomic_load_explicit(&execution->run.words[word], memory_order_acquire);
}

/* Returns whether `crumb` is the breadcrumb at the end of a log that has `count` operations. */
static inline bool dred_is_end(uint32_t crumb, uint32_t count)
{
    return crumb != DRED_NEVER_BEGUN && crumb > count;
}
