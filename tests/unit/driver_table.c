/* Drivers without the feature, with holes in their table, with unknown versions [ANN-CAPS-02, -04,
 * ANN-DDI-01]. */
#include "spy.h"

#include <stddef.h>

static annot_device *device_with(const annot_driver *driver)
{
    annot_device_desc desc = spy_desc();
    desc.driver = driver;
    desc.message = spy_message;
    spy_forget_messages();
    spy_forget_calls();
    annot_device *device = NULL;
    cr_assert_eq(annot_device_create(&desc, &device), ANNOT_OK);
    annot_device_set_mode(device, ANNOT_MODE_DRIVER_RETAIL);
    return device;
}

/* Markers and names succeed, no driver call is made, and what was recorded is there. */
static void expect_absent_but_working(annot_device *device)
{
    cr_expect_not(annot_device_is_supported(device));
    struct spy_child list = spy_list(device, 0, NULL), queue = spy_queue(device, 0, NULL);
    annot_arena *arena = spy_arena(device);
    annot_context_open(list.context, arena);
    annot_context *contexts[] = {list.context, queue.context};
    for (int i = 0; i < 2; i++) {
        annot_context_begin_event(contexts[i], 0, "scope", 5);
        annot_context_set_marker(contexts[i], 0, "set", 3);
        annot_context_end_event(contexts[i]);
        annot_context_end_event(contexts[i]);
    }
    cr_expect_eq(annot_object_set_name(list.object, "name", ANNOT_TEXT_UTF8), ANNOT_OK);
    cr_expect_eq(annot_object_get_name(list.object, NULL, 0), 4);
    cr_expect_eq(spy_calls.count, 0);
    cr_expect_geq(spy_stats(device).live_bytes, 2 * 65536, "retained all the same");
    spy_child_done(list);
    spy_child_done(queue);
    annot_arena_destroy(arena);
    spy_device_done(device);
}

Test(driver_table, complete_table_is_supported)
{
    AT_END(spy_device_ended) annot_device *device = device_with(&spy_driver);
    cr_expect(annot_device_is_supported(device));
    cr_expect_eq(spy_said.count, 0);
}

/* ANN-CAPS-02: no driver, or one that doesn't report the feature, is nothing to speak of. */
Test(driver_table, driver_without_the_feature_gets_no_call)
{
    const annot_driver drivers[] = {
        {"legacy", 0, NULL, 0},
        {"legacy with a table", 0, &spy_table, 0},
        {NULL, 0, NULL, 0},
    };
    expect_absent_but_working(device_with(NULL));
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
        annot_device *device = device_with(&drivers[i]);
        cr_expect_eq(spy_said.count, 0);
        expect_absent_but_working(device);
    }
}

/* ANN-CAPS-04: one message that says which entry. */
Test(driver_table, each_hole_makes_the_feature_absent_and_is_named)
{
#define ENTRY(name)                                                                                \
    {                                                                                              \
#name, offsetof(D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121, name)                         \
    }
    static const struct {
        const char *name;
        size_t offset;
    } entries[] = {
        ENTRY(pfnCmdQueueBeginEvent),
        ENTRY(pfnCmdQueueEndEvent),
        ENTRY(pfnCmdQueueSetMarker),
        ENTRY(pfnCmdListBeginEvent),
        ENTRY(pfnCmdListEndEvent),
        ENTRY(pfnCmdListSetMarker),
        ENTRY(pfnSetName),
    };
    for (size_t hole = 0; hole < sizeof entries / sizeof *entries; hole++) {
        D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = spy_table;
        memset((char *)&table + entries[hole].offset, 0, sizeof table.pfnSetName);
        const annot_driver driver = {hole % 2 ? "holey" : NULL, 1, &table, 0};
        char text[128];
        annot_device *device = device_with(&driver);
        cr_expect_eq(spy_said.count, 1);
        cr_expect_eq(spy_said.id, ANNOT_MESSAGE_DRIVER_TABLE_INVALID);
        snprintf(text, sizeof text, "driver %s reports annotations, but its table lacks %s: ",
                 hole % 2 ? "holey" : "(unnamed)", entries[hole].name);
        cr_expect_eq(strncmp(spy_said.text, text, strlen(text)), 0, "%s", spy_said.text);
        expect_absent_but_working(device);
    }
}

/* ANN-CAPS-04: one function of the seven is no table of NULLs. */
Test(driver_table, one_function_alone_is_a_table_with_holes)
{
    const size_t one = sizeof spy_table.pfnSetName;
    for (size_t offset = 0; offset < sizeof spy_table; offset += one) {
        D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {0};
        memcpy((char *)&table + offset, (const char *)&spy_table + offset, one);
        const annot_driver driver = {"lonely", 1, &table, 0};
        annot_device *device = device_with(&driver);
        cr_expect_eq(spy_said.count, 1, "entry %zu", offset / one);
        cr_expect_eq(spy_said.id, ANNOT_MESSAGE_DRIVER_TABLE_INVALID);
        expect_absent_but_working(device);
    }
}

