/*
 * One call of the program. When it begins, the clients are told, and the runtime's objects replace
 * the wrappers in its arguments. When it ends, the objects in its results are wrapped, and the
 * clients are told again.
 */
#pragma once

#include "../capture/trace/codec.h"
#include "client.h"

enum { CALL_ROOM = 64 };
struct call {
    uint16_t method;     /* enum schema_method */
    uint16_t way;        /* its call_ways */
    bool is_simple;      /* its arguments are words and objects, and no object is in its results */
    unsigned depth;      /* 0: the program's own; else this thread makes it within another */
    struct object *self; /* NULL: an export */
    /* If not simple: the places that the runtime writes to, and the program's variables that they
     * stand for. Until then a place holds its own address, which no object has. */
    void *places[CODEC_ARGS];
    uint64_t variables[CODEC_ARGS];
    uint32_t wrapped; /* a bit for each parameter where an object was written */
    bool uses_arena, has_spare;
    uint32_t refusal;         /* not 0: the runtime is not called, and this is the result */
    uint32_t room_used;       /* words of */
    uint64_t room[CALL_ROOM]; /* arguments with the runtime's objects, while they fit */
    uint64_t kept[2];         /* the crash client's own, from `enter` to `leave` */
};

/* A word for each method and export: 0 if no client asks for it and its results need no wrapping.
 * Such a call only has its objects unwrapped. */
extern _Atomic uint16_t call_ways[];
/* The bit for clients that want to know failures. If the word has no other bit, the call is made
 * as without clients, and call_failed is called after a failure. */
enum { CALL_WAYS_FAILED = ((1 << CALL_CLIENTS) - 1) << 3 * CALL_CLIENTS };
void call_failed(uint16_t method, struct object *self, uint64_t result);
/* Optional shortcut, NULL for none: runs before the runtime's call, and again after a failure. It
 * replaces all other hooks. */
extern client_direct *call_direct[];

/* `args`: a word for each parameter; on return the runtime's arguments. */
void call_enter(struct call *call, uint16_t method, void *self, uint64_t *args);

/* `args` as call_enter left them. `result`: the returned word, which may be replaced; `structure`:
 * the returned structure, else NULL, the same. */
void call_leave(struct call *call, uint64_t *args, uint64_t *result, void *structure);

/* Clients are told: client.given. */
void call_given(struct object *device, struct object *given, bool is_new);

/* The number of the program's calls that this thread is inside of, if clients are told of them.
 * More than one: a callback made a call. */
unsigned call_depth(void);

/* Called once, before any call: all wrappers' tables (wrap.h), and up to CALL_CLIENTS clients that
 * are told of calls from now on. */
void call_open(const object_slot *const *tables, const struct client *const *clients,
               unsigned count);
/* From now on the client is told when calls of this simple method begin. Any thread. */
void call_want_enter(uint16_t method, const struct client *client);

/* Whether a parameter is a place that the call writes an object to. */
bool call_writes_object(const struct schema_value *p, uint64_t arg);
