/* ANN-CAPS: CheckFeatureSupport(D3D12_FEATURE_USER_DEFINED_ANNOTATION), and drivers that can't take
 * annotations. */
#include "kit_object.h"

CASES(caps_cases, "caps");

CASE(a_driver_with_the_feature_is_supported, "ANN-CAPS-01",
     "An application that asks before it turns markers on never does.", .needs = TOOLS,
     .drivers = ANNOTATING_DRIVERS, .rows = kit_letter_rows)
{
    kit_use_letter((enum kit_letter)case_row());
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    EXPECT(kit_is_supported(device));
    kit_set_mode(device, RETAIL);
    EXPECT(kit_is_supported(device));
}

CASE(a_plugged_in_driver_is_asked, "ANN-CAPS-01 ANN-CAPS-02",
     "The answer is the runtime's own guess, whatever the driver reports.", .needs = SPY)
{
    static annot_driver without;
    without = *spy_driver(NULL);
    without.annotation_version = 0;
    AT_END(kit_device_end) ID3D12Device *device = kit_device_on(spy_driver(NULL), 0);
    EXPECT(kit_is_supported(device));
    kit_device_done(device);
    device = kit_device_on(&without, 0);
    EXPECT(!kit_is_supported(device));
}

CASE(a_driver_without_the_feature_is_not, "ANN-CAPS-02",
     "An application believes that its markers are in the dump of a driver that never heard of "
     "them.",
     .needs = SPY)
{
    AT_END(kit_device_end)
    ID3D12Device *device = kit_device_on(spy_driver_without_feature(), RETAIL);
    EXPECT(!kit_is_supported(device));
}

/* The answer is exactly the four bytes of its struct. Returns it. */
static BOOL answer_of(ID3D12Device *device)
{
    const D3D12_FEATURE feature = kit_letters[case_row()].feature;
    D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION answers[2];
    for (int i = 0; i < 2; i++) {
        const unsigned char fill = i ? 0xFF : 0;
        unsigned char bytes[sizeof answers[i] + 16];
        memset(bytes, fill, sizeof bytes);
        EXPECT_OK(ID3D12Device_CheckFeatureSupport(device, feature, bytes, sizeof answers[i]));
        memcpy(&answers[i], bytes, sizeof answers[i]);
        for (size_t k = sizeof answers[i]; k < sizeof bytes; k++)
            EXPECT_EQ_AT(k, bytes[k], fill);
    }
    EXPECT_EQ(answers[0].Supported, answers[1].Supported);
    return answers[0].Supported;
}

CASE(the_answer_is_its_struct, "ANN-CAPS-01 ANN-CAPS-03",
     "The answer is what the application's memory held before, or reaches past its struct.",
     .needs = TOOLS, .rows = kit_letter_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    const BOOL answer = answer_of(device);
    EXPECT(answer == TRUE || answer == FALSE);
}

CASE(the_answer_overwrites_what_was_there, "ANN-CAPS-01 ANN-CAPS-02 ANN-CAPS-03",
     "The answer is what the application's memory held before, or is not the driver's.",
     .needs = SPY, .drivers = REFERENCE | LEGACY, .rows = kit_letter_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(0);
    EXPECT_EQ(answer_of(device), spy_driver(kit_driver())->annotation_version != 0);
}

CASE(wrong_sizes_write_nothing, "ANN-CAPS-03",
     "An application built against another header has its stack overwritten, or believes an answer "
     "that it never got.",
     .needs = TOOLS, .drivers = REFERENCE | LEGACY, .rows = kit_letter_rows)
{
    const D3D12_FEATURE feature = kit_letters[case_row()].feature;
    static const UINT huge[] = {64, 256, 0x7FFFFFFF, 0x80000004, 0xFFFFFFFF};
    enum { RIGHT = sizeof(D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION), SMALL = 33 };
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    for (UINT n = 0; n < SMALL + sizeof huge / sizeof huge[0]; n++) {
        const UINT size = n < SMALL ? n : huge[n - SMALL];
        unsigned char bytes[64], untouched[64];
        memset(bytes, 0xA5, sizeof bytes);
        memset(untouched, 0xA5, sizeof untouched);
        if (size == RIGHT)
            continue;
        EXPECT_HR(ID3D12Device_CheckFeatureSupport(device, feature, bytes, size), E_INVALIDARG);
        EXPECT_BYTES(bytes, untouched, sizeof bytes);
    }
}

CASE(null_data_is_refused, "ANN-CAPS-03", "A query without memory for the answer crashes.",
     .needs = TOOLS, .drivers = REFERENCE | LEGACY, .rows = kit_letter_rows)
{
    const D3D12_FEATURE feature = kit_letters[case_row()].feature;
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    for (UINT size = 0; size <= 8; size++)
        EXPECT_HR(ID3D12Device_CheckFeatureSupport(device, feature, NULL, size), E_INVALIDARG);
    EXPECT_OK(ID3D12Device_GetDeviceRemovedReason(device));
}

/* ---- drivers that can't take annotations ---- */

