/* Descriptor heaps, views, copies of descriptors, and tables that the GPU reads. */
#include "kit.h"

#include "base/abi.h"

#define CBV_SRV_UAV D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV
#define SAMPLER     D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER
#define RTV         D3D12_DESCRIPTOR_HEAP_TYPE_RTV
#define DSV         D3D12_DESCRIPTOR_HEAP_TYPE_DSV
#define VISIBLE     D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE

static ID3D12DescriptorHeap *make_heap(ID3D12Device *device, D3D12_DESCRIPTOR_HEAP_TYPE type,
                                       UINT count, D3D12_DESCRIPTOR_HEAP_FLAGS flags)
{
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {type, count, flags, 0};
    return MADE(ID3D12DescriptorHeap, device, CreateDescriptorHeap, &desc);
}

static D3D12_CPU_DESCRIPTOR_HANDLE cpu(ID3D12Device *device, ID3D12DescriptorHeap *heap, UINT index)
{
    D3D12_DESCRIPTOR_HEAP_DESC desc;
    D3D12_CPU_DESCRIPTOR_HANDLE handle;
    ABI_CALL_STRUCT(heap, GetDesc, &desc);
    ABI_CALL_STRUCT(heap, GetCPUDescriptorHandleForHeapStart, &handle);
    handle.ptr += (SIZE_T)index * ID3D12Device_GetDescriptorHandleIncrementSize(device, desc.Type);
    return handle;
}

static D3D12_GPU_DESCRIPTOR_HANDLE gpu(ID3D12Device *device, ID3D12DescriptorHeap *heap, UINT index)
{
    D3D12_GPU_DESCRIPTOR_HANDLE handle;
    ABI_CALL_STRUCT(heap, GetGPUDescriptorHandleForHeapStart, &handle);
    handle.ptr +=
        (UINT64)index * ID3D12Device_GetDescriptorHandleIncrementSize(device, CBV_SRV_UAV);
    return handle;
}

static D3D12_UNORDERED_ACCESS_VIEW_DESC uav_words(UINT64 first, UINT count)
{
    return (D3D12_UNORDERED_ACCESS_VIEW_DESC){
        .Format = DXGI_FORMAT_R32_UINT,
        .ViewDimension = D3D12_UAV_DIMENSION_BUFFER,
        .Buffer = {.FirstElement = first, .NumElements = count},
    };
}

static D3D12_SHADER_RESOURCE_VIEW_DESC srv_words(UINT64 first, UINT count)
{
    return (D3D12_SHADER_RESOURCE_VIEW_DESC){
        .Format = DXGI_FORMAT_R32_UINT,
        .ViewDimension = D3D12_SRV_DIMENSION_BUFFER,
        .Shader4ComponentMapping = D3D12_DEFAULT_SHADER_4_COMPONENT_MAPPING,
        .Buffer = {.FirstElement = first, .NumElements = count},
    };
}

static ID3D12Resource *make_uav_buffer(ID3D12Device *device, UINT64 size)
{
    const D3D12_HEAP_PROPERTIES heap = {D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK,
                                        D3D12_MEMORY_POOL_L0, 0, 0};
    D3D12_RESOURCE_DESC desc = kit_buffer_desc(size);
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    return MADE(ID3D12Resource, device, CreateCommittedResource, &heap, D3D12_HEAP_FLAG_NONE, &desc,
                D3D12_RESOURCE_STATE_COMMON, NULL);
}

/* ---- heaps ---- */

