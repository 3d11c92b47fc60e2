/* Structures that the runtime writes have the program's objects in them [ANN-D3D]. */
#include "fake.h"

#include <intercept/call.h>
#include <intercept/d3d12.h>
#include <intercept/wrap.h>
#include <intercept/written.h>

#include "asserts.h"

#include <string.h>

static void open_call(void)
{
    schema_init();
    call_open(wrap_tables, NULL, 0);
}

TestSuite(written, .init = open_call);

static struct object *wrapper_of(uint16_t type)
{
    const uint16_t newest = type_newest(type);
    return object_wrap(fake_create(newest), newest, true);
}

enum { NODES = 4 };
static D3D12_AUTO_BREADCRUMB_NODE1 nodes[NODES], kept[NODES];
static struct object *lists[NODES], *queues[NODES];
static HRESULT answered;

static void answer_breadcrumbs(uint16_t method, struct fake *self, uint64_t *args,
                               struct call_result *result)
{
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1 *out = (void *)(uintptr_t)args[0];
    (void)self;
    cr_assert_eq(method, METHOD_ID3D12DeviceRemovedExtendedData1_GetAutoBreadcrumbsOutput1);
    out->pHeadAutoBreadcrumbNode = nodes;
    result->word = (uint32_t)answered;
}

static void make_nodes(void)
{
    for (unsigned i = 0; i < NODES; i++) {
        lists[i] = wrapper_of(TYPE_ID3D12GraphicsCommandList);
        queues[i] = wrapper_of(TYPE_ID3D12CommandQueue);
        nodes[i] = (D3D12_AUTO_BREADCRUMB_NODE1){
            .pCommandListDebugNameA = "list",
            .pCommandList = lists[i]->real,
            .pCommandQueue = queues[i]->real,
            .BreadcrumbCount = i,
            .pNext = i + 1 < NODES ? &nodes[i + 1] : NULL,
        };
    }
    nodes[1].pCommandList = (void *)fake_create(TYPE_ID3D12GraphicsCommandList); /* none of ours */
    nodes[2].pCommandQueue = NULL;
    memcpy(kept, nodes, sizeof kept);
}

/* Copies stay, reachable from here. */
static D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1 outputs[NODES + 2];
static D3D12_DEVICE_REMOVED_EXTENDED_DATA1 data;
static D3D12_DRED_PAGE_FAULT_OUTPUT1 fault;

static const D3D12_AUTO_BREADCRUMB_NODE1 *breadcrumbs(void)
{
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1 *out = &outputs[0];
    const uint64_t args[CODEC_ARGS] = {(uintptr_t)out};
    struct call_result result = {0};
    fake_answer = answer_breadcrumbs;
    call_method(METHOD_ID3D12DeviceRemovedExtendedData1_GetAutoBreadcrumbsOutput1,
                wrapper_of(TYPE_ID3D12DeviceRemovedExtendedData1), args, &result);
    cr_assert_eq(result.word, (uint32_t)answered);
    return out->pHeadAutoBreadcrumbNode;
}

/* The runtime keeps its own, which may be read by others. */
Test(written, a_list_is_copied_with_the_programs_objects)
{
    make_nodes();
    const D3D12_AUTO_BREADCRUMB_NODE1 *node = breadcrumbs();
    for (unsigned i = 0; i < NODES; i++, node = node->pNext) {
        cr_assert(node && node != &nodes[i], "%u", i);
        cr_assert(i == 1 ? node->pCommandList == kept[1].pCommandList
                         : (void *)node->pCommandList == lists[i],
                  "%u", i);
        cr_assert((void *)node->pCommandQueue == (i == 2 ? NULL : queues[i]), "%u", i);
        cr_assert_eq(node->BreadcrumbCount, i);
        cr_assert(node->pCommandListDebugNameA == kept[i].pCommandListDebugNameA, "%u", i);
    }
    cr_assert(node == NULL);
    cr_assert(memcmp(nodes, kept, sizeof nodes) == 0);
}

