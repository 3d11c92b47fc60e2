/* The specification's own test plan, as written there; the other files test its parts. "Functional"
 * checks use a driver that records its calls; "lab" checks are those of the D3DConf_12_PixMarkers
 * class, which do not see the driver: it must not crash, and the device must not be removed. */
#include "kit.h"
#include "kit_object.h"

CASES(spec_cases, "spec");

/* ---- functional ---- */

CASE(list_marker_calls_reach_the_driver_as_they_are, "ANN-MARK-01",
     "Under DRIVER_RETAIL a marker on a command list is lost, doubled or altered on its way to the "
     "driver.",
     .needs = SPY, .rows = kit_list_rows)
{
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    kit_begin(&list, 1, "Shadow pass", 11);
    kit_set(&list, 2, "\1\0\2", 3);
    kit_end(&list);
    REQUIRE_EQ(spy_count(), 3);
    EXPECT_MARKER(0, SPY_LIST_BEGIN, 1, "Shadow pass", 11);
    EXPECT_MARKER(1, SPY_LIST_SET, 2, "\1\0\2", 3);
    EXPECT_EQ(spy_at(2)->function, SPY_LIST_END);
}

static void mark_queue(ID3D12CommandQueue *queue)
{
    ID3D12CommandQueue_BeginEvent(queue, 1, "Frame 7", 7);
    ID3D12CommandQueue_SetMarker(queue, 2, "\1\0\2", 3);
    ID3D12CommandQueue_EndEvent(queue);
}

CASE(queue_marker_calls_reach_the_driver_as_they_are, "ANN-MARK-02",
     "Under DRIVER_RETAIL a marker on a command queue is lost, doubled or altered on its way to "
     "the driver.",
     .needs = SPY, .rows = kit_queue_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, kit_queue_types[case_row()]);
    mark_queue(queue);
    REQUIRE_EQ(spy_count(), 3);
    EXPECT_MARKER(0, SPY_QUEUE_BEGIN, 1, "Frame 7", 7);
    EXPECT_MARKER(1, SPY_QUEUE_SET, 2, "\1\0\2", 3);
    EXPECT_EQ(spy_at(2)->function, SPY_QUEUE_END);
}

CASE(runtime_only_calls_no_driver, "ANN-MARK-03",
     "Applications that never asked for driver markers pay for them.", .needs = SPY,
     .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RUNTIME);
    OWNED_LIST list = kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
    OWNED ID3D12CommandQueue *queue = kit_queue(device, list.type == BUNDLE ? DIRECT : list.type);
    kit_begin(&list, 1, "Shadow pass", 11);
    kit_set(&list, 2, "\1\0\2", 3);
    kit_end(&list);
    mark_queue(queue);
    EXPECT_EQ(spy_count(), 0);
}

static const WCHAR plain_name[] = {'S', 'h', 'a', 'd', 'o', 'w', 0};

CASE(only_device_children_are_named_to_the_driver, "ANN-NAME-01 ANN-NAME-02 ANN-NAME-03",
     "A driver misses an object's name, gets it in the wrong mode, or gets the name of the device, "
     "which it can't map.",
     .needs = SPY, .rows = kit_object_rows)
{
    for (int retail = 0; retail < 2; retail++) {
        AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(retail ? RETAIL : RUNTIME);
        struct kit_object made = kit_object(device, (enum kit_object_kind)case_row());
        spy_forget();
        EXPECT_OK(ID3D12Object_SetName(made.object, plain_name));
        EXPECT_OK(ID3D12Device_SetName(device, plain_name));
        EXPECT_EQ(spy_count_of(SPY_NAME), retail);
        EXPECT_EQ(spy_count(), retail);
        if (retail && spy_count() == 1)
            EXPECT_EQ(spy_at(0)->type, made.type);
        kit_object_done(&made);
    }
}

CASE(a_driver_without_the_feature_is_never_called, "ANN-CAPS-02",
     "Marker and name calls fail in the application, or jump through an empty table in the driver, "
     "on older drivers.",
     .needs = SPY)
{
    AT_END(kit_device_end)
    ID3D12Device *device = kit_device_on(spy_driver_without_feature(), RETAIL);
    OWNED_LIST list = kit_list(device, DIRECT);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    kit_begin(&list, 1, "Shadow pass", 11);
    kit_set(&list, 1, "sun", 3);
    kit_end(&list);
    mark_queue(queue);
    EXPECT_OK(ID3D12CommandQueue_SetName(queue, plain_name));
    EXPECT_OK(kit_list_try_close(&list));
    EXPECT_EQ(spy_count(), 0);
    EXPECT(!kit_is_supported(device));
}

