/* Services of the operating system: a mutex with a time limit, and a file that becomes visible only
 * when it is complete. Each system has its own .c file; all systems share os_mutex.c. */
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
    void *native; /* an SRWLOCK; its type needs windows.h */
#else
    pthread_mutex_t native;
#endif
};

void annot__mutex_init(struct annot__mutex *mutex);
void annot__mutex_finish(struct annot__mutex *mutex);
void annot__mutex_lock(struct annot__mutex *mutex);
void annot__mutex_unlock(struct annot__mutex *mutex);
bool annot__mutex_try(struct annot__mutex *mutex);

/* Locks the mutex, or gives up after `*left` ns. Subtracts the waiting time from `*left`, so that
 * several waits share one limit. The thread that holds the mutex runs on meanwhile. Crash handlers
 * may call this function. */
bool annot__mutex_try_for(struct annot__mutex *mutex, uint64_t *left);
#define ANNOT__CRASH_WAIT_NS 100000000u /* default limit in ns of a dump's waits for locks */

uint64_t annot__clock_ns(void); /* returns monotonic time in ns; crash handlers may call it */
void annot__pause(void);        /* sleeps some microseconds (on Windows a millisecond) */

/* A file that is being written. The functions for this type use neither malloc nor stdio. */
struct annot__file {
    int descriptor;
};

enum annot__file_outcome { ANNOT__FILE_DONE, ANNOT__FILE_EXISTS, ANNOT__FILE_FAILED };

/* Makes a file that only its owner may read. If a file, link, pipe or folder has this name, returns
 * ANNOT__FILE_EXISTS at once and changes nothing. The descriptor never belongs to a standard
 * stream. A write above the process's limit of file sizes fails, and raises no signal. */
enum annot__file_outcome annot__file_create(struct annot__file *file, const char *path);
bool annot__file_append(struct annot__file *file, const void *data, size_t size);
/* Writes bytes at an offset. Later appends follow these bytes. */
bool annot__file_write_at(struct annot__file *file, uint64_t at, const void *data, size_t size);
bool annot__file_sync(struct annot__file *file);
void annot__file_close(struct annot__file *file);
/* Opens a regular file, not a link, to change the file. Fails if the file's size is not `size`. */
bool annot__file_open_again(struct annot__file *file, const char *path, uint64_t size);

/* Renames a closed file, and syncs the new name to disk. If the new name exists, returns
 * ANNOT__FILE_EXISTS and replaces nothing. After any failure the file keeps its old name. */
enum annot__file_outcome annot__file_publish(const char *from, const char *to);
/* Removes the file, without changing errno. */
void annot__file_remove(const char *path);

/* Copies memory that may be unmapped. Returns false if any byte is unreadable. Crash handlers may
 * call this function. */
bool annot__memory_read(void *to, const void *from, size_t size);

/* Tells the system that all this memory will soon be written, so that it may use large pages. */
void annot__memory_expect(void *memory, size_t size);

/* Opens a file for reading, as fopen(path, "rb") does; `path` is UTF-8 on every system. */
FILE *annot__file_open_to_read(const char *path);
