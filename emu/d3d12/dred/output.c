/* D3D12's nodes. DRED does not define their order, their owner, or whether a list that is executed
 * twice has two nodes. Here the oldest submission comes first, each execution has a node, and the
 * device owns all nodes until its end. */
#include "dred/output.h"

#include "base/wide.h"

#include <annot/pix.h>
#include <utlist.h>

struct dred_block {
    struct dred_block *next;
    _Alignas(max_align_t) unsigned char bytes[];
};

/* Returns zeroed memory; NULL: out of memory. */
static void *take(struct dred_output *output, size_t size)
{
    struct dred_block *block = calloc(1, sizeof *block + size);
    if (!block)
        return NULL;
    LL_PREPEND(output->blocks, block);
    return block->bytes;
}

void dred_output_destroy(struct dred_output *output)
{
    if (!output)
        return;
    struct dred_block *block, *next;
    LL_FOREACH_SAFE(output->blocks, block, next)
    free(block);
    free(output);
}

/* Moves a wide string into the output's memory. NULL: out of memory, or `text` is NULL. */
static WCHAR *adopt(struct dred_output *output, WCHAR *text)
{
    WCHAR *copy = NULL;
    if (text) {
        const size_t size = (wide_length(text) + 1) * sizeof *text;
        copy = take(output, size);
        if (copy)
            memcpy(copy, text, size);
    }
    free(text);
    return copy;
}

/* ---- breadcrumbs ---- */

/* A marker's name; "" if PIX would not show the payload. */
static const WCHAR *context_string(struct dred_output *output, const struct dred_log *log,
                                   const struct dred_context *context)
{
    annot_pix_event event;
    const unsigned char *bytes = log->payloads + context->offset;
    annot_pix_decode(context->metadata, bytes, context->size, NULL, 0, &event);
    char *name = calloc(1, event.name_length + 1);
    if (!name)
        return NULL;
    annot_pix_decode(context->metadata, bytes, context->size, name, event.name_length + 1, &event);
    WCHAR *wide = wide_from_utf8(name, event.name_length);
    free(name);
    return adopt(output, wide);
}

static int by_index(const void *a, const void *b)
{
    const UINT left = ((const D3D12_DRED_BREADCRUMB_CONTEXT *)a)->BreadcrumbIndex;
    const UINT right = ((const D3D12_DRED_BREADCRUMB_CONTEXT *)b)->BreadcrumbIndex;
    return left < right ? -1 : left > right;
}

/* Adds the history's markers, with their indices in the history. False: out of memory. */
static bool add_contexts(struct dred_output *output, const struct dred_log *log,
                         D3D12_AUTO_BREADCRUMB_NODE1 *node)
{
    const uint32_t first = log->count - dred_log_kept(log);
    D3D12_DRED_BREADCRUMB_CONTEXT *contexts =
        take(output, (log->context_count + 1) * sizeof *contexts);
    if (!contexts)
        return false;
    UINT count = 0;
    for (size_t i = 0; i < log->context_count; i++) {
        const struct dred_context *context = &log->contexts[i];
        if (context->op < first)
            continue;
        contexts[count].BreadcrumbIndex = context->op % DRED_OPS;
        contexts[count].pContextString = (const wchar_t *)context_string(output, log, context);
        if (!contexts[count++].pContextString)
            return false;
    }
    qsort(contexts, count, sizeof *contexts, by_index);
    node->BreadcrumbContextsCount = count;
    node->pBreadcrumbContexts = count != 0 ? contexts : NULL;
    return true;
}

/* Returns the operations; NULL: out of memory, or the operations are not known. */
static const D3D12_AUTO_BREADCRUMB_OP *history_of(struct dred_output *output,
                                                  const struct dred_log *log)
{
    const uint32_t kept = dred_log_kept(log);
    D3D12_AUTO_BREADCRUMB_OP *history = take(output, (kept + (size_t)1) * sizeof *history);
    for (uint32_t i = 0; history && i < kept; i++)
        history[i] = (D3D12_AUTO_BREADCRUMB_OP)log->ops[i];
    return history;
}

_Static_assert(offsetof(D3D12_AUTO_BREADCRUMB_NODE, pNext) ==
                       offsetof(D3D12_AUTO_BREADCRUMB_NODE1, pNext) &&
                   offsetof(D3D12_DRED_ALLOCATION_NODE, pNext) ==
                       offsetof(D3D12_DRED_ALLOCATION_NODE1, pNext),
               "up to there both forms are alike");

