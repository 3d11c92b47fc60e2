/* ANN-MARK: markers on queues. */
#include "kit.h"

CASE(queue_calls_reach_the_driver_once, "ANN-MARK-02 ANN-MARK-05",
     "A queue's marker is lost, doubled or changed between the application and the driver's dump.",
     .needs = SPY, .drivers = ANNOTATING_DRIVERS, .rows = kit_queue_rows)
{
    ID3D12Device *device = kit_spied_device(RETAIL);
    ID3D12CommandQueue *queue = kit_queue(device, kit_queue_types[case_row()]);
    ID3D12CommandQueue_BeginEvent(queue, 2, "frame", 6);
    EXPECT_EQ(spy_count(), 1);
    ID3D12CommandQueue_SetMarker(queue, 6345127, "\1\0\2", 3);
    EXPECT_EQ(spy_count(), 2);
    ID3D12CommandQueue_EndEvent(queue);
    EXPECT_EQ(spy_count(), 3);
    EXPECT_MARKER(0, SPY_QUEUE_BEGIN, 2, "frame", 6);
    EXPECT_MARKER(1, SPY_QUEUE_SET, 6345127, "\1\0\2", 3);
    EXPECT_EQ(spy_at(2)->function, SPY_QUEUE_END);
    EXPECT_EQ(spy_at(2)->event_id, spy_at(0)->event_id);
    EXPECT_EQ(spy_count_on(spy_at(0)->handle), 3);
    kit_release(queue);
    kit_device_done(device);
}

extern const struct case_table queue_cases;
const struct case_table queue_cases = CASES("mark", &queue_calls_reach_the_driver_once);
