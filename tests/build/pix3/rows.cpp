// The specification's table of configurations, end to end: what a program that is compiled with these macros records, in
// this mode, and which markers the driver of the emulated device gets [ANN-PIX-04]. Then what pix3.h's functions encode, and
// what a context that is NULL does [ANN-PIX-02, -05]. Compiled and run once for each configuration.
#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <annot/d3d12.h>
#include <annot/ddi.h>
#include <annot/pix3.h>
#include <dxguids/dxguids.h>
#include <emu/emu.h>

#include <cstdio>
#include <cstring>
#include <string>

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                           \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

// ---- a driver that writes down which markers it gets ----

static std::string heard;
static uint32_t heard_metadata;

static std::string decoded(uint32_t metadata, const void *data, uint32_t size)
{
    char name[256] = "";
    annot_pix_event event;
    if (annot_pix_decode(metadata, data, size, name, sizeof name, &event) != ANNOT_PIX_OK)
        return "undecodable";
    return name;
}

static void list_begin(D3D12DDI_HCOMMANDLIST, uint32_t metadata, const void *data, uint32_t size,
                       uint64_t)
{
    heard += "begin " + decoded(metadata, data, size) + "\n";
    heard_metadata = metadata;
}

static void list_marker(D3D12DDI_HCOMMANDLIST, uint32_t metadata, const void *data, uint32_t size,
                        uint64_t)
{
    heard += "marker " + decoded(metadata, data, size) + "\n";
}

static void list_end(D3D12DDI_HCOMMANDLIST, uint64_t)
{
    heard += "end\n";
}

static int record(D3D12_USER_DEFINED_ANNOTATION_MODE mode)
{
    static D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table;
    static const annot_driver ear = {
        "ear", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0, &table, 0};
    table = *emu_driver_annotation("reference")->annotation;
    table.pfnCmdListBeginEvent = list_begin;
    table.pfnCmdListSetMarker = list_marker;
    table.pfnCmdListEndEvent = list_end;
    emu_config config = EMU_CONFIG_INIT;
    config.annotation = &ear;
    EXPECT(emu_configure(&config) == ANNOT_OK);
    heard.clear();

    ID3D12Device *device = nullptr;
    ID3D12DeviceTools2 *tools = nullptr;
    ID3D12CommandAllocator *allocator = nullptr;
    ID3D12GraphicsCommandList4 *list = nullptr;
    EXPECT(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)) == S_OK);
    EXPECT(device->QueryInterface(IID_PPV_ARGS(&tools)) == S_OK);
    tools->SetUserDefinedAnnotationMode(mode);
    tools->Release();
    EXPECT(device->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT,
                                          IID_PPV_ARGS(&allocator)) == S_OK);
    EXPECT(device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator, nullptr,
                                     IID_PPV_ARGS(&list)) == S_OK);
    {
        PIXScopedEvent(list, PIX_COLOR(1, 2, 3), L"development %d", 1);
        PIXSetMarker(list, PIX_COLOR_INDEX(4), "development marker");
    }
    PIXBeginRetailEvent(list, PIX_COLOR(1, 2, 3), "retail %s %d", "scope", 1);
    PIXSetRetailMarker(list, PIX_COLOR_DEFAULT, "retail marker");
    PIXEndRetailEvent(list);
    EXPECT(list->Close() == S_OK);
    list->Release();
    allocator->Release();
    EXPECT(device->Release() == 0);
    return 0;
}

// ---- contexts ----

struct Context {
    int calls = 0;
    uint32_t metadata = 0;
    unsigned char blob[512];
    uint32_t size = 0;

    void BeginEvent(UINT data_metadata, const void *data, UINT data_size)
    {
        calls++;
        metadata = data_metadata;
        size = data_size;
        std::memcpy(blob, data, data_size);
    }
    void SetMarker(UINT data_metadata, const void *data, UINT data_size)
    {
        BeginEvent(data_metadata, data, data_size);
    }
    void EndEvent()
    {
        calls++;
    }
};

#ifdef USE_PIX
static const bool all_on = true;
#else
static const bool all_on = false;
#endif

struct PackedColor {
    operator uint32_t() const
    {
        return 0xff0a0b0c;
    }
};
struct SignedColor {
    operator int() const
    {
        return -2;
    }
};
struct IndexColor {
    operator UINT8() const
    {
        return 3;
    }
};

#ifdef PIX_EVENTS_ARE_TURNED_ON
// A class is the colour that the integer it converts to is.
template <typename CLASS, typename INTEGER>
static bool is_encoded_as(Context &context, CLASS color, INTEGER same)
{
    PIXBeginRetailEvent(&context, same, "name");
    const std::string expected(reinterpret_cast<char *>(context.blob), context.size);
    PIXSetRetailMarker(&context, 0, "something else");
    PIXBeginRetailEvent(&context, color, "name");
    return expected == std::string(reinterpret_cast<char *>(context.blob), context.size);
}

