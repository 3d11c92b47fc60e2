#include "device/config.h"

#include "os_path.h"
#include "os_process.h"
#include "device/hang.h"
#include "device/driver_module.h"

#include "kmd/kmd.h"

#include "environment.h"
#include "gate.h"

#include <errno.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct d3d12_settings current = {.config = EMU_CONFIG_INIT};
atomic_bool debug_layer_switch;

static bool copy_string(const char *from, char **out)
{
    *out = from ? strdup(from) : NULL;
    return !from || *out;
}

void d3d12_settings_finish(struct d3d12_settings *settings)
{
    free(settings->driver);
    free(settings->dump_path);
    free(settings->marker);
    free(settings->messages);
}

static bool settings_copy(struct d3d12_settings *to, const emu_config *config)
{
    *to = (struct d3d12_settings){.config = *config};
    if (!copy_string(config->driver, &to->driver) ||
        !copy_string(config->dump_path, &to->dump_path) ||
        !copy_string(config->hang.marker, &to->marker)) {
        d3d12_settings_finish(to);
        return false;
    }
    to->config.driver = to->driver;
    to->config.dump_path = to->dump_path;
    to->config.hang.marker = to->marker;
    return true;
}

annot_result emu_configure(const emu_config *config)
{
    static const emu_config defaults = EMU_CONFIG_INIT;
    struct d3d12_settings settings;
    if (!config)
        config = &defaults;
    if (config->order != EMU_ORDER_THREADS && config->order != EMU_ORDER_SEEDED)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (config->hang.place == EMU_HANG_AT_MARKER && !config->hang.marker)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if ((unsigned)config->tdr_payload > EMU_TDR_PAYLOAD_LONGER ||
        config->tdr_buffer > EMU_KMD_TDR_BUFFER_MAX || config->in_flight > EMU_GPU_IN_FLIGHT ||
        (unsigned)config->marker_type > D3DWDDM1_3DDI_MARKER_TYPE_PROFILE ||
        config->gpu_clock.hz > EMU_GPU_CLOCK_LIMIT_HZ || config->gpu_clock.ppm > 100000 ||
        config->gpu_clock.ppm < -100000)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (!settings_copy(&settings, config))
        return ANNOT_ERROR_OUT_OF_MEMORY;
    settings.configured = config != &defaults;
    emu_lock(&lock);
    struct d3d12_settings old = current;
    current = settings;
    emu_unlock(&lock);
    d3d12_settings_finish(&old);
    return ANNOT_OK;
}

/* Writes to stderr, because many programs don't show the debug layer's messages. */
static void complain(const char *name, const char *value, const char *expected)
{
    fprintf(stderr, "libd3d12: %s=%s is ignored; the value must be %s\n", name, value, expected);
}

/* Returns a variable's number; 0: the variable is not set, or is no such number. */
static uint64_t number_from_environment(const char *name, uint64_t limit, const char *expected,
                                        bool *out_of_memory)
{
    char *value = os_environment(name, out_of_memory);
    if (!value)
        return 0;
    char *end;
    errno = 0;
    uint64_t number = strtoull(value, &end, 0);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 || number > limit) {
        complain(name, value, expected);
        number = 0;
    }
    free(value);
    return number;
}

/* Whether the variable has the word `yes`. The other word means the same as an unset variable. */
static bool word_from_environment(const char *name, const char *yes, const char *no,
                                  const char *expected, bool *out_of_memory)
{
    char *value = os_environment(name, out_of_memory);
    const bool is = value && strcmp(value, yes) == 0;
    if (value && !is && strcmp(value, no) != 0)
        complain(name, value, expected);
    free(value);
    return is;
}

/* Reads the first of the three variables that is set. settings->marker gets the text. */
static void hang_from_environment(struct d3d12_settings *settings, bool *out_of_memory)
{
    static const char *const names[] = {[EMU_HANG_SPINS] = "EMU_HANG",
                                        [EMU_HANG_FAULTS] = "EMU_FAULT",
                                        [EMU_HANG_LOSES] = "EMU_LOSE"};
    for (int kind = 0; kind < 3 && settings->config.hang.place == EMU_HANG_NEVER; kind++) {
        char *value = os_environment(names[kind], out_of_memory);
        if (!value)
            continue;
        if (!hang_parse(value, (emu_hang_kind)kind, &settings->config.hang))
            complain(names[kind], value,
                     "dispatch:N, draw:N, list:N, submission:N or marker:GLOB, with N from 1");
        else
            settings->hang_variable = names[kind];
        free(settings->marker);
        settings->marker = value;
    }
}

/* Copies a path. A file in the current folder gets "./"; the system would search elsewhere. */
static char *copy_path(const char *path)
{
    const char *folder = !strpbrk(path, "/\\") ? "./" : "";
    const size_t size = strlen(folder) + strlen(path) + 1;
    char *copy = malloc(size);
    if (copy)
        snprintf(copy, size, "%s%s", folder, path);
    return copy;
}

