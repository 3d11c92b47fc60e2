/* Loaded in front of libc: a disk that refuses, for programs that are recorded.
 *     NO_ROOM_RESERVE=ERRNO    fallocate fails so
 *     NO_ROOM_WRITE=ERRNO      pwrite fails so, where it would end behind NO_ROOM_AT bytes
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int number(const char *name)
{
    const char *text = getenv(name);
    return text ? atoi(text) : 0;
}

static bool fails(const char *how)
{
    if (number(how))
        errno = number(how);
    return number(how) != 0;
}

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

int fallocate64(int fd, int mode, off64_t at, off64_t size)
{
    int (*real)(int, int, off64_t, off64_t);
    void *found = next("fallocate64");
    memcpy(&real, &found, sizeof real);
    return fails("NO_ROOM_RESERVE") ? -1 : real(fd, mode, at, size);
}

int fallocate(int fd, int mode, off_t at, off_t size)
{
    return fallocate64(fd, mode, at, size);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at)
{
    ssize_t (*real)(int, const void *, size_t, off64_t);
    void *found = next("pwrite64");
    memcpy(&real, &found, sizeof real);
    if (at + (off64_t)size > number("NO_ROOM_AT") && fails("NO_ROOM_WRITE"))
        return -1;
    return real(fd, data, size, at);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
    return pwrite64(fd, data, size, at);
}
