/* The recording library comes first on the library path, so that programs which open it by name
 * meet it too. */
#include "capture_start.h"
#include "cli.h"

#ifdef ANNOT_HAVE_REPLAY

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of this program, with a slash. */
static bool own_folder(char *path, size_t size)
{
    const ssize_t n = readlink("/proc/self/exe", path, size - 1);
    if (n <= 0)
        return false;
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash)
        return false;
    slash[1] = '\0';
    return true;
}

/* The first of these under the program's folder that is there, as an absolute path. */
static bool find_beside(const char *const *places, char *path)
{
    char folder[PATH_MAX], candidate[2 * PATH_MAX];
    if (!own_folder(folder, sizeof folder))
        return false;
    for (; *places; places++) {
        snprintf(candidate, sizeof candidate, "%s%s", folder, *places);
        if (realpath(candidate, path))
            return true;
    }
    return false;
}

static bool find_on_library_path(char *path)
{
    const char *at = getenv("LD_LIBRARY_PATH");
    while (at && *at) {
        const size_t length = strcspn(at, ":");
        char candidate[PATH_MAX + 16];
        if (length && length < PATH_MAX) {
            snprintf(candidate, sizeof candidate, "%.*s/libd3d12.so", (int)length, at);
            if (realpath(candidate, path))
                return true;
        }
        at += length + (at[length] == ':');
    }
    return false;
}

static bool prepend_library_path(const char *proxy)
{
    const char *old = getenv("LD_LIBRARY_PATH");
    const size_t folder = (size_t)(strrchr(proxy, '/') - proxy);
    char *path = malloc(folder + (old ? strlen(old) : 0) + 2);
    if (!path)
        return false;
    sprintf(path, "%.*s%s%s", (int)folder, proxy, old && *old ? ":" : "", old && *old ? old : "");
    const bool ok = setenv("LD_LIBRARY_PATH", path, 1) == 0;
    free(path);
    return ok;
}

int capture_start(char **program, const char *file, const char *given)
{
    static const char *const proxies[] = {"../lib/capture/libd3d12.so",
                                          ANNOT_LIBDIR "/annot-capture/libd3d12.so", NULL};
    static const char *const runtimes[] = {"../lib/libd3d12.so",
                                           ANNOT_LIBDIR "/annot-emu/libd3d12.so", NULL};
    char proxy[PATH_MAX], runtime[PATH_MAX];
    if (!find_beside(proxies, proxy))
        return cli_complain(
            "capture", "the recording library is not installed beside this program:", proxies[0]);
    if (given ? !realpath(given, runtime)
              : !find_on_library_path(runtime) && !find_beside(runtimes, runtime))
        return cli_complain("capture", "no D3D12 library; give its path with --runtime, not",
                            given ? given : "libd3d12.so");
    if (strcmp(proxy, runtime) == 0)
        return cli_complain(
            "capture", "the D3D12 library that is to be recorded is the recording one:", runtime);
    if (!prepend_library_path(proxy) || setenv("ANNOT_CAPTURE_RUNTIME", runtime, 1) ||
        (file && setenv("ANNOT_CAPTURE_FILE", file, 1)))
        return cli_complain("capture", "out of memory for", program[0]);
    execvp(program[0], program);
    fprintf(stderr, "annot capture: %.200s: %s\n", program[0], strerror(errno));
    return EXIT_UNUSABLE;
}

#endif
