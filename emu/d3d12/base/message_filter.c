#include "base/message_filter.h"

#define LISTS 6 /* lists of allowed categories, severities and IDs; then lists of denied ones */

_Static_assert(sizeof(D3D12_MESSAGE_CATEGORY) == sizeof(int) &&
                   sizeof(D3D12_MESSAGE_SEVERITY) == sizeof(int) &&
                   sizeof(D3D12_MESSAGE_ID) == sizeof(int),
               "the lists are lists of int");

static const D3D12_INFO_QUEUE_FILTER empty;

bool message_list_add(struct message_list *list, int value)
{
    int *grown = realloc(list->values, ((size_t)list->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    grown[list->count++] = value;
    list->values = grown;
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

static struct message_list list_of(const D3D12_INFO_QUEUE_FILTER *filter, int i)
{
    const D3D12_INFO_QUEUE_FILTER_DESC *half = i < 3 ? &filter->AllowList : &filter->DenyList;
    if (i % 3 == 0)
        return (struct message_list){(int *)half->pCategoryList, half->NumCategories};
    if (i % 3 == 1)
        return (struct message_list){(int *)half->pSeverityList, half->NumSeverities};
    return (struct message_list){(int *)half->pIDList, half->NumIDs};
}

static bool is_valid(const D3D12_INFO_QUEUE_FILTER *filter)
{
    bool valid = filter != NULL;
    for (int i = 0; i < LISTS && valid; i++)
        valid = list_of(filter, i).count == 0 || list_of(filter, i).values;
    return valid;
}

static SIZE_T size_of_lists(const D3D12_INFO_QUEUE_FILTER *filter)
{
    SIZE_T size = 0;
    for (int i = 0; i < LISTS; i++)
        size += list_of(filter, i).count * sizeof(int);
    return size;
}

/* Writes `a` and `b` as one filter, with the filter's lists behind it. */
static void combine(D3D12_INFO_QUEUE_FILTER *to, const D3D12_INFO_QUEUE_FILTER *a,
                    const D3D12_INFO_QUEUE_FILTER *b)
{
    int *at = (int *)(to + 1);
    struct message_list lists[LISTS];
    for (int i = 0; i < LISTS; i++) {
        const struct message_list first = list_of(a, i), second = list_of(b, i);
        lists[i].count = first.count + second.count;
        lists[i].values = lists[i].count != 0 ? at : NULL;
        for (UINT k = 0; k < lists[i].count; k++)
            *at++ = k < first.count ? first.values[k] : second.values[k - first.count];
    }
    D3D12_INFO_QUEUE_FILTER_DESC *const halves[] = {&to->AllowList, &to->DenyList};
    for (int i = 0; i < 2; i++)
        *halves[i] = (D3D12_INFO_QUEUE_FILTER_DESC){
            lists[3 * i].count,     (D3D12_MESSAGE_CATEGORY *)lists[3 * i].values,
            lists[3 * i + 1].count, (D3D12_MESSAGE_SEVERITY *)lists[3 * i + 1].values,
            lists[3 * i + 2].count, (D3D12_MESSAGE_ID *)lists[3 * i + 2].values};
}

/* Makes a filter from two. NULL: out of memory. */
static D3D12_INFO_QUEUE_FILTER *merge(const D3D12_INFO_QUEUE_FILTER *a,
                                      const D3D12_INFO_QUEUE_FILTER *b)
{
    for (int i = 0; i < LISTS; i++)
        if (list_of(a, i).count > UINT32_MAX - list_of(b, i).count)
            return NULL;
    D3D12_INFO_QUEUE_FILTER *merged = malloc(sizeof *a + size_of_lists(a) + size_of_lists(b));
    if (merged)
        combine(merged, a, b);
    return merged;
}

static const D3D12_INFO_QUEUE_FILTER *top(const struct message_filter_stack *stack)
{
    return stack->count > 0 ? stack->filters[stack->count - 1] : &empty;
}

bool message_filter_passes(const struct message_filter_stack *stack,
                           D3D12_MESSAGE_CATEGORY category, D3D12_MESSAGE_SEVERITY severity,
                           D3D12_MESSAGE_ID id)
{
    const int values[] = {(int)category, (int)severity, (int)id};
    for (int i = 0; i < 3; i++) {
        const struct message_list allowed = list_of(top(stack), i),
                                  denied = list_of(top(stack), i + 3);
        if (message_list_has(&denied, values[i]) ||
            (allowed.count > 0 && !message_list_has(&allowed, values[i])))
            return false;
    }
    return true;
}

HRESULT message_filter_push(struct message_filter_stack *stack,
                            const D3D12_INFO_QUEUE_FILTER *filter)
{
    if (!is_valid(filter))
        return E_INVALIDARG;
    D3D12_INFO_QUEUE_FILTER *copy = merge(filter, &empty);
    D3D12_INFO_QUEUE_FILTER **grown =
        copy ? realloc(stack->filters, (stack->count + 1) * sizeof *grown) : NULL;
    if (!grown) {
        free(copy);
        return E_OUTOFMEMORY;
    }
    stack->filters = grown;
    grown[stack->count++] = copy;
    return S_OK;
}

HRESULT message_filter_push_empty(struct message_filter_stack *stack)
{
    return message_filter_push(stack, &empty);
}

HRESULT message_filter_push_copy(struct message_filter_stack *stack)
{
    return message_filter_push(stack, top(stack));
}

HRESULT message_filter_add(struct message_filter_stack *stack,
                           const D3D12_INFO_QUEUE_FILTER *filter)
{
    if (stack->count == 0 || !is_valid(filter))
        return message_filter_push(stack, filter);
    D3D12_INFO_QUEUE_FILTER *merged = merge(top(stack), filter);
    if (!merged)
        return E_OUTOFMEMORY;
    free(stack->filters[stack->count - 1]);
    stack->filters[stack->count - 1] = merged;
    return S_OK;
}

HRESULT message_filter_get(const struct message_filter_stack *stack,
                           D3D12_INFO_QUEUE_FILTER *filter, SIZE_T *size)
{
    if (!size)
        return E_INVALIDARG;
    const SIZE_T capacity = *size;
    *size = sizeof *filter + size_of_lists(top(stack));
    if (!filter)
        return S_FALSE;
    if (capacity < *size)
        return E_INVALIDARG;
    combine(filter, top(stack), &empty);
    return S_OK;
}

void message_filter_pop(struct message_filter_stack *stack)
{
    if (stack->count > 0)
        free(stack->filters[--stack->count]);
    if (stack->count == 0) {
        free(stack->filters);
        stack->filters = NULL;
    }
}

void message_filter_clear(struct message_filter_stack *stack)
{
    if (stack->count > 0)
        *stack->filters[stack->count - 1] = empty;
}
