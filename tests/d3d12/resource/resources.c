/* Heaps and buffers: descriptions, mapping, placing, addresses; root signatures and pipelines. */
#include "kit.h"

#include "base/abi.h"

static HRESULT create(ID3D12Device *device, D3D12_HEAP_TYPE type, const D3D12_RESOURCE_DESC *desc,
                      D3D12_RESOURCE_STATES state, void **out)
{
    const D3D12_HEAP_PROPERTIES heap = {.Type = type};
    return ID3D12Device_CreateCommittedResource(device, &heap, D3D12_HEAP_FLAG_NONE, desc, state,
                                                NULL, &IID_ID3D12Resource, out);
}

Test(resource, descriptions_that_d3d12_refuses_are_refused)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    const D3D12_RESOURCE_DESC good = kit_buffer_desc(256);
    D3D12_RESOURCE_DESC bad[8];
    for (int i = 0; i < 8; i++)
        bad[i] = good;
    bad[0].Width = 0;
    bad[1].Height = 2;
    bad[2].MipLevels = 2;
    bad[3].Format = DXGI_FORMAT_R8_UINT;
    bad[4].SampleDesc.Count = 0;
    bad[5].Layout = D3D12_TEXTURE_LAYOUT_UNKNOWN;
    bad[6].Flags = D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS;
    bad[7].Alignment = 4096;
    for (int i = 0; i < 8; i++) {
        void *out = &out;
        EXPECT_HR(create(device, D3D12_HEAP_TYPE_DEFAULT, &bad[i], D3D12_RESOURCE_STATE_COMMON,
                         &out),
                  E_INVALIDARG);
        cr_assert_eqs(out, NULL, kit_messages(device), (UINT64)i + 1);
    }
    EXPECT_HR(create(device, D3D12_HEAP_TYPE_DEFAULT, NULL, D3D12_RESOURCE_STATE_COMMON, NULL),
              E_INVALIDARG);
    EXPECT_HR(create(device, (D3D12_HEAP_TYPE)9, &good, D3D12_RESOURCE_STATE_COMMON, NULL),
              E_INVALIDARG);
    EXPECT_HR(create(device, D3D12_HEAP_TYPE_DEFAULT, &good, D3D12_RESOURCE_STATE_COMMON, NULL),
              S_FALSE);
    /* a flag for targets is nothing to a buffer, but in the heaps of the CPU */
    D3D12_RESOURCE_DESC target = good;
    target.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
    EXPECT_HR(create(device, D3D12_HEAP_TYPE_DEFAULT, &target, D3D12_RESOURCE_STATE_COMMON, NULL),
              S_FALSE);
    EXPECT_HR(create(device, D3D12_HEAP_TYPE_UPLOAD, &target, D3D12_RESOURCE_STATE_GENERIC_READ,
                     NULL),
              E_INVALIDARG);
    EXPECT_HR(create(device, D3D12_HEAP_TYPE_READBACK, &target, D3D12_RESOURCE_STATE_COPY_DEST,
                     NULL),
              E_INVALIDARG);
    const D3D12_RESOURCE_DESC huge = kit_buffer_desc(UINT64_MAX / 2);
    EXPECT_HR(create(device, D3D12_HEAP_TYPE_DEFAULT, &huge, D3D12_RESOURCE_STATE_COMMON, NULL),
              E_OUTOFMEMORY);
}

Test(resource, map_is_counted_and_for_the_cpu_s_heaps_only)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Resource *upload = kit_buffer(device, D3D12_HEAP_TYPE_UPLOAD, 64);
    OWNED ID3D12Resource *local = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 64);
    void *first = NULL, *second = NULL;
    MUST(ID3D12Resource_Map(upload, 0, NULL, &first));
    MUST(ID3D12Resource_Map(upload, 0, NULL, &second));
    cr_assert(first);
    cr_assert_eq(first, second);
    MUST(ID3D12Resource_Map(upload, 0, NULL, NULL));
    for (int i = 0; i < 3; i++)
        ID3D12Resource_Unmap(upload, 0, NULL);
    cr_assert_eq(kit_messages(device), 0);
    ID3D12Resource_Unmap(upload, 0, NULL);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_RESOURCE_UNMAP_NOTMAPPED), 1);
    EXPECT_HR(ID3D12Resource_Map(upload, 1, NULL, &first), E_INVALIDARG);
    EXPECT_HR(ID3D12Resource_Map(local, 0, NULL, &first), E_INVALIDARG);
    cr_assert_eq(first, second); /* a pointer is not touched on failure */
}

