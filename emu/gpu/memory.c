/*
 * No lock anywhere. An address comes from a counter that goes up, and is had by claiming its pages in the page table; an
 * access finds the owner there and takes a reference, which succeeds only while that very allocation lives. The
 * reference keeps the bytes alive, so that an application that frees memory under a running engine gets a page fault at
 * the next access and never corrupts the process.
 */
#include "gpu/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define HOST_ALIGNMENT   4096u
#define PAGE_SIZE        EMU_GPU_ADDRESS_ALIGNMENT
#define LARGE_PAGES      EMU_PAGE_NODE_SIZE /* from here on an allocation begins at a multiple of this */
#define SMALL_WINDOW_END ((uint64_t)1 << 38)
#define SLOTS_MAX        (EMU_GPU_SLOTS_IN_PAGE * EMU_GPU_SLOT_PAGES)

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
    atomic_init(&gpu->end, EMU_GPU_ADDRESS_LIMIT);
    return gpu;
}

static void free_memory(struct emu_gpu_allocation *allocation)
{
    free(allocation->host);
    free((void *)allocation->tiles);
}

static struct emu_gpu_allocation *slot_at(emu_gpu *gpu, uint32_t index)
{
    return &atomic_load_explicit(&gpu->slots[index / EMU_GPU_SLOTS_IN_PAGE],
                                 memory_order_acquire)[index % EMU_GPU_SLOTS_IN_PAGE];
}

void emu_gpu_destroy(emu_gpu *gpu)
{
    if (!gpu)
        return;
    for (uint32_t i = 0; i < atomic_load(&gpu->slot_count); i++)
        if ((uint32_t)atomic_load(&slot_at(gpu, i)->state) != 0)
            free_memory(slot_at(gpu, i));
    for (size_t i = 0; i < EMU_GPU_SLOT_PAGES; i++)
        free(atomic_load(&gpu->slots[i]));
    emu__pages_finish(&gpu->pages);
    free(gpu);
}

/* ---- slots ---- */

static bool has_slot_page(emu_gpu *gpu, uint32_t index)
{
    _Atomic(struct emu_gpu_allocation *) *at = &gpu->slots[index / EMU_GPU_SLOTS_IN_PAGE];
    struct emu_gpu_allocation *page = atomic_load(at);
    if (page)
        return true;
    struct emu_gpu_allocation *fresh = calloc(EMU_GPU_SLOTS_IN_PAGE, sizeof *fresh);
    if (!fresh)
        return false;
    for (uint32_t i = 0; i < EMU_GPU_SLOTS_IN_PAGE; i++)
        fresh[i].index = index - index % EMU_GPU_SLOTS_IN_PAGE + i;
    if (!atomic_compare_exchange_strong(at, &page, fresh))
        free(fresh);
    return true;
}

static struct emu_gpu_allocation *take_new_slot(emu_gpu *gpu)
{
    unsigned index = atomic_load(&gpu->slot_count);
    do
        if (index == SLOTS_MAX || !has_slot_page(gpu, index))
            return NULL;
    while (!atomic_compare_exchange_weak(&gpu->slot_count, &index, index + 1));
    return slot_at(gpu, index);
}

/* What the list's head becomes: the counter makes it another value, even when the same slot is first again. */
static uint64_t next_head(uint64_t head, uint32_t first)
{
    return ((head >> 32) + 1) << 32 | first;
}

static struct emu_gpu_allocation *take_slot(emu_gpu *gpu)
{
    uint64_t head = atomic_load_explicit(&gpu->free_slot, memory_order_acquire);
    while ((uint32_t)head != 0) {
        struct emu_gpu_allocation *slot = slot_at(gpu, (uint32_t)head - 1);
        const uint32_t next = atomic_load_explicit(&slot->next_free, memory_order_relaxed);
        if (atomic_compare_exchange_weak_explicit(&gpu->free_slot, &head, next_head(head, next),
                                                  memory_order_acquire, memory_order_acquire))
            return slot;
    }
    return take_new_slot(gpu);
}

/* Ends the slot's life. Nobody has a reference, and nobody gets one. */
static void give_back_slot(emu_gpu *gpu, struct emu_gpu_allocation *slot)
{
    const uint64_t life = atomic_load_explicit(&slot->state, memory_order_relaxed) >> 32;
    atomic_store_explicit(&slot->state, (life + 1) << 32, memory_order_release);
    uint64_t head = atomic_load_explicit(&gpu->free_slot, memory_order_relaxed);
    do
        atomic_store_explicit(&slot->next_free, (uint32_t)head, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&gpu->free_slot, &head,
                                                  next_head(head, slot->index + 1),
                                                  memory_order_release, memory_order_relaxed));
}

