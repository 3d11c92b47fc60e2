/* Known failures: a file of lines "case-glob  reason", with comments after # at a line's start. */
#pragma once

#include "plan.h"

struct waivers {
    char *text; /* the file; patterns and reasons point into it */
    struct waiver {
        const char *pattern, *reason;
        unsigned line; /* from 1 */
    } * lines;
    size_t count;
};

/* Reads the file. If false, `error` has one line that says what to do. */
bool waivers_read(const char *path, struct waivers *waivers, char *error, size_t error_size);
void waivers_done(struct waivers *waivers);

/* Gives each case the reason of the first line that matches it. `tells`: of unused lines. */
void waivers_apply(const struct waivers *waivers, struct plan *plan, bool tells);
