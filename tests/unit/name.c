/* Object names [ANN-NAME-02..05, -07 as far as the library goes; freed ones are looked at through
 * the dump, in lib/dump_write/write.c]. */
#include "spy.h"
#include "record/types.h"

#include <wchar.h>

static annot_object *object_make(annot_device *device, D3D12DDI_HANDLETYPE kind)
{
    annot_object_desc desc = {.kind = kind, .driver_handle = spy_handle(3)};
    annot_object *object = NULL;
    cr_assert_eq(annot_object_create(device, &desc, &object), ANNOT_OK);
    return object;
}

static const uint16_t utf16_grin[] = {0x41, 0xD83D, 0xDE00, 0x20AC, 0};
static const uint32_t utf32_grin[] = {0x41, 0x1F600, 0x20AC, 0};
static const char utf8_grin[] = "A\xF0\x9F\x98\x80\xE2\x82\xAC";

static const wchar_t *const wide_grin = sizeof(wchar_t) == 2
                                            ? (const wchar_t *)(const void *)utf16_grin
                                            : (const wchar_t *)(const void *)utf32_grin;

static const struct {
    const char *what;
    const void *name;
    annot_text_unit unit;
    const char *utf8;
    const wchar_t *wide; /* what a driver gets for UTF-8 */
} names[] = {
    {"ASCII", "Shadow map", ANNOT_TEXT_UTF8, "Shadow map", L"Shadow map"},
    {"empty", "", ANNOT_TEXT_UTF8, "", L""},
    {"UTF-8", utf8_grin, ANNOT_TEXT_UTF8, utf8_grin, NULL},
    {"UTF-16 with a surrogate pair", utf16_grin, ANNOT_TEXT_UTF16, utf8_grin, NULL},
    {"UTF-32", utf32_grin, ANNOT_TEXT_UTF32, utf8_grin, NULL},
    {"lone high surrogate", (const uint16_t[]){0xD800, 'a', 0}, ANNOT_TEXT_UTF16,
     "\xEF\xBF\xBD"
     "a",
     NULL},
    {"lone low surrogate", (const uint16_t[]){'a', 0xDFFF, 0}, ANNOT_TEXT_UTF16, "a\xEF\xBF\xBD",
     NULL},
    {"high surrogate at the end", (const uint16_t[]){'a', 0xD83D, 0}, ANNOT_TEXT_UTF16,
     "a\xEF\xBF\xBD", NULL},
    {"reversed pair", (const uint16_t[]){0xDE00, 0xD83D, 0}, ANNOT_TEXT_UTF16,
     "\xEF\xBF\xBD\xEF\xBF\xBD", NULL},
    {"surrogate in UTF-32", (const uint32_t[]){0xD83D, 0xDE00, 0}, ANNOT_TEXT_UTF32,
     "\xEF\xBF\xBD\xEF\xBF\xBD", NULL},
    {"past U+10FFFF", (const uint32_t[]){0x10FFFF, 0x110000, 0xFFFFFFFF, 0}, ANNOT_TEXT_UTF32,
     "\xF4\x8F\xBF\xBF\xEF\xBF\xBD\xEF\xBF\xBD", NULL},
    {"broken UTF-8", "a\xFF\xC3", ANNOT_TEXT_UTF8, "a\xEF\xBF\xBD\xEF\xBF\xBD", L"a\xFFFD\xFFFD"},
};

/* ANN-NAME-05: a wide name goes to the driver as the caller's own pointer, a UTF-8 one as wide
 * characters, and the copy is valid UTF-8. */
Test(name, arrives_in_wide_characters_and_reads_back_as_utf8)
{
    for (uint32_t mode = 1; mode <= 2; mode++) {
        AT_END(spy_device_ended) annot_device *device = spy_device(mode, 0);
        AT_END(spy_object_ended) annot_object *object = object_make(device, D3D12DDI_HT_RESOURCE);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const char *what = names[i].what;
            spy_forget_calls();
            spy_name_unit = names[i].unit == ANNOT_TEXT_UTF8 ? sizeof(wchar_t) : 0;
            cr_expect_eq(annot_object_set_name(object, names[i].name, names[i].unit), ANNOT_OK);
            /* ANN-NAME-03: under RUNTIME_ONLY retrievable, no call. */
            cr_assert_eq(spy_calls.count, mode == 2, "%s", what);
            if (mode == 2) {
                cr_expect_eq(spy_last()->function, SPY_NAME);
                if (names[i].unit != ANNOT_TEXT_UTF8)
                    cr_expect_eq(spy_last()->name, names[i].name, "%s", what);
                else
                    cr_expect_eq(wcscmp(spy_wide_name, names[i].wide ? names[i].wide : wide_grin),
                                 0, "%s: %ls", what, spy_wide_name);
                cr_expect_eq(spy_last()->handle, spy_handle(3));
                cr_expect_eq(spy_last()->type, D3D12DDI_HT_RESOURCE);
            }
            char text[64];
            memset(text, '#', sizeof text);
            cr_expect_eq(annot_object_get_name(object, text, sizeof text), strlen(names[i].utf8));
            cr_expect_str_eq(text, names[i].utf8, "%s", what);
        }
    }
}

