/* Data and functions that replay's files share. */
#pragma once

#include "../../intercept/resource.h"
#include "../trace/read.h"
#include "call.h"
#include "map.h"
#include "objects.h"
#include "options.h"
#include "watch.h"

#include "hashed.h"

/* A thread's call from its first record (RECORD_ENTER) to its second record (RECORD_LEAVE). */
struct pending {
    uint32_t thread;
    uint64_t call, self_number;
    int method;
    void *self;
    uint64_t args[CODEC_ARGS];
    uint64_t counts[CODEC_ARGS]; /* how many elements each argument that is a pointer has */
    struct call_result result;
    struct codec_arena *arena;
    bool is_open, is_made;
    uint64_t given;     /* size of the program's memory that the call gets, or 0 */
    void *given_memory; /* replay's memory, which the call gets instead of the program's */
    void *map_pointer;  /* the variable in which Map stores its pointer */
    uint64_t asked;     /* the address for the thread's next allocation; 0: any address */
    struct used *used;  /* objects that the call uses; the first is `self` */
    size_t used_count, used_capacity;
    UT_hash_handle hh;
};

struct used {
    uint64_t number, serial;
};

/* If reads differ from the trace, the emulator replays the trace again, with other contents of new
 * memory. If some of these reads then change, it replays once more, with the first contents. */
struct repetition {
    enum { FIRST_REPLAY, OTHER_CONTENTS, FIRST_CONTENTS } pass;
    struct unequal_read *reads;
    uint64_t ticks; /* time that the earlier replays took */
    bool is_needed, has_changed;
};

struct unequal_read { /* a read that differed in the first replay */
    uint64_t number, hash;
    enum replay_kind kind;
    UT_hash_handle hh;
};

struct address {            /* an address that a call returned for new memory in the trace */
    uint64_t call, address; /* `call` is the key; `address` 0: the trace has no address */
    UT_hash_handle hh;
};

struct overtaken { /* a call that returned after later calls had begun */
    uint64_t call, behind;
    UT_hash_handle hh;
};

struct identifier { /* identifies a program or shader of a state object */
    uint8_t bytes[32];
};

struct program {
    struct identifier then, here;
    UT_hash_handle hh;
};

struct kept_arena { /* an arena whose arguments the runtime still uses after the call */
    struct codec_arena *arena;
    struct kept_arena *next;
};

struct owned { /* replay's own event or memory, in place of the program's event or memory */
    uint64_t event;
    void *memory; /* replay's memory; NULL: this struct is for an event */
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
    uint64_t trimmed_from; /* for a trimmed trace: the first call of its range */
    struct watch watch;
    struct repetition *again;
    uint64_t checks;   /* number of compared reads so far */
    uint64_t taken;    /* bytes that calls allocated so far */
    bool lacks_memory; /* whether memory ran out; the replay then ends */
    bool is_missing;   /* whether the call needs an object that is missing */
    char wrong[160];   /* message about another mistake with an object; "": none */
    uint64_t apart;    /* size of address ranges that replay chose itself, not the trace */
    struct kept_arena *kept;
    struct owned *owned;
    struct tracked *tracked; /* queues and fences that the loop resets */
    size_t tracked_count, tracked_capacity;
    bool has_saved;   /* whether the loop has begun */
    bool is_repeated; /* whether replay repeats the call, which it has made before */
    void *runtime;
    bool is_emulator; /* whether the runtime is the emulator, which checks handles */
    /* Functions of a recorder that records this replay; NULL: nothing records it. */
    void (*pause)(int on);
    void (*imitate)(uint32_t thread, uint64_t call, uint64_t behind);
};

/* Returns the runtime's export with this name, or NULL. */
void *replay_export(const struct replay *r, const char *name);

/* Logs a line about a call; `method` is -1 if the line is about no method. */
void replay_say(struct replay *r, uint64_t call, int method, const char *what);

/* Logs and counts a call that replay leaves out, because the call would do harm. */
void replay_refuse(struct replay *r, uint64_t call, int method, const char *what);

/* Prints which libraries, files and variables a trusted trace will use. Defined in trust.c. */
void replay_tell_trust(struct trace *trace, const struct replay_options *options);

/* Makes an arena for the arguments of one thread's calls. Returns NULL if memory runs out. */
struct codec_arena *replay_arena_create(const struct replay *r);
/* Keeps the thread's arena until the runtime ends, and gives the thread's next call a new arena. */
void replay_keep_arena(struct replay *r, struct pending *p);

/* If `on`, pauses the recorder of this run, so that it doesn't record replay's own calls. */
void replay_pause(const struct replay *r, bool on);

/* Makes the recorder of this run give the call the trace's thread and number, in the same order. */
void replay_imitate(const struct replay *r, const struct pending *p);

/* Whether replay may make the call with these arguments. Otherwise refuses the call. In check.c. */
bool replay_check(struct replay *r, const struct pending *p);
/* Whether replay passes on objects of a wrong or unknown kind. Trusted traces on the emulator need
 * this, because programs that test the emulator pass such objects. */
bool replay_is_lenient(const struct replay *r);
/* Returns the object with this number for the current call. NULL: the object can't be called as
 * `type`; r->is_missing or r->wrong has the reason. */
void *replay_object(struct replay *r, uint64_t number, uint16_t type);
/* Whether this process's descriptor handle belongs to a living heap. Otherwise sets r->wrong. */
bool replay_has_descriptor(struct replay *r, uint8_t kind, uint64_t here);
/* Whether all objects that the call uses still exist. */
bool replay_is_there(struct replay *r, const struct pending *p);

/* Returns the name of the driver that the call asks for, or NULL. */
const char *replay_driver_of(int method, const uint64_t *args);

/* Whether a successful call of this method allocates GPU memory. Defined in make.c. */
bool replay_allocates(int method);
/* Whether the method opens a heap over the process's memory. */
bool replay_opens_memory(int method);
/* Prepares and makes the call. If p->is_open is false, the call was not made. Defined in make.c. */
void replay_make(struct replay *r, struct pending *p);
/* Whether the call waits until other threads' calls are made. */
bool replay_waits(const struct pending *p);
/* Makes dumps of this run show the call numbers of the trace. */
void replay_number_calls(const struct replay *r);

/* Notes which references the call has added and released. Defined in references.c. */
void replay_count_references(struct replay *r, struct pending *p);

/* Compares the call's result and written memory with the trace. Maps recorded numbers to this
 * process's numbers. Defined in compare.c. */
bool replay_compare(struct replay *r, struct pending *p, const struct trace_item *item,
                    struct codec_in *in, const uint64_t *then);

/* program.c handles the 32-byte identifiers of programs and shaders. program_note connects an
 * identifier of the trace with one of this process. program_put replaces the trace's identifiers in
 * a call that sets a program; program_put_tables replaces identifiers in written shader tables. */
void program_note(struct replay *r, const void *then, const void *here);
void program_put(const struct replay *r, const struct pending *p);
void program_put_tables(const struct replay *r, uint8_t *memory, uint64_t offset, uint64_t size);

/* Functions of the loop (loop.c). loop_begin waits for the queues' work, and keeps the fences'
 * values; where the loop begins again, it sets the fences to these values. */
void loop_note(struct replay *r, const struct pending *p, const struct trace_item *item);
void loop_begin(struct replay *r, bool is_repeated);
