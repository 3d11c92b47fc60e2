/* Heaps: what D3D12 permits of them, and what GetDesc returns. */
#include "kit.h"

#include "base/abi.h"

Test(heap, descriptions_that_d3d12_refuses_are_refused)
{
    static const struct {
        const char *why;
        D3D12_HEAP_DESC desc;
        int id;
    } bad[] = {
        /* clang-format off */
        {"no bytes", {0, {D3D12_HEAP_TYPE_DEFAULT, 0, 0, 0, 0}, 0, 0},
         D3D12_MESSAGE_ID_CREATEHEAP_INVALIDSIZE},
        {"no such type", {65536, {(D3D12_HEAP_TYPE)9, 0, 0, 0, 0}, 0, 0},
         D3D12_MESSAGE_ID_CREATEHEAP_UNRECOGNIZEDHEAPTYPE},
        {"no type", {65536, {(D3D12_HEAP_TYPE)0, 0, 0, 0, 0}, 0, 0},
         D3D12_MESSAGE_ID_CREATEHEAP_UNRECOGNIZEDHEAPTYPE},
        {"no such pages", {65536, {D3D12_HEAP_TYPE_CUSTOM, 4, 1, 0, 0}, 0, 0},
         D3D12_MESSAGE_ID_CREATEHEAP_UNRECOGNIZEDCPUPAGEPROPERTIES},
        {"no such pool", {65536, {D3D12_HEAP_TYPE_CUSTOM, 1, 3, 0, 0}, 0, 0},
         D3D12_MESSAGE_ID_CREATEHEAP_UNRECOGNIZEDMEMORYPOOL},
        {"custom without pages", {65536, {D3D12_HEAP_TYPE_CUSTOM, 0, 1, 0, 0}, 0, 0},
         D3D12_MESSAGE_ID_CREATEHEAP_INVALIDPROPERTIES},
        {"custom without pool", {65536, {D3D12_HEAP_TYPE_CUSTOM, 1, 0, 0, 0}, 0, 0},
         D3D12_MESSAGE_ID_CREATEHEAP_INVALIDPROPERTIES},
        {"L1 of one memory", {65536, {D3D12_HEAP_TYPE_CUSTOM, 1, 2, 0, 0}, 0, 0},
         D3D12_MESSAGE_ID_CREATEHEAP_INVALIDPROPERTIES},
        {"default with pages", {65536, {D3D12_HEAP_TYPE_DEFAULT, 1, 0, 0, 0}, 0, 0},
         D3D12_MESSAGE_ID_CREATEHEAP_INVALIDPROPERTIES},
        {"default with pool", {65536, {D3D12_HEAP_TYPE_DEFAULT, 0, 1, 0, 0}, 0, 0},
         D3D12_MESSAGE_ID_CREATEHEAP_INVALIDPROPERTIES},
        {"made on a second node", {65536, {D3D12_HEAP_TYPE_DEFAULT, 0, 0, 2, 2}, 0, 0},
         D3D12_MESSAGE_ID_CREATEHEAP_INVALIDPROPERTIES},
        {"seen by a second node", {65536, {D3D12_HEAP_TYPE_DEFAULT, 0, 0, 1, 3}, 0, 0},
         D3D12_MESSAGE_ID_CREATEHEAP_INVALIDPROPERTIES},
        {"aligned to 4 KiB", {65536, {D3D12_HEAP_TYPE_DEFAULT, 0, 0, 0, 0}, 4096, 0},
         D3D12_MESSAGE_ID_CREATEHEAP_INVALIDALIGNMENT},
        {"no such flag", {65536, {D3D12_HEAP_TYPE_DEFAULT, 0, 0, 0, 0}, 0, 2},
         D3D12_MESSAGE_ID_CREATEHEAP_UNRECOGNIZEDMISCFLAGS},
        {"for nothing", {65536, {D3D12_HEAP_TYPE_DEFAULT, 0, 0, 0, 0}, 0, 0xC4},
         D3D12_MESSAGE_ID_CREATEHEAP_INVALIDMISCFLAGS},
        {"for a display", {65536, {D3D12_HEAP_TYPE_DEFAULT, 0, 0, 0, 0}, 0,
         D3D12_HEAP_FLAG_ALLOW_DISPLAY}, D3D12_MESSAGE_ID_CREATEHEAP_INVALIDMISCFLAGS},
        {"protected", {65536, {D3D12_HEAP_TYPE_DEFAULT, 0, 0, 0, 0}, 0, 0x100},
         D3D12_MESSAGE_ID_CREATEHEAP_INVALIDMISCFLAGS},
        {"shared and for uploads", {65536, {D3D12_HEAP_TYPE_UPLOAD, 0, 0, 0, 0}, 0, 1},
         D3D12_MESSAGE_ID_CREATESHAREDHEAP_INVALIDFLAGS},
        {"shared by adapters only", {65536, {D3D12_HEAP_TYPE_DEFAULT, 0, 0, 0, 0}, 0, 0x20},
         D3D12_MESSAGE_ID_CREATESHAREDHEAP_INVALIDFLAGS},
        /* clang-format on */
    };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        void *out = &out;
        kit_clear(device);
        cr_expect_eqs(ID3D12Device_CreateHeap(device, &bad[i].desc, &IID_ID3D12Heap, &out),
                      E_INVALIDARG, out, NULL, "%s", bad[i].why);
        cr_expect_eqs(kit_messages(device), 1, kit_count(device, bad[i].id), 1, "%s", bad[i].why);
    }
    EXPECT_HR(ID3D12Device_CreateHeap(device, NULL, &IID_ID3D12Heap, NULL), E_INVALIDARG);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATEHEAP_NULLDESC), 1);
    const D3D12_HEAP_DESC huge = {.SizeInBytes = UINT64_MAX,
                                  .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT}};
    EXPECT_HR(ID3D12Device_CreateHeap(device, &huge, &IID_ID3D12Heap, NULL), E_OUTOFMEMORY);
}

