/* Writes the trace file. Each thread records into its own chunk in a shared mapping of the file, so
 * complete records are kept even after SIGKILL. A writer thread compresses full chunks and appends
 * them to the log. */
#pragma once

#include "../trace/format.h"

#include <stdbool.h>
#include <stddef.h>

/* Opens the file that ANNOT_CAPTURE_FILE names; "%p" in the name becomes the process's ID. The
 * file's header gets `memory_watch`, an enum trace_watch. Call this function once, before all other
 * functions. False: the recorder records nothing, and stderr has the reason. */
bool recorder_open(const char *runtime, uint32_t memory_watch);

/* Returns the path of the open trace file. */
const char *recorder_path(void);

/* Whether calls are recorded. */
bool recorder_is_open(void);

/* Returns the number for a call that begins now. Any thread may call the function. */
uint64_t recorder_next_call(void);

/* Returns the number of the call that began last. */
uint64_t recorder_last_call(void);

/* Gives the next call this number and thread, in a process with one thread. `behind` is the newest
 * call that had begun when the call returned. */
void recorder_imitate(uint32_t thread, uint64_t call, uint64_t behind);

/* Notes that a call of this thread has returned; for calls that have no record of it. */
void recorder_left(uint64_t call);

/* Appends a record with `head` and `body`, and zeros up to a multiple of 8 bytes. Any thread may
 * call the function. It waits for the writer thread only if all slots are full. */
void recorder_add(uint32_t kind, uint64_t call, uint32_t method, uint32_t words, const void *head,
                  size_t head_size, const void *body, size_t body_size);

/* Writes a line for people into the trace, and to stderr if `text` is new. `text` is static. */
void recorder_say(const char *text, const char *name);

/* Sets numbers of the trace's header: bytes of mapped memory that were checked, and hashed. */
void recorder_note_looks(uint64_t asked, uint64_t hashed);

/* Writes all records and closes the trace when the process ends. `is_alone` says that the system
 * has ended all other threads, perhaps in the middle of a call. */
void recorder_close(bool is_alone);
