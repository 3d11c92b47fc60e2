/*
 * What the proxy does for each call of the program: when the call begins, it is recorded and
 * wrappers in its arguments are replaced by the runtime's objects; when it ends, it is recorded
 * again and the objects in its results are wrapped.
 */
#ifndef CAPTURE_CALL_H
#define CAPTURE_CALL_H

#include "../trace/codec.h"
#include "object.h"

struct call {
    uint64_t number; /* 0: not recorded, because the runtime makes it itself within another */
    uint16_t method;
    bool is_plain;       /* its arguments are all that is recorded */
    struct object *self; /* NULL: an export */
    uint64_t heap_call;  /* the call that created the heap in which this one places a resource */
    uint64_t given;      /* bytes of the program's memory that the call is given as an address */
    uint64_t before[CODEC_ARGS]; /* what stood where objects will be written */
    uint32_t wrapped;            /* a bit for each parameter where an object was written */
};

/* `args`: a word for each parameter; on return what the runtime is to be called with. */
void call_enter(struct call *call, uint16_t method, void *self, uint64_t *args);

/* `args` as call_enter left them. `result`: the returned word; `structure`: the returned structure,
 * else NULL. */
void call_leave(struct call *call, uint64_t *args, uint64_t result, const void *structure);

/* The number of the call that this thread is making, 0: none. */
uint64_t call_current(void);

/* Calls of this thread are made and not recorded from the first of a pair to the second. */
void call_pause(bool on);

#endif
