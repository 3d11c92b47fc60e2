#include "say.h"

#include "os_say.h"

#include <pthread.h>
#include <stdio.h>

/* The first line that was lost, and how many others were. */
static struct {
    pthread_mutex_t lock;
    char line[160];
    unsigned others;
} unsaid = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void lose(const char *line, const char *why)
{
    if (pthread_mutex_trylock(&unsaid.lock) != 0)
        return; /* another line is being lost */
    if (*unsaid.line)
        unsaid.others++;
    else
        snprintf(unsaid.line, sizeof unsaid.line, "%.100s (%s)", line, why);
    pthread_mutex_unlock(&unsaid.lock);
}

void crash_dump_say(const struct crash_settings *settings, annot_result result, const char *reason,
                    const char *path)
{
    if (settings->is_quiet)
        return;
    if (result == ANNOT_OK)
        os_say("annot: %s; wrote %s", reason, path);
    else
        os_say("annot: %s; no dump could be written to %s: %s", reason, path,
               annot_result_text(result));
}

void crash_say(const struct crash_settings *settings, const char *text)
{
    const char *why = settings->is_quiet ? NULL : os_say("annot: %s", text);
    if (why)
        lose(text, why);
}

void crash_dump_add_unsaid(struct crash_dump *dump, const struct crash_settings *settings)
{
    const char *obstacle = settings->is_quiet ? NULL : os_say_obstacle();
    if (obstacle)
        crash_dump_add_fact(dump, "stderr", obstacle);
    if (pthread_mutex_trylock(&unsaid.lock) != 0)
        return;
    if (unsaid.others)
        snprintf(dump->unsaid, sizeof dump->unsaid, "%s, and %u more", unsaid.line, unsaid.others);
    else
        snprintf(dump->unsaid, sizeof dump->unsaid, "%s", unsaid.line);
    pthread_mutex_unlock(&unsaid.lock);
    if (*dump->unsaid)
        crash_dump_add_fact(dump, "not said", dump->unsaid);
}
