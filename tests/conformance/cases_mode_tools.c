/* ANN-MODE-08, -09: ID3D12DeviceTools2 in both letters as interfaces of the device, and its older
 * versions. */
#include "kit.h"

CASES(mode_tools_cases, "mode");

static const char *const face_rows[] = {"tools", "tools1", "published", "v0.06", NULL};

static const IID *face_iid(size_t row)
{
    return row == 0   ? &IID_ID3D12DeviceTools
           : row == 1 ? &IID_ID3D12DeviceTools1
                      : kit_letters[row - 2].iid;
}

static void *query(void *object, const IID *iid)
{
    void *out = NULL;
    REQUIRE_OK(IUnknown_QueryInterface((IUnknown *)object, iid, &out));
    REQUIRE(out);
    return out;
}

/* Without it nothing of the feature can be had: what needs it is skipped. */
CASE(devices_have_their_tools, "ANN-MODE-08",
     "A device has no ID3D12DeviceTools2, and with it none of the specification's modes.")
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    REQUIRE(kit_letter(device));
}

CASE(tools_are_the_device, "ANN-MODE-08",
     "A layer that compares IUnknown pointers takes the device and its tools for two objects.",
     .rows = face_rows, .needs = TOOLS)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    OWNED void *face = query(device, face_iid(case_row()));
    OWNED void *from_device = query(device, &IID_IUnknown), *from_face = query(face, &IID_IUnknown);
    OWNED void *back = query(face, &IID_ID3D12Device),
               *back_object = query(face, &IID_ID3D12Object);
    EXPECT(from_device == from_face);
    EXPECT(back == (void *)device);
    for (size_t i = 0; face_rows[i]; i++) {
        if (i >= 2)
            kit_use_letter((enum kit_letter)(i - 2));
        if (!kit_letter(device))
            continue;
        OWNED void *next = query(face, face_iid(i)), *identity = query(next, &IID_IUnknown);
        EXPECT(identity == from_device);
    }
}

CASE(tools_share_the_devices_references, "ANN-MODE-08",
     "The tools are freed with the device, or keep it alive for ever.", .rows = face_rows,
     .needs = TOOLS)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    const ULONG before = kit_references(device);
    IUnknown *face = query(device, face_iid(case_row()));
    EXPECT_EQ(kit_references(device), before + 1);
    EXPECT_EQ(kit_references(face), before + 1);
    EXPECT_EQ(IUnknown_AddRef(face), before + 2);
    EXPECT_EQ(ID3D12Device_AddRef(device), before + 3);
    EXPECT_EQ(IUnknown_Release(face), before + 2);
    EXPECT_EQ(ID3D12Device_Release(device), before + 1);
    EXPECT_EQ(IUnknown_Release(face), before);
}

CASE(tools_keep_the_device_alive, "ANN-MODE-08",
     "An application that kept only the tools calls into freed memory.", .rows = face_rows,
     .needs = TOOLS)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    OWNED void *face = query(device, face_iid(case_row()));
    EXPECT_EQ(ID3D12Device_Release(device), 1);
    device = query(face, &IID_ID3D12Device);
    EXPECT_EQ(kit_get_mode(device), RETAIL);
}

CASE(tools_hand_out_nothing_else, "ANN-MODE-08",
     "A failed QueryInterface leaves a pointer that its caller releases.", .rows = face_rows,
     .needs = TOOLS)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    void *face = query(device, face_iid(case_row())), *out = &out;
    const ULONG before = kit_references(device);
    EXPECT_HR(IUnknown_QueryInterface((IUnknown *)face, &IID_ID3D12Fence, &out), E_NOINTERFACE);
    EXPECT(!out);
    EXPECT_HR(IUnknown_QueryInterface((IUnknown *)face, face_iid(case_row()), NULL), E_POINTER);
    EXPECT_EQ(kit_references(device), before);
    kit_release(face);
}

CASE(every_face_sets_one_mode, "ANN-MODE-08 ANN-MODE-02",
     "Two pointers to the tools have a mode each.", .needs = TOOLS, .rows = kit_letter_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    kit_use_letter((enum kit_letter)case_row());
    OWNED void *base = query(device, &IID_ID3D12DeviceTools);
    OWNED void *other = query(base, kit_letters[case_row()].iid);
    OWNED ID3D12Device *again = query(other, &IID_ID3D12Device);
    kit_set_mode(device, RETAIL);
    EXPECT_EQ(kit_get_mode(again), RETAIL);
    kit_set_mode(again, RUNTIME);
    EXPECT_EQ(kit_get_mode(device), RUNTIME);
}

/* ---- where the next allocation goes ---- */

enum { BUFFER = 1 << 20, ROOM = 64 * BUFFER };

/* Through the version of the interface that the row names. */
static void set_next(ID3D12Device *device, D3D12_GPU_VIRTUAL_ADDRESS address)
{
    OWNED ID3D12DeviceTools *tools = query(device, face_iid(case_row()));
    ID3D12DeviceTools_SetNextAllocationAddress(tools, address);
}

