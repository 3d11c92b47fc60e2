/* ID3D12Debug to 6, which programs get without a device. */
#include "kit.h"

#include <unistd.h>

Test(debug_layer, can_be_switched_by_programs_that_do)
{
    static const IID *const iids[] = {&IID_ID3D12Debug,  &IID_ID3D12Debug1, &IID_ID3D12Debug2,
                                      &IID_ID3D12Debug3, &IID_ID3D12Debug4, &IID_ID3D12Debug5,
                                      &IID_ID3D12Debug6};
    for (size_t i = 0; i < sizeof iids / sizeof iids[0]; i++) {
        OWNED IUnknown *debug = NULL, *same = NULL, *one = NULL, *other = NULL;
        MUST(D3D12GetDebugInterface(iids[i], (void **)&debug));
        EXPECT_HR(D3D12GetDebugInterface(iids[i], NULL), S_FALSE);
        MUST(D3D12GetInterface(&CLSID_D3D12Debug, iids[i], (void **)&same));
        cr_assert_eq(same, debug);
        one = AS(IUnknown, debug);
        MUST(D3D12GetDebugInterface(&IID_IUnknown, (void **)&other));
        cr_assert_eq(one, other);
    }
    OWNED ID3D12Debug6 *debug = NULL;
    MUST(D3D12GetDebugInterface(&IID_ID3D12Debug6, (void **)&debug));
    OWNED ID3D12Debug1 *debug1 = AS(ID3D12Debug1, debug);
    OWNED ID3D12Debug2 *debug2 = AS(ID3D12Debug2, debug1);
    EXPECT_HR(ID3D12Debug2_QueryInterface(debug2, &IID_ID3D12Device, (void **)&debug2),
              E_NOINTERFACE);
    EXPECT_HR(ID3D12Debug6_QueryInterface(debug, &IID_ID3D12Debug, NULL), E_POINTER);
    EXPECT_HR(ID3D12Debug1_QueryInterface(debug1, &IID_ID3D12Debug, NULL), E_POINTER);
    const ULONG references = ID3D12Debug6_AddRef(debug);
    cr_assert_eq(ID3D12Debug1_AddRef(debug1), references + 1);
    cr_assert_eq(ID3D12Debug1_Release(debug1), references);
    cr_assert_eq(ID3D12Debug6_Release(debug), references - 1);
    MUST(D3D12GetDebugInterface(&IID_ID3D12Debug2, (void **)&debug2));
    ID3D12Debug6_EnableDebugLayer(debug);
    ID3D12Debug6_SetEnableGPUBasedValidation(debug, TRUE);
    ID3D12Debug6_SetEnableSynchronizedCommandQueueValidation(debug, TRUE);
    ID3D12Debug6_SetGPUBasedValidationFlags(debug, D3D12_GPU_BASED_VALIDATION_FLAGS_NONE);
    ID3D12Debug6_SetEnableAutoName(debug, TRUE);
    ID3D12Debug6_SetForceLegacyBarrierValidation(debug, TRUE);
    ID3D12Debug6_DisableDebugLayer(debug);
    ID3D12Debug1_EnableDebugLayer(debug1);
    ID3D12Debug1_SetEnableGPUBasedValidation(debug1, TRUE);
    ID3D12Debug1_SetEnableSynchronizedCommandQueueValidation(debug1, FALSE);
    ID3D12Debug2_SetGPUBasedValidationFlags(debug2, D3D12_GPU_BASED_VALIDATION_FLAGS_NONE);
}

/* A device on an adapter of its own, made as a program makes it. */
static ID3D12Device *program_device(bool configured)
{
    IUnknown *adapter = NULL;
    ID3D12Device *device = NULL;
    emu_config config = EMU_CONFIG_INIT;
    config.debug_layer = configured;
    cr_assert_eq(emu_configure(&config), ANNOT_OK);
    cr_assert_eq(emu_adapter_create(NULL, (void **)&adapter), ANNOT_OK);
    MUST(D3D12CreateDevice(adapter, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&device));
    IUnknown_Release(adapter);
    cr_assert_eq(emu_configure(NULL), ANNOT_OK);
    return device;
}

