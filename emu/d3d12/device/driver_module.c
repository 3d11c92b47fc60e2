#include "device/driver_module.h"

#include "containers.h"
#include "os_process.h"

#include "kmd/kmd.h"
#include "umd/driver.h"
#include "gate.h"

#include <stdio.h>
#include <string.h>

/* A shared object, from which one of the two kinds of drivers was requested. */
struct module {
    struct module *next;
    const struct kind *kind;
    const void *table; /* NULL: every try failed, and the reason was printed */
    char path[];
};

struct kind {
    const char *entry, *noun;
    /* Calls the entry and checks the result. NULL: not usable, and `wrong` has the reason. */
    const void *(*open)(void *entry, const char **wrong);
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct module *modules;

/* ---- the results of an entry ---- */

typedef void (*entry_function)(void);

_Static_assert((sizeof(emu_driver) - offsetof(emu_driver, device_create)) %
                       sizeof(entry_function) ==
                   0,
               "functions up to the table's end");

static bool has_hole(const emu_driver *driver)
{
    const char *at = (const char *)driver + offsetof(emu_driver, device_create);
    const char *end = (const char *)driver + sizeof *driver;
    for (; at < end; at += sizeof(entry_function)) {
        entry_function entry;
        memcpy(&entry, at, sizeof entry);
        if (!entry)
            return true;
    }
    return false;
}

/* POSIX and Windows: pointers to functions are as large as others, and the same bits. */
#define CALL_ENTRY(table, host, entry, argument)                                                   \
    do {                                                                                           \
        const table *(*function)(const host *);                                                    \
        memcpy(&function, &(entry), sizeof function);                                              \
        driver = function(argument);                                                               \
    } while (0)

/* Checks a user-mode driver's table. Annotations have rules of their own [ANN-CAPS-04]. */
static const void *open_driver(void *entry, const char **wrong)
{
    const emu_driver *driver;
    CALL_ENTRY(emu_driver, emu_driver_host, entry, &emu__driver_host);
    *wrong = !driver ? "emu_driver_open returned NULL"
             : driver->version != EMU_DRIVER_VERSION || driver->size != sizeof *driver
                 ? "the driver was built with another emu/driver.h; build the driver again"
             : !driver->annot.name ? "the driver's table has no name"
             : has_hole(driver)    ? "the driver's table lacks a function"
                                   : NULL;
    return driver;
}

static const void *open_kernel_driver(void *entry, const char **wrong)
{
    const emu_kernel_driver *driver;
    CALL_ENTRY(emu_kernel_driver, emu_kernel_host, entry, &emu__kernel_host);
    *wrong = !driver ? "emu_kernel_driver_open returned NULL"
             : driver->version != EMU_KERNEL_DRIVER_VERSION || driver->size != sizeof *driver
                 ? "the driver was built with another emu/kernel.h; build the driver again"
             : !driver->name ? "the driver's table has no name"
                             : NULL;
    return driver;
}

static const struct kind drivers = {"emu_driver_open", "driver", open_driver},
                         kernel_drivers = {"emu_kernel_driver_open", "kernel-mode driver",
                                           open_kernel_driver};

/* ---- loading ---- */

static HRESULT load(const char *path, const struct kind *kind, const void **out, char *reason,
                    size_t capacity)
{
    const char *wrong = NULL;
    void *library = os_library_load(path);
    void *entry = library ? os_library_function(library, kind->entry) : NULL;
    if (!entry) {
        snprintf(reason, capacity, "%s", os_library_error());
        return DXGI_ERROR_NOT_FOUND;
    }
    const void *table = kind->open(entry, &wrong);
    if (wrong) {
        snprintf(reason, capacity, "%s", wrong);
        return DXGI_ERROR_UNSUPPORTED;
    }
    *out = table;
    return S_OK;
}

/* The lock is held. */
static struct module *find_module(const char *path, const struct kind *kind)
{
    struct module *module = modules;
    while (module && (module->kind != kind || strcmp(module->path, path) != 0))
        module = module->next;
    return module;
}

/* The lock is held. */
static struct module *add_module(const char *path, const struct kind *kind)
{
    const size_t size = strlen(path) + 1;
    struct module *module = malloc(sizeof *module + size);
    if (!module)
        return NULL;
    module->kind = kind;
    module->table = NULL;
    memcpy(module->path, path, size);
    LL_PREPEND(modules, module);
    return module;
}

static HRESULT find_or_load(const char *path, const struct kind *kind, const void **out)
{
    char reason[512] = "";
    HRESULT hr = S_OK;
    *out = NULL;
    emu_lock(&lock);
    struct module *module = find_module(path, kind);
    const bool is_first = !module;
    if (is_first)
        module = add_module(path, kind);
    if (!module)
        hr = E_OUTOFMEMORY;
    else if (!module->table)
        hr = load(path, kind, &module->table, reason, sizeof reason);
    if (module)
        *out = module->table;
    emu_unlock(&lock);
    if (FAILED(hr) && module && is_first)
        fprintf(stderr, "libd3d12: the %s %s can't be used: %s\n", kind->noun, path, reason);
    return hr;
}

bool driver_is_path(const char *name)
{
    return strpbrk(name, "/\\") != NULL;
}

HRESULT driver_find(const char *name, const emu_driver **out)
{
    const void *table;
    if (!driver_is_path(name)) {
        *out = emu_driver_find(name);
        return *out ? S_OK : DXGI_ERROR_NOT_FOUND;
    }
    const HRESULT hr = find_or_load(name, &drivers, &table);
    *out = table;
    return hr;
}

const emu_kernel_driver *kernel_driver_find(const char *path)
{
    const void *table;
    find_or_load(path, &kernel_drivers, &table);
    return table;
}
