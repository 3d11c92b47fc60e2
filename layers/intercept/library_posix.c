#include "library.h"
#include "config/environment.h"

#include <dlfcn.h>
#include <stdlib.h>

void *library_load(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_LOCAL | CAPTURE_DEEPBIND);
}

const char *library_error(void)
{
    return dlerror();
}

void *library_function(void *library, const char *name)
{
    return dlsym(library, name);
}

void library_stay(void)
{
}

const char *library_setting(const char *name)
{
    return emu_environment_borrow(name);
}