Test(resource, placed_buffers_share_their_heap_s_memory)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    const D3D12_HEAP_DESC heap_desc = {.SizeInBytes = 3 * 65536,
                                       .Properties = {.Type = D3D12_HEAP_TYPE_UPLOAD}};
    const D3D12_RESOURCE_DESC whole = kit_buffer_desc(3 * 65536), part = kit_buffer_desc(65536);
    OWNED ID3D12Resource *all = NULL, *last = NULL;
    const D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_GENERIC_READ;
    ID3D12Heap *heap = MADE(ID3D12Heap, device, CreateHeap, &heap_desc);
    all = MADE(ID3D12Resource, device, CreatePlacedResource, heap, 0, &whole, state, NULL);
    last = MADE(ID3D12Resource, device, CreatePlacedResource, heap, 2 * 65536, &part, state, NULL);
    REFUSES(E_INVALIDARG, ID3D12Resource, device, CreatePlacedResource, heap, 65536, &whole, state,
            NULL);
    REFUSES(E_INVALIDARG, ID3D12Resource, device, CreatePlacedResource, heap, 256, &part, state,
            NULL);
    REFUSES(E_INVALIDARG, ID3D12Resource, device, CreatePlacedResource, NULL, 0, &part, state,
            NULL);
    ID3D12Heap_Release(heap); /* its resources keep the memory */
    char *all_bytes = kit_map(all), *last_bytes = kit_map(last);
    last_bytes[7] = 'x';
    cr_assert_eq(all_bytes[2 * 65536 + 7], 'x');
    cr_assert_eq(ID3D12Resource_GetGPUVirtualAddress(last),
                 ID3D12Resource_GetGPUVirtualAddress(all) + 2 * 65536);
    D3D12_RESOURCE_DESC last_desc;
    ABI_CALL_STRUCT(last, GetDesc, &last_desc);
    cr_assert_eq(last_desc.Width, 65536);
}

Test(resource, buffers_take_whole_units_of_64_kib)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    const D3D12_RESOURCE_DESC descs[2] = {kit_buffer_desc(1), kit_buffer_desc(65537)};
    D3D12_RESOURCE_ALLOCATION_INFO info;
    ABI_CALL_STRUCT_ARGS(device, GetResourceAllocationInfo, &info, 0, 2, descs);
    cr_assert_eqs(info.SizeInBytes, 3 * 65536, info.Alignment, 65536);
    ABI_CALL_STRUCT_ARGS(device, GetResourceAllocationInfo, &info, 0, 0, descs);
    cr_assert_eqs(info.SizeInBytes, 0, info.Alignment, 65536, "no resources take no memory");
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT layout;
    UINT rows;
    UINT64 row_size, total;
    ID3D12Device_GetCopyableFootprints(device, &descs[1], 0, 1, 512, &layout, &rows, &row_size,
                                       &total);
    cr_assert_eq3(layout.Offset, 512, layout.Footprint.Width, 65537, rows, 1);
    cr_assert_eqs(row_size, 65537, total, 65537);
    cr_assert_eq(ID3D12Device_GetNodeCount(device), 1);
}

/* ---- where a resource may lie, and how it may start ---- */

