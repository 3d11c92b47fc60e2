#include "crash_options.h"

#include "child.h"
#include "cli.h"
#include "environment.h"
#include "os_say.h"

#include <stdio.h>
#include <stdlib.h>

static bool set(const char *prefix, const char *key, const char *value)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", prefix, key);
    return !value || child_set_variable(name, value);
}

static bool milliseconds_of(const char *seconds, char text[32])
{
    char *end;
    const double value = strtod(seconds, &end);
    if (!*seconds || *end || !(value >= 0) || value > 86400)
        return false;
    snprintf(text, 32, "%.0f", value * 1000);
    return true;
}

int crash_options_apply(struct crash_options *options, const char *command, const char *prefix)
{
    char name[64], timeout[32], described[64];
    snprintf(name, sizeof name, "%sDUMP", prefix);
    if (!options->dump)
        options->dump = os_environment_borrow(name);
    if (!options->dump || !*options->dump)
        options->dump = "annot-%p.annotdmp";
    if (options->timeout && !milliseconds_of(options->timeout, timeout))
        return cli_complain(command, "a value is missing or wrong after the option", "--timeout");
    os_say_describe(described, sizeof described);
    const bool is_set = set(prefix, "DUMP", options->dump) &&
                        set(prefix, "LEVEL", options->level) &&
                        set(prefix, "EVIDENCE", options->evidence) &&
                        set(prefix, "TIMEOUT", options->timeout ? timeout : NULL) &&
                        child_set_variable(OS_SAY_VARIABLE, described);
    return is_set ? EXIT_FINE : cli_fail(command, "memory", ANNOT_ERROR_OUT_OF_MEMORY);
}
