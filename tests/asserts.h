/*
 * Criterion for the suites. Its assertions of a condition and of equality are made anew: a failure
 * prints the expressions as they are written, both values of an equality, and the message that may
 * follow. Integers, enumerations and pointers are printed as numbers. The comparison is C's own,
 * and evaluates each side once. Criterion's assertions of strings print both as they are.
 */
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
    unsigned size; /* bytes of a value */
    uintmax_t values[2];
} test_failure;

/* The test ends; it goes on, and has failed. */
__attribute__((noreturn, cold, format(printf, 2, 3))) void test_abort(const test_failure *failure,
                                                                      const char *format, ...);
__attribute__((cold, format(printf, 2, 3))) void test_fail(const test_failure *failure,
                                                           const char *format, ...);

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
                                         {(uintmax_t)left_value, (uintmax_t)right_value}},         \
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
#define cr_expect_eqs(Left, Right, Left_2, Right_2, ...)                                           \
    do {                                                                                           \
        TEST_EQUALS(test_fail, Left, Right, #Left, #Right, __VA_ARGS__);                           \
        TEST_EQUALS(test_fail, Left_2, Right_2, #Left_2, #Right_2, __VA_ARGS__);                   \
    } while (0)