/* ---- references ---- */

/* How the page table names an allocation: life << 32 | index << 1 | 1. */
static uint64_t owner_of(const struct emu_gpu_allocation *allocation)
{
    return (atomic_load_explicit(&allocation->state, memory_order_relaxed) >> 32) << 32 |
           (uint64_t)allocation->index << 1 | 1;
}

struct emu_gpu_allocation *emu__gpu_acquire(emu_gpu *gpu, uint64_t address)
{
    if (address >= EMU_GPU_ADDRESS_LIMIT)
        return NULL;
    const uint64_t owner = emu__pages_owner(&gpu->pages, address / PAGE_SIZE);
    if (owner == 0)
        return NULL;
    struct emu_gpu_allocation *allocation = slot_at(gpu, (uint32_t)owner >> 1);
    uint64_t state = atomic_load_explicit(&allocation->state, memory_order_relaxed);
    while (state >> 32 == owner >> 32 && (uint32_t)state != 0)
        if (atomic_compare_exchange_weak_explicit(&allocation->state, &state, state + 1,
                                                  memory_order_acquire, memory_order_relaxed))
            return allocation;
    return NULL;
}

void emu__gpu_release(emu_gpu *gpu, struct emu_gpu_allocation *allocation)
{
    const uint64_t state = atomic_fetch_sub_explicit(&allocation->state, 1, memory_order_acq_rel);
    if ((uint32_t)state != 1)
        return;
    free_memory(allocation);
    give_back_slot(gpu, allocation);
}

/* ---- addresses ---- */

static uint64_t pages_of(uint64_t size)
{
    return (size + PAGE_SIZE - 1) / PAGE_SIZE;
}

/* The counter is at least `value` afterwards. */
static void raise_counter(_Atomic uint64_t *counter, uint64_t value)
{
    uint64_t now = atomic_load(counter);
    while (now < value && !atomic_compare_exchange_weak(counter, &now, value))
        ;
}

/* How many granules to go on from `first` to be past the allocation at `page`, and the gap behind it. */
static uint64_t granules_past(emu_gpu *gpu, const struct emu_gpu_window *window, uint64_t first,
                              uint64_t page)
{
    uint64_t end = page + 1;
    struct emu_gpu_allocation *taken = emu__gpu_acquire(gpu, page * PAGE_SIZE);
    if (taken) {
        end = taken->address / PAGE_SIZE + pages_of(taken->size) + 1;
        emu__gpu_release(gpu, taken);
    }
    return (end - first + window->granule - 1) / window->granule;
}

/* Claims `count` pages somewhere in the window; the first one's number, 0 when there is no room. */
static uint64_t claim_in(emu_gpu *gpu, struct emu_gpu_window *window, uint64_t count,
                         uint64_t owner)
{
    const uint64_t room = (window->end - window->first) / window->granule;
    const uint64_t span = (count + 1 + window->granule - 1) / window->granule; /* and the gap */
    const uint64_t limit = atomic_load(&gpu->end) / PAGE_SIZE;
    for (uint64_t passed = 0; passed <= 2 * room && span <= room;) {
        const uint64_t at = atomic_fetch_add(&window->next, span);
        const uint64_t first = window->first + at % room * window->granule;
        uint64_t stop, skip = span;
        if (at % room > room - span || first + count > limit) {
            skip = room - at % room; /* the next round */
        } else {
            switch (emu__pages_claim(&gpu->pages, first, first + count, owner, &stop)) {
            case EMU_PAGES_CLAIMED:
                return first;
            case EMU_PAGES_NO_MEMORY:
                return 0;
            case EMU_PAGES_TAKEN:
                skip = granules_past(gpu, window, first, stop);
                break;
            }
        }
        raise_counter(&window->next, at + skip);
        passed += skip;
    }
    return 0;
}

static uint64_t claim_anywhere(emu_gpu *gpu, uint64_t count, uint64_t owner)
{
    uint64_t first = 0;
    if (count < LARGE_PAGES)
        first = claim_in(gpu, &gpu->small, count, owner);
    return first != 0 ? first : claim_in(gpu, &gpu->large, count, owner);
}

