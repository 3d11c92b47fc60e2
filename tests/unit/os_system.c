#include "os_system.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

struct os_answers os_answers[CALL_COUNT];
uint64_t os_now;
struct rlimit os_file_limit;
const char *os_own_path;
bool os_has_small_pipes;
struct annot__mutex *os_let_go;
uint64_t os_let_go_at;
int os_real_flags, os_advice;
uintptr_t os_advised_begin, os_advised_end;
char os_opened[5000];
char os_path_ends[128][16];
int os_opened_flags;

void os_answer(enum call call, unsigned after, unsigned count, int error, long value)
{
    os_answers[call] = (struct os_answers){after, count, error, value, os_answers[call].called};
}

void os_fail(enum call call, int error)
{
    os_answer(call, 0, 1, error, 0);
}

/* Whether this call is answered here. */
static bool is_ours(enum call call)
{
    struct os_answers *a = &os_answers[call];
    a->called++;
    if (a->count == 0)
        return false;
    if (a->after > 0) {
        a->after--;
        return false;
    }
    a->count--;
    if (a->error)
        errno = a->error;
    return true;
}

static bool has_failed(enum call call)
{
    return os_answers[call].error != 0;
}

static int result(enum call call)
{
    return has_failed(call) ? -1 : (int)os_answers[call].value;
}

#define WRAP(result, name, parameters)                                                             \
    result __real_##name parameters;                                                               \
    result __wrap_##name parameters;                                                               \
    result __wrap_##name parameters

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const int mode = flags & O_CREAT ? va_arg(list, int) : 0;
    va_end(list);
    snprintf(os_opened, sizeof os_opened, "%s", path);
    snprintf(os_path_ends[os_answers[CALL_open].called % 128], sizeof *os_path_ends, "%s",
             strlen(path) > 15 ? path + strlen(path) - 15 : path);
    os_opened_flags = flags;
    return is_ours(CALL_open) ? -1 : __real_open(path, flags, mode);
}

int __real_fcntl(int descriptor, int command, ...);
int __wrap_fcntl(int descriptor, int command, ...);
int __wrap_fcntl(int descriptor, int command, ...)
{
    va_list list;
    va_start(list, command);
    const long argument = va_arg(list, long);
    va_end(list);
    if (command == F_SETFL)
        os_real_flags = (int)argument;
    return is_ours(CALL_fcntl) ? -1 : __real_fcntl(descriptor, command, argument);
}

WRAP(FILE *, fdopen, (int descriptor, const char *mode))
{
    return is_ours(CALL_fdopen) ? NULL : __real_fdopen(descriptor, mode);
}

WRAP(int, getrlimit, (__rlimit_resource_t resource, struct rlimit *limit))
{
    if (!is_ours(CALL_getrlimit))
        return __real_getrlimit(resource, limit);
    *limit = os_file_limit;
    return has_failed(CALL_getrlimit) ? -1 : 0;
}

WRAP(off_t, lseek, (int descriptor, off_t offset, int whence))
{
    return is_ours(CALL_lseek) ? -1 : __real_lseek(descriptor, offset, whence);
}

WRAP(ssize_t, write, (int descriptor, const void *data, size_t size))
{
    if (!is_ours(CALL_write))
        return __real_write(descriptor, data, size);
    const long most = os_answers[CALL_write].value;
    return has_failed(CALL_write) ? -1 : most ? __real_write(descriptor, data, (size_t)most) : 0;
}

WRAP(ssize_t, read, (int descriptor, void *data, size_t size))
{
    if (!is_ours(CALL_read))
        return __real_read(descriptor, data, size);
    return has_failed(CALL_read)
               ? -1
               : __real_read(descriptor, data, (size_t)os_answers[CALL_read].value);
}

WRAP(int, fsync, (int descriptor))
{
    return is_ours(CALL_fsync) ? -1 : __real_fsync(descriptor);
}

WRAP(int, renameat2,
     (int from_folder, const char *from, int to_folder, const char *to, unsigned flags))
{
    return is_ours(CALL_renameat2) ? result(CALL_renameat2)
                                   : __real_renameat2(from_folder, from, to_folder, to, flags);
}