Test(resource, a_heap_takes_what_its_flags_and_type_permit)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    const D3D12_RESOURCE_DESC buffer = kit_buffer_desc(256);
    D3D12_RESOURCE_DESC writable = buffer, texture = buffer, target;
    writable.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    texture.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
    texture.Format = DXGI_FORMAT_R8_UNORM;
    texture.Layout = D3D12_TEXTURE_LAYOUT_UNKNOWN;
    target = texture;
    target.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
    const D3D12_RESOURCE_STATES common = D3D12_RESOURCE_STATE_COMMON,
                                read = D3D12_RESOURCE_STATE_GENERIC_READ,
                                dest = D3D12_RESOURCE_STATE_COPY_DEST,
                                source = D3D12_RESOURCE_STATE_COPY_SOURCE,
                                render = D3D12_RESOURCE_STATE_RENDER_TARGET,
                                access = D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
    enum {
        flags_of_heap = D3D12_MESSAGE_ID_CREATERESOURCEANDHEAP_INVALIDHEAPMISCFLAGS,
        properties = D3D12_MESSAGE_ID_CREATERESOURCEANDHEAP_INVALIDHEAPPROPERTIES,
        parameters = D3D12_MESSAGE_ID_CREATERESOURCEANDHEAP_INVALID_PARAMETERS,
        state_of_heap = D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_HEAP,
    };
    const struct {
        const char *why;
        D3D12_HEAP_TYPE type;
        D3D12_HEAP_FLAGS flags;
        const D3D12_RESOURCE_DESC *desc;
        D3D12_RESOURCE_STATES state;
        int id; /* 0: it works */
    } cases[] = {
        {"buffer", 1, 0, &buffer, common, 0},
        {"buffer where denied", 1, D3D12_HEAP_FLAG_DENY_BUFFERS, &buffer, common, flags_of_heap},
        {"texture among buffers", 1, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS, &texture, common,
         flags_of_heap},
        {"target among textures", 1, D3D12_HEAP_FLAG_ALLOW_ONLY_NON_RT_DS_TEXTURES, &target, common,
         flags_of_heap},
        {"texture among targets", 1, D3D12_HEAP_FLAG_ALLOW_ONLY_RT_DS_TEXTURES, &texture, common,
         flags_of_heap},
        {"target among targets", 1, D3D12_HEAP_FLAG_ALLOW_ONLY_RT_DS_TEXTURES, &target, common, 0},
        {"upload", 2, 0, &buffer, read, 0},
        /* Enhanced Barriers: "buffers in upload and readback heaps may be created in COMMON" */
        {"upload as common", 2, 0, &buffer, common, 0},
        {"upload as source", 2, 0, &buffer, source, 0},
        {"upload in another state", 2, 0, &buffer, dest, state_of_heap},
        {"readback in another state", 3, 0, &buffer, read, state_of_heap},
        {"readback as source", 3, 0, &buffer, source, state_of_heap},
        {"readback as common", 3, 0, &buffer, common, 0},
        {"readback", 3, 0, &buffer, dest, 0},
        {"upload of a texture", 2, 0, &texture, read, properties},
        {"upload that shaders write", 2, 0, &writable, read, properties},
        {"shared upload", 2, D3D12_HEAP_FLAG_SHARED, &buffer, read,
         D3D12_MESSAGE_ID_CREATESHAREDHEAP_INVALIDFLAGS},
        {"no such type", 5, 0, &buffer, common,
         D3D12_MESSAGE_ID_CREATERESOURCEANDHEAP_UNRECOGNIZEDHEAPTYPE},
        {"no such flag", 1, 0x8000, &buffer, common,
         D3D12_MESSAGE_ID_CREATERESOURCEANDHEAP_UNRECOGNIZEDHEAPMISCFLAGS},
        {"target state of no target", 1, 0, &texture, render, parameters},
        {"target state of a target", 1, 0, &target, render, 0},
        {"depth state of a target", 1, 0, &target, D3D12_RESOURCE_STATE_DEPTH_WRITE, parameters},
        {"unordered access without flag", 1, 0, &buffer, access, parameters},
        {"unordered access", 1, 0, &writable, access, 0},
        {"read and write", 1, 0, &buffer, dest | source, parameters},
        {"two writes", 1, 0, &buffer, dest | D3D12_RESOURCE_STATE_STREAM_OUT, parameters},
        {"no such state", 1, 0, &buffer, (D3D12_RESOURCE_STATES)0x8, parameters},
        {"no bit of a state", 1, 0, &buffer, (D3D12_RESOURCE_STATES)0x40000000, parameters},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const D3D12_HEAP_PROPERTIES heap = {.Type = cases[i].type};
        kit_clear(device);
        HRESULT hr = TRY(ID3D12Resource, NULL, device, CreateCommittedResource, &heap,
                         cases[i].flags, cases[i].desc, cases[i].state, NULL);
        cr_expect_eq(hr, cases[i].id ? E_INVALIDARG : S_FALSE, "%s: %x", cases[i].why,
                     (unsigned)hr);
        cr_expect_eq(kit_messages(device), cases[i].id != 0, "%s", cases[i].why);
        cr_expect(cases[i].id == 0 || kit_count(device, cases[i].id) == 1, "%s", cases[i].why);
    }
    EXPECT_HR(TRY(ID3D12Resource, NULL, device, CreateCommittedResource, NULL, 0, &buffer, common,
                  NULL),
              E_INVALIDARG);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATERESOURCEANDHEAP_NULLHEAPPROPERTIES), 1);
}

