#include "device/device.h"

#include "base/abi.h"
#include "queue/command_queue.h"
#include "device/device_methods.h"
#include "base/result.h"
#include "device/device_registry.h"
#include "video/video.h"

static CONST_VTBL ID3D12Device11Vtbl d3d12_device_vtable;

struct d3d12_device *d3d12_device_from(void *iface)
{
    IUnknown *unknown = iface;
    if (unknown == NULL)
        return NULL;
    const void *vtable = unknown->lpVtbl;
    if (vtable == &d3d12_device_vtable)
        return container_of(iface, struct d3d12_device, iface);
    if (vtable == &d3d12_device_tools_vtable)
        return container_of(iface, struct d3d12_device, tools);
    if (vtable == &d3d12_info_queue_vtable)
        return container_of(iface, struct d3d12_device, info_queue);
    if (vtable == &d3d12_video_device_vtable)
        return container_of(iface, struct d3d12_device, video);
    return NULL;
}

void d3d12_device_not_modelled(struct d3d12_device *device, const char *method)
{
    messages_emit(&device->messages, D3D12_MESSAGE_CATEGORY_MISCELLANEOUS,
                  D3D12_MESSAGE_SEVERITY_WARNING, EMU_MESSAGE_NOT_MODELLED,
                  "%s: not part of the emulator", method);
}

/* ---- identity: one object with seven interfaces ---- */

static bool is_one_of(const IID *riid, const IID *const *iids)
{
    while (*iids != NULL && !com_same(riid, *iids))
        iids++;
    return *iids != NULL;
}

static void *find_interface(struct d3d12_device *device, const IID *riid)
{
    static const IID *const main_iids[] = {
        &IID_IUnknown,       &IID_ID3D12Object,   &IID_ID3D12Device,
        &IID_ID3D12Device1,  &IID_ID3D12Device2,  &IID_ID3D12Device3,
        &IID_ID3D12Device4,  &IID_ID3D12Device5,  &IID_ID3D12Device6,
        &IID_ID3D12Device7,  &IID_ID3D12Device8,  &IID_ID3D12Device9,
        &IID_ID3D12Device10, &IID_ID3D12Device11, NULL};
    static const IID *const tools_iids[] = {&IID_ID3D12DeviceTools, &IID_ID3D12DeviceTools1,
                                            &IID_ID3D12DeviceTools2, NULL};
    static const IID *const info_queue_iids[] = {&IID_ID3D12InfoQueue, &IID_ID3D12InfoQueue1, NULL};
    static const IID *const video_iids[] = {&IID_ID3D12VideoDevice, &IID_ID3D12VideoDevice1,
                                            &IID_ID3D12VideoDevice2, &IID_ID3D12VideoDevice3, NULL};
    if (is_one_of(riid, main_iids))
        return &device->iface;
    if (is_one_of(riid, tools_iids))
        return &device->tools;
    if (is_one_of(riid, info_queue_iids))
        return &device->info_queue;
    if (is_one_of(riid, video_iids))
        return &device->video;
    if (com_same(riid, &ANNOT_IID_ID3DDestructionNotifier))
        return &device->destruction.iface;
    return debug_device_find(&device->debug, riid);
}

HRESULT d3d12_device_query(struct d3d12_device *device, const IID *riid, void **out)
{
    if (out == NULL)
        return E_POINTER;
    *out = NULL;
    if (riid == NULL)
        return E_INVALIDARG;
    void *found = find_interface(device, riid);
    if (found == NULL)
        return E_NOINTERFACE;
    d3d12_device_add_ref(device);
    *out = found;
    return S_OK;
}

ULONG d3d12_device_add_ref(struct d3d12_device *device)
{
    return atomic_fetch_add_explicit(&device->references, 1, memory_order_relaxed) + 1;
}

/* ---- ID3D12Object ---- */

static HRESULT STDMETHODCALLTYPE d3d12_device_QueryInterface(ID3D12Device11 *iface, REFIID riid,
                                                             void **out)
{
    return d3d12_device_query(impl_from_ID3D12Device11(iface), riid, out);
}

