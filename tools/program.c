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

void program_leave(void)
{
}

#else

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static void (*old_pipe)(int), (*old_size)(int);

char **program_set_up(int argc, char **argv)
{
    (void)argc;
    old_pipe = signal(SIGPIPE, SIG_IGN);
    old_size = signal(SIGXFSZ, SIG_IGN);
    /* Opens the streams the wrong way round: reading and writing fail as if none were open. */
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", (fd ? O_RDONLY : O_WRONLY) | O_CLOEXEC) != fd)
            break;
    return argv;
}

void program_leave(void)
{
    signal(SIGPIPE, old_pipe);
    signal(SIGXFSZ, old_size);
}

bool program_folder(char *path, size_t size)
{
    char whole[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", whole, sizeof whole - 1);
    if (n > 0)
        whole[n] = '\0';
    else if (!realpath((const char *)(uintptr_t)getauxval(AT_EXECFN), whole)) /* without /proc */
        return false;
    char *slash = strrchr(whole, '/');
    if (!slash)
        return false;
    slash[1] = '\0';
    return (size_t)snprintf(path, size, "%s", whole) < size;
}

#endif