Test(written, a_failure_leaves_what_is_there)
{
    make_nodes();
    answered = E_FAIL;
    cr_assert(breadcrumbs() == nodes);
}

Test(written, without_memory_the_rest_of_a_list_is_the_runtimes)
{
    make_nodes();
    for (unsigned from = 1; from <= NODES + 1; from++) {
        const D3D12_AUTO_BREADCRUMB_NODE1 *node = nodes;
        D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1 *out = &outputs[from];
        out->pHeadAutoBreadcrumbNode = nodes;
        fake_fail_allocations(from);
        written_wrap(TYPE_D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1, (uint8_t *)out);
        fake_fail_allocations(0);
        node = out->pHeadAutoBreadcrumbNode;
        for (unsigned i = 0; i < NODES; i++, node = node->pNext)
            cr_assert_eq(node == &nodes[i], i + 1 >= from, "%u of %u", i, from);
    }
    cr_assert(memcmp(nodes, kept, sizeof nodes) == 0);
}

Test(written, a_structure_within_a_structure_is_replaced)
{
    struct object *list = wrapper_of(TYPE_ID3D12GraphicsCommandList);
    struct object *resource = wrapper_of(TYPE_ID3D12Resource);
    const D3D12_AUTO_BREADCRUMB_NODE node = {.pCommandList = list->real};
    const D3D12_DRED_ALLOCATION_NODE1 there = {.pObject = resource->real};
    data = (D3D12_DEVICE_REMOVED_EXTENDED_DATA1){.DeviceRemovedReason = E_FAIL,
                                                 .AutoBreadcrumbsOutput = {&node}};
    fault = (D3D12_DRED_PAGE_FAULT_OUTPUT1){.PageFaultVA = 0x1000,
                                            .pHeadRecentFreedAllocationNode = &there};
    written_wrap(TYPE_D3D12_DEVICE_REMOVED_EXTENDED_DATA1, (uint8_t *)&data);
    written_wrap(TYPE_D3D12_DRED_PAGE_FAULT_OUTPUT1, (uint8_t *)&fault);
    cr_assert((void *)data.AutoBreadcrumbsOutput.pHeadAutoBreadcrumbNode->pCommandList == list);
    cr_assert_eqs(data.DeviceRemovedReason, E_FAIL, fault.PageFaultVA, 0x1000);
    cr_assert((const void *)fault.pHeadRecentFreedAllocationNode->pObject == resource);
    cr_assert(fault.pHeadExistingAllocationNode == NULL);
    const D3D12_DRED_ALLOCATION_NODE bare = {.AllocationType = 19};
    D3D12_DRED_PAGE_FAULT_OUTPUT old = {.pHeadExistingAllocationNode = &bare};
    written_wrap(TYPE_D3D12_DRED_PAGE_FAULT_OUTPUT, (uint8_t *)&old);
    cr_assert(old.pHeadExistingAllocationNode == &bare); /* no object, no copy */
    cr_assert(node.pCommandList == list->real && there.pObject == resource->real);
}

/* The structures that methods write, and what is in them and behind them: written.c asks for no
 * selector. */
static void check_no_union(uint16_t type, unsigned depth)
{
    const struct schema_struct *s = &schema_structs[type];
    for (uint32_t i = 0; i < s->count && depth < 8; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        cr_assert(f->in_union < 0, "%s.%s", s->name, f->name);
        if (f->kind == KIND_S || f->elem == KIND_S)
            check_no_union(f->type, depth + 1);
    }
}

Test(written, no_structure_has_a_union)
{
    unsigned count = 0;
    for (const struct schema_method_row *m = schema_methods; m < schema_methods + SCHEMA_METHODS;
         m++)
        for (uint32_t i = 0; i < m->count; i++)
            if (m->written >> i & 1 && schema_params[m->first + i].elem == KIND_S) {
                check_no_union(schema_params[m->first + i].type, 0);
                count++;
            }
    cr_assert_eq(count, 4); /* DRED's breadcrumbs, and allocations of newer versions */
}
