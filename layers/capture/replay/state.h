/* The state of a replay. */
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
    uint64_t counts[CODEC_ARGS]; /* numbers of elements behind the arguments that are pointers */
    struct call_result result;
    struct codec_arena *arena;
    bool is_open, is_made;
    uint64_t given;     /* size of the program's memory whose address the call gets */
    void *given_memory; /* replay's memory, which replaces the program's */
    void *map_pointer;  /* the variable to which Map writes its pointer */
    uint64_t asked;     /* the address that the thread wants for its next allocation; 0: any */
    struct used *used;  /* the objects of the call, `self` first */
    size_t used_count, used_capacity;
    UT_hash_handle hh;
};

struct used {
    uint64_t number, serial;
};

struct address {            /* the key: an address of memory that a call allocated */
    uint64_t call, address; /* 0: the trace lacks the address */
    UT_hash_handle hh;
};

struct overtaken { /* a call that returned after calls which began later */
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

struct kept_arena { /* arguments of a call that the runtime keeps */
    struct codec_arena *arena;
    struct kept_arena *next;
};

struct owned { /* an event of the system that replaces the program's event, or memory */
    uint64_t event;
    void *memory; /* NULL: this struct has an event, not memory */
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
    uint64_t trimmed_from; /* in a trimmed trace: the first call of the range */
    struct watch watch;
    bool lacks_memory; /* memory ran out, so the replay ends */
    bool is_missing;   /* an object of the call that is being decoded doesn't exist here */
    char wrong[160];   /* another mistake in an object; "": no mistake */
    uint64_t apart;    /* bytes whose address differs from the recorded address */
    struct kept_arena *kept;
    struct owned *owned;
    struct tracked *tracked; /* queues and fences that a loop sets back */
    size_t tracked_count, tracked_capacity;
    bool has_saved;   /* the beginning of the loop was reached */
    bool is_repeated; /* replay makes the call again */
    void *runtime;
    bool is_emulator; /* the runtime is this project's emulator, which checks handles itself */
    /* The functions of a recorder that records this run; NULL without a recorder. */
    void (*pause)(int on);
    void (*imitate)(uint32_t thread, uint64_t call, uint64_t behind);
};

/* Returns an export of the runtime, or NULL if the runtime has none with this name. */
void *replay_export(const struct replay *r, const char *name);

/* Logs a line about a call. `method` -1 means no method. */
void replay_say(struct replay *r, uint64_t call, int method, const char *what);

/* Logs and counts a call that is not made because the call would do harm. */
void replay_refuse(struct replay *r, uint64_t call, int method, const char *what);

/* Prints the libraries, files and variables that a trusted trace will use. In trust.c. */
void replay_tell_trust(struct trace *trace, const struct replay_options *options);

/* Makes an arena for a thread's arguments. NULL: out of memory. */
struct codec_arena *replay_arena_create(const struct replay *r);
/* Gives the thread's next call another arena. The memory of the present arena is kept as long as
 * the runtime. */
void replay_keep_arena(struct replay *r, struct pending *p);

/* Pauses a recorder of this run, so that it doesn't record the replayer's own calls. */
void replay_pause(const struct replay *r, bool on);

/* Makes a recorder of this run give the call the number, thread and place that the trace has. */
void replay_imitate(const struct replay *r, const struct pending *p);

/* Whether the call may be made with these arguments. If not, refuses the call. In check.c. */
bool replay_check(struct replay *r, const struct pending *p);
/* Whether objects of a wrong or unknown kind are passed on. Trusted traces on the emulator need
 * this, because programs that test the emulator pass such objects. */
bool replay_is_lenient(const struct replay *r);
/* Returns the number's object for the current call. NULL: the object can't be called as `type`;
 * r->is_missing or r->wrong has the reason. */
void *replay_object(struct replay *r, uint64_t number, uint16_t type);
/* Whether a descriptor handle of this process belongs to a living heap. If not, r->wrong has the
 * reason. */
bool replay_has_descriptor(struct replay *r, uint8_t kind, uint64_t here);
/* Whether all objects of the call still exist. */
bool replay_is_there(struct replay *r, const struct pending *p);

/* Returns the driver that the call names, or NULL. */
const char *replay_driver_of(int method, const uint64_t *args);

/* Whether this method allocates GPU memory when it succeeds. In make.c. */
bool replay_allocates(int method);
/* Whether the method makes a heap over memory of the process. */
bool replay_opens_memory(int method);
/* Prepares and makes the call. If the call is not made, p->is_open becomes false. In make.c. */
void replay_make(struct replay *r, struct pending *p);
/* Whether the call waits for calls of other threads. */
bool replay_waits(const struct pending *p);
/* Makes dumps of this run show the trace's call numbers. */
void replay_number_calls(const struct replay *r);

/* Counts the references that the call has given and taken. In references.c. */
void replay_count_references(struct replay *r, struct pending *p);

/* Compares the call's result and written memory with the record, and maps recorded numbers to this
 * process's numbers. In compare.c. */
bool replay_compare(struct replay *r, struct pending *p, const struct trace_item *item,
                    struct codec_in *in, const uint64_t *then);

/* Programs and shaders have identifiers of 32 bytes (program.c). program_note notes an identifier
 * of the trace and the matching identifier of this process. The other two functions replace the
 * trace's identifiers: in a call that sets a program, and in written bytes that are shader
 * tables. */
void program_note(struct replay *r, const void *then, const void *here);
void program_put(const struct replay *r, const struct pending *p);
void program_put_tables(const struct replay *r, uint8_t *memory, uint64_t offset, uint64_t size);

/* The loop (loop.c). At the loop's begin, loop_save waits for the queues' work and keeps the
 * fences' values. At the loop's end, loop_restore sets the fences to these values again. */
void loop_note(struct replay *r, const struct pending *p, const struct trace_item *item);
void loop_save(struct replay *r);
void loop_restore(struct replay *r);
