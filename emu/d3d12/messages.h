/*
 * The device's messages: what ID3D12InfoQueue shows. A bounded store, two stacks of filters and some callbacks.
 * Emitting never fails; what can't be stored is counted. Any thread; callbacks run without a lock held.
 */
#ifndef D3D12_MESSAGES_H
#define D3D12_MESSAGES_H

#include "com.h"

#include <emu/emu.h>
#include <pthread.h>

struct message_list {
    int *values;
    UINT count;
};

/* What one of D3D12's filters says about categories, severities and IDs. */
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

#define MESSAGES_CALLBACKS     8
#define MESSAGES_LIMIT_DEFAULT 1024

struct message_callback {
    D3D12MessageFunc function;
    D3D12_MESSAGE_CALLBACK_FLAGS flags;
    void *context;
    DWORD cookie; /* 0: free */
};

struct messages {
    pthread_mutex_t lock;
    struct message **stored; /* oldest first */
    UINT64 count, capacity, limit;
    UINT64 allowed, denied, discarded;
    struct message_filter_stack storage, retrieval;
    struct message_callback callbacks[MESSAGES_CALLBACKS];
    DWORD next_cookie;
    bool muted;
};

void messages_init(struct messages *messages);
void messages_finish(struct messages *messages);

__attribute__((format(printf, 5, 6))) void messages_emit(struct messages *messages,
                                                         D3D12_MESSAGE_CATEGORY category,
                                                         D3D12_MESSAGE_SEVERITY severity, int id,
                                                         const char *format, ...);

void messages_clear(struct messages *messages);

bool message_filter_passes(const struct message_filter_stack *stack,
                           D3D12_MESSAGE_CATEGORY category, D3D12_MESSAGE_SEVERITY severity,
                           D3D12_MESSAGE_ID id);

/* Pushes a copy of `filter` (NULL: an empty filter). */
HRESULT message_filter_push(struct message_filter_stack *stack,
                            const D3D12_INFO_QUEUE_FILTER *filter);
HRESULT message_filter_push_copy(struct message_filter_stack *stack);
/* Adds to the filter on top, after pushing one when there is none. */
HRESULT message_filter_add(struct message_filter_stack *stack,
                           const D3D12_INFO_QUEUE_FILTER *filter);
void message_filter_pop(struct message_filter_stack *stack);
void message_filter_clear(struct message_filter_stack *stack);

#endif
