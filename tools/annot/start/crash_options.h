/* Options that commands have in common if they start a program with a crash layer. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct crash_options {
    const char *dump, *level, *timeout,
        *evidence; /* each setting's value; NULL: the value in the environment applies */
    char *path;    /* path of the dump; the command frees this text */
    bool is_probe; /* no program runs */
};

/* Rows for a command's option table, if its arguments have a member `crash`. `kinds` are the kinds
 * of evidence, and `probe` says what --probe does. */
#define CRASH_OPTIONS(kinds, probe)                                                                \
    OPTION("-o", "DUMP", crash.dump,                                                               \
           "the file (default: annot-%p.annotdmp); \"%p\" in it stands for the process id"),       \
        OPTION(                                                                                    \
            "--level", "low|labels|exact", crash.level,                                            \
            "what the GPU marks: the outermost markers, all markers, or every command that does "  \
            "work (default: low)"),                                                                \
        OPTION(                                                                                    \
            "--timeout", "SECONDS", crash.timeout,                                                 \
            "seconds, or a time such as 500ms, without progress until a dump is written; 0: only " \
            "a lost device leaves one (default: 8)"),                                              \
        OPTION("--evidence", kinds, crash.evidence,                                                \
               "the strongest kind of evidence to use (default: any that works)"),                 \
        OPTION("--probe", NULL, crash.is_probe, probe)

/* Checks the operands after options_read: a program, or --probe alone. Returns the exit code. */
int crash_options_check(const struct crash_options *options, const char *command, int count,
                        char **operands);

/* Sets the layer's variables, whose names begin with `prefix`. Makes the dump's path absolute,
 * because the program may change its folder. Returns the exit code. Prints the reason of a failure.
 */
int crash_options_apply(struct crash_options *options, const char *command, const char *prefix);

/* Shows the dumps of the program that child_run_watched ran, which ended with `code`. */
void crash_dumps_show(const char *command, int code);