WRAP(int, link, (const char *from, const char *to))
{
    return is_ours(CALL_link) ? -1 : __real_link(from, to);
}

WRAP(int, pipe, (int ends[2]))
{
    if (is_ours(CALL_pipe))
        return -1;
    const int failed = __real_pipe(ends);
    if (os_has_small_pipes)
        __real_fcntl(ends[1], F_SETPIPE_SZ, 4096L);
    return failed;
}

WRAP(ssize_t, process_vm_readv,
     (pid_t process, const struct iovec *to, unsigned long to_count, const struct iovec *from,
      unsigned long from_count, unsigned long flags))
{
    cr_expect_eqs(to_count, 1, from_count, 1);
    if (!is_ours(CALL_process_vm_readv))
        return __real_process_vm_readv(process, to, to_count, from, from_count, flags);
    return has_failed(CALL_process_vm_readv) ? -1 : os_answers[CALL_process_vm_readv].value;
}

WRAP(int, madvise, (void *memory, size_t size, int how))
{
    if (!is_ours(CALL_madvise))
        return __real_madvise(memory, size, how);
    os_advised_begin = (uintptr_t)memory;
    os_advised_end = os_advised_begin + size;
    os_advice = how;
    return -1;
}

WRAP(ssize_t, readlink, (const char *path, char *to, size_t size))
{
    if (!is_ours(CALL_readlink))
        return __real_readlink(path, to, size);
    const size_t length = os_own_path ? strlen(os_own_path) : 0;
    memcpy(to, os_own_path ? os_own_path : "", length < size ? length : size);
    return has_failed(CALL_readlink) ? -1 : (ssize_t)(length < size ? length : size);
}

WRAP(int, uname, (struct utsname * system))
{
    if (!is_ours(CALL_uname))
        return __real_uname(system);
    memset(system, 'x', sizeof *system);
    return -1;
}

WRAP(int, clock_gettime, (clockid_t clock, struct timespec *time))
{
    if (!is_ours(CALL_clock_gettime))
        return __real_clock_gettime(clock, time);
    *time = (struct timespec){(time_t)(os_now / 1000000000u), (long)(os_now % 1000000000u)};
    return has_failed(CALL_clock_gettime) ? -1 : 0;
}

WRAP(int, nanosleep, (const struct timespec *asked, struct timespec *left))
{
    if (!is_ours(CALL_nanosleep))
        return __real_nanosleep(asked, left);
    cr_expect_eq(asked->tv_sec, 0);
    os_now += (uint64_t)asked->tv_nsec;
    if (os_let_go && os_now >= os_let_go_at) {
        annot__mutex_unlock(os_let_go);
        os_let_go = NULL;
    }
    return -1;
}

WRAP(int, pthread_atfork, (void (*before)(void), void (*parent)(void), void (*child)(void)))
{
    return is_ours(CALL_pthread_atfork) ? ENOMEM : __real_pthread_atfork(before, parent, child);
}

/* ---- a folder ---- */

char os_folder[32], os_path[64], os_other[64];

void os_enter(void)
{
    strcpy(os_folder, "/tmp/annot-os-XXXXXX");
    cr_assert_not_null(mkdtemp(os_folder));
    snprintf(os_path, sizeof os_path, "%s/a", os_folder);
    snprintf(os_other, sizeof os_other, "%s/b", os_folder);
}

void os_leave(void)
{
    memset(os_answers, 0, sizeof os_answers);
    unlink(os_path);
    unlink(os_other);
    rmdir(os_folder);
}

bool os_exists(const char *name)
{
    struct stat status;
    return lstat(name, &status) == 0;
}

int os_next_descriptor(void)
{
    const int descriptor = dup(STDERR_FILENO);
    close(descriptor);
    return descriptor;
}

const char *os_bytes_of(const char *name)
{
    static char text[64];
    FILE *file = fopen(name, "rb");
    if (!file)
        return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}
