#include "os_handle.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

intptr_t os_event_create(void)
{
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

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

bool os_has_handle(uint64_t handle)
{
    return handle <= INT_MAX && fcntl((int)handle, F_GETFD) >= 0;
}

uint64_t os_handle_identity(uint64_t handle)
{
    struct stat status;
    return fstat((int)handle, &status) ? handle : (uint64_t)status.st_ino;
}
