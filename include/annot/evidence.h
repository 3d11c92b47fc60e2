/*
 * For layers that act as the driver: translation layers and API layers. Such a layer lets the GPU
 * write words that say how far the GPU came. A tracker knows which words belong to which recording
 * and which submissions are in flight, and makes the rows of the crash report. It calls no API; the
 * layer records the writes with its own API.
 *
 *     annot_tracker_create     once per device, with memory that the GPU writes and that survives
 *                              a lost device
 *     annot_tracker_record     behind annot_context_open: two words for this recording, `started`
 *                              and `completed`
 *     annot_driver's table     each marker comes with its EventID; the layer records writes:
 *                                  started   <- EventID   in front of the work, at Begin and Set
 *                                  completed <- EventID   behind the work, at Set and End
 *     the layer itself         started   <- ANNOT_WORD_ENTERED   where the recording begins
 *                              completed <- ANNOT_WORD_LEFT      where it ends
 *     annot_tracker_submit     in place of annot_context_submit
 *     annot_tracker_completed  in place of annot_context_completed
 *     annot_tracker_report     in the crash handler: rows for annot_dump_info.report
 *
 * Words have 8 bytes, or 4. A word of 4 bytes is the low half of an EventID;
 * annot_device_event_from_word finds the whole EventID. The macros below name two values that are
 * no EventID; 0 means "nothing yet".
 *
 * On a device without a driver's table the words never have EventIDs. Reports then say only which
 * execution the GPU is in, and nothing about the markers inside.
 *
 * The tracker relies on this:
 *
 *     - `started` is written before any of the work after it begins;
 *     - `completed` is written after all work and all writes of `started` before it are done;
 *     - the writes of each word come in the order in which they were recorded;
 *     - all writes of an execution come before its submission is completed.
 *
 * Otherwise a write may be late. Only desc.promises and annot_tracker_submit_apart decide the order
 * between executions. A layer that can't keep these rules for a recording must give it no words: it
 * must call annot_tracker_forget instead of annot_tracker_record.
 *
 * For Vulkan, annot/vulkan.h makes the writes, with words of 4 bytes. The addresses of the words
 * are recorded in the command buffer. So executions of one that is in flight twice are unknown,
 * unless annot_tracker_submit_apart distinguishes them. A native D3D12 driver best uses words of 8
 * bytes for each execution; its packets take their address from the submission.
 *
 * Threads: recordings of different lists, submissions to different queues and completions may run
 * at the same time. The words are read with plain loads and written by annot_tracker_submit before
 * the GPU sees the submission.
 */
#ifndef ANNOT_EVIDENCE_H
#define ANNOT_EVIDENCE_H

#include "annot.h"

ANNOT_BEGIN_DECLS

typedef struct annot_tracker annot_tracker;

/* in `started`: the GPU reached the recording, but no marker in it yet */
#define ANNOT_WORD_ENTERED 1u
/* in `completed`: all work of the recording is done */
#define ANNOT_WORD_LEFT 2u

typedef struct annot_tracker_desc {
    /* Mapped memory for the GPU's words, aligned to word_size. It belongs to the layer and must
     * outlive the tracker. Each recording, or each execution, takes two words. Without words its
     * state is unknown in dumps. */
    void *memory;
    uint64_t memory_size;  /* bytes */
    uint32_t word_size;    /* 4 or 8 */
    uint32_t order_window; /* annot_crash_report.order_window */
    /* the layer writes ANNOT_WORD_ENTERED where each recording begins. Without this write, a word
     * of 0 means unknown, never "not started" */
    bool writes_entered;
    /* the layer writes `completed` when the work before it is done. Without `completed`, reports
     * use only `started`, and call no execution in flight finished or in progress */
    bool writes_completed;
    uint32_t promises; /* annot_crash_report.promises, for all queues that the layer submits to */
} annot_tracker_desc;

/* Offsets in annot_tracker_desc.memory. */
typedef struct annot_words {
    uint64_t started,
        completed; /* offsets in bytes; ANNOT_WORDS_NONE: no words are left, so write nothing */
} annot_words;

#define ANNOT_WORDS_NONE UINT64_MAX

/* Makes a tracker. The device must outlive it. ANNOT_ERROR_INVALID_ARGUMENT: the word size is
 * neither 4 nor 8, or the memory is not aligned. */
ANNOT_INLINE annot_result annot_tracker_create(annot_device *device, const annot_tracker_desc *desc,
                                               annot_tracker **out);

/* Call annot_tracker_forget for every tracked list first. NULL is allowed. */
ANNOT_API void annot_tracker_destroy(annot_tracker *tracker);

/* Gets words for the recording that annot_context_open has begun on this list or bundle. The words
 * belong to the recording until the list's next recording or the next call for the list. They also
 * belong to it while it, or a recording that executes it, is in flight. Call it for lists in
 * RUNTIME_ONLY too; the result is then ANNOT_WORDS_NONE. */
ANNOT_API annot_words annot_tracker_record(annot_tracker *tracker, annot_context *list);

/* Notes that the list's recording needs no words any more; it keeps its words only while it is in
 * flight. Call it before you destroy a list that was recorded or executed bundles. */
ANNOT_API void annot_tracker_forget(annot_tracker *tracker, annot_context *list);

/* Calls annot_context_execute_bundle, and gives each execution of the bundle a row, in every mode
 * of the list. Bundles inside of the bundle have no rows. */
ANNOT_API void annot_tracker_execute_bundle(annot_tracker *tracker, annot_context *list,
                                            annot_context *bundle);

