/* The emulated kernel takes queues' command buffers and schedules engines. It notices hangs and
 * page faults, stops the engine, and notifies the runtime with a GUID and an error. The kernel
 * knows command buffers and fences, but not D3D12.
 *
 * Any thread may call any function. Callbacks are called without a lock, by workers or, in the
 * seeded order, by the thread that takes steps. A callback may submit, signal and set fences. A
 * callback must not destroy a queue or the kernel. A wait in a callback returns false at once,
 * because it would wait for itself.
 *
 * Order of a removal: engines stop and callbacks return, `removed` is called, fences become
 * UINT64_MAX, notifications are sent. Submissions fail from the first step on. */
#pragma once

#include "gpu/gpu.h"

#include <annot/dump.h>
#include <emu/kernel.h>

struct emu_kmd;
struct emu_kmd_queue;
struct emu_kmd_fence;

enum emu_kmd_error {
    EMU_KMD_ASKED = 0,
    EMU_KMD_LOST = 1,   /* EMU_FAULT_LOST */
    EMU_KMD_FORCED = 2, /* a call asked for a removal like that of an adapter's timeout */
    EMU_KMD_MISUSED = 3,
    EMU_KMD_HUNG = 7,
    EMU_KMD_PAGE_FAULT = 9
};

#define EMU_KMD_TDR_DDI_DELAY  ((uint64_t)5000000000) /* TdrDdiDelay, ns */
#define EMU_KMD_TDR_BUFFER     65536u
#define EMU_KMD_TDR_BUFFER_MAX (1u << 20)

/* What the kernel asked the kernel-mode driver at a timeout or page fault, and what it answered. */
struct emu_kmd_tdr {
    annot_tdr dump;
    bool is_adapter;  /* whether the whole adapter is reset, not only an engine */
    const void *data; /* data that the driver returned, without trailing zeros; NULL: none */
    size_t data_size;
};

#define EMU_KMD_WAITS_MAX 64u

/* The data about a removal, which the runtime gets once: after all engines have stopped, and before
 * memory is reset. */
struct emu_kmd_removal {
    uint8_t guid[16];
    enum emu_kmd_error error;
    bool is_ordered;        /* emu_gpu_script_hang caused the removal */
    char command[160];      /* the command of ExecuteIndirect in which the culprit stopped, or "" */
    bool bad_packet;        /* whether the error is EMU_KMD_HUNG because of a wrong packet */
    uint64_t fault_address; /* 0 unless EMU_KMD_PAGE_FAULT */
    const void *blob;       /* an emu_kmd_blob (kmd/blob.h), valid during the call */
    size_t blob_size;
    const struct emu_kmd_tdr *tdr; /* the driver's answers; NULL: the driver was not asked */
    const annot_wait *waits;       /* what queues and the CPU wait for; valid during the call */
    size_t wait_count;
    uint64_t time;       /* clock, nanoseconds */
    uint64_t timeout_ns; /* time without progress after which an engine hangs */
};

/* The mistake in a marker log or history buffer, with the same numbers as in annot/dump.h. */
enum emu_kmd_log_problem {
    EMU_KMD_LOG_FINE = 0,
    EMU_KMD_LOG_CONTEXTS = 1,
    EMU_KMD_LOG_PRIMARIES = 2,
    EMU_KMD_LOG_RESERVED = 3,
    EMU_KMD_LOG_SEQUENCE = 4,
    EMU_KMD_LOG_TYPE = 5,
    EMU_KMD_LOG_LISTS = 6,
    EMU_KMD_LOG_NUMBERS = 7,
    EMU_KMD_LOG_TOO_LONG = 8,
    EMU_KMD_LOG_MEMORY = 9,
    EMU_KMD_LOG_BUFFER = 10,
    EMU_KMD_LOG_PRECISION = 11,
    EMU_KMD_LOG_FORMAT = 12,
    EMU_KMD_LOG_OVERRUN = 13,
    EMU_KMD_LOG_ORDER = 14,
    EMU_KMD_LOG_CLOCK = 15,
    EMU_KMD_LOG_COMMANDS = 16,
    EMU_KMD_LOG_PRIVATE_DATA = 17,
    EMU_KMD_LOG_ARRAY = 18
};

#define EMU_KMD_LOG_NUMBERS_MAX (1u << 20)

/* A list in a marker log: its calls have the sequence numbers and time stamps from `first` on. */
struct emu_kmd_log_list {
    uint32_t first, count;
};

