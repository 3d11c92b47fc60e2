/* Memory that may not be there, and large pages, on a system that refuses [base/os.h]. */
#include "os_system.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum { LARGE = 3 * 4096 + 5 };
static char from[LARGE], to[LARGE + 1];

static bool is_read(size_t size)
{
    for (size_t i = 0; i < LARGE; i++)
        from[i] = (char)(i * 7 + i / 256);
    memset(to, 0x55, sizeof to);
    return annot__memory_read(to, from, size);
}

static bool is_copied(size_t size)
{
    bool is_same = is_read(size) && to[size] == 0x55;
    for (size_t i = 0; i < size; i++)
        is_same &= to[i] == (char)(i * 7 + i / 256);
    return is_same;
}

/* At once, or through a pipe where a sandbox forbids that. */
Test(os_posix, memory_is_copied_whole_by_either_way)
{
    static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 8192, LARGE};
    const int next = os_next_descriptor();
    os_has_small_pipes = true;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (unsigned is_by_pipe = 0; is_by_pipe < 2; is_by_pipe++) {
            os_answer(CALL_process_vm_readv, 0, is_by_pipe, EPERM, 0);
            os_answers[CALL_pipe].called = 0;
            cr_expect(is_copied(sizes[i]), "%zu bytes, %u", sizes[i], is_by_pipe);
            cr_expect_eq(os_answers[CALL_pipe].called, is_by_pipe);
        }
    cr_expect_eq(os_next_descriptor(), next);
}

Test(os_posix, memory_that_is_not_there_is_no_crash_by_either_way)
{
    char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(pages, MAP_FAILED);
    munmap(pages + 4096, 4096);
    const int next = os_next_descriptor();
    for (unsigned is_by_pipe = 0; is_by_pipe < 2; is_by_pipe++) {
        os_answer(CALL_process_vm_readv, 0, 0, 0, 0);
        for (int i = 0; i < 2; i++) {
            os_answer(CALL_process_vm_readv, 0, is_by_pipe, EPERM, 0);
            os_answers[CALL_pipe].called = 0;
            cr_expect_not(annot__memory_read(to, pages + (i ? 4096 : 4000), 200));
            cr_expect_eq(os_answers[CALL_pipe].called, is_by_pipe);
        }
        os_answer(CALL_process_vm_readv, 0, is_by_pipe, EPERM, 0);
        cr_expect(annot__memory_read(to, pages + 3896, 200));
    }
    cr_expect_eq(os_next_descriptor(), next);
    munmap(pages, 4096);
}

Test(os_posix, memory_that_is_copied_in_part_is_not_copied)
{
    const int next = os_next_descriptor();
    os_answer(CALL_process_vm_readv, 0, 1, 0, 99);
    cr_expect_not(is_read(100));
    os_answer(CALL_process_vm_readv, 0, 4, EPERM, 0);
    os_fail(CALL_pipe, EMFILE);
    cr_expect_not(is_read(100), "no descriptor is left");
    os_answer(CALL_write, 1, 1, 0, 0);
    cr_expect_not(is_read(4097), "the pipe takes nothing");
    os_answer(CALL_read, 1, 1, 0, 1);
    cr_expect_not(is_read(4098), "and gives less than it took");
    os_fail(CALL_read, EIO);
    cr_expect_not(is_read(4));
    cr_expect_eq(os_next_descriptor(), next);
}

Test(os_posix, only_large_pages_that_lie_in_the_memory_are_asked_for)
{
    const uintptr_t page = (uintptr_t)2 << 20;
    const struct {
        uintptr_t begin, end, first, last; /* 0: nothing is asked for */
    } cases[] = {
        {page, 2 * page, page, 2 * page},         {page, 2 * page - 1, 0, 0},
        {page + 1, 2 * page + 1, 0, 0},           {page + 1, 3 * page, 2 * page, 3 * page},
        {page, 4 * page - 1, page, 3 * page},     {page + 1, 4 * page - 1, 2 * page, 3 * page},
        {page - 1, 2 * page + 1, page, 2 * page}, {page + 1, 3 * page - 1, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        os_answer(CALL_madvise, 0, 1, ENOMEM, 0);
        os_answers[CALL_madvise].called = 0;
        os_advised_begin = os_advised_end = 0;
        errno = 77;
        annot__memory_expect((void *)cases[i].begin, cases[i].end - cases[i].begin);
        cr_expect_eq(errno, 77);
        cr_expect_eq(os_answers[CALL_madvise].called, cases[i].first > 0, "case %zu", i);
        cr_expect_eq(os_advised_begin, cases[i].first, "case %zu", i);
        cr_expect_eq(os_advised_end, cases[i].last, "case %zu", i);
        cr_expect(cases[i].first == 0 || os_advice == MADV_HUGEPAGE);
    }
}
