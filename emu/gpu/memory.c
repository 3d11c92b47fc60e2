/* Allocations and their addresses, under one lock. An address comes from a growing counter, and its
 * pages are claimed in the page table. An access finds the owner there and takes a reference, which
 * keeps the bytes alive. So if an application frees memory that a running engine uses, the next
 * access is a page fault, and the process is not corrupted. */
#include "gpu/memory.h"

#include "containers.h"
#include "gate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define HOST_ALIGNMENT   4096u
#define PAGE_SIZE        EMU_GPU_ADDRESS_ALIGNMENT
#define LARGE_PAGES      EMU_PAGE_NODE_SIZE /* larger allocations begin at multiples of this number */
#define SMALL_WINDOW_END ((uint64_t)1 << 38)

_Static_assert(EMU_GPU_ADDRESS_LIMIT ==
                   (uint64_t)1 << (EMU_PAGE_SHIFT + 2 * EMU_PAGE_NODE_SHIFT + EMU_PAGE_ROOT_SHIFT),
               "the page table covers the address space");

emu_gpu *emu_gpu_create(void)
{
    emu_gpu *gpu = calloc(1, sizeof *gpu);
    if (!gpu)
        return NULL;
    /* Small allocations have a window of their own, so that the page table's leaves stay few. */
    gpu->small.first = EMU_GPU_ADDRESS_FIRST / PAGE_SIZE;
    gpu->small.end = gpu->large.first = SMALL_WINDOW_END / PAGE_SIZE;
    gpu->large.end = EMU_GPU_ADDRESS_LIMIT / PAGE_SIZE;
    gpu->small.granule = 1;
    gpu->large.granule = LARGE_PAGES;
    gpu->end = EMU_GPU_ADDRESS_LIMIT;
    gpu->clock_rate = gpu->clock.hz = 1000000000;
    gpu->clock.stamp_bits = 64;
    pthread_mutex_init(&gpu->lock, NULL);
    return gpu;
}

static uint64_t pages_of(uint64_t size)
{
    return (size + PAGE_SIZE - 1) / PAGE_SIZE;
}

static void allocation_free(struct emu_gpu_allocation *allocation)
{
    free(allocation->host);
    free(allocation->tiles);
    free(allocation);
}

void emu__gpu_release(struct emu_gpu_allocation *allocation)
{
    if (atomic_fetch_sub_explicit(&allocation->references, 1, memory_order_acq_rel) == 1)
        allocation_free(allocation);
}

struct emu_gpu_allocation *emu__gpu_find(const emu_gpu *gpu, uint64_t address)
{
    return address < EMU_GPU_ADDRESS_LIMIT ? emu__pages_owner(&gpu->pages, address / PAGE_SIZE)
                                           : NULL;
}

/* ---- addresses; the lock is held ---- */

/* Returns how many granules lie from `first` to the end of the gap behind the allocation. */
static uint64_t granules_past(emu_gpu *gpu, const struct emu_gpu_window *window, uint64_t first,
                              uint64_t page)
{
    const struct emu_gpu_allocation *taken = emu__gpu_find(gpu, page * PAGE_SIZE);
    const uint64_t end = taken->address / PAGE_SIZE + pages_of(taken->size) + 1;
    return (end - first + window->granule - 1) / window->granule;
}

/* Claims `count` pages somewhere in the window. Returns the first page; 0: there is no room. */
static uint64_t claim_in(emu_gpu *gpu, struct emu_gpu_window *window, uint64_t count,
                         struct emu_gpu_allocation *owner)
{
    const uint64_t room = (window->end - window->first) / window->granule;
    const uint64_t span = (count + 1 + window->granule - 1) / window->granule; /* with the gap */
    const uint64_t limit = gpu->end / PAGE_SIZE;
    /* equivalent from 1: each place is tried once in any case */
    for (uint64_t passed = 0, skip; passed <= 2 * room && span <= room; passed += skip) {
        const uint64_t at = window->next % room;
        const uint64_t first = window->first + at * window->granule;
        uint64_t stop;
        if (at > room - span || first + count > limit) {
            skip = room - at; /* the next round */
        } else {
            const enum emu_page_claim claim =
                emu__pages_claim(&gpu->pages, first, first + count, owner, &stop);
            if (claim == EMU_PAGES_NO_MEMORY)
                return 0;
            if (claim == EMU_PAGES_CLAIMED) {
                window->next += span;
                return first;
            }
            skip = granules_past(gpu, window, first, stop);
        }
        window->next += skip;
    }
    return 0;
}

static uint64_t claim_anywhere(emu_gpu *gpu, uint64_t count, struct emu_gpu_allocation *owner)
{
    uint64_t first = 0;
    if (count < LARGE_PAGES)
        first = claim_in(gpu, &gpu->small, count, owner);
    return first != 0 ? first : claim_in(gpu, &gpu->large, count, owner);
}

#define CLOSE_BY 65536u /* granules */

/* Requested addresses a little ahead of the counter count as chosen. So a program that requests the
 * addresses of an earlier run finds no other allocation there later. */
static void pass_over(struct emu_gpu_window *window, uint64_t first, uint64_t count)
{
    const uint64_t room = (window->end - window->first) / window->granule;
    const uint64_t at = (first - window->first) / window->granule, next = window->next % room;
    const uint64_t span = (count + 1 + window->granule - 1) / window->granule;
    if (at - next < CLOSE_BY) /* not if `at` is behind the counter, or before the window */
        window->next += at - next + span;
}

