/* ID3D12Device12 to 15, GraphicsCommandList9, CommandQueue1, PipelineState1 and RootSignature1, by
 * the public specifications of D3D12; called by their slots, since the oldest headers lack them. */
#include "newer.h"

#include "base/abi.h"
#include "pipeline/pipeline_kit.h"

#ifndef _WIN32
#include <sys/mman.h>
#endif

#define ROW(I, slots, a, b, c, ...) static const IID newer_##I = {a, b, c, {__VA_ARGS__}};
NEWER_INTERFACES(ROW)
#undef ROW

/* The object's own pointer: every version of an interface has it here. */
static void *newer_of(void *object, const IID *iid)
{
    void *newer = NULL;
    MUST(IUnknown_QueryInterface((IUnknown *)object, iid, &newer));
    IUnknown_Release((IUnknown *)newer);
    return newer;
}

/* ---- ID3D12Device12: sizes of resources whose views have other formats ---- */

static D3D12_RESOURCE_ALLOCATION_INFO size_of(void *device, const D3D12_RESOURCE_DESC1 *descs,
                                              const UINT32 *counts, const DXGI_FORMAT *const *lists,
                                              D3D12_RESOURCE_ALLOCATION_INFO1 *each)
{
    D3D12_RESOURCE_ALLOCATION_INFO info;
#ifdef ABI_STRUCTS_BY_POINTER
    NEWER(device, 80, void *, void *, UINT, UINT, const void *, const void *, const void *, void *)
    (device, &info, 0, 2, descs, counts, lists, each);
#else
    info = NEWER(device, 80, D3D12_RESOURCE_ALLOCATION_INFO, UINT, UINT, const void *, const void *,
                 const void *, void *)(device, 0, 2, descs, counts, lists, each);
#endif
    return info;
}

Test(newer, sizes_are_those_of_the_older_question_and_castable_formats_are_checked)
{
    static const DXGI_FORMAT good[] = {DXGI_FORMAT_R32_UINT, DXGI_FORMAT_R32_FLOAT},
                             bad[] = {DXGI_FORMAT_R16_UINT};
    const DXGI_FORMAT *const fits[] = {NULL, good}, *const unfit[] = {NULL, bad};
    const UINT32 two[] = {0, 2}, one[] = {0, 1}, none[] = {0, 0};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Device8 *older = AS(ID3D12Device8, device);
    void *newer = newer_of(device, &newer_ID3D12Device12);
    const D3D12_RESOURCE_DESC plain[] = {kit_buffer_desc(100),
                                         kit_texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 70, 30, 1, 1,
                                                          D3D12_RESOURCE_FLAG_NONE)};
    D3D12_RESOURCE_DESC1 descs[2] = {0};
    D3D12_RESOURCE_ALLOCATION_INFO info, right;
    D3D12_RESOURCE_ALLOCATION_INFO1 each[2], right_each[2];
    for (int i = 0; i < 2; i++)
        memcpy(&descs[i], &plain[i], sizeof plain[i]);
    ABI_CALL_STRUCT_ARGS(older, GetResourceAllocationInfo2, &right, 0, 2, descs, right_each);
    const UINT32 *const counts[] = {NULL, none, two};
    const DXGI_FORMAT *const *const lists[] = {NULL, NULL, fits};
    for (int i = 0; i < 3; i++) {
        info = size_of(newer, descs, counts[i], lists[i], each);
        cr_assert_mem_eq(&info, &right, sizeof right, "%d", i);
        cr_assert_mem_eq(each, right_each, sizeof each, "%d", i);
    }
    cr_assert_eq(size_of(newer, descs, one, unfit, NULL).SizeInBytes, UINT64_MAX);
    cr_assert_eq(size_of(newer, descs, one, NULL, NULL).SizeInBytes, UINT64_MAX);
    cr_assert_eq(size_of(newer, NULL, NULL, NULL, NULL).SizeInBytes, UINT64_MAX);
}

/* ---- ID3D12Device13: a heap over a part of the process's memory ---- */

#ifndef _WIN32
static HRESULT open_heap(void *device, const void *address, SIZE_T size, void **out)
{
    return NEWER(device, 81, HRESULT, const void *, SIZE_T, REFIID, void **)(device, address, size,
                                                                             &IID_ID3D12Heap, out);
}

