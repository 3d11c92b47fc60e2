#include "module.h"

#include "bench.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool bench_module_path(const char *name, char *path, size_t size)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return false;
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    return (size_t)snprintf(path, size, "%s/../%s", program, name) < size;
}

void *bench_module_open(const char *name)
{
    char beside[256], path[PATH_MAX];
    snprintf(beside, sizeof beside, "lib/%s", name);
    if (!bench_module_path(beside, path, sizeof path))
        return NULL;
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module)
        bench_note("rows are left out: %s", dlerror());
    return module;
}
