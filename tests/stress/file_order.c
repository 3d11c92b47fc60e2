/* How a dump becomes a file: everything but the magic is on disk before the magic is written, that
 * before the file gets its name, and then the folder's entry [design: absent, incomplete or valid].
 * The system calls are looked at on their way. */
#include <annot/dump.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static char order[4096]; /* w: appended, M: magic, s: synced, r: renamed */
static size_t count;
static bool watching;

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

int rename(const char *from, const char *to)
{
    note('r');
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
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
    rmdir(folder);
    annot_dump_writer_destroy(writer);
    annot_device_destroy(device);
    printf("%d passed, %d failed\n", ok, !ok);
    return !ok;
}
