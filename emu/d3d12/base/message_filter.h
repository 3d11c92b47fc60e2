/* Filters of ID3D12InfoQueue: lists of numbers, and a stack of filters. Callers hold a lock. */
#pragma once

#include "base/com.h"

struct message_list {
    int *values;
    UINT count;
};

struct message_filter_stack {
    D3D12_INFO_QUEUE_FILTER **filters; /* the filters; each filter's lists follow the filter in
                                          memory. Only the last filter applies */
    UINT count;
};

/* Adds a value to the list. False means out of memory; then the list is unchanged. */
bool message_list_add(struct message_list *list, int value);
bool message_list_has(const struct message_list *list, int value);
void message_list_remove(struct message_list *list, int value);

bool message_filter_passes(const struct message_filter_stack *stack,
                           D3D12_MESSAGE_CATEGORY category, D3D12_MESSAGE_SEVERITY severity,
                           D3D12_MESSAGE_ID id);

/* Pushes a copy of `filter` on the stack. E_INVALIDARG: `filter` or one of its lists is NULL. */
HRESULT message_filter_push(struct message_filter_stack *stack,
                            const D3D12_INFO_QUEUE_FILTER *filter);
HRESULT message_filter_push_empty(struct message_filter_stack *stack);
HRESULT message_filter_push_copy(struct message_filter_stack *stack);
/* Adds entries to the top filter; an empty stack first gets an empty filter. If the function fails,
 * nothing has changed. */
HRESULT message_filter_add(struct message_filter_stack *stack,
                           const D3D12_INFO_QUEUE_FILTER *filter);
/* Copies the filter on top and its lists into `filter`, which has *size bytes. If `filter` is NULL,
 * the function only sets *size. If the stack is empty, the function copies an empty filter. */
HRESULT message_filter_get(const struct message_filter_stack *stack,
                           D3D12_INFO_QUEUE_FILTER *filter, SIZE_T *size);
void message_filter_pop(struct message_filter_stack *stack);
void message_filter_clear(struct message_filter_stack *stack);
