/* ANN-NAME: SetName on every kind of object. */
#include "kit_dump.h"
#include "kit_object.h"

CASES(name_cases, "name");

#define NOT_FOUND 0x887A0002 /* DXGI_ERROR_NOT_FOUND */

static const WCHAR name[] = {'t', 'h', 'i', 'n', 'g', 0};
static const WCHAR other_name[] = {'o', 't', 'h', 'e', 'r', ' ', 'n', 'a', 'm', 'e', 0};

static struct kit_object object_of_row(ID3D12Device *device)
{
    return kit_object(device, (enum kit_object_kind)case_row());
}

static size_t length_of(const WCHAR *text)
{
    size_t length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

/* A handle is what the driver made of the object: it has never seen the runtime's own pointers. */
static void expect_drivers_handle(const void *handle, ID3D12Object *object)
{
    OWNED IUnknown *identity = NULL;
    REQUIRE_OK(ID3D12Object_QueryInterface(object, &IID_IUnknown, (void **)&identity));
    EXPECT(handle);
    EXPECT(handle != (void *)object);
    EXPECT(handle != (void *)identity);
}

/* Call `number` tells the driver this name; NULL: none. */
static void expect_named(size_t number, const struct kit_object *object, const WCHAR *text)
{
    REQUIRE_EQ(spy_count(), number + 1);
    const struct spy_call *call = spy_at(number);
    EXPECT_EQ(call->function, SPY_NAME);
    EXPECT_EQ(call->type, object->type);
    expect_drivers_handle(call->handle, object->object);
    EXPECT(call->handle == spy_at(0)->handle);
    EXPECT_EQ(call->name != NULL, text != NULL);
    if (!text || !call->name)
        return;
    EXPECT_EQ(call->name_length, length_of(text));
    EXPECT_BYTES(call->name, text, (length_of(text) + 1) * sizeof *text);
}

/* The object tells its own name; the specification leaves open whether a NUL comes with it. */
static void expect_kept(ID3D12Object *object, const WCHAR *text)
{
    WCHAR got[32];
    UINT size = sizeof got;
    memset(got, 0x5A, sizeof got);
    if (!text) {
        EXPECT_HR(ID3D12Object_GetPrivateData(object, &WKPDID_D3DDebugObjectNameW, &size, got),
                  NOT_FOUND);
        return;
    }
    const size_t bytes = length_of(text) * sizeof *text;
    EXPECT_OK(ID3D12Object_GetPrivateData(object, &WKPDID_D3DDebugObjectNameW, &size, got));
    EXPECT(size == bytes || (size == bytes + sizeof *text && got[length_of(text)] == 0));
    EXPECT_BYTES(got, text, bytes);
}

/* ---- what the driver hears ---- */

CASE(set_name_reaches_the_driver_once, "ANN-NAME-01",
     "An object of this kind is nameless in the driver's dump, or has an old name.", .needs = SPY,
     .rows = kit_object_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    struct kit_object object = object_of_row(device);
    EXPECT_EQ(spy_count(), 0);
    EXPECT_OK(ID3D12Object_SetName(object.object, name));
    expect_named(0, &object, name);
    EXPECT_OK(ID3D12Object_SetName(object.object, other_name));
    expect_named(1, &object, other_name);
    expect_kept(object.object, other_name);
    EXPECT_OK(ID3D12Object_SetName(object.object, other_name)); /* the same once more */
    expect_named(2, &object, other_name);
    kit_object_done(&object);
    EXPECT_EQ(spy_count(), 3);
}

CASE(two_objects_are_named_apart, "ANN-NAME-01",
     "A driver takes two objects of this kind for one, and shows the wrong name.", .needs = SPY,
     .rows = kit_object_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    struct kit_object one = object_of_row(device), two = object_of_row(device);
    EXPECT_OK(ID3D12Object_SetName(one.object, name));
    EXPECT_OK(ID3D12Object_SetName(two.object, other_name));
    REQUIRE_EQ(spy_count(), 2);
    EXPECT(spy_at(0)->handle != spy_at(1)->handle);
    expect_kept(one.object, name);
    expect_kept(two.object, other_name);
    kit_object_done(&one);
    kit_object_done(&two);
}

CASE(every_kind_has_handles_of_its_own, "ANN-NAME-01",
     "A driver takes objects of two kinds for one, and shows the wrong name.", .needs = SPY)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    static struct kit_object objects[OBJECT_KINDS];
    size_t named = 0;
    for (size_t i = 0; i < OBJECT_KINDS; i++) {
        objects[i] = kit_object_if_any(device, (enum kit_object_kind)i);
        if (!objects[i].object)
            continue;
        EXPECT_OK(ID3D12Object_SetName(objects[i].object, name));
        REQUIRE_EQ(spy_count(), ++named);
        EXPECT_EQ_AT(i, spy_last()->type, objects[i].type);
        for (size_t k = 0; k + 1 < named; k++)
            EXPECT(spy_at(k)->handle != spy_last()->handle);
        for (size_t k = 0; k <= i; k++)
            if (objects[k].object)
                EXPECT(spy_last()->handle != (void *)objects[k].object);
    }
    EXPECT(named > 0);
    for (size_t i = 0; i < OBJECT_KINDS; i++)
        if (objects[i].object)
            kit_object_done(&objects[i]);
}

