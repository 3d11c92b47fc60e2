/*
 * The callbacks of ID3D12InfoQueue1. A callback is called without a lock held; `running` counts its
 * calls. An unregistered callback is not called again, and is freed when its last call has
 * returned.
 *
 * A message that a callback causes is stored as any other, but that callback isn't called with it.
 */
#pragma once

#include "base/com.h"

#include <pthread.h>

struct message_callback;

struct message_callbacks {
    pthread_mutex_t lock;
    pthread_cond_t
        returned; /* signals that a callback has returned, for an unregistration that waits */
    struct message_callback *first; /* in the order of registration */
    DWORD last_cookie;
};

/* A message without its text. */
struct message_head {
    D3D12_MESSAGE_CATEGORY category;
    D3D12_MESSAGE_SEVERITY severity;
    D3D12_MESSAGE_ID id;
};

void message_callbacks_init(struct message_callbacks *callbacks);
void message_callbacks_finish(struct message_callbacks *callbacks);

/* The cookie, 0 without memory. */
DWORD message_callbacks_add(struct message_callbacks *callbacks, D3D12MessageFunc function,
                            D3D12_MESSAGE_CALLBACK_FLAGS flags, void *context);

/* Waits until the callback isn't running anywhere. Inside of a callback it doesn't wait, because it
 * might wait for itself; the running call is then the last. False means that there is no such
 * cookie.
 */
bool message_callbacks_remove(struct message_callbacks *callbacks, DWORD cookie);

/* Calls every callback that wants the message. `passed`: the storage filter lets it through. */
void message_callbacks_call(struct message_callbacks *callbacks, const struct message_head *head,
                            const char *text, bool passed);
