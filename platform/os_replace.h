/* Replaces a file that several programs write, in one step. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct os_writer {
    char *target, *temporary, *lock_path; /* the target with links followed */
    void *lock;
    bool acts_as_owner;
};

/* Makes the folders that are missing, then waits for other writers, for a bounded time. Where root
 * writes below a folder of another user, it acts as that user until the writer is finished: what it
 * makes is the user's to change, and no link of the user's leads it anywhere that the user may not
 * write. False leaves `reason`. */
bool os_writer_init(struct os_writer *writer, const char *path, const char **reason);
/* The target becomes `data`: whole and on disk, or as it was. False leaves `reason`. */
bool os_writer_replace(struct os_writer *writer, const char *data, size_t size,
                       const char **reason);
void os_writer_finish(struct os_writer *writer);
