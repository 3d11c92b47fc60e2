/* Criterion for the suites. Its assertions of a condition and of equality are made anew: a failure
 * prints the expressions as they are written, both values of an equality, and the message that may
 * follow. Integers, enumerations and pointers are printed as numbers. The comparison is C's own,
 * and evaluates each side once. Criterion's assertions of strings print both as they are. */
#pragma once
#pragma GCC system_header /* the macros can be called without a message, as Criterion's can */
#ifdef __clang__          /* which looks at the place of the call */
#pragma clang diagnostic ignored "-Wgnu-zero-variadic-macro-arguments"
#endif

#include <criterion/criterion.h>

#include <stdint.h>

/* A failed assertion: its place, its expressions and their values. */
typedef struct test_failure {
    const char *file, *left, *right; /* right: NULL of a condition */
    unsigned line;
    unsigned size; /* bytes of a value; 0: the values are bytes of two memories, at this offset */
    uintmax_t values[2];
    size_t offset;
} test_failure;

/* The test ends; it goes on, and has failed. */
__attribute__((noreturn, cold, format(printf, 2, 3))) void test_abort(const test_failure *failure,
                                                                      const char *format, ...);
__attribute__((cold, format(printf, 2, 3))) void test_fail(const test_failure *failure,
                                                           const char *format, ...);

/* The offset of the first byte that differs; `size`: none does. */
size_t test_difference(const void *left, const void *right, size_t size);

#define TEST_HOLDS(Failed, Condition, Text, ...)                                                   \
    do {                                                                                           \
        if (Condition)                                                                             \
            cri_asserts_passed_incr();                                                             \
        else                                                                                       \
            Failed(&(const test_failure){.file = __FILE__, .left = Text, .line = __LINE__},        \
                   "" __VA_ARGS__);                                                                \
    } while (0)

#define TEST_EQUALS(Failed, Left, Right, Left_text, Right_text, ...)                               \
    do {                                                                                           \
        const __typeof__(1 ? (Left) : (Right)) left_value = (Left), right_value = (Right);         \
        if (left_value == right_value)                                                             \
            cri_asserts_passed_incr();                                                             \
        else                                                                                       \
            Failed(&(const test_failure){__FILE__,                                                 \
                                         Left_text,                                                \
                                         Right_text,                                               \
                                         __LINE__,                                                 \
                                         (unsigned)sizeof left_value,                              \
                                         {(uintmax_t)left_value, (uintmax_t)right_value},          \
                                         0},                                                       \
                   "" __VA_ARGS__);                                                                \
    } while (0)

#define TEST_BYTES(Failed, Left, Right, Size, Left_text, Right_text, ...)                          \
    do {                                                                                           \
        const unsigned char *const left_bytes = (const void *)(Left);                              \
        const unsigned char *const right_bytes = (const void *)(Right);                            \
        const size_t bytes = (Size);                                                               \
        const size_t differs_at = test_difference(left_bytes, right_bytes, bytes);                 \
        if (differs_at == bytes)                                                                   \
            cri_asserts_passed_incr();                                                             \
        else                                                                                       \
            Failed(&(const test_failure){__FILE__,                                                 \
                                         Left_text,                                                \
                                         Right_text,                                               \
                                         __LINE__,                                                 \
                                         0,                                                        \
                                         {left_bytes[differs_at], right_bytes[differs_at]},        \
                                         differs_at},                                              \
                   "" __VA_ARGS__);                                                                \
    } while (0)

#undef cr_assert
#undef cr_expect
#undef cr_assert_eq
#undef cr_expect_eq
#define cr_assert(Condition, ...) TEST_HOLDS(test_abort, Condition, #Condition, __VA_ARGS__)
#define cr_expect(Condition, ...) TEST_HOLDS(test_fail, Condition, #Condition, __VA_ARGS__)
#define cr_assert_eq(Left, Right, ...)                                                             \
    TEST_EQUALS(test_abort, Left, Right, #Left, #Right, __VA_ARGS__)
#define cr_expect_eq(Left, Right, ...)                                                             \
    TEST_EQUALS(test_fail, Left, Right, #Left, #Right, __VA_ARGS__)
/* Both pairs are equal. */
#define cr_assert_eqs(Left, Right, Left_2, Right_2, ...)                                           \
    do {                                                                                           \
        TEST_EQUALS(test_abort, Left, Right, #Left, #Right, __VA_ARGS__);                          \
        TEST_EQUALS(test_abort, Left_2, Right_2, #Left_2, #Right_2, __VA_ARGS__);                  \
    } while (0)
/* All three pairs are. */
#define cr_assert_eq3(Left, Right, Left_2, Right_2, Left_3, Right_3)                               \
    do {                                                                                           \
        TEST_EQUALS(test_abort, Left, Right, #Left, #Right);                                       \
        TEST_EQUALS(test_abort, Left_2, Right_2, #Left_2, #Right_2);                               \
        TEST_EQUALS(test_abort, Left_3, Right_3, #Left_3, #Right_3);                               \
    } while (0)
#define cr_expect_eqs(Left, Right, Left_2, Right_2, ...)                                           \
    do {                                                                                           \
        TEST_EQUALS(test_fail, Left, Right, #Left, #Right, __VA_ARGS__);                           \
        TEST_EQUALS(test_fail, Left_2, Right_2, #Left_2, #Right_2, __VA_ARGS__);                   \
    } while (0)
/* The bytes of two memories are equal. */
#define cr_assert_mem_eq(Left, Right, Size, ...)                                                   \
    TEST_BYTES(test_abort, Left, Right, Size, #Left, #Right, __VA_ARGS__)
#define cr_expect_mem_eq(Left, Right, Size, ...)                                                   \
    TEST_BYTES(test_fail, Left, Right, Size, #Left, #Right, __VA_ARGS__)
