/* The times of an application's calls, for timelines [ANN-HIST, ANN-SUBM]. The history has, for
 * each submission, the time of ExecuteCommandLists, the time stamps of its operations, and the log
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

#define HISTORY_BYTES (1u << 20) /* limit of the bytes of all finished submissions */

/* A command list in a submission. */
struct history_source {
    uint64_t
        object; /* the list's annot_object_id, which is hRTCommandListHandle in the kernel's log */
    struct dred_log *log; /* the log of the list's operations; NULL: the operations are not known */
};

struct history_list {
    struct history_source source; /* a list of the submission, with a reference to the list's log */
    uint32_t count;
    annot_stamp *stamps;
};

struct history_submission {
    struct history_submission *next, *prev;
    const void *queue; /* the queue's address, which is only compared and never followed */
    annot_submitted row;
    size_t bytes;
    uint32_t list_count;
    struct history_list *lists;
    uint32_t stamp_capacity;
    annot_stamp *stamps; /* the time stamps of all `lists` */
};

struct history {
    bool on;
    pthread_mutex_t lock; /* guards the members below; submissions are made under this lock, in
                             `pending`'s order */
    struct history_submission *pending,
        *done;          /* lists of submissions, in which the oldest submission is first */
    size_t bytes;       /* bytes of the finished submissions */
    uint64_t forgotten; /* number of submissions that were dropped for lack of memory or room */
    bool frozen;
    /* The rows for the dump, allocated before the removal. */
    annot_submitted *submitted;
    annot_history *rows;
    size_t submission_count, list_count;
    size_t submission_capacity, list_capacity;
    size_t submitted_count, row_count; /* numbers that the device's removal sets */
    annot_clock_pair *clocks;
    size_t clock_count;
};

/* Makes a history. If `on` is false, the history stays empty. False: out of memory. */
bool history_init(struct history *history, bool on);
void history_finish(struct history *history); /* no engine may run now */

/* Adds submission `serial` of the queue, with the `command` that the driver passed. The caller
 * holds the lock. Returns NULL if memory runs out. */
struct history_submission *history_add(struct history *history, const void *queue,
                                       uint64_t queue_object, uint64_t serial,
                                       const D3DDDICB_SUBMITCOMMAND *command,
                                       const struct history_source *sources, uint32_t count);
/* Removes a submission that was refused. The caller holds the lock. */
void history_cancel(struct history *history, struct history_submission *submission);

/* Takes the history data of a queue from emu_kmd_desc.history. Allocates nothing. */
void history_take(struct history *history, const void *queue, uint64_t serial,
                  const struct emu_kmd_history *taken);

/* Notes that the queue has finished everything up to submission `serial`. Finished work gets no
 * time stamps later. Any thread may call it. */
void history_retire(struct history *history, const void *queue, uint64_t serial);

/* Called after every engine has stopped and the kernel has reported all unfinished work. Allocates
 * nothing. */
void history_freeze(struct history *history, struct emu_kmd *kmd);