CASE(an_invalid_mode_is_rejected_with_its_message, "ANN-MODE-03",
     "A wrong value passes as a mode, or an author never learns why his markers don't arrive.",
     .needs = TOOLS | MESSAGES, .rows = kit_letter_rows)
{
    kit_use_letter((enum kit_letter)case_row());
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    kit_forget_messages(device);
    kit_try_mode(device, 7);
    EXPECT_EQ(kit_count(device, kit_letters[case_row()].refused), 1);
    EXPECT_EQ(kit_messages(device), 1);
    EXPECT_EQ(kit_get_mode(device), RETAIL);
}

/* ---- lab ---- */

CASE(feature_check_succeeds, "ANN-CAPS-01",
     "CheckFeatureSupport(D3D12_FEATURE_USER_DEFINED_ANNOTATION) fails (D3DConf_12_PixMarkers).",
     .needs = TOOLS, .drivers = ALL_DRIVERS, .rows = kit_letter_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION data = {FALSE};
    EXPECT_OK(ID3D12Device_CheckFeatureSupport(device, kit_letters[case_row()].feature, &data,
                                               sizeof data));
}

static void mark_around(const struct kit_list *list, ID3D12GraphicsCommandList *inner,
                        ID3D12Resource *to, ID3D12Resource *from)
{
    kit_begin(list, 1, "Copy", 4);
    kit_set(list, 1, "now", 3);
    if (inner)
        ID3D12GraphicsCommandList_ExecuteBundle(kit_graphics(list), inner);
    ID3D12GraphicsCommandList_CopyBufferRegion(kit_graphics(list), to, 0, from, 0, 256);
    kit_end(list);
}

static const char *const lab_list_rows[] = {"direct", "compute", "copy", "direct-with-bundle",
                                            NULL};
static const D3D12_COMMAND_LIST_TYPE lab_list_types[] = {DIRECT, COMPUTE, COPY, DIRECT};
enum { WITH_BUNDLE = 3 };

CASE(list_markers_around_work_leave_the_device_alive, "ANN-MARK-01",
     "Markers around real GPU work crash the driver or remove the device (D3DConf_12_PixMarkers).",
     .needs = TOOLS, .drivers = ALL_DRIVERS, .rows = lab_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    const D3D12_COMMAND_LIST_TYPE type = lab_list_types[case_row()];
    OWNED ID3D12CommandQueue *queue = kit_queue(device, type);
    struct kit_list list = kit_list(device, type), bundle = {BUNDLE, NULL, NULL};
    OWNED ID3D12Resource *from = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 256);
    OWNED ID3D12Resource *to = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 256);
    if (case_row() == WITH_BUNDLE) {
        bundle = kit_list(device, BUNDLE);
        kit_begin(&bundle, 1, "Trees", 5);
        kit_end(&bundle);
        kit_list_close(&bundle);
    }
    mark_around(&list, bundle.list != NULL ? kit_graphics(&bundle) : NULL, to, from);
    kit_run(device, queue, &list);
    EXPECT_OK(ID3D12Device_GetDeviceRemovedReason(device));
    if (bundle.list)
        kit_list_done(&bundle);
    kit_list_done(&list);
}

CASE(queue_markers_leave_the_device_alive, "ANN-MARK-02",
     "Markers on a queue crash the driver or remove the device (D3DConf_12_PixMarkers).",
     .needs = TOOLS, .drivers = ALL_DRIVERS, .rows = kit_queue_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, kit_queue_types[case_row()]);
    mark_queue(queue);
    kit_wait(device, queue);
    EXPECT_OK(ID3D12Device_GetDeviceRemovedReason(device));
}

/* ASCII, beyond ASCII, and as long as nobody would write. */
static void name_in_many_ways(ID3D12Object *object)
{
    enum { LONG = 100000 };
    static const WCHAR wide[] = {0x5F71, 0x20AC, 0xE9, 0};
    AT_END(at_end_free) WCHAR *name = malloc((LONG + 1) * sizeof *name);
    REQUIRE(name);
    for (size_t i = 0; i < LONG; i++)
        name[i] = (WCHAR)('a' + i % 26);
    name[LONG] = 0;
    EXPECT_OK(ID3D12Object_SetName(object, plain_name));
    EXPECT_OK(ID3D12Object_SetName(object, wide));
    EXPECT_OK(ID3D12Object_SetName(object, name));
}

CASE(names_of_all_sorts_leave_the_device_alive, "ANN-NAME-01 ANN-NAME-05",
     "An object's name crashes the driver or removes the device (D3DConf_12_PixMarkers).",
     .needs = TOOLS, .drivers = ALL_DRIVERS, .rows = kit_object_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    AT_END(kit_object_done)
    struct kit_object made = kit_object(device, (enum kit_object_kind)case_row());
    name_in_many_ways(made.object);
    EXPECT_OK(ID3D12Device_GetDeviceRemovedReason(device));
}
