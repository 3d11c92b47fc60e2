/* How a dump becomes a file: everything but the magic is on disk before the magic is written, that
 * before the file gets its name, and then the folder's entry [design: absent, incomplete or valid].
 * The system calls are looked at on their way, and fail one at a time. */
#include <annot/dump.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static char order[4096]; /* w: appended, M: magic, s: synced, r: renamed to a name that is free */
static size_t count;
static bool watching, nameless; /* nameless: the file system gives no names */
static char failing;            /* what the file system doesn't do, by the letters above */
static unsigned failing_at;     /* from 1: which of them */

/* Whether it does it. */
static bool is_done(char what)
{
    if (what != failing || --failing_at > 0)
        return true;
    failing = 0;
    errno = EIO;
    return false;
}

static void note(char what)
{
    if (watching && count < sizeof order - 1 && !(what == 'w' && count && order[count - 1] == 'w'))
        order[count++] = what;
}

ssize_t write(int descriptor, const void *data, size_t size)
{
    const char what = size == 8 && memcmp(data, "ANNOTDMP", 8) == 0 ? 'M' : 'w';
    note(what);
    return is_done(what) ? syscall(SYS_write, descriptor, data, size) : -1;
}

int fsync(int descriptor)
{
    note('s');
    return is_done('s') ? (int)syscall(SYS_fsync, descriptor) : -1;
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    note(flags == RENAME_NOREPLACE ? 'r' : '!');
    if (nameless || !is_done('r')) {
        errno = EINVAL;
        return -1;
    }
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to)
{
    note('l');
    if (nameless) {
        errno = EPERM;
        return -1;
    }
    return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* A dump that is whole but can't have its name is kept, and the writer says where. */
static bool is_kept_without_a_name(annot_dump_writer *writer, const char *path)
{
    nameless = true;
    annot_result result = annot_dump_write_file(writer, NULL, path);
    nameless = false;
    const char *kept = annot_dump_writer_path(writer);
    bool ok = result == ANNOT_ERROR_IO && errno == EPERM && access(path, F_OK) != 0 &&
              strncmp(kept, path, strlen(path)) == 0 && unlink(kept) == 0;
    if (!ok)
        printf("failed without names: result %d, kept '%s'\n", (int)result, kept);
    return ok;
}

static unsigned files_in(const char *folder)
{
    unsigned files = 0;
    DIR *directory = opendir(folder);
    for (const struct dirent *file; directory && (file = readdir(directory));)
        files += file->d_name[0] != '.';
    if (directory)
        closedir(directory);
    return files;
}

/* A file that isn't on disk is no dump and leaves nothing, and errno says why; the folder's entry
 * alone is not worth losing it for, and a file system that can't rename without replacing may link.
 */
static bool is_told(annot_dump_writer *writer, const char *folder, const char *path)
{
    static const struct {
        char failing;
        unsigned at;
        bool is_written;
    } rows[] = {{'w', 1, false}, {'s', 1, false}, {'M', 1, false},
                {'s', 2, false}, {'s', 3, true},  {'r', 1, true}};
    bool ok = true;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        failing = rows[i].failing;
        failing_at = rows[i].at;
        const annot_result result = annot_dump_write_file(writer, NULL, path);
        const bool is_right =
            rows[i].is_written
                ? result == ANNOT_OK && strcmp(annot_dump_writer_path(writer), path) == 0 &&
                      files_in(folder) == 1 && unlink(path) == 0
                : result == ANNOT_ERROR_IO && errno == EIO &&
                      annot_dump_writer_path(writer)[0] == 0 && files_in(folder) == 0;
        if (!is_right || failing)
            printf("failed: '%c' number %u: result %d, '%s'\n", rows[i].failing, rows[i].at,
                   (int)result, annot_dump_writer_path(writer));
        ok = is_right && !failing && ok;
        failing = 0;
    }
    return ok;
}

int main(void)
{
    annot_device *device;
    annot_dump_writer *writer;
    char folder[] = "/tmp/annot-order-XXXXXX", path[64];
    if (!mkdtemp(folder) || annot_device_create(NULL, &device) ||
        annot_dump_writer_create(device, &writer))
        return 1;
    snprintf(path, sizeof path, "%s/dump", folder);
    watching = true;
    annot_result result = annot_dump_write_file(writer, NULL, path);
    watching = false;
    bool ok = result == ANNOT_OK && strcmp(order, "wsMsrs") == 0;
    if (!ok)
        printf("failed: result %d, order '%s'\n", (int)result, order);
    unlink(path);
    ok = is_kept_without_a_name(writer, path) && ok;
    ok = is_told(writer, folder, path) && ok;
    rmdir(folder);
    annot_dump_writer_destroy(writer);
    annot_device_destroy(device);
    printf("%d passed, %d failed\n", ok, !ok);
    return !ok;
}
