// A D3D12 program in the C++ that such programs are written in: d3dx12.h's helpers and ComPtr, from the first question about
// features to the dump of a hang. What it knows of the emulator is its shaders and where the dump goes.
#define INITGUID
#define USE_PIX
#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <directx/d3dx12.h>
#include <dxguids/dxguids.h>
#include <wrl/client.h>
#include <annot/d3d12.h>
#include <annot/pix3.h>
#include <annot/reader.h>
#include <emu/emu.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using Microsoft::WRL::ComPtr;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                           \
            return false;                                                                          \
        }                                                                                          \
    } while (0)
#define MUST(call) EXPECT((call) == S_OK)

static const char dump_name[] = "helpers.annotdmp";
static const UINT words = 256;

struct Game {
    ComPtr<ID3D12Device2> device;
    ComPtr<ID3D12CommandQueue> queue;
    ComPtr<ID3D12CommandAllocator> allocator;
    ComPtr<ID3D12GraphicsCommandList2> list;
    ComPtr<ID3D12Fence> fence;
    ComPtr<ID3D12RootSignature> signature;
    UINT64 frame = 0;

    bool start();
    bool create_signature();
    ComPtr<ID3D12PipelineState> pipeline(emu_kernel kernel);
    ComPtr<ID3D12Resource> buffer(D3D12_HEAP_TYPE type, D3D12_RESOURCE_STATES state,
                                  D3D12_RESOURCE_FLAGS flags = D3D12_RESOURCE_FLAG_NONE);
    void dispatch(ID3D12PipelineState *state, ID3D12Resource *to, UINT constant);
    HRESULT submit();
};

bool Game::create_signature()
{
    CD3DX12_ROOT_PARAMETER1 parameters[3];
    parameters[0].InitAsUnorderedAccessView(0);
    parameters[1].InitAsShaderResourceView(0);
    parameters[2].InitAsConstants(2, 0);
    CD3DX12_VERSIONED_ROOT_SIGNATURE_DESC desc;
    desc.Init_1_1(3, parameters);
    for (D3D_ROOT_SIGNATURE_VERSION version :
         {D3D_ROOT_SIGNATURE_VERSION_1_1, D3D_ROOT_SIGNATURE_VERSION_1_0}) {
        ComPtr<ID3DBlob> blob, error;
        MUST(D3DX12SerializeVersionedRootSignature(&desc, version, &blob, &error));
        EXPECT(!error);
        MUST(device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(),
                                         IID_PPV_ARGS(signature.ReleaseAndGetAddressOf())));
    }
    return true;
}

bool Game::start()
{
    MUST(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_12_0, IID_PPV_ARGS(&device)));
    ComPtr<ID3D12DeviceTools2> tools;
    MUST(device.As(&tools));
    tools->SetUserDefinedAnnotationMode(D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
    D3D12_COMMAND_QUEUE_DESC desc = {};
    desc.Type = D3D12_COMMAND_LIST_TYPE_DIRECT;
    MUST(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)));
    MUST(queue->SetName(L"Main queue"));
    MUST(device->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT, IID_PPV_ARGS(&allocator)));
    MUST(device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator.Get(), nullptr,
                                   IID_PPV_ARGS(&list)));
    MUST(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)));
    return create_signature();
}

// In the form of a stream, which the helpers lay out.
ComPtr<ID3D12PipelineState> Game::pipeline(emu_kernel kernel)
{
    size_t size = 0;
    const void *code = emu_kernel_bytecode(kernel, &size);
    CD3DX12_PIPELINE_STATE_STREAM stream;
    stream.pRootSignature = signature.Get();
    stream.CS = CD3DX12_SHADER_BYTECODE(code, size);
    struct {
        CD3DX12_PIPELINE_STATE_STREAM_ROOT_SIGNATURE signature;
        CD3DX12_PIPELINE_STATE_STREAM_CS cs;
    } compute = {stream.pRootSignature, stream.CS};
    const D3D12_PIPELINE_STATE_STREAM_DESC desc = {sizeof compute, &compute};
    ComPtr<ID3D12PipelineState> state;
    if (device->CreatePipelineState(&desc, IID_PPV_ARGS(&state)) != S_OK)
        return nullptr;
    return state;
}

ComPtr<ID3D12Resource> Game::buffer(D3D12_HEAP_TYPE type, D3D12_RESOURCE_STATES state,
                                    D3D12_RESOURCE_FLAGS flags)
{
    const CD3DX12_HEAP_PROPERTIES heap(type);
    const auto desc = CD3DX12_RESOURCE_DESC::Buffer(words * sizeof(UINT), flags);
    ComPtr<ID3D12Resource> resource;
    if (device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr,
                                        IID_PPV_ARGS(&resource)) != S_OK)
        return nullptr;
    return resource;
}

void Game::dispatch(ID3D12PipelineState *state, ID3D12Resource *to, UINT constant)
{
    const UINT constants[2] = {constant, words};
    list->SetComputeRootSignature(signature.Get());
    list->SetPipelineState(state);
    list->SetComputeRootUnorderedAccessView(0, to->GetGPUVirtualAddress());
    list->SetComputeRoot32BitConstants(2, 2, constants, 0);
    list->Dispatch(words / 64, 1, 1);
}

