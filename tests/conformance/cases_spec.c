/* The specification's own test plan, as written there; the other files take it apart. */
#include "kit.h"

CASE(feature_check_succeeds, "ANN-CAPS-01",
     "CheckFeatureSupport(D3D12_FEATURE_USER_DEFINED_ANNOTATION) fails (D3DConf_12_PixMarkers).",
     .drivers = ALL_DRIVERS)
{
    ID3D12Device *device = kit_device(0);
    D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION data = {FALSE};
    EXPECT_OK(ID3D12Device_CheckFeatureSupport(device, D3D12_FEATURE_USER_DEFINED_ANNOTATION, &data,
                                               sizeof data));
    kit_device_done(device);
}

extern const struct case_table spec_cases;
const struct case_table spec_cases = CASES("spec", &feature_check_succeeds);
