/* Records of a trace as lines of text and as JSON: what each value is, and inert on a terminal
 * [ANN-TRACE-01]. */
#include <capture/trace/codec.h>
#include <capture/trace/print.h>
#include <capture/trace/schema.h>

#include "asserts.h"
#include "at_end.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *claim, *text, *shown;
} characters[] = {
    {"a character of one byte", "a", "\"a\""},
    {"of two", "\xc3\xa4", "\"\xc3\xa4\""},
    {"of three", "\xe2\x82\xac", "\"\xe2\x82\xac\""},
    {"the last of two", "\xc2\xa1\xdf\xbf\xe0\xa0\x80", "\"\xc2\xa1\xdf\xbf\xe0\xa0\x80\""},
    {"beside the halves", "\xee\x80\x80\xef\xbf\xbd", "\"\xee\x80\x80\xef\xbf\xbd\""},
    /* JSON has 16 bits to an escape, and a terminal may not know the plane. */
    {"beyond the first plane", "\xf0\x9f\x8e\xae!", "\"\xf0\x9f\x8e\xae!\""},
    {"the first beyond it", "\xf0\x90\x80\x80", "\"\xf0\x90\x80\x80\""},
    {"beside escaped ones", " ~\xc2\xa0\xc2\xac\xc2\xae", "\" ~\xc2\xa0\xc2\xac\xc2\xae\""},
    {"beside escaped ones of other planes", "\xf3\x9f\xbf\xbd", "\"\xf3\x9f\xbf\xbd\""},
    {"quotes and backslashes", "a\"b\\c", "\"a\\\"b\\\\c\""},
    {"control characters", "\x1b[2J\n\x7f", "\"\\u001b[2J\\n\\u007f\""},
    {"a control character of two bytes", "\xc2\x9b", "\"\\u009b\""},
    /* Trojan source: what turns the direction of the text around it. */
    {"an override of direction", "\xe2\x80\xae", "\"\\u202e\""},
    {"an isolate", "\xe2\x81\xa6", "\"\\u2066\""},
    /* As in reports, whose list is that of Unicode [ANN-SEC-06]. */
    {"what reports escape", "\xcd\x8f\xd8\x80\xdb\x9d", "\"\\u034f\\u0600\\u06dd\""},
    {"what reports escape of other planes", "\xf0\x91\x82\xbd", "\"\\ud804\\udcbd\""},
    /* Two units of UTF-16. */
    {"a format control of another plane", "\xf0\x9b\xb2\xa0", "\"\\ud82f\\udca0\""},
    {"a tag", "\xf3\xa0\x80\x80", "\"\\udb40\\udc00\""},
    {"the last character", "\xf4\x8f\xbf\xbf", "\"\\udbff\\udfff\""},
    /* Bytes that are no character, one by one. */
    {"a byte that begins nothing", "\xff", "\"\\udcff\""},
    {"a slash in two bytes", "\xc0\xaf", "\"\\udcc0\\udcaf\""},
    {"two bytes of three", "\xe2\x82", "\"\\udce2\\udc82\""},
    {"half of a pair", "\xed\xa0\x80", "\"\\udced\\udca0\\udc80\""},
    {"behind the last character", "\xf4\x90\x80\x80", "\"\\udcf4\\udc90\\udc80\\udc80\""},
    {"a byte that only goes on", "\x80", "\"\\udc80\""},
    {"two bytes of three and another character", "\xe2\x82!", "\"\\udce2\\udc82!\""},
};

Test(trace_text, is_whole_and_inert)
{
    for (size_t i = 0; i < sizeof characters / sizeof *characters; i++) {
        AT_END(at_end_free) char *shown = NULL;
        size_t size = 0;
        FILE *file = open_memstream(&shown, &size);
        cr_assert(file);
        trace_print_text(file, characters[i].text, strlen(characters[i].text));
        fclose(file);
        cr_expect_str_eq(shown, characters[i].shown, "%s: %s", characters[i].claim, shown);
    }
}

Test(trace_text, wide_texts_join_pairs_and_escape_halves)
{
    const uint16_t units[] = {'a', 0xd83c, 0xdfae, 0xd83c, 'b', 0xdfae, 0xd83c};
    struct trace_text shown = {0};
    trace_text_add_wide(&shown, units, sizeof units / sizeof *units);
    AT_END(at_end_free) char *text = shown.data;
    cr_expect_str_eq(text, "\"a\xf0\x9f\x8e\xae\\ud83cb\\udfae\\ud83c\"");
}

/* ---- records ---- */

static struct {
    struct codec_bytes bytes;
    char *text;
    size_t size;
    uint64_t elements_max;
    uint64_t (*rename)(void *user, uint8_t kind, uint64_t value);
    bool is_whole; /* what trace_print returned of the last line */
} line;

static void begin(void)
{
    schema_init();
}

static void end(void)
{
    free(line.bytes.data);
    free(line.text);
}

TestSuite(trace_line, .init = begin, .fini = end);

