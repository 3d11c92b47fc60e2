#include "crash_options.h"

#include "child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool set(const struct crash_options *options, const char *key, const char *value)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", options->prefix, key);
    return child_set_variable(name, value);
}

static bool set_timeout(const struct crash_options *options, const char *seconds)
{
    char text[32], *end;
    const double value = strtod(seconds, &end);
    if (!*seconds || *end || !(value >= 0) || value > 86400)
        return false;
    snprintf(text, sizeof text, "%.0f", value * 1000);
    return set(options, "TIMEOUT", text);
}

static bool is_word(const char *value, const char *words)
{
    const size_t size = strlen(value);
    for (const char *at = words; size && (at = strstr(at, value)); at++)
        if ((at == words || at[-1] == ' ') && (at[size] == ' ' || !at[size]))
            return true;
    return false;
}

bool crash_option(const struct crash_options *options, const char *option, const char *value)
{
    if (strcmp(option, "--level") == 0)
        return is_word(value, "low labels exact") && set(options, "LEVEL", value);
    if (strcmp(option, "--evidence") == 0)
        return is_word(value, options->evidence) && set(options, "EVIDENCE", value);
    return strcmp(option, "--timeout") == 0 && set_timeout(options, value);
}

bool crash_set_dump(const struct crash_options *options, const char *dump)
{
    return set(options, "DUMP", dump);
}
