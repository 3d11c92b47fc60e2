#include "device/driver_module.h"

#include "containers.h"
#include "os_process.h"

#include "umd/driver.h"
#include "gate.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct module {
    struct module *next;
    const emu_driver *driver; /* NULL: failed so far, and said so */
    char path[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct module *modules;

/* ---- what it returned ---- */

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

/* NULL when the table can be used. The annotation part has rules of its own [ANN-CAPS-04]. */
static const char *what_is_wrong(const emu_driver *driver)
{
    if (!driver)
        return "emu_driver_open returned NULL";
    if (driver->version != EMU_DRIVER_VERSION || driver->size != sizeof *driver)
        return "its table is for another version of emu/driver.h";
    if (!driver->annot.name)
        return "its table has no name";
    if (has_hole(driver))
        return "a function is missing in its table";
    return NULL;
}

/* ---- loading ---- */

bool driver_module_function(const char *path, const char *name, void *function, size_t size,
                            char *reason, size_t capacity)
{
    void *module = os_library_load(path);
    void *address = module ? os_library_function(module, name) : NULL;
    if (!address) {
        snprintf(reason, capacity, "%s", os_library_error());
        return false;
    }
    memcpy(function, &address, size); /* POSIX and Windows: as large, and the same bits */
    return true;
}

static HRESULT load(const char *path, const emu_driver **out, char *reason, size_t capacity)
{
    const emu_driver *(*open)(const emu_driver_host *);
    if (!driver_module_function(path, "emu_driver_open", &open, sizeof open, reason, capacity))
        return DXGI_ERROR_NOT_FOUND;
    const emu_driver *driver = open(&emu__driver_host);
    const char *wrong = what_is_wrong(driver);
    if (wrong) {
        snprintf(reason, capacity, "%s", wrong);
        return DXGI_ERROR_UNSUPPORTED;
    }
    *out = driver;
    return S_OK;
}

/* The lock is held. */
static struct module *find_module(const char *path)
{
    struct module *module;
    LL_FOREACH(modules, module)
    {
        if (strcmp(module->path, path) == 0)
            break;
    }
    return module;
}

/* The lock is held. */
static struct module *add_module(const char *path)
{
    const size_t size = strlen(path) + 1;
    struct module *module = malloc(sizeof *module + size);
    if (!module)
        return NULL;
    module->driver = NULL;
    memcpy(module->path, path, size);
    LL_PREPEND(modules, module);
    return module;
}

/* The lock is held. */
static HRESULT find_or_load(const char *path, const emu_driver **out)
{
    char reason[512] = "";
    struct module *module = find_module(path);
    const bool is_first = !module;
    if (is_first)
        module = add_module(path);
    if (!module)
        return E_OUTOFMEMORY;
    HRESULT hr = S_OK;
    if (!module->driver)
        hr = load(path, &module->driver, reason, sizeof reason);
    if (FAILED(hr) && is_first)
        fprintf(stderr, "libd3d12: the driver %s can't be used: %s\n", path, reason);
    *out = module->driver;
    return hr;
}

bool driver_is_path(const char *name)
{
    return strpbrk(name, "/\\") != NULL;
}

HRESULT driver_find(const char *name, const emu_driver **out)
{
    if (!driver_is_path(name)) {
        *out = emu_driver_find(name);
        return *out ? S_OK : DXGI_ERROR_NOT_FOUND;
    }
    emu_lock(&lock);
    const HRESULT hr = find_or_load(name, out);
    emu_unlock(&lock);
    return hr;
}
