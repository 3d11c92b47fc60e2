/* ID3D12DebugDevice and 2: how often the device is referred to, and switches without an effect. */
#include "kit.h"

struct debug {
    ID3D12Device *device;
    ID3D12DebugDevice2 *debug2;
};

static struct debug open_debug(void)
{
    struct debug d = {.device = kit_device()};
    d.debug2 = AS(ID3D12DebugDevice2, d.device);
    return d;
}

static void close_debug(struct debug *d)
{
    ID3D12DebugDevice2_Release(d->debug2);
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
        MUST(ID3D12DebugDevice2_ReportLiveDeviceObjects(d.debug2, more == 0 ? D3D12_RLDO_DETAIL
                                                                  : more == 1
                                                                      ? D3D12_RLDO_NONE
                                                                      : (D3D12_RLDO_FLAGS)7));
        cr_assert_eqs(kit_messages(d.device), 1,
                      kit_count_texts(d.device, D3D12_MESSAGE_ID_LIVE_DEVICE, text), 1);
        snprintf(expected, sizeof expected, "Refcount: %u", references);
        cr_assert(strstr(text, expected), "%s", text);
        kit_clear(d.device);
    }
}

/* ---- switches ---- */

#define FEATURES D3D12_DEBUG_DEVICE_PARAMETER_FEATURE_FLAGS
#define SETTINGS D3D12_DEBUG_DEVICE_PARAMETER_GPU_BASED_VALIDATION_SETTINGS
#define SLOWDOWN D3D12_DEBUG_DEVICE_PARAMETER_GPU_SLOWDOWN_PERFORMANCE_FACTOR

Test(debug_device, takes_switches_that_change_nothing)
{
    AT_END(close_debug) struct debug d = open_debug();
    D3D12_DEBUG_FEATURE features = D3D12_DEBUG_FEATURE_EMULATE_WINDOWS7;
    D3D12_DEBUG_DEVICE_GPU_BASED_VALIDATION_SETTINGS settings = {7, 1, 0};
    D3D12_DEBUG_DEVICE_GPU_SLOWDOWN_PERFORMANCE_FACTOR slowdown = {10};
    const struct {
        D3D12_DEBUG_DEVICE_PARAMETER_TYPE type;
        void *data;
        UINT size;
    } all[] = {{FEATURES, &features, sizeof features},
               {SETTINGS, &settings, sizeof settings},
               {SLOWDOWN, &slowdown, sizeof slowdown}};
    static const unsigned char zeros[sizeof settings];
    MUST(ID3D12DebugDevice2_SetFeatureMask(d.debug2, features));
    cr_assert_eq(ID3D12DebugDevice2_GetFeatureMask(d.debug2), D3D12_DEBUG_FEATURE_NONE);
    for (int i = 0; i < 3; i++) {
        MUST(ID3D12DebugDevice2_SetDebugParameter(d.debug2, all[i].type, all[i].data, all[i].size));
        MUST(ID3D12DebugDevice2_GetDebugParameter(d.debug2, all[i].type, all[i].data, all[i].size));
        cr_assert_mem_eq(all[i].data, zeros, all[i].size);
    }
    cr_assert_eq(kit_messages(d.device), 0);
}

Test(debug_device, refuses_what_is_no_switch)
{
    AT_END(close_debug) struct debug d = open_debug();
    UINT word = 77;
    const struct {
        int type;
        void *data;
        UINT size;
    } cases[] = {{FEATURES, NULL, 4},  {FEATURES, &word, 3}, {FEATURES, &word, 8},
                 {SETTINGS, &word, 4}, {SLOWDOWN, &word, 0}, {3, &word, 4},
                 {-1, &word, 4}};
    const size_t count = sizeof cases / sizeof cases[0];
    for (size_t i = 0; i < count; i++) {
        const D3D12_DEBUG_DEVICE_PARAMETER_TYPE type =
            (D3D12_DEBUG_DEVICE_PARAMETER_TYPE)cases[i].type;
        EXPECT_HR(ID3D12DebugDevice2_SetDebugParameter(d.debug2, type, cases[i].data,
                                                       cases[i].size),
                  E_INVALIDARG);
        EXPECT_HR(ID3D12DebugDevice2_GetDebugParameter(d.debug2, type, cases[i].data,
                                                       cases[i].size),
                  E_INVALIDARG);
    }
    EXPECT_HR(ID3D12DebugDevice2_SetFeatureMask(d.debug2, (D3D12_DEBUG_FEATURE)16), E_INVALIDARG);
    EXPECT_HR(ID3D12DebugDevice2_ReportLiveDeviceObjects(d.debug2, (D3D12_RLDO_FLAGS)8),
              E_INVALIDARG);
    EXPECT_HR(ID3D12DebugDevice2_ReportLiveDeviceObjects(d.debug2, (D3D12_RLDO_FLAGS)-1),
              E_INVALIDARG);
    cr_assert_eq(word, 77);
    EXPECT_MESSAGES(d.device, 2 * count + 3, EMU_MESSAGE_INVALID_ARGUMENT);
}