static uint64_t word(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

/* Objects are their numbers here. */
static uint64_t number_of(void *user, void *pointer)
{
    (void)user;
    return word(pointer);
}

static const char *show(uint32_t kind, int method, bool is_json)
{
    const uint32_t digest = method < 0 ? 0 : schema_methods[method].digest;
    const struct trace_item item = {.record = {(uint32_t)(sizeof item.record + line.bytes.size),
                                               kind, 5, digest, 0},
                                    .thread = 2,
                                    .method = method,
                                    .data = line.bytes.data,
                                    .size = line.bytes.size};
    struct trace_printer printer;
    free(line.text);
    line.text = NULL;
    FILE *file = open_memstream(&line.text, &line.size);
    cr_assert(file && trace_printer_init(&printer, file, is_json));
    printer.elements_max = line.elements_max;
    printer.rename = line.rename;
    line.is_whole = trace_print(&printer, &item);
    trace_printer_finish(&printer);
    fclose(file);
    return line.text;
}

static void add(const void *data, size_t size)
{
    codec_bytes_add(&line.bytes, data, size);
}

static void encode(int method, const uint64_t *args, bool leave)
{
    struct codec_out out = {.bytes = line.bytes, .wchar_size = 2, .object = number_of};
    codec_encode(&out, &schema_methods[method], args, leave);
    cr_assert(!out.bytes.failed);
    line.bytes = out.bytes;
}

/* Call 5 of thread 2, by object 7; an export has no object. */
static void enter(int method, const uint64_t *args)
{
    const uint64_t self = method < SCHEMA_EXPORT_FIRST ? 7 : 0;
    line.bytes.size = 0;
    add(&self, sizeof self);
    encode(method, args, false);
}

static void leave(int method, uint64_t result, const uint64_t *args)
{
    const uint64_t words[2] = {9, result};
    line.bytes.size = 0;
    add(words, sizeof words);
    encode(method, args, true);
}

static void expect_line(uint32_t kind, int method, const char *text, const char *json)
{
    cr_expect_str_eq(show(kind, method, false), text);
    cr_expect(line.is_whole);
    cr_expect_str_eq(show(kind, method, true), json);
    cr_expect(line.is_whole);
}

#define LIST(name) METHOD_ID3D12GraphicsCommandList_##name

static void expect_enter(int method, const uint64_t *args, const char *text, const char *json)
{
    char lines[2][2048];
    const char *name = schema_methods[method].name;
    const bool has_self = method < SCHEMA_EXPORT_FIRST;
    const char *iface = has_self ? schema_methods[method].iface : "";
    const char *colons = has_self ? "::" : "";
    enter(method, args);
    snprintf(lines[0], sizeof lines[0], "5 t2 %s%s%s%s(%s)", has_self ? "#7 " : "", iface, colons,
             name, text);
    snprintf(lines[1], sizeof lines[1],
             "{\"call\": 5, \"thread\": 2, \"method\": \"%s%s%s\", \"object\": %s, "
             "\"arguments\": {%s}}",
             iface, colons, name, has_self ? "\"#7\"" : "null", json);
    expect_line(RECORD_ENTER, method, lines[0], lines[1]);
}

Test(trace_line, a_call_has_its_number_thread_object_and_arguments_by_name)
{
    const uint64_t args[CODEC_ARGS] = {36, 2, 0xffffffffu, (uint32_t)-4, 0};
    enter(LIST(DrawIndexedInstanced), args);
    expect_line(RECORD_ENTER, LIST(DrawIndexedInstanced),
                "5 t2 #7 ID3D12GraphicsCommandList::DrawIndexedInstanced(IndexCountPerInstance=36, "
                "InstanceCount=2, StartIndexLocation=4294967295, BaseVertexLocation=-4, "
                "StartInstanceLocation=0)",
                "{\"call\": 5, \"thread\": 2, \"method\": "
                "\"ID3D12GraphicsCommandList::DrawIndexedInstanced\", \"object\": \"#7\", "
                "\"arguments\": {\"IndexCountPerInstance\": 36, \"InstanceCount\": 2, "
                "\"StartIndexLocation\": 4294967295, \"BaseVertexLocation\": -4, "
                "\"StartInstanceLocation\": 0}}");
}

Test(trace_line, exports_have_no_object)
{
    const uint64_t args[CODEC_ARGS] = {0, 3};
    enter(METHOD_NONE_emu_run_steps, args);
    expect_line(RECORD_ENTER, METHOD_NONE_emu_run_steps,
                "5 t2 emu_run_steps(d3d12_device=NULL, steps=3)",
                "{\"call\": 5, \"thread\": 2, \"method\": \"emu_run_steps\", \"object\": null, "
                "\"arguments\": {\"d3d12_device\": null, \"steps\": 3}}");
}

Test(trace_line, values_of_enumerations_have_names_and_others_are_numbers)
{
    uint64_t args[CODEC_ARGS] = {4};
    expect_enter(LIST(IASetPrimitiveTopology), args,
                 "PrimitiveTopology=D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST",
                 "\"PrimitiveTopology\": \"D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST\"");
    args[0] = 0xfffffff0u;
    expect_enter(LIST(IASetPrimitiveTopology), args, "PrimitiveTopology=4294967280",
                 "\"PrimitiveTopology\": 4294967280");
}

Test(trace_line, shows_truths_and_numbers_of_reals)
{
    const float factors[] = {0.5f, -1.25f, INFINITY, -INFINITY};
    uint64_t args[CODEC_ARGS] = {1};
    expect_enter(METHOD_ID3D12Device_SetStablePowerState, args, "Enable=true", "\"Enable\": true");
    args[0] = 0;
    expect_enter(METHOD_ID3D12Device_SetStablePowerState, args, "Enable=false",
                 "\"Enable\": false");
    args[0] = word(factors);
    expect_enter(LIST(OMSetBlendFactor), args, "BlendFactor=[0.5, -1.25, \"inf\", \"-inf\"]",
                 "\"BlendFactor\": [0.5, -1.25, \"inf\", \"-inf\"]");
}

Test(trace_line, what_is_no_number_is_said)
{
    const float values[] = {NAN, 0};
    uint64_t args[CODEC_ARGS] = {0};
    memcpy(&args[0], &values[0], 4);
    expect_enter(METHOD_ID3D12GraphicsCommandList1_OMSetDepthBounds, args, "Min=\"nan\", Max=0",
                 "\"Min\": \"nan\", \"Max\": 0");
}

Test(trace_line, numbers_that_json_readers_round_are_texts_of_hexadecimal_digits)
{
    uint64_t args[CODEC_ARGS] = {1ull << 53};
    expect_enter(METHOD_ID3D12Fence_Signal, args, "Value=9007199254740992",
                 "\"Value\": 9007199254740992");
    args[0]++;
    expect_enter(METHOD_ID3D12Fence_Signal, args, "Value=0x20000000000001",
                 "\"Value\": \"0x20000000000001\"");
}

Test(trace_line, objects_are_numbers_and_those_of_others_are_foreign)
{
    uint64_t args[CODEC_ARGS] = {12};
    expect_enter(LIST(SetPipelineState), args, "pPipelineState=#12", "\"pPipelineState\": \"#12\"");
    args[0] |= 1ull << 63;
    expect_enter(LIST(SetPipelineState), args, "pPipelineState=foreign#12",
                 "\"pPipelineState\": \"foreign#12\"");
    args[0] = 0;
    expect_enter(LIST(SetPipelineState), args, "pPipelineState=NULL", "\"pPipelineState\": null");
}

Test(trace_line, handles_and_addresses_are_hexadecimal)
{
    const uint64_t sources[] = {0x1000, 0x2000};
    uint64_t args[CODEC_ARGS] = {1, 0xabc};
    expect_enter(METHOD_ID3D12Fence_SetEventOnCompletion, args, "Value=1, hEvent=0xabc",
                 "\"Value\": 1, \"hEvent\": \"0xabc\"");
    args[0] = 0, args[1] = 2, args[2] = word(sources);
    expect_enter(METHOD_ID3D12GraphicsCommandList4_EmitRaytracingAccelerationStructurePostbuildInfo,
                 args,
                 "pDesc=NULL, NumSourceAccelerationStructures=2, "
                 "pSourceAccelerationStructureData=[0x1000, 0x2000]",
                 "\"pDesc\": null, \"NumSourceAccelerationStructures\": 2, "
                 "\"pSourceAccelerationStructureData\": [\"0x1000\", \"0x2000\"]");
}

Test(trace_line, pointers_that_are_not_followed_are_there_or_not)
{
    uint64_t args[CODEC_ARGS] = {0x1234, 0, 0x5678};
    expect_enter(METHOD_ID3D12InfoQueue1_RegisterMessageCallback, args,
                 "CallbackFunc=*, CallbackFilterFlags=D3D12_MESSAGE_CALLBACK_FLAG_NONE, "
                 "pContext=*, pCallbackCookie=NULL",
                 "\"CallbackFunc\": \"*\", \"CallbackFilterFlags\": "
                 "\"D3D12_MESSAGE_CALLBACK_FLAG_NONE\", \"pContext\": \"*\", "
                 "\"pCallbackCookie\": null");
    args[0] = args[2] = 0;
    expect_enter(METHOD_ID3D12InfoQueue1_RegisterMessageCallback, args,
                 "CallbackFunc=NULL, CallbackFilterFlags=D3D12_MESSAGE_CALLBACK_FLAG_NONE, "
                 "pContext=NULL, pCallbackCookie=NULL",
                 "\"CallbackFunc\": null, \"CallbackFilterFlags\": "
                 "\"D3D12_MESSAGE_CALLBACK_FLAG_NONE\", \"pContext\": null, "
                 "\"pCallbackCookie\": null");
}

Test(trace_line, texts_of_both_kinds_are_quoted)
{
    const uint16_t name[] = {'S', 0xe4, '\n', 0};
    uint64_t args[CODEC_ARGS] = {word(name)};
    expect_enter(METHOD_ID3D12Object_SetName, args, "Name=\"S\xc3\xa4\\n\"",
                 "\"Name\": \"S\xc3\xa4\\n\"");
    args[0] = 0;
    expect_enter(METHOD_ID3D12Object_SetName, args, "Name=NULL", "\"Name\": null");
    args[1] = word("A \"b\"");
    expect_enter(METHOD_ID3D12InfoQueue_AddApplicationMessage, args,
                 "Severity=D3D12_MESSAGE_SEVERITY_CORRUPTION, pDescription=\"A \\\"b\\\"\"",
                 "\"Severity\": \"D3D12_MESSAGE_SEVERITY_CORRUPTION\", \"pDescription\": "
                 "\"A \\\"b\\\"\"");
    args[1] = 0;
    expect_enter(METHOD_ID3D12InfoQueue_AddApplicationMessage, args,
                 "Severity=D3D12_MESSAGE_SEVERITY_CORRUPTION, pDescription=NULL",
                 "\"Severity\": \"D3D12_MESSAGE_SEVERITY_CORRUPTION\", \"pDescription\": null");
}

Test(trace_line, flags_are_named_one_by_one)
{
    uint64_t args[CODEC_ARGS] = {0x10, 3};
    expect_enter(LIST(ClearDepthStencilView), args,
                 "DepthStencilView=0x10, "
                 "ClearFlags=D3D12_CLEAR_FLAG_DEPTH|D3D12_CLEAR_FLAG_STENCIL, Depth=0, Stencil=0, "
                 "NumRects=0, pRects=NULL",
                 "\"DepthStencilView\": \"0x10\", \"ClearFlags\": "
                 "\"D3D12_CLEAR_FLAG_DEPTH|D3D12_CLEAR_FLAG_STENCIL\", \"Depth\": 0, \"Stencil\": "
                 "0, \"NumRects\": 0, \"pRects\": null");
    args[1] = 7; /* one of the bits has no name */
    expect_enter(LIST(ClearDepthStencilView), args,
                 "DepthStencilView=0x10, ClearFlags=7, Depth=0, Stencil=0, NumRects=0, pRects=NULL",
                 "\"DepthStencilView\": \"0x10\", \"ClearFlags\": 7, \"Depth\": 0, \"Stencil\": 0, "
                 "\"NumRects\": 0, \"pRects\": null");
}

/* D3D12_FEATURE_ARCHITECTURE: the runtime reads NodeIndex and writes the rest. */
Test(trace_line, answers_are_no_arguments_and_not_kept)
{
    const uint32_t data[] = {1, 0xcdcdcdcd, 0xcdcdcdcd, 0xcdcdcdcd};
    const uint64_t args[CODEC_ARGS] = {1, word(data), sizeof data};
    expect_enter(METHOD_ID3D12Device_CheckFeatureSupport, args,
                 "Feature=D3D12_FEATURE_ARCHITECTURE, pFeatureSupportData={NodeIndex=1}, "
                 "FeatureSupportDataSize=16",
                 "\"Feature\": \"D3D12_FEATURE_ARCHITECTURE\", \"pFeatureSupportData\": "
                 "{\"NodeIndex\": 1}, \"FeatureSupportDataSize\": 16");
    for (size_t i = 0; i < line.bytes.size; i++)
        cr_assert_neq(line.bytes.data[i], 0xcd);
}

Test(trace_line, bytes_are_hexadecimal_digits)
{
    uint64_t args[CODEC_ARGS] = {1, word("Tiny\xff"), 5};
    expect_enter(LIST(BeginEvent), args, "Metadata=1, pData=\"54696e79ff\", Size=5",
                 "\"Metadata\": 1, \"pData\": \"54696e79ff\", \"Size\": 5");
    line.elements_max = 5;
    expect_enter(LIST(BeginEvent), args, "Metadata=1, pData=\"54696e79ff\", Size=5",
                 "\"Metadata\": 1, \"pData\": \"54696e79ff\", \"Size\": 5");
    line.elements_max = 3;
    expect_enter(LIST(BeginEvent), args, "Metadata=1, pData=\"54696e... 5 bytes\", Size=5",
                 "\"Metadata\": 1, \"pData\": \"54696e... 5 bytes\", \"Size\": 5");
}

Test(trace_line, shows_as_many_elements_of_an_array_as_asked_for)
{
    const uint64_t lists[] = {4, 5, 6};
    const uint64_t args[CODEC_ARGS] = {3, word(lists)};
    expect_enter(METHOD_ID3D12CommandQueue_ExecuteCommandLists, args,
                 "NumCommandLists=3, ppCommandLists=[#4, #5, #6]",
                 "\"NumCommandLists\": 3, \"ppCommandLists\": [\"#4\", \"#5\", \"#6\"]");
    line.elements_max = 3;
    expect_enter(METHOD_ID3D12CommandQueue_ExecuteCommandLists, args,
                 "NumCommandLists=3, ppCommandLists=[#4, #5, #6]",
                 "\"NumCommandLists\": 3, \"ppCommandLists\": [\"#4\", \"#5\", \"#6\"]");
    line.elements_max = 2;
    expect_enter(METHOD_ID3D12CommandQueue_ExecuteCommandLists, args,
                 "NumCommandLists=3, ppCommandLists=[#4, #5, ... 1 more]",
                 "\"NumCommandLists\": 3, \"ppCommandLists\": [\"#4\", \"#5\", \"... 1 more\"]");
}

Test(trace_line, structures_have_their_members_by_name_and_one_alone_no_brackets)
{
    const int32_t rects[] = {-1, 2, 3, 4, 5, 6, 7, 8};
    uint64_t args[CODEC_ARGS] = {1, word(rects)};
    expect_enter(LIST(RSSetScissorRects), args,
                 "NumRects=1, pRects={left=-1, top=2, right=3, bottom=4}",
                 "\"NumRects\": 1, \"pRects\": {\"left\": -1, \"top\": 2, \"right\": 3, "
                 "\"bottom\": 4}");
    args[0] = 2;
    expect_enter(LIST(RSSetScissorRects), args,
                 "NumRects=2, pRects=[{left=-1, top=2, right=3, bottom=4}, "
                 "{left=5, top=6, right=7, bottom=8}]",
                 "\"NumRects\": 2, \"pRects\": [{\"left\": -1, \"top\": 2, \"right\": 3, "
                 "\"bottom\": 4}, {\"left\": 5, \"top\": 6, \"right\": 7, \"bottom\": 8}]");
}

Test(trace_line, signed_bytes_are_signed)
{
    const int8_t positions[] = {-8, 7};
    const uint64_t args[CODEC_ARGS] = {1, 1, word(positions)};
    expect_enter(METHOD_ID3D12GraphicsCommandList1_SetSamplePositions, args,
                 "NumSamplesPerPixel=1, NumPixels=1, pSamplePositions={X=-8, Y=7}",
                 "\"NumSamplesPerPixel\": 1, \"NumPixels\": 1, "
                 "\"pSamplePositions\": {\"X\": -8, \"Y\": 7}");
}

Test(trace_line, shows_the_selected_member_of_a_union)
{
    const struct {
        uint32_t type, flags;
        uint64_t first, second, third;
    } aliasing = {1, 0, 3, 0, 0};
    const uint64_t args[CODEC_ARGS] = {1, word(&aliasing)};
    expect_enter(LIST(ResourceBarrier), args,
                 "NumBarriers=1, pBarriers={Type=D3D12_RESOURCE_BARRIER_TYPE_ALIASING, "
                 "Flags=D3D12_RESOURCE_BARRIER_FLAG_NONE, "
                 "Aliasing={pResourceBefore=#3, pResourceAfter=NULL}}",
                 "\"NumBarriers\": 1, \"pBarriers\": {\"Type\": "
                 "\"D3D12_RESOURCE_BARRIER_TYPE_ALIASING\", \"Flags\": "
                 "\"D3D12_RESOURCE_BARRIER_FLAG_NONE\", \"Aliasing\": "
                 "{\"pResourceBefore\": \"#3\", \"pResourceAfter\": null}}");
}

static const uint8_t fence_iid[16] = {0x3b, 0xdc, 0x53, 0x07, 0xd0, 0x7d, 0x8b, 0x4e,
                                      0x9b, 0xf6, 0x09, 0x0d, 0x7a, 0x0a, 0x4a, 0x4d};

Test(trace_line, identifiers_of_interfaces_are_their_names_and_others_are_digits)
{
    const uint8_t other[16] = {0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0,
                               0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef};
    const uint16_t fence = TYPE_ID3D12Fence;
    uint64_t args[CODEC_ARGS] = {word(schema_interfaces[fence - SCHEMA_INTERFACE_FIRST].iid),
                                 word(fence_iid)};
    expect_enter(METHOD_NONE_D3D12GetDebugInterface, args, "riid=ID3D12Fence, ppvDebug=*",
                 "\"riid\": \"ID3D12Fence\", \"ppvDebug\": \"*\"");
    args[0] = word(other), args[1] = 0;
    expect_enter(METHOD_NONE_D3D12GetDebugInterface, args,
                 "riid=78563412-bc9a-f0de-0123-456789abcdef, ppvDebug=NULL",
                 "\"riid\": \"78563412-bc9a-f0de-0123-456789abcdef\", \"ppvDebug\": null");
}

Test(trace_line, pipeline_streams_are_shown_by_their_subobjects)
{
    struct {
        uint32_t root_signature, padding;
        uint64_t object;
        uint32_t node_mask, mask, topology, patch, sample, count, quality, end;
    } stream = {.object = 12,
                .node_mask = 18,
                .mask = 5,
                .topology = 14,
                .patch = 4,
                .sample = 17,
                .count = 4,
                .quality = 1};
    const struct {
        uint64_t size, stream;
    } desc = {44, word(&stream)};
    const uint64_t args[CODEC_ARGS] = {word(&desc)};
    expect_enter(METHOD_ID3D12Device2_CreatePipelineState, args,
                 "pDesc={SizeInBytes=44, pPipelineStateSubobjectStream={ID3D12RootSignature=#12, "
                 "Value=5, D3D12_PRIMITIVE_TOPOLOGY_TYPE=D3D12_PRIMITIVE_TOPOLOGY_TYPE_PATCH, "
                 "DXGI_SAMPLE_DESC={Count=4, Quality=1}}}, riid=NULL, ppPipelineState=NULL",
                 "\"pDesc\": {\"SizeInBytes\": 44, \"pPipelineStateSubobjectStream\": "
                 "{\"ID3D12RootSignature\": \"#12\", \"Value\": 5, "
                 "\"D3D12_PRIMITIVE_TOPOLOGY_TYPE\": \"D3D12_PRIMITIVE_TOPOLOGY_TYPE_PATCH\", "
                 "\"DXGI_SAMPLE_DESC\": {\"Count\": 4, \"Quality\": 1}}}, \"riid\": null, "
                 "\"ppPipelineState\": null");
}

Test(trace_line, state_subobjects_are_shown_by_their_type)
{
    const uint32_t mask = 3;
    const uint16_t miss[] = {'M', 0}, *const names[] = {miss};
    struct {
        uint32_t type, padding;
        uint64_t desc;
    } subobjects[2] = {{3, 0, word(&mask)}, {7, 0, 0}};
    const struct {
        uint64_t to;
        uint32_t count, padding;
        uint64_t names;
    } association = {word(&subobjects[0]), 1, 0, word(names)};
    const struct {
        uint32_t type, count;
        uint64_t subobjects;
    } desc = {3, 2, word(subobjects)};
    const uint64_t args[CODEC_ARGS] = {word(&desc)};
    subobjects[1].desc = word(&association);
    expect_enter(METHOD_ID3D12Device5_CreateStateObject, args,
                 "pDesc={Type=D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE, NumSubobjects=2, "
                 "pSubobjects=[{Type=D3D12_STATE_SUBOBJECT_TYPE_NODE_MASK, pDesc={NodeMask=3}}, "
                 "{Type=D3D12_STATE_SUBOBJECT_TYPE_SUBOBJECT_TO_EXPORTS_ASSOCIATION, "
                 "pDesc={pSubobjectToAssociate=*, NumExports=1, pExports=\"M\"}}]}, riid=NULL, "
                 "ppStateObject=NULL",
                 "\"pDesc\": {\"Type\": \"D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE\", "
                 "\"NumSubobjects\": 2, \"pSubobjects\": [{\"Type\": "
                 "\"D3D12_STATE_SUBOBJECT_TYPE_NODE_MASK\", \"pDesc\": {\"NodeMask\": 3}}, "
                 "{\"Type\": \"D3D12_STATE_SUBOBJECT_TYPE_SUBOBJECT_TO_EXPORTS_ASSOCIATION\", "
                 "\"pDesc\": {\"pSubobjectToAssociate\": \"*\", \"NumExports\": 1, "
                 "\"pExports\": \"M\"}}]}, \"riid\": null, \"ppStateObject\": null");
}

Test(trace_line, what_returned_has_its_result_and_what_it_wrote)
{
    const uint64_t object = 8;
    uint64_t args[CODEC_ARGS] = {0, 0, word(fence_iid), word(&object)};
    leave(METHOD_ID3D12Device_CreateFence, 0, args);
    expect_line(RECORD_LEAVE, METHOD_ID3D12Device_CreateFence, "5 t2   = S_OK ppFence=#8",
                "{\"returned\": 5, \"thread\": 2, \"result\": \"S_OK\", \"written\": "
                "{\"ppFence\": \"#8\"}}");
    args[3] = 0;
    leave(METHOD_ID3D12Device_CreateFence, 0xffffffff887a0005u, args);
    expect_line(RECORD_LEAVE, METHOD_ID3D12Device_CreateFence, "5 t2   = 0x887a0005 ",
                "{\"returned\": 5, \"thread\": 2, \"result\": \"0x887a0005\", \"written\": {}}");
    leave(METHOD_ID3D12Fence_GetCompletedValue, UINT64_MAX, args);
    expect_line(RECORD_LEAVE, METHOD_ID3D12Fence_GetCompletedValue, "5 t2   = 0xffffffffffffffff ",
                "{\"returned\": 5, \"thread\": 2, \"result\": \"0xffffffffffffffff\", "
                "\"written\": {}}");
}

static const struct {
    uint32_t type;
    int32_t priority;
    uint32_t flags, mask;
} queue_desc = {3, -5, 0, 1};

Test(trace_line, a_structure_that_is_returned_is_shown)
{
    const uint64_t args[CODEC_ARGS] = {0};
    leave(METHOD_ID3D12CommandQueue_GetDesc, 1, args);
    add(&queue_desc, sizeof queue_desc);
    expect_line(RECORD_LEAVE, METHOD_ID3D12CommandQueue_GetDesc,
                "5 t2   = {Type=D3D12_COMMAND_LIST_TYPE_COPY, Priority=-5, "
                "Flags=D3D12_COMMAND_QUEUE_FLAG_NONE, NodeMask=1} ",
                "{\"returned\": 5, \"thread\": 2, \"result\": {\"Type\": "
                "\"D3D12_COMMAND_LIST_TYPE_COPY\", \"Priority\": -5, \"Flags\": "
                "\"D3D12_COMMAND_QUEUE_FLAG_NONE\", \"NodeMask\": 1}, \"written\": {}}");
}

Test(trace_line, damaged_records_are_shown_as_far_as_they_go_and_said)
{
    const uint64_t lists[] = {4, 5}, args[CODEC_ARGS] = {2, word(lists)};
    leave(METHOD_ID3D12CommandQueue_GetDesc, 1, args);
    add(&queue_desc, 8);
    show(RECORD_LEAVE, METHOD_ID3D12CommandQueue_GetDesc, true);
    cr_expect(!line.is_whole, "the structure is cut");
    cr_expect_str_eq(line.text,
                     "{\"returned\": 5, \"thread\": 2, \"result\": null, \"written\": {}}");
    enter(METHOD_ID3D12CommandQueue_ExecuteCommandLists, args);
    line.bytes.size -= 8;
    show(RECORD_ENTER, METHOD_ID3D12CommandQueue_ExecuteCommandLists, false);
    cr_expect(!line.is_whole, "an array is cut");
    cr_expect_str_eq(line.text, "5 t2 #7 ID3D12CommandQueue::ExecuteCommandLists()");
    const uint64_t object = 8, created[CODEC_ARGS] = {0, 0, word(fence_iid), word(&object)};
    leave(METHOD_ID3D12Device_CreateFence, 0, created);
    line.bytes.size -= 8;
    show(RECORD_LEAVE, METHOD_ID3D12Device_CreateFence, false);
    cr_expect(!line.is_whole, "what was written is cut");
    cr_expect_str_eq(line.text, "5 t2   = NULL ");
    line.bytes.size = sizeof(struct trace_memory) - 8;
    show(RECORD_MEMORY, -1, false);
    cr_expect(!line.is_whole);
}

Test(trace_line, a_call_that_returns_nothing_has_no_result)
{
    const uint64_t frequency = 1000, args[CODEC_ARGS] = {word(&frequency)};
    leave(METHOD_ID3D12CommandQueue_GetTimestampFrequency, 0, args);
    expect_line(RECORD_LEAVE, METHOD_ID3D12CommandQueue_GetTimestampFrequency,
                "5 t2   = S_OK pFrequency=1000",
                "{\"returned\": 5, \"thread\": 2, \"result\": \"S_OK\", \"written\": "
                "{\"pFrequency\": 1000}}");
    leave(LIST(Close), 0, args);
    leave(LIST(SetPipelineState), 0, args);
    expect_line(RECORD_LEAVE, LIST(SetPipelineState), "5 t2   = NULL ",
                "{\"returned\": 5, \"thread\": 2, \"result\": null, \"written\": {}}");
}

Test(trace_line, memory_that_was_written_or_read_is_told_by_place_and_hash)
{
    const struct trace_memory memory = {3, 4096, 17, 0xabc, 0, 0};
    add(&memory, sizeof memory);
    expect_line(RECORD_MEMORY, -1, "  memory #3 bytes 4096 + 17, XXH64 0000000000000abc",
                "{\"memory\": \"#3\", \"offset\": 4096, \"size\": 17, \"xxh64\": "
                "\"0000000000000abc\"}");
    expect_line(RECORD_CHECK, -1, "  read #3 bytes 4096 + 17, XXH64 0000000000000abc",
                "{\"read\": \"#3\", \"offset\": 4096, \"size\": 17, \"xxh64\": "
                "\"0000000000000abc\"}");
    line.bytes.size = 0;
    add(&(struct trace_memory){3, 0, 3, 0, 0, 0}, sizeof memory);
    add("abc\0\0\0\0", 8);
    expect_line(
        RECORD_MEMORY, -1, "  memory #3 bytes 0 + 3, XXH64 44bc2cf5ad770999",
        "{\"memory\": \"#3\", \"offset\": 0, \"size\": 3, \"xxh64\": \"44bc2cf5ad770999\"}");
}

Test(trace_line, records_of_other_kinds_say_what_they_are)
{
    const uint64_t words[] = {3, 7};
    line.bytes.size = 0;
    add(words, sizeof words);
    expect_line(RECORD_FENCES, -1, "  fence #3 had reached 7",
                "{\"fence\": \"#3\", \"reached\": 7}");
    expect_line(RECORD_ADDRESS, -1, "  address 0x3", "{\"address\": \"0x3\"}");
    expect_line(RECORD_GIVEN, -1, "  memory that the program passed: 3 bytes",
                "{\"program_memory\": 3}");
    expect_line(RECORD_ADAPTER, -1, "  adapter #3 has LUID 0000000000000007",
                "{\"adapter\": \"#3\", \"luid\": \"0000000000000007\"}");
    expect_line(77, -1, "  record of unknown kind 77", "{\"unknown\": 77}");
    line.bytes.size = 0;
    add(&(uint64_t){2ull << 32 | 55}, 8);
    expect_line(RECORD_FILE, -1, "  settings file, 55 bytes", "{\"settings_bytes\": 55}");
}

Test(trace_line, variables_and_texts_end_where_their_record_does)
{
    line.bytes.size = 0;
    add(&(uint64_t){7}, 8);
    add("EMU_X=1", 7);
    expect_line(RECORD_VARIABLE, -1, "  variable \"EMU_X=1\"", "{\"variable\": \"EMU_X=1\"}");
    line.bytes.data[0] = 9; /* more than there is */
    expect_line(RECORD_VARIABLE, -1, "  variable \"\"", "{\"variable\": \"\"}");
    line.bytes.size = 0;
    add("A text", 7);
    expect_line(RECORD_TEXT, -1, "  \"A text\"", "{\"message\": \"A text\"}");
    line.bytes.size = 0;
    add("No end..", 8);
    expect_line(RECORD_TEXT, -1, "  \"No end..\"", "{\"message\": \"No end..\"}");
}

Test(trace_line, a_method_of_a_newer_table_is_named_by_its_digest)
{
    const struct trace_item item = {
        .record = {24, RECORD_ENTER, 5, 0xabcd, 0}, .thread = 2, .method = -1};
    const char *const expected[] = {"5 unknown method, digest 43981",
                                    "{\"call\": 5, \"method\": \"?\", \"digest\": 43981}"};
    for (int is_json = 0; is_json < 2; is_json++) {
        struct trace_printer printer;
        AT_END(at_end_free) char *text = NULL;
        size_t size = 0;
        FILE *file = open_memstream(&text, &size);
        cr_assert(file && trace_printer_init(&printer, file, is_json));
        cr_expect(trace_print(&printer, &item));
        trace_printer_finish(&printer);
        fclose(file);
        cr_expect_str_eq(text, expected[is_json]);
    }
}

/* ---- to compare runs ---- */

/* As a name that tells what was asked for: the kind, then the value's last digits. */
static uint64_t named(void *user, uint8_t kind, uint64_t value)
{
    (void)user;
    return value ? kind * 10000u + value % 10000 : 0;
}

static void expect_renamed(uint32_t kind, int method, const char *text)
{
    line.rename = named;
    cr_expect_str_eq(show(kind, method, false), text);
}

Test(trace_line, numbers_of_each_run_are_renamed)
{
    const uint64_t args[CODEC_ARGS] = {12};
    char expected[160];
    enter(LIST(SetPipelineState), args);
    snprintf(expected, sizeof expected,
             "5 t2 #%d ID3D12GraphicsCommandList::SetPipelineState(pPipelineState=#%d)",
             KIND_O * 10000 + 7, KIND_O * 10000 + 12);
    expect_renamed(RECORD_ENTER, LIST(SetPipelineState), expected);
    line.bytes.size = 0;
    add(&(uint64_t){0x10}, 8);
    snprintf(expected, sizeof expected, "  address 0x%x", KIND_A * 10000 + 16);
    expect_renamed(RECORD_ADDRESS, -1, expected);
}

/* The system may give the value of a closed handle to another. */
Test(trace_line, a_handle_that_a_call_returns_is_a_new_one)
{
    const uint64_t handle = 12, args[CODEC_ARGS] = {1, 12},
                   written[CODEC_ARGS] = {[4] = word(&handle)};
    char expected[160];
    enter(METHOD_ID3D12Fence_SetEventOnCompletion, args);
    snprintf(expected, sizeof expected,
             "5 t2 #%d ID3D12Fence::SetEventOnCompletion(Value=1, hEvent=0x%x)", KIND_O * 10000 + 7,
             KIND_K * 10000 + 12);
    expect_renamed(RECORD_ENTER, METHOD_ID3D12Fence_SetEventOnCompletion, expected);
    leave(METHOD_ID3D12Device_CreateSharedHandle, 0, written);
    snprintf(expected, sizeof expected, "5 t2   = S_OK pHandle=0x%x",
             (KIND_K | TRACE_RENAME_NEW) * 10000 + 12);
    expect_renamed(RECORD_LEAVE, METHOD_ID3D12Device_CreateSharedHandle, expected);
}

/* The text that GetMessage wrote is bytes: an address in it is one of this run. */
Test(trace_line, addresses_in_messages_are_renamed)
{
    static const struct {
        const char *text, *shown;
    } texts[] = {
        {"a 0xabcdef01 b", "6120<%u>2062"},
        {"0x00000000abcdef01,", "<%u>2c"},
        {"0x0abcdef01\n", "<%u>0a"},
        {"0xabcdef01", "<%u>"},
        {"0xabcdef0", "3078616263646566"
                      "30"},
        {"0Xabcdef01", "30586162636465663031"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char bytes[200], expected[320];
        uint64_t size = strlen(texts[i].text);
        const uint64_t args[CODEC_ARGS] = {0, word(texts[i].text), word(&size)};
        snprintf(bytes, sizeof bytes, texts[i].shown,
                 KIND_X * 10000u + (unsigned)(0xabcdef01u % 10000));
        snprintf(expected, sizeof expected, "5 t2   = S_OK pMessage=\"%s\", pMessageByteLength=%d",
                 bytes, (int)size);
        leave(METHOD_ID3D12InfoQueue_GetMessage, 0, args);
        expect_renamed(RECORD_LEAVE, METHOD_ID3D12InfoQueue_GetMessage, expected);
        line.rename = NULL;
        cr_expect(!strchr(show(RECORD_LEAVE, METHOD_ID3D12InfoQueue_GetMessage, false), '<'));
    }
}

Test(trace_line, private_data_may_be_an_address_when_it_has_the_size_of_one)
{
    uint64_t data = 0x7f0000000001u;
    uint32_t size = 8;
    const uint64_t args[CODEC_ARGS] = {word(fence_iid), word(&size), word(&data)};
    char expected[160];
    leave(METHOD_ID3D12Object_GetPrivateData, 0, args);
    snprintf(expected, sizeof expected, "5 t2   = S_OK pDataSize=8, pData=0x%x",
             (unsigned)(KIND_X * 10000u + data % 10000));
    expect_renamed(RECORD_LEAVE, METHOD_ID3D12Object_GetPrivateData, expected);
    data = UINT32_MAX; /* no pointer of a process of 64 bits */
    leave(METHOD_ID3D12Object_GetPrivateData, 0, args);
    expect_renamed(RECORD_LEAVE, METHOD_ID3D12Object_GetPrivateData,
                   "5 t2   = S_OK pDataSize=8, pData=\"ffffffff00000000\"");
    size = 4;
    leave(METHOD_ID3D12Object_GetPrivateData, 0, args);
    expect_renamed(RECORD_LEAVE, METHOD_ID3D12Object_GetPrivateData,
                   "5 t2   = S_OK pDataSize=4, pData=\"ffffffff\"");
}

Test(trace_line, what_each_run_says_for_itself_is_left_out)
{
    const uint64_t gpu = 1, cpu = 2, args[CODEC_ARGS] = {word(&gpu), word(&cpu)};
    uint64_t config[176 / 8] = {0};
    const uint64_t configure[CODEC_ARGS] = {word(config)};
    config[48 / 8] = word("path");
    config[152 / 8] = 1;
    leave(METHOD_ID3D12CommandQueue_GetClockCalibration, 0, args);
    expect_renamed(RECORD_LEAVE, METHOD_ID3D12CommandQueue_GetClockCalibration, "5 t2   = S_OK ");
    enter(METHOD_NONE_emu_configure, configure);
    line.rename = named;
    show(RECORD_ENTER, METHOD_NONE_emu_configure, false);
    cr_expect(!strstr(line.text, "dump_path") && !strstr(line.text, "kernel_driver"));
    cr_expect(strstr(line.text, "driver=NULL") && strstr(line.text, "tdr_limits=false"));
    line.rename = NULL;
    show(RECORD_ENTER, METHOD_NONE_emu_configure, false);
    cr_expect(strstr(line.text, "dump_path=\"path\"") && strstr(line.text, "kernel_driver=*"));
}
