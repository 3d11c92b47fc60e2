/* The state of a replay. */
#pragma once

#include "../trace/read.h"
#include "call.h"
#include "map.h"
#include "objects.h"
#include "options.h"
#include "watch.h"

#include "hashed.h"

/* A thread's call between its two records. */
struct pending {
    uint32_t thread;
    uint64_t call, self_number;
    int method;
    void *self;
    uint64_t args[CODEC_ARGS];
    uint64_t counts[CODEC_ARGS]; /* elements behind the pointers of the arguments */
    struct call_result result;
    struct codec_arena *arena;
    bool is_open, is_made;
    uint64_t given;     /* bytes of the program's memory that the call gets as an address */
    void *given_memory; /* in their place */
    void *map_pointer;  /* variable into which Map writes its pointer */
    uint64_t asked;     /* the address that the thread wants its next allocation to have, 0: any */
    struct used *used;  /* the objects of the call, its own first */
    size_t used_count, used_capacity;
    UT_hash_handle hh;
};

struct used {
    uint64_t number, serial;
};

struct address {            /* of the memory that a call allocated */
    uint64_t call, address; /* 0: the trace does not say */
    UT_hash_handle hh;
};

struct overtaken { /* a call that returned after others that began later */
    uint64_t call, behind;
    UT_hash_handle hh;
};

struct identifier { /* of a state object's program or shader */
    uint8_t bytes[32];
};

struct program {
    struct identifier then, here;
    UT_hash_handle hh;
};

struct kept_arena { /* arguments of a call that the runtime keeps */
    struct codec_arena *arena;
    struct kept_arena *next;
};

struct owned { /* an event of the system that replaces the program's */
    uint64_t event;
    void *memory; /* NULL: an event */
    uint64_t size;
    struct owned *next;
};

struct replay {
    const struct replay_options *options;
    struct replay_outcome *outcome;
    struct map *map;
    struct objects *objects;
    struct pending *pendings, *current;
    struct address *addresses;
    struct overtaken *overtaken;
    struct program *programs;
    uint64_t trimmed_from; /* of a trimmed trace: the first call of the range */
    struct watch watch;
    bool lacks_memory; /* memory ran out, so the replay ends */
    bool is_missing;   /* an object of the call that is being decoded does not exist here */
    char wrong[160];   /* another mistake in an object; "": none */
    uint64_t apart;    /* bytes allocated outside of recorded addresses */
    struct kept_arena *kept;
    struct owned *owned;
    struct tracked *tracked; /* queues and fences, for loops */
    size_t tracked_count, tracked_capacity;
    bool has_saved;   /* the beginning of the loop was reached */
    bool is_repeated; /* replay makes the call again */
    void *runtime;
    bool is_emulator; /* the runtime is this project's emulator, which checks handles itself */
    /* The recorder's functions, if this run is recorded itself. */
    void (*pause)(int on);
    void (*imitate)(uint32_t thread, uint64_t call, uint64_t behind);
};

/* An export of the runtime. NULL: there is none with this name. */
void *replay_export(const struct replay *r, const char *name);

/* Logs a line about a call; method -1: no method. */
void replay_say(struct replay *r, uint64_t call, int method, const char *what);

/* Logs and counts a call that is not made because it would do harm. */
void replay_refuse(struct replay *r, uint64_t call, int method, const char *what);

/* trust.c: prints what a trusted trace will load, write and set. Call it before the replay does
 * this. */
void replay_tell_trust(struct trace *trace, const struct replay_options *options);

/* Makes an arena for a thread's arguments; NULL: out of memory. */
struct codec_arena *replay_arena_create(const struct replay *r);
/* Gives the thread's next call another arena. The memory of the present arena stays as long as the
 * runtime. */
void replay_keep_arena(struct replay *r, struct pending *p);

/* If this run is recorded, the replayer's own calls between these two are not recorded. */
void replay_pause(const struct replay *r, bool on);

/* A recorder of this run gives the call the number, the thread and the place that it had in the
 * trace. */
void replay_imitate(const struct replay *r, const struct pending *p);

/* check.c: whether the call may be made with these arguments; refuses it if not. */
bool replay_check(struct replay *r, const struct pending *p);
/* Whether objects of a wrong or unknown kind are passed on: only in trusted traces on the emulator.
 * Programs that test the emulator pass such objects, and the emulator reports them. */
bool replay_is_lenient(const struct replay *r);
/* The object of a number, for the current call. NULL: it can't be called as `type`; r->is_missing
 * or r->wrong has the reason. */
void *replay_object(struct replay *r, uint64_t number, uint16_t type);
/* Whether a descriptor handle of this process belongs to a living heap. If not, r->wrong has the
 * reason. */
bool replay_has_descriptor(struct replay *r, uint8_t kind, uint64_t here);
/* Whether all objects of the call still exist. */
bool replay_is_there(struct replay *r, const struct pending *p);

/* The driver that the call names; NULL: none. */
const char *replay_driver_of(int method, const uint64_t *args);

/* make.c: whether this method, if it succeeds, allocates GPU memory. */
bool replay_allocates(int method);
/* Whether the method makes a heap over memory of the process. */
bool replay_opens_memory(int method);
/* make.c: makes the call and everything that it needs before. p->is_open becomes false if the call
 * is not made. */
void replay_make(struct replay *r, struct pending *p);
/* Whether the call waits for calls of other threads. */
bool replay_waits(const struct pending *p);
/* Gives recordings in dumps of this run the trace's call numbers. */
void replay_number_calls(const struct replay *r);

/* references.c: counts the references that a call which was made gave and took. */
void replay_count_references(struct replay *r, struct pending *p);

/* compare.c: compares what the call returned and wrote with its record, and maps recorded numbers
 * to those of this process. */
bool replay_compare(struct replay *r, struct pending *p, const struct trace_item *item,
                    struct codec_in *in, const uint64_t *then);

/* program.c: notes the identifiers of 32 bytes that a program or shader had in the trace and has in
 * this process; a damaged trace has none. It replaces one by the other in a call that sets a
 * program, and in shader tables among `size` bytes that the program wrote at `offset` of a
 * resource.
 */
void program_note(struct replay *r, const void *then, const void *here);
void program_put(const struct replay *r, const struct pending *p);
void program_put_tables(const struct replay *r, uint8_t *memory, uint64_t offset, uint64_t size);

/* loop.c: when the loop begins, it waits for the queues' work and keeps the fences' values. When
 * the loop ends, it sets the fences to these values again. */
void loop_note(struct replay *r, const struct pending *p, const struct trace_item *item);
void loop_save(struct replay *r);
void loop_restore(struct replay *r);

static inline uint64_t replay_word(const struct trace_item *item, size_t i)
{
    uint64_t word = 0;
    if (item->size / 8 > i)
        memcpy(&word, item->data + i * 8, sizeof word);
    return word;
}