CASE(a_lists_name_and_markers_have_one_handle, "ANN-NAME-01 ANN-MARK-01",
     "A driver can't tell which named list a marker is on.", .needs = SPY, .rows = kit_list_rows)
{
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    EXPECT_OK(ID3D12Object_SetName((ID3D12Object *)list.list, name));
    kit_set(&list, 1, "on it", 5);
    REQUIRE_EQ(spy_count(), 2);
    EXPECT(spy_at(0)->handle == spy_at(1)->handle);
}

CASE(a_queues_name_and_markers_have_one_handle, "ANN-NAME-01 ANN-MARK-02",
     "A driver can't tell which named queue a marker is on.", .needs = SPY, .rows = kit_queue_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, kit_queue_types[case_row()]);
    EXPECT_OK(ID3D12CommandQueue_SetName(queue, name));
    ID3D12CommandQueue_SetMarker(queue, 1, "on it", 5);
    REQUIRE_EQ(spy_count(), 2);
    EXPECT_EQ(spy_at(0)->type, D3D12DDI_HT_COMMAND_QUEUE);
    EXPECT(spy_at(0)->handle == spy_at(1)->handle);
}

static const char *const mode_rows[] = {"runtime-only", "driver-retail", NULL};

CASE(a_devices_name_is_no_drivers_business, "ANN-NAME-02",
     "A driver is told of an object that it doesn't have.", .needs = SPY, .rows = mode_rows)
{
    AT_END(kit_device_end)
    ID3D12Device *device = kit_spied_device(case_row() == 0 ? RUNTIME : RETAIL);
    ID3D12Object *object = (ID3D12Object *)device;
    EXPECT_OK(ID3D12Object_SetName(object, name));
    expect_kept(object, name);
    EXPECT_OK(ID3D12Object_SetPrivateData(object, &WKPDID_D3DDebugObjectNameW,
                                          sizeof other_name - sizeof *other_name, other_name));
    expect_kept(object, other_name);
    EXPECT_OK(ID3D12Object_SetPrivateData(object, &WKPDID_D3DDebugObjectName, 5, "bytes"));
    EXPECT_OK(ID3D12Object_SetName(object, NULL));
    expect_kept(object, NULL);
    EXPECT_EQ(spy_count(), 0);
}

CASE(
    under_runtime_only_names_stay_with_the_runtime, "ANN-NAME-03",
    "A driver gets names that the application didn't want it to have, or the runtime forgets them.",
    .needs = SPY, .rows = kit_object_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RUNTIME);
    AT_END(kit_object_done) struct kit_object object = object_of_row(device);
    EXPECT_OK(ID3D12Object_SetName(object.object, name));
    expect_kept(object.object, name);
    EXPECT_OK(ID3D12Object_SetPrivateData(object.object, &WKPDID_D3DDebugObjectNameW,
                                          sizeof other_name - sizeof *other_name, other_name));
    expect_kept(object.object, other_name);
    EXPECT_OK(ID3D12Object_SetPrivateData(object.object, &WKPDID_D3DDebugObjectName, 5, "bytes"));
    EXPECT_OK(ID3D12Object_SetName(object.object, NULL));
    expect_kept(object.object, NULL);
    EXPECT_EQ(spy_count(), 0);
}

