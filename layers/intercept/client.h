/*
 * A client is told of a program's D3D12 calls: the trace recorder, the crash client. Each asks for
 * the methods that it wants; a method that nobody wants costs its objects' unwrapping and one
 * indirect call.
 */
#pragma once

#include "object.h"

#include <stdbool.h>

enum { CALL_CLIENTS = 2 };

struct call; /* call.h */

/* The parts of a method's calls that a client is told. */
enum call_wants {
    CALL_ENTER = 1, /* bits */
    CALL_LEAVE = 2,
    CALL_PASS = 4,
    CALL_FAILED = 8 /* of a method that returns a HRESULT */
};

/* The first words of a call, zero where it has fewer. */
enum { CALL_DIRECT_WORDS = 3 };
typedef void client_direct(struct object *self, uint64_t first, uint64_t second, uint64_t third);

struct client {
    /* Called once, before any call. False: it is not told of anything. */
    bool (*open)(const char *runtime_path);
    /* The parts that it is told of calls of this method or export: enum call_wants, 0: nothing.
     * Asked once, behind open. */
    unsigned (*wants)(uint16_t method);
    /* Called in place of `enter` for a marker's method, or one with a result, whose calls nobody is
     * told of but this client, before them and of failures, and which have no objects among so many
     * words; NULL: none. The member may be NULL. */
    client_direct *(*direct)(uint16_t method);
    /* Before the call, with the arguments as the program gave them. */
    void (*enter)(struct call *call, const uint64_t *args);
    /* Before the call, with the arguments as the runtime will get them, which may be replaced by
     * what lives until the call returns. NULL where no method wants it. */
    void (*pass)(struct call *call, uint64_t *args);
    /* Behind the call: what it returned, and the structure that it returned, else NULL, which may
     * be replaced; what it wrote is wrapped. */
    void (*leave)(struct call *call, const uint64_t *args, uint64_t *result, void *structure);
    /* Behind that, where it is told of it: may answer in place of a runtime that refused. Clients
     * are not told of it. NULL: none. */
    void (*answer)(struct call *call, const uint64_t *args, uint64_t *result);
    /* Behind a call that returned this failure. NULL where no method wants it. */
    void (*failed)(struct object *self, uint16_t method, uint64_t result);
    /* The program asked for what the table lacks; `text`, static, says what became of it. */
    void (*unknown)(const char *text);
    /* Told when the program's call is not made, or not seen, as it should be: `text`, static, says
     * why. */
    void (*lacks_memory)(const char *text);
    /* The process ends, or the library is unloaded. `is_alone`: the other threads were ended
     * wherever they were. */
    void (*close)(bool is_alone);
    /* Told with the client's note on an object that is gone: object_note. NULL: it needs no word.
     */
    void (*gone)(uintptr_t note);
    enum object_notes notes; /* which of an object's notes is its own */
};