Test(descriptor_heap, descriptions_that_d3d12_refuses_are_refused)
{
    static const struct {
        D3D12_DESCRIPTOR_HEAP_DESC desc;
        const char *why;
    } bad[] = {
        {{CBV_SRV_UAV, 0, 0, 0}, "empty"},
        {{(D3D12_DESCRIPTOR_HEAP_TYPE)4, 1, 0, 0}, "no such type"},
        {{(D3D12_DESCRIPTOR_HEAP_TYPE)-1, 1, 0, 0}, "no such type"},
        {{RTV, 1, VISIBLE, 0}, "targets are not for shaders"},
        {{DSV, 1, VISIBLE, 0}, "targets are not for shaders"},
        {{SAMPLER, 2049, VISIBLE, 0}, "more samplers than shaders can see"},
        {{CBV_SRV_UAV, 1000001, VISIBLE, 0}, "more views than tier 2 has"},
        {{CBV_SRV_UAV, 1, (D3D12_DESCRIPTOR_HEAP_FLAGS)2, 0}, "no such flag"},
        {{CBV_SRV_UAV, 1, 0, 2}, "no such node"},
    };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        void *out = &out;
        cr_expect_eq(TRY(ID3D12DescriptorHeap, &out, device, CreateDescriptorHeap, &bad[i].desc),
                     E_INVALIDARG, "%s", bad[i].why);
        cr_expect(!out && kit_messages(device) == i + 1, "%s", bad[i].why);
    }
    EXPECT_HR(ID3D12Device_CreateDescriptorHeap(device, NULL, &IID_ID3D12DescriptorHeap, NULL),
              E_INVALIDARG);
    const D3D12_DESCRIPTOR_HEAP_DESC huge = {CBV_SRV_UAV, UINT32_MAX, 0, 0};
    EXPECT_HR(ID3D12Device_CreateDescriptorHeap(device, &huge, &IID_ID3D12DescriptorHeap, NULL),
              E_OUTOFMEMORY);
    const D3D12_DESCRIPTOR_HEAP_DESC good = {SAMPLER, 2048, VISIBLE, 1};
    EXPECT_HR(ID3D12Device_CreateDescriptorHeap(device, &good, &IID_ID3D12DescriptorHeap, NULL),
              S_FALSE);
    cr_assert_eq(
        ID3D12Device_GetDescriptorHandleIncrementSize(device, (D3D12_DESCRIPTOR_HEAP_TYPE)4), 0);
}

Test(descriptor_heap, answers_its_description_identity_and_device)
{
    ID3D12Device *device = kit_device(), *same = NULL;
    ID3D12DescriptorHeap *heap = make_heap(device, RTV, 7, 0);
    D3D12_DESCRIPTOR_HEAP_DESC desc;
    ABI_CALL_STRUCT(heap, GetDesc, &desc);
    cr_assert_eq3(desc.Type, RTV, desc.NumDescriptors, 7, desc.Flags, 0);
    void *pageable = AS(ID3D12Pageable, heap), *fence = NULL;
    cr_assert_eq(pageable, heap);
    ID3D12DescriptorHeap_Release(heap);
    EXPECT_HR(ID3D12DescriptorHeap_QueryInterface(heap, &IID_ID3D12Fence, &fence), E_NOINTERFACE);
    MUST(ID3D12DescriptorHeap_GetDevice(heap, &IID_ID3D12Device, (void **)&same));
    cr_assert_eq(same, device);
    RELEASE(same, heap);
    kit_close(device);
}

