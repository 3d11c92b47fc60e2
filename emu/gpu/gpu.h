/*
 * The emulated GPU's memory: allocations at GPU virtual addresses, backed by host memory. What is
 * not allocated is unmapped, and touching it from an engine is a page fault.
 *
 * Automatic addresses go up and are not used again before the whole address space was (2^47 bytes),
 * with an unmapped gap behind each, so that stale addresses and overruns fault instead of hitting a
 * neighbour.
 *
 * Threads: everything here may be called from any thread.
 */
#ifndef EMU_GPU_GPU_H
#define EMU_GPU_GPU_H

#include <emu/driver.h> /* emu_gpu_memory, which drivers see too */

#define EMU_GPU_ADDRESS_ALIGNMENT 65536u
#define EMU_GPU_ADDRESS_FIRST     ((uint64_t)1 << 32) /* automatic addresses start here */
#define EMU_GPU_ADDRESS_LIMIT     ((uint64_t)1 << 47) /* no address at or above */
#define EMU_GPU_ALLOCATION_LIMIT  ((uint64_t)1 << 40) /* bytes in one allocation */

/* NULL when out of memory. */
emu_gpu *emu_gpu_create(void);

/* Frees every allocation. No engine runs. NULL is allowed. */
void emu_gpu_destroy(emu_gpu *gpu);

/* Maps `size` bytes at `address`, or at an address of its choice when that is 0. False, and nothing
 * happens, when the address is misaligned or out of range, when any part of the range is taken, for
 * size 0, and without memory. */
bool emu_gpu_allocate(emu_gpu *gpu, uint64_t size, uint64_t address, emu_gpu_memory *out);

/* Unmaps the allocation that starts at `address`; engines fault there from now on. Its host memory
 * goes when the last engine that is in the middle of an access has let go. 0 is allowed. */
void emu_gpu_free(emu_gpu *gpu, uint64_t address);

/* The CPU's pointer to `size` bytes at `address`; NULL when they are not mapped by one allocation.
 * Valid as long as the allocation: for its owner. */
void *emu_gpu_translate(emu_gpu *gpu, uint64_t address, uint64_t size);

/* One access of an engine, which owns nothing and so keeps the memory from going away meanwhile. */
typedef struct emu_gpu_access {
    void *cpu;
    uint64_t size; /* bytes from the address on that may be touched: what was asked for or, at an
                      end, less */
    void *allocation;
} emu_gpu_access;

/* Starts an access to up to `size` bytes; false when not even the first is mapped. */
bool emu_gpu_access_begin(emu_gpu *gpu, uint64_t address, uint64_t size, emu_gpu_access *out);
void emu_gpu_access_end(emu_gpu *gpu, emu_gpu_access *access);

/* ---- scripted hangs: for tests that need the GPU to stop at one place ---- */

typedef enum emu_gpu_hang {
    EMU_GPU_HANG_NEVER = 0,
    EMU_GPU_HANG_AT_DISPATCH = 1, /* the count-th dispatch never ends */
    EMU_GPU_HANG_BEFORE_LIST = 2  /* the count-th command list is never begun */
} emu_gpu_hang;

/* Counts from 1 over all engines. Before any engine runs. */
void emu_gpu_script_hang(emu_gpu *gpu, emu_gpu_hang at, uint64_t count);

/* An engine has come to such a place: whether it is the one where it hangs. */
bool emu_gpu_hangs_here(emu_gpu *gpu, emu_gpu_hang place);

#endif