Test(resource, says_where_it_lies)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    const D3D12_HEAP_DESC desc = {.SizeInBytes = 65536,
                                  .Properties = {.Type = D3D12_HEAP_TYPE_CUSTOM,
                                                 .CPUPageProperty =
                                                     D3D12_CPU_PAGE_PROPERTY_WRITE_COMBINE,
                                                 .MemoryPoolPreference = D3D12_MEMORY_POOL_L0},
                                  .Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
    const D3D12_RESOURCE_DESC buffer = kit_buffer_desc(256);
    D3D12_HEAP_PROPERTIES properties;
    D3D12_HEAP_FLAGS flags;
    D3D12_RESOURCE_DESC1 desc1;
    void *out = &out;
    OWNED ID3D12Heap *heap = MADE(ID3D12Heap, device, CreateHeap, &desc);
    OWNED ID3D12Resource *placed = MADE(ID3D12Resource, device, CreatePlacedResource, heap, 0,
                                        &buffer, D3D12_RESOURCE_STATE_COMMON, NULL);
    MUST(ID3D12Resource_GetHeapProperties(placed, &properties, &flags));
    cr_assert_eq(properties.Type, D3D12_HEAP_TYPE_CUSTOM);
    cr_assert_eq(properties.CPUPageProperty, D3D12_CPU_PAGE_PROPERTY_WRITE_COMBINE);
    cr_assert_eqs(properties.CreationNodeMask, 1, flags, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS);
    MUST(ID3D12Resource_GetHeapProperties(placed, NULL, NULL));
    OWNED ID3D12Resource2 *newer = AS(ID3D12Resource2, placed);
    ABI_CALL_STRUCT(newer, GetDesc1, &desc1);
    cr_assert_eqs(desc1.Dimension, D3D12_RESOURCE_DIMENSION_BUFFER, desc1.Width, 256);
    cr_assert_eqs(desc1.Alignment, 65536, desc1.SamplerFeedbackMipRegion.Width, 0);
    EXPECT_HR(ID3D12Resource2_GetProtectedResourceSession(
                  newer, &IID_ID3D12ProtectedResourceSession, &out),
              DXGI_ERROR_NOT_FOUND);
    cr_assert(!out);
}

Test(resource, ranges_of_a_map_lie_in_the_buffer)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Resource *upload = kit_buffer(device, D3D12_HEAP_TYPE_UPLOAD, 64);
    /* End up to Begin: nothing is read or written */
    static const D3D12_RANGE good[] = {{0, 0}, {64, 64}, {0, 64},        {10, 20},
                                       {1, 0}, {65, 65}, {(SIZE_T)-1, 1}};
    static const D3D12_RANGE bad[] = {{0, 65}, {63, 65}, {64, 65}, {0, (SIZE_T)-1}};
    void *data = NULL;
    for (size_t i = 0; i < 7; i++) {
        MUST(ID3D12Resource_Map(upload, 0, &good[i], &data));
        ID3D12Resource_Unmap(upload, 0, &good[i]);
    }
    cr_assert_eq(kit_messages(device), 0);
    for (size_t i = 0; i < 4; i++) {
        data = &data;
        EXPECT_HR(ID3D12Resource_Map(upload, 0, &bad[i], &data), E_INVALIDARG);
        cr_assert_eq(data, &data);
    }
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_MAP_INVALIDRANGE), 4);
    MUST(ID3D12Resource_Map(upload, 0, NULL, NULL));
    ID3D12Resource_Unmap(upload, 0, &bad[0]);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_UNMAP_INVALIDRANGE), 1);
    ID3D12Resource_Unmap(upload, 1, NULL);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_UNMAP_INVALIDSUBRESOURCE), 1);
    ID3D12Resource_Unmap(upload, 0, NULL); /* the map is still there: it was not taken back */
    cr_assert_eq(kit_messages(device), 6);
}