CASE(the_mode_at_creation_decides_about_names, "ANN-NAME-03 ANN-NAME-01 ANN-MODE-04",
     "A driver gets the name of an object that it was never told about.", .needs = SPY,
     .rows = kit_object_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RUNTIME);
    AT_END(kit_object_done) struct kit_object before = object_of_row(device);
    kit_set_mode(device, RETAIL);
    AT_END(kit_object_done) struct kit_object after = object_of_row(device);
    EXPECT_OK(ID3D12Object_SetName(before.object, name));
    EXPECT_EQ(spy_count(), 0);
    kit_set_mode(device, RUNTIME);
    EXPECT_OK(ID3D12Object_SetName(after.object, name));
    expect_named(0, &after, name);
}

CASE(null_clears_a_name, "ANN-NAME-04",
     "An object that is used anew keeps its old name in the driver's dump.", .needs = SPY,
     .rows = kit_object_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    AT_END(kit_object_done) struct kit_object object = object_of_row(device);
    EXPECT_OK(ID3D12Object_SetName(object.object, name));
    expect_named(0, &object, name);
    EXPECT_OK(ID3D12Object_SetName(object.object, NULL));
    expect_named(1, &object, NULL);
    expect_kept(object.object, NULL);
    EXPECT_OK(ID3D12Object_SetName(object.object, other_name));
    expect_named(2, &object, other_name);
}

CASE(a_cleared_name_is_in_no_dump, "ANN-NAME-04", "A dump shows a name that the object gave up.",
     .needs = LOOKUP)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    annot_reader_object found;
    EXPECT_OK(ID3D12Fence_SetName(fence, name));
    annot_reader *dump = kit_dump(device);
    EXPECT_EQ(kit_dump_named(dump, "thing", &found), 1);
    EXPECT_EQ(found.kind, D3D12DDI_HT_FENCE);
    annot_reader_close(dump);
    EXPECT_OK(ID3D12Fence_SetName(fence, NULL));
    dump = kit_dump(device);
    EXPECT_EQ(kit_dump_named(dump, "thing", &found), 0);
    annot_reader_close(dump);
}

/* ---- private data ---- */

CASE(private_data_is_a_name, "ANN-NAME-06",
     "An application that names objects as it did under D3D11 has nameless ones.", .needs = SPY,
     .rows = kit_object_rows)
{
    static const WCHAR cut[] = {'o', 't', 'h', 'e', 'r', 0};
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    AT_END(kit_object_done) struct kit_object object = object_of_row(device);
    EXPECT_OK(ID3D12Object_SetPrivateData(object.object, &WKPDID_D3DDebugObjectNameW,
                                          5 * sizeof(WCHAR), other_name)); /* without NUL */
    expect_named(0, &object, cut);
    expect_kept(object.object, cut);
    EXPECT_OK(ID3D12Object_SetName(object.object, name));
    expect_named(1, &object, name);
    expect_kept(object.object, name);
    EXPECT_OK(ID3D12Object_SetPrivateData(object.object, &WKPDID_D3DDebugObjectNameW, sizeof name,
                                          name)); /* with NUL */
    expect_named(2, &object, name);
    EXPECT_OK(ID3D12Object_SetPrivateData(object.object, &WKPDID_D3DDebugObjectNameW, 0, NULL));
    expect_named(3, &object, NULL);
    expect_kept(object.object, NULL);
}

CASE(private_data_of_bytes_is_a_name, "ANN-NAME-06",
     "An application that names objects with char strings has nameless ones.", .needs = SPY,
     .rows = kit_object_rows)
{
    static const WCHAR wide[] = {'g', 'r', 0xFC, 0xDF, '!', 0};
    static const char bytes[] = "gr\xC3\xBC\xC3\x9F! and more";
    char got[16] = "";
    UINT size = sizeof got;
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    AT_END(kit_object_done) struct kit_object object = object_of_row(device);
    EXPECT_OK(ID3D12Object_SetPrivateData(object.object, &WKPDID_D3DDebugObjectName, 7, bytes));
    expect_named(0, &object, wide);
    EXPECT_OK(ID3D12Object_GetPrivateData(object.object, &WKPDID_D3DDebugObjectName, &size, got));
    EXPECT_EQ(size, 7);
    EXPECT_BYTES(got, bytes, 7);
}

