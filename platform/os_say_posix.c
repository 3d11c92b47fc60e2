#include "os_say.h"

#include "environment.h"
#include "inert_line.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct stat begun;
static bool has_begun;
static bool is_told; /* the command that started the program described this stderr */

void os_say_describe(char *to, size_t size)
{
    struct stat status;
    *to = '\0';
    if (fstat(STDERR_FILENO, &status) == 0)
        snprintf(to, size, "%llx:%llx", (unsigned long long)status.st_dev,
                 (unsigned long long)status.st_ino);
}

__attribute__((constructor)) void os_say_begin(void)
{
    char now[48];
    const char *told = os_environment_borrow(OS_SAY_VARIABLE);
    os_say_describe(now, sizeof now);
    has_begun = fstat(STDERR_FILENO, &begun) == 0;
    is_told = has_begun && told && strcmp(told, now) == 0;
}

static bool is_same(const struct stat *status)
{
    return has_begun && status->st_dev == begun.st_dev && status->st_ino == begun.st_ino &&
           (status->st_mode & S_IFMT) == (begun.st_mode & S_IFMT);
}

/* Returns true if descriptor 2 has the program's data, not stderr, because the library was loaded
 * late. Stderr survives exec; a file that is also read, or an internet connection, is data. */
static bool is_data(int descriptor, const struct stat *status)
{
    const int flags = fcntl(descriptor, F_GETFL);
    struct sockaddr_storage name;
    socklen_t size = sizeof name;
    if (is_told)
        return false;
    if (fcntl(descriptor, F_GETFD) & FD_CLOEXEC)
        return true;
    if (S_ISREG(status->st_mode))
        return (flags & O_ACCMODE) == O_RDWR && !(flags & O_APPEND);
    if (S_ISSOCK(status->st_mode))
        return getsockname(descriptor, (struct sockaddr *)&name, &size) != 0 ||
               name.ss_family != AF_UNIX;
    return !S_ISFIFO(status->st_mode) && !S_ISCHR(status->st_mode);
}

/* ---- a new descriptor of stderr, which doesn't block ---- */

/* Opens stderr's pipe or terminal again: the new descriptor's flags do not change the program's.
 * Returns -1 and sets errno on failure. */
static int open_anew(const struct stat *status)
{
    struct stat opened;
    int fd = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0 && fd <= STDERR_FILENO) { /* the program writes to these numbers */
        const int low = fd;
        fd = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(low);
    }
    if (fd >= 0 && fstat(fd, &opened) == 0 && opened.st_ino == status->st_ino &&
        opened.st_dev == status->st_dev)
        return fd;
    if (fd >= 0) {
        close(fd);
        errno = EBADF;
    }
    return -1;
}

static const char *reason_of(int error)
{
    return error == EPIPE || error == ENXIO          ? "nobody reads stderr"
           : error == EAGAIN || error == EWOULDBLOCK ? "stderr is full"
           : error == EFBIG                          ? "stderr's file has reached its limit"
           : error == ENOSPC || error == EDQUOT      ? "the disk of stderr's file is full"
           : error == EMFILE || error == ENFILE      ? "no file descriptor is free"
                                                     : "stderr can't be written";
}

static const char *say_to_file(const struct stat *status, const char *line, size_t size)
{
    struct rlimit limit;
    const int flags = fcntl(STDERR_FILENO, F_GETFL);
    const off_t at = flags & O_APPEND ? status->st_size : lseek(STDERR_FILENO, 0, SEEK_CUR);
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (at < 0 || (rlim_t)at + size > limit.rlim_cur))
        return reason_of(EFBIG);
    return size == 0 || write(STDERR_FILENO, line, size) >= 0 ? NULL : reason_of(errno);
}

/* Writes the line only if it fits now. */
static const char *say_if_ready(int fd, const char *line, size_t size)
{
    struct pollfd ready = {.fd = fd, .events = POLLOUT};
    if (poll(&ready, 1, 0) != 1 || !(ready.revents & POLLOUT))
        return reason_of(ready.revents & (POLLERR | POLLHUP) ? EPIPE : EAGAIN);
    if (ready.revents & POLLERR)
        return reason_of(EPIPE);
    return size == 0 || write(fd, line, size) >= 0 ? NULL : reason_of(errno);
}

/* Without /proc, or on another user's terminal, there is only the shared end. */
static const char *say_to_device(const struct stat *status, const char *line, size_t size)
{
    const int fd = open_anew(status);
    if (fd < 0 && errno != ENOENT && errno != EACCES && errno != ENOTDIR)
        return reason_of(errno);
    const char *why = say_if_ready(fd < 0 ? STDERR_FILENO : fd, line, size);
    if (fd >= 0)
        close(fd);
    return why;
}

static const char *say_to_socket(const char *line, size_t size)
{
    if (size == 0)
        return say_if_ready(STDERR_FILENO, line, size);
    return send(STDERR_FILENO, line, size, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 ? NULL
                                                                             : reason_of(errno);
}

/* `size` 0: only tries. */
static const char *say(const char *line, size_t size)
{
    struct stat status;
    if (fstat(STDERR_FILENO, &status) != 0)
        return "stderr is closed";
    if (!is_same(&status) || is_data(STDERR_FILENO, &status))
        return "the program uses descriptor 2 for something else";
    if (S_ISREG(status.st_mode))
        return say_to_file(&status, line, size);
    return S_ISSOCK(status.st_mode) ? say_to_socket(line, size)
                                    : say_to_device(&status, line, size);
}

/* ---- without signals ---- */

/* Writes, and removes the signal of a failed write. SIGTTOU is blocked, so no terminal stops the
 * process. */
static const char *say_quietly(const char *line, size_t size)
{
    static const struct timespec none;
    sigset_t ours, before, pending;
    const int error = errno;
    sigemptyset(&ours);
    sigaddset(&ours, SIGPIPE);
    sigaddset(&ours, SIGXFSZ);
    sigaddset(&ours, SIGTTOU);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &ours, &before);
    const char *why = say(line, size);
    sigdelset(&ours, SIGTTOU);
    if (sigismember(&pending, SIGPIPE) || sigismember(&pending, SIGXFSZ))
        sigemptyset(&ours);
    while (sigtimedwait(&ours, NULL, &none) > 0)
        ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return why;
}

const char *os_say_obstacle(void)
{
    return say_quietly("", 0);
}

const char *os_say(const char *format, ...)
{
    char line[2048];
    va_list arguments;
    va_start(arguments, format);
    const size_t size = inert_line(line, sizeof line, format, arguments);
    va_end(arguments);
    return say_quietly(line, size);
}
