/* The state that the parts of replay share. */
#pragma once

#include "../../intercept/resource.h"
#include "../trace/read.h"
#include "call.h"
#include "map.h"
#include "objects.h"
#include "options.h"
#include "watch.h"

#include "hashed.h"

/* A thread's call between its first record (RECORD_ENTER) and its second (RECORD_LEAVE). */
struct pending {
    uint32_t thread;
    uint64_t call, self_number;
    int method;
    void *self;
    uint64_t args[CODEC_ARGS];
    uint64_t
        counts[CODEC_ARGS]; /* for each argument that is a pointer, the number of elements there */
    struct call_result result;
    struct codec_arena *arena;
    bool is_open, is_made;
    uint64_t given;     /* size of the program's own memory, if the call gets its address */
    void *given_memory; /* memory of replay that replaces the program's memory */
    void *map_pointer;  /* the variable to which Map writes its pointer */
    uint64_t asked;     /* the address that the thread wants for its next allocation; 0: any */
    struct used *used;  /* the objects of the call, `self` first */
    size_t used_count, used_capacity;
    UT_hash_handle hh;
};

struct used {
    uint64_t number, serial;
};

struct address { /* the key: an address of memory that a call allocated */
    uint64_t call,
        address; /* the call, and its address in the trace; 0: the trace lacks the address */
    UT_hash_handle hh;
};

struct overtaken { /* a call that returned only after calls that began later */
    uint64_t call, behind;
    UT_hash_handle hh;
};

struct identifier { /* the name of a state object's program or shader */
    uint8_t bytes[32];
};

struct program {
    struct identifier then, here;
    UT_hash_handle hh;
};

struct kept_arena { /* memory of a call's arguments that the runtime keeps */
    struct codec_arena *arena;
    struct kept_arena *next;
};

struct owned { /* an event or memory of replay that replaces the program's */
    uint64_t event;
    void *memory; /* the memory; NULL if this struct has an event */
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
    uint64_t trimmed_from; /* in a trimmed trace, the first call of its range */
    struct watch watch;
    bool lacks_memory; /* whether memory ran out, so that the replay ends */
    bool is_missing;   /* an object of the call that is being decoded doesn't exist here */
    char wrong[160];   /* text about another mistake in an object; "": no mistake */
    uint64_t apart;    /* number of bytes whose address differs from the recorded address */
    struct kept_arena *kept;
    struct owned *owned;
    struct tracked *tracked; /* queues and fences whose state the loop restores */
    size_t tracked_count, tracked_capacity;
    bool has_saved;   /* whether replay has reached the beginning of the loop */
    bool is_repeated; /* whether replay makes the call again */
    void *runtime;
    bool is_emulator; /* whether the runtime is the emulator, which checks handles */
    /* The functions of a recorder that records this run; NULL: there is no recorder. */
    void (*pause)(int on);
    void (*imitate)(uint32_t thread, uint64_t call, uint64_t behind);
};

/* Returns an export of the runtime, or NULL if the runtime has no export with this name. */
void *replay_export(const struct replay *r, const char *name);

/* Logs a line about a call. `method` -1 means no method. */
void replay_say(struct replay *r, uint64_t call, int method, const char *what);

/* Logs and counts a call that is not made because the call would do harm. */
void replay_refuse(struct replay *r, uint64_t call, int method, const char *what);

/* Prints the libraries, files and variables that a trusted trace will use. Defined in trust.c. */
void replay_tell_trust(struct trace *trace, const struct replay_options *options);

/* Makes an arena for a thread's arguments. NULL: out of memory. */
struct codec_arena *replay_arena_create(const struct replay *r);
/* Gives the thread's next call another arena. The present arena is kept until the runtime ends. */
void replay_keep_arena(struct replay *r, struct pending *p);

/* Pauses a recorder of this run, so that it doesn't record the replayer's own calls. */
void replay_pause(const struct replay *r, bool on);

/* Makes a recorder of this run give the call the number, thread and place that the trace has. */
void replay_imitate(const struct replay *r, const struct pending *p);

/* Whether the call may be made with these arguments. If not, refuses it. Defined in check.c. */
bool replay_check(struct replay *r, const struct pending *p);
/* Whether objects of a wrong or unknown kind are passed on. Trusted traces on the emulator need
 * this, because programs that test the emulator pass such objects. */
bool replay_is_lenient(const struct replay *r);
/* Returns the number's object for the current call. NULL: the object can't be called as `type`;
 * then r->is_missing or r->wrong tells the reason. */
void *replay_object(struct replay *r, uint64_t number, uint16_t type);
/* Whether a descriptor handle of this process belongs to a living heap. If not, see r->wrong. */
bool replay_has_descriptor(struct replay *r, uint8_t kind, uint64_t here);
/* Whether all objects of the call still exist. */
bool replay_is_there(struct replay *r, const struct pending *p);

/* Returns the driver that the call names, or NULL. */
const char *replay_driver_of(int method, const uint64_t *args);

/* Whether this method allocates GPU memory when it succeeds. Defined in make.c. */
bool replay_allocates(int method);
/* Whether the method makes a heap over memory of the process. */
bool replay_opens_memory(int method);
/* Prepares and makes the call. If it is not made, p->is_open is false. Defined in make.c. */
void replay_make(struct replay *r, struct pending *p);
/* Whether the call waits for calls of other threads. */
bool replay_waits(const struct pending *p);
/* From now on, dumps of this run show the call numbers of the trace. */
void replay_number_calls(const struct replay *r);

/* Counts the references that the call has given and taken. Defined in references.c. */
void replay_count_references(struct replay *r, struct pending *p);

/* Compares the call's result and written memory with the trace, and maps recorded numbers to this
 * process's. Defined in compare.c. */
bool replay_compare(struct replay *r, struct pending *p, const struct trace_item *item,
                    struct codec_in *in, const uint64_t *then);

/* Programs and shaders have identifiers of 32 bytes (program.c). program_note notes an identifier
 * of the trace and the matching identifier of this process. program_put replaces the trace's
 * identifier in a call that sets a program, and program_put_tables in written shader tables. */
void program_note(struct replay *r, const void *then, const void *here);
void program_put(const struct replay *r, const struct pending *p);
void program_put_tables(const struct replay *r, uint8_t *memory, uint64_t offset, uint64_t size);

/* The loop (loop.c). At the loop's begin, loop_save waits for the queues' work and keeps the
 * fences' values. At the loop's end, loop_restore sets the fences to these values again. */
void loop_note(struct replay *r, const struct pending *p, const struct trace_item *item);
void loop_save(struct replay *r);
void loop_restore(struct replay *r);
