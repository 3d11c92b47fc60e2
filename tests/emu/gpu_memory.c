/* GPU memory: placement, translation, and what is not mapped [ANN-MODE-09]. */
#include "rig.h"

#include <pthread.h>

Test(gpu_memory, is_zeroed_and_seen_by_cpu_and_gpu_alike)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory memory = allocate(gpu, 100000);
    cr_assert_eq(memory.address % EMU_GPU_ADDRESS_ALIGNMENT, 0);
    cr_assert_eq((uintptr_t)memory.cpu % 4096, 0);
    for (size_t i = 0; i < 100000; i++)
        cr_assert_eq(((unsigned char *)memory.cpu)[i], 0);
    cr_assert_eq(emu_gpu_translate(gpu, memory.address, 100000), memory.cpu);
    cr_assert_eq(emu_gpu_translate(gpu, memory.address + 99999, 1), (char *)memory.cpu + 99999);
}

Test(gpu_memory, outside_of_allocations_nothing_is_mapped)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory a = allocate(gpu, 65536);
    emu_gpu_memory b = allocate(gpu, 65536);
    cr_assert_null(emu_gpu_translate(gpu, 0, 1));
    cr_assert_null(emu_gpu_translate(gpu, a.address - 1, 1));
    cr_assert_null(emu_gpu_translate(gpu, a.address, 65537));
    cr_assert_null(emu_gpu_translate(gpu, a.address + 65536, 1), "a gap follows every allocation");
    cr_assert_null(emu_gpu_translate(gpu, a.address, UINT64_MAX));
    cr_assert_null(emu_gpu_translate(gpu, UINT64_MAX, 1));
    cr_assert_geq(b.address, a.address + 2 * 65536u);
}

Test(gpu_memory, a_freed_range_is_unmapped_and_not_used_again_soon)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory first = allocate(gpu, 4096);
    emu_gpu_free(gpu, first.address);
    cr_assert_null(emu_gpu_translate(gpu, first.address, 1));
    for (int i = 0; i < 1000; i++) {
        emu_gpu_memory next = allocate(gpu, 4096);
        cr_assert_gt(next.address, first.address);
        emu_gpu_free(gpu, next.address);
    }
}

/* Reserved and imported ranges have no memory of their own. */
Test(gpu_memory, bytes_in_use_follow_allocations)
{
    static unsigned char others[65536];
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    cr_assert_eq(emu_gpu_bytes(gpu), 0);
    const emu_gpu_memory first = allocate(gpu, 5000), second = allocate(gpu, 65536);
    emu_gpu_memory reserved, imported;
    cr_assert(emu_gpu_reserve(gpu, 65536, 0, &reserved));
    cr_assert(emu_gpu_import(gpu, others, sizeof others, 0, &imported));
    cr_expect_eq(emu_gpu_bytes(gpu), 70536);
    emu_gpu_free(gpu, reserved.address);
    emu_gpu_free(gpu, imported.address);
    cr_expect_eq(emu_gpu_bytes(gpu), 70536);
    emu_gpu_free(gpu, first.address);
    cr_expect_eq(emu_gpu_bytes(gpu), 65536);
    emu_gpu_free(gpu, second.address);
    cr_expect_eq(emu_gpu_bytes(gpu), 0);
}