Test(descriptor_heap, names_reach_the_driver_as_its_kind) /* ANN-NAME-01 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    OWNED ID3D12DescriptorHeap *heap = make_heap(device, CBV_SRV_UAV, 1, VISIBLE);
    MUST(ID3D12DescriptorHeap_SetName(heap, L"views"));
    cr_assert_eqs(heard_count, 1, heard[0].what, HEARD_NAME);
    cr_assert_eqs(heard[0].type, D3D12DDI_HT_DESCRIPTOR_HEAP, heard[0].name_length, 5);
}

Test(descriptor_heap, handles_tell_heaps_and_sides_apart)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12DescriptorHeap *a = make_heap(device, CBV_SRV_UAV, 2, VISIBLE);
    OWNED ID3D12DescriptorHeap *b = make_heap(device, CBV_SRV_UAV, 2, 0);
    const D3D12_CPU_DESCRIPTOR_HANDLE cpu_a = cpu(device, a, 0), cpu_b = cpu(device, b, 0);
    cr_assert(cpu_a.ptr != 0 && cpu_b.ptr != 0 && cpu_a.ptr != cpu_b.ptr);
    cr_assert(gpu(device, a, 0).ptr != 0 && gpu(device, a, 0).ptr != cpu_a.ptr);
    cr_assert_eq(kit_messages(device), 0);
    D3D12_GPU_DESCRIPTOR_HANDLE none;
    ABI_CALL_STRUCT(b, GetGPUDescriptorHandleForHeapStart, &none);
    cr_assert_eq(none.ptr, 0);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_DESCRIPTOR_HEAP_NOT_SHADER_VISIBLE), 1);
}

/* A heap's slot is used again, its handles are not. */
Test(descriptor_heap, handles_of_a_released_heap_are_noticed)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12DescriptorHeap *heap = make_heap(device, CBV_SRV_UAV, 4, 0);
    const D3D12_CPU_DESCRIPTOR_HANDLE stale = cpu(device, heap, 1), beyond = cpu(device, heap, 4);
    D3D12_CPU_DESCRIPTOR_HANDLE between = cpu(device, heap, 0);
    between.ptr++;
    ID3D12Device_CreateConstantBufferView(device, NULL, stale);
    cr_assert_eq(kit_messages(device), 0);
    ID3D12Device_CreateConstantBufferView(device, NULL, beyond);
    ID3D12Device_CreateConstantBufferView(device, NULL, between);
    ID3D12DescriptorHeap_Release(heap);
    for (int i = 0; i < 65535;
         i++) { /* once through the other slots: the next heap gets this one's */
        heap = make_heap(device, CBV_SRV_UAV, 4, 0);
        ID3D12DescriptorHeap_Release(heap);
    }
    heap = make_heap(device, CBV_SRV_UAV, 4, 0);
    ID3D12Device_CreateConstantBufferView(device, NULL, stale);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE), 3);
    const D3D12_CPU_DESCRIPTOR_HANDLE nonsense[] = {{0}, {1}, {UINT64_MAX}, {(SIZE_T)&device}};
    for (int i = 0; i < 4; i++)
        ID3D12Device_CreateConstantBufferView(device, NULL, nonsense[i]);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE), 7);
}

/* ---- views ---- */

