/* Describes the dumped process and its system, and gets the time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct annot__process {
    char name[256];   /* the name of the executable in UTF-8, without folders; may be empty */
    char id[24];      /* decimal */
    char system[160]; /* the system, for example "Linux 6.1.0 x86_64"; may be empty */
};

/* Fills in *process when a dump's writer is created. Not for crash handlers. */
void annot__process_describe(struct annot__process *process);

/* Returns the nanoseconds since 1970-01-01 UTC, also in crash handlers. */
uint64_t annot__time_now(void);

/* Returns the system's number of the calling thread, or 0. The function is cheap, because it asks
 * the system once for each thread. */
uint32_t annot__thread_number(void);

/* Returns the number of forks between this process and the process that first called
 * annot__process_follow_forks. If an object has another number, a parent made the object, and the
 * parent's other threads don't exist in this process. Wait-free, also for crash handlers. */
uint32_t annot__process_generation(void);
/* Starts counting forks. Returns false if memory runs out. */
bool annot__process_follow_forks(void);
