/* The operating system's services for the library: a mutex with a time limit, and a file that
 * becomes visible only when it is whole. Each system has a .c file; os_mutex.c is common. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#ifndef _WIN32
#include <pthread.h>
#endif

struct annot__mutex {
#ifdef _WIN32
    void *native; /* an SRWLOCK; this header doesn't include windows.h */
#else
    pthread_mutex_t native;
#endif
};

void annot__mutex_init(struct annot__mutex *mutex);
void annot__mutex_finish(struct annot__mutex *mutex);
void annot__mutex_lock(struct annot__mutex *mutex);
void annot__mutex_unlock(struct annot__mutex *mutex);
bool annot__mutex_try(struct annot__mutex *mutex);

/* Locks the mutex, or gives up after `*left` nanoseconds. It subtracts the waiting time from
 * `*left`, so that several waits share one limit. The thread that has the mutex goes on meanwhile.
 * For crash handlers. */
bool annot__mutex_try_for(struct annot__mutex *mutex, uint64_t *left);
#define ANNOT__CRASH_WAIT_NS 100000000u /* how long a dump waits for locks by default */

uint64_t annot__clock_ns(void); /* returns monotonic time in ns, also in crash handlers */
void annot__pause(void);        /* sleeps some microseconds, or a millisecond on Windows */

/* A file that is being written. Its functions call neither malloc nor stdio. */
struct annot__file {
    int descriptor;
};

enum annot__file_outcome { ANNOT__FILE_DONE, ANNOT__FILE_EXISTS, ANNOT__FILE_FAILED };

/* Makes a file that only its owner may read. If a file, link, pipe or folder has this name, the
 * function returns ANNOT__FILE_EXISTS at once and leaves it alone. The descriptor is never one of
 * the standard streams. A write above the process's limit of file sizes fails and raises no signal.
 */
enum annot__file_outcome annot__file_create(struct annot__file *file, const char *path);
bool annot__file_append(struct annot__file *file, const void *data, size_t size);
/* Writes at an offset; later appends follow these bytes. */
bool annot__file_write_at(struct annot__file *file, uint64_t at, const void *data, size_t size);
bool annot__file_sync(struct annot__file *file);
void annot__file_close(struct annot__file *file);
/* Opens a regular file, not a link, to change it. Fails if the file's size is not `size`. */
bool annot__file_open_again(struct annot__file *file, const char *path, uint64_t size);

/* Renames the closed file and syncs the name. If a file has the new name, returns
 * ANNOT__FILE_EXISTS and doesn't replace that file. On failure the file keeps its name. */
enum annot__file_outcome annot__file_publish(const char *from, const char *to);
/* Removes the file, and leaves errno unchanged. */
void annot__file_remove(const char *path);

/* Copies memory that may be unmapped. Returns false if a part of the memory is unreadable. For
 * crash handlers. */
bool annot__memory_read(void *to, const void *from, size_t size);

/* Tells the system that all of this memory will be written soon, so large pages may be used. */
void annot__memory_expect(void *memory, size_t size);

/* Does the same as fopen(path, "rb"), for a path in UTF-8. */
FILE *annot__file_open_to_read(const char *path);
