/* The C macros: their bytes are the encoder's, and the four rows of the specification's table of
 * configurations, each judged by what reaches the driver [ANN-PIX-02, ANN-PIX-04]. */
#include "deaf_driver.h"
#include "unit_kit.h"
#include "pix_blob.h"
#include "pix_markers.h"

/* The calls that arrived, one per line: "begin NAME", "marker NAME", "end". */
static char journal[1024];
static uint32_t last_metadata;
static struct blob last;

static void note(const char *verb, uint32_t metadata, const void *data, uint32_t size)
{
    const struct decoded d = decode_bytes(metadata, data, size);
    cr_expect_eq(d.status, ANNOT_PIX_OK);
    const size_t used = strlen(journal);
    snprintf(journal + used, sizeof journal - used, "%s %.200s\n", verb, d.name);
    last_metadata = metadata;
    memcpy(last.bytes, data, size);
    last.size = size;
}

static void note_end(void)
{
    strcat(journal, "end\n");
}

/* ---- a driver ---- */

static void list_begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                       uint32_t size, uint64_t id)
{
    (void)list, (void)id;
    note("begin", metadata, data, size);
}

static void list_marker(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                        uint32_t size, uint64_t id)
{
    (void)list, (void)id;
    note("marker", metadata, data, size);
}

