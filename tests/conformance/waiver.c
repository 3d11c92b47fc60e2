#include "waiver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0, got;
    if (!file)
        return NULL;
    do {
        char *bigger = realloc(text, size + 4097);
        if (!bigger)
            goto err;
        text = bigger;
        got = fread(text + size, 1, 4096, file);
        size += got;
    } while (got == 4096);
    if (ferror(file))
        goto err;
    text[size] = '\0';
    fclose(file);
    return text;

err:
    free(text);
    fclose(file);
    return NULL;
}

static bool add(struct waivers *waivers, const char *pattern, const char *reason)
{
    struct waiver *more = realloc(waivers->lines, (waivers->count + 1) * sizeof *more);
    if (!more)
        return false;
    waivers->lines = more;
    more[waivers->count++] = (struct waiver){pattern, reason};
    return true;
}

/* Cuts the line up in place. */
static bool read_line(struct waivers *waivers, char *line, unsigned number, char *error,
                      size_t error_size)
{
    line[strcspn(line, "\r")] = '\0';
    line += strspn(line, " \t");
    if (*line == '\0' || *line == '#')
        return true;
    char *reason = line + strcspn(line, " \t");
    if (*reason != '\0')
        *reason++ = '\0';
    reason += strspn(reason, " \t");
    if (*reason == '\0') {
        snprintf(error, error_size, "line %u: say why '%s' is waived, after the pattern", number,
                 line);
        return false;
    }
    if (!add(waivers, line, reason)) {
        snprintf(error, error_size, "out of memory");
        return false;
    }
    return true;
}

bool waivers_read(const char *path, struct waivers *waivers, char *error, size_t error_size)
{
    char problem[512];
    *waivers = (struct waivers){.text = read_all(path)};
    if (!waivers->text) {
        snprintf(error, error_size, "can't read the waivers %s: %s", path, strerror(errno));
        return false;
    }
    unsigned number = 1;
    for (char *line = waivers->text, *next; line; line = next, number++) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        if (!read_line(waivers, line, number, problem, sizeof problem)) {
            snprintf(error, error_size, "%s, %s", path, problem);
            waivers_done(waivers);
            return false;
        }
    }
    return true;
}

void waivers_done(struct waivers *waivers)
{
    free(waivers->text);
    free(waivers->lines);
    *waivers = (struct waivers){0};
}

void waivers_apply(const struct waivers *waivers, struct plan *plan)
{
    for (size_t c = 0; c < plan->count; c++)
        for (size_t w = waivers->count; w-- > 0;)
            if (glob_match(waivers->lines[w].pattern, plan->cases[c].name))
                plan->cases[c].waiver = waivers->lines[w].reason;
}
