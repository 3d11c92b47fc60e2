/* The emulated GPU's memory: allocations at GPU virtual addresses, backed by host memory. Memory
 * that is not allocated is unmapped. An engine that touches unmapped memory causes a page fault.
 *
 * Automatic addresses go up, and are used again only after a whole window of addresses was used.
 * The window has 2^38 bytes for allocations below 64 MiB, and 2^47 bytes for others. An unmapped
 * gap follows each allocation. So an engine that uses a stale address, or overruns an allocation,
 * faults, and does not reach another allocation.
 *
 * Any thread may call these functions. */
#pragma once

#include <emu/driver.h> /* defines emu_gpu_memory, which drivers also use */

#define EMU_GPU_ADDRESS_ALIGNMENT 65536u
#define EMU_GPU_ADDRESS_FIRST     ((uint64_t)1 << 32) /* automatic addresses start here */
#define EMU_GPU_ADDRESS_LIMIT     ((uint64_t)1 << 47) /* all addresses are below this limit */
#define EMU_GPU_IN_FLIGHT         8u /* limit of an engine's operations in flight */
#define EMU_GPU_ALLOCATION_LIMIT  ((uint64_t)1 << 40) /* limit of the bytes of one allocation */

/* Makes a GPU, or returns NULL if memory runs out. */
emu_gpu *emu_gpu_create(void);

/* Frees the GPU and all its allocations. No engine may be running. `gpu` may be NULL. */
void emu_gpu_destroy(emu_gpu *gpu);

/* Maps `size` bytes at `address`, or at any address if `address` is 0. Returns false and changes
 * nothing if the address is misaligned, out of range or in use, `size` is 0, or memory runs out. */
bool emu_gpu_allocate(emu_gpu *gpu, uint64_t size, uint64_t address, emu_gpu_memory *out);

/* Maps a range that has no memory; out->cpu becomes NULL. emu_gpu_update_tiles adds memory. */
bool emu_gpu_reserve(emu_gpu *gpu, uint64_t size, uint64_t address, emu_gpu_memory *out);

/* Maps memory of the caller. The memory must exist until no engine can use the range. */
bool emu_gpu_import(emu_gpu *gpu, void *cpu, uint64_t size, uint64_t address, emu_gpu_memory *out);

/* Unmaps the allocation that starts at `address`. An engine faults if it uses this allocation
 * later. The host memory is freed when no engine is accessing it any more. `address` may be 0. */
void emu_gpu_free(emu_gpu *gpu, uint64_t address);

/* Returns the CPU's pointer to `size` bytes at `address`, or NULL if these bytes are not in one
 * allocation. The pointer is valid until the allocation is freed, so only its owner may use it. */
void *emu_gpu_translate(emu_gpu *gpu, uint64_t address, uint64_t size);

/* An engine's access to an allocation. The memory is valid until the access ends. */
struct emu_gpu_access {
    void *cpu;
    uint64_t size; /* number of accessible bytes; at the allocation's end, fewer than requested */
    void *allocation;
};

/* Begins an access to at most `size` bytes. Returns false if the first byte is not mapped. */
bool emu_gpu_access_begin(emu_gpu *gpu, uint64_t address, uint64_t size,
                          struct emu_gpu_access *out);
void emu_gpu_access_end(struct emu_gpu_access *access);

/* Stores 4 or 8 bytes, with release order. `address` must be a multiple of `size`. Returns false
 * and stores nothing if the bytes are not mapped, or are in a reserved range. */
bool emu_gpu_store(emu_gpu *gpu, uint64_t address, uint64_t value, uint32_t size);
/* Copies at most `size` bytes, up to the first byte that is not mapped. Returns the number of
 * copied bytes. The function doesn't copy bytes of a reserved range. */
uint64_t emu_gpu_load(emu_gpu *gpu, uint64_t address, void *out, uint64_t size);

/* ---- reserved ranges ---- */

