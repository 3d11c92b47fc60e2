/* A client gets the D3D12 calls of a program. There are two clients: the trace recorder and the
 * crash client. Each client asks for methods. A call that no client asks for only unwraps objects
 * and makes one indirect call. */
#pragma once

#include "object.h"

enum { CALL_CLIENTS = 2 };

struct call; /* see call.h */

/* What a client can ask for about a method's calls. */
enum call_wants {
    CALL_ENTER = 1, /* bits */
    CALL_LEAVE = 2,
    CALL_PASS = 4,
    CALL_FAILED = 8 /* ask for calls that return a failed HRESULT */
};

/* The number of argument words that a client_direct gets. Missing words are zeros. */
enum { CALL_DIRECT_WORDS = 3 };
typedef void client_direct(struct object *self, uint64_t first, uint64_t second, uint64_t third);

struct client {
    /* Called once, before any D3D12 call. If it returns false, the client gets no calls. */
    bool (*open)(const char *runtime_path);
    /* Returns what the client asks for about this method's or export's calls: bits of enum
     * call_wants, or 0. Called once, after `open`. */
    unsigned (*wants)(uint16_t method);
    /* Returns a shortcut that replaces `enter`, or NULL. A shortcut is for methods of markers or
     * methods with a result. No other client may ask for the method, and its arguments must have no
     * objects. A shortcut is called before the call and after a failure. `direct` may be NULL. */
    client_direct *(*direct)(uint16_t method);
    /* Called before the runtime's call, with the program's arguments. */
    void (*enter)(struct call *call, const uint64_t *args);
    /* Called before the call, with the arguments for the runtime. The client may replace arguments;
     * new arguments must live until the call returns. `pass` is NULL if `wants` never returns
     * CALL_PASS. */
    void (*pass)(struct call *call, uint64_t *args);
    /* Called after the call, with its result, and with the returned structure or NULL. The client
     * may replace result and structure. Objects that the call wrote are wrapped already. */
    void (*leave)(struct call *call, const uint64_t *args, uint64_t *result, void *structure);
    /* Called after `leave`, for the same methods. If the runtime refused the call, the client may
     * answer the program instead. Other clients don't see this answer. May be NULL. */
    void (*answer)(struct call *call, const uint64_t *args, uint64_t *result);
    /* Called after a call that failed with `result`. `failed` is NULL if `wants` never returns
     * CALL_FAILED. */
    void (*failed)(struct object *self, uint16_t method, uint64_t result);
    /* Reports that the program used an interface or a description that the table of calls lacks.
     * `text` is static and says what happened. */
    void (*unknown)(const char *text);
    /* Reports that a call wasn't made, or wasn't handled completely. `text` is static and says why.
     */
    void (*lacks_memory)(const char *text);
    /* Called when the process ends or the library is unloaded. `is_alone` says that the system has
     * ended the other threads, perhaps in the middle of a call. */
    void (*close)(bool is_alone);
    /* Called when DXGI gave the program a reference to a swap chain's device or buffer. `is_new`
     * says that the program got this buffer for the first time. May be NULL. */
    void (*given)(struct object *device, struct object *given, bool is_new);
    /* Called with the client's note (object_note) about an object that is gone. May be NULL. */
    void (*gone)(uintptr_t note);
    enum object_notes notes; /* the object_notes index of this client's notes */
};