Test(views, of_buffers_are_checked_against_buffer_and_description)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12DescriptorHeap *heap = make_heap(device, CBV_SRV_UAV, 1, 0);
    OWNED ID3D12Resource *buffer = make_uav_buffer(device, 8192);
    OWNED ID3D12Resource *plain = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 256);
    const D3D12_CPU_DESCRIPTOR_HANDLE at = cpu(device, heap, 0);
    D3D12_SHADER_RESOURCE_VIEW_DESC srv = srv_words(0, 2048);
    D3D12_UNORDERED_ACCESS_VIEW_DESC uav = uav_words(2000, 48);
    const D3D12_GPU_VIRTUAL_ADDRESS address = ID3D12Resource_GetGPUVirtualAddress(buffer);

    ID3D12Device_CreateShaderResourceView(device, buffer, &srv, at);
    ID3D12Device_CreateShaderResourceView(device, NULL, &srv, at); /* null descriptors */
    ID3D12Device_CreateUnorderedAccessView(device, buffer, NULL, &uav, at);
    ID3D12Device_CreateUnorderedAccessView(device, NULL, NULL, &uav, at);
    const D3D12_CONSTANT_BUFFER_VIEW_DESC cbv[] = {
        {address, 512}, {0, 0}, {address, 65536 + 256}, {address + 4, 256}, {address, 255}};
    ID3D12Device_CreateConstantBufferView(device, &cbv[0], at);
    ID3D12Device_CreateConstantBufferView(device, &cbv[1], at);
    /* structured, with a counter; raw */
    uav = (D3D12_UNORDERED_ACCESS_VIEW_DESC){.ViewDimension = D3D12_UAV_DIMENSION_BUFFER,
                                             .Buffer = {0, 512, 16, 4096, 0}};
    ID3D12Device_CreateUnorderedAccessView(device, buffer, buffer, &uav, at);
    srv.Format = DXGI_FORMAT_R32_TYPELESS;
    srv.Buffer.Flags = D3D12_BUFFER_SRV_FLAG_RAW;
    ID3D12Device_CreateShaderResourceView(device, buffer, &srv, at);
    cr_assert_eq(kit_messages(device), 0);

    for (int i = 2; i < 5; i++)
        ID3D12Device_CreateConstantBufferView(device, &cbv[i], at);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATE_CONSTANT_BUFFER_VIEW_INVALID_DESC), 3);
    kit_clear(device);

    srv = srv_words(0, 2049); /* past the end */
    ID3D12Device_CreateShaderResourceView(device, buffer, &srv, at);
    srv = srv_words(UINT64_MAX, 2);
    ID3D12Device_CreateShaderResourceView(device, buffer, &srv, at);
    srv = srv_words(0, 1); /* a zeroed mapping */
    srv.Shader4ComponentMapping = 0;
    ID3D12Device_CreateShaderResourceView(device, buffer, &srv, at);
    srv = srv_words(0, 1); /* structured and typed at once */
    srv.Buffer.StructureByteStride = 4;
    ID3D12Device_CreateShaderResourceView(device, buffer, &srv, at);
    ID3D12Device_CreateShaderResourceView(device, buffer, NULL, at);
    ID3D12Device_CreateShaderResourceView(device, NULL, NULL, at);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATESHADERRESOURCEVIEW_INVALIDDESC), 6);
    kit_clear(device);

    uav = uav_words(0, 1);
    ID3D12Device_CreateUnorderedAccessView(device, plain, NULL, &uav, at);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATEUNORDEREDACCESSVIEW_INVALIDRESOURCE), 1);
    ID3D12Device_CreateUnorderedAccessView(device, NULL, buffer, &uav, at);
    cr_assert_eq(
        kit_count(device, D3D12_MESSAGE_ID_CREATE_UNORDEREDACCESS_VIEW_INVALID_COUNTER_USAGE), 1);
    ID3D12Device_CreateUnorderedAccessView(device, buffer, buffer, &uav, at); /* not structured */
    uav.Buffer.StructureByteStride = 4;
    uav.Format = DXGI_FORMAT_UNKNOWN;
    uav.Buffer.CounterOffsetInBytes = 8192;
    ID3D12Device_CreateUnorderedAccessView(device, buffer, buffer, &uav, at);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATEUNORDEREDACCESSVIEW_INVALIDDESC), 2);
    kit_clear(device);

    ID3D12Resource *foreign = (ID3D12Resource *)heap;
    ID3D12Device_CreateShaderResourceView(device, foreign, &srv, at);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATESHADERRESOURCEVIEW_INVALIDRESOURCE), 1);
}

