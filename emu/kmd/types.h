/* The kernel's state. One lock guards the whole state. Engines and callbacks run without the lock;
 * `active` counts both, so that a removal can wait until none of them runs.
 *
 * A queue has a FIFO of items, an engine, and a turn. At most one thread takes the turn at a time:
 * the queue's worker, or with EMU_ORDER_SEEDED the thread that takes the step. */
#pragma once

#include "kmd/blob.h"
#include "kmd/kmd.h"

#include "gpu/engine.h"

#include <pthread.h>
#include <stdatomic.h>

enum emu_kmd_item_kind {
    EMU_KMD_ITEM_SUBMIT,
    EMU_KMD_ITEM_SIGNAL,
    EMU_KMD_ITEM_WAIT,
    EMU_KMD_ITEM_TILES
};

struct emu_kmd_item {
    enum emu_kmd_item_kind kind;
    struct emu_kmd_fence *fence; /* for SIGNAL and WAIT items: a reference to the fence */
    bool seen;        /* WAIT items: whether the fence has had the value since the wait */
    uint64_t value;   /* for SIGNAL and WAIT items, the fence's value; for SUBMIT, the tag */
    uint64_t since;   /* for WAIT items: when the wait was queued, in ns */
    uint64_t address; /* SUBMIT */
    uint64_t size;    /* for SUBMIT items, bytes; for TILES items, number of updates */
    struct emu_gpu_tiles *tiles; /* for TILES items: a copy of the updates */
    struct emu_kmd_log *log;     /* for SUBMIT items: the marker log, or NULL */
};

/* A copy of a driver's marker log, in one block of memory. The driver can't change the copy. */
struct emu_kmd_log {
    uint32_t sequence;
    enum emu_kmd_log_problem problem;
    bool null_rendering;
    uint64_t history; /* GPU address of the history buffer; 0: no buffer */
    uint64_t base;    /* time of the GPU's clock at the submission, or a little earlier */
    uint32_t count, list_count;
    struct emu_kmd_log_list *lists;
    uint64_t *numbers;
    uint64_t *stamps; /* time stamps of the command buffer's begin and end, then of each call */
};

/* The adapter that a kernel-mode driver passes as a handle to the kernel's functions. */
struct emu_kernel_adapter {
    struct emu_kmd *kmd;
};

struct emu_kmd_queue {
    struct emu_kmd *kmd;
    struct emu_kmd_queue *next; /* the queue created after this one, or NULL */
    void *user;
    uint64_t object;            /* its identity; 0: none */
    uint32_t index;             /* the queue's number in the kernel, from 0 */
    struct emu_kmd_item *items; /* ring */
    size_t first;
    size_t count;
    size_t capacity;
    struct emu_engine engine;     /* used without the lock, by the one thread that runs the queue */
    bool busy;                    /* whether the engine runs a submission */
    bool spinning;                /* whether the work makes no progress, since `spin_since` */
    uint64_t spin_since;          /* the clock in ns */
    uint64_t work_at, work_since; /* the oldest operation in flight, and its begin in ns; 0: none */
    uint64_t tag;                 /* tag of the submission that the engine runs */
    struct emu_kmd_log *log;      /* marker log of the running submission; NULL: none */
    uint64_t address;             /* GPU address of the command buffer that the engine runs, or 0 */
    /* tag of the last completed submission, and of the last added one */
    uint64_t completed_tag, submitted_tag;
    uint32_t node;
    void *context;        /* the user-mode driver's handle for the queue's context */
    void *kernel_context; /* the kernel-mode driver's handle for the queue's context */
    bool goes_on;         /* whether the queue can make progress; only used by find_going */
    bool quit;            /* the worker must end */
    pthread_cond_t wake;  /* signaled for new items, a reached fence or a stop */
    pthread_t worker;     /* !seeded */
    bool has_worker;
};

struct emu_kmd_pending;

/* A wait for one fence's value, by a notification or a thread. */
struct emu_kmd_waiter {
    struct emu_kmd_waiter *prev, *next; /* previous and next waiter of the fence */
    struct emu_kmd_fence *fence;        /* NULL: nothing */
    uint64_t value, since;              /* the awaited value, and when the wait began, in ns */
    struct emu_kmd_pending *pending;
};

