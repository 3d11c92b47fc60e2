/* ANN-MARK: markers on lists; cases_queue.c has those on queues. */
#include "kit.h"

CASE(list_calls_reach_the_driver_once, "ANN-MARK-01 ANN-MARK-05",
     "A marker is lost, doubled or changed between the application and the driver's dump.",
     .needs = SPY, .drivers = ANNOTATING_DRIVERS, .rows = kit_list_rows)
{
    ID3D12Device *device = kit_spied_device(RETAIL);
    struct kit_list list = kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
    kit_begin(&list, 2, "frame", 6);
    EXPECT_EQ(spy_count(), 1);
    kit_set(&list, 6345127, "\1\0\2", 3);
    EXPECT_EQ(spy_count(), 2);
    kit_end(&list);
    EXPECT_EQ(spy_count(), 3);
    EXPECT_MARKER(0, SPY_LIST_BEGIN, 2, "frame", 6);
    EXPECT_MARKER(1, SPY_LIST_SET, 6345127, "\1\0\2", 3);
    EXPECT_EQ(spy_at(2)->function, SPY_LIST_END);
    EXPECT_EQ(spy_at(2)->event_id, spy_at(0)->event_id);
    EXPECT_EQ(spy_count_on(spy_at(0)->handle), 3);
    kit_list_close(&list);
    kit_list_done(&list);
    kit_device_done(device);
}

extern const struct case_table mark_cases;
const struct case_table mark_cases = CASES("mark", &list_calls_reach_the_driver_once);