static void kernel_driver_from_environment(struct d3d12_settings *settings, bool *out_of_memory)
{
    char *path = os_environment("EMU_KERNEL_DRIVER_PATH", out_of_memory);
    if (!path)
        return;
    char *copy = copy_path(path);
    *out_of_memory |= !copy;
    if (copy) {
        settings->kernel_driver = kernel_driver_find(copy);
        settings->kernel_driver_failed = !settings->kernel_driver;
    }
    free(copy);
    free(path);
}

/* Replaces %p by the process's number, %n by the device's number in the process, and %% by a
 * percent sign. NULL: out of memory. */
static char *expand_path(const char *path, uint64_t serial)
{
    const size_t capacity = strlen(path) * 12 + 1; /* two characters become 20 at most */
    char *out = malloc(capacity);
    size_t used = 0;
    for (; out && *path != '\0'; path++) {
        const bool special = *path == '%' && path[1] != '\0' && strchr("pn%", path[1]);
        if (!special) {
            out[used++] = *path;
            continue;
        }
        path++;
        if (*path == '%')
            out[used++] = '%';
        else
            used += (size_t)snprintf(out + used, capacity - used, "%llu",
                                     (unsigned long long)(*path == 'p' ? os_process_id() : serial));
    }
    if (out)
        out[used] = '\0';
    return out;
}

static char *dump_path_from_environment(uint64_t serial, bool *out_of_memory)
{
    char *value = os_environment("EMU_DUMP", out_of_memory);
    if (!value)
        return NULL;
    char *path = expand_path(value, serial);
    free(value);
    *out_of_memory |= !path;
    return path;
}

/* Fills in what emu_configure left open. False means out of memory. */
static bool settings_complete(struct d3d12_settings *settings, uint64_t serial)
{
    bool out_of_memory = false;
    if (!settings->dump_path)
        settings->dump_path = dump_path_from_environment(serial, &out_of_memory);
    settings->default_folder = !settings->dump_path;
    if (settings->default_folder)
        settings->dump_path = os_dump_folder(&out_of_memory);
    if (settings->config.seed == 0)
        settings->config.seed = number_from_environment(
            "EMU_SEED", UINT64_MAX, "a 64-bit number without a sign", &out_of_memory);
    if (settings->config.in_flight == 0)
        settings->config.in_flight = (uint32_t)number_from_environment(
            "EMU_IN_FLIGHT", EMU_GPU_IN_FLIGHT, "a number from 1 to 8", &out_of_memory);
    if (!settings->configured)
        settings->config.order = word_from_environment("EMU_ORDER", "seeded", "threads",
                                                       "threads or seeded", &out_of_memory)
                                     ? EMU_ORDER_SEEDED
                                     : EMU_ORDER_THREADS;
    hang_from_environment(settings, &out_of_memory);
    if (word_from_environment("ANNOT_TIMELINE", "1", "0", "0 or 1", &out_of_memory))
        settings->config.marker_type = D3DWDDM1_3DDI_MARKER_TYPE_PROFILE;
    if (!settings->config.kernel_driver)
        kernel_driver_from_environment(settings, &out_of_memory);
    settings->fresh_memory = number_from_environment(
        "EMU_FRESH_MEMORY", UINT64_MAX, "a 64-bit number without a sign", &out_of_memory);
    settings->messages = os_environment("EMU_MESSAGES", &out_of_memory);
    settings->times_work =
        word_from_environment("EMU_TDR", "work", "progress", "progress or work", &out_of_memory);
    settings->debug_layer = settings->config.debug_layer || atomic_load(&debug_layer_switch);
    return !out_of_memory;
}

bool d3d12_settings_init(struct d3d12_settings *settings, uint64_t serial)
{
    emu_lock(&lock);
    const bool ok = settings_copy(settings, &current.config);
    settings->configured = current.configured;
    emu_unlock(&lock);
    if (!ok)
        return false;
    if (!settings_complete(settings, serial)) {
        d3d12_settings_finish(settings);
        return false;
    }
    return true;
}

/* NULL: the environment names no driver, or there is no memory. */
static char *driver_from_environment(bool *out_of_memory)
{
    char *path = os_environment("EMU_DRIVER_PATH", out_of_memory);
    if (!path)
        return *out_of_memory ? NULL : os_environment("EMU_DRIVER", out_of_memory);
    char *copy = copy_path(path);
    *out_of_memory = !copy;
    free(path);
    return copy;
}

char *d3d12_settings_driver(void)
{
    char *copy = NULL;
    bool out_of_memory = false;
    emu_lock(&lock);
    if (current.driver)
        copy_string(current.driver, &copy);
    else
        copy = driver_from_environment(&out_of_memory);
    if (!copy && !current.driver && !out_of_memory)
        copy_string("reference", &copy);
    emu_unlock(&lock);
    return copy;
}