/* One submission's marker log and time stamps. */
struct emu_kmd_history {
    uint32_t sequence;                /* the driver's RenderCBSequence */
    enum emu_kmd_log_problem problem; /* the first mistake. A wrong log gives no numbers and no time
                                         stamps, a wrong buffer gives no time stamps */
    bool null_rendering;
    uint64_t begin, end; /* ticks at the command buffer's begin and end; 0: not reached */
    const uint64_t *numbers;
    const uint64_t *stamps; /* the GPU's ticks at the end of each call; 0: not reached */
    uint32_t count;
    const struct emu_kmd_log_list *lists;
    uint32_t list_count;
};

/* The values of the CPU's clock and the GPU's clock at the same moment. */
struct emu_kmd_clock_pair {
    uint64_t gpu;       /* ticks */
    uint64_t cpu;       /* ns */
    uint64_t frequency; /* rate of the GPU's clock in Hz, as the driver reports it */
};

#define EMU_KMD_CLOCK_PAIRS  1024u /* limit of stored clock pairs; the oldest is dropped */
#define EMU_KMD_CALIBRATE_NS ((uint64_t)30000000)

/* An engine without progress for this time counts as hung. */
#define EMU_KMD_TDR_TIMEOUT_NS ((uint64_t)2000000000)

struct emu_kmd_desc {
    emu_gpu *gpu;
    bool seeded; /* whether the kernel has no threads and uses a virtual clock */
    uint64_t seed;
    uint64_t tdr_timeout_ns; /* 0: EMU_KMD_TDR_TIMEOUT_NS */
    bool times_work;         /* true: an operation longer than the timeout is a hang */
    void (*removed)(void *user, const struct emu_kmd_removal *removal);
    /* Called when the queue's work up to submission `tag` is done, perhaps on a worker thread. */
    void (*completed)(void *user, void *queue_user, uint64_t tag);
    /* Called for each submission with a marker log: before `completed`, or before `removed` if the
     * submission is unfinished. `history` is valid during the call. The callback may run on a
     * worker thread, and must not allocate. */
    void (*history)(void *user, void *queue_user, uint64_t tag,
                    const struct emu_kmd_history *history);
    const emu_kernel_driver *driver; /* the kernel-mode driver; NULL: the built-in driver */
    uint32_t marker_type;            /* a D3DWDDM1_3DDI_MARKER_TYPE */
    uint32_t tdr_payload;            /* an emu_tdr_payload */
    uint32_t tdr_buffer; /* size in bytes of the buffer for the driver; 0: EMU_KMD_TDR_BUFFER */
    /* Limit of an engine's operations in flight (EMU_GPU_IN_FLIGHT at most); 0 means 1. */
    uint32_t in_flight;
    void *user;
};

struct emu_kmd *emu_kmd_create(const struct emu_kmd_desc *desc);
/* Stops workers, abandons running work, destroys the remaining queues. First destroy all fences. */
void emu_kmd_destroy(struct emu_kmd *kmd);

struct emu_kmd_queue *emu_kmd_queue_create(struct emu_kmd *kmd, void *queue_user);
/* Sets the queue's identity for reports of waits, its node, and the user-mode driver's handle for
 * the context. Call it before the queue's first submission. False means out of memory. */
bool emu_kmd_queue_identify(struct emu_kmd_queue *queue, uint64_t object, uint32_t node,
                            void *context);
/* Destroys a queue when its work is done, or after a removal. The queue abandons a wait for a fence
 * that no queue will signal. */
void emu_kmd_queue_destroy(struct emu_kmd_queue *queue);

/* Whether unfinished work has a packet at an address from `first` to `last`. */
bool emu_kmd_names(struct emu_kmd *kmd, uint64_t first, uint64_t last);

/* The following functions add work, which runs in order on a queue. Each returns false after a
 * removal, or if memory runs out. */
bool emu_kmd_submit(struct emu_kmd_queue *queue, uint64_t address, uint64_t size, uint64_t tag);
/* Does the same as emu_kmd_submit. `command` is what the driver gave pfnSubmitCommandCb, or NULL if
 * it gave nothing. `lists` are the command lists' handles. If the log is wrong,
 * emu_kmd_desc.history reports it, and the work runs anyway. */
bool emu_kmd_submit_command(struct emu_kmd_queue *queue, uint64_t address, uint64_t size,
                            uint64_t tag, const D3DDDICB_SUBMITCOMMAND *command,
                            const uint64_t *lists, uint32_t list_count);
