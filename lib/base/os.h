/*
 * Everything that the library wants of an operating system: a mutex that can be tried for a bounded
 * time, and a file that becomes visible only when it is whole. Mutexes are in
 * os_mutex.c, files in one file per system.
 */
#ifndef ANNOT_LIB_OS_H
#define ANNOT_LIB_OS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct annot__mutex {
    pthread_mutex_t native;
} annot__mutex;

void annot__mutex_init(annot__mutex *mutex);
void annot__mutex_finish(annot__mutex *mutex);
void annot__mutex_lock(annot__mutex *mutex);
void annot__mutex_unlock(annot__mutex *mutex);
bool annot__mutex_try(annot__mutex *mutex);

/* For a crash handler: tries for a bounded number of attempts, giving way to the holder in between.
 */
bool annot__mutex_try_long(annot__mutex *mutex);

/* A file under construction, to be used where neither malloc nor stdio may be called. */
typedef struct annot__file {
    int descriptor;
} annot__file;

bool annot__file_create(annot__file *file, const char *path);
bool annot__file_append(annot__file *file, const void *data, size_t size);
bool annot__file_write_at_start(annot__file *file, const void *data, size_t size);
bool annot__file_sync(annot__file *file);
void annot__file_close(annot__file *file);

/* Gives the file its final name, replacing what had it, and makes that durable. */
bool annot__file_publish(const char *from, const char *to);
void annot__file_remove(const char *path);

/* Copies memory that may not be there: all of it, or false. For a crash handler. */
bool annot__memory_read(void *to, const void *from, size_t size);

/* fopen(path, "rb") for a path in UTF-8. */
FILE *annot__file_open_to_read(const char *path);

#endif