/*
 * Calls annot_context_submit; the executions are in flight from now on. If the layer can give a
 * submission its addresses, it passes `words`, an array of `count`: every execution then gets its
 * own words, and bundles keep the words of their recording. Without `words`, an execution uses the
 * words of its recording. The call clears these words, unless the recording is already in flight;
 * then two executions write the same words, and both are unknown.
 */
ANNOT_API uint64_t annot_tracker_submit(annot_tracker *tracker, annot_context *queue,
                                        annot_context *const *lists, uint32_t count,
                                        annot_words *words);

/*
 * The writes before one execution, as offsets in annot_tracker_desc.memory, or all
 * ANNOT_WORDS_NONE. When the GPU reaches the execution, it must make three writes in this order:
 *
 *     entered   <- ANNOT_WORD_ENTERED
 *     restarted <- 0
 *     entered   <- ANNOT_WORD_LEFT
 *
 * If the layer writes `completed`, three more writes follow when all work before them is done:
 *
 *     claimed   <- ANNOT_WORD_ENTERED
 *     cleared   <- 0
 *     claimed   <- ANNOT_WORD_LEFT
 *
 * Each must be visible before the next. If the GPU stops between any two of them, no execution has
 * another's words.
 */
typedef struct annot_prologue {
    uint64_t entered, restarted;
    uint64_t claimed, cleared;
} annot_prologue;

/*
 * Does what annot_tracker_submit does, for layers that can put a few writes before a list. The
 * writes distinguish several executions of one recording that are in flight on one queue. Fills in
 * `prologues`, an array of `count`; most prologues have nothing to write. The GPU must start the
 * lists of one queue, and write their words, in the order of submission. If one recording is in
 * flight on two queues, or a bundle is in flight twice, their executions are unknown.
 *
 * All prologues must be written. A layer that can't write one must withdraw the submission and make
 * it by annot_tracker_submit.
 */
ANNOT_API uint64_t annot_tracker_submit_apart(annot_tracker *tracker, annot_context *queue,
                                              annot_context *const *lists, uint32_t count,
                                              annot_prologue *prologues);

/*
 * Does the same as annot_tracker_submit or annot_tracker_submit_apart, with
 * annot_context_submit_each: the lists are in the layer's own structure, and `make`, which may be
 * NULL, makes the submission in the queue's own order. Pass `words` or `prologues` with `count`
 * elements, or neither. They are filled in before `make` is called; the tracker is not locked
 * during `make`. When `make` returns false, nothing is in flight, and the result is 0.
 */
ANNOT_API uint64_t annot_tracker_submit_each(annot_tracker *tracker, annot_context *queue,
                                             annot_list_function at, const void *lists,
                                             uint32_t count, annot_words *words,
                                             annot_prologue *prologues, annot_submit_function make,
                                             void *user);

/* Calls annot_context_withdraw, because the submission was not made; its executions are not in
 * flight any more. */
ANNOT_API annot_result annot_tracker_withdraw(annot_tracker *tracker, annot_context *queue,
                                              uint64_t serial);

/* Calls annot_context_completed; completed executions are not in flight any more. */
ANNOT_API void annot_tracker_completed(annot_tracker *tracker, annot_context *queue,
                                       uint64_t serial);

/* Fills in order_window, promises and one row per execution in flight, from the present words. The
 * tracker owns the rows; they are valid until its next call. For crash handlers: it allocates
 * nothing, and waits for a bounded time. False means that the tracker was locked; there are no rows
 * then. */
ANNOT_API bool annot_tracker_report(annot_tracker *tracker, annot_crash_report *report);

/* Copies the rows of annot_tracker_report into the caller's memory, because other threads may go on
 * submitting. It copies at most `capacity` rows, the oldest of each queue. *in_flight is the number
 * of executions in flight. For order_window and promises of the report, use those of
 * annot_tracker_desc. Allocates nothing, and waits for a bounded time. False means that the tracker
 * was locked, and *count and *in_flight are 0. */
ANNOT_API bool annot_tracker_copy_rows(annot_tracker *tracker, annot_progress *rows,
                                       uint32_t capacity, uint32_t *count, uint32_t *in_flight);

/* ---- what layers note ---- */

/* Kinds of operations that D3D12 lacks, for annot_operation.kind: a wait for events on the GPU, and
 * an unknown command, which may do work. */
#define ANNOT_KIND_WAIT    0x10000u
#define ANNOT_KIND_UNKNOWN 0x10001u

/* Bits of a barrier's second argument: the barrier is no transition, or it is one half of a split
 * barrier. */
#define ANNOT_BARRIER_UAV            ((int64_t)1 << 32)
#define ANNOT_BARRIER_ALIASED_BEFORE ((int64_t)1 << 33)
#define ANNOT_BARRIER_ALIASED_AFTER  ((int64_t)1 << 34)
#define ANNOT_BARRIER_BEGINS         ((int64_t)1 << 35)
#define ANNOT_BARRIER_ENDS           ((int64_t)1 << 36)

/* ---- the exported forms; each takes the sizes of its structs, so that structs can grow ---- */

ANNOT_API annot_result annot_tracker_create_sized(annot_device *device,
                                                  const annot_tracker_desc *desc, size_t desc_size,
                                                  annot_tracker **out);
ANNOT_INLINE annot_result annot_tracker_create(annot_device *device, const annot_tracker_desc *desc,
                                               annot_tracker **out)
{
    return annot_tracker_create_sized(device, desc, sizeof *desc, out);
}

ANNOT_END_DECLS

#endif
