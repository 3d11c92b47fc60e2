/* Makes, maps, reads and extends files. Says why an operation on a file failed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef intptr_t os_file; /* -1: none */

enum os_file_outcome {
    OS_FILE_DONE,
    OS_FILE_TAKEN,   /* a file with this name exists */
    OS_FILE_NO_FILE, /* the name belongs to a device, a pipe, a link or a folder */
    OS_FILE_FAILED
};

/* Makes a new file that only its owner may read. The function doesn't replace an existing file, or
 * wait for it. The descriptor is never that of a standard stream. The descriptor is high if
 * possible, because some programs close low descriptors that others opened. */
enum os_file_outcome os_file_create(os_file *file, const char *path);
/* Writes bytes at `at`. Above the process's limit of file sizes, returns false without a signal. */
bool os_file_write(os_file file, const void *data, size_t size, uint64_t at);
/* Reads bytes at the offset `at`. Returns how many bytes were read. */
size_t os_file_read(os_file file, void *data, size_t size, uint64_t at);
enum os_reserved { OS_RESERVED, OS_RESERVE_UNSUPPORTED, OS_RESERVE_FAILED };

/* Makes the file `size` bytes long and reserves these bytes on the disk. OS_RESERVE_UNSUPPORTED:
 * the file system can't reserve bytes, and the file is unchanged. */
enum os_reserved os_file_reserve(os_file file, size_t size);
/* Removes the bytes of the file from `size` on. */
void os_file_cut(os_file file, uint64_t size);
/* Returns whether `path` is a name of this file. */
bool os_file_is_at(os_file file, const char *path);
/* Maps a reserved file as shared memory, which survives the process. Returns NULL on failure. */
void *os_file_map(os_file file, size_t size);
/* Closes the file, and unmaps `map`, which is a result of os_file_map or NULL. */
void os_file_close(os_file file, void *map, size_t size);

/* Identifies a file independently of its name and its descriptor. */
struct os_file_identity {
    uint64_t device, number;
};
bool os_file_identify(os_file file, struct os_file_identity *identity);
/* Checks that the descriptor still belongs to the file. If other code closed the descriptor, the
 * function opens the file again by its name, and doesn't touch the old descriptor. Returns false if
 * the file can't be opened. */
bool os_file_keep(os_file *file, const char *path, const struct os_file_identity *identity);

bool os_file_rename(const char *from, const char *to);
bool os_file_remove(const char *path); /* removes a file or a link, not a link's target */
bool os_folder_make(const char *path); /* makes a folder for only this user; false if it exists */

/* Opens a file to add lines at its end, or makes a file that only its user may read. Returns NULL
 * on failure, and if the name belongs to a link or to something that isn't a regular file. */
FILE *os_open_log(const char *path);

enum os_read {
    OS_READ_DONE,
    OS_READ_ABSENT,
    OS_READ_UNREADABLE, /* `reason` says why */
    OS_READ_TOO_LARGE,
    OS_READ_OUT_OF_MEMORY
};

/* Reads at most `limit` bytes of a regular file into a malloc'd buffer. The buffer has room for a
 * NUL after the bytes. The function never waits for a pipe or device. `follows`: a link's target is
 * read; otherwise links are refused. */
enum os_read os_read_file(const char *path, bool follows, size_t limit, char **data, size_t *size,
                          const char **reason);

/* Returns why the last call failed; static, or valid until the thread's next os_error. */
const char *os_error(void);
