#include "runtime.h"

#include "os_process.h"

#include <stddef.h>

static void *runtime;

void runtime_set(void *library)
{
    runtime = library;
}

void *runtime_library(void)
{
    return runtime;
}

void *runtime_function(const char *name)
{
    return runtime ? os_library_function(runtime, name) : NULL;
}