Test(gpu_memory, a_chosen_address_is_honoured_or_refused)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory memory;
    const uint64_t at = 0x123450000;
    cr_assert(emu_gpu_allocate(gpu, 2 * 65536, at, &memory));
    cr_assert_eq(memory.address, at);
    const struct {
        uint64_t address, size;
        const char *why;
    } refused[] = {
        {at, 1, "the start is taken"},
        {at + 65536, 1, "the middle is taken"},
        {at - 65536, 65537, "its end runs into what is there"},
        {at - 65536, 4 * 65536, "it would cover what is there"},
        {at + 1, 16, "misaligned"},
        {at + 0x20000001, 16, "misaligned, where nothing is"},
        {at & ~(((uint64_t)1 << 26) - 1), (uint64_t)1 << 26, "it would cover a part of a leaf"},
        {0x1000000000, (uint64_t)1 << 36, "and of the root"},
        {EMU_GPU_ADDRESS_LIMIT, 16, "past the address space"},
        {EMU_GPU_ADDRESS_LIMIT + 65536, 16, "further past it"},
        {UINT64_MAX - 65535, 65536, "at the end of all numbers"},
        {EMU_GPU_ADDRESS_LIMIT - 65536, 65537, "its end is past the address space"},
        {at + 0x10000000, 0, "no bytes"},
        {0, EMU_GPU_ALLOCATION_LIMIT + 1, "too large"},
    };
    const emu_gpu_memory first = memory;
    static char bytes[1]; /* nothing touches them */
    cr_assert(emu_gpu_import(gpu, bytes, 1, 0x1234560000, &memory));
    memory = first;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        cr_assert_not(emu_gpu_import(gpu, bytes, refused[i].size, refused[i].address, &memory),
                      "%s", refused[i].why);
        cr_expect(memory.address == first.address && memory.size == first.size &&
                      memory.cpu == first.cpu,
                  "%s: nothing happens", refused[i].why);
    }
    cr_assert(emu_gpu_allocate(gpu, 65536, at - 65536, &memory), "up to its start is free");
    cr_assert(emu_gpu_allocate(gpu, 65536, at + 2 * 65536, &memory), "from its end on is free");
    emu_gpu_free(gpu, at);
    cr_assert(emu_gpu_allocate(gpu, 65536, at, &memory), "free again");
}

Test(gpu_memory, automatic_placement_goes_around_chosen_addresses)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory memory;
    for (uint64_t i = 0; i < 4; i++)
        cr_assert(emu_gpu_allocate(gpu, 65536, EMU_GPU_ADDRESS_FIRST + i * 3 * 65536, &memory));
    emu_gpu_memory large = allocate(gpu, 3 * 65536);
    cr_assert_eq(large.address, EMU_GPU_ADDRESS_FIRST + (3 * 3 + 2) * 65536u);
}

Test(gpu_memory, at_the_end_of_a_window_it_starts_over)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory low = allocate(gpu, 65536);
    const uint64_t end = gpu->small.end * 65536;
    gpu->small.next = gpu->small.end - gpu->small.first - 2;
    emu_gpu_memory high = allocate(gpu, 65536);
    cr_assert_eq(high.address, end - 2 * 65536u);
    emu_gpu_memory again = allocate(gpu, 65536);
    cr_assert_gt(again.address, low.address);
    cr_assert_lt(again.address, high.address);
    emu_gpu_free(gpu, high.address);
    gpu->small.next = 3 * (gpu->small.end - gpu->small.first) - 2;
    emu_gpu_memory early = allocate(gpu, 3 * 65536); /* has no room at the end */
    cr_assert_lt(early.address, high.address);
    exhaust(gpu);
    emu_gpu_memory none;
    cr_assert_not(emu_gpu_allocate(gpu, 1, 0, &none));
}

Test(gpu_memory, a_full_window_says_so_and_what_is_freed_is_found_again)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    gpu->small.end = gpu->small.first + 16;
    gpu->large.end = gpu->large.first + 2 * gpu->large.granule;
    emu_gpu_memory memory[9];
    for (size_t i = 0; i < 8; i++) {
        memory[i] = allocate(gpu, 65536);
        cr_assert_lt(memory[i].address, gpu->small.end * 65536);
    }
    memory[8] =
        allocate(gpu, 65536); /* the large window is for small ones as well when it must be */
    cr_assert_geq(memory[8].address, gpu->large.first * 65536);
    allocate(gpu, 65536);
    emu_gpu_memory none;
    cr_assert_not(emu_gpu_allocate(gpu, 65536, 0, &none));
    cr_assert_eq(gpu->count, 10);
    emu_gpu_free(gpu, memory[5].address);
    cr_assert(emu_gpu_allocate(gpu, 65536, 0, &none));
    cr_assert_eq(none.address, memory[5].address);
}

