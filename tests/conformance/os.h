/* The suite needs these of the operating system: its own path, a library's functions, processes.
 * One file per system. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OS_PATH_MAX = 4096 };

/* The path of the running program; false when it can't be had. */
bool os_own_path(char path[OS_PATH_MAX]);
bool os_file_exists(const char *path);
/* A path in the folder for temporary files that no other process uses. */
bool os_own_file(const char *name, char path[OS_PATH_MAX]);
bool os_is_terminal(void);
/* For this process and its children; NULL takes the variable away. */
void os_set_environment(const char *name, const char *value);
uint64_t os_thread_id(void);
/* Nanoseconds of a clock that only goes forward. */
uint64_t os_clock(void);
/* Processors to run on, at least 1. */
unsigned os_processors(void);

unsigned long os_process_id(void);
/* A number that nobody can foresee; false: there is none. */
bool os_random(uint64_t *number);
/* Programs that this process starts don't inherit the file. */
void os_keep_to_itself(intptr_t file);
/* One write. */
void os_write(intptr_t file, const void *bytes, size_t size);

/* ---- memory ---- */

/* Zeroed pages that start at a page's border, at least `size` bytes; NULL: none. They are the
 * process's until it ends. */
void *os_map(size_t size);
/* Takes the memory behind such pages away: from now on to read there is a fault. Nothing else ever
 * comes to lie there. */
void os_take(void *memory, size_t size);
/* From now on this process gets about `size` bytes more and then none; false: no limit of that kind
 * can be had here. */
bool os_limit_memory(size_t size);

/* ---- libraries ---- */

typedef void (*os_function)(void);

/* Loads a library; NULL: error has one line that says why. Never unloaded. */
void *os_library(const char *path, char *error, size_t error_size);
/* An exported function of the library, or of one that this library has loaded; NULL: there is
 * none. */
os_function os_library_function(void *library, const char *name);
/* The path of the library that has this function; under Wine also whether it is Wine's own. false:
 * not known. */
bool os_function_library(os_function function, char *text, size_t size);

/* ---- processes ---- */

struct os_process; /* a started program whose output is gathered */

enum { OS_CHANNEL_MAX = 64 };

/* Starts the program with these arguments (argv[0] is its path, the last is NULL); NULL when it
 * can't be. Standard output and standard error are gathered together. `channel_text`: NULL, or of a
 * program that is not trusted: what it starts ends with it, and it ends with this process. It
 * inherits the writing end of a pipe beside standard output; the number of that is put into these
 * OS_CHANNEL_MAX bytes, which are to be part of argv. */
struct os_process *os_process_start(char *const argv[], char *channel_text);

/* Takes up to `size` bytes of what came through that pipe; 0: nothing is there now. */
size_t os_process_channel(struct os_process *process, char *bytes, size_t size);

/* Gathers output for up to `milliseconds`, or until one of the processes ends. */
void os_process_wait(struct os_process *const processes[], size_t count, unsigned milliseconds);

/* Whether it has ended; then its output is complete. */
bool os_process_ended(const struct os_process *process);

/* The process's output so far, NUL-terminated; past 64 KiB is cut. */
const char *os_process_output(const struct os_process *process);

/* Describes an end that is not an exit ("signal 11", "exception 0xc0000005"); returns false for an
 * exit, with its code. */
bool os_process_crashed(const struct os_process *process, int *code, char *how, size_t how_size);

void os_process_kill(struct os_process *process);

/* Kills it if it still runs, and frees it. */
void os_process_done(struct os_process *process);
