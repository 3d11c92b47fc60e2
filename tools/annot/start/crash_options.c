#include "crash_options.h"

#include "child.h"
#include "cli.h"
#include "duration.h"
#include "environment.h"
#include "os_path.h"
#include "os_say.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool set(const char *prefix, const char *key, const char *value)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", prefix, key);
    return !value || child_set_variable(name, value);
}

/* Returns the absolute path; NULL: out of memory. In a dump's path "%%" means "%". */
static char *absolute_dump(const char *dump)
{
    char *folder = os_is_absolute(dump) ? NULL : os_full_path(".");
    const size_t length = folder ? strlen(folder) : 0;
    char *path = malloc(2 * length + strlen(dump) + 2), *end = path;
    for (size_t i = 0; path && i < length; i++) {
        if (folder[i] == '%')
            *end++ = '%';
        *end++ = folder[i];
    }
    if (path)
        sprintf(end, "%s%s", length ? "/" : "", dump);
    free(folder);
    return path;
}

/* Warns now if no dump can be made at this path; the layer would find out only after the hang. Only
 * the layer knows the value of a pattern in the folder's name. */
static int try_dump(const char *command, const char *dump)
{
    struct stat status;
    const char *slash = strrchr(dump, '/'), *pattern = strchr(dump, '%');
    const bool is_folder = slash && !slash[1], is_there = stat(dump, &status) == 0;
    if (strcmp(dump, "-") == 0 ||
        (is_there && !(is_folder ? S_ISDIR(status.st_mode) : S_ISREG(status.st_mode))))
        return cli_complain(command, "-o needs the name of a file; unusable:", dump);
    if (slash && pattern && pattern < slash)
        return EXIT_FINE;
    if (!(is_folder ? is_there : cli_can_create(dump)))
        cli_format(stderr,
                   "annot %s: %s: %s, so a dump can't be written; give another file with -o\n",
                   command, dump, strerror(errno));
    return EXIT_FINE;
}

int crash_options_check(const struct crash_options *options, const char *command, int count,
                        char **operands)
{
    if (options->is_probe && count > 0)
        return cli_complain(command, "--probe runs no program; remove the argument", operands[0]);
    if (options->is_probe || count > 0)
        return EXIT_FINE;
    fprintf(stderr, "annot %s: a program is missing; usage: annot %s -- PROGRAM\n", command,
            command);
    return EXIT_UNUSABLE;
}

int crash_options_apply(struct crash_options *options, const char *command, const char *prefix)
{
    char name[64], timeout[32], described[64];
    uint64_t ns = 0;
    snprintf(name, sizeof name, "%sDUMP", prefix);
    if (!options->dump)
        options->dump = os_environment_borrow(name);
    if (!options->dump || !*options->dump)
        options->dump = "annot-%p.annotdmp";
    if (try_dump(command, options->dump) != EXIT_FINE)
        return EXIT_UNUSABLE;
    options->dump = options->path = absolute_dump(options->dump);
    if (!options->path)
        return cli_fail(command, "memory", ANNOT_ERROR_OUT_OF_MEMORY);
    if (options->timeout && !duration_read(options->timeout, DURATION_S, &ns))
        return cli_complain(command,
                            "--timeout needs seconds, or a time such as 500ms or 2s, up to 86400s; "
                            "unusable:",
                            options->timeout);
    /* 0 means never, so a shorter time than a millisecond counts as one */
    ns = (ns + DURATION_MS - 1) / DURATION_MS;
    snprintf(timeout, sizeof timeout, "%llu", (unsigned long long)ns);
    os_say_describe(described, sizeof described);
    const bool is_set = set(prefix, "DUMP", options->dump) &&
                        set(prefix, "LEVEL", options->level) &&
                        set(prefix, "EVIDENCE", options->evidence) &&
                        set(prefix, "TIMEOUT", options->timeout ? timeout : NULL) &&
                        child_set_variable(OS_SAY_VARIABLE, described);
    return is_set ? EXIT_FINE : cli_fail(command, "memory", ANNOT_ERROR_OUT_OF_MEMORY);
}
