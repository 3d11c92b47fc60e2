/* The shape of the COM interfaces: no hole in any table, identity, and messages of methods that are
 * not modelled. */
#include "every_kind.h"
#include "newer.h"

/* Every interface of D3D12's headers, and those of ours. */
#define EVERY_INTERFACE(X)                                                                         \
    X(ID3D12Object)                                                                                \
    X(ID3D12DeviceChild)                                                                           \
    X(ID3D12RootSignature)                                                                         \
    X(ID3D12RootSignatureDeserializer)                                                             \
    X(ID3D12VersionedRootSignatureDeserializer)                                                    \
    X(ID3D12Pageable)                                                                              \
    X(ID3D12Heap)                                                                                  \
    X(ID3D12Heap1)                                                                                 \
    X(ID3D12Resource)                                                                              \
    X(ID3D12Resource1)                                                                             \
    X(ID3D12Resource2)                                                                             \
    X(ID3D12CommandAllocator)                                                                      \
    X(ID3D12Fence)                                                                                 \
    X(ID3D12Fence1)                                                                                \
    X(ID3D12PipelineState)                                                                         \
    X(ID3D12DescriptorHeap)                                                                        \
    X(ID3D12QueryHeap)                                                                             \
    X(ID3D12CommandSignature)                                                                      \
    X(ID3D12CommandList)                                                                           \
    X(ID3D12GraphicsCommandList)                                                                   \
    X(ID3D12GraphicsCommandList1)                                                                  \
    X(ID3D12GraphicsCommandList2)                                                                  \
    X(ID3D12GraphicsCommandList3)                                                                  \
    X(ID3D12GraphicsCommandList4)                                                                  \
    X(ID3D12GraphicsCommandList5)                                                                  \
    X(ID3D12GraphicsCommandList6)                                                                  \
    X(ID3D12GraphicsCommandList7)                                                                  \
    X(ID3D12GraphicsCommandList8)                                                                  \
    X(ID3D12CommandQueue)                                                                          \
    X(ID3D12Device)                                                                                \
    X(ID3D12Device1)                                                                               \
    X(ID3D12Device2)                                                                               \
    X(ID3D12Device3)                                                                               \
    X(ID3D12Device4)                                                                               \
    X(ID3D12Device5)                                                                               \
    X(ID3D12Device6)                                                                               \
    X(ID3D12Device7)                                                                               \
    X(ID3D12Device8)                                                                               \
    X(ID3D12Device9)                                                                               \
    X(ID3D12Device10)                                                                              \
    X(ID3D12Device11)                                                                              \
    X(ID3D12DeviceTools)                                                                           \
    X(ID3D12DeviceTools1)                                                                          \
    X(ID3D12DeviceTools2)                                                                          \
    X(ID3D12PipelineLibrary)                                                                       \
    X(ID3D12PipelineLibrary1)                                                                      \
    X(ID3D12ProtectedSession)                                                                      \
    X(ID3D12ProtectedResourceSession)                                                              \
    X(ID3D12ProtectedResourceSession1)                                                             \
    X(ID3D12LifetimeOwner)                                                                         \
    X(ID3D12LifetimeTracker)                                                                       \
    X(ID3D12SwapChainAssistant)                                                                    \
    X(ID3D12StateObject)                                                                           \
    X(ID3D12DeviceRemovedExtendedDataSettings)                                                     \
    X(ID3D12DeviceRemovedExtendedDataSettings1)                                                    \
    X(ID3D12DeviceRemovedExtendedDataSettings2)                                                    \
    X(ID3D12DeviceRemovedExtendedData)                                                             \
    X(ID3D12DeviceRemovedExtendedData1)                                                            \
    X(ID3D12DeviceRemovedExtendedData2)                                                            \
    X(ID3D12MetaCommand)                                                                           \
    X(ID3D12ShaderCacheSession)                                                                    \
    X(ID3D12VirtualizationGuestDevice)                                                             \
    X(ID3D12Tools)                                                                                 \
    X(ID3D12SDKConfiguration)                                                                      \
    X(ID3D12SDKConfiguration1)                                                                     \
    X(ID3D12DeviceFactory)                                                                         \
    X(ID3D12DeviceConfiguration)                                                                   \
    X(ID3D12Debug)                                                                                 \
    X(ID3D12Debug1)                                                                                \
    X(ID3D12Debug2)                                                                                \
    X(ID3D12Debug3)                                                                                \
    X(ID3D12Debug4)                                                                                \
    X(ID3D12Debug5)                                                                                \
    X(ID3D12Debug6)                                                                                \
    X(ID3D12DebugDevice)                                                                           \
    X(ID3D12DebugDevice1)                                                                          \
    X(ID3D12DebugDevice2)                                                                          \
    X(ID3D12DebugCommandQueue)                                                                     \
    X(ID3D12DebugCommandQueue1)                                                                    \
    X(ID3D12DebugCommandList)                                                                      \
    X(ID3D12DebugCommandList1)                                                                     \
    X(ID3D12DebugCommandList2)                                                                     \
    X(ID3D12DebugCommandList3)                                                                     \
    X(ID3D12SharingContract)                                                                       \
    X(ID3D12InfoQueue)                                                                             \
    X(ID3D12InfoQueue1)                                                                            \
    X(ID3D12VideoDevice)                                                                           \
    X(ID3D12VideoDevice1)                                                                          \
    X(ID3D12VideoDevice2)                                                                          \
    X(ID3D12VideoDevice3)                                                                          \
    X(ID3D12VideoDecoder)                                                                          \
    X(ID3D12VideoDecoder1)                                                                         \
    X(ID3D12VideoDecoderHeap)                                                                      \
    X(ID3D12VideoDecoderHeap1)                                                                     \
    X(ID3D12VideoProcessor)                                                                        \
    X(ID3D12VideoProcessor1)                                                                       \
    X(ID3D12VideoMotionEstimator)                                                                  \
    X(ID3D12VideoMotionVectorHeap)                                                                 \
    X(ID3D12VideoExtensionCommand)                                                                 \
    X(ID3D12VideoEncoder)                                                                          \
    X(ID3D12VideoEncoderHeap)                                                                      \
    X(ID3D12VideoDecodeCommandList)                                                                \
    X(ID3D12VideoDecodeCommandList1)                                                               \
    X(ID3D12VideoDecodeCommandList2)                                                               \
    X(ID3D12VideoDecodeCommandList3)                                                               \
    X(ID3D12VideoProcessCommandList)                                                               \
    X(ID3D12VideoProcessCommandList1)                                                              \
    X(ID3D12VideoProcessCommandList2)                                                              \
    X(ID3D12VideoProcessCommandList3)                                                              \
    X(ID3D12VideoEncodeCommandList)                                                                \
    X(ID3D12VideoEncodeCommandList1)                                                               \
    X(ID3D12VideoEncodeCommandList2)                                                               \
    X(ID3D12VideoEncodeCommandList3)                                                               \
    X(ID3D12DevicePreview)

