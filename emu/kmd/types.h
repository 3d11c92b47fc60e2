/* The kernel's state. One lock guards the whole state. Engines and callbacks run without the lock,
 * and `active` counts both, so that a removal can wait until none is running.
 *
 * A queue has a FIFO of items, an engine, and a turn. At most one thread takes the turn at a time:
 * the queue's worker, or in the seeded order the thread that takes the step. */
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
    struct emu_kmd_fence *fence; /* for a SIGNAL or WAIT, a reference to the fence */
    bool seen;        /* for a WAIT, whether the fence has had the value since the call */
    uint64_t value;   /* the value of the fence; for a SUBMIT, the submission's tag */
    uint64_t since;   /* for a WAIT, the time of the call in ns */
    uint64_t address; /* SUBMIT */
    uint64_t size;    /* for a SUBMIT, the size in bytes; for TILES, the number of updates */
    struct emu_gpu_tiles *tiles; /* for TILES, a copy of the updates */
    struct emu_kmd_log *log;     /* for a SUBMIT, the marker log or NULL */
};

/* A copy of a marker log, in one block of memory. Later changes by the driver have no effect. */
struct emu_kmd_log {
    uint32_t sequence;
    enum emu_kmd_log_problem problem;
    bool null_rendering;
    uint64_t history; /* GPU address of the history buffer; 0: there is no buffer */
    uint64_t base;    /* the GPU's clock at the submission, or earlier */
    uint32_t count, list_count;
    struct emu_kmd_log_list *lists;
    uint64_t *numbers;
    uint64_t *stamps; /* time stamps: the buffer's begin and end, then one for each number */
};

/* The adapter that a kernel-mode driver gets as a handle when it calls the kernel. */
struct emu_kernel_adapter {
    struct emu_kmd *kmd;
};

struct emu_kmd_queue {
    struct emu_kmd *kmd;
    struct emu_kmd_queue *next; /* the queue that was created next */
    void *user;
    uint64_t object;            /* its identity; 0: none */
    uint32_t index;             /* number of the queue in the kernel, from 0 */
    struct emu_kmd_item *items; /* ring */
    size_t first;
    size_t count;
    size_t capacity;
    struct emu_engine engine; /* the thread that has the turn uses this engine without the lock */
    bool busy;                /* whether the engine has a submission */
    bool spinning;            /* whether the work has run without progress since `spin_since` */
    uint64_t spin_since;      /* the clock in ns */
    uint64_t work_at,
        work_since;          /* the oldest operation in flight, and when it began in ns; 0: none */
    uint64_t tag;            /* tag of the submission that the engine runs */
    struct emu_kmd_log *log; /* the log of the submission on the engine; NULL: no log */
    uint64_t address;        /* address of the submission's command buffer */
    uint64_t completed_tag, submitted_tag; /* the last completed and the last added tag */
    uint32_t node;
    void *context;        /* the user-mode driver's handle */
    void *kernel_context; /* the kernel-mode driver's handle */
    bool goes_on;         /* for find_going in fifo.c: whether the queue can continue */
    bool quit;            /* the worker must end */
    pthread_cond_t wake;  /* wakes the worker for new items, a reached fence or a stop */
    pthread_t worker;     /* !seeded */
    bool has_worker;
};

struct emu_kmd_pending;

/* The wait of a notification or a thread for a value of one fence. */
struct emu_kmd_waiter {
    struct emu_kmd_waiter *prev, *next; /* neighbours in the fence's list */
    struct emu_kmd_fence *fence;        /* NULL: nothing */
    uint64_t value, since;              /* `since` is the time of the call in ns */
    struct emu_kmd_pending *pending;
};

struct emu_kmd_pending {
    struct emu_kmd_pending
        *next; /* the next notification in the list of notifications that are due */
    void (*reached)(void *user); /* NULL: a thread waits, and later frees this struct */
    void *user;
    size_t count, missing; /* number of fences, and number of the fences that are not reached */
    struct emu_kmd_waiter waiters[];
};

