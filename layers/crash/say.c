#include "say.h"

#include "os_file.h"
#include "os_say.h"

#include <pthread.h>
#include <stdio.h>

/* The first line that was lost, and the number of other lost lines. */
static struct {
    pthread_mutex_t lock;
    char line[160];
    unsigned others;
} unsaid = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void lose(const char *line, const char *why)
{
    if (pthread_mutex_trylock(&unsaid.lock) != 0)
        return; /* another thread is losing a line */
    if (*unsaid.line)
        unsaid.others++;
    else
        snprintf(unsaid.line, sizeof unsaid.line, "%.100s (%s)", line, why);
    pthread_mutex_unlock(&unsaid.lock);
}

void crash_dump_say(bool is_quiet, annot_result result, const char *reason, const char *path)
{
    if (is_quiet)
        return;
    if (result == ANNOT_OK)
        os_say("annot: %s; wrote %s", reason, path);
    else
        os_say("annot: %s; the dump can't be written to %s: %s", reason, path,
               result == ANNOT_ERROR_IO ? os_error() : annot_result_text(result));
}

void crash_say(bool is_quiet, const char *text)
{
    const char *why = is_quiet ? NULL : os_say("annot: %s", text);
    if (why)
        lose(text, why);
}

void crash_unsaid(char *to, size_t size)
{
    *to = '\0';
    if (pthread_mutex_trylock(&unsaid.lock) != 0)
        return;
    if (unsaid.others)
        snprintf(to, size, "%s, and %u more", unsaid.line, unsaid.others);
    else
        snprintf(to, size, "%s", unsaid.line);
    pthread_mutex_unlock(&unsaid.lock);
}
