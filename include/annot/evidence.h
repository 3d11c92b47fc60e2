/*
 * For layers that act as the driver: translation layers and API layers. Such a layer makes the GPU
 * write words, which are numbers in memory that say how far the GPU got. A tracker knows which
 * words belong to which recording, and which submissions are in flight; the tracker makes the rows
 * of the crash report. The tracker calls no graphics API: the layer records the writes of the
 * words.
 *
 *     annot_tracker_create     once per device, with memory that the GPU writes and that survives
 *                              a lost device
 *     annot_tracker_record     after annot_context_open: two words for this recording, `started`
 *                              and `completed`
 *     annot_driver's table     each marker comes with its EventID; the layer records writes:
 *                                  started   <- EventID   before the work, at Begin and Set
 *                                  completed <- EventID   after the work, at Set and End
 *     the layer itself         started   <- ANNOT_WORD_ENTERED   where the recording begins
 *                              completed <- ANNOT_WORD_LEFT      where it ends
 *     annot_tracker_submit     in place of annot_context_submit
 *     annot_tracker_completed  in place of annot_context_completed
 *     annot_tracker_report     in the crash handler: rows for annot_dump_info.report
 *
 * A word has 8 or 4 bytes. A word of 4 bytes is the low half of an EventID;
 * annot_device_event_from_word finds the whole EventID. ANNOT_WORD_ENTERED and ANNOT_WORD_LEFT are
 * values that are no EventID; 0 means "nothing yet".
 *
 * If a device has no driver's table, the words never have EventIDs. Reports then say only which
 * execution the GPU is in, and nothing about the markers of that execution.
 *
 * The tracker relies on these rules:
 *
 *     - `started` is written before any of the work after it begins;
 *     - `completed` is written after all work and all writes of `started` before it are done;
 *     - the writes of each word come in the order in which they were recorded;
 *     - all writes of an execution come before its submission is completed.
 *
 * Other writes may be late. Only annot_tracker_desc.promises and annot_tracker_submit_apart decide
 * the order between executions. A layer that can't keep these rules for a recording must give it no
 * words: it must call annot_tracker_forget instead of annot_tracker_record.
 *
 * For Vulkan, annot/vulkan.h makes the writes, with words of 4 bytes. The command buffer holds the
 * addresses of the words. So if one command buffer is in flight twice, the states of its executions
 * are unknown, unless annot_tracker_submit_apart distinguishes the executions. A native D3D12
 * driver can use words of 8 bytes for each execution; its packets take the words' addresses from
 * the submission.
 *
 * Recordings of different lists, submissions to different queues and completions may run on
 * different threads at the same time. annot_tracker_submit writes the words before the GPU sees the
 * submission. The tracker reads the words with plain loads.
 */
#ifndef ANNOT_EVIDENCE_H
#define ANNOT_EVIDENCE_H

#include "annot.h"

ANNOT_BEGIN_DECLS

typedef struct annot_tracker annot_tracker;

/* Value of the word `started`: the GPU has reached the recording, but no marker in it. */
#define ANNOT_WORD_ENTERED 1u
/* Value of the word `completed`: all work of the recording is done. */
#define ANNOT_WORD_LEFT 2u

typedef struct annot_tracker_desc {
    /* Mapped memory for the GPU's breadcrumb words, aligned to word_size. The layer owns the
     * memory, which must outlive the tracker. Each recording, or each execution, takes two words.
     * If an execution has no words, its state is unknown in dumps. */
    void *memory;
    uint64_t memory_size;  /* bytes */
    uint32_t word_size;    /* 4 or 8 */
    uint32_t order_window; /* annot_crash_report.order_window */
    /* True if the layer writes ANNOT_WORD_ENTERED at the begin of each recording. Without this
     * write, a word of 0 means unknown, never "not started". */
    bool writes_entered;
    /* True if the layer writes `completed` when the work before the write is done. Otherwise
     * reports use only `started`, and call no execution in flight finished or in progress. */
    bool writes_completed;
    uint32_t promises; /* annot_crash_report.promises, for all queues of the layer */
} annot_tracker_desc;

/* The two breadcrumb words of a recording or execution, as offsets in annot_tracker_desc.memory. */
typedef struct annot_words {
    /* Offsets in bytes. ANNOT_WORDS_NONE: no words are left, so the layer must write nothing. */
    uint64_t started, completed;
} annot_words;

#define ANNOT_WORDS_NONE UINT64_MAX

/* Makes a tracker. The device must outlive the tracker. ANNOT_ERROR_INVALID_ARGUMENT: word_size is
 * neither 4 nor 8, or the memory is not aligned. */
ANNOT_INLINE annot_result annot_tracker_create(annot_device *device, const annot_tracker_desc *desc,
                                               annot_tracker **out);

/* Frees the tracker. Call annot_tracker_forget for every tracked list first. NULL is allowed. */
ANNOT_API void annot_tracker_destroy(annot_tracker *tracker);

/* Returns breadcrumb words for the recording that annot_context_open has begun on `list`, a list or
 * bundle. The words belong to the recording until the list's next recording or the next call of
 * this function for the list. The words also belong to the recording while the recording, or a list
 * that executes it, is in flight. Call the function in RUNTIME_ONLY, too; the result is then
 * ANNOT_WORDS_NONE. */
ANNOT_API annot_words annot_tracker_record(annot_tracker *tracker, annot_context *list);

/* Tells the tracker that the list's recording needs its words only while the recording is in
 * flight. Call the function before you destroy a list that was recorded or executed bundles. */
ANNOT_API void annot_tracker_forget(annot_tracker *tracker, annot_context *list);

