#include "messages.h"

static bool list_append(struct message_list *list, const int *values, UINT count)
{
    if (count == 0)
        return true;
    if (values == NULL || count > UINT16_MAX || list->count > UINT16_MAX)
        return false;
    int *grown = realloc(list->values, (list->count + count) * sizeof *grown);
    if (grown == NULL)
        return false;
    memcpy(grown + list->count, values, count * sizeof *grown);
    list->values = grown;
    list->count += count;
    return true;
}

static bool list_has(const struct message_list *list, int value)
{
    for (UINT i = 0; i < list->count; i++)
        if (list->values[i] == value)
            return true;
    return false;
}

static bool lists_append(struct message_list lists[3], const D3D12_INFO_QUEUE_FILTER_DESC *desc)
{
    return list_append(&lists[0], (const int *)desc->pCategoryList, desc->NumCategories) &&
           list_append(&lists[1], (const int *)desc->pSeverityList, desc->NumSeverities) &&
           list_append(&lists[2], (const int *)desc->pIDList, desc->NumIDs);
}

static bool filter_append(struct message_filter *filter, const D3D12_INFO_QUEUE_FILTER *more)
{
    return lists_append(filter->allow, &more->AllowList) &&
           lists_append(filter->deny, &more->DenyList);
}

static bool filter_append_copy(struct message_filter *filter, const struct message_filter *from)
{
    for (int i = 0; i < 3; i++)
        if (!list_append(&filter->allow[i], from->allow[i].values, from->allow[i].count) ||
            !list_append(&filter->deny[i], from->deny[i].values, from->deny[i].count))
            return false;
    return true;
}

static void filter_finish(struct message_filter *filter)
{
    for (int i = 0; i < 3; i++) {
        free(filter->allow[i].values);
        free(filter->deny[i].values);
    }
    memset(filter, 0, sizeof *filter);
}

bool message_filter_passes(const struct message_filter_stack *stack,
                           D3D12_MESSAGE_CATEGORY category, D3D12_MESSAGE_SEVERITY severity,
                           D3D12_MESSAGE_ID id)
{
    if (stack->count == 0)
        return true;
    const struct message_filter *filter = &stack->filters[stack->count - 1];
    const int values[3] = {(int)category, (int)severity, (int)id};
    for (int i = 0; i < 3; i++)
        if (list_has(&filter->deny[i], values[i]) ||
            (filter->allow[i].count > 0 && !list_has(&filter->allow[i], values[i])))
            return false;
    return true;
}

static struct message_filter *push_empty(struct message_filter_stack *stack)
{
    struct message_filter *grown =
        realloc(stack->filters, (stack->count + 1) * sizeof *stack->filters);
    if (grown == NULL)
        return NULL;
    stack->filters = grown;
    memset(&grown[stack->count], 0, sizeof *grown);
    return &grown[stack->count++];
}

HRESULT message_filter_push(struct message_filter_stack *stack,
                            const D3D12_INFO_QUEUE_FILTER *filter)
{
    struct message_filter *top = push_empty(stack);
    if (top == NULL)
        return E_OUTOFMEMORY;
    if (filter != NULL && !filter_append(top, filter)) {
        message_filter_pop(stack);
        return E_OUTOFMEMORY;
    }
    return S_OK;
}

HRESULT message_filter_push_copy(struct message_filter_stack *stack)
{
    struct message_filter *top = push_empty(stack);
    if (top == NULL)
        return E_OUTOFMEMORY;
    if (stack->count > 1 && !filter_append_copy(top, top - 1)) {
        message_filter_pop(stack);
        return E_OUTOFMEMORY;
    }
    return S_OK;
}

HRESULT message_filter_add(struct message_filter_stack *stack,
                           const D3D12_INFO_QUEUE_FILTER *filter)
{
    if (filter == NULL)
        return E_INVALIDARG;
    if (stack->count == 0 && push_empty(stack) == NULL)
        return E_OUTOFMEMORY;
    return filter_append(&stack->filters[stack->count - 1], filter) ? S_OK : E_OUTOFMEMORY;
}

void message_filter_pop(struct message_filter_stack *stack)
{
    if (stack->count > 0)
        filter_finish(&stack->filters[--stack->count]);
    if (stack->count == 0) {
        free(stack->filters);
        stack->filters = NULL;
    }
}

void message_filter_clear(struct message_filter_stack *stack)
{
    if (stack->count > 0)
        filter_finish(&stack->filters[stack->count - 1]);
}
