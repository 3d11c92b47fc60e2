/* The library in front of the real D3D12 library: its exports, and the clients that get its calls.
 * Each client has a variable that names the real library. A client is on if its variable is set. */
#include "../capture/proxy/record.h"
#include "../d3d12/client.h"
#include "../intercept/d3d12.h"
#include "../intercept/library.h"
#include "../intercept/runtime.h"
#include "../intercept/wrap.h"
#include "environment.h"
#include "os_process.h"
#include "os_say.h"

#include <pthread.h>
#include <string.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

static const struct known_client {
    const struct client *client;
    const char *runtime; /* the variable */
} known_clients[] = {
    {&record_client, "ANNOT_CAPTURE_RUNTIME"},
    {&crash_client, "ANNOT_D3D12_RUNTIME"},
};
enum { KNOWN_CLIENTS = sizeof known_clients / sizeof *known_clients };
_Static_assert((int)KNOWN_CLIENTS <= (int)CALL_CLIENTS, "all of them can be told");

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct client *clients[KNOWN_CLIENTS];
static unsigned client_count;

static const char *runtime_path(void)
{
    for (unsigned i = 0; i < KNOWN_CLIENTS; i++) {
        const char *path = os_environment_borrow(known_clients[i].runtime);
        if (path && *path)
            return path;
    }
    return NULL;
}

/* Whether a client is wanted. Without variables, only the crash client is wanted. */
static bool is_wanted(const struct known_client *known, bool is_by_default)
{
    const char *wanted = os_environment_borrow(known->runtime);
    return is_by_default ? known->client == &crash_client : wanted && *wanted;
}

static void open_clients(const char *path, bool is_by_default)
{
    for (unsigned i = 0; i < KNOWN_CLIENTS; i++)
        if (is_wanted(&known_clients[i], is_by_default) && known_clients[i].client->open(path))
            clients[client_count++] = known_clients[i].client;
}

/* Tells the command that started the program that the library gets its calls. */
static void tell_witness(void)
{
    const char *path = os_environment_borrow("ANNOT_FRONT_WITNESS");
    FILE *witness = path && *path ? library_open_file(path) : NULL;
    if (!witness)
        return;
    fputs("seen\n", witness);
    fclose(witness);
}

/* Checks the library; NULL: the library can't be used, and a message was printed. */
static void *check(void *library, const char *path)
{
    const char *refused = !library ? os_library_error()
                          : library == library_self()
                              ? "this is annot's own library; give the real D3D12 library"
                              : library_foreign(library);
    if (refused)
        os_say("annot: %.200s: %s", path, refused);
    return refused ? NULL : library;
}

/* Finds the library that a variable names, or else the system's own. If a variable has this
 * library's path, it is for a copy of the library in front, which has the clients. */
static void load(void)
{
    static char system[1024];
    const char *path = runtime_path();
    const bool is_trusted = os_environment_is_trusted(), is_by_default = !path;
    schema_init();
    tell_witness();
    void *library = path ? library_load(path) : NULL;
    const bool is_behind = library && library == library_self();
    if ((!path || is_behind) && library_find_system(system, sizeof system))
        library = library_load(path = system);
    if (path)
        library = check(library, path);
    else
        os_say("%s", is_trusted ? "annot: ANNOT_D3D12_RUNTIME must name a D3D12 library; start the "
                                  "program with 'annot d3d12' or 'annot capture'"
                                : "annot: this process has more rights than its user, so annot "
                                  "loads no D3D12 library from the environment");
    if (library)
        runtime_set(library);
    if (library && is_trusted && !is_behind)
        open_clients(path, is_by_default);
    call_open(wrap_tables, clients, client_count);
}

static void close_clients(bool is_alone)
{
    for (unsigned i = 0; i < client_count; i++)
        clients[i]->close(is_alone);
}

#ifdef _WIN32
BOOL WINAPI DllMain(HINSTANCE self, DWORD reason, void *is_ending);
BOOL WINAPI DllMain(HINSTANCE self, DWORD reason, void *is_ending)
{
    (void)self;
    if (reason == DLL_PROCESS_DETACH)
        close_clients(is_ending != NULL);
    return TRUE;
}
#else
__attribute__((destructor)) static void unload(void)
{
    close_clients(false);
}
#endif

static void *function(const char *name)
{
    pthread_once(&once, load);
    void *found = runtime_function(name);
    if (!found && runtime_library()) /* otherwise a message has the reason */
        os_say("annot: the D3D12 library does not export %s; the call fails", name);
    return found;
}

/* The first call of an export finds the real function. */
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
        uint64_t word_ = 0;                                                                        \
        call_leave(&call_, args_, &word_, NULL);                                                   \
    }

/* Without the real function, an export that returns a pointer or a count returns 0. */
#define FORWARD_VALUE(name, result, count)                                                         \
    typedef result(WINAPI *real_##name)(D3D12_SIGNATURE_##name);                                   \
    EXPORT result WINAPI name(D3D12_SIGNATURE_##name)                                              \
    {                                                                                              \
        ENTER(name, count)                                                                         \
        uint64_t word_ = sizeof(result) < sizeof word_ ? (uint32_t)E_NOTIMPL : 0;                  \
        result result_;                                                                            \
        memcpy(&result_, &word_, sizeof result_);                                                  \
        if (real_)                                                                                 \
            result_ = real_(D3D12_NAMES_##name);                                                   \
        word_ = 0;                                                                                 \
        memcpy(&word_, &result_, sizeof result_);                                                  \
        call_leave(&call_, args_, &word_, NULL);                                                   \
        memcpy(&result_, &word_, sizeof result_);                                                  \
        return result_;                                                                            \
    }

#define FORWARD(none, name, digest, how, result, kind, ref, size, first, count, slot)              \
    FORWARD_##how(name, result, count)
D3D12_EXPORTS(FORWARD)

/* The table lacks DXCore's adapters, so they are passed through. A recording lacks adapters; a dump
 * has no place for adapters. */
EXPORT int32_t emu_dxcore_factory(const void *riid, void **factory)
{
    typedef int32_t (*real_emu_dxcore_factory)(const void *riid, void **factory);
    REAL(emu_dxcore_factory)
    if (!real_)
        return E_NOTIMPL;
    for (unsigned i = 0; i < client_count; i++)
        if (clients[i] == &record_client)
            record_client.unknown("DXCore's adapters are passed on, but not recorded");
    return real_(riid, factory);
}
