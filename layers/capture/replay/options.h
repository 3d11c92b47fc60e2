/* The options and the outcome of a replay. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct replay_options {
    const char *runtime; /* path of the D3D12 library; NULL, only with `trust`: the library that the
                            trace names */
    /* Whether the trace may choose which drivers are loaded, which logs are written and which
     * variables are set. */
    bool trust;
    uint64_t until; /* number of the last call that is made; 0: all calls */
    /* The range of calls that replay repeats, and how often. loop_last 0: there is no loop;
     * loop_times 0: the loop has no end. */
    uint64_t loop_first, loop_last, loop_times;
    /* Replaces a library: returns the export with this name, or NULL if there is none. */
    void *(*exports)(const char *name);
    /* Whether replay gives all references back at the end, which waits for unfinished work. */
    bool release;
    uint64_t call_memory; /* bytes that the arguments of a call may take; 0: 1 GiB */
    /* The longest time that replay itself waits, in milliseconds; 0: no limit. A call that hangs in
     * the runtime is not ended. */
    uint64_t wait;
    bool placed_as_committed; /* placed resources get memory of their own */
    const char
        *dump; /* path for the emulator's dump of a removed device; NULL: EMU_DUMP, else none */
    const char *name; /* the trace's name, for dumps of this run; NULL: no name */
    FILE *log;        /* the log gets one line for each difference */
    /* How many seconds one call may take, and all calls together; 0: no limit. After this time
     * another thread calls `late`, which ends the process, because nothing can stop a call that
     * waits. `late` NULL: no limits. */
    uint64_t call_limit, time_limit;
    void (*late)(void *user, uint64_t call, bool is_call);
    /* Called from time to time with the number of the last call that was made. May be NULL. */
    void (*progress)(void *user, uint64_t call);
    void *user;
};

struct replay_outcome {
    uint64_t calls;     /* number of calls that were made */
    uint64_t skipped;   /* calls not made, because an object does not exist or the runtime lacks the
                           export */
    uint64_t refused;   /* calls that were skipped or changed because they would do harm */
    uint64_t moved;     /* buffers with another GPU address than the recorded address */
    uint64_t results;   /* compared results */
    uint64_t different; /* results that differ */
    uint64_t reads;     /* compared reads of mapped memory */
    uint64_t unequal;   /* reads that are not equal */
    uint64_t shared; /* recorded writes to memory that the GPU writes too, if this replay had other
                        bytes there */
};