/* All of the layer's interfaces, or none. Ends the device. */
static bool has_layer(ID3D12Device *device)
{
    static const IID *const iids[] = {&IID_ID3D12InfoQueue, &IID_ID3D12InfoQueue1,
                                      &IID_ID3D12DebugDevice};
    unsigned found = 0;
    for (size_t i = 0; i < sizeof iids / sizeof iids[0]; i++) {
        IUnknown *layer = (IUnknown *)(void *)&found;
        const HRESULT hr = ID3D12Device_QueryInterface(device, iids[i], (void **)&layer);
        if (SUCCEEDED(hr)) {
            found++;
            IUnknown_Release(layer);
        } else {
            cr_assert_eqs(hr, E_NOINTERFACE, layer, NULL);
        }
    }
    kit_close(device);
    cr_assert(found == 0 || found == sizeof iids / sizeof iids[0], "%u of them", found);
    return found != 0;
}

static void enable(bool on)
{
    OWNED ID3D12Debug6 *debug = NULL;
    MUST(D3D12GetDebugInterface(&IID_ID3D12Debug6, (void **)&debug));
    if (on)
        ID3D12Debug6_EnableDebugLayer(debug);
    else
        ID3D12Debug6_DisableDebugLayer(debug);
}

/* ID3D12InfoQueue is "retrieved by querying ID3D12Device when the debug layer is on". */
Test(debug_layer, its_interfaces_are_there_when_it_is_on)
{
    cr_assert(!has_layer(program_device(false)));
    enable(true);
    cr_assert(has_layer(program_device(false)));
    ID3D12Debug1 *debug1 = NULL;
    enable(false);
    cr_assert(!has_layer(program_device(false)));
    MUST(D3D12GetDebugInterface(&IID_ID3D12Debug1, (void **)&debug1));
    ID3D12Debug1_EnableDebugLayer(debug1);
    ID3D12Debug1_Release(debug1);
    cr_assert(has_layer(program_device(false)));
    enable(false);
    cr_assert(has_layer(program_device(true)), "the emulator's own setting");
}

/* "Must be called before the device is created": a device keeps what it was made with. */
Test(debug_layer, is_the_one_of_the_devices_creation)
{
    ID3D12Device *device = program_device(false);
    enable(true);
    cr_assert(!has_layer(device));
    device = program_device(false);
    enable(false);
    cr_assert(has_layer(device));
}

/* d3dconfig's debug-layer-mode: the user's word beats the program's. */
Test(debug_layer, is_forced_on_and_off_by_the_user)
{
    static const struct {
        const char *mode;
        bool asked, has;
    } rows[] = {{"force-on", false, true},
                {"force-on", true, true},
                {"off", true, false},
                {"off", false, false},
                {"app-controlled", false, false},
                {"app-controlled", true, true}};
    char path[64];
    snprintf(path, sizeof path, "debug-layer-mode-%d.ini", (int)getpid());
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        FILE *file = fopen(path, "w");
        cr_assert(file);
        fprintf(file, "[debug-layer]\ndebug-layer-mode=%s\n", rows[i].mode);
        fclose(file);
        setenv("ANNOT_CONFIG", path, 1);
        enable(rows[i].asked);
        cr_assert_eq(has_layer(program_device(false)), rows[i].has, "%s", rows[i].mode);
        cr_assert_eq(has_layer(program_device(rows[i].asked)), rows[i].has, "%s", rows[i].mode);
    }
    remove(path);
}

Test(debug_layer, is_not_asked_for_what_it_is_not)
{
    void *out = &out;
    EXPECT_HR(D3D12GetDebugInterface(&IID_ID3D12Device, &out), E_NOINTERFACE);
    cr_assert(!out);
    EXPECT_HR(D3D12GetDebugInterface(&IID_ID3D12Device, NULL), E_NOINTERFACE);
    out = &out;
    EXPECT_HR(D3D12GetInterface(&CLSID_D3D12Tools, &IID_ID3D12Debug, &out), E_NOINTERFACE);
    out = &out;
    EXPECT_HR(D3D12GetInterface(&CLSID_D3D12SDKConfiguration, &IID_ID3D12Debug, &out),
              E_NOINTERFACE);
    cr_assert(!out);
    EXPECT_HR(D3D12GetDebugInterface(NULL, &out), E_INVALIDARG);
}