Test(newer, a_heap_is_of_as_much_memory_as_the_program_says)
{
    enum { WHOLE = 4 * 65536 };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    void *newer = newer_of(device, &newer_ID3D12Device13);
    char *memory = mmap(NULL, WHOLE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    cr_assert(memory != MAP_FAILED);
    const SIZE_T bad[] = {0, WHOLE + 65536, SIZE_MAX};
    for (int i = 0; i < 3; i++) {
        void *none = &none;
        EXPECT_HR(open_heap(newer, memory, bad[i], &none), E_INVALIDARG);
        cr_assert(!none);
    }
    EXPECT_MESSAGES(device, 3, D3D12_MESSAGE_ID_OPENEXISTINGHEAP_INVALIDADDRESS);
    ID3D12Heap *heap = NULL;
    D3D12_HEAP_DESC desc;
    MUST(open_heap(newer, memory, 2 * 65536, (void **)&heap));
    ABI_CALL_STRUCT(heap, GetDesc, &desc);
    cr_assert_eq(desc.SizeInBytes, 2 * 65536);
    ID3D12Heap_Release(heap);
    munmap(memory, WHOLE);
}
#endif

/* ---- ID3D12RootSignature1 ---- */

static ID3DBlob *some_root(void)
{
    const D3D12_ROOT_PARAMETER parameter = {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_CBV};
    const D3D12_ROOT_SIGNATURE_DESC desc = {.NumParameters = 1, .pParameters = &parameter};
    ID3DBlob *blob = NULL;
    MUST(D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, NULL));
    return blob;
}

/* "serialized bytes", which the signature alone is made of. */
static void expect_serialized(void *signature, ID3DBlob *blob)
{
    char room[1024];
    const SIZE_T size = ID3D10Blob_GetBufferSize(blob);
    cr_assert_eq(((SIZE_T(STDMETHODCALLTYPE *)(void *))newer_slot(signature, 8))(signature), size);
    for (SIZE_T given = 0; given <= size + 1; given += size / 2) {
        memset(room, 0x5a, sizeof room);
        EXPECT_HR(NEWER(signature, 9, HRESULT, void *, SIZE_T)(signature, room, given),
                  given < size ? E_INVALIDARG : S_OK);
        cr_assert(given < size ? room[0] == 0x5a
                               : memcmp(room, ID3D10Blob_GetBufferPointer(blob), size) == 0);
        cr_assert_eq(room[size], 0x5a);
    }
    EXPECT_HR(NEWER(signature, 9, HRESULT, void *, SIZE_T)(signature, NULL, size), E_INVALIDARG);
}

Test(newer, a_root_signature_has_the_bytes_that_it_was_made_of)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3DBlob *root = some_root();
    OWNED ID3D12RootSignature *signature =
        MADE(ID3D12RootSignature, device, CreateRootSignature, 0, ID3D10Blob_GetBufferPointer(root),
             ID3D10Blob_GetBufferSize(root));
    expect_serialized(newer_of(signature, &newer_ID3D12RootSignature1), root);
}

/* ---- ID3D12Device15 ---- */

static HRESULT try_view(void *device, ID3D12Resource *resource,
                        const D3D12_UNORDERED_ACCESS_VIEW_DESC *desc,
                        D3D12_CPU_DESCRIPTOR_HANDLE handle)
{
    return NEWER(device, 86, HRESULT, void *, void *, const void *,
                 D3D12_CPU_DESCRIPTOR_HANDLE)(device, resource, NULL, desc, handle);
}

