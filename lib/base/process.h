/* Describes the process and the system that a dump comes from, and returns the time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct annot__process {
    char name[256];   /* the executable's name in UTF-8, without folders, or "" */
    char id[24];      /* decimal */
    char system[160]; /* the system's name, for example "Linux 6.1.0 x86_64", or "" */
};

/* Fills *process when a dump's writer is created. Crash handlers must not call this function. */
void annot__process_describe(struct annot__process *process);

/* Returns the ns since 1970-01-01 UTC. Crash handlers may call this function. */
uint64_t annot__time_now(void);

/* Returns the system's number of the calling thread, or 0. This is cheap: each thread asks the
 * system only once. */
uint32_t annot__thread_number(void);

/* Returns how many forks lie between this process and the process that first called
 * annot__process_follow_forks. If an object stores another number, a parent made the object,
 * and the parent's other threads don't exist here. Never waits. Crash handlers may call this
 * function. */
uint32_t annot__process_generation(void);
/* Starts to count forks. Returns false if memory runs out. */
bool annot__process_follow_forks(void);
