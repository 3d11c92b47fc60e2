/* A replay's options and its outcome. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct replay_options {
    const char *runtime; /* path of the D3D12 library; NULL, with `trust` only: the one that the
                            trace names */
    /* The trace is obeyed in what it loads, writes and sets: drivers by their path, logs,
       variables. Without, it chooses none of them. */
    bool trust;
    uint64_t until; /* the last call that is made; 0: all */
    /* The calls that are made again and again once they were reached; loop_last 0: none, loop_times
     * 0: without end. */
    uint64_t loop_first, loop_last, loop_times;
    /* In the place of a library: its exports by name, NULL for those that it has not. */
    void *(*exports)(const char *name);
    /* At the end all references are given back, which waits for work that is not done. */
    bool release;
    uint64_t call_memory; /* bytes that the arguments of a call may take; 0: 1 GiB */
    /* Replay itself waits no longer for the end of something, in milliseconds; 0: without end. What
       hangs in the runtime is not ended by this. */
    uint64_t wait;
    bool placed_as_committed; /* placed resources get memory of their own */
    const char *dump; /* where the emulator leaves the dump of a removed device; NULL: EMU_DUMP,
                         else none */
    const char *name; /* of the trace, for dumps of this run; NULL: none */
    FILE *log;        /* one line for each difference; NULL: none */
    /* Seconds that a call, and all of them, may take; 0: without end. `late` is called on another
       thread when one is over; it ends the process, since what a call waits for can't be taken from
       it. NULL: no limits. */
    uint64_t call_limit, time_limit;
    void (*late)(void *user, uint64_t call, bool is_call);
    /* Called now and then with the number of the call that was made. NULL: not. */
    void (*progress)(void *user, uint64_t call);
    void *user;
};

struct replay_outcome {
    uint64_t calls; /* made */
    uint64_t
        skipped; /* not made: their object does not exist here, or the runtime has no such export */
    uint64_t refused;   /* not made, or not obeyed: they would do harm */
    uint64_t moved;     /* buffers that have another GPU address than then */
    uint64_t results;   /* compared */
    uint64_t different; /* of them */
    uint64_t reads;     /* read-backs compared */
    uint64_t unequal;   /* of them */
    uint64_t shared;    /* writes to memory that the GPU writes to as well, which were not there
                           already: the program's, unless the GPU wrote something else */
};
