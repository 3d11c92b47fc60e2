#include "base/message_filter.h"

_Static_assert(sizeof(D3D12_MESSAGE_CATEGORY) == sizeof(int) &&
                   sizeof(D3D12_MESSAGE_SEVERITY) == sizeof(int) &&
                   sizeof(D3D12_MESSAGE_ID) == sizeof(int),
               "the three lists are lists of int");

bool message_list_append(struct message_list *list, const int *values, UINT count)
{
    if (count == 0)
        return true;
    const uint64_t total = (uint64_t)list->count + count;
    int *grown = total <= UINT32_MAX / sizeof *grown
                     ? realloc(list->values, (size_t)total * sizeof *grown)
                     : NULL;
    if (!grown)
        return false;
    memcpy(grown + list->count, values, count * sizeof *grown);
    list->values = grown;
    list->count += count;
    return true;
}

bool message_list_has(const struct message_list *list, int value)
{
    for (UINT i = 0; i < list->count; i++)
        if (list->values[i] == value)
            return true;
    return false;
}

void message_list_remove(struct message_list *list, int value)
{
    UINT kept = 0;
    for (UINT i = 0; i < list->count; i++)
        if (list->values[i] != value)
            list->values[kept++] = list->values[i];
    list->count = kept;
}

/* D3D12's half of a filter as three lists. */
static void view_lists(const D3D12_INFO_QUEUE_FILTER_DESC *desc, struct message_list lists[3])
{
    lists[0] = (struct message_list){(int *)desc->pCategoryList, desc->NumCategories};
    lists[1] = (struct message_list){(int *)desc->pSeverityList, desc->NumSeverities};
    lists[2] = (struct message_list){(int *)desc->pIDList, desc->NumIDs};
}

static bool view_filter(const D3D12_INFO_QUEUE_FILTER *filter, struct message_filter *view)
{
    view_lists(&filter->AllowList, view->allow);
    view_lists(&filter->DenyList, view->deny);
    for (int i = 0; i < 3; i++)
        if ((view->allow[i].count > 0 && !view->allow[i].values) ||
            (view->deny[i].count > 0 && !view->deny[i].values))
            return false;
    return true;
}

static bool filter_append(struct message_filter *filter, const struct message_filter *more)
{
    UINT allowed[3], denied[3];
    for (int i = 0; i < 3; i++) {
        allowed[i] = filter->allow[i].count;
        denied[i] = filter->deny[i].count;
    }
    bool ok = true;
    for (int i = 0; i < 3 && ok; i++)
        ok = message_list_append(&filter->allow[i], more->allow[i].values, more->allow[i].count) &&
             message_list_append(&filter->deny[i], more->deny[i].values, more->deny[i].count);
    for (int i = 0; i < 3 && !ok; i++) {
        filter->allow[i].count = allowed[i];
        filter->deny[i].count = denied[i];
    }
    return ok;
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
        if (message_list_has(&filter->deny[i], values[i]) ||
            (filter->allow[i].count > 0 && !message_list_has(&filter->allow[i], values[i])))
            return false;
    return true;
}

static struct message_filter *push_empty(struct message_filter_stack *stack)
{
    struct message_filter *grown =
        realloc(stack->filters, (stack->count + 1) * sizeof *stack->filters);
    if (!grown)
        return NULL;
    stack->filters = grown;
    memset(&grown[stack->count], 0, sizeof *grown);
    return &grown[stack->count++];
}

static HRESULT push(struct message_filter_stack *stack, const struct message_filter *from)
{
    struct message_filter *top = push_empty(stack);
    if (!top)
        return E_OUTOFMEMORY;
    if (!filter_append(top, from)) {
        message_filter_pop(stack);
        return E_OUTOFMEMORY;
    }
    return S_OK;
}

HRESULT message_filter_push(struct message_filter_stack *stack,
                            const D3D12_INFO_QUEUE_FILTER *filter)
{
    struct message_filter view = {0};
    if (filter && !view_filter(filter, &view))
        return E_INVALIDARG;
    return push(stack, &view);
}

HRESULT message_filter_push_copy(struct message_filter_stack *stack)
{
    const struct message_filter top =
        stack->count > 0 ? stack->filters[stack->count - 1] : (struct message_filter){0};
    return push(stack, &top);
}

HRESULT message_filter_add(struct message_filter_stack *stack,
                           const D3D12_INFO_QUEUE_FILTER *filter)
{
    struct message_filter view;
    if (!filter || !view_filter(filter, &view))
        return E_INVALIDARG;
    if (stack->count == 0)
        return push(stack, &view);
    return filter_append(&stack->filters[stack->count - 1], &view) ? S_OK : E_OUTOFMEMORY;
}

/* Moves `lists` behind what `*at` points at, and `*at` behind them. */
static void copy_lists(const struct message_list lists[3], D3D12_INFO_QUEUE_FILTER_DESC *desc,
                       int **at)
{
    int *copies[3];
    for (int i = 0; i < 3; i++) {
        copies[i] = lists[i].count > 0 ? *at : NULL;
        if (lists[i].count > 0)
            memcpy(*at, lists[i].values, lists[i].count * sizeof **at);
        *at += lists[i].count;
    }
    *desc = (D3D12_INFO_QUEUE_FILTER_DESC){
        lists[0].count, (D3D12_MESSAGE_CATEGORY *)copies[0],
        lists[1].count, (D3D12_MESSAGE_SEVERITY *)copies[1],
        lists[2].count, (D3D12_MESSAGE_ID *)copies[2],
    };
}

HRESULT message_filter_get(const struct message_filter_stack *stack,
                           D3D12_INFO_QUEUE_FILTER *filter, SIZE_T *size)
{
    const struct message_filter empty = {0};
    const struct message_filter *top =
        stack->count > 0 ? &stack->filters[stack->count - 1] : &empty;
    if (!size)
        return E_INVALIDARG;
    const SIZE_T capacity = *size;
    SIZE_T needed = sizeof *filter;
    for (int i = 0; i < 3; i++)
        needed += ((SIZE_T)top->allow[i].count + top->deny[i].count) * sizeof(int);
    *size = needed;
    if (!filter)
        return S_FALSE;
    if (capacity < needed)
        return E_INVALIDARG;
    int *at = (int *)(filter + 1);
    copy_lists(top->allow, &filter->AllowList, &at);
    copy_lists(top->deny, &filter->DenyList, &at);
    return S_OK;
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
