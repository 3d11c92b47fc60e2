/* All methods that create a resource or heap fail alike: for the same descriptions, devices and
 * states. */
#include "kit.h"

#include "base/abi.h"

struct fixture {
    ID3D12Device *device;
    ID3D12Device11 *newer;
    ID3D12Heap *heap; /* that placed resources are placed in */
};

static const D3D12_HEAP_PROPERTIES local = {.Type = D3D12_HEAP_TYPE_DEFAULT};
static const D3D12_RESOURCE_STATES common = D3D12_RESOURCE_STATE_COMMON;
static const D3D12_BARRIER_LAYOUT undefined = D3D12_BARRIER_LAYOUT_UNDEFINED;

static ID3D12Heap *make_heap(ID3D12Device *device)
{
    const D3D12_HEAP_DESC desc = {.SizeInBytes = 65536, .Properties = local};
    return MADE(ID3D12Heap, device, CreateHeap, &desc);
}

static void set_up(struct fixture *f)
{
    f->device = kit_device();
    f->newer = AS(ID3D12Device11, f->device);
    f->heap = make_heap(f->device);
}

static void tear_down(struct fixture *f)
{
    RELEASE(f->heap, f->newer);
    kit_close(f->device);
}

/* ---- the forms: a buffer of `desc`, NULL for none ---- */

static const D3D12_RESOURCE_DESC1 *desc1_of(const D3D12_RESOURCE_DESC *desc,
                                            D3D12_RESOURCE_DESC1 *out)
{
    if (!desc)
        return NULL;
    *out = (D3D12_RESOURCE_DESC1){
        desc->Dimension,        desc->Alignment, desc->Width,  desc->Height,
        desc->DepthOrArraySize, desc->MipLevels, desc->Format, desc->SampleDesc,
        desc->Layout,           desc->Flags,     {0, 0, 0},
    };
    return out;
}

static HRESULT committed(struct fixture *f, const D3D12_RESOURCE_DESC *desc, REFIID riid,
                         void **out)
{
    return ID3D12Device11_CreateCommittedResource(f->newer, &local, 0, desc, common, NULL, riid,
                                                  out);
}

static HRESULT committed1(struct fixture *f, const D3D12_RESOURCE_DESC *desc, REFIID riid,
                          void **out)
{
    return ID3D12Device11_CreateCommittedResource1(f->newer, &local, 0, desc, common, NULL, NULL,
                                                   riid, out);
}

static HRESULT committed2(struct fixture *f, const D3D12_RESOURCE_DESC *desc, REFIID riid,
                          void **out)
{
    D3D12_RESOURCE_DESC1 desc1;
    return ID3D12Device11_CreateCommittedResource2(f->newer, &local, 0, desc1_of(desc, &desc1),
                                                   common, NULL, NULL, riid, out);
}

static HRESULT committed3(struct fixture *f, const D3D12_RESOURCE_DESC *desc, REFIID riid,
                          void **out)
{
    D3D12_RESOURCE_DESC1 desc1;
    return ID3D12Device11_CreateCommittedResource3(f->newer, &local, 0, desc1_of(desc, &desc1),
                                                   undefined, NULL, NULL, 0, NULL, riid, out);
}

static HRESULT placed(struct fixture *f, const D3D12_RESOURCE_DESC *desc, REFIID riid, void **out)
{
    return ID3D12Device11_CreatePlacedResource(f->newer, f->heap, 0, desc, common, NULL, riid, out);
}

static HRESULT placed1(struct fixture *f, const D3D12_RESOURCE_DESC *desc, REFIID riid, void **out)
{
    D3D12_RESOURCE_DESC1 desc1;
    return ID3D12Device11_CreatePlacedResource1(f->newer, f->heap, 0, desc1_of(desc, &desc1),
                                                common, NULL, riid, out);
}

static HRESULT placed2(struct fixture *f, const D3D12_RESOURCE_DESC *desc, REFIID riid, void **out)
{
    D3D12_RESOURCE_DESC1 desc1;
    return ID3D12Device11_CreatePlacedResource2(f->newer, f->heap, 0, desc1_of(desc, &desc1),
                                                undefined, NULL, 0, NULL, riid, out);
}

static HRESULT reserved(struct fixture *f, const D3D12_RESOURCE_DESC *desc, REFIID riid, void **out)
{
    return ID3D12Device11_CreateReservedResource(f->newer, desc, common, NULL, riid, out);
}