struct emu_kmd_fence {
    struct emu_kmd *kmd;
    struct emu_kmd_fence *next;
    struct emu_kmd_fence *previous;
    uint32_t refs;  /* number of references: the creator's, and one for each item */
    bool abandoned; /* the creator is gone, so only queues' signals change the fence */
    uint64_t object;
    uint64_t value;
    uint32_t flags; /* annot_wait_flags */
    uint64_t given,
        giver; /* the highest value that a queue was told to signal, and this queue's identity */
    struct emu_kmd_waiter *waiters;
};

struct emu_kmd {
    struct emu_kmd_desc desc;
    pthread_mutex_t lock;
    pthread_mutex_t step_lock; /* in the seeded order, locked for a whole step */
    pthread_cond_t idle_cond;  /* is signaled when `active` changes, or when a queue becomes idle */
    pthread_cond_t stored;     /* a fence has a new value */
    struct emu_kmd_queue *queues;
    struct emu_kmd_fence *fences;
    uint32_t queue_serial;
    uint32_t active;
    bool failing;     /* whether the first error is being handled, so that no new work starts */
    bool removed;     /* whether the error was handled, so that fences have the value UINT64_MAX */
    atomic_bool stop; /* tells running engines to stop, because of an error or the kernel's end */
    uint64_t clock;   /* in the seeded order, the virtual time in ns */
    uint64_t random;  /* in the seeded order, the state of the random generator */
    struct emu_kmd_blob *blob; /* memory for a blob with up to blob_queues queues */
    size_t blob_queues;
    emu_kernel_adapter adapter;
    const emu_kernel_driver *driver;
    void *driver_adapter;
    uint32_t precision;               /* PrecisionBits */
    uint32_t last_sequence;           /* the last RenderCBSequence; 0: no submission yet */
    struct emu_kmd_clock_pair *pairs; /* a ring: pair n is element n % EMU_KMD_CLOCK_PAIRS; NULL if
                                         the marker mode is NONE */
    uint64_t pair_count;
    bool clock_is_bad;
    unsigned char *debug_buffer; /* the driver's buffer, between two canaries */
    uint32_t debug_size;
    unsigned char *payload; /* ANNOT_TDR_PAYLOAD_MAX bytes that the driver may fill */
    struct emu_kmd_tdr tdr;
};

#define EMU_KMD_TIMEOUT_LIMIT_NS                                                                   \
    ((uint64_t)1 << 60) /* 36 years; a longer time would overflow the clock */

/* Call the following functions with the lock held, unless a comment says otherwise. The files are
 * listed from the lowest to the highest: each file only calls functions of files before it. clock.c
 * is below all files; instance.c and wait.c are above them. */

/* Functions of callback.c, which are called without the lock. */
/* Marks this thread as inside a callback. A wait of this thread would wait for itself. */
void emu__kmd_enter_callback(void);
void emu__kmd_leave_callback(void);
bool emu__kmd_in_callback(void);

/* fence.c */
bool emu__kmd_fence_is_reached(const struct emu_kmd_fence *fence, uint64_t value);
void emu__kmd_fence_retain(struct emu_kmd_fence *fence);
void emu__kmd_fence_release(struct emu_kmd_fence *fence);

/* fifo.c */
struct emu_kmd_item *emu__kmd_queue_head(struct emu_kmd_queue *queue); /* NULL: no items */
/* Removes the first item, and releases the item's fence. */
void emu__kmd_queue_pop(struct emu_kmd_queue *queue);
/* Marks the queue's waits that the fence satisfies now. They stay satisfied even if the fence's
 * value goes back. Called whenever a wait is queued or the fence's value changes. */
void emu__kmd_queue_see(struct emu_kmd_queue *queue, const struct emu_kmd_fence *fence);
/* Checks whether the queue's first item waits for an abandoned fence. Called whenever the first
 * item changes, or a fence is abandoned. */
void emu__kmd_queue_look(struct emu_kmd_queue *queue);
/* Fills in the queues that wait for a fence, then the CPU's waits; returns the number of waits. */
size_t emu__kmd_waits(struct emu_kmd *kmd, annot_wait *out, size_t capacity);
/* Releases queues that wait for an abandoned fence if no queue will signal this fence. */
void emu__kmd_queues_free(struct emu_kmd *kmd);
bool emu__kmd_queue_can_run(struct emu_kmd_queue *queue);

