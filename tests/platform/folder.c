#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

char folder[64];

void folder_make(void)
{
    snprintf(folder, sizeof folder, "/tmp/annot-platform-XXXXXX");
    if (!mkdtemp(folder) || chdir(folder))
        abort();
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    return remove(path);
}

void folder_remove(void)
{
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

struct failing failing_pwrite, failing_fallocate, failing_open, failing_read, failing_write,
    failing_flock, failing_fsync;
unsigned most_at_once;
uint64_t slept;

static bool fails(struct failing *call)
{
    if (!call->times)
        return false;
    call->times--;
    errno = call->error;
    return true;
}

static size_t cut(size_t size)
{
    return most_at_once && size > most_at_once ? most_at_once : size;
}

ssize_t __real_pwrite(int file, const void *data, size_t size, off_t at);
ssize_t __wrap_pwrite(int file, const void *data, size_t size, off_t at);
ssize_t __wrap_pwrite(int file, const void *data, size_t size, off_t at)
{
    return fails(&failing_pwrite) ? -1 : __real_pwrite(file, data, cut(size), at);
}

ssize_t __real_write(int file, const void *data, size_t size);
ssize_t __wrap_write(int file, const void *data, size_t size);
ssize_t __wrap_write(int file, const void *data, size_t size)
{
    return fails(&failing_write) ? -1 : __real_write(file, data, cut(size));
}

ssize_t __real_read(int file, void *data, size_t size);
ssize_t __wrap_read(int file, void *data, size_t size);
ssize_t __wrap_read(int file, void *data, size_t size)
{
    return fails(&failing_read) ? -1 : __real_read(file, data, cut(size));
}

int __real_fallocate(int file, int mode, off_t at, off_t size);
int __wrap_fallocate(int file, int mode, off_t at, off_t size);
int __wrap_fallocate(int file, int mode, off_t at, off_t size)
{
    return fails(&failing_fallocate) ? -1 : __real_fallocate(file, mode, at, size);
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return fails(&failing_open) ? -1 : __real_open(path, flags, mode);
}

int __real_flock(int file, int operation);
int __wrap_flock(int file, int operation);
int __wrap_flock(int file, int operation)
{
    return fails(&failing_flock) ? -1 : __real_flock(file, operation);
}

int __real_fsync(int file);
int __wrap_fsync(int file);
int __wrap_fsync(int file)
{
    return fails(&failing_fsync) ? -1 : __real_fsync(file);
}

struct rlimit limits = {RLIM_INFINITY, RLIM_INFINITY};

int __wrap_getrlimit(int resource, struct rlimit *to);
int __wrap_getrlimit(int resource, struct rlimit *to)
{
    (void)resource;
    *to = limits;
    return 0;
}

int __wrap_setrlimit(int resource, const struct rlimit *from);
int __wrap_setrlimit(int resource, const struct rlimit *from)
{
    limits = *from;
    return resource == RLIMIT_DATA && from->rlim_cur <= from->rlim_max ? 0 : -1;
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
    (void)left;
    slept += (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
    return 0;
}
