/* Which dumps are looked at: options that triage and export share. */
#ifndef ANNOT_TOOL_FILTER_H
#define ANNOT_TOOL_FILTER_H

#include <stdbool.h>
#include <stdint.h>

/* NULL or 0: any. Texts are globs, with * and ?. */
struct filter {
    uint64_t since, until; /* nanoseconds since 1970-01-01 UTC; until: up to, without it */
    const char *version, *driver, *application, *adapter;
};

/* What a filter asks of a dump. */
struct filtered {
    uint64_t time; /* 0: unknown, which no time is since or until */
    const char *version, *driver, *application, *adapter;
};

#define FILTER_USAGE                                                                               \
    "  --since WHEN, --until WHEN   dumps from then on, and before then: YYYY-MM-DD, or "          \
    "\"YYYY-MM-DD hh:mm:ss\", UTC\n"                                                               \
    "  --version GLOB, --driver GLOB, --application GLOB, --adapter GLOB\n"

bool filter_glob(const char *glob, const char *text);
/* False: it is no time. */
bool filter_time(const char *text, uint64_t *out);
/* Takes argv[*i], and its value, if it is one of these options: true. *is_good is false when the
 * value is wrong, and it was said why. */
bool filter_option(struct filter *filter, const char *command, int argc, char **argv, int *i,
                   bool *is_good);
bool filter_is_set(const struct filter *filter);
bool filter_matches(const struct filter *filter, const struct filtered *of);

#endif
