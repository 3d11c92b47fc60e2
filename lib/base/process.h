/* The system's description of the dumped process, and the time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct annot__process {
    char name[256];   /* name of its executable without folders; UTF-8, cut; empty: not known */
    char id[24];      /* decimal */
    char system[160]; /* "Linux 6.1.0 x86_64"; empty: not known */
};

/* Not for crash handlers: a dump's writer calls it when it is created. */
void annot__process_describe(struct annot__process *process);

/* Nanoseconds since 1970-01-01 UTC. May be called in crash handlers. */
uint64_t annot__time_now(void);

/* The system's number of the calling thread, 0 if it has none. The function is cheap: it asks the
 * system once per thread. */
uint32_t annot__thread_number(void);

/* The number of forks between this process and the one that called annot__process_follow_forks
 * first. If an object has another number, a parent made it, and the parent's other threads don't
 * exist here. Wait-free; may be called in crash handlers. */
uint32_t annot__process_generation(void);
/* Starts counting. False means out of memory. */
bool annot__process_follow_forks(void);
