/* What `annot trace trim` learns of the calls of a trace: tools/annot/trace/trim_survey.h. */
#include "made_trace.h"
#include "trim_survey.h"

enum { DEVICE = 1, ALLOCATOR, LIST, LISTS = 100 };

static void create_list(struct made *made, uint64_t list)
{
    const uint8_t *iid =
        schema_interfaces[TYPE_ID3D12GraphicsCommandList - SCHEMA_INTERFACE_FIRST].iid;
    const uint64_t args[CODEC_ARGS] = {
        0, 0, ALLOCATOR, 0, (uint64_t)(uintptr_t)iid, (uint64_t)(uintptr_t)&list};
    made_call(made, METHOD_ID3D12Device_CreateCommandList, DEVICE, args, NULL);
}

/* The n-th recording that begins has a node behind all earlier ones, however far the nodes have
 * grown since [ANN-TRACE-02]. */
Test(trim, each_recording_of_each_list_is_its_own)
{
    static const uint64_t reset[CODEC_ARGS] = {ALLOCATOR, 0};
    struct made made = made_begin(2);
    struct trim_survey s;
    uint32_t last = 0;
    for (uint64_t i = 0; i < LISTS; i++)
        create_list(&made, LIST + i);
    for (uint64_t i = 0; i < LISTS; i++)
        made_call(&made, METHOD_ID3D12GraphicsCommandList_Reset, LIST + i % 3, reset, NULL);
    struct trace *trace = made_open(&made);
    cr_assert(trim_survey(&s, trace, 1, UINT64_MAX));
    cr_assert_eq(s.call_count, 2 * LISTS);
    for (uint64_t i = 3; i < LISTS; i++) {
        const uint32_t made_by = s.nodes[trim_node_of(&s, LIST + i)].recording;
        cr_expect(made_by > last && s.nodes[made_by].kind == NODE_RECORDING, "list %zu", (size_t)i);
        last = made_by;
    }
    for (size_t i = LISTS; i < 2 * LISTS; i++) {
        const uint32_t begun = s.calls[i].recording;
        cr_expect(begun > last && s.nodes[begun].kind == NODE_RECORDING, "call %zu", i);
        last = begun;
    }
    trim_survey_free(&s);
    trace_close(trace);
    fclose(made.file);
}
