/* A replay's options and its outcome. */
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
    uint64_t until; /* the last call that is made; 0: all */
    /* The calls that replay repeats, and how often it does. loop_last 0: none; loop_times 0:
     * without end. */
    uint64_t loop_first, loop_last, loop_times;
    /* Replaces a library: returns an export by its name, NULL if there is none. */
    void *(*exports)(const char *name);
    /* Whether to give all references back at the end, which waits for unfinished work. */
    bool release;
    uint64_t call_memory; /* bytes that the arguments of a call may take; 0: 1 GiB */
    /* The longest time that replay itself waits, in milliseconds; 0: without end. It does not end a
     * call that hangs in the runtime. */
    uint64_t wait;
    bool placed_as_committed; /* placed resources get their own memory */
    const char
        *dump; /* path of the emulator's dump of a removed device; NULL: EMU_DUMP, else none */
    const char *name; /* the trace's name, for dumps of this run; NULL: none */
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
        skipped; /* calls not made: their object does not exist, or the runtime lacks the export */
    uint64_t refused;   /* calls not made, or changed, because they would do harm */
    uint64_t moved;     /* buffers whose GPU address differs from the recorded one */
    uint64_t results;   /* compared */
    uint64_t different; /* those of them that differ */
    uint64_t reads;     /* read-backs compared */
    uint64_t unequal;   /* those of them that are unequal */
    uint64_t shared; /* recorded writes to memory that the GPU writes too, if this replay had other
                        bytes there */
};
