/* ID3D12Debug to 6, which programs get without a device. */
#include "kit.h"

Test(debug_layer, can_be_switched_by_programs_that_do)
{
    static const IID *const iids[] = {&IID_ID3D12Debug,  &IID_ID3D12Debug1, &IID_ID3D12Debug2,
                                      &IID_ID3D12Debug3, &IID_ID3D12Debug4, &IID_ID3D12Debug5,
                                      &IID_ID3D12Debug6};
    for (size_t i = 0; i < sizeof iids / sizeof iids[0]; i++) {
        IUnknown *debug = NULL, *same = NULL, *one = NULL, *other = NULL;
        MUST(D3D12GetDebugInterface(iids[i], (void **)&debug));
        EXPECT_HR(D3D12GetDebugInterface(iids[i], NULL), S_FALSE);
        MUST(D3D12GetInterface(&CLSID_D3D12Debug, iids[i], (void **)&same));
        cr_assert(same == debug);
        MUST(IUnknown_QueryInterface(debug, &IID_IUnknown, (void **)&one));
        MUST(D3D12GetDebugInterface(&IID_IUnknown, (void **)&other));
        cr_assert(one == other);
        IUnknown_Release(one);
        IUnknown_Release(other);
        IUnknown_Release(same);
        IUnknown_Release(debug);
    }
    ID3D12Debug6 *debug = NULL;
    ID3D12Debug1 *debug1 = NULL;
    ID3D12Debug2 *debug2 = NULL;
    MUST(D3D12GetDebugInterface(&IID_ID3D12Debug6, (void **)&debug));
    MUST(ID3D12Debug6_QueryInterface(debug, &IID_ID3D12Debug1, (void **)&debug1));
    MUST(ID3D12Debug1_QueryInterface(debug1, &IID_ID3D12Debug2, (void **)&debug2));
    EXPECT_HR(ID3D12Debug2_QueryInterface(debug2, &IID_ID3D12Device, (void **)&debug2),
              E_NOINTERFACE);
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
    ID3D12Debug2_Release(debug2);
    ID3D12Debug2_Release(debug2);
    ID3D12Debug1_Release(debug1);
    ID3D12Debug6_Release(debug);

    ID3D12Device *device = kit_device(); /* switched off or not, it tells */
    kit_set_mode(device, (D3D12_USER_DEFINED_ANNOTATION_MODE)0);
    cr_assert(kit_messages(device) == 1);
    kit_close(device);
}

Test(debug_layer, is_not_asked_for_what_it_is_not)
{
    void *out = &out;
    EXPECT_HR(D3D12GetDebugInterface(&IID_ID3D12Device, &out), E_NOINTERFACE);
    cr_assert(out == NULL);
    EXPECT_HR(D3D12GetDebugInterface(&IID_ID3D12Device, NULL), E_NOINTERFACE);
    out = &out;
    EXPECT_HR(D3D12GetInterface(&CLSID_D3D12Tools, &IID_ID3D12Debug, &out), E_NOINTERFACE);
    cr_assert(out == NULL);
    EXPECT_HR(D3D12GetDebugInterface(NULL, &out), E_INVALIDARG);
}
