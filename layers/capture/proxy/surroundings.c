#include "surroundings.h"
#include "../../intercept/held.h"

#include "../../intercept/d3d12.h"
#include "../../intercept/object.h"
#include "dxgi_adapter.h"
#include "os_path.h"
#include "recorder.h"
#include "environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define VARIABLES_MAX 32
#define FILE_MAX      ((size_t)2 << 20) /* most bytes of a settings file that is read */
#define SETTINGS      "ANNOT_CONFIG"
#ifdef _WIN32
#define READ "rb"
#else
#define READ "re"
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
HELD_AT_FORK(lock)
static char *known[VARIABLES_MAX]; /* "NAME=value", as recorded */
static uint64_t known_file;        /* hash of the settings file's bytes and state */

static void record(uint32_t kind, uint64_t call, uint64_t word, const void *bytes, size_t size)
{
    recorder_add(kind, call, 0, 1, &word, sizeof word, bytes, size);
}

/* ---- variables ---- */

/* Whether the emulator or the library reads the variable. */
static bool is_read(const char *variable)
{
    return strncmp(variable, "EMU_", 4) == 0 ||
           strncmp(variable, SETTINGS "=", sizeof SETTINGS) == 0;
}

static size_t name_length(const char *variable)
{
    return strcspn(variable, "=");
}

static bool is_named(const char *variable, const char *other)
{
    const size_t length = name_length(variable);
    return length == name_length(other) && strncmp(variable, other, length) == 0;
}

/* Returns a driver's variable with its full path: replay begins elsewhere. NULL: out of memory. */
static char *to_record(const char *variable)
{
    const bool is_path =
        is_named(variable, "EMU_DRIVER_PATH") || is_named(variable, "EMU_KERNEL_DRIVER_PATH");
    const size_t before = name_length(variable) + 1;
    char *path = is_path ? os_full_path(variable + before) : NULL;
    char *copy = path ? malloc(before + strlen(path) + 1) : strdup(variable);
    if (path && copy) {
        memcpy(copy, variable, before);
        memcpy(copy + before, path, strlen(path) + 1);
    }
    free(path);
    return copy;
}

static void record_variable(uint64_t call, const char *variable)
{
    size_t place = 0;
    while (place < VARIABLES_MAX && known[place] && !is_named(known[place], variable))
        place++;
    if (place == VARIABLES_MAX || (known[place] && strcmp(known[place], variable) == 0))
        return;
    char *copy = to_record(variable);
    if (!copy || (known[place] && strcmp(known[place], copy) == 0)) {
        free(copy);
        return;
    }
    free(known[place]);
    known[place] = copy;
    record(RECORD_VARIABLE, call, strlen(copy), copy, strlen(copy));
}

/* Records only the name of a variable that was recorded and is now unset. */
static void record_missing(uint64_t call)
{
    for (size_t i = 0; i < VARIABLES_MAX && known[i]; i++) {
        char **now = os_environment_all();
        while (*now && !is_named(*now, known[i]))
            now++;
        if (*now || !strchr(known[i], '=')) /* the variable is set, or its absence was recorded */
            continue;
        known[i][name_length(known[i])] = '\0';
        record(RECORD_VARIABLE, call, strlen(known[i]), known[i], strlen(known[i]));
    }
}

/* ---- the settings file ---- */

static void record_file(uint64_t call, const char *path)
{
    struct stat status;
    uint8_t *bytes = malloc(FILE_MAX);
    size_t size = 0;
    uint64_t state = TRACE_FILE_ABSENT;
    if (bytes && stat(path, &status) == 0) {
        FILE *file = S_ISREG(status.st_mode) ? fopen(path, READ) : NULL;
        state = file ? TRACE_FILE_PLAIN : TRACE_FILE_OTHER;
        size = file ? fread(bytes, 1, FILE_MAX, file) : 0;
        if (file)
            fclose(file);
    }
    const uint64_t hash = bytes ? XXH3_64bits_withSeed(bytes, size, state + 1) : known_file;
    if (hash != known_file)
        record(RECORD_FILE, call, state << 32 | size, bytes, size);
    known_file = hash;
    free(bytes);
}

/* ---- adapters ---- */

/* Finds the method in the table of IDXCoreAdapter, for C. */
struct dxcore_methods {
    void *others[6];
    HRESULT(STDMETHODCALLTYPE *GetProperty)(IUnknown *, UINT property, size_t size, void *to);
};
#define INSTANCE_LUID 0u

static bool luid_of(IUnknown *unknown, LUID *luid, uint64_t *which)
{
    static const IID dxcore_iid = {
        0xf0db4c7f, 0xfe5a, 0x42a2, {0xbd, 0x62, 0xf2, 0xa6, 0xcf, 0x6f, 0xc8, 0x3e}};
    const struct dxcore_methods *methods;
    void *found = NULL;
    *which = TRACE_ADAPTER_DXGI;
    if (dxgi_adapter_luid(unknown, luid))
        return true;
    *which = TRACE_ADAPTER_DXCORE;
    if (unknown->lpVtbl->QueryInterface(unknown, &dxcore_iid, &found) < 0 || !found)
        return false;
    memcpy(&methods, found, sizeof methods);
    const bool ok = methods->GetProperty(found, INSTANCE_LUID, sizeof *luid, luid) >= 0;
    object_release(found);
    return ok;
}

static void record_adapter(uint64_t call, void *adapter)
{
    uint64_t words[3] = {object_number(adapter), 0, 0};
    LUID luid;
    if (!luid_of(adapter, &luid, &words[2]))
        return;
    memcpy(&words[1], &luid, sizeof words[1]);
    recorder_add(RECORD_ADAPTER, call, 0, 3, words, sizeof words, NULL, 0);
}

void surroundings_record(uint64_t call, void *adapter)
{
    const char *path = os_environment_borrow(SETTINGS);
    pthread_mutex_lock(&lock);
    record_missing(call);
    for (char **variable = os_environment_all(); *variable; variable++)
        if (is_read(*variable))
            record_variable(call, *variable);
    if (path && *path)
        record_file(call, path);
    pthread_mutex_unlock(&lock);
    if (adapter)
        record_adapter(call, adapter);
}
