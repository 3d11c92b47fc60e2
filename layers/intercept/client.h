/* A client gets a program's D3D12 calls. There are two clients: the trace recorder and the crash
 * client. Each client asks for methods. If no client asks for a method, a call of the method only
 * unwraps objects and makes one indirect call. */
#pragma once

#include "object.h"

enum { CALL_CLIENTS = 2 };

struct call; /* see call.h */

/* The parts of a method's calls that a client asks for. */
enum call_wants {
    CALL_ENTER = 1, /* bits */
    CALL_LEAVE = 2,
    CALL_PASS = 4,
    CALL_FAILED = 8 /* calls that failed, of a method that returns a HRESULT */
};

/* The first words of a call's arguments; missing words are zeros. */
enum { CALL_DIRECT_WORDS = 3 };
typedef void client_direct(struct object *self, uint64_t first, uint64_t second, uint64_t third);

struct client {
    /* Called once, before any call. False means that the client gets no calls. */
    bool (*open)(const char *runtime_path);
    /* Returns the parts of this method's or export's calls that the client asks for: enum
     * call_wants, or 0 for none. Called once, after open. */
    unsigned (*wants)(uint16_t method);
    /* Returns a shortcut that replaces `enter`, or NULL. A shortcut is for methods of markers or
     * methods with a result. No other client may ask for such a method, and its arguments must have
     * no objects. It is called before the call and after a failure. `direct` may be NULL. */
    client_direct *(*direct)(uint16_t method);
    /* Called before the call, with the arguments that the program gave. */
    void (*enter)(struct call *call, const uint64_t *args);
    /* Called before the call, with the arguments that the runtime will get. The client may replace
     * arguments; new arguments must live until the call returns. The pointer is NULL if the client
     * asks for this with no method. */
    void (*pass)(struct call *call, uint64_t *args);
    /* Called after the call, with the result and the returned structure, or NULL. The client may
     * replace the result and the structure. Written objects are already wrapped. */
    void (*leave)(struct call *call, const uint64_t *args, uint64_t *result, void *structure);
    /* Called after `leave`, for the same methods: the client may answer the program if the runtime
     * refused the call. Other clients don't see this answer. May be NULL. */
    void (*answer)(struct call *call, const uint64_t *args, uint64_t *result);
    /* Called after a call that returned this failure. The pointer is NULL if the client asks for
     * this with no method. */
    void (*failed)(struct object *self, uint16_t method, uint64_t result);
    /* Reports that the program used an interface or a description that the table lacks. `text` is
     * static and says what happened. */
    void (*unknown)(const char *text);
    /* Reports that a call of the program was not made, or not handled completely. `text` is static
     * and has the reason. */
    void (*lacks_memory)(const char *text);
    /* Called when the process ends or the library is unloaded. `is_alone`: the system has ended the
     * other threads, perhaps in the middle of a call. */
    void (*close)(bool is_alone);
    /* Called when DXGI gave the program a reference to a swap chain's device or buffer. is_new says
     * that the program got the buffer for the first time. May be NULL. */
    void (*given)(struct object *device, struct object *given, bool is_new);
    /* Called with the client's note (object_note) of an object that is gone. May be NULL. */
    void (*gone)(uintptr_t note);
    enum object_notes notes; /* selects the note that this client has of an object */
};
