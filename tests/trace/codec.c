/* Arguments as bytes and back [ANN-TRACE-02]. Objects are numbered by their address here. */
#include <capture/trace/codec.h>

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static uint64_t number_of(void *user, void *pointer)
{
    (void)user;
    return (uint64_t)(uintptr_t)pointer + 1;
}

static void *object_of(void *user, uint64_t number)
{
    (void)user;
    return number ? (void *)(uintptr_t)(number - 1) : NULL;
}

static uint64_t same(void *user, uint8_t kind, uint64_t value)
{
    (void)user, (void)kind;
    return value;
}

static struct codec_bytes bytes;
static struct codec_arena *arena;

static void encode_in(int method, const uint64_t *args, bool leave, unsigned wchar_size)
{
    struct codec_out out = {.bytes = bytes, .wchar_size = wchar_size, .object = number_of};
    out.bytes.size = 0;
    codec_encode(&out, &schema_methods[method], args, leave);
    cr_assert(!out.bytes.failed && out.bytes.size % 8 == 0);
    bytes = out.bytes;
}

static void encode(int method, const uint64_t *args)
{
    encode_in(method, args, false, sizeof(wchar_t));
}

static bool decode_from(int method, const uint8_t *data, size_t size, uint64_t *args,
                        unsigned wchar_size, struct codec_in *in)
{
    codec_arena_reset(arena);
    *in = (struct codec_in){.at = data,
                            .end = data + size,
                            .arena = arena,
                            .wchar_size = wchar_size,
                            .object = object_of,
                            .address = same};
    return codec_decode(in, &schema_methods[method], args, false);
}

static void decode(int method, uint64_t *args)
{
    struct codec_in in;
    memset(args, 0xee, CODEC_ARGS * sizeof *args);
    cr_assert(decode_from(method, bytes.data, bytes.size, args, sizeof(wchar_t), &in));
    cr_assert(in.at == in.end, "all bytes are used");
}

static void set_up(void)
{
    schema_init();
    arena = codec_arena_create();
}

static void tear_down(void)
{
    codec_arena_destroy(arena);
    codec_bytes_free(&bytes);
}

TestSuite(codec, .init = set_up, .fini = tear_down);

static void *at(uint64_t word)
{
    return (void *)(uintptr_t)word;
}

