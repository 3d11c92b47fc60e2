/* The exports of a D3D12 library; each records the call and calls the real library. */
#include "d3d12.h"

#include "call.h"
#include "exports.h"
#include "mapping.h"
#include "os.h"
#include "recorder.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

EXPORT void annot_capture_pause(int on);
EXPORT void annot_capture_as(uint32_t thread, uint64_t call, uint64_t behind);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *runtime;

static void load(void)
{
    const char *path = getenv("ANNOT_CAPTURE_RUNTIME");
    schema_init();
    if (!path || !*path) {
        fputs("annot capture: ANNOT_CAPTURE_RUNTIME names no D3D12 library; start programs with "
              "'annot capture'\n",
              stderr);
        return;
    }
    runtime = os_library_load(path);
    if (!runtime) {
        fprintf(stderr, "annot capture: %.200s: %s\n", path, os_library_error());
        return;
    }
    void (*count)(uint64_t(*)(void));
    void *found = os_library_function(runtime, "annot_set_call_counter");
    memcpy(&count, &found, sizeof found);
    if (recorder_open(path, mapping_open()) && found)
        count(call_current);
}

#ifdef _WIN32
BOOL WINAPI DllMain(HINSTANCE self, DWORD reason, void *is_ending);
BOOL WINAPI DllMain(HINSTANCE self, DWORD reason, void *is_ending)
{
    (void)self;
    if (reason == DLL_PROCESS_DETACH)
        recorder_close(is_ending != NULL);
    return TRUE;
}
#else
__attribute__((destructor)) static void unload(void)
{
    recorder_close(false);
}
#endif

/* A dump of the device says which trace its calls are in. */
void exports_note_device(void *real_device)
{
    annot_device *(*annot_device_of)(void *);
    annot_result (*set_fact)(annot_device *, const char *, const char *);
    void *found = os_library_function(runtime, "emu_annot_device");
    void *fact = os_library_function(runtime, "annot_device_set_fact");
    memcpy(&annot_device_of, &found, sizeof found);
    memcpy(&set_fact, &fact, sizeof fact);
    annot_device *device = found && fact ? annot_device_of(real_device) : NULL;
    if (device)
        set_fact(device, "trace", recorder_path());
}

static void *function(const char *name)
{
    pthread_once(&once, load);
    void *found = runtime ? os_library_function(runtime, name) : NULL;
    if (!found)
        fprintf(stderr, "annot capture: the D3D12 library has no %s; the call fails\n", name);
    return found;
}

/* The first call of an export finds the real one. */
#define REAL(name)                                                                                 \
    static void *found_;                                                                           \
    void *at_ = __atomic_load_n(&found_, __ATOMIC_ACQUIRE);                                        \
    if (!at_)                                                                                      \
        __atomic_store_n(&found_, at_ = function(#name), __ATOMIC_RELEASE);                        \
    real_##name real_;                                                                             \
    memcpy(&real_, &at_, sizeof real_);

#define PACK(ctype, name, ...)                                                                     \
    memcpy(&args_[n_], &name, sizeof name);                                                        \
    n_++;
#define UNPACK(ctype, name, ...)                                                                   \
    memcpy(&name, &args_[n_], sizeof name);                                                        \
    n_++;

#define ENTER(name, count)                                                                         \
    REAL(name)                                                                                     \
    struct call call_;                                                                             \
    uint64_t args_[(count) + 1] = {0};                                                             \
    size_t n_ = 0;                                                                                 \
    D3D12_PARAMS_##name(PACK) call_enter(&call_, METHOD_NONE_##name, NULL, args_);                 \
    n_ = 0;                                                                                        \
    D3D12_PARAMS_##name(UNPACK)(void) n_;

#define FORWARD_NOTHING(name, result, count)                                                       \
    typedef void(WINAPI * real_##name)(D3D12_SIGNATURE_##name);                                    \
    EXPORT void WINAPI name(D3D12_SIGNATURE_##name)                                                \
    {                                                                                              \
        ENTER(name, count)                                                                         \
        if (real_)                                                                                 \
            real_(D3D12_NAMES_##name);                                                             \
        call_leave(&call_, args_, 0, NULL);                                                        \
    }

#define FORWARD_VALUE(name, result, count)                                                         \
    typedef result(WINAPI *real_##name)(D3D12_SIGNATURE_##name);                                   \
    EXPORT result WINAPI name(D3D12_SIGNATURE_##name)                                              \
    {                                                                                              \
        ENTER(name, count)                                                                         \
        uint64_t word_ = (uint32_t)E_NOTIMPL;                                                      \
        result result_;                                                                            \
        memcpy(&result_, &word_, sizeof result_);                                                  \
        if (real_)                                                                                 \
            result_ = real_(D3D12_NAMES_##name);                                                   \
        word_ = 0;                                                                                 \
        memcpy(&word_, &result_, sizeof result_);                                                  \
        call_leave(&call_, args_, word_, NULL);                                                    \
        return result_;                                                                            \
    }

#define FORWARD(none, name, digest, how, result, kind, ref, size, first, count)                    \
    FORWARD_##how(name, result, count)
D3D12_EXPORTS(FORWARD)

/* DXCore's adapters are not of the table: they are passed through. */
EXPORT int32_t emu_dxcore_factory(const void *riid, void **factory)
{
    typedef int32_t (*real_emu_dxcore_factory)(const void *riid, void **factory);
    REAL(emu_dxcore_factory)
    if (!real_)
        return E_NOTIMPL;
    recorder_say("DXCore's adapters are passed through unrecorded", NULL);
    return real_(riid, factory);
}

/* For a replayer that is recorded: its own questions are not those of the trace. Calls of this
 * thread are made and not recorded between on = 1 and on = 0; in pairs. */
EXPORT void annot_capture_pause(int on)
{
    call_pause(on != 0);
}

/* For a replayer that is recorded: its next call is recorded as this call of this thread, which
 * returned when `behind` was the newest call that had begun. */
EXPORT void annot_capture_as(uint32_t thread, uint64_t call, uint64_t behind)
{
    recorder_imitate(thread, call, behind);
}
