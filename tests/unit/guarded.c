#include "asserts.h"
#include "guarded.h"

#include <stdlib.h>
#include <string.h>
#ifdef __SANITIZE_ADDRESS__ /* reads out of bounds are seen, too */
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(memory, size)   ((void)0)
#define ASAN_UNPOISON_MEMORY_REGION(memory, size) ((void)0)
#endif

enum { BEFORE = 64, BEHIND = 64 };

static size_t live; /* blocks; a test opens its readers in one thread */
static unsigned failing;

void guarded_fail_at(unsigned allocation)
{
    failing = allocation;
}

/* Criterion shows an assertion that fails here, and lets the test pass. */
void guarded_expect_nothing_left(void)
{
    cr_expect_eq(live, 0, "%zu blocks of a reader were not released", live);
    if (live > 0)
        abort();
}

static void *allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    cr_assert(alignment > 0 && alignment <= BEFORE);
    cr_assert_eq((alignment & (alignment - 1)), 0);
    cr_assert_gt(size, 0);
    if (failing > 0 && --failing == 0)
        return NULL;
    unsigned char *block = aligned_alloc(BEFORE, (BEFORE + size + BEHIND + 63) / 64 * 64);
    if (!block)
        return NULL;
    live++;
    memcpy(block, &size, sizeof size);
    memset(block + BEFORE, 0xA5, size);
    memset(block + BEFORE + size, 0xC3, BEHIND);
    ASAN_POISON_MEMORY_REGION(block, BEFORE);
    ASAN_POISON_MEMORY_REGION(block + BEFORE + size, BEHIND);
    return block + BEFORE;
}

static void release(void *user, void *memory, size_t size)
{
    (void)user;
    unsigned char *block = (unsigned char *)memory - BEFORE;
    size_t asked;
    ASAN_UNPOISON_MEMORY_REGION(block, BEFORE);
    ASAN_UNPOISON_MEMORY_REGION(block + BEFORE + size, BEHIND);
    memcpy(&asked, block, sizeof asked);
    cr_assert_eq(size, asked, "%zu bytes are released, %zu were asked for", size, asked);
    for (size_t i = 0; i < BEHIND; i++)
        cr_assert_eq(block[BEFORE + size + i], 0xC3, "byte %zu behind %zu was written", i, size);
    memset(memory, 0x5A, size);
    live--;
    free(block);
}

const annot_reader_desc guarded_memory = {.allocator = {NULL, allocate, release}};