/* Calls annot_context_execute_bundle. The report then has a row for each execution of the bundle,
 * in every annotation mode. Bundles inside the bundle have no rows. */
ANNOT_API void annot_tracker_execute_bundle(annot_tracker *tracker, annot_context *list,
                                            annot_context *bundle);

/*
 * Calls annot_context_submit. The executions of the lists are then in flight. A layer that can give
 * each submission its own addresses passes `words`, an array of `count`. Every execution then gets
 * words of its own, while bundles keep the words of their recording. If `words` is NULL, an
 * execution uses the words of its recording. The call clears these words, unless the recording is
 * already in flight; then two executions write the same words, and both states are unknown.
 */
ANNOT_API uint64_t annot_tracker_submit(annot_tracker *tracker, annot_context *queue,
                                        annot_context *const *lists, uint32_t count,
                                        annot_words *words);

/*
 * The writes before one execution. The members are offsets in annot_tracker_desc.memory, or all are
 * ANNOT_WORDS_NONE. When the GPU reaches the execution, the GPU must make three writes in this
 * order:
 *
 *     entered   <- ANNOT_WORD_ENTERED
 *     restarted <- 0
 *     entered   <- ANNOT_WORD_LEFT
 *
 * If the layer writes `completed`, the GPU must make three more writes when all earlier work is
 * done:
 *
 *     claimed   <- ANNOT_WORD_ENTERED
 *     cleared   <- 0
 *     claimed   <- ANNOT_WORD_LEFT
 *
 * Each write must be visible before the next write. Even if the GPU stops between two of the
 * writes, no execution is shown with the words of another.
 */
typedef struct annot_prologue {
    uint64_t entered, restarted;
    uint64_t claimed, cleared;
} annot_prologue;

/*
 * Does the same as annot_tracker_submit, for layers that can put a few writes before a list. The
 * writes distinguish several executions of one recording that are in flight on one queue. The call
 * fills in `prologues`, an array of `count`; most prologues have nothing to write. The GPU must
 * start the lists of one queue, and write their words, in the order of submission. If one recording
 * is in flight on two queues, or a bundle is in flight twice, the states of these executions are
 * unknown.
 *
 * The layer must write all prologues. If it can't, it must withdraw the submission and call
 * annot_tracker_submit instead.
 */
ANNOT_API uint64_t annot_tracker_submit_apart(annot_tracker *tracker, annot_context *queue,
                                              annot_context *const *lists, uint32_t count,
                                              annot_prologue *prologues);

/*
 * Does the same as annot_tracker_submit or annot_tracker_submit_apart, but calls
 * annot_context_submit_each: the lists are in the layer's own structure, and `make` makes the
 * submission in the queue's order. `make` may be NULL. Pass `words` or `prologues` with `count`
 * elements, or NULL for both. The call fills in the array before it calls `make`. The tracker is
 * not locked during `make`. If `make` returns false, nothing is in flight, and the result is 0.
 */
ANNOT_API uint64_t annot_tracker_submit_each(annot_tracker *tracker, annot_context *queue,
                                             annot_list_function at, const void *lists,
                                             uint32_t count, annot_words *words,
                                             annot_prologue *prologues, annot_submit_function make,
                                             void *user);

/* Calls annot_context_withdraw. The submission, which the GPU never got, is no longer in flight. */
ANNOT_API annot_result annot_tracker_withdraw(annot_tracker *tracker, annot_context *queue,
                                              uint64_t serial);

/* Calls annot_context_completed. Completed executions are then no longer in flight. */
ANNOT_API void annot_tracker_completed(annot_tracker *tracker, annot_context *queue,
                                       uint64_t serial);

/* Fills in `report` from the breadcrumb words that the GPU has written: order_window, promises and
 * one row for each execution in flight. The tracker owns the rows, which are valid until the
 * tracker's next call. Crash handlers may call this function: it allocates nothing and waits for a
 * bounded time. The result is false if the tracker was locked; the report then has no rows. */
ANNOT_API bool annot_tracker_report(annot_tracker *tracker, annot_crash_report *report);

/* Copies the rows of annot_tracker_report into the caller's memory, so that other threads may go on
 * submitting. The call copies at most `capacity` rows, the oldest rows of each queue; finished
 * executions give way to others. *in_flight is
 * the number of executions in flight. The report's order_window and promises are the members of
 * annot_tracker_desc. The call allocates nothing and waits for a bounded time. The result is false
 * if the tracker was locked; *count and *in_flight are then 0. */
ANNOT_API bool annot_tracker_copy_rows(annot_tracker *tracker, annot_progress *rows,
                                       uint32_t capacity, uint32_t *count, uint32_t *in_flight);

/* ---- what layers note ---- */

/* Values of annot_operation.kind that D3D12 lacks: a wait for events on the GPU, and an unknown
 * command, which may do work. */
#define ANNOT_KIND_WAIT    0x10000u
#define ANNOT_KIND_UNKNOWN 0x10001u

/* Bits of a barrier's second argument. They mark a UAV barrier, the resource before or after in an
 * aliasing barrier, or one half of a split barrier. */
#define ANNOT_BARRIER_UAV            ((int64_t)1 << 32)
#define ANNOT_BARRIER_ALIASED_BEFORE ((int64_t)1 << 33)
#define ANNOT_BARRIER_ALIASED_AFTER  ((int64_t)1 << 34)
#define ANNOT_BARRIER_BEGINS         ((int64_t)1 << 35)
#define ANNOT_BARRIER_ENDS           ((int64_t)1 << 36)

/* ---- exported functions; each takes the sizes of its structs, so that structs can grow ---- */

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
