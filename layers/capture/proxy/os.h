/* The recorder's part of the operating system. */
#ifndef CAPTURE_OS_H
#define CAPTURE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef intptr_t os_file; /* -1: none */

enum os_file_outcome {
    OS_FILE_DONE,
    OS_FILE_TAKEN,   /* a file has that name */
    OS_FILE_NO_FILE, /* something has that name that is no file: a device, a pipe, a link, a folder
                      */
    OS_FILE_FAILED
};

/* A new file, which its owner alone may read; what is there is neither replaced nor waited for.
 * Never one of the three numbers that a program writes to without having opened them. */
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
bool os_file_rename(const char *from, const char *to);
void os_file_remove(const char *path);
/* The whole path of a file that is there; to be freed. NULL: none is, or there is no memory. */
char *os_full_path(const char *path);
/* Why the last of these failed. */
const char *os_error(void);

uint32_t os_process(void);
void os_program_path(char *path, size_t size);
/* Called around fork, where there is one. */
void os_at_fork(void (*before)(void), void (*after)(void), void (*in_child)(void));

bool os_has_handle(uint64_t handle);
/* The identity that all duplicates of a handle share, where that can be told; else the handle. */
uint64_t os_handle_identity(uint64_t handle);
/* Bytes from this address to the end of the region that begins there and can be read and written;
 * 0: none begins there. */
uint64_t os_region_at(const void *address);

#endif
