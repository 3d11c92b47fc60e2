/* The options and the outcome of a replay. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct replay_options {
    const char *runtime; /* path of the D3D12 library; NULL (with `trust`): the trace's library */
    /* Whether the trace may choose which drivers are loaded, which logs are written and which
     * variables are set. */
    bool trust;
    uint64_t until; /* number of the last call that replay makes; 0: replay makes all calls */
    /* The range of calls that replay repeats, and how often. If loop_last is 0, there is no loop;
     * if loop_times is 0, the loop has no end. */
    uint64_t loop_first, loop_last, loop_times;
    /* Replaces a library: returns the export with this name, or NULL if there is none. */
    void *(*exports)(const char *name);
    /* Whether replay releases all objects at the end; this waits for unfinished work. */
    bool release;
    uint64_t call_memory; /* limit of the bytes of one call's arguments; 0: 1 GiB */
    /* The longest time that replay itself waits, in milliseconds; 0: no limit. A call that hangs in
     * the runtime is not ended. */
    uint64_t wait;
    const char *dump; /* path for the emulator's dump of a removed device; NULL: the path in
                         EMU_DUMP, or no dump */
    const char *name; /* the trace's name, for dumps of this run; NULL: no name */
    FILE *log;        /* the log gets one line for each difference */
    /* How many seconds one call may take, and all calls together; 0: no limit. After this time
     * another thread calls `late`, which ends the process, because nothing can stop a call that
     * waits. If `late` is NULL, there are no limits. */
    uint64_t call_limit, time_limit;
    void (*late)(void *user, uint64_t call, bool is_call);
    /* Called from time to time with the number of the last call that was made. May be NULL. */
    void (*progress)(void *user, uint64_t call);
    void *user;
};

struct replay_outcome {
    uint64_t calls;   /* number of calls that were made */
    uint64_t skipped; /* number of calls not made, because an object or an export is missing */
    uint64_t refused; /* number of calls that were skipped or changed because they would do harm */
    uint64_t moved;   /* number of buffers whose GPU address differs from the recorded address */
    uint64_t results; /* compared results */
    uint64_t different; /* results that differ */
    uint64_t reads;     /* number of reads of mapped memory that were compared */
    uint64_t unequal;   /* number of compared reads that are not equal */
    uint64_t shared;    /* number of recorded writes to memory that the GPU also writes and that had
                           other bytes in this replay */
};
