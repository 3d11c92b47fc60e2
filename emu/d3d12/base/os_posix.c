#include "base/os.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

bool os_event_duplicate(void *handle, intptr_t *out)
{
    int fd = fcntl((int)(intptr_t)handle, F_DUPFD_CLOEXEC, 0);
    *out = fd;
    return fd >= 0;
}

void os_event_signal(intptr_t event)
{
    const uint64_t one = 1;
    /* A full counter (EAGAIN) is a signalled event too. */
    while (write((int)event, &one, sizeof one) < 0 && errno == EINTR)
        ;
}

void os_event_close(intptr_t event)
{
    close((int)event);
}

struct token {
    uint64_t magic; /* TOKEN_MAGIC, the process */
    uint64_t number;
};

static struct token token_of(uint64_t number)
{
    return (struct token){UINT64_C(0x746f6e6e61627553) ^ (uint64_t)getpid(), number};
}

bool os_token_create(uint64_t token, void **out)
{
    const struct token content = token_of(token);
    const int fd = memfd_create("d3d12-shared", MFD_CLOEXEC);
    if (fd < 0)
        return false;
    if (fd == 0 || write(fd, &content, sizeof content) != (ssize_t)sizeof content) {
        close(fd); /* 0 would be a NULL handle */
        return false;
    }
    *out = (void *)(intptr_t)fd;
    return true;
}

bool os_token_read(void *handle, uint64_t *out)
{
    const intptr_t fd = (intptr_t)handle;
    struct stat kind;
    struct token content;
    if (fd <= 0 || fd > INT_MAX || fstat((int)fd, &kind) != 0 || !S_ISREG(kind.st_mode) ||
        pread((int)fd, &content, sizeof content, 0) != (ssize_t)sizeof content ||
        content.magic != token_of(0).magic)
        return false;
    *out = content.number;
    return true;
}

/* A file read line by line, without stdio's memory. */
struct lines {
    int file;
    char bytes[1024];
    ssize_t count, at;
};

static bool next_byte(struct lines *lines, char *out)
{
    if (lines->at == lines->count) {
        lines->count = read(lines->file, lines->bytes, sizeof lines->bytes);
        lines->at = 0;
    }
    if (lines->count <= 0) {
        lines->count = 0;
        return false;
    }
    *out = lines->bytes[lines->at++];
    return true;
}

/* The line's beginning; false at the end. */
static bool next_line(struct lines *lines, char *line, size_t capacity)
{
    size_t length = 0;
    char byte = 0;
    while (byte != '\n' && next_byte(lines, &byte))
        if (length + 1 < capacity)
            line[length++] = byte;
    line[length] = '\0';
    return length != 0;
}

bool os_allocation_at(const void *address, size_t *size)
{
    const uintptr_t at = (uintptr_t)address;
    struct lines lines = {.file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)};
    char line[128];
    bool found = false;
    if (lines.file < 0)
        return false;
    while (!found && next_line(&lines, line, sizeof line)) {
        uintptr_t first, end;
        char access[5];
        found = sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &first, &end, access) == 3 &&
                first <= at && at < end && access[0] == 'r' && access[1] == 'w';
        if (found)
            *size = end - at;
    }
    close(lines.file);
    return found && at % (uintptr_t)sysconf(_SC_PAGESIZE) == 0;
}

bool os_module_function(const char *path, const char *name, void *function, size_t size,
                        char *reason, size_t capacity)
{
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *address = module ? dlsym(module, name) : NULL;
    if (!address) {
        const char *error = dlerror();
        snprintf(reason, capacity, "%s", error ? error : "the system doesn't say why");
        return false;
    }
    memcpy(function, &address, size); /* POSIX: as large, and the same bits */
    return true;
}

uint64_t os_physical_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

uint64_t os_process_id(void)
{
    return (uint64_t)getpid();
}

uint64_t os_thread_id(void)
{
#ifdef __linux__
    return (uint64_t)syscall(SYS_gettid);
#else
    return 0;
#endif
}

FILE *os_open_log(const char *path)
{
    struct stat kind;
    const int fd =
        open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd < 0)
        return NULL;
    FILE *file = fstat(fd, &kind) == 0 && S_ISREG(kind.st_mode) ? fdopen(fd, "a") : NULL;
    if (!file)
        close(fd);
    return file;
}

void os_application_name(char *buffer, size_t capacity)
{
    char path[4096];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    if (size < 0)
        size = 0;
    path[size] = '\0';
    const char *slash = strrchr(path, '/');
    snprintf(buffer, capacity, "%s", slash != NULL ? slash + 1 : path);
}

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t os_wall_clock_ns(void)
{
    return clock_ns(CLOCK_REALTIME);
}

uint64_t os_monotonic_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

uint64_t os_performance_count(void)
{
    return os_monotonic_ns();
}

void os_break(void)
{
    raise(SIGTRAP);
}

bool os_folder_make(const char *path)
{
    return mkdir(path, 0700) == 0;
}

bool os_file_remove(const char *path)
{
    return unlink(path) == 0;
}
