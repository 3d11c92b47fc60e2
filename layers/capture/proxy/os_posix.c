#include "os.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

/* ---- files ---- */

os_file os_file_create(const char *path)
{
    unlink(path);
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

bool os_file_write(os_file file, const void *data, size_t size, uint64_t at)
{
    const uint8_t *next = data;
    while (size) {
        const ssize_t n = pwrite((int)file, next, size, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        next += n;
        at += (uint64_t)n;
        size -= (size_t)n;
    }
    return true;
}

size_t os_file_read(os_file file, void *data, size_t size, uint64_t at)
{
    const ssize_t n = pread((int)file, data, size, (off_t)at);
    return n < 0 ? 0 : (size_t)n;
}

void *os_file_map(os_file file, size_t size)
{
    if (ftruncate((int)file, (off_t)size))
        return NULL;
    void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, (int)file, 0);
    return map == MAP_FAILED ? NULL : map;
}

void os_file_close(os_file file, void *map, size_t size)
{
    if (map)
        munmap(map, size);
    if (file >= 0)
        close((int)file);
}

bool os_file_rename(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

void os_file_remove(const char *path)
{
    unlink(path);
}

char *os_full_path(const char *path)
{
    return realpath(path, NULL);
}

const char *os_error(void)
{
    return strerror(errno);
}

/* ---- the process ---- */

uint32_t os_process(void)
{
    return (uint32_t)getpid();
}

void os_program_path(char *path, size_t size)
{
    const ssize_t n = readlink("/proc/self/exe", path, size - 1);
    path[n < 0 ? 0 : n] = '\0';
}

char **os_environment(void)
{
    return environ;
}

void os_at_fork(void (*before)(void), void (*after)(void), void (*in_child)(void))
{
    pthread_atfork(before, after, in_child);
}

/* ---- libraries ---- */

void *os_library_load(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_LOCAL | CAPTURE_DEEPBIND);
}

const char *os_library_error(void)
{
    return dlerror();
}

void *os_library_function(void *library, const char *name)
{
    return dlsym(library, name);
}

void os_stay_loaded(void)
{
}

/* ---- handles and memory ---- */

bool os_has_handle(uint64_t handle)
{
    return handle <= INT_MAX && fcntl((int)handle, F_GETFD) >= 0;
}

uint64_t os_handle_identity(uint64_t handle)
{
    struct stat status;
    return fstat((int)handle, &status) ? handle : (uint64_t)status.st_ino;
}

uint64_t os_region_at(const void *address)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];
    uint64_t size = 0;
    while (maps && size == 0 && fgets(line, sizeof line, maps)) {
        uint64_t first, end;
        char access[5];
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &first, &end, access) == 3 &&
            first == (uint64_t)(uintptr_t)address && access[0] == 'r' && access[1] == 'w')
            size = end - first;
    }
    if (maps)
        fclose(maps);
    return size;
}
