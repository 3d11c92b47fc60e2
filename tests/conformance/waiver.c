#include "waiver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL, *bigger;
    size_t size = 0, got = 4096;
    while (file && got == 4096 && (bigger = realloc(text, size + 4097))) {
        text = bigger;
        got = fread(text + size, 1, 4096, file);
        size += got;
        text[size] = '\0';
    }
    const bool is_whole = file && got < 4096 && !ferror(file);
    if (file)
        fclose(file);
    if (is_whole)
        return text;
    free(text);
    return NULL;
}

static bool add(struct waivers *waivers, struct waiver waiver)
{
    struct waiver *more = realloc(waivers->lines, (waivers->count + 1) * sizeof *more);
    if (!more)
        return false;
    waivers->lines = more;
    more[waivers->count++] = waiver;
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
    if (!add(waivers, (struct waiver){line, reason, number})) {
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

void waivers_apply(const struct waivers *waivers, struct plan *plan, bool tells)
{
    for (size_t w = waivers->count; w-- > 0;) {
        const struct waiver *waiver = &waivers->lines[w];
        bool is_used = false;
        for (size_t c = 0; c < plan->count; c++)
            if (glob_match(waiver->pattern, plan->cases[c].name)) {
                plan->cases[c].waiver = waiver->reason;
                is_used = true;
            }
        if (tells && !is_used)
            fprintf(stderr, "annot-conformance: no case matches waiver line %u\n", waiver->line);
    }
}