/* ddi.h: name_unit says what the driver's characters are. */
Test(name, utf8_becomes_characters_as_wide_as_the_driver_has_them)
{
    static const struct {
        uint32_t unit;
        const void *expected;
        size_t size;
    } rows[] = {{2, utf16_grin, sizeof utf16_grin},
                {4, utf32_grin, sizeof utf32_grin},
                {0, wide_grin, 0},
                {1, wide_grin, 0},
                {3, wide_grin, 0},
                {5, wide_grin, 0},
                {UINT32_MAX, wide_grin, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        annot_driver driver = spy_driver;
        const size_t size = rows[i].size ? rows[i].size : (wcslen(wide_grin) + 1) * sizeof(wchar_t);
        driver.name_unit = rows[i].unit;
        spy_name_unit = rows[i].size ? rows[i].unit : sizeof(wchar_t);
        annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
        desc.driver = &driver;
        desc.force_driver_retail = true;
        annot_device *device;
        cr_assert_eq(annot_device_create(&desc, &device), ANNOT_OK);
        annot_object *object = object_make(device, D3D12DDI_HT_FENCE);
        cr_expect_eq(annot_object_set_name(object, utf8_grin, ANNOT_TEXT_UTF8), ANNOT_OK);
        cr_expect_eq(memcmp(spy_wide_name, rows[i].expected, size), 0, "unit %u", rows[i].unit);
        annot_object_destroy(object);
        annot_device_destroy(device);
    }
}

/* ANN-NAME-04 */
Test(name, null_clears_and_is_forwarded)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_object_ended) annot_object *object = object_make(device, D3D12DDI_HT_FENCE);
    char text[8] = "#######";
    cr_expect_eq(annot_object_get_name(object, text, sizeof text), 0, "none yet");
    cr_expect_str_eq(text, "");
    annot_object_set_name(object, L"name", ANNOT_TEXT_UTF32);
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(annot_object_set_name(object, NULL, ANNOT_TEXT_UTF32), ANNOT_OK);
        cr_expect_eq(spy_last()->name, NULL);
        cr_expect_eq(spy_last()->function, SPY_NAME);
        memset(text, '#', sizeof text);
        cr_expect_eq(annot_object_get_name(object, text, sizeof text), 0);
        cr_expect_str_eq(text, "");
    }
    cr_expect_eq(spy_calls.count, 3);
}

/* ANN-NAME-05 */
Test(name, may_have_a_mebibyte)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_object_ended) annot_object *object = object_make(device, D3D12DDI_HT_HEAP);
    enum { LONG = 1 << 20 };
    uint16_t *name = malloc((LONG + 1) * sizeof *name);
    for (size_t i = 0; i < LONG; i++)
        name[i] = (uint16_t)(i % 3 ? 'a' + i % 26 : 0x20AC);
    name[LONG] = 0;
    cr_expect_eq(annot_object_set_name(object, name, ANNOT_TEXT_UTF16), ANNOT_OK);
    cr_expect_eq(spy_last()->name, name);
    size_t size = annot_object_get_name(object, NULL, 0);
    cr_expect_eq(size, LONG + 2 * ((LONG + 2) / 3));
    free(name);
    AT_END(at_end_free) char *text = malloc(size + 1);
    cr_expect_eq(annot_object_get_name(object, text, size + 1), size);
    cr_expect_eq(strlen(text), size);
    size_t at = 0;
    for (size_t i = 0; i < LONG; i++) {
        if (i % 3) {
            cr_assert_eq(text[at++], (char)('a' + i % 26));
        } else {
            cr_assert_eq(memcmp(text + at, "\xE2\x82\xAC", 3), 0);
            at += 3;
        }
    }
}