Test(views, go_into_heaps_of_their_type_only)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12DescriptorHeap *heaps[4];
    const D3D12_RENDER_TARGET_VIEW_DESC rtv = {.Format = DXGI_FORMAT_R8G8B8A8_UNORM,
                                               .ViewDimension = D3D12_RTV_DIMENSION_TEXTURE2D};
    const D3D12_DEPTH_STENCIL_VIEW_DESC dsv = {.Format = DXGI_FORMAT_D24_UNORM_S8_UINT,
                                               .ViewDimension = D3D12_DSV_DIMENSION_TEXTURE2D};
    const D3D12_SAMPLER_DESC sampler = {.Filter = D3D12_FILTER_COMPARISON_ANISOTROPIC,
                                        .AddressU = D3D12_TEXTURE_ADDRESS_MODE_WRAP,
                                        .AddressV = D3D12_TEXTURE_ADDRESS_MODE_CLAMP,
                                        .AddressW = D3D12_TEXTURE_ADDRESS_MODE_MIRROR_ONCE,
                                        .MaxAnisotropy = 16,
                                        .ComparisonFunc = D3D12_COMPARISON_FUNC_ALWAYS};
    for (int i = 0; i < 4; i++)
        heaps[i] = make_heap(device, (D3D12_DESCRIPTOR_HEAP_TYPE)i, 1, 0);
    for (int i = 0; i < 4; i++) {
        const D3D12_CPU_DESCRIPTOR_HANDLE at = cpu(device, heaps[i], 0);
        kit_clear(device);
        ID3D12Device_CreateConstantBufferView(device, NULL, at);
        ID3D12Device_CreateSampler(device, &sampler, at);
        ID3D12Device_CreateRenderTargetView(device, NULL, &rtv, at);
        ID3D12Device_CreateDepthStencilView(device, NULL, &dsv, at);
        cr_assert_eqs(kit_count(device, D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE), 3,
                      kit_messages(device), 3, "type %d", i);
    }
    for (int i = 0; i < 4; i++)
        ID3D12DescriptorHeap_Release(heaps[i]);
}

Test(views, of_targets_and_samplers_are_checked)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12DescriptorHeap *rtvs = make_heap(device, RTV, 1, 0),
                               *dsvs = make_heap(device, DSV, 1, 0);
    OWNED ID3D12DescriptorHeap *samplers = make_heap(device, SAMPLER, 1, 0);
    OWNED ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 256);
    D3D12_RENDER_TARGET_VIEW_DESC rtv = {.Format = DXGI_FORMAT_R8G8B8A8_UNORM,
                                         .ViewDimension = D3D12_RTV_DIMENSION_TEXTURE2D};
    D3D12_DEPTH_STENCIL_VIEW_DESC dsv = {.Format = DXGI_FORMAT_R8G8B8A8_UNORM,
                                         .ViewDimension = D3D12_DSV_DIMENSION_TEXTURE2D};
    ID3D12Device_CreateRenderTargetView(device, buffer, &rtv, cpu(device, rtvs, 0));
    ID3D12Device_CreateRenderTargetView(device, NULL, NULL, cpu(device, rtvs, 0));
    rtv.ViewDimension = D3D12_RTV_DIMENSION_UNKNOWN;
    ID3D12Device_CreateRenderTargetView(device, NULL, &rtv, cpu(device, rtvs, 0));
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATERENDERTARGETVIEW_INVALIDDESC), 3);
    ID3D12Device_CreateDepthStencilView(device, NULL, &dsv, cpu(device, dsvs, 0)); /* no depth */
    ID3D12Device_CreateDepthStencilView(device, NULL, NULL, cpu(device, dsvs, 0));
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATEDEPTHSTENCILVIEW_INVALIDDESC), 2);
    D3D12_SAMPLER_DESC sampler = {.AddressU = 1, .AddressV = 1, .AddressW = 1};
    ID3D12Device_CreateSampler(device, &sampler, cpu(device, samplers, 0));
    cr_assert_eq(kit_messages(device), 5);
    sampler.AddressW = 6;
    ID3D12Device_CreateSampler(device, &sampler, cpu(device, samplers, 0));
    sampler.AddressW = 1;
    sampler.MaxAnisotropy = 17;
    ID3D12Device_CreateSampler(device, &sampler, cpu(device, samplers, 0));
    sampler.MaxAnisotropy = 0;
    sampler.Filter = D3D12_FILTER_COMPARISON_MIN_MAG_MIP_LINEAR; /* compares with nothing */
    ID3D12Device_CreateSampler(device, &sampler, cpu(device, samplers, 0));
    ID3D12Device_CreateSampler(device, NULL, cpu(device, samplers, 0));
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATE_SAMPLER_INVALID), 4);
}

/* ---- what the GPU makes of them ---- */