static void list_end(D3D12DDI_HCOMMANDLIST list, uint64_t id)
{
    (void)list, (void)id;
    note_end();
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 functions = {
    deaf_queue_marker, deaf_queue_end, deaf_queue_marker, list_begin,
    list_end,          list_marker,    deaf_set_name};

static const annot_driver driver = {
    "journal", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0, &functions, 0};

/* Runs `record` on a list of a device in this mode; returns the journal. */
static const char *run(annot_mode mode, void (*record)(annot_context *context, int *evaluated),
                       int *evaluated)
{
    annot_device_desc device_desc = ANNOT_DEVICE_DESC_INIT;
    device_desc.driver = &driver;
    const annot_object_desc object_desc = {.kind = D3D12DDI_HT_COMMAND_LIST};
    annot_device *device;
    annot_object *object;
    annot_arena *arena;
    annot_context *context;
    cr_assert_eq(annot_device_create(&device_desc, &device), ANNOT_OK);
    cr_assert_eq(annot_device_set_mode(device, (uint32_t)mode), ANNOT_OK);
    cr_assert_eq(annot_object_create(device, &object_desc, &object), ANNOT_OK);
    cr_assert_eq(annot_arena_create(device, &arena), ANNOT_OK);
    cr_assert_eq(annot_context_create(object, &context), ANNOT_OK);
    cr_assert_eq(annot_context_open(context, arena), ANNOT_OK);

    journal[0] = '\0';
    *evaluated = 0;
    record(context, evaluated);

    annot_context_close(context);
    annot_context_destroy(context);
    annot_arena_destroy(arena);
    annot_object_destroy(object);
    annot_device_destroy(device);
    return journal;
}

static const char everything[] = "begin development 1\nmarker development marker 2\nend\n"
                                 "begin retail scope 1\nmarker retail marker\nend\n";
static const char only_retail[] = "begin retail scope 1\nmarker retail marker\nend\n";

/* Rows 1 and 2 of the table don't differ in what they compile: development and retail build without
 * USE_PIX_RETAIL. */
Test(pix_macros, without_use_pix_retail_all_markers_reach_the_driver)
{
    int evaluated;
    cr_expect_str_eq(run(ANNOT_MODE_DRIVER_RETAIL, record_markers, &evaluated), everything);
    cr_expect_eq(evaluated, 2, "each argument once");
}

Test(pix_macros, with_use_pix_retail_and_runtime_only_nothing_reaches_the_driver)
{
    int evaluated;
    cr_expect_str_eq(run(ANNOT_MODE_RUNTIME_ONLY, record_markers_retail, &evaluated), "");
    cr_expect_eq(evaluated, 0);
}

Test(pix_macros, with_use_pix_retail_and_driver_retail_only_retail_markers_reach_the_driver)
{
    int evaluated;
    cr_expect_str_eq(run(ANNOT_MODE_DRIVER_RETAIL, record_markers_retail, &evaluated), only_retail);
    cr_expect_eq(evaluated, 0, "what compiles to nothing evaluates nothing");
    cr_expect_eq(last_metadata, ANNOT_PIX_METADATA_V2);
}

Test(pix_macros, under_runtime_only_no_argument_is_evaluated)
{
    int evaluated;
    cr_expect_str_eq(run(ANNOT_MODE_RUNTIME_ONLY, record_markers, &evaluated), "");
    cr_expect_eq(evaluated, 0);
}

/* ---- over COM objects ---- */

static void fake_begin(struct fake_list *self, uint32_t metadata, const void *data, uint32_t size)
{
    (void)self;
    note("begin", metadata, data, size);
}

static void fake_marker(struct fake_list *self, uint32_t metadata, const void *data, uint32_t size)
{
    (void)self;
    note("marker", metadata, data, size);
}

static void fake_end(struct fake_list *self)
{
    (void)self;
    note_end();
}

static const struct fake_list_vtbl fake_functions = {fake_marker, fake_begin, fake_end};

Test(pix_macros, pix_names_call_the_object)
{
    struct fake_list list = {&fake_functions};
    int evaluated = 0;
    journal[0] = '\0';
    record_d3d12_markers(&list, &evaluated);
    cr_expect_str_eq(journal, everything);
    cr_expect_eq(evaluated, 2);
    cr_expect_eq(last_metadata, ANNOT_PIX_METADATA_V1);
}

Test(pix_macros, pix_names_obey_use_pix_retail_and_v2)
{
    struct fake_list list = {&fake_functions};
    int evaluated = 0;
    journal[0] = '\0';
    record_d3d12_markers_retail(&list, &evaluated);
    cr_expect_str_eq(journal, only_retail);
    cr_expect_eq(evaluated, 0);
    const struct decoded d = decode_bytes(last_metadata, last.bytes, last.size);
    cr_expect_eq(d.event.context, (uint64_t)(uintptr_t)&list, "the object is the context word");
}

/* ---- bytes ---- */

/* Encodes with the macros' inlined steps, as a marker would. */
#define BUILD(out, color, ...)                                                                     \
    do {                                                                                           \
        ANNOT__PIX_BUILD(0, ANNOT_PIX_KIND_BEGIN, color, __VA_ARGS__);                             \
        memcpy((out)->bytes, annot__blob, annot__size);                                            \
        (out)->size = annot__size;                                                                 \
    } while (0)

static void expect_same(const struct blob *built, const char *format, const annot_pix_arg *args,
                        size_t count)
{
    annot_pix_desc desc = {.version = ANNOT_PIX_V1, .kind = ANNOT_PIX_KIND_BEGIN};
    desc.color_kind = ANNOT_PIX_COLOR_KIND_ARGB;
    desc.color = 0xff010203;
    desc.format.type = ANNOT_PIX_STR;
    desc.format.value.str = format;
    desc.args = args;
    desc.arg_count = count;
    uint8_t bytes[512];
    cr_expect_eq(annot_pix_encode(&desc, bytes, sizeof bytes), built->size);
    cr_expect_eq(memcmp(bytes, built->bytes, built->size), 0, "%s", format);
}

/* The reference's rules by type: int and char sign-extended, other small integers zero-extended. */
Test(pix_macros, every_type_is_encoded_as_the_reference_does)
{
    const short s = -2;
    const signed char sc = -3;
    const unsigned char uc = 0xfe;
    const unsigned short us = 0xfffe;
    const long l = -4;
    const unsigned long ul = 5;
    const char c = 'Q';
    const int target = 0;
    struct blob b;
    BUILD(&b, ANNOT_PIX_COLOR(1, 2, 3), "x", -1, s, sc, uc, us, l, ul, -5LL, 6ULL, 0.5f, -0.5, c,
          (_Bool) true, (const void *)&target, 7u);
    const annot_pix_arg args[] = {
        {ANNOT_PIX_I32, 0, {.i32 = -1}},     {ANNOT_PIX_U32, 0, {.u32 = 0xfffe}},
        {ANNOT_PIX_U32, 0, {.u32 = 0xfd}},   {ANNOT_PIX_U32, 0, {.u32 = 0xfe}},
        {ANNOT_PIX_U32, 0, {.u32 = 0xfffe}}, {ANNOT_PIX_U64, 0, {.u64 = (unsigned long)-4}},
        {ANNOT_PIX_U64, 0, {.u64 = 5}},      {ANNOT_PIX_I64, 0, {.i64 = -5}},
        {ANNOT_PIX_U64, 0, {.u64 = 6}},      {ANNOT_PIX_F32, 0, {.f32 = 0.5f}},
        {ANNOT_PIX_F64, 0, {.f64 = -0.5}},   {ANNOT_PIX_CHAR, 0, {.c = 'Q'}},
        {ANNOT_PIX_BOOL, 0, {.b = true}},    {ANNOT_PIX_PTR, 0, {.ptr = &target}},
        {ANNOT_PIX_U32, 0, {.u32 = 7}},
    };
    expect_same(&b, "x", args, sizeof args / sizeof *args);
}

Test(pix_macros, strings_inline_and_out_of_line_are_the_same_bytes)
{
    static const char *volatile run_time = "a string";
    const uint16_t *const utf16 = u"utf16";
    const annot_pix_arg args[] = {{ANNOT_PIX_STR, 0, {.str = "12345678"}},
                                  {ANNOT_PIX_STR, 0, {.str = "a string"}},
                                  {ANNOT_PIX_WSTR, 0, {.wstr = u"utf16"}},
                                  {ANNOT_PIX_WSTR, 0, {.wstr = u"wide"}},
                                  {ANNOT_PIX_STR, 0, {.str = NULL}}};
    struct blob b;
    BUILD(&b, ANNOT_PIX_COLOR(1, 2, 3), "%s%s%s%s%s", "12345678", run_time, utf16,
          ANNOT_PIX_WIDE(L"wide"), (const char *)NULL);
    expect_same(&b, "%s%s%s%s%s", args, 5);
    BUILD(&b, ANNOT_PIX_COLOR(1, 2, 3), run_time);
    expect_same(&b, "a string", NULL, 0);
    BUILD(&b, ANNOT_PIX_COLOR(1, 2, 3), "");
    expect_same(&b, "", NULL, 0);
}

Test(pix_macros, take_wide_formats)
{
    struct blob b;
    BUILD(&b, ANNOT_PIX_COLOR(1, 2, 3), L"wide %d", 5);
    cr_expect_str_eq(decode_v1(&b).name, "wide 5");
    BUILD(&b, ANNOT_PIX_COLOR(1, 2, 3), u"utf16 %d", 5);
    cr_expect_str_eq(decode_v1(&b).name, "utf16 5");
}

Test(pix_macros, long_text_is_cut_at_the_limit)
{
    char text[600] = "";
    memset(text, 'x', sizeof text - 1);
    const annot_pix_arg args[] = {{ANNOT_PIX_STR, 0, {.str = text}},
                                  {ANNOT_PIX_I32, 0, {.i32 = 5}}};
    struct blob b;
    BUILD(&b, ANNOT_PIX_COLOR(1, 2, 3), "%s %d", text, 5);
    cr_expect_eq(b.size, 496u);
    expect_same(&b, "%s %d", args, 2);
}

Test(pix_macros, take_sixteen_arguments)
{
    struct blob b;
    BUILD(&b, ANNOT_PIX_COLOR(1, 2, 3), "%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d", 1, 2, 3, 4, 5, 6, 7, 8,
          9, 0, 1, 2, 3, 4, 5, 6);
    cr_expect_str_eq(decode_v1(&b).name, "1234567890123456");
}

Test(pix_macros, take_colors)
{
    struct blob b;
    BUILD(&b, -1, "c");
    cr_expect_eq(memcmp(b.bytes + 8, "\xff\xff\xff\xff\xff\xff\xff\xff", 8), 0,
                 "int: sign-extended");
    BUILD(&b, 0x1122334455667788u, "c");
    cr_expect_eq(memcmp(b.bytes + 8, "\x88\x77\x66\x55\x44\x33\x22\x11", 8), 0);
    BUILD(&b, ANNOT_PIX_COLOR_INDEX(255), "c");
    cr_expect_eq(decode_v1(&b).event.color_kind, ANNOT_PIX_COLOR_KIND_INDEX);
    cr_expect_eq(decode_v1(&b).event.color, 255u);
    BUILD(&b, 256, "c");
    cr_expect_eq(decode_v1(&b).event.color_kind, ANNOT_PIX_COLOR_KIND_ARGB, "no index is so large");
    BUILD(&b, ANNOT_PIX_COLOR(0x112, 0x34, 0x56), "c");
    cr_expect_eq(decode_v1(&b).event.color, 0xff123456u);
}
