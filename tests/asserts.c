#include "asserts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* A small number as such, another by its bits, too. */
static void print_value(FILE *out, uintmax_t value, unsigned size)
{
    fprintf(out, "%jd", (intmax_t)value);
    if (value > 9)
        fprintf(out, " (0x%jx)", value & UINTMAX_MAX >> 8 * (sizeof value - size));
}

static void send(const test_failure *failure, const char *format, va_list arguments)
{
    char *message = NULL;
    size_t size;
    FILE *out = open_memstream(&message, &size);
    if (!out)
        abort();
    if (failure->right) {
        fprintf(out, "%s == %s is false: ", failure->left, failure->right);
        const unsigned width = failure->size != 0 ? failure->size : 1;
        print_value(out, failure->values[0], width);
        fputs(", not ", out);
        print_value(out, failure->values[1], width);
        if (failure->size == 0)
            fprintf(out, ", at byte %zu", failure->offset);
    } else {
        fprintf(out, "%s is false", failure->left);
    }
    if (*format) {
        fputs(": ", out);
        vfprintf(out, format, arguments);
    }
    if (fclose(out) != 0)
        abort();
    criterion_send_assert(&(struct criterion_assert_stats){
        .message = message, .file = failure->file, .line = failure->line});
    free(message);
}

size_t test_difference(const void *left, const void *right, size_t size)
{
    size_t at = 0;
    while (at < size && ((const char *)left)[at] == ((const char *)right)[at])
        at++;
    return at;
}

void test_fail(const test_failure *failure, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    send(failure, format, arguments);
    va_end(arguments);
    criterion_continue_test();
}

void test_abort(const test_failure *failure, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    send(failure, format, arguments);
    va_end(arguments);
    criterion_abort_test();
}
