/* What the recorder needs of the operating system. */
#ifndef CAPTURE_OS_H
#define CAPTURE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef intptr_t os_file; /* -1: none */

/* A new file, in the place of one of that name. */
os_file os_file_create(const char *path);
bool os_file_write(os_file file, const void *data, size_t size, uint64_t at);
/* How many bytes were read. */
size_t os_file_read(os_file file, void *data, size_t size, uint64_t at);
/* Makes the file `size` bytes long and maps it, shared: what is stored there survives the process.
 * NULL: it can't be. */
void *os_file_map(os_file file, size_t size);
/* `map`: of os_file_map, NULL: none. */
void os_file_close(os_file file, void *map, size_t size);
bool os_file_rename(const char *from, const char *to);
void os_file_remove(const char *path);
/* Of a file that is there; to be freed. NULL: none is, or there is no memory. */
char *os_full_path(const char *path);
/* Why the last of these failed. */
const char *os_error(void);

uint32_t os_process(void);
void os_program_path(char *path, size_t size);
char **os_environment(void);
/* Called around fork, where there is one. */
void os_at_fork(void (*before)(void), void (*after)(void), void (*in_child)(void));

/* The library's calls of its own exports stay in it. NULL: os_library_error says why. */
void *os_library_load(const char *path);
const char *os_library_error(void);
/* NULL: neither it nor the libannot that it brought has such a function. */
void *os_library_function(void *library, const char *name);
/* This library is not unloaded any more: a thread of it runs. */
void os_stay_loaded(void);

bool os_has_handle(uint64_t handle);
/* What all duplicates of a handle have in common, where that can be told; else the handle. */
uint64_t os_handle_identity(uint64_t handle);
/* Bytes from this address to the end of the region that begins there and can be read and written;
 * 0: none begins there. */
uint64_t os_region_at(const void *address);

#endif
