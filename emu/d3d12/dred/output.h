/* Makes D3D12's nodes of breadcrumbs and page faults from the data of a removal. A node of the
 * newer form begins with the older form and its pNext, so one list of nodes serves both forms. */
#pragma once

#include "dred/execution.h"
#include "dred/range.h"

struct dred_output {
    struct dred_block *blocks; /* blocks that contain all nodes below */
    D3D12_AUTO_BREADCRUMB_NODE1 *nodes;
    /* DRED's two lists of allocation nodes: existing allocations, and freed allocations. */
    D3D12_DRED_ALLOCATION_NODE1 *allocations[2];
};

/* Makes DRED's nodes; `executions` must live longer than the nodes. If `fault_address` is 0, the
 * device had no page fault. NULL means out of memory. */
struct dred_output *dred_output_create(const struct dred_execution *executions,
                                       struct dred_ranges *ranges, uint64_t fault_address);
void dred_output_destroy(struct dred_output *output); /* NULL is allowed */