static HRESULT reserved1(struct fixture *f, const D3D12_RESOURCE_DESC *desc, REFIID riid,
                         void **out)
{
    return ID3D12Device11_CreateReservedResource1(f->newer, desc, common, NULL, NULL, riid, out);
}

static HRESULT reserved2(struct fixture *f, const D3D12_RESOURCE_DESC *desc, REFIID riid,
                         void **out)
{
    return ID3D12Device11_CreateReservedResource2(f->newer, desc, undefined, NULL, NULL, 0, NULL,
                                                  riid, out);
}

static const struct {
    const char *name;
    HRESULT (*make)(struct fixture *f, const D3D12_RESOURCE_DESC *desc, REFIID riid, void **out);
} forms[] = {
    {"CreateCommittedResource", committed},   {"CreateCommittedResource1", committed1},
    {"CreateCommittedResource2", committed2}, {"CreateCommittedResource3", committed3},
    {"CreatePlacedResource", placed},         {"CreatePlacedResource1", placed1},
    {"CreatePlacedResource2", placed2},       {"CreateReservedResource", reserved},
    {"CreateReservedResource1", reserved1},   {"CreateReservedResource2", reserved2},
};

#define FORMS (sizeof forms / sizeof forms[0])

Test(resource_forms, give_the_interface_that_is_asked_for)
{
    static const IID *const iids[] = {&IID_IUnknown,          &IID_ID3D12Object,
                                      &IID_ID3D12DeviceChild, &IID_ID3D12Pageable,
                                      &IID_ID3D12Resource,    &IID_ID3D12Resource1,
                                      &IID_ID3D12Resource2};
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(256);
    AT_END(tear_down) struct fixture f;
    set_up(&f);
    for (size_t i = 0; i < FORMS; i++) {
        void *out = &out;
        for (size_t k = 0; k < sizeof iids / sizeof iids[0]; k++) {
            HRESULT hr = forms[i].make(&f, &desc, iids[k], &out);
            cr_assert(hr == S_OK && out, "%s: %x", forms[i].name, (unsigned)hr);
            cr_assert_eq(IUnknown_Release((IUnknown *)out), 0);
        }
        out = &out;
        cr_expect_eqs(forms[i].make(&f, &desc, &IID_ID3D12Heap, &out), E_NOINTERFACE, out, NULL,
                      "%s", forms[i].name);
        out = &out;
        cr_expect_eqs(forms[i].make(&f, &desc, NULL, &out), E_INVALIDARG, out, NULL, "%s",
                      forms[i].name);
        cr_expect_eq(forms[i].make(&f, &desc, &IID_ID3D12Resource, NULL), S_FALSE, "%s",
                     forms[i].name);
    }
    cr_assert_eq(kit_messages(f.device), 0);
}

Test(resource_forms, want_a_description_that_d3d12_permits)
{
    D3D12_RESOURCE_DESC bad[] = {kit_buffer_desc(0), kit_buffer_desc(256), kit_buffer_desc(256),
                                 kit_buffer_desc(256), kit_buffer_desc(256)};
    const size_t count = sizeof bad / sizeof bad[0];
    bad[1].Dimension = (D3D12_RESOURCE_DIMENSION)5;
    bad[2].Dimension = D3D12_RESOURCE_DIMENSION_UNKNOWN;
    bad[3].Layout = (D3D12_TEXTURE_LAYOUT)4;
    bad[4].Flags = (D3D12_RESOURCE_FLAGS)0x8000;
    AT_END(tear_down) struct fixture f;
    set_up(&f);
    for (size_t i = 0; i < FORMS; i++) {
        for (size_t k = 0; k <= count; k++) {
            void *out = &out;
            kit_clear(f.device);
            HRESULT hr = forms[i].make(&f, k < count ? &bad[k] : NULL, &IID_ID3D12Resource, &out);
            cr_expect_eqs(hr, E_INVALIDARG, out, NULL, "%s %zu: %x", forms[i].name, k,
                          (unsigned)hr);
            cr_expect_eq(kit_messages(f.device), 1, "%s %zu", forms[i].name, k);
        }
    }
}

Test(resource_forms, fail_for_what_no_memory_can_hold)
{
    static const UINT64 sizes[] = {UINT64_MAX, UINT64_MAX - 65535, (UINT64)1 << 48};
    AT_END(tear_down) struct fixture f;
    set_up(&f);
    for (size_t i = 0; i < FORMS; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            const D3D12_RESOURCE_DESC desc = kit_buffer_desc(sizes[k]);
            void *out = &out;
            HRESULT hr = forms[i].make(&f, &desc, &IID_ID3D12Resource, &out);
            const bool is_placed = forms[i].make == placed || forms[i].make == placed1 ||
                                   forms[i].make == placed2; /* it is larger than its heap */
            cr_expect_eqs(hr, is_placed ? E_INVALIDARG : E_OUTOFMEMORY, out, NULL, "%s: %x",
                          forms[i].name, (unsigned)hr);
        }
}

