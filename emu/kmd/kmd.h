/*
 * The emulated kernel: takes command buffers per queue, schedules engines, notices hangs and page
 * faults, stops the engine, and notifies the runtime with a GUID and an error. It knows command
 * buffers and fences, nothing of D3D12.
 *
 * Threads: everything may be called from any thread. Callbacks come without a lock held, from
 * workers or, under the seeded order, from the thread that takes steps. A callback may submit, signal and
 * set fences; it must not destroy a queue or the kernel, and a wait in it answers false at once
 * rather than wait for itself.
 *
 * Order of a removal: engines stop and callbacks return, `removed` is called, fences jump to
 * UINT64_MAX, notifications go out. Submissions fail from the first of these on.
 */
#ifndef EMU_KMD_KMD_H
#define EMU_KMD_KMD_H

#include "gpu/gpu.h"

typedef struct emu_kmd emu_kmd;
typedef struct emu_kmd_queue emu_kmd_queue;
typedef struct emu_kmd_fence emu_kmd_fence;

typedef enum emu_kmd_error {
    EMU_KMD_ASKED = 0, /* emu_kmd_remove */
    EMU_KMD_LOST = 1,  /* EMU_FAULT_LOST */
    EMU_KMD_HUNG = 7,
    EMU_KMD_PAGE_FAULT = 9
} emu_kmd_error;

/* What the kernel tells the runtime once, after every engine was stopped and before memory is
 * reset. */
typedef struct emu_kmd_removal {
    uint8_t guid[16];
    emu_kmd_error error;
    bool bad_packet;        /* EMU_KMD_HUNG: an engine met bytes that are no command, no timeout */
    uint64_t fault_address; /* 0 unless EMU_KMD_PAGE_FAULT */
    const void *blob;       /* emu_kmd_blob of kmd/blob.h; valid during the call */
    size_t blob_size;
    uint64_t time;       /* clock, nanoseconds */
    uint64_t timeout_ns; /* the time without progress that counts as a hang */
} emu_kmd_removal;

#define EMU_KMD_TDR_TIMEOUT_NS ((uint64_t)2000000000) /* without progress: a hang */

typedef struct emu_kmd_desc {
    emu_gpu *gpu;
    bool seeded; /* no threads, virtual clock */
    uint64_t seed;
    uint64_t tdr_timeout_ns; /* 0: EMU_KMD_TDR_TIMEOUT_NS */
    void (*removed)(void *user, const emu_kmd_removal *removal);
    /* A queue's work up to `tag` of emu_kmd_submit is done. May be called from a worker thread. */
    void (*completed)(void *user, void *queue_user, uint64_t tag);
    void *user;
} emu_kmd_desc;

emu_kmd *emu_kmd_create(const emu_kmd_desc *desc);
/* Stops workers; running work is abandoned. Fences were destroyed before; queues that remain go
 * with it. */
void emu_kmd_destroy(emu_kmd *kmd);

emu_kmd_queue *emu_kmd_queue_create(emu_kmd *kmd, void *queue_user);
/* Waits for its work or removal. What waits for a fence that no queue is going to signal is
 * abandoned. */
void emu_kmd_queue_destroy(emu_kmd_queue *queue);

/* In order within a queue. All return false after removal or without memory. */
bool emu_kmd_submit(emu_kmd_queue *queue, uint64_t address, uint64_t size, uint64_t tag);
bool emu_kmd_signal(emu_kmd_queue *queue, emu_kmd_fence *fence, uint64_t value);
bool emu_kmd_wait(emu_kmd_queue *queue, emu_kmd_fence *fence, uint64_t value);
/* At least one. The kernel takes a copy. */
bool emu_kmd_update_tiles(emu_kmd_queue *queue, const emu_gpu_tiles *updates, size_t count);

emu_kmd_fence *emu_kmd_fence_create(emu_kmd *kmd, uint64_t initial);
/* Queued signals and waits keep what they need of it. Notifications still pending are forgotten:
 * `reached` is not called; use emu_kmd_fence_forget first to get their users back. */
void emu_kmd_fence_destroy(emu_kmd_fence *fence);
uint64_t emu_kmd_fence_value(const emu_kmd_fence *fence);     /* UINT64_MAX after removal */
bool emu_kmd_fence_set(emu_kmd_fence *fence, uint64_t value); /* from the CPU */
/* Calls `reached` once when the fence is at least `value` or the device is removed, perhaps at
 * once. */
bool emu_kmd_fence_notify(emu_kmd_fence *fence, uint64_t value, void (*reached)(void *user),
                          void *user);
/* Takes back every pending notification and calls `forgotten` (may be NULL) with its user instead.
 */
void emu_kmd_fence_forget(emu_kmd_fence *fence, void (*forgotten)(void *user));
/* Blocks until then; seeded: takes steps until then. False: no queue will ever do it (seeded only:
 * another thread still may), or the call came from a callback. */
bool emu_kmd_fence_wait(emu_kmd_fence *fence, uint64_t value);
/* The same until one of them, of one kernel and at least one, is at its value. */
bool emu_kmd_fence_wait_any(emu_kmd_fence *const *fences, const uint64_t *values, size_t count);

/* What engines write as timestamps: the real clock, or the virtual one. ns */
uint64_t emu_kmd_time(emu_kmd *kmd);

/* Whether the device is removed. While a removal is under way this waits for its end, so that the
 * caller of a refused call gets the reason; from a callback the answer is true at once. */
bool emu_kmd_is_removed(emu_kmd *kmd);

/* Removes the device as an error does; when one is doing so already, waits for it. From a callback nothing happens. */
void emu_kmd_remove(emu_kmd *kmd);

/* Seeded order: one step of the scheduler; false when nothing can be done at this time. */
bool emu_kmd_step(emu_kmd *kmd);
void emu_kmd_advance(emu_kmd *kmd, uint64_t nanoseconds);
void emu_kmd_run_until_idle(emu_kmd *kmd);

#endif