/* Gives the allocation its address and shows it to everybody. */
static bool map(emu_gpu *gpu, struct emu_gpu_allocation *allocation, uint64_t address)
{
    const uint64_t count = pages_of(allocation->size), owner = owner_of(allocation);
    uint64_t first = address / PAGE_SIZE, stop;
    if (address == 0)
        first = claim_anywhere(gpu, count, owner);
    else if (emu__pages_claim(&gpu->pages, first, first + count, owner, &stop) != EMU_PAGES_CLAIMED)
        first = 0;
    allocation->address = first * PAGE_SIZE;
    /* Until now the pages led to an allocation without references, that is, nowhere. */
    if (first != 0)
        atomic_fetch_add_explicit(&allocation->state, 1, memory_order_release);
    return first != 0;
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
    size_t misaligned = (uintptr_t)allocation->host % HOST_ALIGNMENT;
    allocation->cpu =
        (char *)allocation->host + (misaligned ? HOST_ALIGNMENT - misaligned : (size_t)0);
    return true;
}

static bool allocate_tiles(struct emu_gpu_allocation *allocation, uint64_t size)
{
    allocation->tiles = calloc((size_t)pages_of(size), sizeof *allocation->tiles);
    return allocation->tiles != NULL;
}

/* Whose bytes an allocation has. */
enum backing { BACKED_BY_HOST, BACKED_BY_TILES, BACKED_BY_OTHERS };

static bool allocate(emu_gpu *gpu, enum backing backing, uint64_t size, uint64_t address,
                     void *others, emu_gpu_memory *out)
{
    if (size == 0 || size > EMU_GPU_ALLOCATION_LIMIT || address % PAGE_SIZE != 0 ||
        address >= EMU_GPU_ADDRESS_LIMIT || size > EMU_GPU_ADDRESS_LIMIT - address)
        return false;
    struct emu_gpu_allocation *allocation = take_slot(gpu);
    if (!allocation)
        return false;
    allocation->host = NULL;
    allocation->tiles = NULL;
    allocation->cpu = others;
    allocation->size = size;
    if ((backing == BACKED_BY_HOST && !allocate_host(allocation, size)) ||
        (backing == BACKED_BY_TILES && !allocate_tiles(allocation, size)))
        goto err0;
    if (!map(gpu, allocation, address))
        goto err1;
    atomic_fetch_add(&gpu->count, 1);
    if (backing == BACKED_BY_HOST)
        atomic_fetch_add(&gpu->bytes, size);
    *out = (emu_gpu_memory){allocation->address, size, allocation->cpu};
    return true;
err1:
    free_memory(allocation);
err0:
    give_back_slot(gpu, allocation);
    return false;
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

void emu_gpu_free(emu_gpu *gpu, uint64_t address)
{
    if (address == 0)
        return;
    const uint64_t first = address / PAGE_SIZE;
    const uint64_t owner = emu__pages_owner(&gpu->pages, first);
    assert(owner != 0);
    struct emu_gpu_allocation *allocation = slot_at(gpu, (uint32_t)owner >> 1);
    assert(allocation->address == address && owner == owner_of(allocation));
    emu__pages_release(&gpu->pages, first, first + pages_of(allocation->size), owner);
    atomic_fetch_sub(&gpu->count, 1);
    if (allocation->host)
        atomic_fetch_sub(&gpu->bytes, allocation->size);
    emu__gpu_release(gpu, allocation);
}

uint64_t emu_gpu_bytes(const emu_gpu *gpu)
{
    return atomic_load(&gpu->bytes);
}

/* ---- accesses ---- */

void *emu_gpu_translate(emu_gpu *gpu, uint64_t address, uint64_t size)
{
    void *cpu = NULL;
    struct emu_gpu_allocation *a = emu__gpu_acquire(gpu, address);
    if (!a)
        return NULL;
    const uint64_t offset = address - a->address;
    if (a->cpu && offset < a->size && size <= a->size - offset)
        cpu = (char *)a->cpu + offset;
    emu__gpu_release(gpu, a);
    return cpu;
}

bool emu_gpu_access_begin(emu_gpu *gpu, uint64_t address, uint64_t size, emu_gpu_access *out)
{
    struct emu_gpu_allocation *a = emu__gpu_acquire(gpu, address);
    if (!a)
        return false;
    const uint64_t offset = address - a->address;
    if (offset < a->size && !a->tiles) {
        const uint64_t mapped = a->size - offset;
        *out = (emu_gpu_access){(char *)a->cpu + offset, size < mapped ? size : mapped, a};
        return true;
    }
    const bool found = offset < a->size && emu__gpu_access_tile(gpu, a, address, size, out);
    emu__gpu_release(gpu, a);
    return found;
}

void emu_gpu_access_end(emu_gpu *gpu, emu_gpu_access *access)
{
    if (access->allocation)
        emu__gpu_release(gpu, access->allocation);
    else
        free(access->cpu); /* what a tile without memory is read from and written to */
    *access = (emu_gpu_access){0};
}
