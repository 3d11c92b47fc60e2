/* A replay's options and its outcome. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct replay_options {
    const char *runtime; /* path of the D3D12 library; NULL, with `trust` only: the one that the
                            trace names */
    /* Whether the trace may choose what is loaded, written and set: drivers by their path, logs,
     * variables. */
    bool trust;
    uint64_t until; /* the last call that is made; 0: all */
    /* The calls that are repeated after they were made; loop_last 0: none, loop_times 0: without
     * end. */
    uint64_t loop_first, loop_last, loop_times;
    /* Used in place of a library: returns an export by its name, NULL if there is none. */
    void *(*exports)(const char *name);
    /* Gives all references back at the end; this waits for unfinished work. */
    bool release;
    uint64_t call_memory; /* bytes that the arguments of a call may take; 0: 1 GiB */
    /* The longest time that replay itself waits, in milliseconds; 0: without end. A call that hangs
     * in the runtime goes on hanging. */
    uint64_t wait;
    bool placed_as_committed; /* placed resources get memory of their own */
    const char *dump; /* where the emulator leaves the dump of a removed device; NULL: EMU_DUMP,
                         else none */
    const char *name; /* of the trace, for dumps of this run; NULL: none */
    FILE *log;        /* one line for each difference; NULL: none */
    /* Seconds that a call may take, and that all calls together may take; 0: no limit. After this
     * time another thread calls `late`, which ends the process, because nothing can stop a call
     * that waits. NULL: no limits. */
    uint64_t call_limit, time_limit;
    void (*late)(void *user, uint64_t call, bool is_call);
    /* Called from time to time with the number of the last call that was made. NULL: never. */
    void (*progress)(void *user, uint64_t call);
    void *user;
};

struct replay_outcome {
    uint64_t calls; /* made */
    uint64_t
        skipped; /* not made: their object does not exist here, or the runtime has no such export */
    uint64_t refused;   /* not made, or not obeyed: they would do harm */
    uint64_t moved;     /* buffers whose GPU address differs from the recorded one */
    uint64_t results;   /* compared */
    uint64_t different; /* of them */
    uint64_t reads;     /* read-backs compared */
    uint64_t unequal;   /* of them */
    uint64_t shared;    /* recorded writes to memory that the GPU writes too, where this replay had
                         * other bytes: the program's writes, or other results of the GPU */
};
