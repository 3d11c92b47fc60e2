/* What a D3D12 library exports, in front of the real one. */
#include "d3d12.h"

#include "call.h"
#include "recorder.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

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
    /* The library's calls of its own exports stay in it. */
    runtime = dlopen(path, RTLD_NOW | RTLD_LOCAL | CAPTURE_DEEPBIND);
    if (!runtime) {
        fprintf(stderr, "annot capture: %s\n", dlerror());
        return;
    }
    recorder_open(path);
}

__attribute__((destructor)) static void unload(void)
{
    recorder_close();
}

static void *function(const char *name)
{
    pthread_once(&once, load);
    void *found = runtime ? dlsym(runtime, name) : NULL;
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
