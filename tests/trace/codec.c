/* Arguments as bytes and back [ANN-TRACE-02]. Objects are numbered by their address here. */
#include <capture/trace/codec.h>

#include "asserts.h"
#include "at_end.h"

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
    cr_assert(!out.bytes.failed);
    cr_assert_eq(out.bytes.size % 8, 0);
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
    cr_assert_eq(in.at, in.end, "all bytes are used");
}

static void set_up(void)
{
    schema_init();
    arena = codec_arena_create();
}

static void tear_down(void)
{
    codec_arena_destroy(arena);
    free(bytes.data);
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
        cr_assert_eq(bytes.size, 8 * schema_methods[m].count, "%s", schema_methods[m].name);
        decode(m, back);
        for (uint32_t i = 0; i < schema_methods[m].count; i++)
            cr_assert_eq(back[i], 0, "%s, %u", schema_methods[m].name, i);
    }
}

/* ---- values ---- */

Test(codec, objects_become_numbers)
{
    uint64_t args[CODEC_ARGS] = {0x1000}, back[CODEC_ARGS], number;
    encode(METHOD_ID3D12GraphicsCommandList_SetPipelineState, args);
    memcpy(&number, bytes.data, 8);
    cr_assert_eq(number, 0x1001);
    decode(METHOD_ID3D12GraphicsCommandList_SetPipelineState, back);
    cr_assert_eq(back[0], 0x1000);
}

/* ---- texts ---- */

Test(codec, wide_texts_are_utf16_in_the_trace)
{
    const uint16_t expected[] = {'a', 0xd83d, 0xde00};
    const wchar_t name[] = {'a', 0x1f600, 0};
    uint64_t args[CODEC_ARGS] = {word(name)}, words[2];
    encode(METHOD_ID3D12Object_SetName, args);
    memcpy(words, bytes.data, sizeof words);
    cr_assert_eqs(words[0], 1, words[1], 3);
    cr_assert_arr_eq(bytes.data + 16, expected, sizeof expected);
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
    cr_assert_eq3(sub.kind, KIND_O, value, 8, position, 16);
    cr_assert(codec_stream_next(stream, 24, &position, &value, &sub));
    cr_assert_eq3(sub.kind, KIND_U, value, 20, sub.size, 4);
    cr_assert_not(codec_stream_next(stream, 24, &position, &value, &sub));
    position = 0;
    cr_assert_not(codec_stream_next(stream, 15, &position, &value, &sub), "the value is cut");
}

/* D3D12_RESOURCE_BARRIER: a transition, then an alias: which member of the union there is follows
 * from the type. */
struct barrier {
    uint32_t type, flags;
    uint64_t first, second, third;
};

