#include "play.h"

/* The number in "n7" or "m7 qgh"; 0: no name. */
static uint32_t number_of(const WCHAR *name)
{
    uint32_t number = 0;
    for (size_t i = 1; name && name[0] != 0 && name[i] >= '0' && name[i] <= '9'; i++)
        number = number * 10 + (uint32_t)(name[i] - '0');
    return number;
}

static void take_node(struct run *run, const D3D12_AUTO_BREADCRUMB_NODE1 *from)
{
    struct dred_node *node = &run->outcome->nodes[run->outcome->node_count++];
    *node = (struct dred_node){
        .queue = QUEUES,
        .done = *from->pLastBreadcrumbValue,
        .count = from->BreadcrumbCount,
        .list_name = number_of((const WCHAR *)from->pCommandListDebugNameW),
        .queue_name = number_of((const WCHAR *)from->pCommandQueueDebugNameW),
        .context_count = from->BreadcrumbContextsCount,
    };
    for (uint8_t i = 0; i < QUEUES; i++)
        if (run->queues[i] == from->pCommandQueue)
            node->queue = i;
    for (uint32_t i = 0; i < node->count && i < NODE_OPS; i++)
        node->ops[i] = (uint8_t)from->pCommandHistory[i];
    for (uint32_t i = 0; i < node->context_count && i < NODE_CONTEXTS; i++) {
        node->contexts[i].op = from->pBreadcrumbContexts[i].BreadcrumbIndex;
        node->contexts[i].name =
            number_of((const WCHAR *)from->pBreadcrumbContexts[i].pContextString);
    }
}

void dred_take(struct run *run)
{
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1 output;
    ID3D12DeviceRemovedExtendedData1 *data = AS(ID3D12DeviceRemovedExtendedData1, run->gpu.device);
    if (SUCCEEDED(data->lpVtbl->GetAutoBreadcrumbsOutput1(data, &output))) {
        run->outcome->has_dred = true;
        for (const D3D12_AUTO_BREADCRUMB_NODE1 *node = output.pHeadAutoBreadcrumbNode;
             node && run->outcome->node_count < NODES_MAX; node = node->pNext)
            take_node(run, node);
    }
    data->lpVtbl->Release(data);
}
