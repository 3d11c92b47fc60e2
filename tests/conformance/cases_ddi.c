/* ANN-DDI: the driver's table, and drivers that behave in different ways. */
#include "kit.h"

CASES(ddi_cases, "ddi");

CASE(a_driver_written_against_the_header_plugs_in, "ANN-DDI-01",
     "A driver author can't build against the specification's names.", .needs = SPY)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device_on(spy_driver(NULL), RETAIL);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    EXPECT(kit_is_supported(device));
    ID3D12CommandQueue_SetMarker(queue, 1, "queue", 6);
    EXPECT_EQ(spy_count(), 1);
    EXPECT_MARKER(0, SPY_QUEUE_SET, 1, "queue", 6);
}
