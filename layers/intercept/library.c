#include "library.h"

#include <stddef.h>

static void *runtime;

void library_set_runtime(void *library)
{
    runtime = library;
}

void *library_runtime(void)
{
    return runtime;
}

void *library_runtime_function(const char *name)
{
    return runtime ? library_function(runtime, name) : NULL;
}