Test(codec, uses_the_selected_member_of_a_union)
{
    const struct barrier barriers[] = {{0, 0, 0x100, 7, 0x1234}, {1, 0, 0x200, 0x300, 0x400}};
    uint64_t args[CODEC_ARGS] = {2, word(barriers)}, back[CODEC_ARGS], words[12];
    encode(METHOD_ID3D12GraphicsCommandList_ResourceBarrier, args);
    memcpy(words, bytes.data, sizeof words);
    cr_assert_eqs(words[4], 0x101, words[5], 7, "a transition has one object");
    cr_assert_eqs(words[8], 0x201, words[9], 0x301, "an alias has two");
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

/* ---- calls that returned ---- */

static void decode_leave(int method, uint64_t *args)
{
    struct codec_in in = {.at = bytes.data,
                          .end = bytes.data + bytes.size,
                          .arena = arena,
                          .wchar_size = sizeof(wchar_t),
                          .object = object_of,
                          .address = same};
    codec_arena_reset(arena);
    memset(args, 0xee, CODEC_ARGS * sizeof *args);
    cr_assert(codec_decode(&in, &schema_methods[method], args, true));
    cr_assert_eq(in.at, in.end, "all bytes are used");
}

static const uint8_t some_iid[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

/* "In LEAVE the words of parameters that are read only are 0, those of plain values excepted." */
Test(codec, has_what_a_returned_call_wrote)
{
    const uint64_t fence = 0x2000;
    uint64_t args[CODEC_ARGS] = {5, 1, word(some_iid), word(&fence)}, back[CODEC_ARGS], words[6];
    encode_in(METHOD_ID3D12Device_CreateFence, args, true, sizeof(wchar_t));
    cr_assert_eq(bytes.size, sizeof words);
    memcpy(words, bytes.data, sizeof words);
    cr_assert_eqs(words[0], 5, words[1], 1);
    cr_assert_eqs(words[2], 0, words[3], 1);
    cr_assert_eqs(words[4], 1, words[5], 0x2001, "one element, the object's number");
    decode_leave(METHOD_ID3D12Device_CreateFence, back);
    cr_assert_eq3(back[0], 5, back[1], 1, back[2], 0);
    cr_assert_eq(*(uint64_t *)at(back[3]), 0x2000);
}

/* "the number of elements, then the elements, unless this is ENTER and the call only writes them"
 */
Test(codec, has_the_number_of_elements_that_a_call_will_write)
{
    uint64_t fence = 0x2000, words[8];
    uint64_t args[CODEC_ARGS] = {5, 1, word(some_iid), word(&fence)}, back[CODEC_ARGS];
    encode(METHOD_ID3D12Device_CreateFence, args);
    cr_assert_eq(bytes.size, sizeof words);
    memcpy(words, bytes.data, sizeof words);
    cr_assert_eqs(words[2], 1, words[3], 1, "one identifier");
    cr_assert_eq(words[4], 1, "one identifier");
    cr_assert_mem_eq(&words[5], some_iid, 16, "and one place");
    cr_assert_eq(words[7], 1, "and one place");
    decode(METHOD_ID3D12Device_CreateFence, back);
    cr_assert_eq(*(uint64_t *)at(back[3]), 0, "memory of its own, of zeros");
}

/* Bytes that the call reads and says the size of in turn. */
Test(codec, a_size_behind_a_pointer_counts)
{
    uint32_t size = 5;
    uint64_t args[CODEC_ARGS] = {word(some_iid), word(&size), word("12345")}, back[CODEC_ARGS];
    encode_in(METHOD_ID3D12Object_GetPrivateData, args, true, sizeof(wchar_t));
    decode_leave(METHOD_ID3D12Object_GetPrivateData, back);
    cr_assert_eq(*(uint32_t *)at(back[1]), 5);
    cr_assert_mem_eq(at(back[2]), "12345", 5);
    encode(METHOD_ID3D12Object_GetPrivateData, args);
    decode(METHOD_ID3D12Object_GetPrivateData, back);
    cr_assert_eq(*(uint32_t *)at(back[1]), 5);
    cr_assert_mem_eq(at(back[2]), "\0\0\0\0\0", 5);
    args[1] = 0; /* no size: nothing can be said of the bytes */
    encode_in(METHOD_ID3D12Object_GetPrivateData, args, true, sizeof(wchar_t));
    decode_leave(METHOD_ID3D12Object_GetPrivateData, back);
    cr_assert_eq(back[1], 0);
    cr_assert(back[2] != 0);
}

Test(codec, a_structure_that_is_returned_comes_back)
{
    static const uint32_t desc[] = {3, 100, 1, 0};
    struct codec_out out = {.bytes = bytes, .object = number_of};
    out.bytes.size = 0;
    codec_add_struct(&out, TYPE_D3D12_COMMAND_QUEUE_DESC, desc);
    bytes = out.bytes;
    cr_assert(!bytes.failed);
    cr_assert_eq(bytes.size, 16);
    struct codec_in in = {.at = bytes.data, .end = bytes.data + 16, .arena = arena};
    cr_assert_arr_eq(codec_take_struct(&in, TYPE_D3D12_COMMAND_QUEUE_DESC), desc, sizeof desc);
    in = (struct codec_in){.at = bytes.data, .end = bytes.data + 8, .arena = arena};
    cr_assert(!codec_take_struct(&in, TYPE_D3D12_COMMAND_QUEUE_DESC) && in.is_damaged);
}

/* CheckFeatureSupport: D3D12_FEATURE_X takes D3D12_FEATURE_DATA_X, when the size is that one's. */
Test(codec, bytes_of_a_feature_are_its_structure)
{
    static const uint32_t levels[] = {0xb000, 0xc000};
    struct {
        uint32_t count, padding;
        const uint32_t *levels;
        uint32_t most, end;
    } data = {2, 0, levels, 0, 0}, *copy;
    uint64_t args[CODEC_ARGS] = {2 /* FEATURE_LEVELS */, word(&data), sizeof data};
    uint64_t back[CODEC_ARGS], words[4];
    encode(METHOD_ID3D12Device_CheckFeatureSupport, args);
    memcpy(words, bytes.data, sizeof words);
    cr_assert_eq(words[3], 1, "one structure");
    decode(METHOD_ID3D12Device_CheckFeatureSupport, back);
    copy = at(back[1]);
    cr_assert(copy->levels != levels);
    cr_assert_mem_eq(copy->levels, levels, sizeof levels);
    args[2] = sizeof data - 1;
    encode(METHOD_ID3D12Device_CheckFeatureSupport, args);
    memcpy(words, bytes.data, sizeof words);
    cr_assert_eq(words[3], sizeof data - 1, "bytes");
}

/* ---- what is elsewhere ---- */

static uint64_t known_handle(uint64_t handle)
{
    return handle == 0x44 ? handle : UINT64_MAX;
}

/* D3D12_UNORDERED_ACCESS_VIEW_DESC grew for dimension 9 alone: a program of older headers has less
 * memory for the others. */
Test(codec, a_view_has_as_many_bytes_as_its_dimension)
{
    const int method = METHOD_ID3D12Device15_TryCreateUnorderedAccessView;
    for (uint32_t dimension = 0; dimension < 11; dimension++) {
        const size_t size = dimension == 9 ? 48 : 40;
        uint8_t desc[48];
        uint64_t args[CODEC_ARGS] = {0}, back[CODEC_ARGS];
        for (uint8_t i = 0; i < sizeof desc; i++)
            desc[i] = (uint8_t)(i + 1);
        memcpy(desc + 4, &dimension, sizeof dimension);
        AT_END(at_end_free) uint8_t *own = malloc(size);
        memcpy(own, desc, size);
        args[2] = word(own);
        encode(method, args);
        decode(method, back);
        cr_assert_mem_eq(at(back[2]), desc, size, "%u", dimension);
        cr_assert_eq(bytes.size, 4 * 8 + 8 + size, "%u", dimension);
    }
}

/* "a handle that was none is 2^64 - 1" */
Test(codec, a_handle_that_is_none_is_none_there)
{
    uint64_t handles[] = {0x44, 0x45, 0}, expected[] = {0x44, UINT64_MAX, 0}, found;
    for (int i = 0; i < 3; i++) {
        const uint64_t args[CODEC_ARGS] = {1, handles[i]};
        struct codec_out out = {.bytes = bytes, .object = number_of, .handle = known_handle};
        out.bytes.size = 0;
        codec_encode(&out, &schema_methods[METHOD_ID3D12Fence_SetEventOnCompletion], args, false);
        bytes = out.bytes;
        memcpy(&found, bytes.data + 8, 8);
        cr_assert_eq(found, expected[i]);
    }
}

static uint64_t moved(void *user, uint8_t kind, uint64_t value)
{
    (void)user;
    return value + 0x100000u * kind;
}

/* "that of any other pointer, or callback, 1 or 0 for NULL" */
Test(codec, pointers_that_are_not_followed_are_one_or_none)
{
    uint32_t cookie = 7;
    uint64_t args[CODEC_ARGS] = {0x1234, 0, 0x5678, word(&cookie)}, back[CODEC_ARGS], words[4];
    encode(METHOD_ID3D12InfoQueue1_RegisterMessageCallback, args);
    memcpy(words, bytes.data, sizeof words);
    cr_assert_eq3(words[0], 1, words[2], 1, words[3], 1);
    struct codec_in in = {.at = bytes.data,
                          .end = bytes.data + bytes.size,
                          .arena = arena,
                          .object = object_of,
                          .address = moved};
    cr_assert(codec_decode(&in, &schema_methods[METHOD_ID3D12InfoQueue1_RegisterMessageCallback],
                           back, false));
    cr_assert_eqs(back[0], 1 + 0x100000u * KIND_Y, back[2], 1 + 0x100000u * KIND_X);
    cr_assert_eq(*(uint32_t *)at(back[3]), 7);
    args[0] = args[2] = 0;
    encode(METHOD_ID3D12InfoQueue1_RegisterMessageCallback, args);
    in = (struct codec_in){.at = bytes.data,
                           .end = bytes.data + bytes.size,
                           .arena = arena,
                           .object = object_of,
                           .address = moved};
    cr_assert(codec_decode(&in, &schema_methods[METHOD_ID3D12InfoQueue1_RegisterMessageCallback],
                           back, false));
    cr_assert_eqs(back[0], 0, back[2], 0);
}

Test(codec, a_subobject_of_elsewhere_is_associated_with_none)
{
    const uint32_t mask = 3;
    const struct state_subobject other = {3, 0, &mask};
    struct state_subobject all[4] = {[1] = {3, 0, &mask}, {7, 0, NULL}}, *subobjects = all + 1;
    struct exports_association association = {&other, 0, 0, NULL};
    const struct {
        uint32_t type, count;
        const struct state_subobject *subobjects;
    } desc = {3, 2, subobjects}, *copy;
    uint64_t args[CODEC_ARGS] = {word(&desc)}, back[CODEC_ARGS];
    const struct state_subobject *const outside[] = {&other, &all[0], &all[3], NULL};
    subobjects[1].desc = &association;
    for (int i = 0; i < 4; i++) {
        association.to = outside[i];
        encode(METHOD_ID3D12Device5_CreateStateObject, args);
        decode(METHOD_ID3D12Device5_CreateStateObject, back);
        copy = at(back[0]);
        cr_assert_null(((const struct exports_association *)copy->subobjects[1].desc)->to);
    }
    association.to = &subobjects[1];
    encode(METHOD_ID3D12Device5_CreateStateObject, args);
    decode(METHOD_ID3D12Device5_CreateStateObject, back);
    copy = at(back[0]);
    cr_assert_eq(((const struct exports_association *)copy->subobjects[1].desc)->to,
                 &copy->subobjects[1]);
}

/* "In the place of the pointer stands 2 when the type is unknown: nothing follows." */
Test(codec, a_subobject_of_unknown_type_is_told_and_stays_one)
{
    const uint32_t data = 3;
    const struct state_subobject subobjects[] = {{77, 0, &data}, {77, 0, NULL}};
    const struct {
        uint32_t type, count;
        const struct state_subobject *subobjects;
    } desc = {3, 2, subobjects}, *copy;
    const uint64_t args[CODEC_ARGS] = {word(&desc)};
    uint64_t back[CODEC_ARGS], words[11];
    struct codec_out out = {.bytes = bytes, .object = number_of};
    out.bytes.size = 0;
    codec_encode(&out, &schema_methods[METHOD_ID3D12Device5_CreateStateObject], args, false);
    bytes = out.bytes;
    cr_assert(out.refused && strstr(out.refused, "unknown type"));
    cr_assert_eq(bytes.size, sizeof words);
    memcpy(words, bytes.data, sizeof words);
    cr_assert_eq(words[6], 2, "two subobjects");
    cr_assert_eqs(words[8], 2, words[10], 0);
    decode(METHOD_ID3D12Device5_CreateStateObject, back);
    copy = at(back[0]);
    cr_assert_eq(copy->subobjects[0].type, 77);
    cr_assert(copy->subobjects[0].desc);
    cr_assert_null(copy->subobjects[1].desc);
}

/* "An array that claims more than 1 GiB has 0 elements here, whatever counts them." */
Test(codec, an_array_that_claims_too_much_is_empty)
{
    const uint64_t one[] = {0x10};
    uint64_t args[CODEC_ARGS] = {(1u << 27) + 1, word(one)}, words[3];
    encode(METHOD_ID3D12CommandQueue_ExecuteCommandLists, args);
    cr_assert_eq(bytes.size, sizeof words);
    memcpy(words, bytes.data, sizeof words);
    cr_assert_eq3(words[0], (1u << 27) + 1, words[1], 1, words[2], 0);
    const struct {
        uint32_t type, count;
        const uint64_t *subobjects;
    } desc = {3, (1u << 26) + 1, one}; /* of 16 bytes */
    args[0] = word(&desc), args[1] = 0;
    encode(METHOD_ID3D12Device5_CreateStateObject, args);
    memcpy(words, bytes.data + bytes.size - 8, 8);
    cr_assert_eq(words[0], 0);
    uint64_t back[CODEC_ARGS];
    decode(METHOD_ID3D12Device5_CreateStateObject, back);
}

/* ---- copies within the process ---- */

static uint64_t real_of(void *user, void *pointer)
{
    (void)user;
    return word(pointer) + 0x100;
}

static void *same_object(void *user, uint64_t number)
{
    (void)user;
    return at(number);
}

static uint64_t copied(int method, uint32_t i, const uint64_t *args)
{
    struct codec_out out = {
        .bytes = bytes, .wchar_size = sizeof(wchar_t), .object = real_of, .raw = true};
    struct codec_in in = {.arena = arena,
                          .wchar_size = sizeof(wchar_t),
                          .object = same_object,
                          .address = moved, /* is not asked */
                          .raw = true};
    const uint64_t copy = codec_copy(&out, &in, &schema_methods[method], i, args);
    bytes = out.bytes;
    return copy;
}

Test(codec, a_copy_for_the_runtime_has_its_objects)
{
    const struct barrier barriers[] = {{0, 0, 0x1000, 7, 0x1234}, {1, 0, 0x2000, 0, 0}};
    const uint64_t args[CODEC_ARGS] = {2, word(barriers)};
    const struct barrier *copy =
        at(copied(METHOD_ID3D12GraphicsCommandList_ResourceBarrier, 1, args));
    cr_assert(copy && copy != barriers);
    cr_assert_eq3(copy[0].first, 0x1100, copy[0].second, 7, copy[0].third, 0x1234);
    cr_assert_eqs(copy[1].first, 0x2100, copy[1].second, 0);
    cr_assert_eq(barriers[0].first, 0x1000, "the program's own are as they were");
}

Test(codec, a_copy_for_the_runtime_keeps_what_is_not_followed)
{
    const uint32_t data = 3;
    const struct state_subobject subobjects[] = {{77, 0, &data}};
    const struct {
        uint32_t type, count;
        const struct state_subobject *subobjects;
    } desc = {3, 1, subobjects}, *copy;
    const uint64_t args[CODEC_ARGS] = {word(&desc)};
    copy = at(copied(METHOD_ID3D12Device5_CreateStateObject, 0, args));
    cr_assert(copy && copy->subobjects != subobjects);
    cr_assert_eqs(copy->subobjects[0].type, 77, copy->subobjects[0].desc, &data);
    uint64_t config[22] = {0};
    const uint64_t configure[CODEC_ARGS] = {word(config)};
    config[56 / 8] = 0x1234;
    config[64 / 8] = 0x5678;
    const uint64_t *found = at(copied(METHOD_NONE_emu_configure, 0, configure));
    cr_assert_eqs(found[56 / 8], 0x1234, found[64 / 8], 0x5678);
}

/* Arrays that claim more than there can be are for the runtime to refuse: it gets what there is,
 * with its own objects in the structure itself. */
Test(codec, a_copy_of_what_claims_too_much_is_the_structure_alone)
{
    static const uint32_t formats[] = {1};
    uint64_t desc[656 / 8] = {0};
    const struct schema_struct *s = &schema_structs[TYPE_D3D12_GRAPHICS_PIPELINE_STATE_DESC];
    const uint64_t args[CODEC_ARGS] = {word(desc)};
    cr_assert_eq(s->size, sizeof desc);
    desc[0] = 0x1000; /* root signature */
    for (uint32_t i = 0; i < s->count; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        if (strcmp(f->name, "InputLayout") != 0)
            continue;
        desc[f->offset / 8] = word(formats);
        desc[f->offset / 8 + 1] = UINT32_MAX;
        const uint64_t *copy = at(copied(METHOD_ID3D12Device_CreateGraphicsPipelineState, 0, args));
        cr_assert(copy && copy != desc, "as real_of says");
        cr_assert_eq(copy[0], 0x1100, "as real_of says");
        cr_assert_eq(copy[f->offset / 8], word(formats));
        return;
    }
    cr_assert_fail("no input layout");
}

Test(codec, a_copy_of_an_impossible_array_is_none)
{
    const uint64_t lists[] = {0x10};
    const uint64_t args[CODEC_ARGS] = {UINT32_MAX, word(lists)};
    cr_assert_eq(copied(METHOD_ID3D12CommandQueue_ExecuteCommandLists, 1, args), 0);
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
        AT_END(at_end_free) uint8_t *copy = malloc(size + 1);
        memcpy(copy, bytes.data, size);
        cr_assert_not(decode_from(METHOD_ID3D12Device2_CreatePipelineState, copy, size, back, 4,
                                  &in),
                      "cut at %u", (unsigned)size);
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

/* The count stands in the structure, too: the call would read as many. */
Test(codec, a_member_with_fewer_elements_than_its_structure_says_is_damage)
{
    const struct {
        uint32_t type, rest[3];
    } arguments[2] = {{0, {0}}, {1, {0}}};
    const struct {
        uint32_t stride, count;
        uint64_t arguments;
        uint32_t mask;
    } desc = {4, 2, word(arguments), 0};
    uint64_t args[CODEC_ARGS] = {word(&desc)}, back[CODEC_ARGS];
    struct codec_in in;
    encode(METHOD_ID3D12Device_CreateCommandSignature, args);
    const size_t elements = bytes.size - sizeof arguments;
    uint64_t count;
    memcpy(&count, bytes.data + elements - 8, 8);
    cr_assert_eq(count, 2);
    count = 1;
    memcpy(bytes.data + elements - 8, &count, 8);
    cr_assert_not(decode_from(METHOD_ID3D12Device_CreateCommandSignature, bytes.data, bytes.size,
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
        cr_assert_eq(second[i], 0);
    cr_assert_eq(((uintptr_t)first | (uintptr_t)large | (uintptr_t)second) % 16, 0);
    codec_arena_reset(arena);
    first = codec_arena_take(arena, 100);
    for (int i = 0; i < 100; i++)
        cr_assert_eq(first[i], 0, "also the second time");
    cr_assert_null(codec_arena_take(arena, (size_t)1 << 31));
}
