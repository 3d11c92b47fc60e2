/*
 * The page table is an array of allocations sorted by address. Engines look up with a shared lock
 * held for a binary search only; the reference they take instead keeps the bytes alive while they
 * work on them, so that an application that frees memory under a running engine gets a page fault
 * at the next access and never corrupts the process.
 */
#include "memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define HOST_ALIGNMENT 4096u

emu_gpu *emu_gpu_create(void)
{
    emu_gpu *gpu = calloc(1, sizeof *gpu);
    if (!gpu)
        return NULL;
    gpu->next = EMU_GPU_ADDRESS_FIRST;
    gpu->end = EMU_GPU_ADDRESS_LIMIT;
    if (pthread_rwlock_init(&gpu->lock, NULL) != 0) {
        free(gpu);
        return NULL;
    }
    return gpu;
}

static void allocation_release(struct emu_gpu_allocation *allocation)
{
    if (atomic_fetch_sub_explicit(&allocation->refs, 1, memory_order_acq_rel) != 1)
        return;
    free(allocation->host);
    free(allocation);
}

void emu_gpu_destroy(emu_gpu *gpu)
{
    if (!gpu)
        return;
    for (size_t i = 0; i < gpu->count; i++)
        allocation_release(gpu->mapped[i]);
    free(gpu->mapped);
    pthread_rwlock_destroy(&gpu->lock);
    free(gpu);
}

