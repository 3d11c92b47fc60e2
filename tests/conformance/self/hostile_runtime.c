/* The emulator behind a runtime that misbehaves: HOSTILE_LOAD, HOSTILE_DEVICE and HOSTILE_UNLOAD
 * name what it does when it is loaded, when a device is made, and when the process ends.
 * HOSTILE_IN=case spares the process that probes the runtime. HOSTILE_REAL is the emulator's path,
 * HOSTILE_PID a file for the ID of a process that it leaves behind. */
#include <unknwn.h>
#include <directx/d3d12.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <io.h>
#include <windows.h>
#define EXPORT __declspec(dllexport)
#define write  _write
#else
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>
#define EXPORT __attribute__((visibility("default")))
#endif

typedef HRESULT(WINAPI *create_device_fn)(IUnknown *, D3D_FEATURE_LEVEL, REFIID, void **);

static create_device_fn real_create_device(void)
{
    create_device_fn function;
    const char *path = getenv("HOSTILE_REAL");
#if defined(_WIN32)
    HMODULE library = path ? LoadLibraryExA(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH) : NULL;
    FARPROC symbol = library ? GetProcAddress(library, "D3D12CreateDevice") : NULL;
#else
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *symbol = library ? dlsym(library, "D3D12CreateDevice") : NULL;
#endif
    memcpy(&function, &symbol, sizeof function);
    return function;
}

/* The probe's process is spared when only cases are to suffer. */
static int is_spared(void)
{
    const char *in = getenv("HOSTILE_IN");
    if (!in || strcmp(in, "case") != 0)
        return 0;
#if defined(_WIN32)
    return !strstr(GetCommandLineA(), "--run-case");
#else
    char line[4096];
    FILE *file = fopen("/proc/self/cmdline", "r");
    const size_t size = file ? fread(line, 1, sizeof line, file) : 0;
    if (file)
        fclose(file);
    for (size_t i = 0; i + 10 <= size; i++)
        if (memcmp(line + i, "--run-case", 10) == 0)
            return 0;
    return 1;
#endif
}

/* ---- what it does ---- */

static void hang(void)
{
    for (;;)
#if defined(_WIN32)
        Sleep(1000);
#else
        pause();
#endif
}

static void say(int file, const char *text)
{
    if (write(file, text, (unsigned)strlen(text)) < 0)
        return;
}

static void no_newline(void)
{
    say(1, "text without an end of its line");
}

static void flood(void)
{
    static char line[4096];
    memset(line, 'x', sizeof line - 2);
    line[sizeof line - 2] = '\n';
    for (int i = 0; i < 512; i++)
        say(i % 2 + 1, line);
}

static void flood_for_ever(void)
{
    for (;;)
        flood();
}

/* The verdict's words, with every token that one may guess, into every file that is open. */
static void forge(void)
{
    static const char *const lines[] = {"\npassed\n",
                                        "\nloaded\npassed\n",
                                        "\nconformance-verdict: passed\n",
                                        "\nok 1 - mode\n",
                                        "\n0000000000000000 loaded\n0000000000000000 passed\n",
                                        "\nxxxxxxxxxxxxxxxx loaded\nxxxxxxxxxxxxxxxx passed\n"};
    for (int file = 1; file < 64; file++)
        for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
            say(file, lines[i]);
}

static void forge_and_leave(void)
{
    forge();
    _Exit(0);
}

static void escapes(void)
{
    say(1, "\033[2J\033]0;owned\a\r# \xe2\x80\xae reversed \xff\n");
}

static void leave(void)
{
    _Exit(0);
}

static void leave_with_3(void)
{
    _Exit(3);
}

static void leave_by_exit(void)
{
    exit(0);
}

static void fault(void)
{
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}

#if !defined(_WIN32)

static void stop(void)
{
    raise(SIGSTOP);
}

static void kill_the_group(void)
{
    kill(0, SIGKILL);
}

static void close_everything(void)
{
    for (int file = 0; file < 256; file++)
        close(file);
}

/* A process that holds everything that this one has open, and stays. */
static void leave_a_child(void)
{
    const char *path = getenv("HOSTILE_PID");
    const pid_t id = fork();
    if (id == 0)
        hang();
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", (long)id);
        fclose(file);
    }
}

/* Both run the case; the first one then crashes. */
static void twin(void)
{
    const pid_t id = fork();
    if (id > 0) {
        waitpid(id, NULL, 0);
        abort();
    }
}

#endif

static void act(const char *variable)
{
    static const struct {
        const char *name;
        void (*act)(void);
    } acts[] = {
        {"abort", abort},
        {"escapes", escapes},
        {"exit", leave_by_exit},
        {"fault", fault},
        {"flood", flood},
        {"flood_for_ever", flood_for_ever},
        {"forge", forge},
        {"forge_and_leave", forge_and_leave},
        {"hang", hang},
        {"leave", leave},
        {"leave_with_3", leave_with_3},
#if !defined(_WIN32)
        {"child", leave_a_child},
        {"close", close_everything},
        {"kill_group", kill_the_group},
        {"stop", stop},
        {"twin", twin},
#endif
        {"no_newline", no_newline}
    };
    const char *name = getenv(variable);
    for (size_t i = 0; name && i < sizeof acts / sizeof acts[0]; i++)
        if (strcmp(name, acts[i].name) == 0 && !is_spared())
            acts[i].act();
}

static __attribute__((constructor)) void loaded(void)
{
    act("HOSTILE_LOAD");
}

static __attribute__((destructor)) void unloaded(void)
{
    act("HOSTILE_UNLOAD");
}

EXPORT HRESULT WINAPI D3D12CreateDevice(IUnknown *adapter, D3D_FEATURE_LEVEL minimum, REFIID riid,
                                        void **out)
{
    const char *name = getenv("HOSTILE_DEVICE");
    const create_device_fn create_device = real_create_device();
    act("HOSTILE_DEVICE");
    if (!create_device || (name && strcmp(name, "fail") == 0 && !is_spared()))
        return E_FAIL;
    return create_device(adapter, minimum, riid, out);
}
