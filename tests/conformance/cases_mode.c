/* ANN-MODE: the device's annotation mode, and who latches it. */
#include "kit.h"

CASE(a_new_device_is_runtime_only, "ANN-MODE-01",
     "Every application pays for driver markers, and leaks its markers into dumps, without having "
     "asked.",
     .drivers = ALL_DRIVERS)
{
    ID3D12Device *device = kit_device(0);
    EXPECT_EQ(kit_get_mode(device), RUNTIME);
    kit_device_done(device);
}

CASE(reset_keeps_the_latch, "ANN-MODE-04 ANN-MODE-05",
     "Reset reads the device's mode again, and a list changes sides in the middle of its life.",
     .needs = SPY, .rows = kit_list_rows)
{
    ID3D12Device *device = kit_spied_device(RETAIL);
    struct kit_list list = kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
    kit_set_mode(device, RUNTIME);
    kit_list_close(&list);
    kit_list_reset(&list);
    kit_set(&list, 1, "still heard", 12);
    EXPECT_EQ(spy_count(), 1);
    EXPECT_MARKER(0, SPY_LIST_SET, 1, "still heard", 12);
    kit_list_done(&list);
    kit_device_done(device);
}

extern const struct case_table mode_cases;
const struct case_table mode_cases =
    CASES("mode", &a_new_device_is_runtime_only, &reset_keeps_the_latch);