/* Index of the first allocation that ends above `address`; `count` when there is none. */
static size_t first_above(const emu_gpu *gpu, uint64_t address)
{
    size_t low = 0;
    size_t high = gpu->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct emu_gpu_allocation *a = gpu->mapped[middle];
        if (a->address + a->size > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static uint64_t align_up(uint64_t value)
{
    return (value + EMU_GPU_ADDRESS_ALIGNMENT - 1) & ~(uint64_t)(EMU_GPU_ADDRESS_ALIGNMENT - 1);
}

/* The lowest address at or above `start` with `span` unmapped bytes; 0 when there is none. */
static uint64_t find_gap(const emu_gpu *gpu, uint64_t start, uint64_t span)
{
    uint64_t candidate = start;
    for (size_t i = first_above(gpu, start); i < gpu->count; i++) {
        const struct emu_gpu_allocation *a = gpu->mapped[i];
        if (a->address >= candidate && a->address - candidate >= span)
            break;
        candidate = align_up(a->address + a->size);
    }
    return candidate < gpu->end && gpu->end - candidate >= span ? candidate : 0;
}

static uint64_t choose_address(emu_gpu *gpu, uint64_t size)
{
    uint64_t span = align_up(size) + EMU_GPU_ADDRESS_ALIGNMENT;
    uint64_t address = find_gap(gpu, gpu->next, span);
    if (address == 0)
        address = find_gap(gpu, EMU_GPU_ADDRESS_FIRST, span);
    if (address != 0)
        gpu->next = address + span;
    return address;
}

static bool is_free(const emu_gpu *gpu, uint64_t address, uint64_t size)
{
    size_t i = first_above(gpu, address);
    return i == gpu->count || gpu->mapped[i]->address >= address + size;
}

static bool reserve_slot(emu_gpu *gpu)
{
    if (gpu->count < gpu->capacity)
        return true;
    size_t capacity = gpu->capacity ? gpu->capacity * 2 : 64;
    struct emu_gpu_allocation **mapped = realloc(gpu->mapped, capacity * sizeof *mapped);
    if (!mapped)
        return false;
    gpu->mapped = mapped;
    gpu->capacity = capacity;
    return true;
}

/* Gives the allocation its address and enters it into the table. */
static bool map(emu_gpu *gpu, struct emu_gpu_allocation *allocation, uint64_t address)
{
    if (!reserve_slot(gpu))
        return false;
    if (address == 0)
        address = choose_address(gpu, allocation->size);
    else if (!is_free(gpu, address, allocation->size))
        return false;
    if (address == 0)
        return false;
    allocation->address = address;
    size_t i = first_above(gpu, address);
    memmove(&gpu->mapped[i + 1], &gpu->mapped[i], (gpu->count - i) * sizeof *gpu->mapped);
    gpu->mapped[i] = allocation;
    gpu->count++;
    return true;
}

static struct emu_gpu_allocation *allocation_create(uint64_t size)
{
    if (size > SIZE_MAX - HOST_ALIGNMENT)
        return NULL;
    struct emu_gpu_allocation *allocation = calloc(1, sizeof *allocation);
    if (!allocation)
        return NULL;
    /* calloc: large zeroed memory comes from the system lazily. */
    allocation->host = calloc(1, (size_t)size + HOST_ALIGNMENT - 1);
    if (!allocation->host) {
        free(allocation);
        return NULL;
    }
    size_t misaligned = (uintptr_t)allocation->host % HOST_ALIGNMENT;
    allocation->cpu =
        (char *)allocation->host + (misaligned ? HOST_ALIGNMENT - misaligned : (size_t)0);
    allocation->size = size;
    atomic_init(&allocation->refs, 1);
    return allocation;
}

bool emu_gpu_allocate(emu_gpu *gpu, uint64_t size, uint64_t address, emu_gpu_memory *out)
{
    if (size == 0 || size > EMU_GPU_ALLOCATION_LIMIT)
        return false;
    if (address % EMU_GPU_ADDRESS_ALIGNMENT != 0 || address >= EMU_GPU_ADDRESS_LIMIT ||
        size > EMU_GPU_ADDRESS_LIMIT - address)
        return false;
    struct emu_gpu_allocation *allocation = allocation_create(size);
    if (!allocation)
        return false;
    pthread_rwlock_wrlock(&gpu->lock);
    bool mapped = map(gpu, allocation, address);
    if (mapped)
        *out = (emu_gpu_memory){allocation->address, size, allocation->cpu};
    pthread_rwlock_unlock(&gpu->lock);
    if (!mapped)
        allocation_release(allocation);
    return mapped;
}

void emu_gpu_free(emu_gpu *gpu, uint64_t address)
{
    if (address == 0)
        return;
    pthread_rwlock_wrlock(&gpu->lock);
    size_t i = first_above(gpu, address);
    assert(i < gpu->count && gpu->mapped[i]->address == address);
    struct emu_gpu_allocation *allocation = gpu->mapped[i];
    gpu->count--;
    memmove(&gpu->mapped[i], &gpu->mapped[i + 1], (gpu->count - i) * sizeof *gpu->mapped);
    pthread_rwlock_unlock(&gpu->lock);
    allocation_release(allocation);
}

static struct emu_gpu_allocation *find(const emu_gpu *gpu, uint64_t address)
{
    size_t i = first_above(gpu, address);
    return i < gpu->count && gpu->mapped[i]->address <= address ? gpu->mapped[i] : NULL;
}

void *emu_gpu_translate(emu_gpu *gpu, uint64_t address, uint64_t size)
{
    void *cpu = NULL;
    pthread_rwlock_rdlock(&gpu->lock);
    const struct emu_gpu_allocation *a = find(gpu, address);
    if (a && size <= a->size - (address - a->address))
        cpu = (char *)a->cpu + (address - a->address);
    pthread_rwlock_unlock(&gpu->lock);
    return cpu;
}

bool emu_gpu_access_begin(emu_gpu *gpu, uint64_t address, uint64_t size, emu_gpu_access *out)
{
    pthread_rwlock_rdlock(&gpu->lock);
    struct emu_gpu_allocation *a = find(gpu, address);
    if (a)
        atomic_fetch_add_explicit(&a->refs, 1, memory_order_relaxed);
    pthread_rwlock_unlock(&gpu->lock);
    if (!a)
        return false;
    uint64_t offset = address - a->address;
    uint64_t mapped = a->size - offset;
    *out = (emu_gpu_access){(char *)a->cpu + offset, size < mapped ? size : mapped, a};
    return true;
}

void emu_gpu_access_end(emu_gpu *gpu, emu_gpu_access *access)
{
    (void)gpu;
    allocation_release(access->allocation);
    *access = (emu_gpu_access){0};
}
