#include "commands.h"
#include "crash_options.h"
#include "os_say.h"

#include <annot/dump.h>

#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct crash_dumps {
    char pattern[2 * PATH_MAX];
    glob_t found;
};

/* Returns the place of the second dump's "-2": in front of the extension, else at the end. */
static const char *stem_end(const char *dump)
{
    const char *slash = strrchr(dump, '/'), *name = slash ? slash + 1 : dump;
    const char *dot = strrchr(name, '.');
    return dot && dot > name ? dot : dump + strlen(dump);
}

/* Makes the pattern of the dumps' names, because the parts that annot_dump_path inserts are not
 * known for the program's children. */
static void pattern_of(const char *dump, char *pattern, size_t size)
{
    static const char number[] = "{,-[0-9]*}";
    size_t out = 0;
    const char *end = stem_end(dump);
    const bool is_folder = end > dump && *end == '\0' && end[-1] == '/';
    for (const char *at = dump; out + sizeof number + 2 < size; at++) {
        if (at == end && !is_folder) {
            memcpy(pattern + out, number, sizeof number - 1);
            out += sizeof number - 1;
        }
        if (!*at)
            break;
        if (at[0] == '%' && at[1] && strchr("pet%", at[1])) {
            pattern[out++] = '*';
            at++;
        } else {
            if (strchr("*?[\\{},", *at))
                pattern[out++] = '\\';
            pattern[out++] = *at;
        }
    }
    pattern[out] = '\0';
    if (is_folder) /* in a folder the layer chooses names */
        pattern_of(ANNOT_DUMP_PATH_DEFAULT, pattern + out, size - out);
}

struct crash_dumps *crash_dumps_before(const char *dump)
{
    struct crash_dumps *before = calloc(1, sizeof *before);
    if (!before)
        return NULL;
    pattern_of(dump, before->pattern, sizeof before->pattern);
    glob(before->pattern, GLOB_BRACE, NULL, &before->found);
    return before;
}

static bool is_among(char *const *paths, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(paths[i], path) == 0)
            return true;
    return false;
}

/* Shows a report to people: a program's output may be piped into another program. */
static void show(char *path)
{
    char command[] = "show", output[] = "--output", text[] = "text";
    char *arguments[] = {command, path, output, text, NULL};
    fflush(stdout);
    const int program = isatty(STDOUT_FILENO) ? -1 : dup(STDOUT_FILENO);
    if (program >= 0)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    cmd_show(4, arguments);
    fflush(stdout);
    if (program >= 0) {
        dup2(program, STDOUT_FILENO);
        close(program);
    }
}

void crash_dumps_show_new(struct crash_dumps *before, const char *command, int code)
{
    glob_t after = {0};
    bool is_shown = false;
    if (!before)
        return;
    const int status = glob(before->pattern, GLOB_BRACE, NULL, &after);
    for (size_t i = 0; status == 0 && i < after.gl_pathc; i++) {
        if (is_among(before->found.gl_pathv, before->found.gl_pathc, after.gl_pathv[i]) ||
            is_among(after.gl_pathv, i, after.gl_pathv[i])) /* both branches of {} match "a-2" */
            continue;
        is_shown = true;
        /* only people read reports: a full pipe is not waited for */
        if (!os_say("annot %s: %s", command, after.gl_pathv[i]) && !os_say_obstacle())
            show(after.gl_pathv[i]);
    }
    if (!is_shown && code > 128 && code != 128 + SIGPIPE)
        os_say("annot %s: signal %d ended the program, and there is no dump. If the program hangs, "
               "wait for the timeout (--timeout, 8 seconds by default) before you end it: then the "
               "layer writes a dump",
               command, code - 128);
    globfree(&after);
    globfree(&before->found);
    free(before);
}
