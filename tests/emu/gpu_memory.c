/* GPU memory: placement, translation, and what is not mapped [ANN-MODE-09]. */
#include "rig.h"

Test(gpu_memory, is_zeroed_and_seen_by_cpu_and_gpu_alike)
{
    emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory memory = allocate(gpu, 100000);
    cr_assert_eq(memory.address % EMU_GPU_ADDRESS_ALIGNMENT, 0);
    cr_assert_eq((uintptr_t)memory.cpu % 4096, 0);
    for (size_t i = 0; i < 100000; i++)
        cr_assert_eq(((unsigned char *)memory.cpu)[i], 0);
    cr_assert_eq(emu_gpu_translate(gpu, memory.address, 100000), memory.cpu);
    cr_assert_eq(emu_gpu_translate(gpu, memory.address + 99999, 1), (char *)memory.cpu + 99999);
    emu_gpu_destroy(gpu);
}

Test(gpu_memory, outside_of_allocations_nothing_is_mapped)
{
    emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory a = allocate(gpu, 65536);
    emu_gpu_memory b = allocate(gpu, 65536);
    cr_assert_null(emu_gpu_translate(gpu, 0, 1));
    cr_assert_null(emu_gpu_translate(gpu, a.address - 1, 1));
    cr_assert_null(emu_gpu_translate(gpu, a.address, 65537));
    cr_assert_null(emu_gpu_translate(gpu, a.address + 65536, 1), "a gap follows every allocation");
    cr_assert_null(emu_gpu_translate(gpu, a.address, UINT64_MAX));
    cr_assert_null(emu_gpu_translate(gpu, UINT64_MAX, 1));
    cr_assert_geq(b.address, a.address + 2 * 65536u);
    emu_gpu_destroy(gpu);
}

Test(gpu_memory, a_freed_range_is_unmapped_and_not_used_again_soon)
{
    emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory first = allocate(gpu, 4096);
    emu_gpu_free(gpu, first.address);
    cr_assert_null(emu_gpu_translate(gpu, first.address, 1));
    for (int i = 0; i < 1000; i++) {
        emu_gpu_memory next = allocate(gpu, 4096);
        cr_assert_gt(next.address, first.address);
        emu_gpu_free(gpu, next.address);
    }
    emu_gpu_destroy(gpu);
}

Test(gpu_memory, a_chosen_address_is_honoured_or_refused)
{
    emu_gpu *gpu = emu_gpu_create();
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
        {EMU_GPU_ADDRESS_LIMIT, 16, "past the address space"},
        {EMU_GPU_ADDRESS_LIMIT - 65536, 65537, "its end is past the address space"},
        {at + 0x10000000, 0, "no bytes"},
        {0, EMU_GPU_ALLOCATION_LIMIT + 1, "too large"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        cr_assert_not(emu_gpu_allocate(gpu, refused[i].size, refused[i].address, &memory), "%s",
                      refused[i].why);
    cr_assert(emu_gpu_allocate(gpu, 65536, at - 65536, &memory), "up to its start is free");
    cr_assert(emu_gpu_allocate(gpu, 65536, at + 2 * 65536, &memory), "from its end on is free");
    emu_gpu_free(gpu, at);
    cr_assert(emu_gpu_allocate(gpu, 65536, at, &memory), "free again");
    emu_gpu_destroy(gpu);
}

Test(gpu_memory, automatic_placement_goes_around_chosen_addresses)
{
    emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory memory;
    for (uint64_t i = 0; i < 4; i++)
        cr_assert(emu_gpu_allocate(gpu, 65536, EMU_GPU_ADDRESS_FIRST + i * 3 * 65536, &memory));
    emu_gpu_memory large = allocate(gpu, 3 * 65536);
    cr_assert_geq(large.address, EMU_GPU_ADDRESS_FIRST + (3 * 3 + 1) * 65536u);
    emu_gpu_destroy(gpu);
}

Test(gpu_memory, at_the_end_of_the_address_space_it_starts_over)
{
    emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory low = allocate(gpu, 65536);
    gpu->next = EMU_GPU_ADDRESS_LIMIT - 2 * 65536u;
    emu_gpu_memory high = allocate(gpu, 65536);
    cr_assert_eq(high.address, EMU_GPU_ADDRESS_LIMIT - 2 * 65536u);
    emu_gpu_memory again = allocate(gpu, 65536);
    cr_assert_gt(again.address, low.address);
    cr_assert_lt(again.address, high.address);
    exhaust(gpu);
    emu_gpu_memory none;
    cr_assert_not(emu_gpu_allocate(gpu, 1, 0, &none));
    emu_gpu_destroy(gpu);
}

Test(gpu_memory, memory_freed_during_an_access_stays_until_the_access_ends)
{
    emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory memory = allocate(gpu, 256);
    emu_gpu_access access;
    cr_assert(emu_gpu_access_begin(gpu, memory.address + 56, 4096, &access));
    cr_assert_eq(access.size, 200, "up to the end of what is mapped");
    emu_gpu_free(gpu, memory.address);
    memset(access.cpu, 1, 200); /* AddressSanitizer would see it gone */
    emu_gpu_access second;
    cr_assert_not(emu_gpu_access_begin(gpu, memory.address, 1, &second));
    emu_gpu_access_end(gpu, &access);
    emu_gpu_destroy(gpu);
}

Test(gpu_memory, many_allocations_are_all_found)
{
    emu_gpu *gpu = emu_gpu_create();
    emu_gpu_memory memory[500];
    for (size_t i = 0; i < 500; i++)
        memory[i] = allocate(gpu, 16 + i);
    for (size_t i = 0; i < 500; i += 2)
        emu_gpu_free(gpu, memory[i].address);
    for (size_t i = 0; i < 500; i++)
        cr_assert_eq(emu_gpu_translate(gpu, memory[i].address, 16 + i),
                     i % 2 ? memory[i].cpu : NULL);
    emu_gpu_destroy(gpu);
}