/* A root signature of two tables, UAV and SRV, and two constants. */
static ID3D12RootSignature *table_signature(ID3D12Device *device)
{
    const D3D12_DESCRIPTOR_RANGE ranges[2] = {
        {.RangeType = D3D12_DESCRIPTOR_RANGE_TYPE_UAV, .NumDescriptors = 1},
        {.RangeType = D3D12_DESCRIPTOR_RANGE_TYPE_SRV, .NumDescriptors = 1},
    };
    const D3D12_ROOT_PARAMETER parameters[3] = {
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE,
         .DescriptorTable = {1, &ranges[0]}},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE,
         .DescriptorTable = {1, &ranges[1]}},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS,
         .Constants = {.Num32BitValues = 2}},
    };
    const D3D12_ROOT_SIGNATURE_DESC desc = {.NumParameters = 3, .pParameters = parameters};
    return kit_root_signature_of(device, &desc);
}

struct scene {
    KIT_SCENE;
    ID3D12RootSignature *signature;
    ID3D12PipelineState *pipeline;
    ID3D12DescriptorHeap *heap; /* 8 views, shader visible */
    ID3D12Resource *to, *from;  /* 64 words each, from[i] = 100 + i */
    uint32_t *result;
};

static void set_up(struct scene *s, emu_kernel kernel)
{
    KIT_SCENE_OPEN(s, kit_device(), COMPUTE);
    s->signature = table_signature(s->device);
    s->pipeline = kit_pipeline(s->device, s->signature, kernel);
    s->heap = make_heap(s->device, CBV_SRV_UAV, 8, VISIBLE);
    s->to = make_uav_buffer(s->device, 256);
    s->from = kit_buffer(s->device, D3D12_HEAP_TYPE_UPLOAD, 256);
    uint32_t *words = kit_map(s->from);
    for (uint32_t i = 0; i < 64; i++)
        words[i] = 100 + i;
    words = kit_map(s->to);
    for (uint32_t i = 0; i < 64; i++)
        words[i] = 7;
    s->result = words;
}

static void tear_down(struct scene *s)
{
    KIT_SCENE_CLOSE(s, s->to, s->from, s->heap, s->pipeline, s->signature);
}

#define SCENE(kernel)                                                                              \
    AT_END(tear_down) struct scene s;                                                              \
    set_up(&s, kernel)

/* Records a dispatch of 64 words with the heap's views `to` and `from`. */
static void record(struct scene *s, UINT to, UINT from)
{
    const UINT constants[2] = {5, 64};
    ID3D12GraphicsCommandList_SetComputeRootSignature(s->list, s->signature);
    ID3D12GraphicsCommandList_SetPipelineState(s->list, s->pipeline);
    ID3D12GraphicsCommandList_SetDescriptorHeaps(s->list, 1, &s->heap);
    ID3D12GraphicsCommandList_SetComputeRootDescriptorTable(s->list, 0,
                                                            gpu(s->device, s->heap, to));
    ID3D12GraphicsCommandList_SetComputeRootDescriptorTable(s->list, 1,
                                                            gpu(s->device, s->heap, from));
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(s->list, 2, 2, constants, 0);
    ID3D12GraphicsCommandList_Dispatch(s->list, 1, 1, 1);
}

Test(descriptor_table, work_reaches_what_its_views_show)
{
    SCENE(EMU_KERNEL_COPY);
    const D3D12_UNORDERED_ACCESS_VIEW_DESC uav = uav_words(4, 40);
    const D3D12_SHADER_RESOURCE_VIEW_DESC srv = srv_words(10, 20);
    record(&s, 3, 5);
    /* Written after recording: the GPU reads descriptors when it runs. */
    ID3D12Device_CreateUnorderedAccessView(s.device, s.to, NULL, &uav, cpu(s.device, s.heap, 3));
    ID3D12Device_CreateShaderResourceView(s.device, s.from, &srv, cpu(s.device, s.heap, 5));
    kit_run(s.device, s.queue, s.list);
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t expected = i < 4 || i >= 44 ? 7 /* outside of the view: not written */
                                  : i < 24         ? 100 + 10 + i - 4
                                                   : 0; /* past the source's view: zeros */
        cr_assert_eq(s.result[i], expected, "%u: %u", i, s.result[i]);
    }
    cr_assert_eq(kit_messages(s.device), 0);
}