struct emu_kmd_pending {
    struct emu_kmd_pending *next; /* next of the notifications that must still be sent */
    void (*reached)(void *user);  /* NULL: a thread waits, and frees this struct later */
    void *user;
    /* How many fences the wait has, and how many have not reached their values. */
    size_t count, missing;
    struct emu_kmd_waiter waiters[];
};

struct emu_kmd_fence {
    struct emu_kmd *kmd;
    struct emu_kmd_fence *next;
    struct emu_kmd_fence *previous;
    uint32_t refs;  /* number of references: one of the creator, one of each queue item */
    bool abandoned; /* the fence has lost its creator, so only queues will signal it */
    uint64_t object;
    uint64_t value;
    uint32_t flags; /* annot_wait_flags */
    /* The highest value that a queue was told to signal, and that queue's identity. */
    uint64_t given, giver;
    struct emu_kmd_waiter *waiters;
};

struct emu_kmd {
    struct emu_kmd_desc desc;
    pthread_mutex_t lock;
    /* The mutex that a thread holds for a whole step of EMU_ORDER_SEEDED's scheduler. */
    pthread_mutex_t step_lock;
    pthread_cond_t idle_cond; /* signaled when `active` changes, or when a queue becomes idle */
    pthread_cond_t stored;    /* signaled when any fence gets a new value */
    struct emu_kmd_queue *queues;
    struct emu_kmd_fence *fences;
    uint32_t queue_serial;
    uint32_t active;
    bool failing;     /* whether a removal has begun; no new work starts then */
    bool removed;     /* whether a removal is complete; fences then have the value UINT64_MAX */
    atomic_bool stop; /* makes running engines stop, because of an error or the kernel's end */
    uint64_t clock;   /* the virtual time of EMU_ORDER_SEEDED, in ns */
    uint64_t random;  /* state of EMU_ORDER_SEEDED's random numbers */
    struct emu_kmd_blob *blob; /* memory for a blob with at most blob_queues queues */
    size_t blob_queues;
    emu_kernel_adapter adapter;
    const emu_kernel_driver *driver;
    void *driver_adapter;
    uint32_t precision;               /* PrecisionBits */
    uint32_t last_sequence;           /* the last RenderCBSequence; 0: no submission has one yet */
    struct emu_kmd_clock_pair *pairs; /* a ring: pair n is element n % EMU_KMD_CLOCK_PAIRS. NULL if
                                         the marker mode is NONE */
    uint64_t pair_count;
    bool clock_is_bad;
    unsigned char *debug_buffer; /* buffer for the driver, with a canary at each end */
    uint32_t debug_size;
    unsigned char *payload; /* buffer of ANNOT_TDR_PAYLOAD_MAX bytes for the driver's payload */
    struct emu_kmd_tdr tdr;
};

/* 36 years in ns; a longer time would overflow the clock. */
#define EMU_KMD_TIMEOUT_LIMIT_NS ((uint64_t)1 << 60)

/* Call the following functions with the lock held, unless a comment says otherwise. The files are
 * in order: each file calls only functions of files before it. clock.c is the first file;
 * instance.c and wait.c are the last files. */

/* The functions of callback.c are called without the lock. */
/* Notes that this thread runs a callback, in which a wait would wait for itself. */
void emu__kmd_enter_callback(void);
void emu__kmd_leave_callback(void);
bool emu__kmd_in_callback(void);

/* fence.c */
bool emu__kmd_fence_is_reached(const struct emu_kmd_fence *fence, uint64_t value);
void emu__kmd_fence_retain(struct emu_kmd_fence *fence);
void emu__kmd_fence_release(struct emu_kmd_fence *fence);

/* fifo.c */
struct emu_kmd_item *emu__kmd_queue_head(struct emu_kmd_queue *queue); /* NULL: no items */
/* Removes the queue's first item, and drops the item's reference to a fence. */
void emu__kmd_queue_pop(struct emu_kmd_queue *queue);
/* Marks the queue's waits whose value the fence has reached. A marked wait is over even if the
 * fence's value goes back. Call it whenever a wait is queued or the fence's value changes. */
void emu__kmd_queue_see(struct emu_kmd_queue *queue, const struct emu_kmd_fence *fence);
/* Checks whether the queue's first item waits for an abandoned fence. Call this function whenever
 * the first item changes, or a fence is abandoned. */
