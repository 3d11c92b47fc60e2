/* Clients' questions about a resource are answered as D3D12 does, whatever the resource is. */
#include "fake.h"

#include <intercept/d3d12.h>
#include <intercept/resource.h>

#include "asserts.h"

#include <annot/annot.h>

#include <string.h>

static D3D12_RESOURCE_DESC desc;
static D3D12_HEAP_PROPERTIES heap;
static D3D12_HEAP_FLAGS flags;
static HRESULT heap_answer, device_answer;
static struct fake *device;
static D3D12_RESOURCE_DESC asked; /* GetCopyableFootprints */
static bool writes_nothing;
static UINT rows_answer;
static UINT64 row_size_answer;

static void footprints(const uint64_t *args)
{
    memcpy(&asked, (void *)(uintptr_t)args[0], sizeof asked);
    cr_assert_eqs(args[1], 0, args[2], 1);
    cr_assert_eqs(args[3], 0, args[4], 0);
    cr_assert_eq(args[7], 0);
    if (writes_nothing)
        return;
    memcpy((void *)(uintptr_t)args[5], &rows_answer, sizeof rows_answer);
    memcpy((void *)(uintptr_t)args[6], &row_size_answer, sizeof row_size_answer);
}

static void answer(uint16_t method, struct fake *self, uint64_t *args, struct call_result *result)
{
    switch (method) {
    case METHOD_ID3D12Resource_GetDesc:
        memcpy(result->structure, &desc, sizeof desc);
        break;
    case METHOD_ID3D12Resource_GetHeapProperties:
        result->word = (uint32_t)heap_answer;
        memcpy((void *)(uintptr_t)args[0], &heap, sizeof heap);
        if (heap_answer >= 0)
            memcpy((void *)(uintptr_t)args[1], &flags, sizeof flags);
        break;
    case METHOD_ID3D12DeviceChild_GetDevice:
        cr_assert_eq(schema_interface_of((const uint8_t *)(uintptr_t)args[0]), TYPE_ID3D12Device);
        result->word = (uint32_t)device_answer;
        if (device_answer >= 0) {
            device->references++;
            memcpy((void *)(uintptr_t)args[1], &device, sizeof device);
        }
        break;
    case METHOD_ID3D12Device_GetCopyableFootprints:
        cr_assert(self == device);
        footprints(args);
        break;
    case METHOD_ID3D12Resource_GetGPUVirtualAddress:
        result->word = 0x123456789a0000;
        break;
    case METHOD_ID3D12Fence_GetCompletedValue:
        result->word = 0x8000000000000007;
        break;
    case METHOD_ID3D12PipelineLibrary_GetSerializedSize:
        result->word = 0x100000001;
        break;
    case METHOD_ID3D12DescriptorHeap_GetCPUDescriptorHandleForHeapStart:
        memcpy(result->structure, &(uint64_t){0x7000000000001234}, 8);
        break;
    default:
        cr_assert(false, "%s", schema_methods[method].name);
    }
}

static void prepare(void)
{
    schema_init();
    fake_answer = answer;
    device = fake_create(type_newest(TYPE_ID3D12Device));
    desc = (D3D12_RESOURCE_DESC){.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
                                 .Width = 0x100000010,
                                 .Height = 1,
                                 .DepthOrArraySize = 1,
                                 .MipLevels = 1};
}

TestSuite(resource, .init = prepare);

static struct fake *resource(void)
{
    return fake_create(type_newest(TYPE_ID3D12Resource));
}