Test(newer, views_say_whether_they_were_made)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    void *newer = newer_of(device, &newer_ID3D12Device15);
    OWNED ID3D12DescriptorHeap *heap =
        kit_descriptors(device, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1, 0);
    D3D12_RESOURCE_DESC buffer_desc = kit_buffer_desc(64);
    buffer_desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    OWNED ID3D12Resource *buffer = kit_resource(device, &buffer_desc, D3D12_RESOURCE_STATE_COMMON);
    D3D12_CPU_DESCRIPTOR_HANDLE handle, beyond;
    ABI_CALL_STRUCT(heap, GetCPUDescriptorHandleForHeapStart, &handle);
    beyond = (D3D12_CPU_DESCRIPTOR_HANDLE){handle.ptr + 4096};
    D3D12_UNORDERED_ACCESS_VIEW_DESC desc = {.Format = DXGI_FORMAT_R32_UINT,
                                             .ViewDimension = D3D12_UAV_DIMENSION_BUFFER,
                                             .Buffer = {.NumElements = 16}};
    MUST(try_view(newer, buffer, &desc, handle));
    cr_assert_eq(kit_messages(device), 0);
    EXPECT_HR(try_view(newer, buffer, &desc, beyond), E_INVALIDARG);
    desc.Buffer.NumElements = 17;
    EXPECT_HR(try_view(newer, buffer, &desc, handle), E_INVALIDARG);
    desc.ViewDimension =
        (D3D12_UAV_DIMENSION)9; /* by bytes: CreateByteOffsetViewsSupported is no */
    EXPECT_HR(try_view(newer, buffer, &desc, handle), E_INVALIDARG);
    const D3D12_CONSTANT_BUFFER_VIEW_DESC constants = {.SizeInBytes = 256};
    const D3D12_SAMPLER_DESC2 sampler = {0};
    typedef const void *pointer;
#define TRY_VIEW(slot, ...) NEWER(newer, slot, HRESULT, __VA_ARGS__, D3D12_CPU_DESCRIPTOR_HANDLE)
    MUST(TRY_VIEW(87, pointer)(newer, &constants, handle));
    EXPECT_HR(TRY_VIEW(87, pointer)(newer, &constants, beyond), E_INVALIDARG);
    EXPECT_HR(TRY_VIEW(85, pointer, pointer)(newer, NULL, NULL, handle), E_INVALIDARG);
    EXPECT_HR(TRY_VIEW(88, pointer)(newer, &sampler, handle), E_INVALIDARG);
    EXPECT_HR(TRY_VIEW(89, pointer, pointer)(newer, buffer, NULL, handle), E_INVALIDARG);
    EXPECT_HR(TRY_VIEW(90, pointer, pointer)(newer, buffer, NULL, handle), E_INVALIDARG);
    EXPECT_HR(TRY_VIEW(91, pointer, pointer)(newer, buffer, buffer, handle), E_INVALIDARG);
    cr_assert_eq(kit_messages(device), 9); /* each failure is told */
}

static HRESULT resolve(void *device, void *heap, UINT first, UINT count, void *out)
{
    return NEWER(device, 93, HRESULT, void *, D3D12_QUERY_TYPE, UINT, UINT,
                 void *)(device, heap, D3D12_QUERY_TYPE_TIMESTAMP, first, count, out);
}

/* "heaps created with the CPU resolve flag cannot be used with the Command List resolve API", and
 * the reverse. */
Test(newer, queries_are_resolved_by_the_cpu_where_their_heap_says_so)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    void *newer = newer_of(device, &newer_ID3D12Device15);
    const D3D12_QUERY_HEAP_DESC desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 4, 0};
    OPEN_QUEUE_AND_LIST(DIRECT);
    OWNED ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 64);
    ID3D12QueryHeap *heaps[2];
    UINT64 ticks[4] = {7, 7, 7, 7};
    for (UINT flags = 0; flags < 2; flags++)
        MUST(NEWER(newer, 92, HRESULT, const void *, UINT, REFIID,
                   void **)(newer, &desc, flags, &IID_ID3D12QueryHeap, (void **)&heaps[flags]));
    void *none = &none;
    EXPECT_HR(NEWER(newer, 92, HRESULT, const void *, UINT, REFIID,
                    void **)(newer, &desc, 2, &IID_ID3D12QueryHeap, &none),
              E_INVALIDARG);
    cr_assert(!none);
    ID3D12GraphicsCommandList_EndQuery(list, heaps[1], D3D12_QUERY_TYPE_TIMESTAMP, 1);
    ID3D12GraphicsCommandList_EndQuery(list, heaps[1], D3D12_QUERY_TYPE_TIMESTAMP, 2);
    kit_run(device, queue, list);
    MUST(resolve(newer, heaps[1], 1, 2, ticks + 1));
    cr_assert(ticks[0] == 7 && ticks[3] == 7 && ticks[1] > 7 && ticks[1] < ticks[2]);
    kit_clear(device);
    EXPECT_HR(resolve(newer, heaps[0], 1, 2, ticks), E_INVALIDARG);
    EXPECT_HR(resolve(newer, NULL, 1, 2, ticks), E_INVALIDARG);
    EXPECT_MESSAGES(device, 2, 1444); /* RESOLVEQUERYDATA_INVALID_QUERYHEAP */
    EXPECT_HR(resolve(newer, heaps[1], 3, 2, ticks), E_INVALIDARG);
    EXPECT_HR(resolve(newer, heaps[1], 1, 2, NULL), E_INVALIDARG);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_RESOLVE_QUERY_DATA_INVALID_PARAMETERS), 2);
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    ID3D12GraphicsCommandList_ResolveQueryData(list, heaps[1], D3D12_QUERY_TYPE_TIMESTAMP, 1, 2,
                                               buffer, 0);
    cr_assert(FAILED(ID3D12GraphicsCommandList_Close(list)));
    cr_assert_eq(kit_count(device, 1444), 3);
    RELEASE(heaps[0], heaps[1]);
}