/* signal.c */
/* Sets the fence's value, and wakes queues and threads that wait for it. Adds notifications to the
 * list `due`, for emu__kmd_tell. */
void emu__kmd_fence_store(struct emu_kmd_fence *fence, uint64_t value,
                          struct emu_kmd_pending **due);
/* Removes a wait from all fences that have not reached their values. */
void emu__kmd_withdraw(struct emu_kmd_pending *pending);
/* Calls and frees the due notifications. The lock is released during the calls. */
void emu__kmd_tell(struct emu_kmd *kmd, struct emu_kmd_pending *due);
/* Executes the queue's first item, a signal. A removal waits for the end of this call. */
void emu__kmd_signal(struct emu_kmd_queue *queue);

/* blob_write.c */
bool emu__kmd_blob_reserve(struct emu_kmd *kmd, size_t queues);
/* Describes all queues, and returns the used bytes. If no queue is guilty, `culprit` is NULL. */
size_t emu__kmd_blob_fill(struct emu_kmd *kmd, const struct emu_kmd_queue *culprit,
                          enum emu_kmd_error error);

/* marker_log.c */
/* Copies the log of `command`. NULL: there is no log, or memory ran out. */
struct emu_kmd_log *emu__kmd_log_create(struct emu_kmd_queue *queue,
                                        const struct emu_kmd_item *item,
                                        const D3DDDICB_SUBMITCOMMAND *command,
                                        const uint64_t *lists, uint32_t list_count);

/* history.c */
bool emu__kmd_history_init(struct emu_kmd *kmd); /* asks the driver for the precision, without the
                                                    lock; returns false if memory runs out */
/* Reads both clocks. Without `always`, does nothing if the last reading is new enough. */
void emu__kmd_calibrate(struct emu_kmd *kmd, bool always);
struct emu_kmd_clock_pair emu__kmd_last_pair(const struct emu_kmd *kmd); /* zeros: no pair */
/* Formats the submission's history buffer and reports the history. Called without the lock. */
void emu__kmd_history_take(struct emu_kmd_queue *queue, uint64_t tag, struct emu_kmd_log *log);

/* Functions of debug_info.c, called without the lock after engines have stopped. */
bool emu__kmd_debug_init(struct emu_kmd *kmd); /* false: out of memory */
void emu__kmd_debug_finish(struct emu_kmd *kmd);
/* Asks the kernel-mode driver to reset the engine, and for data. NULL: the error needs neither. */
const struct emu_kmd_tdr *emu__kmd_debug_collect(struct emu_kmd *kmd, struct emu_kmd_queue *culprit,
                                                 enum emu_kmd_error error);

/* tdr.c */
/* Stops every engine, calls the runtime, and removes the device; later calls do nothing. If no
 * queue is guilty, `culprit` is NULL. The lock is released during this call. */
void emu__kmd_fail(struct emu_kmd *kmd, struct emu_kmd_queue *culprit, enum emu_kmd_error error);
/* Waits until another thread's removal is over, because that thread reads all queues without the
 * lock. Called with the lock held. */
void emu__kmd_await_removal(struct emu_kmd *kmd);
/* If the queue has made no progress for too long, fails the device and returns true. The lock is
 * released while the device fails. */
bool emu__kmd_check_timeout(struct emu_kmd_queue *queue);

/* scheduler.c */
void *emu__kmd_worker(void *queue);

/* queue.c */
/* Stops the worker in the middle of its work, drops the other work, and frees the queue. Called
 * without the lock. */
void emu__kmd_queue_abandon(struct emu_kmd_queue *queue);

/* Functions of clock.c, which are called without the lock. */
uint64_t emu__kmd_now(const struct emu_kmd *kmd);
bool emu__kmd_cond_init(pthread_cond_t *cond);
/* Waits for a wake-up, or until the real clock reads `deadline`. */
void emu__kmd_cond_wait_until(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t deadline);
uint64_t emu__kmd_random(uint64_t *state); /* splitmix64 */
