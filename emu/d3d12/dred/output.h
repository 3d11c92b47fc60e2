/* D3D12's nodes of breadcrumbs and page faults, made from the data of a removal. The newer form of
 * a node begins with the older one and its pNext, so one list serves both. */
#pragma once

#include "dred/execution.h"
#include "dred/range.h"

struct dred_output {
    struct dred_block *blocks; /* the memory of everything below */
    D3D12_AUTO_BREADCRUMB_NODE1 *nodes;
    D3D12_DRED_ALLOCATION_NODE1 *allocations[2]; /* existing, freed */
};

/* Makes the output; `executions` must outlive it. `fault_address` 0: no page fault. NULL: out of
 * memory. */
struct dred_output *dred_output_create(const struct dred_execution *executions,
                                       struct dred_ranges *ranges, uint64_t fault_address);
void dred_output_destroy(struct dred_output *output); /* NULL is allowed */