Test(resource_forms, fail_on_a_removed_device)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(256);
    const D3D12_HEAP_DESC heap = {.SizeInBytes = 65536, .Properties = local};
    const D3D12_DESCRIPTOR_HEAP_DESC views = {D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 1, 0, 0};
    AT_END(tear_down) struct fixture f;
    set_up(&f);
    kit_remove(f.device);
    for (size_t i = 0; i < FORMS; i++) {
        void *out = &out;
        cr_expect_eqs(forms[i].make(&f, &desc, &IID_ID3D12Resource, &out),
                      DXGI_ERROR_DEVICE_REMOVED, out, NULL, "%s", forms[i].name);
    }
    void *out = &out;
    REFUSES(DXGI_ERROR_DEVICE_REMOVED, ID3D12Heap, f.newer, CreateHeap1, &heap, NULL);
    out = &out;
    REFUSES(DXGI_ERROR_DEVICE_REMOVED, ID3D12DescriptorHeap, f.newer, CreateDescriptorHeap, &views);
}

/* Questions need no device behind them. */
Test(resource_forms, are_asked_about_on_a_removed_device)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(256);
    AT_END(tear_down) struct fixture f;
    D3D12_RESOURCE_ALLOCATION_INFO info;
    D3D12_HEAP_PROPERTIES properties;
    D3D12_HEAP_DESC heap;
    UINT64 total = 0;
    UINT tiles = 0;
    OWNED ID3D12Resource *tiled = NULL;
    set_up(&f);
    MUST(reserved(&f, &desc, &IID_ID3D12Resource, (void **)&tiled));
    const D3D12_GPU_VIRTUAL_ADDRESS address = ID3D12Resource_GetGPUVirtualAddress(tiled);
    kit_remove(f.device);
    ABI_CALL_STRUCT_ARGS(f.newer, GetResourceAllocationInfo, &info, 0, 1, &desc);
    cr_assert_eq(info.SizeInBytes, 65536);
    ABI_CALL_STRUCT_ARGS(f.newer, GetCustomHeapProperties, &properties, 0, D3D12_HEAP_TYPE_UPLOAD);
    cr_assert_eq(properties.Type, D3D12_HEAP_TYPE_CUSTOM);
    ID3D12Device11_GetCopyableFootprints(f.newer, &desc, 0, 1, 0, NULL, NULL, NULL, &total);
    cr_assert_eq(total, 256);
    ID3D12Device11_GetResourceTiling(f.newer, tiled, &tiles, NULL, NULL, NULL, 0, NULL);
    cr_assert_eqs(tiles, 1, ID3D12Resource_GetGPUVirtualAddress(tiled), address);
    ABI_CALL_STRUCT(f.heap, GetDesc, &heap);
    cr_assert_eq(heap.SizeInBytes, 65536);
}

Test(resource_forms, are_placed_in_heaps_of_the_device)
{
    struct fixture f, stranger;
    set_up(&f);
    set_up(&stranger);
    ID3D12Heap *own = f.heap;
    ID3D12Heap *const none[] = {NULL, stranger.heap, (ID3D12Heap *)f.device};
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(256);
    for (size_t i = 0; i < FORMS; i++) {
        if (forms[i].make != placed && forms[i].make != placed1 && forms[i].make != placed2)
            continue;
        for (size_t k = 0; k < 3; k++) {
            void *out = &out;
            f.heap = none[k];
            kit_clear(f.device);
            cr_expect(forms[i].make(&f, &desc, &IID_ID3D12Resource, &out) == E_INVALIDARG &&
                          out == NULL && kit_messages(f.device) == 1,
                      "%s in heap %zu", forms[i].name, k);
        }
    }
    f.heap = own;
    tear_down(&stranger);
    tear_down(&f);
}

