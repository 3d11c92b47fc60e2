/* ID3D12Device's own methods, and the library's functions other than the creation of devices. */
#include "kit.h"

#include "base/abi.h"

static ID3D12Device11 *newest(ID3D12Device *device)
{
    ID3D12Device11 *newest = AS(ID3D12Device11, device);
    ID3D12Device11_Release(newest);
    return newest;
}

/* The creator groups queues for the system's scheduler; all else is CreateCommandQueue. */
Test(device, queues_have_a_creator)
{
    static const GUID creator = {0x1234, 5, 6, {7}};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    D3D12_COMMAND_QUEUE_DESC desc = {.Type = COMPUTE,
                                     .Priority = D3D12_COMMAND_QUEUE_PRIORITY_HIGH};
    D3D12_COMMAND_QUEUE_DESC got;
    ID3D12CommandQueue *queue =
        MADE(ID3D12CommandQueue, newest(device), CreateCommandQueue1, &desc, &creator);
    ABI_CALL_STRUCT(queue, GetDesc, &got);
    cr_assert_eqs(got.Type, COMPUTE, got.Priority, D3D12_COMMAND_QUEUE_PRIORITY_HIGH);
    cr_assert_eq(got.NodeMask, 1);
    ID3D12CommandQueue_Release(queue);

    desc.Type = BUNDLE;
    REFUSES(E_INVALIDARG, ID3D12CommandQueue, newest(device), CreateCommandQueue1, &desc, &creator);
    cr_assert_eq(kit_messages(device), 1);
    REFUSES(E_INVALIDARG, ID3D12CommandQueue, newest(device), CreateCommandQueue1, NULL, &creator);
    cr_assert_eq(kit_messages(device), 2);
    desc.Type = COPY;
    EXPECT_HR(ID3D12Device11_CreateCommandQueue1(newest(device), &desc, &creator,
                                                 &IID_ID3D12CommandQueue, NULL),
              S_FALSE);
    REFUSES(E_NOINTERFACE, ID3D12Fence, newest(device), CreateCommandQueue1, &desc, &creator);
}

Test(device, its_power_is_always_stable)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    MUST(ID3D12Device_SetStablePowerState(device, TRUE));
    MUST(ID3D12Device_SetStablePowerState(device, FALSE));
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(device), S_OK);
    cr_assert_eq(kit_messages(device), 0);
}

Test(device, has_one_node)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12RootSignature *signature = NULL;
    const D3D12_ROOT_SIGNATURE_DESC desc = {0};
    OWNED ID3DBlob *blob = NULL;
    cr_assert_eq(ID3D12Device_GetNodeCount(device), 1);
    MUST(D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, NULL));
    for (UINT node = 0; node <= 3; node++) {
        const HRESULT hr = TRY(ID3D12RootSignature, &signature, device, CreateRootSignature, node,
                               ID3D10Blob_GetBufferPointer(blob), ID3D10Blob_GetBufferSize(blob));
        cr_assert_eq(hr, node <= 1 ? S_OK : E_INVALIDARG, "node mask %u", node);
        cr_assert_eq(kit_messages(device), node <= 1 ? 0 : node - 1, "node mask %u", node);
        if (SUCCEEDED(hr))
            ID3D12RootSignature_Release(signature);
        else
            cr_assert(!signature);
    }
}

/* ---- what there is nothing of ---- */

Test(device_control, there_are_no_meta_commands)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    UINT count = 77, size = 77;
    MUST(ID3D12Device11_EnumerateMetaCommands(newest(device), &count, NULL));
    cr_assert_eq(count, 0);
    EXPECT_HR(ID3D12Device11_EnumerateMetaCommands(newest(device), NULL, NULL), E_INVALIDARG);
    EXPECT_HR(ID3D12Device11_EnumerateMetaCommandParameters(
                  newest(device), &IID_IUnknown, D3D12_META_COMMAND_PARAMETER_STAGE_CREATION, &size,
                  &count, NULL),
              E_INVALIDARG);
    /* "The current hardware does not support the algorithm being requested" */
    REFUSES(DXGI_ERROR_UNSUPPORTED, ID3D12MetaCommand, newest(device), CreateMetaCommand,
            &IID_IUnknown, 0, NULL, 0);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_META_COMMAND_ID_INVALID), 2);
}

/* ---- every creation on a device that is removed ---- */

