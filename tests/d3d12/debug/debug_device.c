/* ID3D12DebugDevice: how often the device is referred to, and a mask without an effect. */
#include "kit.h"

struct debug {
    ID3D12Device *device;
    ID3D12DebugDevice *debug;
};

static struct debug open_debug(void)
{
    struct debug d = {.device = kit_device()};
    d.debug = AS(ID3D12DebugDevice, d.device);
    return d;
}

static void close_debug(struct debug *d)
{
    ID3D12DebugDevice_Release(d->debug);
    kit_close(d->device);
}

/* "D3D12_MESSAGE_ID_LIVE_DEVICE", whatever is asked for; an object that lives is one reference
 * more. */
Test(live_objects, are_references_of_the_device)
{
    AT_END(close_debug) struct debug d = open_debug();
    char text[512], expected[64];
    for (UINT more = 0; more < 3; more++) {
        OWNED ID3D12Fence *fence = kit_fence(d.device, 0);
        const UINT references = (UINT)kit_references(d.device);
        MUST(ID3D12DebugDevice_ReportLiveDeviceObjects(d.debug, more == 0   ? D3D12_RLDO_DETAIL
                                                                : more == 1 ? D3D12_RLDO_NONE
                                                                            : (D3D12_RLDO_FLAGS)7));
        cr_assert_eqs(kit_messages(d.device), 1,
                      kit_count_texts(d.device, D3D12_MESSAGE_ID_LIVE_DEVICE, text), 1);
        snprintf(expected, sizeof expected, "Refcount: %u", references);
        cr_assert(strstr(text, expected), "%s", text);
        kit_clear(d.device);
    }
}

Test(debug_device, takes_known_flags_that_change_nothing)
{
    AT_END(close_debug) struct debug d = open_debug();
    MUST(ID3D12DebugDevice_SetFeatureMask(d.debug, D3D12_DEBUG_FEATURE_EMULATE_WINDOWS7));
    cr_assert_eq(ID3D12DebugDevice_GetFeatureMask(d.debug), D3D12_DEBUG_FEATURE_NONE);
    cr_assert_eq(kit_messages(d.device), 0);
    EXPECT_HR(ID3D12DebugDevice_SetFeatureMask(d.debug, (D3D12_DEBUG_FEATURE)16), E_INVALIDARG);
    for (int flags = -1; flags <= 8; flags += 9)
        EXPECT_HR(ID3D12DebugDevice_ReportLiveDeviceObjects(d.debug, (D3D12_RLDO_FLAGS)flags),
                  E_INVALIDARG);
    EXPECT_MESSAGES(d.device, 3, EMU_MESSAGE_INVALID_ARGUMENT);
}
