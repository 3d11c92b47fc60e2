/* ANN-NAME: SetName on every kind of object. */
#include "kit_object.h"

#include <string.h>

CASE(set_name_reaches_the_driver_once, "ANN-NAME-01",
     "An object of this kind is nameless in the driver's dump.", .needs = SPY,
     .rows = kit_object_rows)
{
    static const WCHAR name[] = {'t', 'h', 'i', 'n', 'g', 0};
    ID3D12Device *device = kit_spied_device(RETAIL);
    struct kit_object object = kit_object(device, (enum kit_object_kind)case_row());
    EXPECT_EQ(spy_count(), 0);
    EXPECT_OK(ID3D12Object_SetName(object.object, name));
    EXPECT_EQ(spy_count(), 1);
    EXPECT_EQ(spy_at(0)->function, SPY_NAME);
    EXPECT_EQ(spy_at(0)->type, object.type);
    EXPECT(spy_at(0)->handle != NULL);
    EXPECT_EQ(spy_at(0)->name_length, 5);
    EXPECT_BYTES(spy_at(0)->name, name, sizeof name);
    kit_object_done(&object);
    kit_device_done(device);
}

extern const struct case_table name_cases;
const struct case_table name_cases = CASES("name", &set_name_reaches_the_driver_once);