/* ANN-NAME-05: a buffer that is too small gets whole characters only. */
Test(name, is_cut_at_a_characters_border)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_RUNTIME_ONLY, 0);
    AT_END(spy_object_ended) annot_object *object = object_make(device, D3D12DDI_HT_HEAP);
    annot_object_set_name(object, "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z", ANNOT_TEXT_UTF8);
    static const size_t fits[] = {0, 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11, 11};
    for (size_t capacity = 0; capacity < sizeof fits / sizeof *fits; capacity++) {
        char text[32];
        memset(text, '#', sizeof text);
        cr_expect_eq(annot_object_get_name(object, text, capacity), 11);
        if (capacity)
            cr_expect_eq(strlen(text), fits[capacity], "capacity %zu", capacity);
        for (size_t i = capacity; i < sizeof text; i++)
            cr_assert_eq(text[i], '#', "capacity %zu", capacity);
    }
}

Test(name, units_other_than_1_2_4_are_refused)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_object_ended) annot_object *object = object_make(device, D3D12DDI_HT_HEAP);
    annot_object_set_name(object, "kept", ANNOT_TEXT_UTF8);
    spy_forget_calls();
    static const int wrong[] = {0, 3, 5, 8, -1};
    const size_t allocations = spy_heap.allocations;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect_eq(annot_object_set_name(object, "x", (annot_text_unit)wrong[i]),
                     ANNOT_ERROR_INVALID_ARGUMENT);
        cr_expect_eq(annot_object_set_name_counted(object, "x", 1, (annot_text_unit)wrong[i]),
                     ANNOT_ERROR_INVALID_ARGUMENT);
    }
    cr_expect_eqs(spy_calls.count, 0, spy_heap.allocations, allocations);
    char text[8];
    annot_object_get_name(object, text, sizeof text);
    cr_expect_str_eq(text, "kept");
}

/* annot.h: "When a copy can't be had the call still succeeds". */
Test(name, without_memory_still_reaches_the_driver)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_object_ended) annot_object *object = object_make(device, D3D12DDI_HT_HEAP);
    annot_object_set_name(object, "old", ANNOT_TEXT_UTF8);
    spy_name_unit = sizeof(wchar_t);
    static const char fresh[] = "new";
    spy_forget_calls();
    spy_heap.fail_at = spy_heap.allocations + 1; /* the library's copy */
    cr_expect_eq(annot_object_set_name(object, fresh, ANNOT_TEXT_UTF8), ANNOT_ERROR_OUT_OF_MEMORY);
    cr_expect_eq(wcscmp(spy_wide_name, L"new"), 0);
    cr_expect_eq(annot_object_get_name(object, NULL, 0), 0);
    spy_heap.fail_at = spy_heap.allocations + 2; /* the driver's */
    cr_expect_eq(annot_object_set_name(object, fresh, ANNOT_TEXT_UTF8), ANNOT_ERROR_OUT_OF_MEMORY);
    cr_expect_null(spy_last()->name);
    cr_expect_eq(annot_object_get_name(object, NULL, 0), 3);
    cr_expect_eq(spy_calls.count, 2, "one call each");
    for (size_t fail = 1; fail <= 2; fail++) { /* the terminated copy, the library's */
        spy_heap.fail_at = spy_heap.allocations + fail;
        cr_expect_eq(annot_object_set_name_counted(object, L"newer", 3, ANNOT_TEXT_UTF32),
                     ANNOT_ERROR_OUT_OF_MEMORY, "allocation %zu", fail);
    }
}

/* ANN-NAME-01 at library level: handle, type and name, whatever the kind. */
Test(name, every_kind_is_forwarded_with_its_type)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    for (int kind = D3D12DDI_HT_COMMAND_QUEUE; kind <= D3D12DDI_HT_VIDEO_ENCODER_HEAP; kind++) {
        AT_END(spy_object_ended)
        annot_object *object = object_make(device, (D3D12DDI_HANDLETYPE)kind);
        spy_forget_calls();
        annot_object_set_name(object, L"x", ANNOT_TEXT_UTF32);
        cr_expect_eq(spy_calls.count, 1);
        cr_expect_eq(spy_last()->type, (D3D12DDI_HANDLETYPE)kind);
    }
}