// A name that is longer than a blob ends with it, as the C encoder cuts it: the characters that fit, no NUL, and no argument.
static int cuts(Context &context, size_t length)
{
    const std::string text(length, 'x');
    annot_pix_desc desc = {};
    desc.version = ANNOT__PIX_MACRO_VERSION;
    desc.kind = ANNOT_PIX_KIND_BEGIN;
    desc.color_kind = ANNOT_PIX_COLOR_KIND_ARGB;
    desc.color = 0xff0a0b0c;
    desc.has_context = desc.version == ANNOT_PIX_V2;
    desc.context = reinterpret_cast<uintptr_t>(&context);
    desc.format.type = ANNOT_PIX_STR;
    desc.format.value.str = text.c_str();
    const annot_pix_arg argument = {ANNOT_PIX_I32, 0, {7}};
    desc.args = &argument;
    desc.arg_count = 1;
    unsigned char blob[512];
    const size_t size = annot_pix_encode(&desc, blob, sizeof blob);
    PIXBeginRetailEvent(&context, PIX_COLOR(10, 11, 12), text.c_str(), 7);
    EXPECT(size > 0 && size <= 504 && context.size == size);
    EXPECT(std::memcmp(context.blob, blob, size) == 0);
    char name[2048] = "";
    annot_pix_event event;
    EXPECT(annot_pix_decode(context.metadata, context.blob, context.size, name, sizeof name,
                            &event) == ANNOT_PIX_OK);
    EXPECT(std::string(name) == text.substr(0, std::strlen(name)) && std::strlen(name) >= 440);
    EXPECT(length < 496 || (event.flags & ANNOT_PIX_TRUNCATED) != 0);
    return 0;
}

// As the C encoder encodes the same description: tests/unit compares that with the reference's bytes.
static int encodes(Context &context)
{
    const annot_pix_arg args[] = {{ANNOT_PIX_I32, 0, {-5}}, {ANNOT_PIX_STR, 0, {0}}};
    annot_pix_arg values[2] = {args[0], args[1]};
    values[1].value.str = "text";
    annot_pix_desc desc = {};
    desc.version = ANNOT__PIX_MACRO_VERSION;
    desc.kind = ANNOT_PIX_KIND_BEGIN;
    desc.color_kind = ANNOT_PIX_COLOR_KIND_ARGB;
    desc.color = 0xff0a0b0c;
    desc.has_context = desc.version == ANNOT_PIX_V2;
    desc.context = reinterpret_cast<uintptr_t>(&context);
    desc.format.type = ANNOT_PIX_STR;
    desc.format.value.str = "pass %d %s";
    desc.args = values;
    desc.arg_count = 2;
    unsigned char blob[512];
    const size_t size = annot_pix_encode(&desc, blob, sizeof blob);
    const char *text = "text";
    PIXBeginRetailEvent(&context, PIX_COLOR(10, 11, 12), "pass %d %s", -5, text);
    EXPECT(context.calls == 1 && context.metadata == annot_pix_metadata(desc.version));
    EXPECT(context.size == size && std::memcmp(context.blob, blob, size) == 0);
    return 0;
}
#endif

static int contexts()
{
    Context context;
    Context *const none = nullptr;
#ifdef PIX_EVENTS_ARE_TURNED_ON
    EXPECT(encodes(context) == 0);
    EXPECT(is_encoded_as(context, PackedColor(), UINT(0xff0a0b0c)));
    EXPECT(is_encoded_as(context, SignedColor(), -2));
    EXPECT(is_encoded_as(context, IndexColor(), UINT8(3)));
    for (size_t length = 470; length < 1200; length++)
        EXPECT(cuts(context, length) == 0);
    context.calls = 0;
#endif
    PIXBeginEvent(none, 0, "no context");
    PIXSetMarker(none, 0, "no context");
    PIXEndEvent(none);
    PIXBeginRetailEvent(none, 0, "no context");
    PIXEndRetailEvent(none);
    PIXBeginEvent(NULL, 0, "no context");
    PIXBeginEvent(PIX_COLOR(1, 2, 3), "of the thread %d", 1);
    PIXEndEvent();
    {
        PIXScopedEvent(0, "of the thread");
        PIXScopedEvent(&context, 0, "scope");
        EXPECT(context.calls == (all_on ? 1 : 0));
    }
    EXPECT(context.calls == (all_on ? 2 : 0));
    // v2's first word for a marker of 5 words with an 8-bit string and a colour by index; a string's info word.
    EXPECT(PIXEncodeEventInfo(1, PIXEvent_SetMarker, 5, PIXEncodeIndexColor(11) | 2) ==
           (1ull << 20 | 0x32ull << 12 | 2ull << 7 | 5));
    UINT64 info[2] = {};
    UINT64 *at = info;
    PIXEncodeStringInfo(at, TRUE);
    PIXEncodeStringInfo(at, FALSE);
    EXPECT(at == info + 2 && info[0] == (8ull << 55 | 1ull << 54) && info[1] == 8ull << 55);
    void (*const end)(Context *) = &PIXEndEvent;
    end(&context);
    EXPECT(context.calls == (all_on ? 3 : 0));
    EXPECT(PIXGetCaptureState() == 0 && !PIXIsAttachedForGpuCapture());
    EXPECT((PIXBeginCapture(PIX_CAPTURE_GPU, nullptr) == S_OK) == !all_on);
    return 0;
}

int main()
{
    const std::string development = "begin development 1\nmarker development marker\nend\n";
    const std::string retail = "begin retail scope 1\nmarker retail marker\nend\n";
    std::string expected;
#ifdef USE_PIX
    expected = development + retail;
#elif defined(USE_PIX_RETAIL)
    expected = retail;
#endif
    EXPECT(record(D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL) == 0);
    if (heard != expected) {
        std::fprintf(stderr, "the driver got:\n%sand not:\n%s", heard.c_str(), expected.c_str());
        return 1;
    }
    EXPECT(expected.empty() || heard_metadata == ANNOT_PIX_MACRO_METADATA);
    EXPECT(record(D3D12_USER_DEFINED_ANNOTATION_MODE_RUNTIME_ONLY) == 0);
    EXPECT(heard.empty());
    return contexts();
}
