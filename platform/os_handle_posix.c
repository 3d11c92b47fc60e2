#include "os_handle.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/eventfd.h>
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

bool os_has_handle(uint64_t handle)
{
    return handle <= INT_MAX && fcntl((int)handle, F_GETFD) >= 0;
}

uint64_t os_handle_identity(uint64_t handle)
{
    struct stat status;
    return fstat((int)handle, &status) ? handle : (uint64_t)status.st_ino;
}