static ULONG STDMETHODCALLTYPE d3d12_device_AddRef(ID3D12Device11 *iface)
{
    return d3d12_device_add_ref(impl_from_ID3D12Device11(iface));
}

static ULONG STDMETHODCALLTYPE d3d12_device_Release(ID3D12Device11 *iface)
{
    return d3d12_device_release(impl_from_ID3D12Device11(iface));
}

static HRESULT STDMETHODCALLTYPE d3d12_device_GetPrivateData(ID3D12Device11 *iface, REFGUID guid,
                                                             UINT *size, void *data)
{
    return private_data_get(&impl_from_ID3D12Device11(iface)->private_data, guid, size, data);
}

static HRESULT STDMETHODCALLTYPE d3d12_device_SetPrivateData(ID3D12Device11 *iface, REFGUID guid,
                                                             UINT size, const void *data)
{
    return private_data_set(&impl_from_ID3D12Device11(iface)->private_data, guid, size, data);
}

static HRESULT STDMETHODCALLTYPE d3d12_device_SetPrivateDataInterface(ID3D12Device11 *iface,
                                                                      REFGUID guid,
                                                                      const IUnknown *data)
{
    return private_data_set_interface(&impl_from_ID3D12Device11(iface)->private_data, guid, data);
}

static HRESULT STDMETHODCALLTYPE d3d12_device_SetName(ID3D12Device11 *iface, LPCWSTR name)
{
    return private_data_set_name(&impl_from_ID3D12Device11(iface)->private_data, name);
}

/* ---- questions ---- */

static UINT STDMETHODCALLTYPE d3d12_device_GetNodeCount(ID3D12Device11 *iface)
{
    (void)iface;
    return 1;
}

static HRESULT STDMETHODCALLTYPE d3d12_device_CheckFeatureSupport(ID3D12Device11 *iface,
                                                                  D3D12_FEATURE feature, void *data,
                                                                  UINT size)
{
    return d3d12_device_check_feature(impl_from_ID3D12Device11(iface), feature, data, size);
}

ABI_STRUCT_METHOD(LUID, d3d12_device_GetAdapterLuid, ID3D12Device11 *iface)
{
    ABI_RETURN_STRUCT(impl_from_ID3D12Device11(iface)->luid);
}

static HRESULT STDMETHODCALLTYPE d3d12_device_GetDeviceRemovedReason(ID3D12Device11 *iface)
{
    return (HRESULT)atomic_load_explicit(&impl_from_ID3D12Device11(iface)->removed_reason,
                                         memory_order_acquire);
}

static HRESULT STDMETHODCALLTYPE d3d12_device_SetStablePowerState(ID3D12Device11 *iface, BOOL on)
{
    (void)iface, (void)on;
    return S_OK;
}

#include "table/device_stubs.h"

