/* Memory and handles of the operating system's. */
#include "folder.h"

#include "asserts.h"

#include <os_handle.h>
#include <os_memory.h>
#include <os_process.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

Test(memory, an_allocation_is_its_own_zeroed_and_of_the_size)
{
    static const uint64_t sizes[] = {4096, 8192, 65536, 1 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (most_at_once = 0; most_at_once < 200; most_at_once += 63) { /* lines in pieces */
            char *taken = os_memory_take(sizes[i]), *next = os_memory_take(sizes[i]), copy[2] = {0};
            size_t size = 0;
            cr_assert(taken && next);
            for (uint64_t at = 0; at < sizes[i]; at += 512)
                cr_assert_eq(taken[at], 0);
            memset(taken, 1, sizes[i]);
            cr_assert(os_memory_read(copy, taken + sizes[i] - 1, 1) && copy[0] == 1);
            cr_assert(!os_memory_read(copy, taken + sizes[i] - 1, 2));
            cr_assert(os_allocation_at(taken, &size) && size == sizes[i]);
            cr_assert(!os_allocation_at(taken + 1, &size) &&
                      !os_allocation_at(taken - 4096, &size));
            cr_assert(!os_allocation_at(taken + sizes[i], &size));
            os_memory_give(next, sizes[i]);
            cr_assert(os_allocation_at(taken, &size) && size == sizes[i]);
            os_memory_give(taken, sizes[i]);
            cr_assert(!os_allocation_at(taken, &size) && !os_memory_read(copy, taken, 1));
            for (char *page = taken - 4096; page <= taken + sizes[i]; page += 4096)
                cr_assert(msync(page, 4096, MS_ASYNC) != 0, "a page that stays");
        }
    cr_assert(!os_memory_take(0) && !os_memory_take(UINT64_MAX) &&
              !os_memory_take(SIZE_MAX - 8191) && !os_memory_take(UINT64_C(1) << 62));
}

/* The bytes from the address on, to the end of writable memory. */
Test(memory, an_allocation_counts_from_its_address)
{
    char *taken = os_memory_take(16384);
    size_t size = 0;
    cr_assert(os_allocation_at(taken + 4096, &size) && size == 12288);
    cr_assert(os_allocation_at(taken + 12288, &size) && size == 4096);
    mprotect(taken, 16384, PROT_READ);
    cr_assert(!os_allocation_at(taken, &size));
    os_memory_give(taken, 16384);
    cr_assert(!os_allocation_at(NULL, &size));
    failing_open = (struct failing){1, EMFILE, 0};
    cr_assert(!os_allocation_at(&size, &size));
    failing_read = (struct failing){1, EIO, 0};
    cr_assert(!os_allocation_at(&size, &size));
}

Test(memory, the_machine_has_so_many_pages)
{
    static const struct {
        long pages, size;
        uint64_t right;
    } rows[] = {{3, 4096, 12288}, {1, 1, 1},   {-1, 4096, 0},
                {4096, -1, 0},    {-1, -1, 0}, {1L << 40, 65536, UINT64_C(1) << 56}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        system_pages = rows[i].pages;
        page_size = rows[i].size;
        cr_assert_eq(os_physical_memory(), rows[i].right, "row %zu", i);
    }
}

/* A mapping's line is as long as its file's path. */
Test(memory, an_allocation_is_found_behind_lines_of_any_length)
{
    char name[251];
    size_t size = 0;
    folder_make();
    for (size_t length = 40; length < sizeof name; length += 10) {
        memset(name, 'x', length);
        name[length] = '\0';
        const int file = open(name, O_RDWR | O_CREAT, 0600);
        cr_assert(file >= 0 && ftruncate(file, 4096) == 0);
        char *taken = os_memory_take(8192);
        void *mapped = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
        close(file);
        cr_assert(mapped != MAP_FAILED);
        for (most_at_once = 0; most_at_once < 200; most_at_once += 99)
            cr_assert(os_allocation_at(taken, &size) && size == 8192, "%zu", length);
        most_at_once = 0;
        munmap(mapped, 4096);
        os_memory_give(taken, 8192);
    }
    folder_remove();
}

Test(memory, a_limit_holds_and_never_exceeds_the_systems)
{
    cr_assert(os_limit_memory(1 << 30) && limits.rlim_cur == 1 << 30);
    limits = (struct rlimit){1 << 28, 1 << 29};
    cr_assert(os_limit_memory(1 << 30) && limits.rlim_cur == 1 << 28);
    cr_assert(os_limit_memory((1 << 29) - 1) && limits.rlim_cur == (1 << 29) - 1);
    cr_assert_eq(limits.rlim_max, 1 << 29);
}

static uint64_t taken_from(intptr_t event)
{
    uint64_t count = 0;
    return read((int)event, &count, sizeof count) == sizeof count ? count : 0;
}

Test(memory, an_event_is_set_through_each_of_its_handles)
{
    intptr_t event = os_event_create(), other;
    cr_assert(event > 0 && taken_from(event) == 0);
    cr_assert(os_event_duplicate((void *)event, &other) && other != event);
    cr_assert_eq(fcntl((int)other, F_GETFD), FD_CLOEXEC);
    cr_assert_eq(os_handle_identity((uint64_t)event), os_handle_identity((uint64_t)other));
    failing_write = (struct failing){2, EINTR, 0};
    os_event_signal(other);
    cr_assert_eq(taken_from(event), 1);
    os_event_close(event);
    cr_assert(!os_has_handle((uint64_t)event) && os_has_handle((uint64_t)other));
    os_event_signal(other);
    cr_assert_eq(taken_from(other), 1);
    failing_write = (struct failing){1, EAGAIN, 0}; /* it is set already */
    os_event_signal(other);
    cr_assert_eq(failing_write.times, 0);
    os_event_close(other);
    cr_assert(!os_event_duplicate((void *)other, &event) && event == -1);
    cr_assert(!os_has_handle(UINT64_MAX) && !os_has_handle(UINT64_C(1) << 32));
    cr_assert_eq(os_handle_identity(UINT64_C(0x7fffffff)), 0x7fffffff);
}

Test(memory, a_library_has_its_functions_or_says_why_not)
{
    void *library = os_library_load("libc.so.6");
    cr_assert(library && os_library_function(library, "getpid"));
    cr_assert(!os_library_function(library, "D3D12CreateDevice"));
    cr_assert_not_null(strstr(os_library_error(), "D3D12CreateDevice"));
    cr_assert_str_eq(os_library_error(), "the system gives no reason");
    cr_assert(!os_library_load("/nonexistent.so"));
    cr_assert_eqs(os_process_id(), (uint32_t)getpid(), os_thread_id(), (uint64_t)getpid());
    const uint64_t before = os_monotonic_ns(), wall = os_wall_clock_ns();
    cr_assert(os_performance_count() >= before && os_monotonic_ns() >= before);
    cr_assert(wall > UINT64_C(1600000000000000000) && wall < UINT64_C(5000000000000000000));
    slept = 0;
    os_sleep_millisecond();
    cr_assert_eq(slept, 1000000);
}

Test(memory, a_break_stops_the_process, .signal = 5 /* SIGTRAP */)
{
    os_break();
}

Test(memory, a_break_is_passed_where_it_is_said_so)
{
    os_pass_breaks();
    os_break();
    os_break();
}