// Executes the list and waits; the list records again afterwards.
HRESULT Game::submit()
{
    HRESULT hr = list->Close();
    if (FAILED(hr))
        return hr;
    ID3D12GraphicsCommandList2 *lists[] = {list.Get()};
    queue->ExecuteCommandLists(1, CommandListCast(lists));
    if (FAILED(hr = queue->Signal(fence.Get(), ++frame)) ||
        FAILED(hr = fence->SetEventOnCompletion(frame, nullptr)))
        return hr;
    if (FAILED(hr = device->GetDeviceRemovedReason()) || FAILED(hr = allocator->Reset()))
        return hr;
    return list->Reset(allocator.Get(), nullptr);
}

static bool asks_for_features(Game &game)
{
    CD3DX12FeatureSupport features;
    MUST(features.Init(game.device.Get()));
    EXPECT(features.MaxSupportedFeatureLevel() >= D3D_FEATURE_LEVEL_12_0);
    EXPECT(features.HighestShaderModel() >= D3D_SHADER_MODEL_5_1);
    EXPECT(features.HighestRootSignatureVersion() >= D3D_ROOT_SIGNATURE_VERSION_1_1);
    EXPECT(features.ResourceBindingTier() >= D3D12_RESOURCE_BINDING_TIER_2);
    EXPECT(features.CommandQueuePrioritySupported(D3D12_COMMAND_LIST_TYPE_DIRECT,
                                                  D3D12_COMMAND_QUEUE_PRIORITY_HIGH));
    D3D12_FORMAT_SUPPORT1 first;
    D3D12_FORMAT_SUPPORT2 second;
    MUST(features.FormatSupport(DXGI_FORMAT_R8G8B8A8_UNORM, first, second));
    EXPECT((first & D3D12_FORMAT_SUPPORT1_TEXTURE2D) != 0);
    UINT8 planes = 0;
    MUST(features.FormatInfo(DXGI_FORMAT_NV12, planes));
    EXPECT(planes == 2);
    EXPECT(D3D12GetFormatPlaneCount(game.device.Get(), DXGI_FORMAT_D24_UNORM_S8_UINT) == 2);
    return true;
}

static bool names(Game &game)
{
    std::wstring name(32, L'\0');
    UINT size = static_cast<UINT>(name.size() * sizeof(WCHAR));
    MUST(game.queue->GetPrivateData(WKPDID_D3DDebugObjectNameW, &size, &name[0]));
    name.resize(size / sizeof(WCHAR) - 1); // the datum ends with a NUL
    EXPECT(name == L"Main queue");
    MUST(game.list->SetPrivateDataInterface(WKPDID_D3DDebugObjectName, game.fence.Get()));
    MUST(game.list->SetPrivateDataInterface(WKPDID_D3DDebugObjectName, nullptr));

    ComPtr<IUnknown> one, other;
    ComPtr<ID3D12CommandList> base;
    ComPtr<ID3D12Device> device;
    MUST(game.list.As(&base));
    MUST(game.list.As(&one));
    MUST(base.As(&other));
    EXPECT(one.Get() == other.Get());
    MUST(base->GetDevice(IID_PPV_ARGS(&device)));
    EXPECT(device.Get() == game.device.Get());
    return true;
}

