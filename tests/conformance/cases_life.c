/* ANN-LIFE: how long a marker's data lives, and what its EventID answers. */
#include "kit.h"

CASE(a_lists_markers_outlive_the_list, "ANN-LIFE-01 ANN-LIFE-03",
     "The dump of a hang has EventIDs whose text was thrown away with a list that was no longer "
     "needed.",
     .needs = SPY | LOOKUP)
{
    ID3D12Device *device = kit_spied_device(RETAIL);
    struct kit_list list = kit_list(device, DIRECT);
    kit_set(&list, 1, "kept", 5);
    const uint64_t id = spy_at(0)->event_id;
    kit_list_close(&list);
    kit_release(list.list);
    list.list = NULL;
    EXPECT_EQ(kit_lookup(device, id), ANNOT_LOOKUP_LIVE);
    REQUIRE_OK(ID3D12CommandAllocator_Reset(list.allocator));
    EXPECT_EQ(kit_lookup(device, id), ANNOT_LOOKUP_EXPIRED);
    kit_list_done(&list);
    kit_device_done(device);
}

extern const struct case_table life_cases;
const struct case_table life_cases = CASES("life", &a_lists_markers_outlive_the_list);
