#include "device/config.h"

#include "config/environment.h"

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct d3d12_settings current = {.config = EMU_CONFIG_INIT};

static bool copy_string(const char *from, char **out)
{
    *out = NULL;
    if (from == NULL)
        return true;
    const size_t size = strlen(from) + 1;
    *out = malloc(size);
    if (*out == NULL)
        return false;
    memcpy(*out, from, size);
    return true;
}

static bool settings_copy(struct d3d12_settings *to, const emu_config *config, const char *driver,
                          const char *dump_path)
{
    to->config = *config;
    if (!copy_string(driver, &to->driver))
        return false;
    if (!copy_string(dump_path, &to->dump_path)) {
        free(to->driver);
        return false;
    }
    to->config.driver = to->driver;
    to->config.dump_path = to->dump_path;
    return true;
}

void d3d12_settings_finish(struct d3d12_settings *settings)
{
    free(settings->driver);
    free(settings->dump_path);
}

annot_result emu_configure(const emu_config *config)
{
    static const emu_config defaults = EMU_CONFIG_INIT;
    struct d3d12_settings settings;
    if (config == NULL)
        config = &defaults;
    if (config->order != EMU_ORDER_THREADS && config->order != EMU_ORDER_SEEDED)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (!settings_copy(&settings, config, config->driver, config->dump_path))
        return ANNOT_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&lock);
    struct d3d12_settings old = current;
    current = settings;
    pthread_mutex_unlock(&lock);
    d3d12_settings_finish(&old);
    return ANNOT_OK;
}

static uint64_t seed_from_environment(bool *out_of_memory)
{
    char *value = emu_environment("EMU_SEED", out_of_memory);
    const uint64_t seed = value != NULL ? strtoull(value, NULL, 0) : 0;
    free(value);
    return seed;
}

/* What emu_configure left open. False when out of memory. */
static bool settings_complete(struct d3d12_settings *settings)
{
    bool out_of_memory = false;
    if (settings->dump_path == NULL)
        settings->dump_path = emu_environment("EMU_DUMP", &out_of_memory);
    settings->config.dump_path = settings->dump_path;
    if (settings->config.seed == 0)
        settings->config.seed = seed_from_environment(&out_of_memory);
    return !out_of_memory;
}

bool d3d12_settings_init(struct d3d12_settings *settings)
{
    pthread_mutex_lock(&lock);
    bool ok = settings_copy(settings, &current.config, current.driver, current.dump_path);
    pthread_mutex_unlock(&lock);
    if (!ok)
        return false;
    if (!settings_complete(settings)) {
        d3d12_settings_finish(settings);
        return false;
    }
    return true;
}

/* A file in the current folder says so, or the system would look for it elsewhere. */
static char *copy_path(const char *path)
{
    const char *folder = strpbrk(path, "/\\") == NULL ? "./" : "";
    const size_t size = strlen(folder) + strlen(path) + 1;
    char *copy = malloc(size);
    if (copy != NULL)
        snprintf(copy, size, "%s%s", folder, path);
    return copy;
}

/* NULL: the environment names no driver, or there is no memory. */
static char *driver_from_environment(bool *out_of_memory)
{
    char *path = emu_environment("EMU_DRIVER_PATH", out_of_memory);
    if (path == NULL)
        return *out_of_memory ? NULL : emu_environment("EMU_DRIVER", out_of_memory);
    char *copy = copy_path(path);
    *out_of_memory = copy == NULL;
    free(path);
    return copy;
}

char *d3d12_settings_driver(void)
{
    char *copy = NULL;
    bool out_of_memory = false;
    pthread_mutex_lock(&lock);
    if (current.driver != NULL)
        copy_string(current.driver, &copy);
    else
        copy = driver_from_environment(&out_of_memory);
    if (copy == NULL && current.driver == NULL && !out_of_memory)
        copy_string("reference", &copy);
    pthread_mutex_unlock(&lock);
    return copy;
}