Test(descriptor_table, null_descriptors_read_zeros_and_drop_writes)
{
    SCENE(EMU_KERNEL_COPY);
    const D3D12_UNORDERED_ACCESS_VIEW_DESC uav = uav_words(0, 64);
    const D3D12_SHADER_RESOURCE_VIEW_DESC srv = srv_words(0, 64);
    ID3D12Device_CreateUnorderedAccessView(s.device, s.to, NULL, &uav, cpu(s.device, s.heap, 0));
    ID3D12Device_CreateUnorderedAccessView(s.device, NULL, NULL, &uav, cpu(s.device, s.heap, 1));
    ID3D12Device_CreateShaderResourceView(s.device, NULL, &srv, cpu(s.device, s.heap, 2));
    ID3D12Device_CreateShaderResourceView(s.device, s.from, &srv, cpu(s.device, s.heap, 3));
    record(&s, 1, 3);
    kit_run(s.device, s.queue, s.list);
    cr_assert_eqs(s.result[0], 7, s.result[63], 7);
    MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
    record(&s, 0, 2);
    kit_run(s.device, s.queue, s.list);
    cr_assert_eqs(s.result[0], 0, s.result[63], 0);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(s.device), S_OK);
}

Test(descriptor_table, a_heap_that_goes_while_the_gpu_uses_it_is_told)
{
    SCENE(EMU_KERNEL_FILL);
    OWNED ID3D12Fence *gate = kit_fence(s.device, 0);
    record(&s, 0, 1);
    MUST(ID3D12CommandQueue_Wait(s.queue, gate, 1));
    kit_execute(s.queue, s.list);
    ID3D12DescriptorHeap_Release(s.heap);
    s.heap = make_heap(s.device, CBV_SRV_UAV, 8, VISIBLE);
    EXPECT_MESSAGES(s.device, 1, D3D12_MESSAGE_ID_OBJECT_DELETED_WHILE_STILL_IN_USE);
    MUST(ID3D12Fence_Signal(gate, 1));
}

Test(descriptor_table, a_descriptor_that_nobody_wrote_removes_the_device)
{
    SCENE(EMU_KERNEL_COPY);
    record(&s, 0, 1);
    kit_execute(s.queue, s.list);
    emu_run_until_idle(s.device);
    cr_assert(FAILED(ID3D12Device_GetDeviceRemovedReason(s.device)));
}

Test(descriptor_table, tables_are_of_heaps_that_are_set)
{
    SCENE(EMU_KERNEL_FILL);
    OWNED ID3D12DescriptorHeap *other = make_heap(s.device, CBV_SRV_UAV, 8, VISIBLE);
    OWNED ID3D12DescriptorHeap *hidden = make_heap(s.device, CBV_SRV_UAV, 8, 0);
    ID3D12DescriptorHeap *twice[2] = {s.heap, other};
    const D3D12_GPU_DESCRIPTOR_HANDLE cpu_side = {cpu(s.device, s.heap, 0).ptr};
#define REFUSED(id, ...)                                                                           \
    do {                                                                                           \
        ID3D12GraphicsCommandList_SetComputeRootSignature(s.list, s.signature);                    \
        ID3D12GraphicsCommandList_SetDescriptorHeaps(s.list, 1, &s.heap);                          \
        KIT_MISTAKE(s.device, s.list, s.allocator, S_OK, id, __VA_ARGS__);                         \
    } while (0)
#define NO_TABLE D3D12_MESSAGE_ID_SET_DESCRIPTOR_TABLE_INVALID
#define NO_HEAP  D3D12_MESSAGE_ID_SET_DESCRIPTOR_HEAP_INVALID
    REFUSED(NO_TABLE, SetComputeRootDescriptorTable, 0, gpu(s.device, other, 0));
    REFUSED(NO_TABLE, SetComputeRootDescriptorTable, 0, gpu(s.device, s.heap, 8));
    REFUSED(NO_TABLE, SetComputeRootDescriptorTable, 0, cpu_side);
    /* parameter 2 is no table */
    REFUSED(EMU_MESSAGE_INVALID_ARGUMENT, SetComputeRootDescriptorTable, 2,
            gpu(s.device, s.heap, 0));
    REFUSED(NO_HEAP, SetDescriptorHeaps, 2, twice);
    REFUSED(NO_HEAP, SetDescriptorHeaps, 1, &hidden);
}