static CONST_VTBL ID3D12Device11Vtbl d3d12_device_vtable = {
    .QueryInterface = d3d12_device_QueryInterface,
    .AddRef = d3d12_device_AddRef,
    .Release = d3d12_device_Release,
    .GetPrivateData = d3d12_device_GetPrivateData,
    .SetPrivateData = d3d12_device_SetPrivateData,
    .SetPrivateDataInterface = d3d12_device_SetPrivateDataInterface,
    .SetName = d3d12_device_SetName,
    .GetNodeCount = d3d12_device_GetNodeCount,
    .CreateCommandQueue = d3d12_device_CreateCommandQueue,
    .CreateCommandAllocator = d3d12_device_CreateCommandAllocator,
    .CreateGraphicsPipelineState = d3d12_device_CreateGraphicsPipelineState,
    .CreateComputePipelineState = d3d12_device_CreateComputePipelineState,
    .CreateCommandList = d3d12_device_CreateCommandList,
    .CheckFeatureSupport = d3d12_device_CheckFeatureSupport,
    .CreateDescriptorHeap = d3d12_device_CreateDescriptorHeap,
    .GetDescriptorHandleIncrementSize = d3d12_device_GetDescriptorHandleIncrementSize,
    .CreateRootSignature = d3d12_device_CreateRootSignature,
    .CreateConstantBufferView = d3d12_device_CreateConstantBufferView,
    .CreateShaderResourceView = d3d12_device_CreateShaderResourceView,
    .CreateUnorderedAccessView = d3d12_device_CreateUnorderedAccessView,
    .CreateRenderTargetView = d3d12_device_CreateRenderTargetView,
    .CreateDepthStencilView = d3d12_device_CreateDepthStencilView,
    .CreateSampler = d3d12_device_CreateSampler,
    .CopyDescriptors = d3d12_device_CopyDescriptors,
    .CopyDescriptorsSimple = d3d12_device_CopyDescriptorsSimple,
    .GetResourceAllocationInfo = d3d12_device_GetResourceAllocationInfo,
    .GetCustomHeapProperties = d3d12_device_GetCustomHeapProperties,
    .CreateCommittedResource = d3d12_device_CreateCommittedResource,
    .CreateHeap = d3d12_device_CreateHeap,
    .CreatePlacedResource = d3d12_device_CreatePlacedResource,
    .CreateReservedResource = d3d12_device_CreateReservedResource,
    .CreateSharedHandle = d3d12_device_CreateSharedHandle,
    .OpenSharedHandle = d3d12_device_OpenSharedHandle,
    .OpenSharedHandleByName = d3d12_device_OpenSharedHandleByName,
    .MakeResident = d3d12_device_MakeResident,
    .Evict = d3d12_device_Evict,
    .CreateFence = d3d12_device_CreateFence,
    .GetDeviceRemovedReason = d3d12_device_GetDeviceRemovedReason,
    .GetCopyableFootprints = d3d12_device_GetCopyableFootprints,
    .CreateQueryHeap = d3d12_device_CreateQueryHeap,
    .SetStablePowerState = d3d12_device_SetStablePowerState,
    .CreateCommandSignature = d3d12_device_CreateCommandSignature,
    .GetResourceTiling = d3d12_device_GetResourceTiling,
    .GetAdapterLuid = d3d12_device_GetAdapterLuid,
    .CreatePipelineLibrary = d3d12_device_CreatePipelineLibrary,
    .SetEventOnMultipleFenceCompletion = d3d12_device_SetEventOnMultipleFenceCompletion,
    .SetResidencyPriority = d3d12_device_SetResidencyPriority,
    .CreatePipelineState = d3d12_device_CreatePipelineState,
    .OpenExistingHeapFromAddress = d3d12_device_OpenExistingHeapFromAddress,
    .OpenExistingHeapFromFileMapping = d3d12_device_OpenExistingHeapFromFileMapping,
    .EnqueueMakeResident = d3d12_device_EnqueueMakeResident,
    .CreateCommandList1 = d3d12_device_CreateCommandList1,
    .CreateProtectedResourceSession = d3d12_device_CreateProtectedResourceSession,
    .CreateCommittedResource1 = d3d12_device_CreateCommittedResource1,
    .CreateHeap1 = d3d12_device_CreateHeap1,
    .CreateReservedResource1 = d3d12_device_CreateReservedResource1,
    .GetResourceAllocationInfo1 = d3d12_device_GetResourceAllocationInfo1,
    .CreateLifetimeTracker = d3d12_device_CreateLifetimeTracker,
    .RemoveDevice = d3d12_device_RemoveDevice,
    .EnumerateMetaCommands = d3d12_device_EnumerateMetaCommands,
    .EnumerateMetaCommandParameters = d3d12_device_EnumerateMetaCommandParameters,
    .CreateMetaCommand = d3d12_device_CreateMetaCommand,
    .CreateStateObject = d3d12_device_CreateStateObject,
    .GetRaytracingAccelerationStructurePrebuildInfo =
        d3d12_device_GetRaytracingAccelerationStructurePrebuildInfo,
    .CheckDriverMatchingIdentifier = d3d12_device_CheckDriverMatchingIdentifier,
    .SetBackgroundProcessingMode = d3d12_device_SetBackgroundProcessingMode,
    .AddToStateObject = d3d12_device_AddToStateObject,
    .CreateProtectedResourceSession1 = d3d12_device_CreateProtectedResourceSession1,
    .GetResourceAllocationInfo2 = d3d12_device_GetResourceAllocationInfo2,
    .CreateCommittedResource2 = d3d12_device_CreateCommittedResource2,
    .CreatePlacedResource1 = d3d12_device_CreatePlacedResource1,
    .CreateSamplerFeedbackUnorderedAccessView =
        d3d12_device_CreateSamplerFeedbackUnorderedAccessView,
    .GetCopyableFootprints1 = d3d12_device_GetCopyableFootprints1,
    .CreateShaderCacheSession = d3d12_device_CreateShaderCacheSession,
    .ShaderCacheControl = d3d12_device_ShaderCacheControl,
    .CreateCommandQueue1 = d3d12_device_CreateCommandQueue1,
    .CreateCommittedResource3 = d3d12_device_CreateCommittedResource3,
    .CreatePlacedResource2 = d3d12_device_CreatePlacedResource2,
    .CreateReservedResource2 = d3d12_device_CreateReservedResource2,
    .CreateSampler2 = d3d12_device_CreateSampler2,
};

