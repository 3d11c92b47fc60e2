/* Chooses the dumps that are looked at, by options that triage and export share. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* NULL or 0: any. Texts are globs, with * and ?. */
struct filter {
    uint64_t since, until; /* nanoseconds since 1970-01-01 UTC; until: up to, without it */
    const char *version, *driver, *application, *adapter;
    const char *since_text, *until_text; /* as options have them */
};

/* The parts of a dump that a filter asks for. */
struct filtered {
    uint64_t time; /* 0: unknown, which no time is since or until */
    const char *version, *driver, *application, *adapter;
};

/* The rows of an option table, for `type` with a member `filter`. */
#define FILTER_OPTIONS(type, filter)                                                               \
    {"--since",                                                                                    \
     "WHEN",                                                                                       \
     "dumps from then on: YYYY-MM-DD, or \"YYYY-MM-DD hh:mm:ss\", UTC",                            \
     offsetof(type, filter.since_text),                                                            \
     0,                                                                                            \
     false},                                                                                       \
        {"--until", "WHEN", "dumps before then", offsetof(type, filter.until_text), 0, false},     \
        {"--version",                                                                              \
         "GLOB",                                                                                   \
         "dumps of these versions of the program, with * and ?",                                   \
         offsetof(type, filter.version),                                                           \
         0,                                                                                        \
         false},                                                                                   \
        {"--driver", "GLOB", "of these drivers", offsetof(type, filter.driver), 0, false},         \
        {"--application",                                                                          \
         "GLOB",                                                                                   \
         "of these programs",                                                                      \
         offsetof(type, filter.application),                                                       \
         0,                                                                                        \
         false},                                                                                   \
    {                                                                                              \
        "--adapter", "GLOB", "of these adapters", offsetof(type, filter.adapter), 0, false         \
    }

bool filter_glob(const char *glob, const char *text);
/* False: it is no time. */
bool filter_time(const char *text, uint64_t *out);
/* The times of the texts that were given. False: one is none, which was said. */
bool filter_read_times(struct filter *filter, const char *command);
bool filter_matches(const struct filter *filter, const struct filtered *of);