/* ---- copies ---- */

Test(copy_descriptors, ranges_of_different_lengths_line_up)
{
    SCENE(EMU_KERNEL_FILL);
    OWNED ID3D12DescriptorHeap *stage = make_heap(s.device, CBV_SRV_UAV, 4, 0);
    for (UINT i = 0; i < 4; i++) { /* view i shows word i */
        const D3D12_UNORDERED_ACCESS_VIEW_DESC uav = uav_words(i, 1);
        ID3D12Device_CreateUnorderedAccessView(s.device, s.to, NULL, &uav, cpu(s.device, stage, i));
    }
    const D3D12_CPU_DESCRIPTOR_HANDLE to[] = {cpu(s.device, s.heap, 6), cpu(s.device, s.heap, 1)};
    const D3D12_CPU_DESCRIPTOR_HANDLE from[] = {cpu(s.device, stage, 3), cpu(s.device, stage, 2),
                                                cpu(s.device, stage, 0)};
    const UINT to_sizes[] = {2, 1}, from_sizes[] = {1, 0, 2}, short_sizes[] = {1, 0, 1};
    ID3D12Device_CopyDescriptors(s.device, 2, to, to_sizes, 3, from, NULL, CBV_SRV_UAV);
    ID3D12Device_CopyDescriptors(s.device, 2, to, to_sizes, 3, from, from_sizes, CBV_SRV_UAV);
    ID3D12Device_CopyDescriptorsSimple(s.device, 1, cpu(s.device, s.heap, 7),
                                       cpu(s.device, stage, 3), CBV_SRV_UAV);
    ID3D12Device_CopyDescriptorsSimple(s.device, 0, cpu(s.device, s.heap, 7),
                                       cpu(s.device, stage, 3), CBV_SRV_UAV);
    cr_assert_eq(kit_messages(s.device), 0);
    record(&s, 1, 1); /* which is stage's view 1 now */
    kit_run(s.device, s.queue, s.list);
    cr_assert_eq3(s.result[0], 7, s.result[1], 5, s.result[2], 7);

    /* not as many; out of what shaders see; past the end; another type; nothing */
    ID3D12Device_CopyDescriptors(s.device, 2, to, to_sizes, 3, from, short_sizes, CBV_SRV_UAV);
    ID3D12Device_CopyDescriptorsSimple(s.device, 1, cpu(s.device, stage, 0),
                                       cpu(s.device, s.heap, 0), CBV_SRV_UAV);
    ID3D12Device_CopyDescriptorsSimple(s.device, 2, cpu(s.device, s.heap, 7),
                                       cpu(s.device, stage, 0), CBV_SRV_UAV);
    ID3D12Device_CopyDescriptorsSimple(s.device, 1, cpu(s.device, s.heap, 0),
                                       cpu(s.device, stage, 0), SAMPLER);
    ID3D12Device_CopyDescriptors(s.device, 1, NULL, NULL, 1, from, NULL, CBV_SRV_UAV);
    cr_assert_eq(kit_count(s.device, D3D12_MESSAGE_ID_COPY_DESCRIPTORS_INVALID_RANGES), 5);
}
