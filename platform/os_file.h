/* Files: made anew and mapped, read whole, appended to; and why it failed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef intptr_t os_file; /* -1: none */

enum os_file_outcome {
    OS_FILE_DONE,
    OS_FILE_TAKEN,   /* a file has that name */
    OS_FILE_NO_FILE, /* a device, a pipe, a link or a folder has it */
    OS_FILE_FAILED
};

/* A new file, which its owner alone may read; what is there is neither replaced nor waited for.
 * Never one of the three numbers that a program writes to without having opened them, and a high
 * one where there may be such: programs that close what they didn't open have their own files in
 * low ones. */
enum os_file_outcome os_file_create(os_file *file, const char *path);
/* False also where the file would grow past the process's limit, which raises no signal. */
bool os_file_write(os_file file, const void *data, size_t size, uint64_t at);
/* How many bytes were read. */
size_t os_file_read(os_file file, void *data, size_t size, uint64_t at);
enum os_reserved { OS_RESERVED, OS_RESERVE_UNSUPPORTED, OS_RESERVE_FAILED };

/* Makes the file `size` bytes long, and all of them have their place on the disk. Unsupported: the
 * file system can't promise that, and the file is as it was. */
enum os_reserved os_file_reserve(os_file file, size_t size);
/* Cuts off what is behind `size`. */
void os_file_cut(os_file file, uint64_t size);
/* Whether this file, and not another, has that name. */
bool os_file_is_at(os_file file, const char *path);
/* Maps a reserved file, shared: what is stored there survives the process. NULL: it can't be. */
void *os_file_map(os_file file, size_t size);
/* `map`: of os_file_map, NULL: none. */
void os_file_close(os_file file, void *map, size_t size);

/* Which file it is, whatever its name and descriptor. */
struct os_file_identity {
    uint64_t device, number;
};
bool os_file_identify(os_file file, struct os_file_identity *identity);
/* Whether the descriptor leads to that file still. Else a stranger has closed it: it is left to
 * whoever has its number now, and the file is opened anew by its name. False: it can't be. */
bool os_file_keep(os_file *file, const char *path, const struct os_file_identity *identity);

bool os_file_rename(const char *from, const char *to);
bool os_file_remove(const char *path); /* a link, not what it leads to */
bool os_folder_make(const char *path); /* for this user only; false also if it is there */

/* A file to append lines to, made if there is none for its user only; NULL: it can't be. It is no
 * link, and nothing but a regular file. */
FILE *os_open_log(const char *path);

enum os_read {
    OS_READ_DONE,
    OS_READ_ABSENT,
    OS_READ_UNREADABLE, /* `reason` says why */
    OS_READ_TOO_LARGE,
    OS_READ_OUT_OF_MEMORY
};

/* At most `limit` bytes of a regular file into a malloc'd buffer; never waits on a pipe or
 * device. */
enum os_read os_read_file(const char *path, size_t limit, char **data, size_t *size,
                          const char **reason);

/* Why the last of these failed: static text, or this thread's until it asks again. */
const char *os_error(void);
