/* ANN-CAPS: CheckFeatureSupport(D3D12_FEATURE_USER_DEFINED_ANNOTATION). */
#include "kit.h"

CASE(a_driver_with_the_feature_is_supported, "ANN-CAPS-01",
     "An application that asks before it turns markers on never does.",
     .drivers = ANNOTATING_DRIVERS)
{
    ID3D12Device *device = kit_device(0);
    EXPECT(kit_is_supported(device));
    kit_device_done(device);
}

CASE(a_driver_without_the_feature_is_not, "ANN-CAPS-02",
     "An application believes that its markers are in the dump of a driver that never heard of "
     "them.",
     .needs = EMULATOR, .drivers = LEGACY)
{
    ID3D12Device *device = kit_device(RETAIL);
    EXPECT(!kit_is_supported(device));
    kit_device_done(device);
}

extern const struct case_table caps_cases;
const struct case_table caps_cases =
    CASES("caps", &a_driver_with_the_feature_is_supported, &a_driver_without_the_feature_is_not);
