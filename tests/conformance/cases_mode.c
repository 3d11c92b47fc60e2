/* ANN-MODE: the device's annotation mode, and which objects latch it. cases_mode_race.c: from many
 * threads; cases_mode_tools.c: the interface that sets it. */
#include "kit_object.h"

CASES(mode_cases, "mode");

static const WCHAR thing[] = {'t', 'h', 'i', 'n', 'g', 0};

static kit_mode other(kit_mode mode)
{
    return mode == RETAIL ? RUNTIME : RETAIL;
}

CASE(a_new_device_is_runtime_only, "ANN-MODE-01",
     "Every application pays for driver markers, and leaks its markers into dumps, without having "
     "asked.",
     .needs = TOOLS, .drivers = ALL_DRIVERS, .rows = kit_letter_rows)
{
    kit_use_letter((enum kit_letter)case_row());
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    EXPECT_EQ(kit_get_mode(device), RUNTIME);
}

CASE(a_new_devices_markers_are_unheard, "ANN-MODE-01 ANN-MARK-03",
     "The mode reads RUNTIME_ONLY while markers already go to the driver.", .needs = SPY)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(0);
    struct kit_list list = kit_list(device, DIRECT);
    kit_set(&list, 1, "unheard", 8);
    kit_list_done(&list);
    EXPECT_EQ(spy_count(), 0);
}

/* The device before was the last to hold the mode. */
CASE(a_device_made_again_starts_anew, "ANN-MODE-01",
     "What one device was told is left over for the next one in the process.", .needs = TOOLS)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    kit_device_done(device);
    device = kit_device(0);
    EXPECT_EQ(kit_get_mode(device), RUNTIME);
}

CASE(what_is_set_is_got, "ANN-MODE-02",
     "An application can't turn driver markers on, or not off again, or can't see which it is.",
     .needs = TOOLS, .drivers = ALL_DRIVERS, .rows = kit_letter_rows)
{
    kit_use_letter((enum kit_letter)case_row());
    static const kit_mode modes[] = {RETAIL, RETAIL, RUNTIME, RUNTIME, RETAIL, RUNTIME};
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        kit_set_mode(device, modes[i]);
        EXPECT_EQ_AT(i, kit_get_mode(device), modes[i]);
        EXPECT_EQ_AT(i, kit_get_mode(device), modes[i]);
    }
}

CASE(valid_modes_say_nothing, "ANN-MODE-02 ANN-MODE-03",
     "The debug output complains about a right call.", .needs = TOOLS | MESSAGES,
     .rows = kit_letter_rows)
{
    kit_use_letter((enum kit_letter)case_row());
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    kit_forget_messages(device);
    kit_set_mode(device, RETAIL);
    kit_set_mode(device, RETAIL);
    kit_set_mode(device, RUNTIME);
    EXPECT_EQ(kit_messages(device), 0);
}

enum { WRONG_MODES = 14 };

/* The first is a mode in the other letter. */
static unsigned wrong_mode(size_t i)
{
    static const unsigned wrong[WRONG_MODES - 1] = {
        3, 4, 5, 8, 0xFF, 0x101, 0x102, 0x10001, 0x10002, 0x7FFFFFFF, 0x80000000, 0x80000002, ~0u};
    return i > 0 ? wrong[i - 1] : case_row() == KIT_PUBLISHED ? 2 : 0;
}

/* Nor does it change what Get returns. */
static void try_wrong_modes(ID3D12Device *device, kit_mode mode)
{
    kit_set_mode(device, mode);
    for (size_t i = 0; i < WRONG_MODES; i++) {
        const HRESULT hr = kit_try_mode(device, wrong_mode(i));
        if (FAILED(hr) != kit_letters[case_row()].has_result)
            case_fail(__FILE__, __LINE__,
                      "SetUserDefinedAnnotationMode(%u) returned 0x%08x; a failure was expected",
                      wrong_mode(i), (unsigned)hr);
        EXPECT_EQ(kit_get_mode(device), mode);
    }
}

CASE(any_other_value_is_not_got, "ANN-MODE-03",
     "A wrong value becomes the device's mode, or removes the device.", .needs = TOOLS,
     .rows = kit_letter_rows)
{
    kit_use_letter((enum kit_letter)case_row());
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    try_wrong_modes(device, RUNTIME);
    try_wrong_modes(device, RETAIL);
    EXPECT_OK(ID3D12Device_GetDeviceRemovedReason(device));
}

