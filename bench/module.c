#include "module.h"

#include "bench.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void *bench_module_open(const char *name)
{
    char program[PATH_MAX], path[PATH_MAX + 64];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return NULL;
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    snprintf(path, sizeof path, "%s/../lib/%s", program, name);
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module)
        bench_note("rows are left out: %s", dlerror());
    return module;
}
