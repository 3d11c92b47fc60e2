#include "base/os.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

void annot__mutex_init(struct annot__mutex *mutex)
{
    pthread_mutexattr_t type;
    pthread_mutexattr_init(&type);
#ifndef NDEBUG
    pthread_mutexattr_settype(&type, PTHREAD_MUTEX_ERRORCHECK);
#endif
    pthread_mutex_init(&mutex->native, &type);
    pthread_mutexattr_destroy(&type);
}

void annot__mutex_finish(struct annot__mutex *mutex)
{
    pthread_mutex_destroy(&mutex->native);
}

void annot__mutex_lock(struct annot__mutex *mutex)
{
    int failed = pthread_mutex_lock(&mutex->native);
    assert(!failed);
    (void)failed;
}

void annot__mutex_unlock(struct annot__mutex *mutex)
{
    int failed = pthread_mutex_unlock(&mutex->native);
    assert(!failed);
    (void)failed;
}

bool annot__mutex_try(struct annot__mutex *mutex)
{
    return pthread_mutex_trylock(&mutex->native) == 0;
}

uint64_t annot__clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void annot__pause(void)
{
    const struct timespec some = {0, 20000};
    int error = errno;
    nanosleep(&some, NULL);
    errno = error;
}

/* Moves the file above the standard descriptors, because a program may write to closed ones. */
static enum annot__file_outcome move_up(struct annot__file *file, const char *path)
{
    const int low = file->descriptor;
    file->descriptor = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int error = errno;
    close(low);
    if (file->descriptor >= 0)
        return ANNOT__FILE_DONE;
    unlink(path);
    errno = error;
    return ANNOT__FILE_FAILED;
}

enum annot__file_outcome annot__file_create(struct annot__file *file, const char *path)
{
    file->descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file->descriptor > STDERR_FILENO)
        return ANNOT__FILE_DONE;
    if (file->descriptor >= 0)
        return move_up(file, path);
    return errno == EEXIST ? ANNOT__FILE_EXISTS : ANNOT__FILE_FAILED;
}

/* Whether the process may write so far: behind its file-size limit the system ends it (SIGXFSZ). */
static bool is_allowed(int descriptor, size_t size)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit))
        return true;
    const off_t at = lseek(descriptor, 0, SEEK_CUR);
    if (at < 0 || (uint64_t)at + size <= limit.rlim_cur)
        return true;
    errno = EFBIG;
    return false;
}

static bool write_all(int descriptor, const char *data, size_t size)
{
    if (!is_allowed(descriptor, size))
        return false;
    while (size > 0) {
        ssize_t written = write(descriptor, data, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        data += written;
        size -= (size_t)written;
    }
    return true;
}

bool annot__file_append(struct annot__file *file, const void *data, size_t size)
{
    return write_all(file->descriptor, data, size);
}

bool annot__file_write_at(struct annot__file *file, uint64_t at, const void *data, size_t size)
{
    return lseek(file->descriptor, (off_t)at, SEEK_SET) == (off_t)at &&
           write_all(file->descriptor, data, size);
}

bool annot__file_sync(struct annot__file *file)
{
    int failed;
    do
        failed = fsync(file->descriptor);
    while (failed && errno == EINTR);
    /* pipes and some special files can't be synced */
    return !failed || errno == EINVAL || errno == EROFS;
}

void annot__file_close(struct annot__file *file)
{
    int error = errno;
    close(file->descriptor);
    file->descriptor = -1;
    errno = error;
}

bool annot__file_open_again(struct annot__file *file, const char *path, uint64_t size)
{
    struct stat status;
    const int low = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    file->descriptor = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (low >= 0)
        close(low);
    if (file->descriptor >= 0 && fstat(file->descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        (uint64_t)status.st_size == size)
        return true;
    if (file->descriptor >= 0)
        annot__file_close(file);
    return false;
}

/* The directory's entry must be as durable as the file. If the directory can't be opened, the dump
 * is kept anyway. */
static void sync_directory_of(const char *path)
{
    char directory[4096];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 1;
    if (length >= sizeof directory)
        return;
    if (length == 0)
        length = 1;
    memcpy(directory, slash ? path : ".", length);
    directory[length] = 0;
    const int descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    fsync(descriptor);
    close(descriptor);
}

/* Tries two calls, because no file system must have both. */
static bool rename_to_new(const char *from, const char *to)
{
#ifdef RENAME_NOREPLACE
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
#endif
    if (link(from, to))
        return false;
    unlink(from);
    return true;
}

enum annot__file_outcome annot__file_publish(const char *from, const char *to)
{
    if (!rename_to_new(from, to))
        return errno == EEXIST ? ANNOT__FILE_EXISTS : ANNOT__FILE_FAILED;
    sync_directory_of(to);
    return ANNOT__FILE_DONE;
}

void annot__file_remove(const char *path)
{
    int error = errno;
    unlink(path);
    errno = error;
}

/* write() returns EFAULT where a load would end the process. A pipe takes at most its capacity,
 * which may be one page. */
static bool read_through_pipe(char *to, const char *from, size_t size)
{
    int ends[2];
    if (pipe(ends))
        return false;
    while (size > 0) {
        const ssize_t in = write(ends[1], from, size < 4096 ? size : 4096);
        if (in <= 0 || read(ends[0], to, (size_t)in) != in)
            break;
        from += in;
        to += in;
        size -= (size_t)in;
    }
    close(ends[0]);
    close(ends[1]);
    return size == 0;
}

bool annot__memory_read(void *to, const void *from, size_t size)
{
#if defined(__linux__)
    struct iovec local = {to, size}, remote = {(void *)(uintptr_t)from, size};
    ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    if (got == (ssize_t)size)
        return true;
    if (got >= 0 || errno == EFAULT)
        return false;
#endif
    return read_through_pipe(to, from, size); /* a sandbox may forbid process_vm_readv */
}

/* Without this hint, the first access to each page is a page fault. Such faults take half of the
 * time for reading a large dump. */
void annot__memory_expect(void *memory, size_t size)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t large = (uintptr_t)2 << 20;
    uintptr_t begin = ((uintptr_t)memory + large - 1) & ~(large - 1);
    uintptr_t end = ((uintptr_t)memory + size) & ~(large - 1);
    int error = errno;
    if (begin < end)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
    errno = error;
#else
    (void)memory, (void)size;
#endif
}

FILE *annot__file_open_to_read(const char *path)
{
    /* Opening a FIFO must not wait, because perhaps nobody ever writes to it. Reading a pipe may
     * wait. */
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const int flags = descriptor < 0 ? -1 : fcntl(descriptor, F_GETFL);
    FILE *file = flags < 0 || fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) < 0
                     ? NULL
                     : fdopen(descriptor, "rb");
    if (!file && descriptor >= 0) {
        const int error = errno;
        close(descriptor);
        errno = error;
    }
    return file;
}