Test(newer, nothing_advises_to_trim_or_reads_libraries)
{
    void *data[3] = {0};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    void *newer = newer_of(device, &newer_ID3D12Device15);
    EXPECT_HR(NEWER(newer, 83, HRESULT, void *)(newer, data), E_NOTIMPL);
    EXPECT_HR(NEWER(newer, 84, HRESULT, UINT)(newer, 0), E_NOTIMPL);
    void *device14 = newer_of(device, &newer_ID3D12Device14), *out = &out;
    EXPECT_HR(NEWER(device14, 82, HRESULT, UINT, const void *, SIZE_T, LPCWSTR, REFIID, void **)(
                  device14, 0, data, sizeof data, L"root", &IID_ID3D12RootSignature, &out),
              E_NOTIMPL);
    cr_assert(!out);
    EXPECT_MESSAGES(device, 3, EMU_MESSAGE_NOT_MODELLED);
}

/* ---- lists, queues, pipelines ---- */

static void set_both(ID3D12GraphicsCommandList *list)
{
    void *newer = newer_of(list, &newer_ID3D12GraphicsCommandList9);
    NEWER(newer, 82, void, FLOAT, FLOAT, FLOAT)(newer, 1, 0, 2);
    NEWER(newer, 83, void, UINT)(newer, D3D12_INDEX_BUFFER_STRIP_CUT_VALUE_0xFFFF);
}

Test(newer, lists_set_what_pipelines_leave_to_them)
{
    struct pipelines f = pipeline_begin();
    const D3D12_COMMAND_LIST_TYPE types[] = {DIRECT, BUNDLE};
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = pipeline_graphics(f.signature);
    ID3D12PipelineState *states[2], *none;
    MUST(pipeline_create_graphics(f.device, &desc, &states[0]));
    desc.Flags = (D3D12_PIPELINE_STATE_FLAGS)0xc; /* DYNAMIC_DEPTH_BIAS, ..._STRIP_CUT */
    MUST(pipeline_create_graphics(f.device, &desc, &states[1]));
    D3D12_COMPUTE_PIPELINE_STATE_DESC compute = pipeline_compute(f.signature, EMU_KERNEL_COPY);
    compute.Flags = (D3D12_PIPELINE_STATE_FLAGS)4;
    EXPECT_HR(pipeline_create_compute(f.device, &compute, &none), E_INVALIDARG);
    for (int i = 0; i < 2; i++) {
        OWNED ID3D12CommandAllocator *allocator = kit_allocator(f.device, types[i]);
        OWNED ID3D12GraphicsCommandList *list = kit_list(f.device, allocator, types[i]);
        kit_clear(f.device);
        set_both(list);
        cr_assert(kit_count(f.device, 1367) == 1 && kit_count(f.device, 1369) == 1);
        ID3D12GraphicsCommandList_SetPipelineState(list, states[0]);
        set_both(list);
        cr_assert(kit_count(f.device, 1366) == 1 && kit_count(f.device, 1368) == 1);
        cr_assert_eq(kit_messages(f.device), 4);
        ID3D12GraphicsCommandList_SetPipelineState(list, states[1]);
        set_both(list);
        cr_assert_eq(kit_messages(f.device), 4);
        NEWER(list, 83, void, UINT)(list, 3); /* no such value */
        cr_assert_eq(kit_messages(f.device), 5);
        MUST(ID3D12GraphicsCommandList_Close(list));
    }
    RELEASE(states[0], states[1]);
    pipeline_end(&f);
}

