#include "program.h"

#ifdef _WIN32

#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

#include <shellapi.h>

/* Windows gives main its arguments in the ANSI code page. */
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

char **program_set_up(int argc, char **argv)
{
    SetConsoleOutputCP(CP_UTF8);
    _setmode(_fileno(stdout), _O_BINARY);
    return utf8_arguments(argc, argv);
}

#else

#include <signal.h>

char **program_set_up(int argc, char **argv)
{
    (void)argc;
    signal(SIGPIPE, SIG_IGN);
    return argv;
}

#endif
