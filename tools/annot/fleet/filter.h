/* Selects dumps by the options that triage and export have in common. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The options that select dumps. NULL or 0 allows any value. Texts are globs with * and ?. */
struct filter {
    /* Nanoseconds since 1970-01-01 UTC; dumps from `until` on are not selected. */
    uint64_t since, until;
    const char *version, *driver, *application, *adapter, *fact;
    const char *since_text, *until_text; /* the user's texts for --since and --until */
};

/* The values of a dump that filter_matches compares with the options. */
struct filtered {
    uint64_t time; /* time of the dump; 0: unknown, and never selected by `since` or `until` */
    const char *version, *driver, *application, *adapter, *facts;
};

/* Rows for a command's option table, if its arguments have a member `filter`. */
#define FILTER_OPTIONS(filter)                                                                     \
    OPTION("--since", "WHEN", filter.since_text,                                                   \
           "only dumps from this time on: YYYY-MM-DD, or \"YYYY-MM-DD hh:mm:ss\", UTC"),           \
        OPTION("--until", "WHEN", filter.until_text, "only dumps before this time"),               \
        OPTION("--version", "GLOB", filter.version,                                                \
               "only dumps of these versions of the program; * is any text, ? any byte"),          \
        OPTION("--driver", "GLOB", filter.driver, "only dumps of these drivers"),                  \
        OPTION("--application", "GLOB", filter.application, "only dumps of these programs"),       \
        OPTION("--adapter", "GLOB", filter.adapter, "only dumps of these adapters"),               \
        OPTION("--fact", "KEY=GLOB", filter.fact,                                                  \
               "only dumps whose application set the fact KEY to such a value")

/* Converts since_text and until_text to times. Returns false if one of them is not a time, or
 * `fact` has no '='; standard error then has the reason. */
bool filter_read(struct filter *filter, const char *command);
/* Returns the value of a fact in the facts of a summary, which ends at the newline, or NULL. */
const char *fact_value(const char *facts, const char *key, size_t size);
bool filter_matches(const struct filter *filter, const struct filtered *of);
