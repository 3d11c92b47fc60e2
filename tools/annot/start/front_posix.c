/* This project's library comes first on the library path, so that programs that open the library by
 * name get it, too. */
#include "child.h"
#include "cli.h"
#include "front.h"
#include "../../program.h"
#include "environment.h"

#ifdef ANNOT_HAVE_REPLAY

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds the first of these places that exists under the program's folder, as an absolute path. */
static bool find_beside(const char *const *places, char *path)
{
    char folder[PATH_MAX], candidate[2 * PATH_MAX];
    if (!program_folder(folder, sizeof folder))
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
    const char *at = os_environment_borrow("LD_LIBRARY_PATH");
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

/* Returns the library behind this project's, if an outer command already set a library. */
static const char *runtime_of_outer(void)
{
    const char *const names[] = {"ANNOT_CAPTURE_RUNTIME", "ANNOT_D3D12_RUNTIME"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = os_environment_borrow(names[i]);
        if (path && *path)
            return path;
    }
    return NULL;
}

bool front_find_emulator(char path[FRONT_PATH])
{
    static const char *const places[] = {"../lib/libd3d12.so",
                                         ANNOT_LIBDIR "/annot-emu/libd3d12.so", NULL};
    return find_beside(places, path);
}

int front_find(struct front *front, const char *given, const char *program)
{
    (void)program;
    static const char *const libraries[] = {"../lib/capture/libd3d12.so",
                                            ANNOT_LIBDIR "/annot-capture/libd3d12.so", NULL};
    char *runtime = front->runtime;
    if (!find_beside(libraries, front->library))
        return cli_complain(front->command,
                            "annot's D3D12 library is not installed; missing:", libraries[0]);
    if (!given)
        given = runtime_of_outer();
    if (given ? !realpath(given, runtime)
              : !find_on_library_path(runtime) && !front_find_emulator(runtime))
        return cli_complain(front->command,
                            "--runtime must be the path of a D3D12 library; unusable:",
                            given ? given : "libd3d12.so");
    if (strcmp(front->library, runtime) == 0)
        return cli_complain(front->command,
                            "--runtime must not be annot's own D3D12 library:", runtime);
    return EXIT_FINE;
}

int front_run(const struct front *front, char **program)
{
    char folder[FRONT_PATH];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(front->library, '/') - front->library),
             front->library);
    if (!child_prepend("LD_LIBRARY_PATH", folder, ':'))
        return cli_complain(front->command, "out of memory:", program[0]);
    return child_run_watched(front->command, program,
                             "no D3D12 call was seen: the program makes no calls, loads "
                             "libd3d12.so by its own path (RPATH, dlopen), or is privileged");
}

#endif
