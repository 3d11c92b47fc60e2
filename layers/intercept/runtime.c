#include "runtime.h"

#include "library.h"

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
    return runtime ? library_function(runtime, name) : NULL;
}
