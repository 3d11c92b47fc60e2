/* The state of a replay. */
#ifndef REPLAY_STATE_H
#define REPLAY_STATE_H

#include "replay.h"

#include "call.h"
#include "map.h"
#include "mapped.h"

#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* A thread's call between its two records. */
struct pending {
    uint32_t thread;
    uint64_t call, self_number;
    int method;
    void *self;
    uint64_t args[CODEC_ARGS];
    struct call_result result;
    struct codec_arena *arena;
    bool is_open, is_made;
    uint64_t given;     /* bytes of the program's memory that it is given as an address */
    void *given_memory; /* in their place */
    void *map_pointer;  /* what Map writes into */
    uint64_t asked;     /* the address that the thread wants its next allocation to have, 0: any */
    UT_hash_handle hh;
};

struct address { /* of the resource that a call created */
    uint64_t call, address;
    UT_hash_handle hh;
};

struct overtaken { /* a call that returned behind others that began after it */
    uint64_t call, behind;
    UT_hash_handle hh;
};

struct replay {
    const struct replay_options *options;
    struct replay_outcome *outcome;
    struct map *map;
    struct pending *pendings, *current;
    struct mapped *mapped;
    struct address *addresses;
    struct overtaken *overtaken;
    uint64_t trimmed_from;   /* of a trimmed trace: the first call of the range */
    bool is_missing;         /* an object of the call that is being decoded does not exist here */
    bool has_diverged;       /* the runtime gave another GPU address than then */
    struct tracked *tracked; /* queues and fences, for loops */
    size_t tracked_count, tracked_capacity;
    bool has_saved;   /* the beginning of the loop was reached */
    bool is_repeated; /* it is made again */
    void *runtime;
    /* The recorder's, when this run is recorded itself. */
    void (*pause)(int on);
    void (*imitate)(uint32_t thread, uint64_t call, uint64_t behind);
};

/* A line about a call; method -1: none. */
void replay_say(struct replay *r, uint64_t call, int method, const char *what);

/* Calls of the replayer's own are not recorded, when this run is. In pairs. */
void replay_pause(const struct replay *r, bool on);

/* A recorder of this run gives the call the number, the thread and the place of then. */
void replay_imitate(const struct replay *r, const struct pending *p);

/* make.c: the call, with all that has to be done before. p->is_open becomes false when it is not
 * made. */
void replay_make(struct replay *r, struct pending *p);
/* It returns only when something else has happened, which other threads' calls bring about. */
bool replay_waits(const struct pending *p);
/* Recordings in a dump of this run keep the numbers of the trace. */
void replay_number_calls(const struct replay *r);

/* compare.c: what the call returned and wrote, against its record; learns what stands for recorded
 * numbers. */
bool replay_compare(struct replay *r, struct pending *p, const struct trace_item *item,
                    struct codec_in *in, const uint64_t *then);

/* loop.c: where the loop begins, the queues' work is awaited and the fences' values are kept; where
 * it ends, they are set to those again. */
void loop_note(struct replay *r, const struct pending *p, const struct trace_item *item);
void loop_forget(struct replay *r, uint64_t number);
void loop_save(struct replay *r);
void loop_restore(struct replay *r);

static inline uint64_t replay_word(const struct trace_item *item, size_t i)
{
    uint64_t word = 0;
    if (item->size / 8 > i)
        memcpy(&word, item->data + i * 8, sizeof word);
    return word;
}

static inline bool replay_has_failed(int method, uint64_t result)
{
    return schema_methods[method].result.kind == KIND_R && (int32_t)result < 0;
}

#endif