/* D3D12_COMMAND_QUEUE_PRIORITY's two parts, which ALLOW_DYNAMIC_PRIORITY lets change. */
Test(newer, priorities_of_queues_are_kept)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (UINT flags = 0; flags < 4; flags++) {
        const bool is_high = flags == 1 || flags == 2, may = flags & 2;
        const D3D12_COMMAND_QUEUE_DESC desc = {DIRECT, is_high ? 100 : 0,
                                               (D3D12_COMMAND_QUEUE_FLAGS)flags, 0};
        OWNED ID3D12CommandQueue *queue =
            MADE(ID3D12CommandQueue, device, CreateCommandQueue, &desc);
        void *newer = newer_of(queue, &newer_ID3D12CommandQueue1);
        UINT process = 9, global = 9;
        MUST(NEWER(newer, 20, HRESULT, UINT *)(newer, &process));
        MUST(NEWER(newer, 22, HRESULT, UINT *)(newer, &global));
        cr_assert_eqs(process, is_high, global, 1); /* DEFAULT */
        const HRESULT right = may ? S_OK : DXGI_ERROR_UNSUPPORTED;
        EXPECT_HR(NEWER(newer, 19, HRESULT, UINT)(newer, !is_high), right);
        EXPECT_HR(NEWER(newer, 21, HRESULT, UINT)(newer, 18), right);
        MUST(NEWER(newer, 20, HRESULT, UINT *)(newer, &process));
        MUST(NEWER(newer, 22, HRESULT, UINT *)(newer, &global));
        cr_assert_eqs(process, may ? !is_high : is_high, global, may ? 18 : 1);
        EXPECT_HR(NEWER(newer, 19, HRESULT, UINT)(newer, 2), E_INVALIDARG);
        EXPECT_HR(NEWER(newer, 21, HRESULT, UINT)(newer, 3), E_INVALIDARG);
        EXPECT_HR(NEWER(newer, 21, HRESULT, UINT)(newer, 33), E_INVALIDARG);
        EXPECT_HR(NEWER(newer, 21, HRESULT, UINT)(newer, 32), may ? E_ACCESSDENIED : right);
        EXPECT_HR(NEWER(newer, 20, HRESULT, UINT *)(newer, NULL), E_INVALIDARG);
        EXPECT_HR(NEWER(newer, 22, HRESULT, UINT *)(newer, NULL), E_INVALIDARG);
    }
    const D3D12_COMMAND_QUEUE_DESC other = {.Flags = (D3D12_COMMAND_QUEUE_FLAGS)4};
    REFUSES(E_INVALIDARG, ID3D12CommandQueue, device, CreateCommandQueue, &other);
}

static HRESULT root_of(ID3D12PipelineState *state, const IID *iid, void **out)
{
    void *newer = newer_of(state, &newer_ID3D12PipelineState1);
    *out = out;
    return NEWER(newer, 9, HRESULT, REFIID, void **)(newer, iid, out);
}

Test(newer, a_pipeline_gives_the_root_signature_that_it_was_made_with)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12RootSignature *signature = kit_root_signature(device);
    OWNED ID3D12PipelineState *state = kit_pipeline(device, signature, EMU_KERNEL_COPY);
    void *out;
    MUST(root_of(state, &IID_ID3D12RootSignature, &out));
    cr_assert_eqs(out, signature, kit_references(signature), 2);
    RELEASE(signature, signature); /* the pipeline keeps it */
    MUST(root_of(state, &IID_ID3D12DeviceChild, &out));
    cr_assert_eq(kit_references(out), 1);
    MUST(ID3D12RootSignature_SetName((ID3D12RootSignature *)out, L"still there"));
    IUnknown_Release((IUnknown *)out);
    EXPECT_HR(root_of(state, &IID_ID3D12Heap, &out), E_NOINTERFACE);
    cr_assert(!out);
}
