/* Shared by the commands that start a program with a crash layer. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct crash_options {
    const char *dump, *level, *timeout, *evidence; /* NULL: as the environment has it */
};

/* The rows of an option table, for `type` with a member `crash`; `kinds` are those of evidence. */
#define CRASH_OPTIONS(type, kinds)                                                                 \
    {"-o",                                                                                         \
     "DUMP",                                                                                       \
     "the file; \"%p\" in it stands for the process id (default: annot-%p.annotdmp)",              \
     offsetof(type, crash.dump),                                                                   \
     0,                                                                                            \
     false},                                                                                       \
        {"--level",                                                                                \
         "low|labels|exact",                                                                       \
         "what the GPU marks: outermost markers, all markers, or every command that does work "    \
         "(default: low)",                                                                         \
         offsetof(type, crash.level),                                                              \
         0,                                                                                        \
         false},                                                                                   \
        {"--timeout",                                                                              \
         "SECONDS",                                                                                \
         "without progress until a dump is written; 0: only a lost device leaves one (default: "   \
         "30)",                                                                                    \
         offsetof(type, crash.timeout),                                                            \
         0,                                                                                        \
         false},                                                                                   \
    {                                                                                              \
        "--evidence", kinds,                                                                       \
            "the best kind of evidence that may be used (default: any that works)",                \
            offsetof(type, crash.evidence), 0, false                                               \
    }

/* Sets the layer's variables, whose names begin with `prefix`, and fills in the dump's path. NULL:
 * done; else the option that can't be used, "": there is no memory. */
const char *crash_options_apply(struct crash_options *options, const char *prefix);

/* Runs a program, and shows the dumps that it leaves where `dump` says. */
struct crash_dumps;
struct crash_dumps *crash_dumps_before(const char *dump);
void crash_dumps_show_new(struct crash_dumps *before, const char *command);