Test(resource, every_subresource_has_its_own_count_of_maps)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    const D3D12_HEAP_PROPERTIES heap = {D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK,
                                        D3D12_MEMORY_POOL_L0, 0, 0};
    D3D12_RESOURCE_DESC desc = kit_buffer_desc(16);
    desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
    desc.Height = 16;
    desc.MipLevels = 3;
    desc.Format = DXGI_FORMAT_R8_UNORM;
    desc.Layout = D3D12_TEXTURE_LAYOUT_UNKNOWN;
    OWNED ID3D12Resource *texture = MADE(ID3D12Resource, device, CreateCommittedResource, &heap, 0,
                                         &desc, D3D12_RESOURCE_STATE_COMMON, NULL);
    MUST(ID3D12Resource_Map(texture, 2, NULL, NULL));
    ID3D12Resource_Unmap(texture, 1, NULL);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_RESOURCE_UNMAP_NOTMAPPED), 1);
    ID3D12Resource_Unmap(texture, 2, NULL);
    cr_assert_eq(kit_messages(device), 1);
    EXPECT_HR(ID3D12Resource_Map(texture, 3, NULL, NULL), E_INVALIDARG);
}

Test(root_signature, any_bytes_may_be_tried)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    const D3D12_ROOT_PARAMETER1 parameters[2] = {
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS,
         .Constants = {.Num32BitValues = 4}},
    };
    const D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc = {.Version = D3D_ROOT_SIGNATURE_VERSION_1_1,
                                                      .Desc_1_1 = {.NumParameters = 2,
                                                                   .pParameters = parameters}};
    OWNED ID3DBlob *blob = NULL;
    MUST(D3D12SerializeVersionedRootSignature(&desc, &blob, NULL));
    const size_t size = ID3D10Blob_GetBufferSize(blob);
    const unsigned char *whole = ID3D10Blob_GetBufferPointer(blob);
    for (size_t cut = 0; cut <= size; cut++) {
        unsigned char *exact = malloc(cut ? cut : 1); /* AddressSanitizer sees what is read past */
        void *out = NULL;
        memcpy(exact, whole, cut);
        HRESULT hr =
            ID3D12Device_CreateRootSignature(device, 0, exact, cut, &IID_ID3D12RootSignature, &out);
        cr_assert_eq(hr, cut == size ? S_OK : E_INVALIDARG, "%zu of %zu: %x", cut, size,
                     (unsigned)hr);
        if (out)
            ID3D12RootSignature_Release((ID3D12RootSignature *)out);
        free(exact);
    }
    for (size_t bit = 0; bit < size * 8; bit++) {
        unsigned char *flipped = malloc(size);
        void *out = NULL;
        memcpy(flipped, whole, size);
        flipped[bit / 8] ^= (unsigned char)(1u << bit % 8);
        if (SUCCEEDED(ID3D12Device_CreateRootSignature(device, 0, flipped, size,
                                                       &IID_ID3D12RootSignature, &out)))
            ID3D12RootSignature_Release((ID3D12RootSignature *)out);
        free(flipped);
    }
}

Test(pipeline, only_the_emulator_s_own_kernels_compile)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12RootSignature *signature = kit_root_signature(device);
    static const unsigned char garbage[64] = {1, 2, 3};
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = signature,
                                              .CS = {garbage, sizeof garbage}};
    REFUSES(E_INVALIDARG, ID3D12PipelineState, device, CreateComputePipelineState, &desc);
    desc.CS.pShaderBytecode = emu_kernel_bytecode(EMU_KERNEL_ADD, &desc.CS.BytecodeLength);
    desc.pRootSignature = NULL;
    REFUSES(E_INVALIDARG, ID3D12PipelineState, device, CreateComputePipelineState, &desc);
}