/* Makes a node; NULL: out of memory. */
static D3D12_AUTO_BREADCRUMB_NODE1 *node_of(struct dred_output *output,
                                            const struct dred_execution *execution)
{
    const uint32_t done = dred_execution_word(execution, 0);
    UINT32 *value = take(output, sizeof *value);
    D3D12_AUTO_BREADCRUMB_NODE1 *node = take(output, sizeof *node);
    const D3D12_AUTO_BREADCRUMB_OP *history = history_of(output, execution->log);
    if (!value || !node || !history || !add_contexts(output, execution->log, node))
        return NULL;
    *value = done == DRED_NEVER_BEGUN ? 0 : done;
    node->pCommandListDebugNameA = execution->list_names.a;
    node->pCommandListDebugNameW = (const wchar_t *)execution->list_names.w;
    node->pCommandQueueDebugNameA = execution->queue_names.a;
    node->pCommandQueueDebugNameW = (const wchar_t *)execution->queue_names.w;
    node->pCommandList = execution->list;
    node->pCommandQueue = execution->queue;
    node->BreadcrumbCount = execution->log->count;
    node->pLastBreadcrumbValue = value;
    node->pCommandHistory = history;
    return node;
}

static bool add_nodes(struct dred_output *output, const struct dred_execution *executions)
{
    const struct dred_execution *execution;
    D3D12_AUTO_BREADCRUMB_NODE1 *last = NULL;
    DL_FOREACH(executions, execution)
    {
        if (dred_is_end(dred_execution_word(execution, 0), execution->log->count))
            continue;
        D3D12_AUTO_BREADCRUMB_NODE1 *node = node_of(output, execution);
        if (!node)
            return false;
        if (last)
            last->pNext = node;
        else
            output->nodes = node;
        last = node;
    }
    return true;
}

/* ---- page faults ---- */

struct allocations {
    struct dred_output *output;
    D3D12_DRED_ALLOCATION_NODE1 *last[2];
    bool out_of_memory;
};

/* Adds the names of a live or destroyed object. */
static bool name_node(struct allocations *list, const struct dred_range *live,
                      const struct dred_freed *freed, D3D12_DRED_ALLOCATION_NODE1 *node)
{
    WCHAR *wide = NULL;
    bool done = true;
    if (live) {
        struct dred_names names = dred_names_copy(live->names);
        wide = names.w;
        if (names.a) {
            char *copy = take(list->output, strlen(names.a) + 1);
            if (copy)
                memcpy(copy, names.a, strlen(names.a));
            done = copy != NULL;
            node->ObjectNameA = copy;
            free(names.a);
        }
    } else if (freed->name) {
        wide = wide_from_utf8(freed->name, strlen(freed->name));
        done = wide != NULL;
    }
    if (wide) {
        node->ObjectNameW = (const wchar_t *)adopt(list->output, wide);
        done = done && node->ObjectNameW;
    }
    return done;
}

static bool add_allocation(void *user, const struct dred_range *live,
                           const struct dred_freed *freed)
{
    struct allocations *list = user;
    const size_t of = !live && !freed->outlived;
    D3D12_DRED_ALLOCATION_NODE1 *node = take(list->output, sizeof *node);
    if (!node || !name_node(list, live, freed, node)) {
        list->out_of_memory = true;
        return false;
    }
    node->AllocationType = live != NULL ? live->type : freed->type;
    node->pObject = live != NULL ? live->iface : freed->iface;
    if (list->last[of])
        list->last[of]->pNext = node;
    else
        list->output->allocations[of] = node;
    list->last[of] = node;
    return true;
}

struct dred_output *dred_output_create(const struct dred_execution *executions,
                                       struct dred_ranges *ranges, uint64_t fault_address)
{
    struct dred_output *output = calloc(1, sizeof *output);
    if (!output)
        return NULL;
    struct allocations list = {.output = output};
    bool done = add_nodes(output, executions);
    if (done && fault_address != 0)
        dred_ranges_at(ranges, fault_address, add_allocation, &list);
    if (done && !list.out_of_memory)
        return output;
    dred_output_destroy(output);
    return NULL;
}
