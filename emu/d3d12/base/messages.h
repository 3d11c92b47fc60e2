/*
 * The device's messages: what ID3D12InfoQueue shows. A bounded store, two stacks of filters, breakpoints and callbacks.
 *
 * Emitting never fails; what isn't stored is counted. Any thread. Callbacks and breakpoints come without a lock held.
 */
#ifndef D3D12_MESSAGES_H
#define D3D12_MESSAGES_H

#include "base/com.h"

#include <emu/emu.h>
#include <pthread.h>

struct message_list {
    int *values;
    UINT count;
};

/* What one of D3D12's filters says about categories, severities and IDs, in this order. */
struct message_filter {
    struct message_list allow[3], deny[3];
};

struct message_filter_stack {
    struct message_filter *filters; /* the last one applies; none: all pass */
    UINT count;
};

struct message {
    D3D12_MESSAGE_CATEGORY category;
    D3D12_MESSAGE_SEVERITY severity;
    D3D12_MESSAGE_ID id;
    size_t size; /* of text, with its NUL */
    char text[];
};

#define MESSAGE_CATEGORIES (D3D12_MESSAGE_CATEGORY_SHADER + 1)
#define MESSAGE_SEVERITIES (D3D12_MESSAGE_SEVERITY_MESSAGE + 1)

struct message_callback;

struct messages {
    pthread_mutex_t lock;
    struct message **ring; /* `count` of them from `first` on, oldest first */
    UINT64 first, count, capacity, limit;
    UINT64 allowed, denied, discarded;
    struct message_filter_stack storage, retrieval;
    UINT break_categories, break_severities; /* a bit each */
    struct message_list break_ids;
    pthread_cond_t returned; /* a callback that somebody waits for is not running any more */
    struct message_callback *callbacks; /* in the order of registration */
    DWORD last_cookie;
    bool muted;
};

void messages_init(struct messages *messages);
void messages_finish(struct messages *messages);

__attribute__((format(printf, 5, 6))) void messages_emit(struct messages *messages,
                                                         D3D12_MESSAGE_CATEGORY category,
                                                         D3D12_MESSAGE_SEVERITY severity, int id,
                                                         const char *format, ...);
/* Emits `text` as it is, however long. */
void messages_add(struct messages *messages, D3D12_MESSAGE_CATEGORY category,
                  D3D12_MESSAGE_SEVERITY severity, int id, const char *text);

void messages_clear(struct messages *messages);
void messages_set_limit(struct messages *messages, UINT64 limit);

/* The following are called with the lock held. */

/* The index-th of the messages that the retrieval filter lets through; NULL: there are fewer. */
const struct message *messages_find(const struct messages *messages, UINT64 index);
UINT64 messages_retrievable(const struct messages *messages);

/* ---- message_callback.c ---- */

/* The cookie, 0 without memory. */
DWORD messages_register(struct messages *messages, D3D12MessageFunc function,
                        D3D12_MESSAGE_CALLBACK_FLAGS flags, void *context);

/* Waits until the callback is running nowhere, unless it is a callback that unregisters: then the call that runs is the
 * last. False: no such cookie. Not with the lock held. */
bool messages_unregister(struct messages *messages, DWORD cookie);

/* Calls who wants to hear: `passed` is the storage filter's word. Not with the lock held. */
void messages_call(struct messages *messages, const struct message *head, const char *text,
                   bool passed);

void messages_forget_callbacks(struct messages *messages);

/* ---- message_filter.c ---- */

/* False without memory; the list is as it was. */
bool message_list_append(struct message_list *list, const int *values, UINT count);
bool message_list_has(const struct message_list *list, int value);
void message_list_remove(struct message_list *list, int value);

bool message_filter_passes(const struct message_filter_stack *stack,
                           D3D12_MESSAGE_CATEGORY category, D3D12_MESSAGE_SEVERITY severity,
                           D3D12_MESSAGE_ID id);

/* Pushes a copy of `filter` (NULL: an empty filter). */
HRESULT message_filter_push(struct message_filter_stack *stack,
                            const D3D12_INFO_QUEUE_FILTER *filter);
HRESULT message_filter_push_copy(struct message_filter_stack *stack);
/* Adds to the filter on top, after pushing one when there is none. A failure changes nothing. */
HRESULT message_filter_add(struct message_filter_stack *stack,
                           const D3D12_INFO_QUEUE_FILTER *filter);
/* Copies the filter on top, with its lists behind it, into `*size` bytes; `filter` NULL asks for the size. Without a
 * filter an empty one is copied. */
HRESULT message_filter_get(const struct message_filter_stack *stack,
                           D3D12_INFO_QUEUE_FILTER *filter, SIZE_T *size);
void message_filter_pop(struct message_filter_stack *stack);
void message_filter_clear(struct message_filter_stack *stack);

#endif