CASE(any_other_value_changes_nothing, "ANN-MODE-03",
     "A wrong value turns driver markers on or off, or removes the device.", .needs = SPY,
     .rows = kit_letter_rows)
{
    kit_use_letter((enum kit_letter)case_row());
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(0);
    for (int round = 0; round < 2; round++) {
        try_wrong_modes(device, round ? RETAIL : RUNTIME);
        OWNED_LIST list = kit_list(device, DIRECT);
        kit_set(&list, 1, "x", 1);
        EXPECT_EQ(spy_count(), round);
    }
    EXPECT_OK(ID3D12Device_GetDeviceRemovedReason(device));
}

CASE(any_other_value_is_told_once_per_call, "ANN-MODE-03",
     "A wrong value is ignored in silence, or told under a number that no tool knows.",
     .needs = TOOLS | MESSAGES, .rows = kit_letter_rows)
{
    kit_use_letter((enum kit_letter)case_row());
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    kit_forget_messages(device);
    for (size_t i = 0; i < WRONG_MODES; i++) {
        kit_try_mode(device, wrong_mode(i));
        EXPECT_EQ(kit_messages(device), i + 1);
        EXPECT_EQ(kit_count(device, kit_letters[case_row()].refused), i + 1);
    }
}

CASE(both_letters_are_of_one_mode, "ANN-MODE-02 ANN-MODE-08",
     "A program and a library of it that were built with different headers each see a mode of "
     "their own: 1 is RUNTIME_ONLY to the one and DRIVER_RETAIL to the other.",
     .needs = TOOLS | PUBLISHED | SPECIFIED)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    for (unsigned i = 0; i < 8; i++) {
        kit_use_letter(i & 1 ? KIT_SPECIFIED : KIT_PUBLISHED);
        kit_set_mode(device, i & 2 ? RUNTIME : RETAIL);
        kit_use_letter(i & 4 ? KIT_SPECIFIED : KIT_PUBLISHED);
        EXPECT_EQ(kit_get_mode(device), i & 2 ? RUNTIME : RETAIL);
    }
}

/* ---- the latch ---- */

CASE(a_list_keeps_the_mode_it_was_created_with, "ANN-MODE-04 ANN-MODE-05",
     "A list asks the device at every marker: one frame's markers are half heard, half not.",
     .needs = SPY, .rows = kit_list_rows)
{
    for (int retail = 0; retail < 2; retail++) {
        const kit_mode mode = retail ? RETAIL : RUNTIME;
        AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(mode);
        OWNED_LIST list = kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
        kit_set_mode(device, other(mode));
        kit_begin(&list, 1, "a", 1);
        kit_set(&list, 1, "b", 1);
        kit_end(&list);
        kit_set_mode(device, mode);
        kit_set_mode(device, other(mode));
        kit_set(&list, 1, "c", 1);
        EXPECT_OK(ID3D12CommandList_SetName(list.list, thing));
        EXPECT_EQ(spy_count(), retail ? 5 : 0);
        kit_list_close(&list);
    }
}

CASE(a_queue_keeps_the_mode_it_was_created_with, "ANN-MODE-04 ANN-MODE-05",
     "A queue asks the device at every marker, or took the mode of the process's first queue.",
     .needs = SPY, .rows = kit_queue_rows)
{
    const D3D12_COMMAND_LIST_TYPE type = kit_queue_types[case_row()];
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RUNTIME);
    OWNED ID3D12CommandQueue *unheard = kit_queue(device, type);
    kit_set_mode(device, RETAIL);
    OWNED ID3D12CommandQueue *heard = kit_queue(device, type);
    ID3D12CommandQueue_BeginEvent(unheard, 1, "a", 1);
    ID3D12CommandQueue_SetMarker(unheard, 1, "b", 1);
    ID3D12CommandQueue_EndEvent(unheard);
    EXPECT_OK(ID3D12CommandQueue_SetName(unheard, thing));
    EXPECT_EQ(spy_count(), 0);
    kit_set_mode(device, RUNTIME);
    ID3D12CommandQueue_BeginEvent(heard, 1, "a", 1);
    ID3D12CommandQueue_SetMarker(heard, 1, "b", 1);
    ID3D12CommandQueue_EndEvent(heard);
    EXPECT_OK(ID3D12CommandQueue_SetName(heard, thing));
    EXPECT_EQ(spy_count(), 4);
}

CASE(an_object_keeps_the_mode_it_was_created_with, "ANN-MODE-04 ANN-MODE-05",
     "An object of this kind asks the device at SetName: its name is heard when its creator didn't "
     "want it, or not when it did.",
     .needs = SPY, .rows = kit_object_rows)
{
    for (int retail = 0; retail < 2; retail++) {
        const kit_mode mode = retail ? RETAIL : RUNTIME;
        AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(mode);
        struct kit_object object = kit_object(device, (enum kit_object_kind)case_row());
        kit_set_mode(device, other(mode));
        EXPECT_OK(ID3D12Object_SetName(object.object, thing));
        EXPECT_EQ(spy_count(), retail);
        EXPECT_OK(ID3D12Object_SetName(object.object, NULL));
        EXPECT_EQ(spy_count(), 2 * retail);
        kit_object_done(&object);
    }
}