void emu__kmd_queue_look(struct emu_kmd_queue *queue);
/* Stores the waits of queues, then the waits of the CPU. Returns the number of stored waits. */
size_t emu__kmd_waits(struct emu_kmd *kmd, annot_wait *out, size_t capacity);
/* Ends the waits of queues for abandoned fences that no queue will signal any more. */
void emu__kmd_queues_free(struct emu_kmd *kmd);
bool emu__kmd_queue_can_run(struct emu_kmd_queue *queue);

/* signal.c */
/* Sets the fence's value, and wakes the queues and threads that wait for it. Adds notifications to
 * the list `due`; emu__kmd_tell sends them. */
void emu__kmd_fence_store(struct emu_kmd_fence *fence, uint64_t value,
                          struct emu_kmd_pending **due);
/* Removes a wait from the fences that have not yet reached the awaited value. */
void emu__kmd_withdraw(struct emu_kmd_pending *pending);
/* Calls and then frees the notifications in `due`, without the lock. */
void emu__kmd_tell(struct emu_kmd *kmd, struct emu_kmd_pending *due);
/* Performs the signal that is the queue's first item. A removal waits until this call has ended. */
void emu__kmd_signal(struct emu_kmd_queue *queue);

/* blob_write.c */
bool emu__kmd_blob_reserve(struct emu_kmd *kmd, size_t queues);
/* Writes all queues into the blob, and returns its size. `culprit` NULL: no queue is guilty. */
size_t emu__kmd_blob_fill(struct emu_kmd *kmd, const struct emu_kmd_queue *culprit,
                          enum emu_kmd_error error);

/* marker_log.c */
/* Copies the marker log of `command`. Returns NULL if there is no log, or memory ran out. */
struct emu_kmd_log *emu__kmd_log_create(struct emu_kmd_queue *queue,
                                        const struct emu_kmd_item *item,
                                        const D3DDDICB_SUBMITCOMMAND *command,
                                        const uint64_t *lists, uint32_t list_count);

/* history.c */
bool emu__kmd_history_init(struct emu_kmd *kmd); /* asks for the time stamps' precision, without the
                                                    lock; false: out of memory */
/* Reads both clocks. If `always` is false and the last reading is new enough, does nothing. */
void emu__kmd_calibrate(struct emu_kmd *kmd, bool always);
struct emu_kmd_clock_pair emu__kmd_last_pair(const struct emu_kmd *kmd); /* zeros: no pair */
/* Has the driver format a submission's history buffer, and reports it. Called without the lock. */
void emu__kmd_history_take(struct emu_kmd_queue *queue, uint64_t tag, struct emu_kmd_log *log);

/* The functions of debug_info.c are called after engines have stopped, without the lock. */
bool emu__kmd_debug_init(struct emu_kmd *kmd); /* false: out of memory */
void emu__kmd_debug_finish(struct emu_kmd *kmd);
/* Asks the kernel-mode driver to reset, and for data. NULL: this error needs no answers. */
const struct emu_kmd_tdr *emu__kmd_debug_collect(struct emu_kmd *kmd, struct emu_kmd_queue *culprit,
                                                 enum emu_kmd_error error);

/* tdr.c */
/* Stops every engine, calls the runtime, and removes the device. Later calls do nothing. If no
 * queue is guilty, `culprit` is NULL. Releases the lock during the call. */
void emu__kmd_fail(struct emu_kmd *kmd, struct emu_kmd_queue *culprit, enum emu_kmd_error error);
/* Waits, with the lock held, until another thread's removal has ended. The removal reads all queues
 * without the lock. */
void emu__kmd_await_removal(struct emu_kmd *kmd);
/* If the queue has made no progress for too long, fails the device and returns true. Releases the
 * lock while the device fails. */
bool emu__kmd_check_timeout(struct emu_kmd_queue *queue);

/* scheduler.c */
void *emu__kmd_worker(void *queue);

/* queue.c */
/* Stops the queue's worker in the middle of its work, drops all other work, and frees the queue.
 * Called without the lock. */
void emu__kmd_queue_abandon(struct emu_kmd_queue *queue);

/* Functions of clock.c, which need no lock. */
uint64_t emu__kmd_now(const struct emu_kmd *kmd);
bool emu__kmd_cond_init(pthread_cond_t *cond);
/* Waits until `cond` is signaled, or until the real clock is at `deadline`. */
void emu__kmd_cond_wait_until(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t deadline);
uint64_t emu__kmd_random(uint64_t *state); /* splitmix64 */