#define REMOVED(call)                                                                              \
    do {                                                                                           \
        out = &out;                                                                                \
        EXPECT_HR(call, DXGI_ERROR_DEVICE_REMOVED);                                                \
        cr_assert_eq(out, NULL, #call);                                                            \
    } while (0)

/* Whatever the other arguments are: that the device is gone is what the program has to know. */
Test(device, makes_nothing_once_it_is_removed)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12Device11 *d = newest(device);
    void *out;
    kit_remove(device);
    REMOVED(ID3D12Device11_CreateCommandQueue(d, NULL, &IID_ID3D12CommandQueue, &out));
    REMOVED(
        ID3D12Device11_CreateCommandQueue1(d, NULL, &IID_IUnknown, &IID_ID3D12CommandQueue, &out));
    REMOVED(ID3D12Device11_CreateCommandAllocator(d, DIRECT, &IID_ID3D12CommandAllocator, &out));
    REMOVED(
        ID3D12Device11_CreateCommandList(d, 0, DIRECT, NULL, NULL, &IID_ID3D12CommandList, &out));
    REMOVED(ID3D12Device11_CreateCommandList1(d, 0, DIRECT, D3D12_COMMAND_LIST_FLAG_NONE,
                                              &IID_ID3D12CommandList, &out));
    REMOVED(ID3D12Device11_CreateGraphicsPipelineState(d, NULL, &IID_ID3D12PipelineState, &out));
    REMOVED(ID3D12Device11_CreateComputePipelineState(d, NULL, &IID_ID3D12PipelineState, &out));
    REMOVED(ID3D12Device11_CreatePipelineState(d, NULL, &IID_ID3D12PipelineState, &out));
    REMOVED(ID3D12Device11_CreatePipelineLibrary(d, NULL, 0, &IID_ID3D12PipelineLibrary, &out));
    REMOVED(ID3D12Device11_CreateRootSignature(d, 0, NULL, 0, &IID_ID3D12RootSignature, &out));
    REMOVED(ID3D12Device11_CreateDescriptorHeap(d, NULL, &IID_ID3D12DescriptorHeap, &out));
    REMOVED(ID3D12Device11_CreateQueryHeap(d, NULL, &IID_ID3D12QueryHeap, &out));
    REMOVED(
        ID3D12Device11_CreateCommandSignature(d, NULL, NULL, &IID_ID3D12CommandSignature, &out));
    REMOVED(ID3D12Device11_CreateFence(d, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence, &out));
    REMOVED(ID3D12Device11_CreateHeap(d, NULL, &IID_ID3D12Heap, &out));
    REMOVED(ID3D12Device11_CreateHeap1(d, NULL, NULL, &IID_ID3D12Heap, &out));
    REMOVED(TRY(ID3D12Resource, &out, d, CreateCommittedResource, NULL, 0, NULL, 0, NULL));
    REMOVED(TRY(ID3D12Resource, &out, d, CreateCommittedResource1, NULL, 0, NULL, 0, NULL, NULL));
    REMOVED(TRY(ID3D12Resource, &out, d, CreateCommittedResource2, NULL, 0, NULL, 0, NULL, NULL));
    REMOVED(ID3D12Device11_CreateCommittedResource3(d, NULL, 0, NULL, 0, NULL, NULL, 0, NULL,
                                                    &IID_ID3D12Resource, &out));
    REMOVED(
        ID3D12Device11_CreatePlacedResource(d, NULL, 0, NULL, 0, NULL, &IID_ID3D12Resource, &out));
    REMOVED(
        ID3D12Device11_CreatePlacedResource1(d, NULL, 0, NULL, 0, NULL, &IID_ID3D12Resource, &out));
    REMOVED(TRY(ID3D12Resource, &out, d, CreatePlacedResource2, NULL, 0, NULL, 0, NULL, 0, NULL));
    REMOVED(ID3D12Device11_CreateReservedResource(d, NULL, 0, NULL, &IID_ID3D12Resource, &out));
    REMOVED(
        ID3D12Device11_CreateReservedResource1(d, NULL, 0, NULL, NULL, &IID_ID3D12Resource, &out));
    REMOVED(TRY(ID3D12Resource, &out, d, CreateReservedResource2, NULL, 0, NULL, NULL, 0, NULL));
    REMOVED(
        ID3D12Device11_CreateProtectedResourceSession(d, NULL, &IID_ID3D12ProtectedSession, &out));
    REMOVED(
        ID3D12Device11_CreateProtectedResourceSession1(d, NULL, &IID_ID3D12ProtectedSession, &out));
    REMOVED(TRY(ID3D12MetaCommand, &out, d, CreateMetaCommand, &IID_IUnknown, 0, NULL, 0));
    REMOVED(ID3D12Device11_CreateStateObject(d, NULL, &IID_ID3D12StateObject, &out));
    REMOVED(ID3D12Device11_OpenExistingHeapFromAddress(d, NULL, &IID_ID3D12Heap, &out));
    cr_assert_eq(kit_messages(device), 1, "of the removal only");
}

/* ---- the library's functions ---- */

/* "E_NOINTERFACE: an unrecognized feature": the public ones of the headers are known, and need no
 * struct. */
Test(exports, public_experimental_features_are_known)
{
    static const IID *const others[] = {&IID_ID3D12Device, &IID_ID3D12MetaCommand};
    const IID iids[3] = {D3D12ExperimentalShaderModels, abi_tiled_resource_tier_4, *others[0]};
    UINT sizes[3] = {0};
    EXPECT_HR(D3D12EnableExperimentalFeatures(0, NULL, NULL, NULL), S_OK);
    EXPECT_HR(D3D12EnableExperimentalFeatures(0, iids, NULL, sizes), S_OK);
    EXPECT_HR(D3D12EnableExperimentalFeatures(1, NULL, NULL, NULL), E_INVALIDARG);
    EXPECT_HR(D3D12EnableExperimentalFeatures(1, iids, NULL, NULL), S_OK);
    EXPECT_HR(D3D12EnableExperimentalFeatures(2, iids, NULL, sizes), S_OK);
    EXPECT_HR(D3D12EnableExperimentalFeatures(3, iids, NULL, sizes), E_NOINTERFACE);
    EXPECT_HR(D3D12EnableExperimentalFeatures(1, others[0], NULL, NULL), E_NOINTERFACE);
    EXPECT_HR(D3D12EnableExperimentalFeatures(1, others[1], NULL, NULL), E_NOINTERFACE);
    kit_close(kit_device());
}

Test(exports, classes_have_no_interfaces_of_others)
{
    void *out = &out;
    EXPECT_HR(D3D12GetInterface(&CLSID_D3D12Debug, &IID_ID3D12Device, &out), E_NOINTERFACE);
    cr_assert(!out);
    out = &out;
    EXPECT_HR(D3D12GetInterface(&CLSID_D3D12Debug, NULL, &out), E_INVALIDARG);
    cr_assert(!out);
}
