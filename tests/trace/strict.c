/* Records that a runtime is called with: what the table cannot tell does no harm [ANN-HOST-01]. */
#include <capture/trace/codec.h>

#include "asserts.h"

#include <string.h>

static struct codec_arena *arena;
static uint16_t asked; /* the interface that the last object had to have */

static void setup(void)
{
    schema_init();
    arena = codec_arena_create();
    cr_assert(arena);
}

static void teardown(void)
{
    codec_arena_destroy(arena);
}

TestSuite(strict, .init = setup, .fini = teardown);

static void *object_of(void *user, uint64_t number)
{
    (void)user;
    return (void *)(uintptr_t)number;
}

static void *object_as(void *user, uint64_t number, uint16_t type)
{
    asked = type;
    return object_of(user, number);
}

static uint64_t same(void *user, uint8_t kind, uint64_t value)
{
    (void)user, (void)kind;
    return value;
}

static bool decode(int method, const uint64_t *words, size_t count, bool strict, uint64_t *args)
{
    struct codec_in in = {.at = (const uint8_t *)words,
                          .end = (const uint8_t *)(words + count),
                          .arena = arena,
                          .wchar_size = sizeof(wchar_t),
                          .object = object_of,
                          .object_as = object_as,
                          .address = same,
                          .strict = strict};
    codec_arena_reset(arena);
    return codec_decode(&in, &schema_methods[method], args, false);
}

static const uint64_t *at(uint64_t address)
{
    return (const uint64_t *)(uintptr_t)address;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define POINTER      0x4141414141414141u

Test(strict, a_pointer_in_a_union_of_no_known_kind_is_none)
{
    /* one group of one barrier, whose type is 9 */
    const uint64_t words[] = {1, 1, 1, 9 | (uint64_t)1 << 32, POINTER};
    uint64_t args[CODEC_ARGS];
    const int method = METHOD_ID3D12GraphicsCommandList7_Barrier;
    cr_assert(decode(method, words, COUNT(words), true, args));
    cr_expect_eqs(at(args[1])[0], words[3], at(args[1])[1], 0);
    cr_assert(decode(method, words, COUNT(words), false, args));
    cr_expect_eq(at(args[1])[1], POINTER, "who prints it sees what there was");
}

Test(strict, what_is_behind_an_unknown_subobject_is_zero)
{
    /* a stream of 24 bytes, whose first subobject is of type 200 */
    const uint64_t words[] = {1, 1,  1, /* the parameters */
                              1, 24, 1, 24, 200 | POINTER << 32, POINTER, POINTER, 1, 0, 0, 1};
    uint64_t args[CODEC_ARGS];
    cr_assert(decode(METHOD_ID3D12Device2_CreatePipelineState, words, COUNT(words), true, args));
    const uint64_t *stream = at(at(args[0])[1]);
    cr_expect(stream[0] == 200 && stream[1] == 0 && stream[2] == 0);
}

/* A recorder leaves out arrays that claim more than 1 GiB: nobody can read them. */
Test(strict, an_array_has_as_many_elements_as_the_call_says)
{
    const uint64_t words[] = {0, 1, (uint64_t)1 << 40, 1, 1, 0, 1, 0, 0, 1};
    uint64_t args[CODEC_ARGS];
    cr_expect(!decode(METHOD_ID3D12Device_CreateRootSignature, words, COUNT(words), true, args));
    cr_expect(decode(METHOD_ID3D12Device_CreateRootSignature, words, COUNT(words), false, args));
}

Test(strict, truth_is_zero_or_one)
{
    uint64_t words[2 + 176 / 8] = {1, 1};
    uint64_t args[CODEC_ARGS];
    const struct schema_struct *s = &schema_structs[TYPE_emu_config];
    cr_assert_eq(s->size, 176);
    uint32_t offset = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (strcmp(schema_fields[s->first + i].name, "debug_layer") == 0)
            offset = schema_fields[s->first + i].offset;
    ((uint8_t *)(words + 2))[offset] = 0xa4;
    cr_assert(decode(METHOD_NONE_emu_configure, words, COUNT(words), true, args));
    cr_expect_eq(((const uint8_t *)at(args[0]))[offset], 1);
}

Test(strict, an_object_is_asked_for_with_its_interface)
{
    const uint64_t words[] = {7, 1};
    uint64_t args[CODEC_ARGS];
    cr_assert(decode(METHOD_ID3D12CommandQueue_Signal, words, COUNT(words), true, args));
    cr_expect_eq(asked, TYPE_ID3D12Fence);
    cr_expect_eq(schema_methods[METHOD_ID3D12CommandQueue_Signal].owner, TYPE_ID3D12CommandQueue);
    cr_expect_eq(schema_methods[METHOD_NONE_D3D12CreateDevice].owner, TYPE_NONE);
}

Test(strict, an_arena_gives_no_more_than_its_limit)
{
    codec_arena_limit(arena, 4096);
    cr_expect(!codec_arena_take(arena, 8192));
    cr_expect(codec_arena_take(arena, 2048));
    cr_expect(!codec_arena_take(arena, 2048), "both together, with what each has behind it");
    codec_arena_reset(arena);
    cr_expect(codec_arena_take(arena, 2048));
}