CASE(other_private_data_is_no_name, "ANN-NAME-06",
     "A driver is told an application's private data as a name.", .needs = SPY,
     .rows = kit_object_rows)
{
    static const GUID own = {0x11223344, 0x5566, 0x7788, {1, 2, 3, 4, 5, 6, 7, 8}};
    WCHAR got[8];
    UINT size = sizeof got;
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    AT_END(kit_object_done) struct kit_object object = object_of_row(device);
    EXPECT_OK(ID3D12Object_SetPrivateData(object.object, &own, sizeof name, name));
    EXPECT_EQ(spy_count(), 0);
    expect_kept(object.object, NULL);
    EXPECT_OK(ID3D12Object_GetPrivateData(object.object, &own, &size, got));
    EXPECT_EQ(size, sizeof name);
    EXPECT_BYTES(got, name, sizeof name);
}

/* ---- any text ---- */

/* Rows: texts of UTF-16 code units; where a WCHAR has 32 bits each unit is a character of its own,
 * and a surrogate never one. Then the same as UTF-8, by the size of a WCHAR. */
#define FFFD "\xEF\xBF\xBD"
static const struct text {
    WCHAR units[12];
    const char *utf8[2]; /* WCHAR of 16 bits, of 32 bits */
} texts[] = {
    {{'S', 'h', 'a', 'd', 'o', 'w', ' ', '~'}, {"Shadow ~", "Shadow ~"}},
    {{0}, {"", ""}},
    {{0xE9, 0x4E2D, 0x6587, 0x20AC, 0xFFFD},
     {"\xC3\xA9\xE4\xB8\xAD\xE6\x96\x87\xE2\x82\xAC" FFFD,
      "\xC3\xA9\xE4\xB8\xAD\xE6\x96\x87\xE2\x82\xAC" FFFD}},
    {{'a', 0xD83D, 0xDE00, 'b'},
     {"a\xF0\x9F\x98\x80"
      "b",
      "a" FFFD FFFD "b"}},
    {{'a', 0xD800, 'b'}, {"a" FFFD "b", "a" FFFD "b"}},
    {{'a', 0xDC00, 'b'}, {"a" FFFD "b", "a" FFFD "b"}},
    {{'a', 0xDE00, 0xD83D, 'b'}, {"a" FFFD FFFD "b", "a" FFFD FFFD "b"}},
    {{'a', 0xD83D}, {"a" FFFD, "a" FFFD}},
    {{0xD83D, 0xD83D, 0xDE00, 0xDE00}, {FFFD "\xF0\x9F\x98\x80" FFFD, FFFD FFFD FFFD FFFD}},
    {{1, '\n', 0x7F, 0x80, 0xFEFF, 0xFFFF},
     {"\1\n\x7F\xC2\x80\xEF\xBB\xBF\xEF\xBF\xBF", "\1\n\x7F\xC2\x80\xEF\xBB\xBF\xEF\xBF\xBF"}},
};
static const char *const text_rows[] = {"ascii",
                                        "empty",
                                        "bmp",
                                        "surrogate-pair",
                                        "lone-high-surrogate",
                                        "lone-low-surrogate",
                                        "reversed-pair",
                                        "high-surrogate-at-the-end",
                                        "surrogates-around-a-pair",
                                        "controls-and-noncharacters",
                                        NULL};
_Static_assert(sizeof text_rows / sizeof *text_rows == sizeof texts / sizeof *texts + 1,
               "a row for every text");

CASE(any_name_arrives_unchanged, "ANN-NAME-05",
     "A name that is no valid Unicode is mended on its way to the driver.", .needs = SPY,
     .rows = text_rows)
{
    const WCHAR *text = texts[case_row()].units;
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    AT_END(kit_object_done) struct kit_object object = kit_object(device, OBJECT_FENCE);
    EXPECT_OK(ID3D12Object_SetName(object.object, text));
    expect_named(0, &object, text);
    expect_kept(object.object, text);
}