Test(resource, the_heap_says_who_writes_and_who_shares)
{
    const struct {
        D3D12_HEAP_TYPE type;
        D3D12_HEAP_FLAGS flags;
        HRESULT answer;
        uint32_t kind;
        bool is_shared;
    } rows[] = {
        {D3D12_HEAP_TYPE_UPLOAD, D3D12_HEAP_FLAG_NONE, S_OK, RESOURCE_UPLOAD, false},
        {D3D12_HEAP_TYPE_READBACK, D3D12_HEAP_FLAG_SHARED, S_OK, RESOURCE_READBACK, true},
        {D3D12_HEAP_TYPE_CUSTOM, D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER, S_OK, RESOURCE_SHARED, true},
        {D3D12_HEAP_TYPE_DEFAULT, D3D12_HEAP_FLAG_ALLOW_DISPLAY, S_OK, RESOURCE_SHARED, false},
        {D3D12_HEAP_TYPE_UPLOAD, D3D12_HEAP_FLAG_SHARED, 1, RESOURCE_UPLOAD, true},
        {D3D12_HEAP_TYPE_UPLOAD, D3D12_HEAP_FLAG_SHARED, E_INVALIDARG, RESOURCE_SHARED, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int is_texture = 0; is_texture < 2; is_texture++) {
            heap.Type = rows[i].type;
            flags = rows[i].flags;
            heap_answer = rows[i].answer;
            desc.Dimension =
                is_texture ? D3D12_RESOURCE_DIMENSION_TEXTURE1D : D3D12_RESOURCE_DIMENSION_BUFFER;
            const struct resource_facts facts = resource_describe(resource());
            cr_assert_eqs(facts.kind, rows[i].kind, facts.is_shared, rows[i].is_shared, "row %zu",
                          i);
            cr_assert_eq(facts.size, is_texture ? 0 : 0x100000010);
        }
}

Test(resource, the_shape_is_the_description_and_the_state_stays)
{
    annot_resource shape = {.state = 77, .width = 1, .samples = 9};
    desc = (D3D12_RESOURCE_DESC){.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                                 .Alignment = 1,
                                 .Width = 1920,
                                 .Height = 1080,
                                 .DepthOrArraySize = 6,
                                 .MipLevels = 11,
                                 .Format = DXGI_FORMAT_BC1_UNORM,
                                 .SampleDesc = {4, 2},
                                 .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
                                 .Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET};
    resource_shape(resource(), &shape);
    cr_assert_eqs(shape.width, 1920, shape.height, 1080);
    cr_assert_eqs(shape.depth, 6, shape.mips, 11);
    cr_assert_eqs(shape.samples, 4, shape.state, 77);
    cr_assert_eqs(shape.dimension, D3D12_RESOURCE_DIMENSION_TEXTURE2D, shape.format,
                  DXGI_FORMAT_BC1_UNORM);
}

Test(resource, words_are_the_objects_own)
{
    cr_assert_eq(resource_descriptors(fake_create(type_newest(TYPE_ID3D12DescriptorHeap))),
                 0x7000000000001234);
    cr_assert_eq(resource_fence_value(fake_create(type_newest(TYPE_ID3D12Fence))),
                 0x8000000000000007);
    cr_assert_eq(resource_library_size(fake_create(type_newest(TYPE_ID3D12PipelineLibrary))),
                 0x100000001);
    cr_assert_eq(resource_address(resource()), 0x123456789a0000);
    desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D; /* has none, and is not asked for it */
    cr_assert_eq(resource_address(resource()), 0);
}

/* Bytes from the first to behind the last: pitches between rows and slices, and the last row. */
/* Of both methods, which are the same. */
static uint64_t box_size(void *resource, uint32_t subresource, const void *box, uint64_t row,
                         uint64_t slice)
{
    const uint64_t write[] = {subresource, (uintptr_t)box, 0, row, slice};
    const uint64_t read[] = {0, row, slice, subresource, (uintptr_t)box};
    const uint64_t size =
        resource_box_size(METHOD_ID3D12Resource_WriteToSubresource, resource, write);
    cr_assert_eq(resource_box_size(METHOD_ID3D12Resource_ReadFromSubresource, resource, read),
                 size);
    return size;
}

Test(resource, a_box_takes_the_bytes_from_its_first_to_its_last)
{
    static const D3D12_BOX box = {4, 2, 1, 20, 10, 5}, empty[] = {
                                                           {4, 2, 1, 4, 10, 4},
                                                           {4, 2, 1, 20, 2, 4},
                                                           {4, 2, 1, 20, 10, 1},
                                                           {5, 2, 1, 4, 10, 4},
                                                       };
    const uint64_t row = 4096, slice = 1 << 20;
    enum { ONE = D3D12_RESOURCE_DIMENSION_TEXTURE1D, TWO, THREE };
    const struct {
        int dimension;
        const D3D12_BOX *box;
        UINT subresource, depth;
        UINT64 width; /* what the runtime is asked about */
        UINT height, slices;
    } rows[] = {
        {TWO, NULL, 0, 6, 100, 50, 1},    {TWO, NULL, 2, 6, 25, 12, 1},
        {TWO, NULL, 7 + 2, 6, 25, 12, 1}, {TWO, NULL, 6, 6, 1, 1, 1}, /* never less than 1 */
        {TWO, &box, 2, 6, 16, 8, 1},      {THREE, NULL, 0, 6, 100, 50, 6},
        {THREE, NULL, 1, 6, 50, 25, 3},   {THREE, NULL, 5, 6, 3, 1, 1},
        {THREE, &box, 1, 6, 16, 8, 4},    {ONE, NULL, 1, 6, 50, 25, 1},
    };
    desc = (D3D12_RESOURCE_DESC){.Alignment = 65536,
                                 .Width = 100,
                                 .Height = 50,
                                 .MipLevels = 7,
                                 .Format = DXGI_FORMAT_R8_UNORM};
    row_size_answer = 11;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        desc.Dimension = (D3D12_RESOURCE_DIMENSION)rows[i].dimension;
        desc.DepthOrArraySize = (UINT16)rows[i].depth;
        rows_answer = rows[i].height;
        cr_assert_eq(box_size(resource(), rows[i].subresource, rows[i].box, row, slice),
                     (rows[i].slices - 1) * slice + (rows[i].height - 1) * row + 11, "row %zu", i);
        cr_assert_eqs(asked.Width, rows[i].width, asked.Height, rows[i].height, "row %zu", i);
        cr_assert_eqs(asked.DepthOrArraySize, rows[i].slices, asked.MipLevels, 1, "row %zu", i);
        cr_assert_eqs(asked.Alignment, 0, asked.Format, DXGI_FORMAT_R8_UNORM);
        cr_assert_eq(device->references, 1);
    }
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
        cr_assert_eq(box_size(resource(), 0, &empty[i], row, slice), 0, "box %zu", i);
    desc.MipLevels = 0; /* as many as there can be */
    rows_answer = 50;
    cr_assert_eq(box_size(resource(), 3, NULL, row, slice), 49 * row + 11);
    rows_answer = 0;
    cr_assert_eq(box_size(resource(), 0, NULL, row, slice), 0);
    rows_answer = UINT32_MAX;
    cr_assert_eq(box_size(resource(), 0, NULL, row, slice), 0);
    rows_answer = 1;
    cr_assert_eq(box_size(resource(), 0, NULL, row, slice), 11);
    row_size_answer = UINT64_MAX;
    cr_assert_eq(box_size(resource(), 0, NULL, row, slice), 0);
    row_size_answer = 11;
    writes_nothing = true;
    cr_assert_eq(box_size(resource(), 0, NULL, row, slice), 0);
    writes_nothing = false;
    device_answer = 1;
    cr_assert_eq(box_size(resource(), 0, NULL, row, slice), 11);
    device_answer = E_FAIL;
    cr_assert_eq(box_size(resource(), 0, NULL, row, slice), 0);
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    cr_assert_eq(box_size(resource(), 0, NULL, row, slice), 100);
    cr_assert_eq(box_size(resource(), 0, &box, row, slice), 16);
    cr_assert_eq(box_size(resource(), 0, &empty[0], row, slice), 0);
}
