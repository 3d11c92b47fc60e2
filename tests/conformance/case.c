#include "case.h"

#include "channel.h"
#include "os.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t running_row;
static const char *running_driver;
static atomic_uint failures;

void case_enter(struct case_table *table, struct test_case *test)
{
    struct test_case **at = &table->first;
    while (*at && (*at)->line < test->line)
        at = &(*at)->next;
    test->next = *at;
    *at = test;
}

size_t case_row(void)
{
    return running_row;
}

const char *case_driver_name(void)
{
    return running_driver;
}

/* ---- files ---- */

enum { FILES_MAX = 8 };
static char files[FILES_MAX][OS_PATH_MAX];
static atomic_uint file_count;

const char *case_file(const char *extension)
{
    const unsigned number = atomic_fetch_add(&file_count, 1);
    char name[64];
    snprintf(name, sizeof name, "annot-conformance-%u.%s", number, extension);
    if (number >= FILES_MAX || !os_own_file(name, files[number])) {
        case_note("no place for a temporary file");
        case_stop(NULL);
    }
    return files[number];
}

/* Writers of settings leave a lock beside a file. */
static void remove_files(void)
{
    char lock[OS_PATH_MAX + 8];
    for (unsigned i = 0; i < FILES_MAX; i++) {
        if (!files[i][0])
            continue;
        const int length = snprintf(lock, sizeof lock, "%s.lock", files[i]);
        if (length > 0 && (size_t)length < sizeof lock)
            remove(lock);
        remove(files[i]);
        files[i][0] = '\0';
    }
    atomic_store(&file_count, 0);
}

/* ---- checks ---- */

/* One write per line: cases may check on several threads, and may crash right after. */
static void say(const char *line)
{
    fputs(line, stdout);
    fflush(stdout);
}

void case_note(const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    strcat(line, "\n");
    say(line);
}

void case_fail(const char *file, int line, const char *format, ...)
{
    const char *slash = strrchr(file, '/');
    char what[900];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    atomic_fetch_add(&failures, 1);
    case_note("%s:%d: %s", slash ? slash + 1 : file, line, what);
}

bool case_check(bool holds, const char *file, int line, const char *text)
{
    if (!holds)
        case_fail(file, line, "%s does not hold", text);
    return holds;
}

bool case_check_equal(uint64_t got, uint64_t wanted, const char *file, int line,
                      const char *got_text, const char *wanted_text, const char *index, uint64_t at)
{
    char place[64] = "";
    if (index)
        snprintf(place, sizeof place, " for %s = %llu", index, (unsigned long long)at);
    if (got != wanted)
        case_fail(file, line, "%s is %llu (0x%llx), not %s = %llu (0x%llx)%s", got_text,
                  (unsigned long long)got, (unsigned long long)got, wanted_text,
                  (unsigned long long)wanted, (unsigned long long)wanted, place);
    return got == wanted;
}

bool case_check_hr(long got, long wanted, const char *file, int line, const char *text)
{
    const bool holds = (uint32_t)got == (uint32_t)wanted;
    if (!holds)
        case_fail(file, line, "%s returned 0x%08x, not 0x%08x", text, (unsigned)(uint32_t)got,
                  (unsigned)(uint32_t)wanted);
    return holds;
}

bool case_check_bytes(const void *got, const void *wanted, size_t size, const char *file, int line,
                      const char *text)
{
    const unsigned char *a = got, *b = wanted;
    size_t at = 0;
    if (size != 0 && (!a || !b)) {
        case_fail(file, line, "%s: there are no bytes to compare", text);
        return false;
    }
    while (at < size && a[at] == b[at])
        at++;
    if (at < size)
        case_fail(file, line, "%s: byte %zu of %zu is 0x%02x, not 0x%02x", text, at, size, a[at],
                  b[at]);
    return at == size;
}

/* Without the handlers of a normal exit: the case has left its objects where they were. */
_Noreturn void case_stop(const char *reason)
{
    remove_files();
    channel_send("failed", reason);
    _Exit(1);
}

_Noreturn void case_skip(const char *reason)
{
    if (atomic_load(&failures) != 0)
        case_stop(NULL);
    remove_files();
    channel_send("skipped", reason);
    _Exit(0);
}

void case_run(const struct test_case *test, size_t row, const char *driver, bool is_last)
{
    running_row = row;
    running_driver = driver;
    test->body();
    remove_files();
    const bool failed = atomic_load(&failures) != 0;
    channel_send(failed ? "failed" : "passed", NULL);
    if (failed || is_last)
        exit(failed ? 1 : 0);
    channel_send("next", NULL);
}
