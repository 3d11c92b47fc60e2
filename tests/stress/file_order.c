/* How a dump becomes a file: everything but the magic is on disk before the magic is written, that
 * before the file gets its name, and then the folder's entry [design: absent, incomplete or valid].
 * The system calls are looked at on their way. */
#include <annot/dump.h>

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

static void note(char what)
{
    if (watching && count < sizeof order - 1 && !(what == 'w' && count && order[count - 1] == 'w'))
        order[count++] = what;
}

ssize_t write(int descriptor, const void *data, size_t size)
{
    note(size == 8 && memcmp(data, "ANNOTDMP", 8) == 0 ? 'M' : 'w');
    return syscall(SYS_write, descriptor, data, size);
}

int fsync(int descriptor)
{
    note('s');
    return (int)syscall(SYS_fsync, descriptor);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    note(flags == RENAME_NOREPLACE ? 'r' : '!');
    if (nameless) {
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
    rmdir(folder);
    annot_dump_writer_destroy(writer);
    annot_device_destroy(device);
    printf("%d passed, %d failed\n", ok, !ok);
    return !ok;
}
