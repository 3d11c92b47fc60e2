/* Small things that the rest of the library stands on: memory at any alignment, locks, the numbers
 * of threads, words for numbers that no one has defined. */
#include "unit_kit.h"
#include "base/alloc.h"
#include "base/compiler.h"
#include "base/object_type.h"
#include "base/os.h"
#include "base/process.h"

#include <annot/dump.h>

#include <pthread.h>

/* annot_allocator: the C library's memory is aligned as it was asked for. */
Test(base, default_memory_is_aligned_as_it_was_asked_for)
{
    annot_allocator allocator = {0};
    cr_assert(annot__allocator_complete(&allocator));
    for (size_t alignment = 1; alignment <= 65536; alignment *= 2) {
        void *blocks[8];
        for (int i = 0; i < 8; i++) {
            blocks[i] = allocator.allocate(NULL, 24, alignment);
            cr_assert_not_null(blocks[i], "%zu", alignment);
            cr_expect_eq((uintptr_t)blocks[i] % alignment, 0, "%zu", alignment);
            memset(blocks[i], 0xA5, 24);
        }
        for (int i = 0; i < 8; i++)
            allocator.release(NULL, blocks[i], 24);
    }
}

static void *try_lock(void *mutex)
{
    return annot__mutex_try(mutex) ? mutex : NULL;
}

static bool is_free(struct annot__mutex *mutex)
{
    pthread_t thread;
    void *had;
    cr_assert_eq(pthread_create(&thread, NULL, try_lock, mutex), 0);
    cr_assert_eq(pthread_join(thread, &had), 0);
    return had != NULL;
}

/* Whatever was in its memory before. */
Test(base, a_mutex_is_had_by_one)
{
    struct annot__mutex mutex;
    memset(&mutex, 0x5A, sizeof mutex);
    annot__mutex_init(&mutex);
    annot__mutex_lock(&mutex);
    cr_expect_not(is_free(&mutex));
    annot__mutex_unlock(&mutex);
    cr_expect(annot__mutex_try(&mutex));
    cr_expect_not(is_free(&mutex));
    annot__mutex_unlock(&mutex);
    annot__mutex_finish(&mutex);
}

static void *own_number(void *to)
{
    *(uint32_t *)to = annot__thread_number();
    return NULL;
}

Test(base, threads_have_numbers_of_their_own)
{
    pthread_t thread;
    uint32_t number = 0;
    cr_assert_eq(pthread_create(&thread, NULL, own_number, &number), 0);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    cr_expect_neq(number, 0);
    cr_expect_neq(number, annot__thread_number());
    cr_expect_eq(annot__thread_number(), annot__thread_number());
}

/* DXGI's and Vulkan's numbers. */
Test(base, errors_of_other_interfaces_are_known_by_their_numbers)
{
    static const struct {
        uint32_t result;
        int32_t error;
    } rows[] = {{0x887A0005, ANNOT_DEVICE_ERROR_UNKNOWN}, {0x887A0006, ANNOT_DEVICE_ERROR_HUNG},
                {0x887A0007, ANNOT_DEVICE_ERROR_UNKNOWN}, {0x887A0020, ANNOT_DEVICE_ERROR_UNKNOWN},
                {0x887A0001, ANNOT_DEVICE_ERROR_NONE},    {0, ANNOT_DEVICE_ERROR_NONE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq((int32_t)annot_device_error_from_hresult(rows[i].result), rows[i].error, "%x",
                     rows[i].result);
    for (int32_t result = -13; result < 14; result++)
        cr_expect_eq((int32_t)annot_device_error_from_vk_result(result),
                     result == -4 ? (int32_t)ANNOT_DEVICE_ERROR_UNKNOWN
                                  : (int32_t)ANNOT_DEVICE_ERROR_NONE);
}

Test(base, what_no_one_has_defined_is_called_unknown_or_other)
{
    static const int32_t errors[] = {-1, 1000, INT32_MAX, INT32_MIN + 1};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        cr_expect_str_eq(annot_device_error_headline(errors[i]),
                         annot_device_error_headline(ANNOT_DEVICE_ERROR_UNKNOWN));
        cr_expect_str_eq(annot_device_error_text(errors[i]),
                         annot_device_error_text(ANNOT_DEVICE_ERROR_UNKNOWN));
        cr_expect_eq(annot__object_type_of_d3d12((uint32_t)errors[i]), ANNOT_OBJECT_OTHER);
    }
}
