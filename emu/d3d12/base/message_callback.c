/*
 * Who is called with messages. A callback is entered and left under the lock of the messages and called without it;
 * `running` counts its calls. One that is unregistered is called no more, and goes when its last call has returned: the
 * thread that unregisters it waits for that. Inside of a callback nobody waits, as it may be waiting for itself, or two
 * for each other.
 *
 * A message that a callback causes is stored as any other, but a callback doesn't hear what it says itself.
 */
#include "base/messages.h"

struct message_callback {
    struct message_callback *next;
    D3D12MessageFunc function;
    D3D12_MESSAGE_CALLBACK_FLAGS flags;
    void *context;
    DWORD cookie;
    UINT running;
    bool gone, awaited;
};

/* The calls that this thread is in, innermost first. */
struct call {
    const struct call *outer;
    const struct messages *messages;
    const struct message_callback *callback;
};

static _Thread_local const struct call *innermost;

static bool is_inside(const struct messages *messages, const struct message_callback *callback)
{
    for (const struct call *call = innermost; call != NULL; call = call->outer)
        if (call->messages == messages && (callback == NULL || call->callback == callback))
            return true;
    return false;
}

static void unlink_callback(struct messages *messages, struct message_callback *callback)
{
    struct message_callback **link = &messages->callbacks;
    while (*link != callback)
        link = &(*link)->next;
    *link = callback->next;
    free(callback);
}

DWORD messages_register(struct messages *messages, D3D12MessageFunc function,
                        D3D12_MESSAGE_CALLBACK_FLAGS flags, void *context)
{
    struct message_callback *callback = calloc(1, sizeof *callback);
    if (callback == NULL)
        return 0;
    callback->function = function;
    callback->flags = flags;
    callback->context = context;
    pthread_mutex_lock(&messages->lock);
    const DWORD cookie = callback->cookie = ++messages->last_cookie;
    struct message_callback **link = &messages->callbacks;
    while (*link != NULL)
        link = &(*link)->next;
    *link = callback;
    pthread_mutex_unlock(&messages->lock);
    return cookie;
}

bool messages_unregister(struct messages *messages, DWORD cookie)
{
    pthread_mutex_lock(&messages->lock);
    struct message_callback *callback = messages->callbacks;
    while (callback != NULL && (callback->cookie != cookie || callback->gone))
        callback = callback->next;
    if (callback != NULL) {
        callback->gone = true;
        callback->awaited = !is_inside(messages, NULL);
        while (callback->awaited && callback->running > 0)
            pthread_cond_wait(&messages->returned, &messages->lock);
        if (callback->running == 0)
            unlink_callback(messages, callback);
    }
    pthread_mutex_unlock(&messages->lock);
    return callback != NULL;
}

/* With the lock held, which it lets go for the time of the call; returns who comes next. */
static struct message_callback *call_one(struct messages *messages,
                                         struct message_callback *callback,
                                         const struct message *head, const char *text)
{
    const struct call call = {innermost, messages, callback};
    callback->running++;
    pthread_mutex_unlock(&messages->lock);
    innermost = &call;
    callback->function(head->category, head->severity, head->id, text, callback->context);
    innermost = call.outer;
    pthread_mutex_lock(&messages->lock);
    struct message_callback *next = callback->next;
    if (--callback->running == 0 && callback->gone) {
        if (callback->awaited)
            pthread_cond_broadcast(&messages->returned);
        else
            unlink_callback(messages, callback);
    }
    return next;
}

void messages_call(struct messages *messages, const struct message *head, const char *text,
                   bool passed)
{
    pthread_mutex_lock(&messages->lock);
    struct message_callback *callback = messages->callbacks;
    while (callback != NULL) {
        const bool wants =
            !callback->gone &&
            (passed || (callback->flags & D3D12_MESSAGE_CALLBACK_IGNORE_FILTERS) != 0) &&
            !is_inside(messages, callback);
        callback = wants ? call_one(messages, callback, head, text) : callback->next;
    }
    pthread_mutex_unlock(&messages->lock);
}

void messages_forget_callbacks(struct messages *messages)
{
    while (messages->callbacks != NULL)
        unlink_callback(messages, messages->callbacks);
}