/* ---- life ---- */

static void on_message(void *user, const annot_message *message)
{
    static const D3D12_MESSAGE_SEVERITY severities[] = {
        [ANNOT_SEVERITY_ERROR] = D3D12_MESSAGE_SEVERITY_ERROR,
        [ANNOT_SEVERITY_WARNING] = D3D12_MESSAGE_SEVERITY_WARNING,
        [ANNOT_SEVERITY_INFO] = D3D12_MESSAGE_SEVERITY_INFO,
    };
    struct d3d12_device *device = user;
    int id = (int)message->id;
    if (message->id == ANNOT_MESSAGE_SET_MODE_INVALID_ARGUMENT)
        id = ANNOT_D3D12_MESSAGE_ID_SET_MODE_INVALID_ARGUMENT;
    messages_emit(&device->messages, D3D12_MESSAGE_CATEGORY_EXECUTION,
                  severities[message->severity], id, "%s", message->text);
}

/* So that a force is never on or off in silence [ANN-CONF-05, -06]. */
static void tell_settings(struct d3d12_device *device)
{
    const struct d3d12_settings *settings = &device->settings;
    if (settings->mode[0] != '\0')
        messages_emit(&device->messages, D3D12_MESSAGE_CATEGORY_INITIALIZATION,
                      D3D12_MESSAGE_SEVERITY_INFO, EMU_MESSAGE_ANNOTATION_MODE, "%s",
                      settings->mode);
    if (settings->problem[0] != '\0')
        messages_emit(&device->messages, D3D12_MESSAGE_CATEGORY_INITIALIZATION,
                      D3D12_MESSAGE_SEVERITY_WARNING, EMU_MESSAGE_SETTINGS_IGNORED, "%s",
                      settings->problem);
}

static HRESULT create_annot(struct d3d12_device *device)
{
    const emu_config *config = &device->settings.config;
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    desc.driver = config->annotation != NULL ? config->annotation : &device->driver->annot;
    desc.memory_budget = config->memory_budget;
    desc.force_driver_retail = config->force_driver_retail;
    desc.message = on_message;
    desc.message_user = device;
    return hresult_from_annot(annot_device_create(&desc, &device->annot));
}

static emu_kmd *create_kmd(struct d3d12_device *device)
{
    const emu_config *config = &device->settings.config;
    const emu_kmd_desc desc = {
        .gpu = device->gpu,
        .seeded = config->order == EMU_ORDER_SEEDED,
        .seed = config->seed,
        .tdr_timeout_ns = config->tdr_timeout_ns,
        .removed = d3d12_device_removed,
        .completed = d3d12_command_queue_completed,
        .user = device,
    };
    return emu_kmd_create(&desc);
}