static const struct {
    const IID *iid;
    size_t slots;
    const char *name;
} interfaces[] = {
#define ROW(I) {&IID_##I, sizeof(I##Vtbl) / sizeof(void *), #I},
    EVERY_INTERFACE(ROW)
#undef ROW
#define ROW(I, slots, a, b, c, ...) {&(const IID){a, b, c, {__VA_ARGS__}}, slots, #I},
        NEWER_INTERFACES(ROW)
#undef ROW
            {&ANNOT_IID_ID3DDestructionNotifier,
             sizeof(ID3DDestructionNotifierVtbl) / sizeof(void *), "ID3DDestructionNotifier"},
    {&annot_IID_ID3D12DeviceTools2_v006, sizeof(annot_ID3D12DeviceTools2_v006Vtbl) / sizeof(void *),
     "ID3D12DeviceTools2_v006"},
};
#define INTERFACES (sizeof interfaces / sizeof interfaces[0])

static bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* A table is an array of function pointers. */
static void expect_face(IUnknown *object, IUnknown *face, size_t slots, const char *name)
{
    const void *const *table = *(const void *const *const *)(void *)face;
    OWNED IUnknown *one = NULL, *other = NULL;
    for (size_t i = 0; i < slots; i++)
        cr_assert(table[i] != NULL, "%s: slot %zu is empty", name, i);
    one = AS(IUnknown, object);
    other = AS(IUnknown, face);
    cr_assert_eq(one, other, "%s is another object", name);
}

/* Each object answers for what it is and for nothing else; no table has a hole, and each face is
 * the same object. */