Test(gpu_memory, large_ranges_are_found_from_their_first_byte_to_their_last)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    static const uint64_t sizes[] = {
        (uint64_t)1 << 26,           (uint64_t)1 << 36,        ((uint64_t)1 << 36) + 65536 + 1,
        ((uint64_t)1 << 37) - 65536, EMU_GPU_ALLOCATION_LIMIT, ((uint64_t)1 << 26) - 1,
    };
    static const uint64_t chosen[] = {0, ((uint64_t)1 << 45) + 5 * 65536};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            static char bytes[1];
            emu_gpu_memory memory, other;
            /* nothing touches it, so it needs no bytes */
            cr_assert(emu_gpu_import(gpu, bytes, sizes[i], chosen[k], &memory));
            cr_assert_eq(emu_gpu_translate(gpu, memory.address, sizes[i]), bytes);
            cr_assert_eq(emu_gpu_translate(gpu, memory.address + sizes[i] - 1, 1),
                         bytes + sizes[i] - 1);
            cr_assert_null(emu_gpu_translate(gpu, memory.address + sizes[i], 1));
            cr_assert_null(emu_gpu_translate(gpu, memory.address - 1, 1));
            const uint64_t last = (memory.address + sizes[i] - 1) / 65536 * 65536;
            cr_assert_not(emu_gpu_allocate(gpu, 1, last, &other), "its end is taken");
            cr_assert_not(emu_gpu_import(gpu, bytes, 65537, memory.address - 65536, &other));
            cr_assert(emu_gpu_allocate(gpu, 1, last + 65536, &other), "behind its end is free");
            emu_gpu_free(gpu, memory.address);
            emu_gpu_free(gpu, other.address);
            cr_assert_null(emu_gpu_translate(gpu, memory.address + sizes[i] - 1, 1));
            if (chosen[k] != 0) { /* every page of it, in small steps and large ones */
                cr_assert(emu_gpu_import(gpu, bytes, sizes[i], memory.address, &other));
                emu_gpu_free(gpu, other.address);
            }
        }
}

Test(gpu_memory, memory_freed_during_an_access_stays_until_the_access_ends)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory memory = allocate(gpu, 256);
    struct emu_gpu_access access;
    cr_assert(emu_gpu_access_begin(gpu, memory.address + 56, 4096, &access));
    cr_assert_eq(access.size, 200, "up to the end of what is mapped");
    emu_gpu_free(gpu, memory.address);
    memset(access.cpu, 1, 200); /* AddressSanitizer would see it gone */
    struct emu_gpu_access second;
    cr_assert_not(emu_gpu_access_begin(gpu, memory.address, 1, &second));
    emu_gpu_access_end(&access);
}

Test(gpu_memory, many_allocations_are_all_found)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory memory[500];
    for (size_t i = 0; i < 500; i++)
        memory[i] = allocate(gpu, 16 + i);
    for (size_t i = 0; i < 500; i += 2)
        emu_gpu_free(gpu, memory[i].address);
    for (size_t i = 0; i < 500; i++)
        cr_assert_eq(emu_gpu_translate(gpu, memory[i].address, 16 + i),
                     i % 2 ? memory[i].cpu : NULL);
}

/* ---- reserved ranges ---- */

static void map_tiles(emu_gpu *gpu, uint64_t destination, uint64_t source, uint64_t count,
                      uint64_t stride)
{
    emu_gpu_update_tiles(gpu, &(struct emu_gpu_tiles){destination, source, count, stride});
}

static unsigned char byte_at(emu_gpu *gpu, uint64_t address)
{
    struct emu_gpu_access access;
    cr_assert(emu_gpu_access_begin(gpu, address, 1, &access));
    const unsigned char byte = *(unsigned char *)access.cpu;
    emu_gpu_access_end(&access);
    return byte;
}

