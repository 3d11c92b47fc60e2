#include "child.h"
#include "commands.h"
#include "crash_options.h"
#include "os_say.h"

#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

void crash_dumps_show(const char *command, int code)
{
    bool is_shown = false;
    char *lines = child_told(), *rest = NULL;
    for (char *path = lines ? strtok_r(lines, "\n", &rest) : NULL; path;
         path = strtok_r(NULL, "\n", &rest)) {
        if (*path != '/' || access(path, F_OK) != 0)
            continue;
        is_shown = true;
        /* only people read reports: a full pipe is not waited for */
        if (fnmatch("*.live", path, 0) == 0)
            os_say("annot %s: the program left its last state in a file. To make a dump of it, "
                   "run: annot recover '%s'",
                   command, path);
        else if (!os_say("annot %s: %s", command, path) && !os_say_obstacle())
            show(path);
    }
    if (!is_shown && code > 128 && code != 128 + SIGPIPE)
        os_say("annot %s: signal %d ended the program, and there is no dump. If the program hangs, "
               "wait for the timeout (--timeout, 8 seconds by default) before you end it: then the "
               "layer writes a dump",
               command, code - 128);
}
