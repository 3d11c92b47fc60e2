#include "base/message_callback.h"

#include "containers.h"
#include "gate.h"

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
    const struct message_callbacks *callbacks;
    const struct message_callback *callback;
};

static _Thread_local const struct call *innermost;

static bool is_inside(const struct message_callbacks *callbacks,
                      const struct message_callback *callback)
{
    for (const struct call *call = innermost; call; call = call->outer)
        if (call->callbacks == callbacks && (!callback || call->callback == callback))
            return true;
    return false;
}

static void remove_and_free(struct message_callbacks *callbacks, struct message_callback *callback)
{
    LL_DELETE(callbacks->first, callback);
    free(callback);
}

void message_callbacks_init(struct message_callbacks *callbacks)
{
    *callbacks = (struct message_callbacks){.first = NULL};
    pthread_mutex_init(&callbacks->lock, NULL);
    pthread_cond_init(&callbacks->returned, NULL);
}

void message_callbacks_finish(struct message_callbacks *callbacks)
{
    while (callbacks->first)
        remove_and_free(callbacks, callbacks->first);
    pthread_cond_destroy(&callbacks->returned);
    pthread_mutex_destroy(&callbacks->lock);
}

DWORD message_callbacks_add(struct message_callbacks *callbacks, D3D12MessageFunc function,
                            D3D12_MESSAGE_CALLBACK_FLAGS flags, void *context)
{
    struct message_callback *callback = calloc(1, sizeof *callback);
    if (!callback)
        return 0;
    callback->function = function;
    callback->flags = flags;
    callback->context = context;
    emu_lock(&callbacks->lock);
    const DWORD cookie = callback->cookie = ++callbacks->last_cookie;
    LL_APPEND(callbacks->first, callback);
    emu_unlock(&callbacks->lock);
    return cookie;
}

bool message_callbacks_remove(struct message_callbacks *callbacks, DWORD cookie)
{
    emu_lock(&callbacks->lock);
    struct message_callback *callback = callbacks->first;
    while (callback && (callback->cookie != cookie || callback->gone))
        callback = callback->next;
    if (callback) {
        callback->gone = true;
        callback->awaited = !is_inside(callbacks, NULL);
        while (callback->awaited && callback->running > 0)
            pthread_cond_wait(&callbacks->returned, &callbacks->lock);
        if (callback->running == 0)
            remove_and_free(callbacks, callback);
    }
    emu_unlock(&callbacks->lock);
    return callback != NULL;
}

/* Calls one callback and returns the next. The lock is held, except during the call. */
static struct message_callback *call_one(struct message_callbacks *callbacks,
                                         struct message_callback *callback,
                                         const struct message_head *head, const char *text)
{
    const struct call call = {innermost, callbacks, callback};
    callback->running++;
    emu_unlock(&callbacks->lock);
    innermost = &call;
    callback->function(head->category, head->severity, head->id, text, callback->context);
    innermost = call.outer;
    emu_lock(&callbacks->lock);
    struct message_callback *next = callback->next;
    if (--callback->running == 0 && callback->gone) {
        if (callback->awaited)
            pthread_cond_broadcast(&callbacks->returned);
        else
            remove_and_free(callbacks, callback);
    }
    return next;
}

void message_callbacks_call(struct message_callbacks *callbacks, const struct message_head *head,
                            const char *text, bool passed)
{
    emu_lock(&callbacks->lock);
    struct message_callback *callback = callbacks->first;
    while (callback) {
        const bool wants =
            !callback->gone &&
            (passed || (callback->flags & D3D12_MESSAGE_CALLBACK_IGNORE_FILTERS) != 0) &&
            !is_inside(callbacks, callback);
        callback = wants ? call_one(callbacks, callback, head, text) : callback->next;
    }
    emu_unlock(&callbacks->lock);
}