/* ANN-NAME-07, ANN-LIFE-05: what is remembered of destroyed objects is bounded. */
Test(name, memory_of_destroyed_objects_is_bounded)
{
    static const uint32_t limits[] = {0, 1, 10, 1000};
    for (size_t l = 0; l < 4; l++) {
        annot_device_desc desc = spy_desc();
        desc.freed_name_count = limits[l];
        AT_END(spy_device_ended) annot_device *device;
        annot_device_create(&desc, &device);
        size_t blocks = spy_heap.blocks;
        for (int i = 0; i < 3000; i++) {
            AT_END(spy_object_ended)
            annot_object *object = object_make(device, D3D12DDI_HT_RESOURCE);
            annot_object_set_name(object, "name", ANNOT_TEXT_UTF8);
        }
        cr_expect_eq(spy_heap.blocks - blocks, 2 * limits[l], "an object and its name each");
    }
}

/* ANN-NAME-07 is of names; recordings, which a dump has, are a list's. */
Test(name, a_destroyed_object_without_one_is_kept_when_recordings_refer_to_it)
{
    static const struct {
        uint32_t kind;
        unsigned kept;
    } kinds[] = {
        {D3D12DDI_HT_COMMAND_QUEUE, 0}, {D3D12DDI_HT_RESOURCE, 0}, {D3D12DDI_HT_COMMAND_LIST, 1}};
    for (size_t k = 0; k < 3; k++) {
        annot_device_desc desc = spy_desc();
        AT_END(spy_device_ended) annot_device *device;
        annot_device_create(&desc, &device);
        const size_t blocks = spy_heap.blocks;
        for (int i = 0; i < 100; i++)
            annot_object_destroy(object_make(device, kinds[k].kind));
        cr_expect_eq(spy_heap.blocks - blocks, 100 * kinds[k].kept, "kind %u", (unsigned)k);
    }
}

/* However long the names: 16 MiB of them are remembered, the latest; and when long ones have gone,
 * there is room for as many as before. */
Test(name, bytes_of_destroyed_names_are_bounded_and_given_back)
{
    enum { LONG = 1 << 20, LONG_ONES = 40, SHORT_ONES = 500 };
    annot_device_desc desc = spy_desc();
    desc.freed_name_count = SHORT_ONES;
    desc.memory_budget = ANNOT_BUDGET_NONE; /* whose quarter is no bound */
    AT_END(spy_device_ended) annot_device *device;
    annot_device_create(&desc, &device);
    static char text[LONG + 1];
    memset(text, 'n', LONG);
    const size_t bytes = spy_heap.bytes, blocks = spy_heap.blocks;
    for (int i = 0; i < LONG_ONES; i++) {
        AT_END(spy_object_ended) annot_object *object = object_make(device, D3D12DDI_HT_RESOURCE);
        annot_object_set_name(object, text, ANNOT_TEXT_UTF8);
    }
    cr_expect_leq(spy_heap.bytes - bytes, (16u << 20) + 65536);
    cr_expect_geq(spy_heap.bytes - bytes, 15u << 20);
    for (int i = 0; i < SHORT_ONES; i++) {
        AT_END(spy_object_ended) annot_object *object = object_make(device, D3D12DDI_HT_RESOURCE);
        annot_object_set_name(object, "name", ANNOT_TEXT_UTF8);
    }
    cr_expect_eq(spy_heap.blocks - blocks, 2 * SHORT_ONES, "an object and its name each");
    cr_expect_leq(spy_heap.bytes - bytes, 1u << 20);
}

/* ANN-NAME-07: whoever has little memory for markers has little for names that nobody has any
 * more. */
Test(name, destroyed_objects_take_a_quarter_of_the_budget_at_most)
{
    annot_device_desc desc = spy_desc();
    desc.memory_budget = 1 << 20;
    desc.freed_name_count = UINT32_MAX;
    AT_END(spy_device_ended) annot_device *device;
    annot_device_create(&desc, &device);
    const size_t bytes = spy_heap.bytes;
    for (int i = 0; i < 100000; i++) {
        char text[64];
        snprintf(text, sizeof text, "the name of the object with the number %d", i);
        AT_END(spy_object_ended)
        annot_object *object =
            object_make(device, i % 2 ? D3D12DDI_HT_RESOURCE : D3D12DDI_HT_COMMAND_LIST);
        if (i % 4)
            annot_object_set_name(object, text, ANNOT_TEXT_UTF8);
    }
    cr_expect_leq(spy_heap.bytes - bytes, 1u << 18);
    cr_expect_geq(spy_heap.bytes - bytes, (1u << 18) - 4096);
}

