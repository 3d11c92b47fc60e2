/* A replay's options, and its results. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct replay_options {
    /* Path of the D3D12 library; NULL: the trace's library, which needs `trust`. */
    const char *runtime;
    /* Whether the trace may choose the drivers that are loaded, the logs that are written, and the
     * variables that are set. */
    bool trust;
    uint64_t until; /* number of the last call that replay makes; 0: all calls */
    /* The first and last call of the loop, and the number of repetitions. loop_last 0: no loop;
     * loop_times 0: a loop without end. */
    uint64_t loop_first, loop_last, loop_times;
    /* Returns the export `name`, or NULL. If this callback is set, no library is loaded. */
    void *(*exports)(const char *name);
    /* Whether replay releases all objects at its end. The release waits for unfinished work. */
    bool release;
    uint64_t call_memory; /* limit of one call's arguments in bytes; 0: 1 GiB */
    /* Limit of replay's own waits, in milliseconds; 0: no limit. The limit doesn't end a call that
     * hangs in the runtime. */
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
    /* Called from time to time; `call` is the last call that replay made. May be NULL. */
    void (*progress)(void *user, uint64_t call);
    void *user;
};

/* Kinds of reads that differ from the trace. Replay repeats the calls to tell them apart. */
enum replay_kind { READ_OTHER, READ_GARBAGE, READ_UNWRITTEN, READ_UNSTABLE, READ_KINDS };
extern const char *const replay_kinds[READ_KINDS]; /* names */

struct replay_outcome {
    uint64_t calls;     /* how many calls replay made */
    uint64_t skipped;   /* calls that were skipped because an object or export is missing */
    uint64_t refused;   /* calls that were left out or changed, because they would do harm */
    uint64_t moved;     /* number of buffers that got another GPU address than in the trace */
    uint64_t results;   /* compared results */
    uint64_t different; /* results that differ */
    uint64_t reads;     /* number of compared reads of mapped memory */
    uint64_t unequal;   /* number of compared reads that differ from the trace */
    uint64_t kinds[READ_KINDS]; /* how many of these are of each kind, if REPLAYED_AGAIN */
    enum { REPLAYED_ONCE, REPEAT_UNFINISHED, REPLAYED_AGAIN } repeat;
    uint64_t shared; /* number of recorded writes whose bytes differ in the replay, because the GPU
                        also writes this memory */
    bool is_incomplete; /* whether the trace lost records, or has no call */
};