static uint64_t word(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

/* ---- every method ---- */

Test(codec, every_method_takes_null_for_every_pointer)
{
    for (int m = 0; m < SCHEMA_METHODS; m++) {
        uint64_t args[CODEC_ARGS] = {0}, back[CODEC_ARGS];
        encode(m, args);
        cr_assert(bytes.size == 8 * schema_methods[m].count, "%s", schema_methods[m].name);
        decode(m, back);
        for (uint32_t i = 0; i < schema_methods[m].count; i++)
            cr_assert(back[i] == 0, "%s, %u", schema_methods[m].name, i);
    }
}

Test(codec, every_method_is_found_by_its_digest)
{
    for (int m = 0; m < SCHEMA_METHODS; m++)
        cr_assert(schema_find(schema_methods[m].digest) == m, "%s::%s", schema_methods[m].iface,
                  schema_methods[m].name);
    cr_assert(schema_find(0x12345678) == -1);
}

Test(codec, every_interface_is_found_by_its_iid)
{
    const uint8_t none[16] = {1, 2, 3};
    for (uint16_t i = SCHEMA_INTERFACE_FIRST; i < TYPE_NONE; i++)
        cr_assert(schema_interface_of(schema_interfaces[i - SCHEMA_INTERFACE_FIRST].iid) == i);
    cr_assert(schema_interface_of(none) == TYPE_NONE);
}

/* ---- values ---- */

Test(codec, values_are_cut_to_their_size)
{
    uint64_t args[CODEC_ARGS] = {1, 0xffffffff00000002u, 3, 4}, back[CODEC_ARGS];
    encode(METHOD_ID3D12GraphicsCommandList_DrawInstanced, args);
    decode(METHOD_ID3D12GraphicsCommandList_DrawInstanced, back);
    cr_assert((uint32_t)back[0] == 1 && (uint32_t)back[1] == 2 && (uint32_t)back[2] == 3 &&
              (uint32_t)back[3] == 4);
}

Test(codec, objects_become_numbers)
{
    uint64_t args[CODEC_ARGS] = {0x1000}, back[CODEC_ARGS], number;
    encode(METHOD_ID3D12GraphicsCommandList_SetPipelineState, args);
    memcpy(&number, bytes.data, 8);
    cr_assert(number == 0x1001);
    decode(METHOD_ID3D12GraphicsCommandList_SetPipelineState, back);
    cr_assert(back[0] == 0x1000);
}

Test(codec, arrays_of_objects_have_as_many_as_their_parameter_says)
{
    const uint64_t lists[] = {0x10, 0, 0x30};
    uint64_t args[CODEC_ARGS] = {3, word(lists)}, back[CODEC_ARGS];
    encode(METHOD_ID3D12CommandQueue_ExecuteCommandLists, args);
    decode(METHOD_ID3D12CommandQueue_ExecuteCommandLists, back);
    cr_assert(back[0] == 3);
    cr_assert_arr_eq(at(back[1]), lists, sizeof lists);
}

Test(codec, bytes_are_as_many_as_their_parameter_says)
{
    const char data[] = "thirteen bytes";
    uint64_t args[CODEC_ARGS] = {2, word(data), 13}, back[CODEC_ARGS];
    encode(METHOD_ID3D12GraphicsCommandList_BeginEvent, args);
    decode(METHOD_ID3D12GraphicsCommandList_BeginEvent, back);
    cr_assert(back[2] == 13);
    cr_assert_arr_eq(at(back[1]), data, 13);
}

/* ---- texts ---- */

static void check_name(const wchar_t *name)
{
    uint64_t args[CODEC_ARGS] = {word(name)}, back[CODEC_ARGS];
    encode(METHOD_ID3D12Object_SetName, args);
    decode(METHOD_ID3D12Object_SetName, back);
    cr_assert(wcscmp(at(back[0]), name) == 0);
}

Test(codec, wide_texts_are_utf16_in_the_trace)
{
    const uint16_t expected[] = {'a', 0xd83d, 0xde00};
    const wchar_t name[] = {'a', 0x1f600, 0};
    uint64_t args[CODEC_ARGS] = {word(name)}, words[2];
    encode(METHOD_ID3D12Object_SetName, args);
    memcpy(words, bytes.data, sizeof words);
    cr_assert(words[0] == 1 && words[1] == 3);
    cr_assert_arr_eq(bytes.data + 16, expected, sizeof expected);
}

Test(codec, wide_texts_come_back)
{
    const wchar_t lone[] = {0xd83d, 'x', 0xde00, 0}, last[] = {'x', 0xd83d, 0};
    check_name(L"");
    check_name(L"Shadow pass");
    check_name(L"\u00e4\u4e2d\U0001f600\U0010ffff");
    check_name(lone);
    check_name(last);
}

Test(codec, a_text_of_one_abi_is_read_in_the_other)
{
    const uint16_t units[] = {'n', 0xd83d, 0xde00, 0};
    const uint32_t characters[] = {'n', 0x1f600, 0};
    uint64_t args[CODEC_ARGS] = {word(units)}, back[CODEC_ARGS];
    struct codec_in in;
    encode_in(METHOD_ID3D12Object_SetName, args, false, 2);
    cr_assert(decode_from(METHOD_ID3D12Object_SetName, bytes.data, bytes.size, back, 4, &in));
    cr_assert_arr_eq(at(back[0]), characters, sizeof characters);
    args[0] = word(characters);
    encode_in(METHOD_ID3D12Object_SetName, args, false, 4);
    cr_assert(decode_from(METHOD_ID3D12Object_SetName, bytes.data, bytes.size, back, 2, &in));
    cr_assert_arr_eq(at(back[0]), units, sizeof units);
}

/* ---- structures ---- */

#define STREAM_SIZE 40

/* A pipeline stream: a root signature, then a node mask. */
static void make_stream(uint8_t *stream, uint64_t object)
{
    const uint32_t root_signature = 0, node_mask = 18, mask = 5;
    memset(stream, 0, STREAM_SIZE);
    memcpy(stream, &root_signature, 4);
    memcpy(stream + 8, &object, 8);
    memcpy(stream + 16, &node_mask, 4);
    memcpy(stream + 20, &mask, 4);
}

Test(codec, pipeline_streams_are_walked_by_their_types)
{
    uint8_t stream[STREAM_SIZE];
    struct schema_subobject sub;
    uint64_t position = 0, value;
    make_stream(stream, 0x7000);
    cr_assert(codec_stream_next(stream, 24, &position, &value, &sub));
    cr_assert(sub.kind == KIND_O && value == 8 && position == 16);
    cr_assert(codec_stream_next(stream, 24, &position, &value, &sub));
    cr_assert(sub.kind == KIND_U && value == 20 && sub.size == 4);
    cr_assert_not(codec_stream_next(stream, 24, &position, &value, &sub));
    position = 0;
    cr_assert_not(codec_stream_next(stream, 15, &position, &value, &sub), "the value is cut");
}

Test(codec, pipeline_streams_come_back_with_their_objects)
{
    uint8_t stream[STREAM_SIZE];
    struct {
        uint64_t size, stream;
    } desc = {24, word(stream)}, *copy;
    make_stream(stream, 0x7000);
    uint64_t args[CODEC_ARGS] = {word(&desc)}, back[CODEC_ARGS], object;
    encode(METHOD_ID3D12Device2_CreatePipelineState, args);
    decode(METHOD_ID3D12Device2_CreatePipelineState, back);
    copy = at(back[0]);
    cr_assert(copy->size == 24 && copy->stream != desc.stream);
    cr_assert_arr_eq(at(copy->stream), stream, 24);
    make_stream(stream, 0);
    encode(METHOD_ID3D12Device2_CreatePipelineState, args);
    decode(METHOD_ID3D12Device2_CreatePipelineState, back);
    memcpy(&object, (char *)at(((uint64_t *)at(back[0]))[1]) + 8, 8);
    cr_assert(object == 0);
}

/* D3D12_RESOURCE_BARRIER: a transition, then an alias: which member of the union there is follows
 * from the type. */
struct barrier {
    uint32_t type, flags;
    uint64_t first, second, third;
};

Test(codec, of_a_union_the_member_counts_that_is_selected)
{
    const struct barrier barriers[] = {{0, 0, 0x100, 7, 0x1234}, {1, 0, 0x200, 0x300, 0x400}};
    uint64_t args[CODEC_ARGS] = {2, word(barriers)}, back[CODEC_ARGS], words[12];
    encode(METHOD_ID3D12GraphicsCommandList_ResourceBarrier, args);
    memcpy(words, bytes.data, sizeof words);
    cr_assert(words[4] == 0x101 && words[5] == 7, "a transition has one object");
    cr_assert(words[8] == 0x201 && words[9] == 0x301, "an alias has two");
    decode(METHOD_ID3D12GraphicsCommandList_ResourceBarrier, back);
    cr_assert_arr_eq(at(back[1]), barriers, sizeof barriers);
}

struct state_subobject {
    uint32_t type, padding;
    const void *desc;
};
struct exports_association {
    const struct state_subobject *to;
    uint32_t count, padding;
    const wchar_t *const *exports;
};

Test(codec, state_objects_keep_who_is_associated_with_whom)
{
    const uint32_t mask = 3;
    const wchar_t *const names[] = {L"Miss", L"Hit"};
    struct state_subobject subobjects[2] = {{3, 0, &mask},
                                            {7, 0, NULL}}; /* node mask, association */
    const struct exports_association association = {&subobjects[0], 2, 0, names};
    subobjects[1].desc = &association;
    const struct {
        uint32_t type, count;
        const struct state_subobject *subobjects;
    } desc = {3, 2, subobjects}, *copy;
    uint64_t args[CODEC_ARGS] = {word(&desc)}, back[CODEC_ARGS];
    encode(METHOD_ID3D12Device5_CreateStateObject, args);
    decode(METHOD_ID3D12Device5_CreateStateObject, back);
    copy = at(back[0]);
    const struct exports_association *found = copy->subobjects[1].desc;
    cr_assert(found->to == &copy->subobjects[0] && found->count == 2);
    cr_assert(wcscmp(found->exports[1], L"Hit") == 0);
    cr_assert(memcmp(copy->subobjects[0].desc, &mask, 4) == 0);
}

/* ---- damage ---- */

Test(codec, every_cut_is_damage)
{
    uint8_t stream[STREAM_SIZE];
    const struct {
        uint64_t size, stream;
    } desc = {24, word(stream)};
    make_stream(stream, 0x7000);
    uint64_t args[CODEC_ARGS] = {word(&desc)}, back[CODEC_ARGS];
    struct codec_in in;
    encode(METHOD_ID3D12Device2_CreatePipelineState, args);
    for (size_t size = 0; size < bytes.size; size += 8) {
        uint8_t *copy = malloc(size + 1);
        memcpy(copy, bytes.data, size);
        cr_assert_not(decode_from(METHOD_ID3D12Device2_CreatePipelineState, copy, size, back, 4,
                                  &in),
                      "cut at %u", (unsigned)size);
        free(copy);
    }
}

Test(codec, a_count_below_what_the_call_would_read_is_damage)
{
    const uint64_t lists[] = {0x10, 0x20, 0x30};
    uint64_t args[CODEC_ARGS] = {3, word(lists)}, back[CODEC_ARGS], claimed = 4;
    struct codec_in in;
    encode(METHOD_ID3D12CommandQueue_ExecuteCommandLists, args);
    memcpy(bytes.data, &claimed, 8);
    cr_assert_not(decode_from(METHOD_ID3D12CommandQueue_ExecuteCommandLists, bytes.data, bytes.size,
                              back, 4, &in));
}

Test(codec, an_enormous_count_is_damage)
{
    const uint64_t lists[] = {0x10};
    uint64_t args[CODEC_ARGS] = {1, word(lists)}, back[CODEC_ARGS];
    struct codec_in in;
    encode(METHOD_ID3D12CommandQueue_ExecuteCommandLists, args);
    for (unsigned shift = 1; shift < 64; shift++) {
        const uint64_t count = 1ull << shift;
        memcpy(bytes.data + 16, &count, 8);
        cr_assert_not(decode_from(METHOD_ID3D12CommandQueue_ExecuteCommandLists, bytes.data,
                                  bytes.size, back, 4, &in));
    }
}

/* ---- memory ---- */

Test(codec, an_arenas_memory_is_zero_and_apart)
{
    uint8_t *first = codec_arena_take(arena, 100), *large = codec_arena_take(arena, 1 << 20);
    uint8_t *second = codec_arena_take(arena, 100);
    memset(first, 1, 100);
    memset(large, 2, 1 << 20);
    for (int i = 0; i < 100; i++)
        cr_assert(second[i] == 0);
    cr_assert(((uintptr_t)first | (uintptr_t)large | (uintptr_t)second) % 16 == 0);
    codec_arena_reset(arena);
    first = codec_arena_take(arena, 100);
    for (int i = 0; i < 100; i++)
        cr_assert(first[i] == 0, "also the second time");
    cr_assert_null(codec_arena_take(arena, (size_t)1 << 31));
}
