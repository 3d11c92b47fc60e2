/* One call of the program. When the call begins, the library tells the clients, and replaces the
 * wrappers in the arguments by the runtime's objects. When the call ends, the library wraps the
 * objects in the results, and tells the clients again. */
#pragma once

#include "../capture/trace/codec.h"
#include "client.h"

enum { CALL_ROOM = 64 };
struct call {
    uint16_t method; /* an enum schema_method */
    uint16_t way;    /* the method's call_ways */
    bool is_simple;  /* whether arguments are words and objects, and no result is an object */
    /* 0: the program made the call; otherwise another call on this thread made it. */
    unsigned depth;
    struct object *self; /* NULL: the call is of an exported function */
    /* The runtime writes to these places instead of the program's variables. A place that the
     * runtime has not written contains its own address. Unused in simple calls. */
    void *places[CODEC_ARGS];
    uint64_t variables[CODEC_ARGS];
    uint32_t wrapped; /* bit n says that the call wrote an object to parameter n */
    bool uses_arena, has_spare;
    uint32_t refusal;         /* the result if a client refuses the call; 0: not refused */
    uint32_t room_used;       /* how many words of `room` are in use */
    uint64_t room[CALL_ROOM]; /* copy of the arguments for the runtime, if they fit */
    uint64_t kept[2];         /* data of the crash client between `enter` and `leave` */
};

/* For each method and export, bits that say what a call needs. 0: no client asks for the method,
 * and its results need no wrappers. Such a call only unwraps objects. */
extern _Atomic uint16_t call_ways[];
/* The bits of clients that ask for failures. If a method has only these bits, the call is made as
 * without clients, and call_failed is called after a failure. */
enum { CALL_WAYS_FAILED = ((1 << CALL_CLIENTS) - 1) << 3 * CALL_CLIENTS };
void call_failed(uint16_t method, struct object *self, uint64_t result);
/* The shortcut of each method (client.h, `direct`), or NULL. It runs before the runtime's call. If
 * the call fails, the shortcut runs again. A method with a shortcut calls no client's `enter`. */
extern client_direct *call_direct[];

/* Begins a call. `args` has a word for each parameter, and gets the runtime's arguments. */
void call_enter(struct call *call, uint16_t method, void *self, uint64_t *args);

/* Ends a call; `args` are the arguments of call_enter. `result` is the returned word. `structure`
 * is the returned structure, or NULL. The function may replace both results. */
void call_leave_told(struct call *call, uint64_t *args, uint64_t *result, void *structure);
static inline void call_leave(struct call *call, uint64_t *args, uint64_t *result, void *structure)
{
    if (call->way) /* if `way` is 0, no client is called, and call_enter only replaced arguments */
        call_leave_told(call, args, result, structure);
}

/* Calls the callback `given` of every client. */
void call_given(struct object *device, struct object *given, bool is_new);

/* Returns how many of the program's calls this thread is inside. Only calls that clients get are
 * counted. If the result is above 1, a callback has made a call. */
unsigned call_depth(void);

/* Call this function once, before any call. `tables` are the method tables of all wrappers
 * (wrap.h). Up to CALL_CLIENTS clients get the calls from now on. */
void call_open(const object_slot *const *tables, const struct client *const *clients,
               unsigned count);
/* From now on the client's `enter` gets this simple method's calls. Any thread may call this. */
void call_want_enter(uint16_t method, const struct client *client);

/* Whether the runtime's call writes an interface pointer to this parameter. */
bool call_writes_object(const struct schema_value *p, uint64_t arg);
