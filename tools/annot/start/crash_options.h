/* What the commands that start a program with a crash layer share. */
#ifndef CRASH_OPTIONS_H
#define CRASH_OPTIONS_H

#include <stdbool.h>

struct crash_options {
    const char *prefix;   /* of the layer's variables: "ANNOT_VK_" */
    const char *evidence; /* the values of --evidence, with spaces between */
};

/* Takes --level, --evidence or --timeout: sets the layer's variable. False: no such option, or no
 * such value of it. */
bool crash_option(const struct crash_options *options, const char *option, const char *value);

/* Sets the variable of the dump's path. False: no memory. */
bool crash_set_dump(const struct crash_options *options, const char *dump);

/* Runs a program, and shows the dumps that it leaves where `dump` says. */
struct crash_dumps;
struct crash_dumps *crash_dumps_before(const char *dump);
void crash_dumps_show_new(struct crash_dumps *before, const char *command);

#endif