Test(heap, gives_the_interface_that_is_asked_for)
{
    const D3D12_HEAP_DESC desc = {.SizeInBytes = 65536, .Properties = local};
    AT_END(tear_down) struct fixture f;
    void *out = &out;
    set_up(&f);
    REFUSES(E_NOINTERFACE, ID3D12Resource, f.newer, CreateHeap, &desc);
    EXPECT_HR(ID3D12Device11_CreateHeap1(f.newer, &desc, NULL, NULL, &out), E_INVALIDARG);
    cr_assert(!out);
    EXPECT_HR(ID3D12Device11_CreateHeap1(f.newer, &desc, NULL, &IID_ID3D12Heap1, NULL), S_FALSE);
    cr_assert_eq(kit_messages(f.device), 0);
    REFUSES(E_INVALIDARG, ID3D12Heap1, f.newer, CreateHeap1, NULL, NULL);
    cr_assert_eq(kit_count(f.device, D3D12_MESSAGE_ID_CREATEHEAP_NULLDESC), 1);
}

Test(heap, properties_are_of_the_one_node)
{
    AT_END(tear_down) struct fixture f;
    D3D12_HEAP_PROPERTIES properties;
    set_up(&f);
    ABI_CALL_STRUCT_ARGS(f.newer, GetCustomHeapProperties, &properties, 2, D3D12_HEAP_TYPE_UPLOAD);
    cr_assert_eqs(kit_messages(f.device), 1, properties.Type, 0);
    ABI_CALL_STRUCT_ARGS(f.newer, GetCustomHeapProperties, &properties, 0, (D3D12_HEAP_TYPE)0);
    cr_assert_eqs(kit_messages(f.device), 2, properties.Type, 0);
}

/* ---- questions that have no answer ---- */

Test(footprints, of_subresources_that_are_not_there_are_all_ones)
{
    const D3D12_RESOURCE_DESC buffer = kit_buffer_desc(256);
    const D3D12_RESOURCE_DESC texture = kit_texture_desc(DXGI_FORMAT_R8_UNORM, 16, 16, 2, 2, 0);
    const struct {
        const char *why;
        const D3D12_RESOURCE_DESC *desc;
        UINT first, count;
        bool good;
    } cases[] = {
        {"all", &texture, 0, 4, true},
        {"the last", &texture, 3, 1, true},
        {"one more", &texture, 3, 2, false},
        {"behind", &texture, 4, 1, false},
        {"around", &texture, UINT32_MAX, 2, false},
        {"a buffer", &buffer, 0, 1, true},
        {"a second buffer", &buffer, 1, 1, false},
        {"two buffers", &buffer, 0, 2, false},
        {"nothing", NULL, 0, 1, false},
    };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        D3D12_PLACED_SUBRESOURCE_FOOTPRINT layouts[4];
        UINT rows[4] = {0};
        UINT64 sizes[4] = {0}, total = 0;
        ID3D12Device_GetCopyableFootprints(device, cases[i].desc, cases[i].first, cases[i].count, 0,
                                           layouts, rows, sizes, &total);
        cr_expect_eq(total != UINT64_MAX, cases[i].good, "%s", cases[i].why);
        cr_expect_eq(rows[0] != UINT32_MAX && sizes[0] != UINT64_MAX, cases[i].good, "%s",
                     cases[i].why);
    }
}

Test(tiling, of_resources_that_have_none)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(256);
    const D3D12_RESOURCE_DESC large = kit_buffer_desc(3 * 65536);
    AT_END(tear_down) struct fixture f, stranger;
    ID3D12Resource *none[4] = {NULL};
    ID3D12Resource *tiled = NULL;
    set_up(&f);
    set_up(&stranger);
    MUST(committed(&f, &desc, &IID_ID3D12Resource, (void **)&none[1]));
    MUST(reserved(&stranger, &desc, &IID_ID3D12Resource, (void **)&none[2]));
    none[3] = (ID3D12Resource *)f.heap;
    for (UINT i = 0; i < 4; i++) {
        UINT tiles = 9, parts = 1;
        D3D12_SUBRESOURCE_TILING part;
        ID3D12Device11_GetResourceTiling(f.newer, none[i], &tiles, NULL, NULL, &parts, 0, &part);
        cr_expect(tiles == 0 && parts == 0 && kit_messages(f.device) == i + 1, "%u", i);
    }
    /* parts behind the last one are none */
    MUST(reserved(&f, &large, &IID_ID3D12Resource, (void **)&tiled));
    static const UINT firsts[] = {1, 2, UINT32_MAX};
    for (UINT i = 0; i < 3; i++) {
        UINT tiles = 0, parts = 2;
        D3D12_SUBRESOURCE_TILING part[2];
        ID3D12Device11_GetResourceTiling(f.newer, tiled, &tiles, NULL, NULL, &parts, firsts[i],
                                         part);
        cr_expect_eqs(tiles, 3, parts, 0, "from %u", firsts[i]);
    }
    RELEASE(tiled, none[2], none[1]);
}