/* A layer that wants none of the calls has nothing to write, and nothing is wrong with it. */
Test(driver_table, a_driver_without_any_function_takes_nothing_and_is_not_told_of)
{
    static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 nulls;
    const annot_driver drivers[] = {
        {"no table", 1, NULL, 0}, {NULL, 1, NULL, 0}, {"table of NULLs", 1, &nulls, 0}};
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
        annot_device *device = device_with(&drivers[i]);
        cr_expect_eq(spy_said.count, 0, "%s", spy_said.text);
        expect_absent_but_working(device);
    }
}

/* ANN-CAPS-04 */
Test(driver_table, unknown_versions_make_it_absent)
{
    const annot_driver drivers[] = {
        {"from the future", 2, &spy_table, 0},
        {"far future", UINT32_MAX, &spy_table, 0},
    };
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
        annot_device *device = device_with(&drivers[i]);
        char text[128];
        cr_expect_eq(spy_said.count, 1);
        cr_expect_eq(spy_said.id, ANNOT_MESSAGE_DRIVER_TABLE_INVALID);
        snprintf(
            text, sizeof text,
            "driver %s reports annotation version %u, but only 1 is known: annotations are off",
            drivers[i].name, drivers[i].annotation_version);
        cr_expect_str_eq(spy_said.text, text);
        expect_absent_but_working(device);
    }
}

/* ANN-DDI-01 [S0]: names, order and types of the table; compiling is the test. */
Test(driver_table, has_the_specifications_layout)
{
    typedef D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table;
    cr_expect_eq(offsetof(table, pfnCmdQueueBeginEvent), 0);
    cr_expect_eq(offsetof(table, pfnCmdQueueEndEvent), sizeof(void (*)(void)));
    cr_expect_eq(offsetof(table, pfnCmdQueueSetMarker), 2 * sizeof(void (*)(void)));
    cr_expect_eq(offsetof(table, pfnCmdListBeginEvent), 3 * sizeof(void (*)(void)));
    cr_expect_eq(offsetof(table, pfnCmdListEndEvent), 4 * sizeof(void (*)(void)));
    cr_expect_eq(offsetof(table, pfnCmdListSetMarker), 5 * sizeof(void (*)(void)));
    cr_expect_eq(offsetof(table, pfnSetName), 6 * sizeof(void (*)(void)));
    cr_expect_eq(sizeof(table), 7 * sizeof(void (*)(void)));
    cr_expect_eq(D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0, 1);
    cr_expect_eq(D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_LATEST, 1);
    cr_expect_eq(D3D12DDI_FEATURE_0121_USER_DEFINED_ANNOTATIONS, 121);
    cr_expect_eq(D3D12DDI_SUPPORTED_0121 >> 16 & 0xFFFF, 121, "the DDI's version that has it");
    PFND3D12DDI_COMMAND_QUEUE_BEGIN_EVENT_ON_DRIVER a = spy_table.pfnCmdQueueBeginEvent;
    PFND3D12DDI_COMMAND_QUEUE_END_EVENT_ON_DRIVER b = spy_table.pfnCmdQueueEndEvent;
    PFND3D12DDI_COMMAND_QUEUE_SET_MARKER_ON_DRIVER c = spy_table.pfnCmdQueueSetMarker;
    PFND3D12DDI_COMMAND_LIST_BEGIN_EVENT_ON_DRIVER d = spy_table.pfnCmdListBeginEvent;
    PFND3D12DDI_COMMAND_LIST_END_EVENT_ON_DRIVER e = spy_table.pfnCmdListEndEvent;
    PFND3D12DDI_COMMAND_LIST_SET_MARKER_ON_DRIVER f = spy_table.pfnCmdListSetMarker;
    PFND3D12DDI_SET_NAME g = spy_table.pfnSetName;
    cr_expect(a && b && c && d && e && f && g);
}

/* A table with half an allocator is a misuse that can be told. */
Test(driver_table, half_an_allocator_is_refused)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    annot_device *device = (annot_device *)&desc;
    desc.allocator.allocate = spy_allocator.allocate;
    cr_expect_eq(annot_device_create(&desc, &device), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_null(device);
    desc.allocator.allocate = NULL;
    desc.allocator.release = spy_allocator.release;
    cr_expect_eq(annot_device_create(&desc, &device), ANNOT_ERROR_INVALID_ARGUMENT);
}
