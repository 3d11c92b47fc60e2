#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool annot__file_create(annot__file *file, const char *path)
{
    file->descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    return file->descriptor >= 0;
}

static bool write_all(int descriptor, const char *data, size_t size)
{
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

bool annot__file_append(annot__file *file, const void *data, size_t size)
{
    return write_all(file->descriptor, data, size);
}

bool annot__file_write_at_start(annot__file *file, const void *data, size_t size)
{
    return lseek(file->descriptor, 0, SEEK_SET) == 0 && write_all(file->descriptor, data, size);
}

bool annot__file_sync(annot__file *file)
{
    int failed;
    do
        failed = fsync(file->descriptor);
    while (failed && errno == EINTR);
    /* Pipes and some special files can't be synced and need not be. */
    return !failed || errno == EINVAL || errno == EROFS;
}

void annot__file_close(annot__file *file)
{
    close(file->descriptor);
    file->descriptor = -1;
}

/* The directory's entry must be as durable as the file. Failing to open it is not worth losing the
 * dump for. */
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
    int descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    fsync(descriptor);
    close(descriptor);
}

bool annot__file_publish(const char *from, const char *to)
{
    if (rename(from, to))
        return false;
    sync_directory_of(to);
    return true;
}

void annot__file_remove(const char *path)
{
    unlink(path);
}

FILE *annot__file_open_to_read(const char *path)
{
    return fopen(path, "rb");
}