Test(interfaces, of_every_object_are_whole)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (size_t k = 0; k < every_kind_count; k++) {
        OWNED IUnknown *object = every_kind[k].make(device);
        const ULONG before = kit_references(object);
        size_t faces = 0, words = 1;
        for (const char *at = every_kind[k].interfaces; *at != '\0'; at++)
            words += *at == ' ';
        for (size_t i = 0; i < INTERFACES; i++) {
            IUnknown *face = (IUnknown *)(void *)&face;
            const char *name = interfaces[i].name;
            const HRESULT hr = IUnknown_QueryInterface(object, interfaces[i].iid, (void **)&face);
            if (!has_word(every_kind[k].interfaces, name)) {
                cr_assert_eqs(hr, E_NOINTERFACE, face, NULL, "%s of kind %zu: 0x%08x", name, k,
                              (unsigned)hr);
                continue;
            }
            cr_assert(hr == S_OK && face, "%s of kind %zu: 0x%08x", name, k, (unsigned)hr);
            expect_face(object, face, interfaces[i].slots, name);
            IUnknown_Release(face);
            faces++;
        }
        cr_assert_eq(faces, words, "kind %zu: %zu faces of %zu", k, faces, words);
        cr_assert_eq(kit_references(object), before);
        EXPECT_HR(IUnknown_QueryInterface(object, &IID_IUnknown, NULL), E_POINTER);
    }
}

Test(interfaces, children_hold_their_device)
{
    ID3D12Device *device = kit_device(), *same = NULL;
    ID3D12Fence *fence = kit_fence(device, 0);
    cr_assert_eq(kit_references(device), 2);
    MUST(ID3D12Fence_GetDevice(fence, &IID_ID3D12Device, (void **)&same));
    cr_assert_eqs(same, device, kit_references(device), 3);
    ID3D12Device_Release(same);
    cr_assert_eq(ID3D12Device_Release(device), 1);
    cr_assert_eq(ID3D12Fence_Release(fence), 0); /* and with it the device: LeakSanitizer looks */
}

Test(interfaces, a_device_can_be_asked_for_without_being_made)
{
    EXPECT_HR(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, NULL), S_FALSE);
    void *out = &out;
    EXPECT_HR(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_12_2, &IID_ID3D12Device, &out),
              DXGI_ERROR_UNSUPPORTED);
    cr_assert(!out);
    EXPECT_HR(D3D12CreateDevice(NULL, (D3D_FEATURE_LEVEL)1, &IID_ID3D12Device, &out), E_INVALIDARG);
    EXPECT_HR(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Fence, &out),
              E_NOINTERFACE);
    emu_config config = EMU_CONFIG_INIT;
    config.driver = "there is no such driver";
    cr_assert_eq(emu_configure(&config), ANNOT_OK);
    EXPECT_HR(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, &out),
              DXGI_ERROR_NOT_FOUND);
    cr_assert_eq(emu_configure(NULL), ANNOT_OK);
}

Test(not_modelled, methods_fail_with_one_message_that_names_them)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12Device3 *device3 = AS(ID3D12Device3, device);
    REFUSES(E_NOTIMPL, ID3D12Heap, device3, OpenExistingHeapFromFileMapping, NULL);
    ID3D12Device3_Release(device3);
    EXPECT_MESSAGES(device, 1, EMU_MESSAGE_NOT_MODELLED);

    OPEN_LIST(DIRECT);
    ID3D12GraphicsCommandList4 *list4 = AS(ID3D12GraphicsCommandList4, list);
    ID3D12GraphicsCommandList4_ExecuteMetaCommand(list4, NULL, NULL, 0);
    ID3D12GraphicsCommandList4_Release(list4);
    char text[512];
    cr_assert_eq(kit_count_texts(device, EMU_MESSAGE_NOT_MODELLED, text), 2);
    cr_assert(strstr(text, "ID3D12GraphicsCommandList::ExecuteMetaCommand"), "%s", text);
    MUST(ID3D12GraphicsCommandList_Close(list));
}

Test(not_modelled, shared_handles_are)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    HANDLE handle = NULL;
    EXPECT_HR(ID3D12Device_CreateSharedHandle(device, (ID3D12DeviceChild *)fence, NULL, GENERIC_ALL,
                                              NULL, &handle),
              E_NOTIMPL);
    REFUSES(E_NOTIMPL, ID3D12Fence, device, OpenSharedHandle, (HANDLE)(intptr_t)2 /* stderr */);
    EXPECT_HR(ID3D12Device_OpenSharedHandleByName(device, L"name", GENERIC_ALL, &handle),
              E_NOTIMPL);
    EXPECT_MESSAGES(device, 3, EMU_MESSAGE_NOT_MODELLED);
}
