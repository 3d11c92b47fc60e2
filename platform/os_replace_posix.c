#include "os_replace.h"

#include "os_file.h"
#include "os_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define WAIT_STEP_NS 2000000L /* for other writers */
#define WAIT_STEPS   15000    /* 30 s, because each writer syncs to disk */

/* Finds the owner of the innermost existing folder above `path`, or else root. */
static void find_owner(const char *path, uid_t *user, gid_t *group)
{
    char folder[PATH_MAX];
    struct stat status;
    size_t length = strlen(path);
    *user = *group = 0;
    if (length >= sizeof folder)
        return;
    memcpy(folder, path, length + 1);
    for (;;) {
        while (length > 0 && folder[length - 1] != '/')
            length--;
        snprintf(folder + length, sizeof folder - length, "%s", length > 0 ? "" : ".");
        if (stat(folder, &status) == 0) {
            *user = status.st_uid;
            *group = status.st_gid;
            return;
        }
        if (length == 0)
            return;
        length--;
    }
}

/* Lets root access files with the rights of the folder's owner. */
static void act_as_owner(struct os_writer *writer, const char *path)
{
    uid_t user;
    gid_t group;
    if (geteuid() != 0)
        return;
    find_owner(path, &user, &group);
    if (user == 0)
        return;
    setfsgid(group);
    setfsuid(user);
    writer->acts_as_owner = true;
}

static void act_as_self(struct os_writer *writer)
{
    if (!writer->acts_as_owner)
        return;
    setfsuid(geteuid());
    setfsgid(getegid());
    writer->acts_as_owner = false;
}

/* Makes the folders above `path`. Only the user can read a user's folder, as XDG demands; all users
 * can read the system's. */
static bool make_folders(char *path, mode_t mode)
{
    for (char *at = path + 1; *at != '\0'; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        const bool failed = mkdir(path, mode) != 0 && errno != EEXIST && errno != EISDIR;
        const int error = errno;
        struct stat status;
        const bool missing = failed && stat(path, &status) != 0;
        *at = '/';
        if (missing) {
            errno = error;
            return false;
        }
    }
    return true;
}

static bool take_lock(int descriptor)
{
    const struct timespec step = {0, WAIT_STEP_NS};
    for (int i = 0; i < WAIT_STEPS; i++) {
        if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return false;
        nanosleep(&step, NULL);
    }
    errno = EWOULDBLOCK;
    return false;
}

bool os_writer_init(struct os_writer *writer, const char *path, const char **reason)
{
    int descriptor = -1;
    *writer = (struct os_writer){0};
    act_as_owner(writer, path);
    writer->target = realpath(path, NULL);
    if (!writer->target)
        writer->target = strdup(path);
    if (writer->target) {
        writer->temporary = os_path_join(writer->target, ".new");
        writer->lock_path = os_path_join(writer->target, ".lock");
    }
    if (!writer->temporary || !writer->lock_path) {
        errno = ENOMEM;
        goto err0;
    }
    if (!make_folders(writer->target, geteuid() == 0 && !writer->acts_as_owner ? 0755 : 0700))
        goto err0;
    /* The lock's file stays. If it were removed, two writers could lock two files with this
     * name. */
    descriptor = open(writer->lock_path,
                      O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        *reason = strerror(errno);
        if (errno == EACCES && access(writer->lock_path, F_OK) == 0)
            *reason = "the .lock file belongs to another user; remove the .lock file and try again";
        goto err1;
    }
    if (!take_lock(descriptor)) {
        if (errno == EWOULDBLOCK)
            *reason = "another program has kept the file locked for 30 s; try again";
        else
            *reason = strerror(errno);
        close(descriptor);
        goto err1;
    }
    writer->lock = (void *)(intptr_t)(descriptor + 1);
    return true;
err0:
    *reason = strerror(errno);
err1:
    os_writer_finish(writer);
    return false;
}

/* Makes the new name as durable as the file. If the folder can't be opened, this is no failure. */
static void sync_folder_of(char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash)
        return;
    *slash = '\0';
    const int descriptor = open(path[0] != '\0' ? path : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *slash = '/';
    if (descriptor < 0)
        return;
    fsync(descriptor);
    close(descriptor);
}

bool os_writer_replace(struct os_writer *writer, const char *data, size_t size, const char **reason)
{
    struct stat status;
    const mode_t mode = stat(writer->target, &status) == 0 ? status.st_mode & 0777 : 0644;
    unlink(writer->temporary); /* left by a killed writer, because this process has the lock */
    const int descriptor =
        open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (descriptor < 0) {
        *reason = strerror(errno);
        return false;
    }
    bool ok = os_file_write(descriptor, data, size, 0) && fchmod(descriptor, mode) == 0 &&
              fsync(descriptor) == 0;
    ok = close(descriptor) == 0 && ok;
    ok = ok && rename(writer->temporary, writer->target) == 0;
    if (!ok) {
        *reason = strerror(errno);
        unlink(writer->temporary);
        return false;
    }
    sync_folder_of(writer->target);
    return true;
}

void os_writer_finish(struct os_writer *writer)
{
    if (writer->lock)
        close((int)(intptr_t)writer->lock - 1);
    act_as_self(writer);
    free(writer->target);
    free(writer->temporary);
    free(writer->lock_path);
    *writer = (struct os_writer){0};
}