/* Gives the allocation its address; 0 means an address of the emulator's choice. */
static bool map(emu_gpu *gpu, struct emu_gpu_allocation *allocation, uint64_t address)
{
    const uint64_t count = pages_of(allocation->size);
    uint64_t first = address / PAGE_SIZE, stop;
    if (address == 0) {
        first = claim_anywhere(gpu, count, allocation);
    } else if (emu__pages_claim(&gpu->pages, first, first + count, allocation, &stop) ==
               EMU_PAGES_CLAIMED) {
        pass_over(&gpu->small, first, count);
        pass_over(&gpu->large, first, count);
    } else {
        first = 0;
    }
    allocation->address = first * PAGE_SIZE;
    if (first == 0)
        return false;
    DL_APPEND(gpu->mapped, allocation);
    gpu->count++;
    gpu->bytes += allocation->host != NULL ? allocation->size : 0;
    return true;
}

/* ---- allocations ---- */

static bool allocate_host(struct emu_gpu_allocation *allocation, uint64_t size)
{
    if (size > SIZE_MAX - HOST_ALIGNMENT)
        return false;
    /* calloc: large zeroed memory comes from the system lazily. */
    allocation->host = calloc(1, (size_t)size + HOST_ALIGNMENT - 1);
    if (!allocation->host)
        return false;
    allocation->cpu =
        (char *)allocation->host + (-(uintptr_t)allocation->host & (HOST_ALIGNMENT - 1));
    return true;
}

static bool allocate_tiles(struct emu_gpu_allocation *allocation, uint64_t size)
{
    allocation->tiles = calloc((size_t)pages_of(size), sizeof *allocation->tiles);
    return allocation->tiles != NULL;
}

/* The kinds of memory behind an allocation. */
enum backing { BACKED_BY_HOST, BACKED_BY_TILES, BACKED_BY_OTHERS };

static bool allocate(emu_gpu *gpu, enum backing backing, uint64_t size, uint64_t address,
                     void *others, emu_gpu_memory *out)
{
    if (size == 0 || size > EMU_GPU_ALLOCATION_LIMIT || address % PAGE_SIZE != 0 ||
        address >= EMU_GPU_ADDRESS_LIMIT || size > EMU_GPU_ADDRESS_LIMIT - address)
        return false;
    struct emu_gpu_allocation *allocation = calloc(1, sizeof *allocation);
    if (!allocation)
        return false;
    allocation->cpu = others;
    allocation->size = size;
    atomic_init(&allocation->references, 1);
    bool done = (backing != BACKED_BY_HOST || allocate_host(allocation, size)) &&
                (backing != BACKED_BY_TILES || allocate_tiles(allocation, size));
    if (done) {
        emu_lock(&gpu->lock);
        done = map(gpu, allocation, address);
        if (done)
            *out = (emu_gpu_memory){allocation->address, size, allocation->cpu};
        emu_unlock(&gpu->lock);
    }
    if (!done)
        allocation_free(allocation);
    return done;
}

bool emu_gpu_allocate(emu_gpu *gpu, uint64_t size, uint64_t address, emu_gpu_memory *out)
{
    return allocate(gpu, BACKED_BY_HOST, size, address, NULL, out);
}

bool emu_gpu_reserve(emu_gpu *gpu, uint64_t size, uint64_t address, emu_gpu_memory *out)
{
    return allocate(gpu, BACKED_BY_TILES, size, address, NULL, out);
}

bool emu_gpu_import(emu_gpu *gpu, void *cpu, uint64_t size, uint64_t address, emu_gpu_memory *out)
{
    return allocate(gpu, BACKED_BY_OTHERS, size, address, cpu, out);
}

/* Frees the allocation's pages; running accesses keep the bytes. The lock is held. */
static void unmap(emu_gpu *gpu, struct emu_gpu_allocation *allocation)
{
    const uint64_t first = allocation->address / PAGE_SIZE;
    emu__pages_release(&gpu->pages, first, first + pages_of(allocation->size));
    DL_DELETE(gpu->mapped, allocation);
    gpu->count--;
    gpu->bytes -= allocation->host != NULL ? allocation->size : 0;
}

uint64_t emu_gpu_bytes(emu_gpu *gpu)
{
    emu_lock(&gpu->lock);
    const uint64_t bytes = gpu->bytes;
    emu_unlock(&gpu->lock);
    return bytes;
}

void emu_gpu_free(emu_gpu *gpu, uint64_t address)
{
    if (address == 0)
        return;
    emu_lock(&gpu->lock);
    struct emu_gpu_allocation *allocation = emu__gpu_find(gpu, address);
    assert(allocation && allocation->address == address);
    unmap(gpu, allocation);
    emu_unlock(&gpu->lock);
    emu__gpu_release(allocation);
}

void emu_gpu_destroy(emu_gpu *gpu)
{
    if (!gpu)
        return;
    while (gpu->mapped)
        emu_gpu_free(gpu, gpu->mapped->address);
    emu__pages_finish(&gpu->pages);
    pthread_mutex_destroy(&gpu->lock);
    free(gpu);
}
