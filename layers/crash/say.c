#include "say.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Without a buffer, which a thread that has crashed may hold. */
static long say(const char *line, size_t size)
{
#ifdef _WIN32
    return write(2, line, (unsigned)size);
#else
    return write(STDERR_FILENO, line, size);
#endif
}

void crash_dump_say(const struct crash_settings *settings, annot_result result, const char *reason,
                    const char *path)
{
    char line[2048];
    if (settings->is_quiet)
        return;
    const int length =
        result == ANNOT_OK
            ? snprintf(line, sizeof line, "annot: %s; wrote %s\n", reason, path)
            : snprintf(line, sizeof line, "annot: %s; no dump could be written to %s: %s\n", reason,
                       path, annot_result_text(result));
    const size_t size = length < 0 ? 0 : strlen(line);
    if (say(line, size) < 0)
        return; /* there is no callback */
}

void crash_say(const struct crash_settings *settings, const char *text)
{
    char line[256];
    snprintf(line, sizeof line, "annot: %s\n", text);
    if (settings->is_quiet || say(line, strlen(line)) < 0)
        return; /* there is nobody to tell */
}