bool emu_kmd_signal(struct emu_kmd_queue *queue, struct emu_kmd_fence *fence, uint64_t value);
bool emu_kmd_wait(struct emu_kmd_queue *queue, struct emu_kmd_fence *fence, uint64_t value);
/* Adds an update of tiles to the queue. `count` must be at least 1. The kernel copies `updates`. */
bool emu_kmd_update_tiles(struct emu_kmd_queue *queue, const struct emu_gpu_tiles *updates,
                          size_t count);

struct emu_kmd_fence *emu_kmd_fence_create(struct emu_kmd *kmd, uint64_t initial);
/* Sets the fence's identity for reports of waits. Call this function before the fence is used. */
void emu_kmd_fence_identify(struct emu_kmd_fence *fence, uint64_t object, bool is_shared);
/* Notes that the fence's creator will store no more values. This ends the waits of threads and
 * notifications for the fence. A queue's wait ends when no queue will signal the fence any more.
 * After the call, no wait for the fence begins. */
void emu_kmd_fence_abandon(struct emu_kmd_fence *fence);
/* Abandons the fence and drops the creator's reference to it. Signals and waits in queues have
 * their own references. `fence` may be NULL. */
void emu_kmd_fence_destroy(struct emu_kmd_fence *fence);
uint64_t emu_kmd_fence_value(const struct emu_kmd_fence *fence); /* UINT64_MAX after removal */
/* Sets the fence's value from the CPU. */
bool emu_kmd_fence_set(struct emu_kmd_fence *fence, uint64_t value);
/* The goal of a wait: one or more fences of one kernel reach their values. A fence reaches its
 * value even if only for a moment. An abandoned fence and a removed device end the wait, too. */
struct emu_kmd_goal {
    struct emu_kmd_fence *const *fences;
    const uint64_t *values;
    size_t count;
    bool any; /* true: the wait ends when any of the fences is reached */
};

/* Calls `reached` once when the goal is reached, perhaps at once. False means out of memory;
 * `reached` is then never called. */
bool emu_kmd_notify(const struct emu_kmd_goal *goal, void (*reached)(void *user), void *user);

enum emu_kmd_waited { EMU_KMD_REACHED, EMU_KMD_NEVER, EMU_KMD_NO_MEMORY };

/* Waits until the goal is reached; with EMU_ORDER_SEEDED, by taking steps. EMU_KMD_NEVER: a
 * callback called the function, or, with EMU_ORDER_SEEDED, no queue will reach the goal. Another
 * thread still may reach the goal then. */
enum emu_kmd_waited emu_kmd_wait_for(const struct emu_kmd_goal *goal);

/* Stores the waits of queues and of the CPU in `out`, and returns their number. Never blocks; if
 * the kernel is locked, it returns 0. */
size_t emu_kmd_waits(struct emu_kmd *kmd, annot_wait *out, size_t capacity);

/* Returns the time of time stamps in ns, by the real clock or by the virtual clock. */
uint64_t emu_kmd_time(struct emu_kmd *kmd);

/* Copies the clock pairs into `pairs`, the oldest first, and returns their number. During a
 * removal, only the callback `removed` may call this function. */
size_t emu_kmd_clock_pairs(struct emu_kmd *kmd, struct emu_kmd_clock_pair *pairs, size_t capacity);

/* The kernel-mode driver that the emulator has built in. */
extern const emu_kernel_driver emu__kernel_driver;
/* A kernel-mode driver that reports wrong data. The seed EMU_LIES_KERNEL chooses the wrong data. */
extern const emu_kernel_driver emu__kernel_driver_hostile;
extern const emu_kernel_host emu__kernel_host;

/* Whether the device is removed. During a removal the function waits for the removal's end, so that
 * the caller of a refused call gets the reason. In a callback it returns true at once. */
bool emu_kmd_is_removed(struct emu_kmd *kmd);

/* Removes the device in a child process of fork, where no workers exist. It calls no callback and
 * sets no event, because the parent has the same events. */
void emu_kmd_inherit(struct emu_kmd *kmd);

/* Removes the device; `error` is EMU_KMD_ASKED, EMU_KMD_FORCED or EMU_KMD_MISUSED. If another
 * removal runs, the function waits for its end. In a callback it does nothing. */
void emu_kmd_remove(struct emu_kmd *kmd, enum emu_kmd_error error);

/* With EMU_ORDER_SEEDED, takes one step of the scheduler. False: there is nothing to do. */
bool emu_kmd_step(struct emu_kmd *kmd);
void emu_kmd_advance(struct emu_kmd *kmd, uint64_t nanoseconds);
void emu_kmd_run_until_idle(struct emu_kmd *kmd);
