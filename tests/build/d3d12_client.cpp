// A D3D12 program in C++, as any other: DirectX-Headers' own C++ side, linked to the emulator.
#define USE_PIX
#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <dxguids/dxguids.h>
#include <annot/d3d12.h>
#include <annot/pix3.h>
#include <emu/emu.h>

#include <cstdio>
#include <cstring>

// How vkd3d-proton's headers have a method return a struct: through memory of the caller's.
#ifdef EMU_D3D12_ABI_VKD3D
#define BY_ABI(value, pointer) (*(pointer))
#else
#define BY_ABI(value, pointer) (value)
#endif

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                           \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

int main()
{
    ID3D12Device *device = nullptr;
    EXPECT(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)) == S_OK);

    ID3D12DeviceTools2 *tools = nullptr;
    EXPECT(device->QueryInterface(IID_PPV_ARGS(&tools)) == S_OK);
    tools->SetUserDefinedAnnotationMode(D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
    EXPECT(tools->GetUserDefinedAnnotationMode() ==
           D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
    tools->Release();

    D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION annotation = {};
    EXPECT(device->CheckFeatureSupport(D3D12_FEATURE_USER_DEFINED_ANNOTATION, &annotation,
                                       sizeof annotation) == S_OK);
    EXPECT(annotation.Supported);

    // Methods that return structs, large and small, are where binary interfaces differ.
    D3D12_COMMAND_QUEUE_DESC queue_desc = {};
    queue_desc.Type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
    queue_desc.Priority = 100;
    ID3D12CommandQueue *queue = nullptr;
    EXPECT(device->CreateCommandQueue(&queue_desc, IID_PPV_ARGS(&queue)) == S_OK);
    D3D12_COMMAND_QUEUE_DESC got = {};
    got = BY_ABI(queue->GetDesc(), queue->GetDesc(&got));
    EXPECT(got.Type == D3D12_COMMAND_LIST_TYPE_COMPUTE && got.Priority == 100);
    LUID luid = {};
    luid = BY_ABI(device->GetAdapterLuid(), device->GetAdapterLuid(&luid));
    EXPECT(luid.LowPart != 0);

    D3D12_HEAP_PROPERTIES heap = {};
    heap.Type = D3D12_HEAP_TYPE_READBACK;
    D3D12_RESOURCE_DESC desc = {};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = 4096;
    desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
    desc.SampleDesc.Count = 1;
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    ID3D12Resource *buffer = nullptr;
    EXPECT(device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc,
                                           D3D12_RESOURCE_STATE_COPY_DEST, nullptr,
                                           IID_PPV_ARGS(&buffer)) == S_OK);
    D3D12_RESOURCE_DESC got_desc = {};
    got_desc = BY_ABI(buffer->GetDesc(), buffer->GetDesc(&got_desc));
    EXPECT(got_desc.Width == 4096);
    D3D12_RESOURCE_ALLOCATION_INFO info = {};
    info = BY_ABI(device->GetResourceAllocationInfo(0, 1, &desc),
                  device->GetResourceAllocationInfo(&info, 0, 1, &desc));
    EXPECT(info.SizeInBytes == 65536);

    ID3D12CommandAllocator *allocator = nullptr;
    ID3D12GraphicsCommandList2 *list = nullptr;
    EXPECT(device->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_COMPUTE,
                                          IID_PPV_ARGS(&allocator)) == S_OK);
    EXPECT(device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_COMPUTE, allocator, nullptr,
                                     IID_PPV_ARGS(&list)) == S_OK);
    EXPECT(list->SetName(L"list") == S_OK);
    PIXBeginEvent(list, PIX_COLOR(1, 2, 3), "from %s", "C++");
    D3D12_WRITEBUFFERIMMEDIATE_PARAMETER write = {buffer->GetGPUVirtualAddress(), 42};
    list->WriteBufferImmediate(1, &write, nullptr);
    PIXEndEvent(list);
    EXPECT(list->Close() == S_OK);
    ID3D12CommandList *lists[] = {list};
    queue->ExecuteCommandLists(1, lists);

    ID3D12Fence *fence = nullptr;
    EXPECT(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)) == S_OK);
    EXPECT(queue->Signal(fence, 1) == S_OK);
    EXPECT(fence->SetEventOnCompletion(1, nullptr) == S_OK);
    UINT *data = nullptr;
    EXPECT(buffer->Map(0, nullptr, reinterpret_cast<void **>(&data)) == S_OK);
    EXPECT(*data == 42);

    fence->Release();
    list->Release();
    allocator->Release();
    buffer->Release();
    queue->Release();
    EXPECT(device->Release() == 0);
    return 0;
}
