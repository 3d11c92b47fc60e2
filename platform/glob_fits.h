/* Compares texts with globs: * stands for any text, ? for one byte. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether the whole text fits. The time is at most the product of both sizes: matching never goes
 * back before the last star. */
static inline bool glob_fits(const char *glob, const char *text)
{
    const char *star = NULL, *tried = NULL;
    while (*text)
        if (*glob == '*') {
            star = ++glob;
            tried = text;
        } else if (*glob == '?' || *glob == *text) {
            glob++;
            text++;
        } else if (star) {
            glob = star;
            text = ++tried;
        } else {
            return false;
        }
    while (*glob == '*')
        glob++;
    return !*glob;
}
