#include "kernel_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *const kernel_log_path = "/dev/kmsg";

/* The largest number of records that are read, because the log may grow meanwhile. */
enum { RECORDS = 65536 };

static void absent(struct kernel_log *kernel, const char *path, int error)
{
    kernel->is_absent = true;
    if (error == EPERM || error == EACCES)
        snprintf(kernel->why, sizeof kernel->why, "%.40s: no permission to read this file", path);
    else if (error == ENOENT)
        snprintf(kernel->why, sizeof kernel->why, "%.40s is not there", path);
    else
        snprintf(kernel->why, sizeof kernel->why, "%.40s: error %d", path, error);
}

/* Finds a device coredump; the kernel keeps it for five minutes, or until a write to it. i915 has
 * an error state instead, which stays until a write to it. */
static void find_coredump(struct kernel_log *kernel)
{
    char path[64];
    if (kernel->card < 0)
        return;
    snprintf(path, sizeof path, "/sys/class/drm/card%d/%s", kernel->card,
             kernel->is_error_state ? "error" : "device/devcoredump/data");
    snprintf(kernel->coredump, sizeof kernel->coredump, "%s (%s)", path,
             access(path, R_OK) != 0 ? errno == ENOENT ? "gone" : "no permission to read the log"
             : kernel->is_error_state
                 ? "can be read"
                 : "can be read; the kernel deletes the log after some minutes");
}

void kernel_log_read(struct kernel_log *kernel, const char *path)
{
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0) {
        absent(kernel, path, errno);
        return;
    }
    for (int i = 0; i < RECORDS; i++) {
        const ssize_t size = read(file, kernel->record, sizeof kernel->record);
        if (size < 0 &&
            errno == EPIPE) /* the record was overwritten; the next read gets the next record */
            kernel->is_cut = true;
        else if (size < 0 && errno != EINTR && errno != EAGAIN && i == 0)
            absent(kernel, path, errno);
        if (size == 0 || (size < 0 && errno != EPIPE && errno != EINTR))
            break;
        if (size > 0)
            kernel_log_take(kernel, kernel->record, (size_t)size);
    }
    close(file);
    find_coredump(kernel);
}

/* Returns this process's number if it is in the first PID namespace, which the log uses. The inode
 * of that namespace is a constant of Linux: PROC_PID_INIT_INO in include/linux/proc_ns.h. */
long kernel_log_process(void)
{
    static const char first[] = "pid:[4026531836]";
    char space[32] = "";
    const ssize_t size = readlink("/proc/self/ns/pid", space, sizeof space - 1);
    return size > 0 && strcmp(space, first) == 0 ? (long)getpid() : 0;
}