/* ANN-NAME-06: as Windows lays GUIDs out; GUIDs that differ in one byte name nothing. */
Test(name, guids_of_debug_names_say_which_characters_they_have)
{
    unsigned char narrow[16] = {0x22, 0x8c, 0x9b, 0x42, 0x88, 0x91, 0x0c, 0x4b,
                                0x87, 0x42, 0xac, 0xb0, 0xbf, 0x85, 0xc2, 0x00};
    unsigned char wide[16] = {0xd8, 0x5f, 0xca, 0x4c, 0x1f, 0x92, 0xc8, 0x42,
                              0x85, 0x66, 0x70, 0xca, 0xf2, 0xa9, 0xb7, 0x41};
    cr_expect_eq(annot_guid_name_unit(narrow, ANNOT_TEXT_UTF16), ANNOT_TEXT_UTF8);
    cr_expect_eq(annot_guid_name_unit(wide, ANNOT_TEXT_UTF16), ANNOT_TEXT_UTF16);
    cr_expect_eq(annot_guid_name_unit(wide, ANNOT_TEXT_UTF32), ANNOT_TEXT_UTF32);
    cr_expect_eq(annot_guid_name_unit(NULL, ANNOT_TEXT_UTF16), 0);
    for (size_t i = 0; i < 16; i++) {
        narrow[i] ^= 0x10, wide[i] ^= 0x10;
        cr_expect_eq(annot_guid_name_unit(narrow, ANNOT_TEXT_UTF16), 0);
        cr_expect_eq(annot_guid_name_unit(wide, ANNOT_TEXT_UTF16), 0);
        narrow[i] ^= 0x10, wide[i] ^= 0x10;
    }
}

/* The message has their kinds and names, as far as there is room. */
Test(name, objects_that_outlive_the_device_are_named)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    desc.message = spy_message;
    annot_device *device = NULL;
    cr_assert_eq(annot_device_create(&desc, &device), ANNOT_OK);
    const annot_object_desc kinds[] = {{.kind = D3D12DDI_HT_COMMAND_LIST},
                                       {.kind = D3D12DDI_HT_FENCE}};
    annot_object *objects[40];
    for (size_t i = 0; i < 2; i++)
        cr_assert_eq(annot_object_create(device, &kinds[i], &objects[i]), ANNOT_OK);
    annot_object_set_name(objects[0], "Shadow list", ANNOT_TEXT_UTF8);
    annot_device_destroy(device);
    cr_expect_eq(spy_said.id, ANNOT_MESSAGE_MISUSE);
    cr_expect(strstr(spy_said.text, "2 objects"), "%s", spy_said.text);
    cr_expect(strstr(spy_said.text, "command list 1 'Shadow list', fence 2;"), "%s", spy_said.text);

    char name[512];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    annot_object_set_name(objects[0], name, ANNOT_TEXT_UTF8);
    for (size_t i = 2; i < 40; i++)
        cr_assert_eq(annot_object_create(device, &kinds[0], &objects[i]), ANNOT_OK);
    annot_device_destroy(device);
    cr_expect(strstr(spy_said.text, "40 objects"), "%s", spy_said.text);
    cr_expect(strstr(spy_said.text, "...;"), "%s", spy_said.text);
    cr_expect(strstr(spy_said.text, "and arenas first"), "%s", spy_said.text);
    for (size_t i = 0; i < 40; i++)
        annot_object_destroy(objects[i]);
    annot_device_destroy(device);
}

/* Memory is counted to the byte, for objects with a name and for lists, which are kept without. */
Test(name, the_bound_on_destroyed_objects_is_exact)
{
    enum { COUNT = 10 };
    for (size_t less = 0; less < 2; less++)
        for (int is_named = 0; is_named < 2; is_named++) {
            annot_device_desc desc = spy_desc();
            desc.memory_budget =
                4 * (COUNT * (sizeof(annot_object) + (is_named ? sizeof "name" : 0)) - less);
            AT_END(spy_device_ended) annot_device *device;
            annot_device_create(&desc, &device);
            const size_t blocks = spy_heap.blocks;
            for (int i = 0; i < COUNT; i++) {
                AT_END(spy_object_ended)
                annot_object *object = object_make(device, D3D12DDI_HT_COMMAND_LIST);
                if (is_named)
                    annot_object_set_name(object, "name", ANNOT_TEXT_UTF8);
            }
            cr_expect_eq(spy_heap.blocks - blocks, (COUNT - less) * (is_named ? 2 : 1));
        }
}
