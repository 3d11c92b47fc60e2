#include "device/kernel_module.h"

#include "device/driver_module.h"
#include "kmd/kmd.h"
#include "gate.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

struct module {
    struct module *next;
    const emu_kernel_driver *driver; /* NULL: it can't be used */
    char path[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct module *modules;

/* NULL when the table can be used. */
static const char *what_is_wrong(const emu_kernel_driver *driver)
{
    if (!driver)
        return "emu_kernel_driver_open returned NULL";
    if (driver->version != EMU_KERNEL_DRIVER_VERSION || driver->size != sizeof *driver)
        return "its table is for another version of emu/kernel.h";
    if (!driver->name)
        return "its table has no name";
    return NULL;
}

static const emu_kernel_driver *load(const char *path)
{
    char reason[512] = "";
    const emu_kernel_driver *driver = NULL;
    const emu_kernel_driver *(*open)(const emu_kernel_host *);
    const char *wrong = reason;
    if (driver_module_function(path, "emu_kernel_driver_open", &open, sizeof open, reason,
                               sizeof reason)) {
        driver = open(&emu__kernel_host);
        wrong = what_is_wrong(driver);
    }
    if (!wrong)
        return driver;
    fprintf(stderr, "libd3d12: the kernel-mode driver %s can't be used: %s\n", path, wrong);
    return NULL;
}

/* The lock is held. */
static const emu_kernel_driver *find_or_load(const char *path)
{
    struct module *module;
    LL_FOREACH(modules, module)
    {
        if (strcmp(module->path, path) == 0)
            return module->driver;
    }
    const size_t size = strlen(path) + 1;
    module = malloc(sizeof *module + size);
    if (!module)
        return NULL;
    memcpy(module->path, path, size);
    module->driver = load(path);
    LL_PREPEND(modules, module);
    return module->driver;
}

const emu_kernel_driver *kernel_module_find(const char *path)
{
    emu_lock(&lock);
    const emu_kernel_driver *driver = find_or_load(path);
    emu_unlock(&lock);
    return driver;
}
