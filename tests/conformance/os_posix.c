#include "os.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool os_own_path(char path[OS_PATH_MAX])
{
    const ssize_t length = readlink("/proc/self/exe", path, OS_PATH_MAX - 1);
    if (length <= 0 || length >= OS_PATH_MAX - 1)
        return false;
    path[length] = '\0';
    return true;
}

bool os_file_exists(const char *path)
{
    return access(path, R_OK) == 0;
}

bool os_own_file(const char *name, char path[OS_PATH_MAX])
{
    const char *folder = getenv("TMPDIR");
    const int length = snprintf(path, OS_PATH_MAX, "%s/%ld-%s",
                                folder && folder[0] ? folder : "/tmp", (long)getpid(), name);
    return length > 0 && length < OS_PATH_MAX;
}

bool os_is_terminal(void)
{
    return isatty(STDOUT_FILENO) == 1;
}

void os_set_environment(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

uint64_t os_thread_id(void)
{
    return (uint64_t)pthread_self();
}

uint64_t os_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

unsigned os_processors(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

/* ---- memory ---- */

void *os_map(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void os_take(void *memory, size_t size)
{
    mmap(memory, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* Bytes of address space that the process has, from the file that Linux shows them in; 0: not
 * known. */
static uint64_t address_space(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%llu", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* A sanitizer's process has terabytes of it, and dies of a malloc that fails. */
bool os_limit_memory(size_t size)
{
    const uint64_t now = address_space();
    const struct rlimit limit = {(rlim_t)(now + size), RLIM_INFINITY};
    if (now == 0 || now >> 40 != 0)
        return false;
    return setrlimit(RLIMIT_AS, &limit) == 0;
}

/* ---- libraries ---- */

void *os_library(const char *path, char *error, size_t error_size)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        snprintf(error, error_size, "%s", dlerror());
    return library;
}

os_function os_library_function(void *library, const char *name)
{
    os_function function = NULL;
    void *symbol = dlsym(library, name); /* looks into what the library has loaded too */
    memcpy(&function, &symbol, sizeof function);
    return function;
}

bool os_function_library(os_function function, char *text, size_t size)
{
    char path[PATH_MAX];
    void *address;
    Dl_info info;
    memcpy(&address, &function, sizeof address);
    if (dladdr(address, &info) == 0 || !info.dli_fname)
        return false;
    const int length =
        snprintf(text, size, "%s", realpath(info.dli_fname, path) ? path : info.dli_fname);
    return length > 0;
}

/* ---- processes ---- */

enum {
    OUTPUT_MAX = 1 << 16,
    GUARDED_MAX = 64,
    READS_MAX = 64, /* at a time: a process that never stops writing doesn't keep the runner from
                       its clock */
};

struct os_process {
    pid_t id;
    int pipe;    /* -1: all has been read */
    int channel; /* of a guarded process; -1: none */
    bool guarded, ended;
    int status;
    char *output;
    size_t size, capacity;
};

unsigned long os_process_id(void)
{
    return (unsigned long)getpid();
}

void os_keep_to_itself(intptr_t file)
{
    fcntl((int)file, F_SETFD, FD_CLOEXEC);
}

void os_write(intptr_t file, const void *bytes, size_t size)
{
    while (write((int)file, bytes, size) < 0 && errno == EINTR)
        ;
}

bool os_random(uint64_t *number)
{
    const int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    const bool got = file >= 0 && read(file, number, sizeof *number) == (ssize_t)sizeof *number;
    if (file >= 0)
        close(file);
    return got;
}

static void gather(struct os_process *process, const char *bytes, size_t size)
{
    if (process->size + size > OUTPUT_MAX)
        size = OUTPUT_MAX - process->size;
    if (process->size + size + 1 > process->capacity) {
        const size_t capacity = (process->size + size + 1) * 2;
        char *bigger = realloc(process->output, capacity);
        if (!bigger)
            return;
        process->output = bigger;
        process->capacity = capacity;
    }
    memcpy(process->output + process->size, bytes, size);
    process->size += size;
    process->output[process->size] = '\0';
}

/* Takes what is there without waiting. */
static void drain(struct os_process *process)
{
    char bytes[4096];
    for (int i = 0; i < READS_MAX && process->pipe >= 0; i++) {
        const ssize_t got = read(process->pipe, bytes, sizeof bytes);
        if (got > 0) {
            gather(process, bytes, (size_t)got);
            continue;
        }
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0 || errno != EAGAIN) {
            close(process->pipe);
            process->pipe = -1;
        }
        return;
    }
}

size_t os_process_channel(struct os_process *process, char *bytes, size_t size)
{
    ssize_t got;
    if (process->channel < 0)
        return 0;
    do
        got = read(process->channel, bytes, size);
    while (got < 0 && errno == EINTR);
    return got > 0 ? (size_t)got : 0;
}

/* ---- groups: a runner that is interrupted takes its processes along ---- */

static volatile pid_t groups[GUARDED_MAX];

static void kill_group(pid_t id)
{
    kill(-id, SIGKILL);
    kill(id, SIGKILL); /* it may have left its group */
}

static void kill_groups(int signal_number)
{
    for (int i = 0; i < GUARDED_MAX; i++)
        if (groups[i] != 0)
            kill_group(groups[i]);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

/* From before a process is started until guard() knows it: what it starts in turn would be left
 * behind. */
static void hold_signals(sigset_t *before)
{
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof ending_signals / sizeof ending_signals[0]; i++)
        sigaddset(&held, ending_signals[i]);
    sigprocmask(SIG_BLOCK, &held, before);
}

static void guard(pid_t id)
{
    static bool handled;
    for (size_t i = 0; i < sizeof ending_signals / sizeof ending_signals[0] && !handled; i++)
        signal(ending_signals[i], kill_groups);
    handled = true;
    for (int i = 0; i < GUARDED_MAX; i++)
        if (groups[i] == 0) {
            groups[i] = id;
            return;
        }
}

static void unguard(pid_t id)
{
    for (int i = 0; i < GUARDED_MAX; i++)
        if (groups[i] == id)
            groups[i] = 0;
}

/* ---- starting ---- */

static _Noreturn void become(char *const argv[], int output, int channel)
{
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    if (channel >= 0) {
        setpgid(0, 0);
#if defined(__linux__)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
        fcntl(channel, F_SETFD, 0);
    }
    execv(argv[0], argv);
    _exit(127);
}

static bool open_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return true;
}

static void close_pipe(int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

struct os_process *os_process_start(char *const argv[], char *channel_text)
{
    struct os_process *process = calloc(1, sizeof *process);
    int output[2] = {-1, -1}, channel[2] = {-1, -1};
    sigset_t before;
    if (!process || !open_pipe(output) || (channel_text && !open_pipe(channel)))
        goto err;
    if (channel_text)
        snprintf(channel_text, OS_CHANNEL_MAX, "%d", channel[1]);
    hold_signals(&before);
    process->id = fork();
    if (process->id == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        become(argv, output[1], channel[1]);
    }
    process->guarded = process->id > 0 && channel_text;
    if (process->guarded) {
        setpgid(process->id, process->id); /* on both sides: neither knows which comes first */
        guard(process->id);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (process->id < 0)
        goto err;
    if (channel_text)
        close(channel[1]);
    close(output[1]);
    process->pipe = output[0];
    process->channel = channel[0];
    return process;

err:
    close_pipe(output);
    close_pipe(channel);
    free(process);
    return NULL;
}

/* The group goes while its leader is not yet reaped: until then its number is nobody else's. */
static void reap(struct os_process *process)
{
    if (process->guarded) {
        kill_group(process->id);
        unguard(process->id);
    }
    while (waitpid(process->id, &process->status, 0) < 0 && errno == EINTR)
        ;
    process->ended = true;
    drain(process); /* what it wrote last */
}

static bool look(struct os_process *process)
{
    siginfo_t info = {.si_pid = 0};
    drain(process);
    if (process->ended)
        return true;
    if (waitid(P_PID, (id_t)process->id, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid != process->id)
        return false;
    reap(process);
    return true;
}

/* A pipe's end comes just before its process's, and may not come at all when a grandchild holds it:
 * so in short steps. */
void os_process_wait(struct os_process *const processes[], size_t count, unsigned milliseconds)
{
    const uint64_t until = os_clock() + (uint64_t)milliseconds * 1000000u;
    struct pollfd *polls = calloc(count + 1, sizeof *polls);
    bool any = count == 0 || !polls;
    while (!any) {
        for (size_t i = 0; i < count; i++)
            polls[i] = (struct pollfd){.fd = processes[i]->pipe, .events = POLLIN};
        poll(polls, (nfds_t)count, 5);
        for (size_t i = 0; i < count; i++)
            any |= look(processes[i]);
        any |= os_clock() >= until;
    }
    free(polls);
}

bool os_process_ended(const struct os_process *process)
{
    return process->ended;
}

const char *os_process_output(const struct os_process *process)
{
    return process->output ? process->output : "";
}

bool os_process_crashed(const struct os_process *process, int *code, char *how, size_t how_size)
{
    if (WIFEXITED(process->status)) {
        *code = WEXITSTATUS(process->status);
        return false;
    }
    const int number = WTERMSIG(process->status);
    snprintf(how, how_size, "signal %d, %s", number, strsignal(number));
    return true;
}

void os_process_kill(struct os_process *process)
{
    if (process->ended)
        return;
    kill(process->id, SIGKILL);
    reap(process);
}

void os_process_done(struct os_process *process)
{
    if (!process)
        return;
    os_process_kill(process);
    if (process->pipe >= 0)
        close(process->pipe);
    if (process->channel >= 0)
        close(process->channel);
    free(process->output);
    free(process);
}
