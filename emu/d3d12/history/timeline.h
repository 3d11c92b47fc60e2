/* The times of an application's calls, for time lines [ANN-HIST, ANN-SUBM]. For each submission,
 * the history has the time of ExecuteCommandLists, the time stamps of its operations, and the log
 * of its recordings, which names the operations.
 *
 *     submitted -> pending -> the kernel has its time stamps -> done
 *
 * If the history exceeds HISTORY_BYTES, it forgets the oldest submissions.
 *
 * After a removal, this data never changes. */
#pragma once

#include "dred/log.h"

#include "kmd/kmd.h"

#include <pthread.h>

/* Limit of the bytes that all finished submissions have together. */
#define HISTORY_BYTES (1u << 20)

/* A command list of a submission, with its identity and breadcrumb log. */
struct history_source {
    uint64_t object;      /* annot_object_id of the list; in marker logs, hRTCommandListHandle */
    struct dred_log *log; /* breadcrumb log of the list's operations; NULL: not known */
};

struct history_list {
    struct history_source source; /* one list of the submission, and a reference to its log */
    uint32_t count;
    annot_stamp *stamps;
};

struct history_submission {
    struct history_submission *next, *prev;
    const void *queue; /* the queue's address, only for comparisons */
    annot_submitted row;
    size_t bytes;
    uint32_t list_count;
    struct history_list *lists;
    uint32_t stamp_capacity;
    annot_stamp *stamps; /* the time stamps of all operations in `lists` */
};

struct history {
    bool on;
    pthread_mutex_t lock; /* guards the members below; a submission holds this lock, so that
                             `pending` has the submissions' order */
    struct history_submission *pending, *done; /* submissions in flight, and done; oldest first */
    size_t bytes;                              /* size of all finished submissions in bytes */
    uint64_t forgotten; /* number of submissions that were dropped for lack of memory or room */
    bool frozen;
    /* Memory for rows about submissions in the dump, allocated before the removal. */
    annot_submitted *submitted;
    annot_history *rows;
    size_t submission_count, list_count;
    size_t submission_capacity, list_capacity;
    /* How many elements the two arrays of rows have; set when the device is removed. */
    size_t submitted_count, row_count;
    annot_clock_pair *clocks;
    size_t clock_count;
};

/* Makes a history. If `on` is false, the history stays empty. Returns false if memory runs out; the
 * caller must finish the history then, too. */
bool history_init(struct history *history, bool on);
void history_finish(struct history *history); /* call this when no engine can run any more */

/* Adds the queue's submission `serial` with `command`, the driver's argument. The caller holds the
 * lock. Returns NULL if memory runs out. */
struct history_submission *history_add(struct history *history, const void *queue,
                                       uint64_t queue_object, uint64_t serial,
                                       const D3DDDICB_SUBMITCOMMAND *command,
                                       const struct history_source *sources, uint32_t count);
/* Removes a submission that the driver or the kernel refused. The caller must hold the lock. */
void history_cancel(struct history *history, struct history_submission *submission);

/* Adds what emu_kmd_desc.history reports of a queue. Allocates nothing. */
void history_take(struct history *history, const void *queue, uint64_t serial,
                  const struct emu_kmd_history *taken);

/* Notes that the queue has finished all submissions up to `serial`. Finished work gets no further
 * time stamps. Any thread may call this function. */
void history_retire(struct history *history, const void *queue, uint64_t serial);

/* Ends the history. Called when every engine has stopped and the kernel has reported all unfinished
 * work. Allocates nothing. */
void history_freeze(struct history *history, struct emu_kmd *kmd);