Test(heap, says_what_it_was_made_of_and_has_no_session)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Device11 *newer = AS(ID3D12Device11, device);
    const D3D12_HEAP_DESC asked = {.SizeInBytes = 100000,
                                   .Properties = {.Type = D3D12_HEAP_TYPE_READBACK},
                                   .Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
    void *out = &out;
    OWNED ID3D12Heap1 *heap = MADE(ID3D12Heap1, newer, CreateHeap1, &asked, NULL);
    D3D12_HEAP_DESC got;
    ABI_CALL_STRUCT(heap, GetDesc, &got);
    cr_assert_eqs(got.SizeInBytes, 100000, got.Alignment, 65536);
    cr_assert_eq(got.Flags, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS);
    cr_assert_eq(got.Properties.Type, D3D12_HEAP_TYPE_READBACK);
    cr_assert_eqs(got.Properties.CreationNodeMask, 1, got.Properties.VisibleNodeMask, 1);
    EXPECT_HR(ID3D12Heap1_GetProtectedResourceSession(heap, &IID_ID3D12ProtectedResourceSession,
                                                      &out),
              DXGI_ERROR_NOT_FOUND);
    cr_assert(!out);
    REFUSES(E_INVALIDARG, ID3D12Heap1, newer, CreateHeap1, &asked,
            (ID3D12ProtectedResourceSession *)heap);
    cr_assert_eq(kit_messages(device), 1);
}

Test(heap, properties_of_the_adapter_s_own_kind)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    D3D12_HEAP_PROPERTIES p;
    /* cache-coherent memory that CPU and GPU share [D3D12_FEATURE_DATA_ARCHITECTURE] */
    ABI_CALL_STRUCT_ARGS(device, GetCustomHeapProperties, &p, 0, D3D12_HEAP_TYPE_UPLOAD);
    cr_assert_eq(p.Type, D3D12_HEAP_TYPE_CUSTOM);
    cr_assert_eq(p.CPUPageProperty, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK);
    cr_assert_eq(p.MemoryPoolPreference, D3D12_MEMORY_POOL_L0);
    ABI_CALL_STRUCT_ARGS(device, GetCustomHeapProperties, &p, 1, D3D12_HEAP_TYPE_READBACK);
    cr_assert_eq(p.CPUPageProperty, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK);
    ABI_CALL_STRUCT_ARGS(device, GetCustomHeapProperties, &p, 0, D3D12_HEAP_TYPE_DEFAULT);
    cr_assert_eqs(p.CPUPageProperty, D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE, p.MemoryPoolPreference,
                  D3D12_MEMORY_POOL_L0);
    cr_assert_eq(kit_messages(device), 0);
    const D3D12_HEAP_DESC desc = {.SizeInBytes = 1, .Properties = p};
    EXPECT_HR(ID3D12Device_CreateHeap(device, &desc, &IID_ID3D12Heap, NULL), S_FALSE);
    ABI_CALL_STRUCT_ARGS(device, GetCustomHeapProperties, &p, 0, D3D12_HEAP_TYPE_CUSTOM);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_GETCUSTOMHEAPPROPERTIES_INVALIDHEAPTYPE), 1);
    ABI_CALL_STRUCT_ARGS(device, GetCustomHeapProperties, &p, 0, (D3D12_HEAP_TYPE)77);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_GETCUSTOMHEAPPROPERTIES_UNRECOGNIZEDHEAPTYPE),
                 1);
}