Test(gpu_tiles, without_memory_read_as_zeros_and_lose_what_is_written)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory range;
    cr_assert(emu_gpu_reserve(gpu, 3 * 65536 + 100, 0, &range));
    cr_assert_null(range.cpu);
    cr_assert_null(emu_gpu_translate(gpu, range.address, 1));
    struct emu_gpu_access access;
    cr_assert(emu_gpu_access_begin(gpu, range.address + 65530, 100, &access));
    cr_assert_eq(access.size, 6, "up to the tile's end");
    memset(access.cpu, 7, 6);
    emu_gpu_access_end(&access);
    cr_assert_eq(byte_at(gpu, range.address + 65535), 0);
    cr_assert(emu_gpu_access_begin(gpu, range.address + 3 * 65536 + 90, 100, &access));
    cr_assert_eq(access.size, 10, "up to the range's end");
    emu_gpu_access_end(&access);
    cr_assert_not(emu_gpu_access_begin(gpu, range.address + 3 * 65536 + 100, 1, &access));
}

Test(gpu_tiles, have_the_memory_that_they_are_mapped_to)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory range, heap = allocate(gpu, 4 * 65536);
    cr_assert(emu_gpu_reserve(gpu, 4 * 65536, 0, &range));
    for (unsigned i = 0; i < 4; i++)
        memset((char *)heap.cpu + i * 65536, (int)i + 1, 65536);
    const uint64_t at = range.address;
    map_tiles(gpu, at + 65536, heap.address + 2 * 65536, 2, 65536);
    const unsigned char in_order[4] = {0, 3, 4, 0};
    for (unsigned i = 0; i < 4; i++)
        cr_assert_eq(byte_at(gpu, at + i * 65536 + 5), in_order[i]);
    map_tiles(gpu, at, heap.address + 65536, 4, 0);
    for (unsigned i = 0; i < 4; i++)
        cr_assert_eq(byte_at(gpu, at + i * 65536 + 65535), 2, "one tile's memory for all");
    struct emu_gpu_access access;
    cr_assert(emu_gpu_access_begin(gpu, at + 65536, 65537, &access));
    cr_assert_eq(access.size, 65536);
    *(char *)access.cpu = 99;
    emu_gpu_access_end(&access);
    cr_assert_eq(byte_at(gpu, at), 99);
    map_tiles(gpu, at + 65536, 0, 2, 65536);
    cr_assert_eqs(byte_at(gpu, at + 65536), 0, byte_at(gpu, at + 2 * 65536), 0);
    map_tiles(gpu, at, heap.address, 5, 65536); /* one too many: nothing happens */
    cr_assert_eq(byte_at(gpu, at), 99);
    emu_gpu_memory more;
    cr_assert(emu_gpu_reserve(gpu, 65537, 0, &more));
    map_tiles(gpu, more.address, heap.address + 3 * 65536, 2, 0);
    cr_assert_eq(byte_at(gpu, more.address + 65536), 4, "the last tile may be a part of one");
    map_tiles(gpu, at + 65536, heap.address, 4, 65536);
    cr_assert_eq(byte_at(gpu, at + 3 * 65536), 99);
    map_tiles(gpu, heap.address + 65536, heap.address, 1, 65536);
    map_tiles(gpu, at + 1, heap.address, 1, 65536);
    map_tiles(gpu, 65536, heap.address, 1, 65536);
    cr_assert_eq(byte_at(gpu, at), 99);
    emu_gpu_free(gpu, heap.address);
    cr_assert_not(emu_gpu_access_begin(gpu, at, 1, &access), "memory that is gone is a page fault");
    map_tiles(gpu, at, at + 65536, 1, 0);
    cr_assert_not(emu_gpu_access_begin(gpu, at, 1, &access), "a tile is no tile's memory");
}

/* ---- many threads: for ThreadSanitizer ---- */

enum { THREADS = 8, ROUNDS = 400, HELD = 8 };

struct crowd {
    emu_gpu *gpu;
    emu_gpu_memory range, heap;
    _Atomic uint64_t
        known[THREADS]; /* an address of each thread's that others try, perhaps freed */
    atomic_uint chosen; /* how often an address that everybody wants was had */
    atomic_uint holders;
    atomic_uint
        wrong; /* what should never be seen, counted: only the test's own thread may assert */
};

#define EXPECT(crowd, what) atomic_fetch_add(&(crowd)->wrong, !(what))