_Static_assert((int)EMU_HANG_AT_DISPATCH == (int)EMU_GPU_HANG_AT_DISPATCH &&
                   (int)EMU_HANG_BEFORE_LIST == (int)EMU_GPU_HANG_BEFORE_LIST,
               "the GPU's places of hangs are the configuration's");

HRESULT d3d12_device_create(const struct d3d12_adapter_identity *adapter, struct d3d12_device **out)
{
    static atomic_uint_fast64_t serials;
    struct d3d12_device *device = calloc(1, sizeof *device);
    if (device == NULL)
        return E_OUTOFMEMORY;
    HRESULT hr = E_OUTOFMEMORY;
    if (!d3d12_settings_init(&device->settings))
        goto err0;
    device->driver = adapter->driver;
    device->luid = adapter->luid;
    device->iface.lpVtbl = &d3d12_device_vtable;
    device->tools.lpVtbl = &d3d12_device_tools_vtable;
    device->info_queue.lpVtbl = &d3d12_info_queue_vtable;
    device->video.lpVtbl = &d3d12_video_device_vtable;
    atomic_init(&device->references, 1);
    atomic_init(&device->removed_reason, S_OK);
    device->serial = atomic_fetch_add(&serials, 1) + 1;
    device->gpu = emu_gpu_create();
    if (device->gpu == NULL)
        goto err1;
    const emu_hang *hang = &device->settings.config.hang;
    emu_gpu_script_hang(device->gpu, (emu_gpu_hang)hang->place, hang->count);
    device->driver_device =
        device->driver->device_create(device->gpu, device->settings.config.seed);
    if (device->driver_device == NULL)
        goto err2;
    messages_init(&device->messages);
    tell_settings(device);
    hr = create_annot(device);
    if (FAILED(hr))
        goto err3;
    hr = hresult_from_annot(annot_dump_writer_create(device->annot, &device->dump_writer));
    if (FAILED(hr))
        goto err4;
    hr = E_OUTOFMEMORY;
    device->kmd = create_kmd(device);
    if (device->kmd == NULL)
        goto err5;
    private_data_init(&device->private_data, NULL);
    destruction_init(&device->destruction, &device->iface);
    in_flight_init(&device->in_flight);
    live_objects_init(&device->live);
    debug_device_init(&device->debug);
    *out = device;
    return S_OK;
err5:
    annot_dump_writer_destroy(device->dump_writer);
err4:
    annot_device_destroy(device->annot);
err3:
    messages_finish(&device->messages);
    device->driver->device_destroy(device->driver_device);
err2:
    emu_gpu_destroy(device->gpu);
err1:
    d3d12_settings_finish(&device->settings);
err0:
    free(device);
    return hr;
}

/* No child is left, and so no queue: nothing runs. */
static void device_destroy(struct d3d12_device *device)
{
    in_flight_finish(&device->in_flight);
    live_objects_finish(&device->live);
    debug_device_finish(&device->debug);
    descriptor_table_finish(&device->descriptors);
    destruction_finish(&device->destruction);
    private_data_finish(&device->private_data);
    emu_kmd_destroy(device->kmd);
    annot_dump_writer_destroy(device->dump_writer);
    annot_device_destroy(device->annot);
    messages_finish(&device->messages);
    device->driver->device_destroy(device->driver_device);
    emu_gpu_destroy(device->gpu);
    d3d12_settings_finish(&device->settings);
    free(device);
}

ULONG d3d12_device_release(struct d3d12_device *device)
{
    ULONG left = atomic_fetch_sub_explicit(&device->references, 1, memory_order_acq_rel) - 1;
    if (left == 0) {
        d3d12_singleton_forget(device);
        atomic_store(&device->references, 1); /* for callbacks that look at the device */
        destruction_notify(&device->destruction);
        device_destroy(device);
    }
    return left;
}