/* Every call that would have reached a driver; the spy's table is where it must not. */
static void expect_silence(ID3D12Device *device)
{
    static const WCHAR name[] = {'n', 0};
    EXPECT(!kit_is_supported(device));
    for (int type = DIRECT; kit_list_rows[type]; type++) {
        OWNED_LIST list = kit_list(device, (D3D12_COMMAND_LIST_TYPE)type);
        kit_begin(&list, 1, "begin", 6);
        kit_set(&list, 1, "set", 4);
        kit_end(&list);
        kit_list_close(&list);
    }
    for (size_t i = 0; kit_queue_rows[i]; i++) {
        OWNED ID3D12CommandQueue *queue = kit_queue(device, kit_queue_types[i]);
        ID3D12CommandQueue_BeginEvent(queue, 1, "begin", 6);
        ID3D12CommandQueue_SetMarker(queue, 1, "set", 4);
        ID3D12CommandQueue_EndEvent(queue);
    }
    for (int kind = 0; kind < OBJECT_KINDS; kind++) {
        struct kit_object object = kit_object_if_any(device, (enum kit_object_kind)kind);
        if (object.object)
            EXPECT_OK(ID3D12Object_SetName(object.object, name));
        kit_object_done(&object);
    }
    EXPECT_EQ(spy_count(), 0);
    EXPECT_OK(ID3D12Device_GetDeviceRemovedReason(device));
}

CASE(without_the_feature_everything_succeeds_unheard, "ANN-CAPS-02",
     "An application's markers crash, or fail, on a driver that is older than the feature.",
     .needs = SPY)
{
    static annot_driver driver;
    driver = *spy_driver(NULL);
    driver.annotation_version = 0;
    AT_END(kit_device_end) ID3D12Device *device = kit_device_on(&driver, RETAIL);
    expect_silence(device);
}

CASE(without_the_feature_the_mode_still_holds, "ANN-CAPS-02 ANN-MODE-02",
     "An application can't ask for driver markers where there is no driver for them, and fails "
     "over it.",
     .needs = SPY)
{
    static annot_driver driver;
    driver = *spy_driver(NULL);
    driver.annotation_version = 0;
    AT_END(kit_device_end) ID3D12Device *device = kit_device_on(&driver, 0);
    EXPECT_EQ(kit_get_mode(device), RUNTIME);
    kit_set_mode(device, RETAIL);
    EXPECT_EQ(kit_get_mode(device), RETAIL);
    kit_set_mode(device, RUNTIME);
    EXPECT_EQ(kit_get_mode(device), RUNTIME);
}

/* Mistakes that a driver can make; the row is what a message must name. */
#define DEFECTS_TOLD                                                                               \
    "pfnCmdQueueBeginEvent", "pfnCmdQueueEndEvent", "pfnCmdQueueSetMarker",                        \
        "pfnCmdListBeginEvent", "pfnCmdListEndEvent", "pfnCmdListSetMarker", "pfnSetName",         \
        "version-2", "version-65537", "version-4294967295"
static const char *const defect_rows[] = {DEFECTS_TOLD, "no-table", NULL};
/* A driver without a table takes nothing, and nothing is wrong with it. */
static const char *const told_rows[] = {DEFECTS_TOLD, NULL};
enum { HOLES = 7, VERSION_2 = HOLES, VERSION_65537, VERSION_MAX, NO_TABLE };

static const annot_driver *defective_driver(size_t defect)
{
    static D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table;
    static annot_driver driver;
    driver = *spy_driver(NULL);
    driver.name = "defective";
    table = *driver.annotation;
    driver.annotation = defect == NO_TABLE ? NULL : &table;
    switch (defect) {
    case 0:
        table.pfnCmdQueueBeginEvent = NULL;
        break;
    case 1:
        table.pfnCmdQueueEndEvent = NULL;
        break;
    case 2:
        table.pfnCmdQueueSetMarker = NULL;
        break;
    case 3:
        table.pfnCmdListBeginEvent = NULL;
        break;
    case 4:
        table.pfnCmdListEndEvent = NULL;
        break;
    case 5:
        table.pfnCmdListSetMarker = NULL;
        break;
    case 6:
        table.pfnSetName = NULL;
        break;
    case VERSION_2:
        driver.annotation_version = 2;
        break;
    case VERSION_65537:
        driver.annotation_version = 65537;
        break;
    case VERSION_MAX:
        driver.annotation_version = UINT32_MAX;
        break;
    }
    return &driver;
}

CASE(a_defective_driver_counts_as_without, "ANN-CAPS-04",
     "The runtime calls through a hole in a driver's table, or calls a table whose layout it can't "
     "know (a decision of this project).",
     .needs = SPY, .rows = defect_rows)
{
    AT_END(kit_device_end)
    ID3D12Device *device = kit_device_on(defective_driver(case_row()), RETAIL);
    expect_silence(device);
}

/* The message's text is free but for the entry's name, or the version. */
CASE(a_defective_driver_is_told_once, "ANN-CAPS-04",
     "A driver author sees no markers and nothing that says which entry is missing (a decision of "
     "this project).",
     .needs = SPY | MESSAGES, .rows = told_rows)
{
    const char *row = told_rows[case_row()];
    const char *part = case_row() < HOLES ? row : strchr(row, '-') + 1;
    AT_END(kit_device_end)
    ID3D12Device *device = kit_device_on(defective_driver(case_row()), RETAIL);
    EXPECT_EQ(kit_messages_with(device, part), 1);
    kit_forget_messages(device);
    struct kit_list list = kit_list(device, DIRECT);
    kit_set(&list, 1, "set", 4);
    kit_list_close(&list);
    kit_list_done(&list);
    EXPECT_EQ(kit_messages(device), 0);
}

CASE(a_whole_driver_is_not_told_of, "ANN-CAPS-04",
     "Every application gets a warning about a driver that is as it should be.",
     .needs = SPY | MESSAGES)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device_on(spy_driver(NULL), RETAIL);
    EXPECT_EQ(kit_messages_with(device, "spy"), 0);
    EXPECT_EQ(kit_messages_with(device, "pfn"), 0);
}