struct member {
    struct crowd *crowd;
    pthread_t thread;
    unsigned number;
};

#define WANTED ((uint64_t)1 << 42)

/* Everybody wants overlapping ranges around one address; whoever has it has it alone. */
static void want(struct crowd *crowd, unsigned round)
{
    emu_gpu_memory memory;
    if (!emu_gpu_allocate(crowd->gpu, 3 * 65536, WANTED + round % 3 * 65536, &memory))
        return;
    EXPECT(crowd, atomic_fetch_add(&crowd->holders, 1) == 0);
    atomic_fetch_add(&crowd->chosen, 1);
    memset(memory.cpu, (int)round, 3 * 65536);
    atomic_fetch_sub(&crowd->holders, 1);
    emu_gpu_free(crowd->gpu, memory.address);
}

/* Another thread's memory, gone or not: its bytes are either all there or not to be had. */
static void look(struct crowd *crowd, unsigned round)
{
    struct emu_gpu_access access;
    const uint64_t address = atomic_load(&crowd->known[round % THREADS]);
    if (address != 0 && emu_gpu_access_begin(crowd->gpu, address, 8, &access)) {
        EXPECT(crowd, access.size == 8);
        const uint64_t bytes = atomic_load((_Atomic uint64_t *)access.cpu);
        EXPECT(crowd,
               bytes == address || bytes == 0); /* 0: the address's next owner has it already */
        emu_gpu_access_end(&access);
    }
    const uint64_t tile = crowd->range.address + round % 4 * 65536;
    emu_gpu_update_tiles(crowd->gpu,
                         &(struct emu_gpu_tiles){tile, round % 2 ? crowd->heap.address : 0, 1, 0});
    const bool there = emu_gpu_access_begin(crowd->gpu, tile, 1, &access);
    EXPECT(crowd, there);
    if (there)
        emu_gpu_access_end(&access);
}

static void *take_part(void *argument)
{
    const struct member *member = argument;
    struct crowd *crowd = member->crowd;
    emu_gpu_memory held[HELD] = {{0}};
    for (unsigned round = 0; round < ROUNDS; round++) {
        emu_gpu_memory *memory = &held[round % HELD];
        emu_gpu_free(crowd->gpu, memory->address);
        *memory = (emu_gpu_memory){0};
        if (!emu_gpu_allocate(crowd->gpu, 8 + round % 5 * 65536, 0, memory)) {
            EXPECT(crowd, false);
            break;
        }
        atomic_store((_Atomic uint64_t *)memory->cpu, memory->address);
        atomic_store(&crowd->known[member->number], memory->address);
        look(crowd, round + member->number);
        want(crowd, round + member->number);
        for (unsigned i = 0; i < HELD; i++) /* nobody else was given any of these */
            if (held[i].address)
                EXPECT(crowd, atomic_load((_Atomic uint64_t *)held[i].cpu) == held[i].address);
    }
    for (unsigned i = 0; i < HELD; i++)
        emu_gpu_free(crowd->gpu, held[i].address);
    return NULL;
}

Test(gpu_memory, eight_threads_have_addresses_of_their_own)
{
    static struct crowd crowd;
    struct member members[THREADS];
    crowd.gpu = emu_gpu_create();
    /* so narrow that addresses are used again and again */
    crowd.gpu->small.end = crowd.gpu->small.first + THREADS * (HELD + 1) * 8;
    crowd.heap = allocate(crowd.gpu, 65536);
    cr_assert(emu_gpu_reserve(crowd.gpu, 4 * 65536, 0, &crowd.range));
    for (unsigned i = 0; i < THREADS; i++) {
        members[i] = (struct member){.crowd = &crowd, .number = i};
        cr_assert_eq(pthread_create(&members[i].thread, NULL, take_part, &members[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(members[i].thread, NULL);
    cr_assert_eq(atomic_load(&crowd.wrong), 0);
    cr_assert_gt(atomic_load(&crowd.chosen), 0);
    cr_assert_eq(crowd.gpu->count, 2, "the heap and the range");
    emu_gpu_destroy(crowd.gpu);
}