CASE(reset_keeps_the_latch, "ANN-MODE-04 ANN-MODE-05",
     "Reset reads the device's mode again, and a list changes sides in the middle of its life.",
     .needs = SPY, .rows = kit_list_rows)
{
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    kit_set_mode(device, RUNTIME);
    kit_list_close(&list);
    kit_list_reset(&list);
    kit_set(&list, 1, "still heard", 12);
    EXPECT_EQ(spy_count(), 1);
    EXPECT_MARKER(0, SPY_LIST_SET, 1, "still heard", 12);
}

CASE(reset_does_not_turn_a_list_on, "ANN-MODE-05",
     "A list that was made without driver markers gets them with its next Reset.", .needs = SPY,
     .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RUNTIME);
    OWNED_LIST list = kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
    kit_set_mode(device, RETAIL);
    for (int i = 0; i < 3; i++) {
        kit_list_close(&list);
        kit_list_reset(&list);
        kit_begin(&list, 1, "unheard", 8);
        kit_end(&list);
    }
    EXPECT_OK(ID3D12CommandList_SetName(list.list, thing));
    EXPECT_EQ(spy_count(), 0);
}

/* The allocator is a child of its own; whose it is to say is the list. */
CASE(the_latch_is_the_lists_not_its_allocators, "ANN-MODE-04 ANN-MODE-05",
     "A list takes over the mode of the allocator that it is reset to.", .needs = SPY,
     .rows = kit_list_rows)
{
    const D3D12_COMMAND_LIST_TYPE type = (D3D12_COMMAND_LIST_TYPE)case_row();
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED_LIST heard = kit_list(device, type);
    kit_set_mode(device, RUNTIME);
    OWNED_LIST unheard = kit_list(device, type);
    ID3D12CommandAllocator *const allocator = heard.allocator;
    kit_list_close(&heard);
    kit_list_close(&unheard);
    heard.allocator = unheard.allocator;
    unheard.allocator = allocator;
    kit_list_reset(&heard);
    kit_list_reset(&unheard);
    kit_set(&unheard, 1, "unheard", 8);
    EXPECT_EQ(spy_count(), 0);
    kit_set(&heard, 1, "heard", 6);
    EXPECT_EQ(spy_count(), 1);
}

CASE(neighbours_of_both_modes_live_together, "ANN-MODE-04 ANN-MODE-05",
     "The newest child's mode becomes that of all.", .needs = SPY)
{
    enum { LISTS = 16 };
    struct kit_list lists[LISTS];
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(0);
    for (unsigned i = 0; i < LISTS; i++) {
        kit_set_mode(device, i % 3 == 0 ? RETAIL : RUNTIME);
        lists[i] = kit_list(device, (D3D12_COMMAND_LIST_TYPE)(i % (COPY + 1)));
    }
    for (unsigned i = 0; i < LISTS; i++) {
        const size_t before = spy_count();
        kit_set(&lists[i], i, "x", 1);
        EXPECT_EQ(spy_count() - before, i % 3 == 0);
    }
    for (unsigned i = 0; i < LISTS; i++)
        kit_list_done(&lists[i]);
}

CASE(two_devices_have_a_mode_each, "ANN-MODE-06",
     "A library that turns driver markers on for its own device does so for the whole process.",
     .needs = EMULATOR | SPY)
{
    OWNED void *adapter = NULL;
    ID3D12Device *second = NULL, *first = kit_spied_device(RETAIL);
    emu_config config = kit_config();
    config.annotation = spy_driver(NULL);
    REQUIRE_EQ(the_runtime.configure(&config), ANNOT_OK);
    REQUIRE_EQ(the_runtime.adapter_create(NULL, &adapter), ANNOT_OK);
    REQUIRE_OK(the_runtime.create_device(adapter, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device,
                                         (void **)&second));
    REQUIRE(second != first);
    EXPECT_EQ(kit_get_mode(second), RUNTIME);
    struct kit_list unheard = kit_list(second, DIRECT);
    kit_set(&unheard, 1, "unheard", 8);
    EXPECT_EQ(spy_count(), 0);
    kit_set_mode(second, RETAIL);
    kit_set_mode(first, RUNTIME);
    EXPECT_EQ(kit_get_mode(second), RETAIL);
    EXPECT_EQ(kit_get_mode(first), RUNTIME);
    kit_list_done(&unheard);
    kit_device_done(first);
    EXPECT_EQ(kit_get_mode(second), RETAIL);
    kit_device_done(second);
}