/* Gives memory to `count` tiles of 64 KiB, beginning with the tile at `destination`. */
struct emu_gpu_tiles {
    uint64_t destination; /* GPU address of the first tile, in a reserved range */
    uint64_t source;      /* GPU address of the first tile's new memory; 0: the tiles lose memory */
    uint64_t count;
    uint64_t stride; /* distance from one tile's memory to the next tile's memory, in bytes */
};

/* Gives memory to tiles. Does nothing unless all tiles are in one existing reserved range. */
void emu_gpu_update_tiles(emu_gpu *gpu, const struct emu_gpu_tiles *update);

/* Returns the size in bytes of all allocations together, without reserved and imported ranges. */
uint64_t emu_gpu_bytes(emu_gpu *gpu);

/* ---- the engines' clock ---- */

#define EMU_GPU_CLOCK_LIMIT_HZ ((uint64_t)16000000000)

struct emu_gpu_clock {
    uint64_t hz;         /* nominal frequency of the clock; 0 means 1 GHz */
    int32_t ppm;         /* how much faster the clock runs than `hz`, in millionths */
    uint64_t offset;     /* ticks of the GPU's clock when the CPU's clock is 0 */
    uint32_t stamp_bits; /* how many bits a time stamp has in a history buffer, as in
                            DXGKARG_HISTORYBUFFERPRECISION */
};

/* Sets the clock before any engine runs. Returns false if the frequency is too high. */
bool emu_gpu_set_clock(emu_gpu *gpu, const struct emu_gpu_clock *clock);
const struct emu_gpu_clock *emu_gpu_get_clock(const emu_gpu *gpu);

/* Returns the ticks of the GPU's clock when the CPU's clock has the value `nanoseconds`. */
uint64_t emu_gpu_counter(const emu_gpu *gpu, uint64_t nanoseconds);

/* Returns the time stamp that an engine writes, never 0. The value has 4 bytes if stamps have 32
 * bits, otherwise 8 bytes. If stamps have 33 to 63 bits, the higher bits are random. If stamps have
 * 0 bits, the bytes are in reverse order. */
uint64_t emu_gpu_stamp(const emu_gpu *gpu, uint64_t counter);
uint32_t emu_gpu_stamp_size(const emu_gpu *gpu);

/* ---- scripted stops: a test or a user chooses where the GPU stops ---- */

enum emu_gpu_hang {
    EMU_GPU_HANG_NEVER = 0,
    EMU_GPU_HANG_AT_DISPATCH = 1, /* the count-th dispatch never ends */
    EMU_GPU_HANG_BEFORE_LIST = 2, /* the count-th command list never begins */
    EMU_GPU_HANG_AT_DRAW = 3,     /* the count-th draw never ends */
    /* A queue's count-th command buffer begins, but the GPU does no work of it. */
    EMU_GPU_HANG_AT_SUBMISSION = 4,
    /* The engine stops at a marker: a dispatch with the kernel EMU_KERNEL_SCRIPTED. */
    EMU_GPU_HANG_AT_MARKER = 5
};

enum emu_gpu_hang_kind {
    EMU_GPU_HANG_SPINS = 0,
    /* A page fault at EMU_GPU_ADDRESS_LIMIT, where memory is never mapped. */
    EMU_GPU_HANG_FAULTS = 1,
    EMU_GPU_HANG_LOSES = 2 /* EMU_FAULT_LOST */
};

/* The kernel of a dispatch that only marks a place. emu_kernel_bytecode has no bytecode for it. */
#define EMU_KERNEL_SCRIPTED UINT32_MAX

/* Sets where the GPU stops; `count` counts from 1 over all engines. No engine may run yet. */
void emu_gpu_script_hang(emu_gpu *gpu, enum emu_gpu_hang at, uint64_t count,
                         enum emu_gpu_hang_kind kind);

/* Whether an engine that reaches such a place must hang now, by the script. */
bool emu_gpu_hangs_here(emu_gpu *gpu, enum emu_gpu_hang place);

enum emu_gpu_hang_kind emu_gpu_scripted_kind(const emu_gpu *gpu);
