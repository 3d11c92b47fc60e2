/* The callbacks of ID3D12InfoQueue1. A callback runs without a lock; `running` is the number of its
 * calls that have not returned. An unregistered callback is not called again, and is freed when its
 * last call has returned.
 *
 * If a callback causes a message, the message is stored, but this callback isn't called for this
 * message. */
#pragma once

#include "base/com.h"

#include <pthread.h>

struct message_callback;

struct message_callbacks {
    pthread_mutex_t lock;
    /* Signaled when a callback returns; message_callbacks_remove may wait for it. */
    pthread_cond_t returned;
    struct message_callback *first; /* the callbacks, in the order of registration */
    DWORD last_cookie;
};

/* The properties of a message, without its text. */
struct message_head {
    D3D12_MESSAGE_CATEGORY category;
    D3D12_MESSAGE_SEVERITY severity;
    D3D12_MESSAGE_ID id;
};

void message_callbacks_init(struct message_callbacks *callbacks);
void message_callbacks_finish(struct message_callbacks *callbacks);

/* Adds a callback. Returns the callback's cookie, or 0 if memory runs out. */
DWORD message_callbacks_add(struct message_callbacks *callbacks, D3D12MessageFunc function,
                            D3D12_MESSAGE_CALLBACK_FLAGS flags, void *context);

/* Removes the callback, and waits until none of its calls is running. Inside a callback the
 * function doesn't wait, because it might wait for itself. False: no callback has this cookie. */
bool message_callbacks_remove(struct message_callbacks *callbacks, DWORD cookie);

/* Calls the callbacks that want the message. `passed`: the message passes the storage filter. */
void message_callbacks_call(struct message_callbacks *callbacks, const struct message_head *head,
                            const char *text, bool passed);