CASE(any_name_comes_back, "ANN-NAME-05 ANN-NAME-06",
     "A name that is no valid Unicode is mended, or is not the object's.", .needs = NAMES,
     .rows = text_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    EXPECT_OK(ID3D12Fence_SetName(fence, texts[case_row()].units));
    expect_kept((ID3D12Object *)fence, texts[case_row()].units);
}

CASE(any_private_name_comes_back, "ANN-NAME-05 ANN-NAME-06",
     "A name that is no valid Unicode is mended, or is not the object's.", .rows = text_rows)
{
    const WCHAR *text = texts[case_row()].units;
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    EXPECT_OK(ID3D12Fence_SetPrivateData(fence, &WKPDID_D3DDebugObjectNameW,
                                         (UINT)((length_of(text) + 1) * sizeof *text), text));
    expect_kept((ID3D12Object *)fence, text);
}

CASE(any_name_is_valid_utf8_in_a_dump, "ANN-NAME-05",
     "A dump, and every report made of it, has bytes that no reader of UTF-8 takes.",
     .needs = LOOKUP, .rows = text_rows)
{
    const char *wanted = texts[case_row()].utf8[sizeof(WCHAR) == 4];
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    annot_reader_object found;
    EXPECT_OK(ID3D12Fence_SetName(fence, texts[case_row()].units));
    AT_END(at_end_close) annot_reader *dump = kit_dump(device);
    EXPECT_EQ(kit_dump_named(dump, wanted, &found), 1); /* an empty name is one: only NULL clears */
}

#define MIB (1u << 20)

/* malloc'ed, 1 MiB of Chinese with a NUL. */
static WCHAR *large_name(void)
{
    const size_t length = MIB / sizeof(WCHAR);
    WCHAR *text = malloc((length + 1) * sizeof *text);
    REQUIRE(text);
    for (size_t i = 0; i < length; i++)
        text[i] = (WCHAR)(0x4E00 + i % 5000);
    text[length] = 0;
    return text;
}

static void expect_large_name(ID3D12Object *object, const WCHAR *text)
{
    AT_END(at_end_free) WCHAR *got = malloc(MIB + sizeof *got);
    UINT size = MIB + sizeof *got;
    REQUIRE(got);
    EXPECT_OK(ID3D12Object_GetPrivateData(object, &WKPDID_D3DDebugObjectNameW, &size, got));
    EXPECT(size == MIB || size == MIB + sizeof *got);
    EXPECT_BYTES(got, text, MIB);
}

CASE(a_name_of_1_mib_arrives_unchanged, "ANN-NAME-05",
     "A generated name is cut off on its way to the driver, or fells the application.",
     .needs = SPY, .rows = kit_object_rows)
{
    AT_END(at_end_free) WCHAR *text = large_name();
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    AT_END(kit_object_done) struct kit_object object = object_of_row(device);
    EXPECT_OK(ID3D12Object_SetName(object.object, text));
    expect_named(0, &object, text);
    expect_large_name(object.object, text);
}

CASE(a_name_of_1_mib_comes_back, "ANN-NAME-05 ANN-NAME-06",
     "A generated name is cut off, or fells the application.", .needs = NAMES,
     .rows = kit_object_rows)
{
    AT_END(at_end_free) WCHAR *text = large_name();
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    AT_END(kit_object_done) struct kit_object object = object_of_row(device);
    EXPECT_OK(ID3D12Object_SetName(object.object, text));
    expect_large_name(object.object, text);
}

/* The text's beginning as three bytes a character. */
static bool is_beginning(annot_text utf8, const WCHAR *text)
{
    for (size_t i = 0; i + 2 < utf8.size; i += 3) {
        const unsigned c = (unsigned)text[i / 3];
        const unsigned char *at = (const unsigned char *)utf8.data + i;
        if (at[0] != (0xE0 | c >> 12) || at[1] != (0x80 | (c >> 6 & 63)) ||
            at[2] != (0x80 | (c & 63)))
            return false;
    }
    return utf8.size % 3 == 0;
}

