#include "os_file.h"

#include "array.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* ---- files under construction ---- */

enum { HIGH = 512 };

/* Moves a descriptor up, or returns -1. */
static int move_up(int low)
{
    int fd = fcntl(low, F_DUPFD_CLOEXEC, HIGH);
    if (fd < 0 && low > STDERR_FILENO)
        return low;
    if (fd < 0) /* the program closed a standard descriptor, and would write into the file */
        fd = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int error = errno;
    close(low);
    errno = error;
    return fd;
}

enum os_file_outcome os_file_create(os_file *file, const char *path)
{
    struct stat status;
    const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    *file = fd < 0 ? -1 : move_up(fd);
    if (*file != -1)
        return OS_FILE_DONE;
    if (fd >= 0) {
        const int error = errno;
        unlink(path);
        errno = error;
        return OS_FILE_FAILED;
    }
    if (errno != EEXIST || lstat(path, &status))
        return OS_FILE_FAILED;
    return S_ISREG(status.st_mode) ? OS_FILE_TAKEN : OS_FILE_NO_FILE;
}

/* Returns true if the process may write up to `end`. Above its file size limit the system ends the
 * process (SIGXFSZ). */
static bool is_allowed(uint64_t end)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY || end <= limit.rlim_cur)
        return true;
    errno = EFBIG;
    return false;
}

bool os_file_write(os_file file, const void *data, size_t size, uint64_t at)
{
    const uint8_t *next = data;
    if (!is_allowed(at + size))
        return false;
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

/* Returns true if stores use the reserved bytes; file systems that copy on write don't. */
static bool keeps_place(int fd)
{
    static const uint32_t copying[] = {0x9123683e /* btrfs */, 0x2fc12fc1 /* ZFS */,
                                       0xca451a4e /* bcachefs */, 0xf2f52010 /* F2FS */,
                                       0x65735546 /* FUSE: not known */};
    struct statfs status;
    bool is_copying = fstatfs(fd, &status) != 0;
    for (size_t i = 0; i < sizeof copying / sizeof *copying; i++)
        is_copying |= (uint32_t)status.f_type == copying[i];
    return !is_copying;
}

/* Doesn't use posix_fallocate, which only writes zeros if the file system has no such call. */
enum os_reserved os_file_reserve(os_file file, size_t size)
{
    int failed;
    if (!is_allowed(size))
        return OS_RESERVE_FAILED;
    if (!keeps_place((int)file))
        return OS_RESERVE_UNSUPPORTED;
    do
        failed = fallocate((int)file, 0, 0, (off_t)size);
    while (failed && errno == EINTR);
    if (!failed)
        return OS_RESERVED;
    return errno == EOPNOTSUPP || errno == ENOSYS ? OS_RESERVE_UNSUPPORTED : OS_RESERVE_FAILED;
}

void os_file_cut(os_file file, uint64_t size)
{
    if (ftruncate((int)file, (off_t)size))
        return; /* readers leave the rest out, because it has no chunk header */
}

bool os_file_is_at(os_file file, const char *path)
{
    struct stat opened, named;
    return fstat((int)file, &opened) == 0 && lstat(path, &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

bool os_file_identify(os_file file, struct os_file_identity *identity)
{
    struct stat status;
    if (fstat((int)file, &status) != 0)
        return false;
    *identity = (struct os_file_identity){(uint64_t)status.st_dev, (uint64_t)status.st_ino};
    return true;
}

static bool is_it(os_file file, const struct os_file_identity *identity)
{
    struct os_file_identity now;
    return os_file_identify(file, &now) && now.device == identity->device &&
           now.number == identity->number;
}

bool os_file_keep(os_file *file, const char *path, const struct os_file_identity *identity)
{
    if (is_it(*file, identity))
        return true;
    const int fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    *file = fd < 0 ? -1 : move_up(fd);
    if (*file == -1 || is_it(*file, identity))
        return *file != -1;
    close((int)*file);
    *file = -1;
    errno = ENOENT; /* another file has the name */
    return false;
}

void *os_file_map(os_file file, size_t size)
{
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

/* ---- by name ---- */

bool os_file_rename(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

bool os_file_remove(const char *path)
{
    return unlink(path) == 0;
}

bool os_folder_make(const char *path)
{
    return mkdir(path, 0700) == 0;
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

static enum os_read unreadable(const char **reason, const char *why)
{
    *reason = why;
    return OS_READ_UNREADABLE;
}

/* Opens a regular file. With O_NONBLOCK, the open of a pipe doesn't wait for the other end. */
static enum os_read open_file(const char *path, bool follows, int *descriptor, const char **reason)
{
    struct stat status;
    do
        *descriptor =
            open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW));
    while (*descriptor < 0 && errno == EINTR);
    if (*descriptor < 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? OS_READ_ABSENT
                   : unreadable(reason, errno == ELOOP && !follows
                                            ? "it is a link, which is not followed"
                                            : strerror(errno));
    if (fstat(*descriptor, &status) == 0 && S_ISREG(status.st_mode))
        return OS_READ_DONE;
    close(*descriptor);
    return unreadable(reason, S_ISDIR(status.st_mode) ? "it is a folder" : "not a file");
}

enum os_read os_read_file(const char *path, bool follows, size_t limit, char **data, size_t *size,
                          const char **reason)
{
    int descriptor;
    enum os_read result = open_file(path, follows, &descriptor, reason);
    const bool is_open = result == OS_READ_DONE;
    size_t capacity = 0;
    *data = NULL;
    *size = 0;
    while (result == OS_READ_DONE) {
        if (!ARRAY_RESERVE(*data, capacity, *size + 4096)) {
            result = OS_READ_OUT_OF_MEMORY;
            break;
        }
        const ssize_t got = read(descriptor, *data + *size, capacity - *size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            result = unreadable(reason, strerror(errno));
        if (got <= 0)
            break;
        *size += (size_t)got;
        if (*size > limit)
            result = OS_READ_TOO_LARGE;
    }
    if (is_open)
        close(descriptor);
    if (result != OS_READ_DONE) {
        free(*data);
        *data = NULL;
        *size = 0;
    }
    return result;
}

const char *os_error(void)
{
    return strerror(errno);
}
