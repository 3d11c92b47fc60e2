/* Where a dump goes: a pattern with the process and the time in it, or a folder. */
#include "base/os.h"
#include "base/process.h"

#include <annot/dump.h>
#include <inttypes.h>
#include <string.h>

struct path {
    char *to;
    size_t capacity, used;
    size_t size; /* without the NUL, also when that is more than there is room for */
};

/* A part that does not fit is left out, with all behind it, as a whole. */
static void add(struct path *path, const char *text, size_t size)
{
    if (path->size == path->used && path->used + size < path->capacity) {
        memcpy(path->to + path->used, text, size);
        path->used += size;
    }
    path->size += size;
}

static void add_text(struct path *path, const char *text)
{
    add(path, text, strlen(text));
}

/* "20261125T190415Z": in order when sorted by name, on every file system. */
static void add_time(struct path *path)
{
    const uint64_t seconds = annot__time_now() / 1000000000u, of_day = seconds % 86400;
    char text[48];
    uint64_t days = seconds / 86400 + 719468; /* since 0000-03-01 of the Gregorian calendar */
    const uint64_t era = days / 146097, day_of_era = days % 146097;
    const uint64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const uint64_t day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const uint64_t march_based = (5 * day_of_year + 2) / 153;
    const uint64_t day = day_of_year - (153 * march_based + 2) / 5 + 1;
    const uint64_t month = march_based < 10 ? march_based + 3 : march_based - 9;
    snprintf(text, sizeof text,
             "%04" PRIu64 "%02" PRIu64 "%02" PRIu64 "T%02" PRIu64 "%02" PRIu64 "%02" PRIu64 "Z",
             era * 400 + year_of_era + (month <= 2), month, day, of_day / 3600, of_day / 60 % 60,
             of_day % 60);
    add_text(path, text);
}

static void expand(struct path *path, const char *pattern, const struct annot__process *process)
{
    for (; *pattern; pattern++) {
        const char what = pattern[0] == '%' ? pattern[1] : 0;
        if (what == 'p')
            add_text(path, process->id);
        else if (what == 'e')
            add_text(path, process->name[0] ? process->name : "program");
        else if (what == 't')
            add_time(path);
        else if (what == '%')
            add(path, "%", 1);
        else
            add(path, pattern, 1);
        if (what && strchr("pet%", what))
            pattern++;
    }
}

static bool is_folder(const char *pattern)
{
    const size_t length = strlen(pattern);
    const char last = length > 0 ? pattern[length - 1] : 0;
#ifdef _WIN32
    return last == '/' || last == '\\';
#else
    return last == '/';
#endif
}

size_t annot_dump_path(const char *pattern, char *to, size_t capacity)
{
    struct annot__process process;
    struct path path = {to, to ? capacity : 0, 0, 0};
    if (!pattern || !*pattern)
        pattern = ANNOT_DUMP_PATH_DEFAULT;
    annot__process_describe(&process);
    expand(&path, pattern, &process);
    if (is_folder(pattern))
        expand(&path, ANNOT_DUMP_PATH_DEFAULT, &process);
    if (path.capacity > 0)
        path.to[path.used] = 0;
    return path.size;
}