static D3D12_GPU_VIRTUAL_ADDRESS address_of(ID3D12Resource *buffer)
{
    return ID3D12Resource_GetGPUVirtualAddress(buffer);
}

static ID3D12Resource *buffer(ID3D12Device *device, UINT64 size)
{
    return kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, size);
}

/* An address that is free, and that no allocator would choose next by itself. */
static D3D12_GPU_VIRTUAL_ADDRESS free_address(ID3D12Device *device)
{
    OWNED ID3D12Resource *space = buffer(device, ROOM);
    const D3D12_GPU_VIRTUAL_ADDRESS address = address_of(space) + ROOM / 2;
    return address;
}

static HRESULT try_buffer(ID3D12Device *device, UINT64 size, ID3D12Resource **out)
{
    const D3D12_HEAP_PROPERTIES heap = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(size);
    return ID3D12Device_CreateCommittedResource(device, &heap, D3D12_HEAP_FLAG_NONE, &desc,
                                                D3D12_RESOURCE_STATE_COMMON, NULL,
                                                &IID_ID3D12Resource, (void **)out);
}

CASE(the_next_resource_gets_the_address, "ANN-MODE-09",
     "A capture can't be replayed, since its resources are not where its pointers point.",
     .rows = face_rows, .needs = TOOLS)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    const D3D12_GPU_VIRTUAL_ADDRESS address = free_address(device);
    OWNED ID3D12Resource *before = buffer(device, BUFFER);
    EXPECT(address_of(before) != address);
    set_next(device, address);
    OWNED ID3D12Resource *chosen = buffer(device, BUFFER), *after = buffer(device, BUFFER);
    EXPECT_EQ(address_of(chosen), address);
    EXPECT(address_of(after) < address || address_of(after) >= address + BUFFER);
}

CASE(the_next_heap_gets_the_address, "ANN-MODE-09",
     "Heaps, and all that is placed in them, stay where the runtime put them.", .rows = face_rows,
     .needs = TOOLS)
{
    const D3D12_HEAP_DESC heap_desc = {.SizeInBytes = BUFFER,
                                       .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT},
                                       .Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(BUFFER / 2);
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    const D3D12_GPU_VIRTUAL_ADDRESS address = free_address(device);
    OWNED ID3D12Heap *heap = NULL;
    OWNED ID3D12Resource *placed = NULL;
    set_next(device, address);
    REQUIRE_OK(ID3D12Device_CreateHeap(device, &heap_desc, &IID_ID3D12Heap, (void **)&heap));
    REQUIRE_OK(ID3D12Device_CreatePlacedResource(device, heap, BUFFER / 2, &desc,
                                                 D3D12_RESOURCE_STATE_COMMON, NULL,
                                                 &IID_ID3D12Resource, (void **)&placed));
    EXPECT_EQ(address_of(placed), address + BUFFER / 2);
}

CASE(a_taken_address_fails_the_creation, "ANN-MODE-09",
     "Two resources share an address, or a replay goes on with a resource in the wrong place.",
     .rows = face_rows, .needs = TOOLS)
{
    static const int64_t offsets[] = {0, BUFFER / 2, -(int64_t)BUFFER / 2, 0};
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    const D3D12_GPU_VIRTUAL_ADDRESS address = free_address(device);
    set_next(device, address);
    ID3D12Resource *taken = buffer(device, BUFFER);
    REQUIRE_EQ(address_of(taken), address);
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        OWNED ID3D12Resource *out = taken;
        set_next(device, address + (uint64_t)offsets[i]);
        EXPECT(FAILED(try_buffer(device, BUFFER, &out)));
        EXPECT(!out);
        EXPECT_OK(try_buffer(device, BUFFER, &out)); /* one creation fails, not those behind it */
    }
    kit_release(taken);
    set_next(device, address);
    taken = buffer(device, BUFFER);
    EXPECT_EQ(address_of(taken), address);
    kit_release(taken);
    EXPECT_OK(ID3D12Device_GetDeviceRemovedReason(device));
}

/* The device was created without a blob: none was specified. */
CASE(no_driver_state_was_specified, "ANN-MODE-09",
     "A capture stores a blob that nobody gave, or reads one from a pointer that was never set.",
     .rows = face_rows, .needs = TOOLS)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    OWNED ID3D12DeviceTools1 *tools = query(device, face_iid(case_row() >= 2 ? case_row() : 1));
    ID3DBlob *blob = (ID3DBlob *)(void *)&blob;
    const HRESULT hr = tools->lpVtbl->GetApplicationSpecificDriverState(tools, &blob);
    EXPECT_EQ(SUCCEEDED(hr), blob != NULL);
    if (FAILED(hr))
        EXPECT_HR(hr, 0x887A0004); /* DXGI_ERROR_UNSUPPORTED */
    else
        kit_release(blob);
    EXPECT(FAILED(tools->lpVtbl->GetApplicationSpecificDriverState(tools, NULL)));
    EXPECT_EQ(tools->lpVtbl->GetApplicationSpecificDriverBlobStatus(tools),
              D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_NOT_SPECIFIED);
}