CASE(a_name_of_1_mib_is_cut_between_characters, "ANN-NAME-05",
     "A dump cuts a long name in the middle of a character, or is damaged by it.", .needs = LOOKUP)
{
    AT_END(at_end_free) WCHAR *text = large_name();
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    size_t named = 0;
    EXPECT_OK(ID3D12Fence_SetName(fence, text));
    AT_END(at_end_close) annot_reader *dump = kit_dump(device);
    for (size_t i = 0; i < annot_reader_object_count(dump); i++) {
        annot_reader_object object;
        REQUIRE(annot_reader_object_at(dump, i, &object));
        if (!object.is_named)
            continue;
        named++;
        EXPECT_EQ(object.kind, D3D12DDI_HT_FENCE);
        EXPECT(object.name.size > 1000);
        EXPECT(object.is_name_cut == (object.name.size < length_of(text) * 3));
        EXPECT(is_beginning(object.name, text));
    }
    EXPECT_EQ(named, 1);
}

/* ---- objects that are gone ---- */

CASE(a_destroyed_objects_name_is_in_the_dump, "ANN-NAME-07",
     "The GPU faults at an object that was released a frame before, and the dump can't say which.",
     .needs = LOOKUP, .rows = kit_object_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    struct kit_object object = object_of_row(device);
    annot_reader_object found;
    const uint32_t kind = (uint32_t)object.type;
    EXPECT_OK(ID3D12Object_SetName(object.object, name));
    annot_reader *dump = kit_dump(device);
    REQUIRE_EQ(kit_dump_named(dump, "thing", &found), 1);
    EXPECT(!found.is_destroyed && found.kind == kind);
    const uint64_t id = found.id;
    annot_reader_close(dump);
    kit_object_done(&object);
    dump = kit_dump(device);
    REQUIRE_EQ(kit_dump_named(dump, "thing", &found), 1);
    EXPECT(found.is_destroyed && found.kind == kind);
    EXPECT_EQ(found.id, id);
    annot_reader_close(dump);
}

/* "fence N"; static. */
static const WCHAR *numbered(unsigned number)
{
    static WCHAR wide[32];
    char text[32];
    memset(text, 0, sizeof text);
    snprintf(text, sizeof text, "fence %u", number);
    for (size_t i = 0; i < sizeof text; i++)
        wide[i] = (WCHAR)(unsigned char)text[i];
    return wide;
}

/* The N of an object that is called "fence N" and is destroyed; UINT32_MAX: another. */
static uint32_t number_of(const annot_reader_object *object)
{
    uint32_t number = 0;
    if (!object->is_named || !object->is_destroyed || object->name.size <= 6 ||
        memcmp(object->name.data, "fence ", 6) != 0)
        return UINT32_MAX;
    for (size_t i = 6; i < object->name.size; i++)
        number = number * 10 + (uint32_t)(object->name.data[i] - '0');
    return number;
}

CASE(the_names_of_the_last_65536_stay, "ANN-NAME-07",
     "An application that makes many objects has lost their names when it crashes, or remembers "
     "every one for ever.",
     .needs = LOOKUP)
{
    enum { KEPT = ANNOT_FREED_NAMES_DEFAULT, OLDER = 1000 };
    static unsigned char seen[KEPT + OLDER];
    size_t old = 0, new = 0;
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    for (unsigned i = 0; i < KEPT + OLDER; i++) {
        OWNED ID3D12Fence *fence = kit_fence(device, 0);
        REQUIRE_OK(ID3D12Fence_SetName(fence, numbered(i)));
    }
    AT_END(at_end_close) annot_reader *dump = kit_dump(device);
    for (size_t i = 0; i < annot_reader_object_count(dump); i++) {
        annot_reader_object object;
        REQUIRE(annot_reader_object_at(dump, i, &object));
        const uint32_t number = number_of(&object);
        if (number < KEPT + OLDER)
            seen[number]++;
    }
    for (size_t i = 0; i < KEPT + OLDER; i++)
        *(i < OLDER ? &old : &new) += seen[i] == 1;
    EXPECT_EQ(new, KEPT);
    EXPECT_EQ(old, 0);
}
