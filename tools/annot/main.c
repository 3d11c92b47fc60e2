/* annot: what is in a dump, and what is in a PIX event blob. */
#include "commands.h"

#include <annot/annot.h>

#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <windows.h>

#include <shellapi.h>
#else
#include <signal.h>
#endif

static const char usage[] =
    "usage: annot show DUMP [--output text|json] [--all] [--color auto|always|never]\n"
    "       annot pix decode|encode --jsonl\n"
    "       annot --version | --help\n"
    "\n"
    "annot COMMAND --help says more about a command.\n";

#ifdef _WIN32

/* Windows gives main its arguments in the ANSI code page; ours are UTF-8. They live as long as the process. */
static char **utf8_arguments(int argc, char **ansi)
{
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **argv = count == argc ? calloc((size_t)argc + 1, sizeof *argv) : NULL;
    for (int i = 0; argv && i < argc; i++) {
        const int size = WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, NULL, 0, NULL, NULL);
        argv[i] = size > 0 ? malloc((size_t)size) : NULL;
        if (!argv[i] || !WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, argv[i], size, NULL, NULL))
            return ansi;
    }
    LocalFree(wide);
    return argv ? argv : ansi;
}

static char **set_up(int argc, char **argv)
{
    SetConsoleOutputCP(CP_UTF8);
    _setmode(_fileno(stdout), _O_BINARY);
    return utf8_arguments(argc, argv);
}

#else

static char **set_up(int argc, char **argv)
{
    (void)argc;
    signal(SIGPIPE, SIG_IGN); /* a closed pipe shows up where writing fails */
    return argv;
}

#endif

int main(int argc, char **argv)
{
    argv = set_up(argc, argv);
    const char *command = argc > 1 ? argv[1] : "";
    if (strcmp(command, "show") == 0)
        return cmd_show(argc - 1, argv + 1);
    if (strcmp(command, "pix") == 0)
        return cmd_pix(argc - 1, argv + 1);
    if (strcmp(command, "--version") == 0)
        return printf("annot %s\n", annot_version()) < 0 || fflush(stdout) ? 2 : 0;
    if (strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0)
        return fputs(usage, stdout) < 0 || fflush(stdout) ? 2 : 0;
    if (*command)
        fprintf(stderr, "annot: unknown command '%.40s'; try: annot --help\n", command);
    else
        fputs("annot: a command is missing; try: annot show DUMP\n", stderr);
    return 2;
}
