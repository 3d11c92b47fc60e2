/* Replaces, in one step, a file that several programs write. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct os_writer {
    char *target, *temporary, *lock_path; /* `target` is the path of the file, without links */
    void *lock;
    bool acts_as_owner;
};

/* Makes missing folders, and waits a limited time for other writers. If root writes below another
 * user's folder, the process acts as that user until the writer is finished. So the user owns the
 * new files, and no link leads root to places where the user may not write. If the function returns
 * false, *reason says why. */
bool os_writer_init(struct os_writer *writer, const char *path, const char **reason);
/* Replaces the content of the target by `data`, completely and on disk, or not at all. If the
 * function returns false, *reason says why. */
bool os_writer_replace(struct os_writer *writer, const char *data, size_t size,
                       const char **reason);
void os_writer_finish(struct os_writer *writer);