static bool computes(Game &game)
{
    auto target = game.buffer(D3D12_HEAP_TYPE_DEFAULT, D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
                              D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
    auto back = game.buffer(D3D12_HEAP_TYPE_READBACK, D3D12_RESOURCE_STATE_COPY_DEST);
    auto fill = game.pipeline(EMU_KERNEL_FILL);
    EXPECT(target && back && fill);
    MUST(target->SetName(L"Target"));
    PIXBeginEvent(game.list.Get(), PIX_COLOR(10, 20, 30), "Fill %u words", words);
    game.dispatch(fill.Get(), target.Get(), 0xC0FFEE);
    PIXEndEvent(game.list.Get());
    const auto barrier = CD3DX12_RESOURCE_BARRIER::Transition(
        target.Get(), D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COPY_SOURCE);
    game.list->ResourceBarrier(1, &barrier);
    game.list->CopyResource(back.Get(), target.Get());
    MUST(game.submit());
    UINT *data = nullptr;
    const CD3DX12_RANGE all(0, words * sizeof(UINT)), nothing(0, 0);
    MUST(back->Map(0, &all, reinterpret_cast<void **>(&data)));
    for (UINT i = 0; i < words; i++)
        EXPECT(data[i] == 0xC0FFEE);
    back->Unmap(0, &nothing);
    return true;
}

// Two mips of a texture through an upload buffer, and back.
static bool uploads_a_texture(Game &game)
{
    const CD3DX12_HEAP_PROPERTIES local(D3D12_HEAP_TYPE_DEFAULT), upload(D3D12_HEAP_TYPE_UPLOAD),
        readback(D3D12_HEAP_TYPE_READBACK);
    const auto desc = CD3DX12_RESOURCE_DESC::Tex2D(DXGI_FORMAT_R8G8B8A8_UNORM, 8, 8, 1, 2);
    ComPtr<ID3D12Resource> texture, staging, back;
    MUST(game.device->CreateCommittedResource(&local, D3D12_HEAP_FLAG_NONE, &desc,
                                              D3D12_RESOURCE_STATE_COPY_DEST, nullptr,
                                              IID_PPV_ARGS(&texture)));
    const UINT64 size = GetRequiredIntermediateSize(texture.Get(), 0, 2);
    EXPECT(size >= 8 * 256 + 4 * 16);
    const auto buffer = CD3DX12_RESOURCE_DESC::Buffer(size);
    MUST(game.device->CreateCommittedResource(&upload, D3D12_HEAP_FLAG_NONE, &buffer,
                                              D3D12_RESOURCE_STATE_GENERIC_READ, nullptr,
                                              IID_PPV_ARGS(&staging)));
    MUST(game.device->CreateCommittedResource(&readback, D3D12_HEAP_FLAG_NONE, &buffer,
                                              D3D12_RESOURCE_STATE_COPY_DEST, nullptr,
                                              IID_PPV_ARGS(&back)));
    std::vector<UINT> texels(64 + 16);
    for (size_t i = 0; i < texels.size(); i++)
        texels[i] = 0x01010101u * static_cast<UINT>(i);
    D3D12_SUBRESOURCE_DATA data[2] = {{&texels[0], 32, 256}, {&texels[64], 16, 64}};
    EXPECT(UpdateSubresources<2>(game.list.Get(), texture.Get(), staging.Get(), 0, 0, 2, data) ==
           size);
    const auto barrier = CD3DX12_RESOURCE_BARRIER::Transition(
        texture.Get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE);
    game.list->ResourceBarrier(1, &barrier);
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT places[2];
    game.device->GetCopyableFootprints(&desc, 0, 2, 0, places, nullptr, nullptr, nullptr);
    for (UINT i = 0; i < 2; i++) {
        const CD3DX12_TEXTURE_COPY_LOCATION to(back.Get(), places[i]), from(texture.Get(), i);
        game.list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
    }
    MUST(game.submit());
    BYTE *bytes = nullptr;
    MUST(back->Map(0, nullptr, reinterpret_cast<void **>(&bytes)));
    for (UINT y = 0; y < 8; y++)
        EXPECT(std::memcmp(bytes + places[0].Footprint.RowPitch * y, &texels[8 * y], 32) == 0);
    for (UINT y = 0; y < 4; y++)
        EXPECT(std::memcmp(bytes + places[1].Offset + places[1].Footprint.RowPitch * y,
                           &texels[64 + 4 * y], 16) == 0);
    back->Unmap(0, nullptr);
    return true;
}

static bool hangs(Game &game)
{
    auto target = game.buffer(D3D12_HEAP_TYPE_DEFAULT, D3D12_RESOURCE_STATE_COMMON,
                              D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
    auto spin = game.pipeline(EMU_KERNEL_SPIN);
    EXPECT(target && spin);
    MUST(game.list->SetName(L"Hanging list"));
    PIXBeginEvent(game.list.Get(), PIX_COLOR_DEFAULT, "Frame %d", 3);
    PIXBeginEvent(game.list.Get(), PIX_COLOR_DEFAULT, "Endless pass");
    game.dispatch(spin.Get(), target.Get(), 0);
    PIXEndEvent(game.list.Get());
    PIXEndEvent(game.list.Get());
    EXPECT(game.submit() == DXGI_ERROR_DEVICE_HUNG);
    EXPECT(game.fence->GetCompletedValue() == UINT64_MAX);
    ComPtr<ID3D12Fence> late;
    EXPECT(game.device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&late)) ==
           DXGI_ERROR_DEVICE_REMOVED);

    annot_reader *reader = nullptr;
    char path[128] = "";
    EXPECT(annot_reader_open_file(nullptr, dump_name, &reader) == ANNOT_OK);
    EXPECT(annot_reader_stop_count(reader) == 1);
    annot_reader_stop_path(reader, 0, path, sizeof path);
    annot_reader_close(reader);
    EXPECT(std::strcmp(path, "Frame 3 / Endless pass") == 0);
    return true;
}

int main()
{
    emu_config config = EMU_CONFIG_INIT;
    config.order = EMU_ORDER_SEEDED;
    config.dump_path = dump_name;
    if (emu_configure(&config) != ANNOT_OK)
        return 1;
    Game game;
    const bool ok = game.start() && asks_for_features(game) && names(game) && computes(game) &&
                    uploads_a_texture(game) && hangs(game);
    ComPtr<ID3D12Device2> device = game.device;
    game = Game();
    if (ok && device.Reset() != 0) {
        std::fprintf(stderr, "the device outlives what it made\n");
        return 1;
    }
    return ok ? 0 : 1;
}
