/* ANN-CONF: the D3DConfig override. */
#include "kit.h"

CASE(force_starts_in_driver_retail_and_stays, "ANN-CONF-02",
     "A tool turns the override on and an application turns the markers off again.",
     .needs = EMULATOR)
{
    emu_config config = kit_config();
    config.force_driver_retail = true;
    ID3D12Device *device = kit_device_with(&config, 0);
    EXPECT_EQ(kit_get_mode(device), RETAIL);
    kit_set_mode(device, RUNTIME);
    EXPECT_EQ(kit_get_mode(device), RETAIL);
    kit_device_done(device);
}

extern const struct case_table conf_cases;
const struct case_table conf_cases = CASES("conf", &force_starts_in_driver_retail_and_stays);
