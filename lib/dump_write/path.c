/* Makes a dump's path from a pattern with the process and the time, or from a folder. */
#include "base/os.h"
#include "base/process.h"

#include <annot/dump.h>
#include <string.h>
#include <time.h>

struct path {
    char *to;
    size_t capacity, used;
    size_t size; /* size of the whole path without the NUL, even above `capacity` */
};

/* Adds a part. If a part doesn't fit, this part and all later parts are left out. */
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

/* Adds "20261125T190415Z", a name that every file system allows and that sorts by time. */
static void add_time(struct path *path)
{
    const time_t seconds = (time_t)(annot__time_now() / 1000000000u);
    struct tm moment;
    char text[48] = "";
#ifdef _WIN32
    if (gmtime_s(&moment, &seconds) == 0)
#else
    if (gmtime_r(&seconds, &moment))
#endif
        strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &moment);
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
        else
            add(path, pattern, 1);
        if (what && strchr("pet%", what))
            pattern++;
    }
}

/* The pattern is not empty. */
static bool is_folder(const char *pattern)
{
    const char last = pattern[strlen(pattern) - 1];
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
