/*
 * Everything that the library needs of an operating system: a mutex whose wait ends by the clock,
 * and a file that becomes visible only when it is whole. One file per system has them; what they
 * share is in os_mutex.c.
 */
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
    void *native; /* an SRWLOCK: windows.h is kept out of the library's headers */
#else
    pthread_mutex_t native;
#endif
};

void annot__mutex_init(struct annot__mutex *mutex);
void annot__mutex_finish(struct annot__mutex *mutex);
void annot__mutex_lock(struct annot__mutex *mutex);
void annot__mutex_unlock(struct annot__mutex *mutex);
bool annot__mutex_try(struct annot__mutex *mutex);

/* For a crash handler: waits until it has the mutex or `*left` nanoseconds have passed by the
 * clock. Subtracts the time from `*left`, so that several waits share one limit. Meanwhile it
 * leaves the processor to the holder. */
bool annot__mutex_try_for(struct annot__mutex *mutex, uint64_t *left);
#define ANNOT__CRASH_WAIT_NS 100000000u /* all waits together, unless the caller says otherwise */

uint64_t annot__clock_ns(void); /* never goes back; for a crash handler */
void annot__pause(void);        /* sleeps for some microseconds; on Windows a millisecond */

/* A file under construction, to be used where neither malloc nor stdio may be called. */
struct annot__file {
    int descriptor;
};

enum annot__file_outcome { ANNOT__FILE_DONE, ANNOT__FILE_EXISTS, ANNOT__FILE_FAILED };

/* Makes a file that only its owner may read. Whatever has this name already, even a link, a pipe
 * or a folder, is left alone and not waited for: ANNOT__FILE_EXISTS. The descriptor is never a
 * standard stream's. Writing past the process's limit of file sizes fails and raises no signal. */
enum annot__file_outcome annot__file_create(struct annot__file *file, const char *path);
bool annot__file_append(struct annot__file *file, const void *data, size_t size);
/* What is appended next goes after it. */
bool annot__file_write_at(struct annot__file *file, uint64_t at, const void *data, size_t size);
bool annot__file_sync(struct annot__file *file);
void annot__file_close(struct annot__file *file);
/* Opens a regular file to change it, if it has this size still; no link. */
bool annot__file_open_again(struct annot__file *file, const char *path, uint64_t size);

/* Gives the closed file its final name and makes that durable. Nothing that has the name is
 * replaced: ANNOT__FILE_EXISTS. On failure the file keeps its name. */
enum annot__file_outcome annot__file_publish(const char *from, const char *to);
/* Leaves errno as it is. */
void annot__file_remove(const char *path);

/* Copies memory that may not be there: all of it, or false. For a crash handler. */
bool annot__memory_read(void *to, const void *from, size_t size);

/* All of this memory is about to be written: the system may map it in large pages. Only a hint. */
void annot__memory_expect(void *memory, size_t size);

/* fopen(path, "rb") for a path in UTF-8. */
FILE *annot__file_open_to_read(const char *path);
