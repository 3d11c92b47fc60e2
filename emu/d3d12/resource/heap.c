#include "resource/heap.h"

#include "base/abi.h"
#include "session/protected_session.h"
#include "device/next_address.h"
#include "os_memory.h"

D3D12_CHILD_METHODS(d3d12_heap, ID3D12Heap1)

/* ---- allowed descriptions ---- */

#define KNOWN_FLAGS                                                                                \
    (D3D12_HEAP_FLAG_SHARED | D3D12_HEAP_FLAG_DENY_BUFFERS | D3D12_HEAP_FLAG_ALLOW_DISPLAY |       \
     D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER | D3D12_HEAP_FLAG_DENY_RT_DS_TEXTURES |                  \
     D3D12_HEAP_FLAG_DENY_NON_RT_DS_TEXTURES | D3D12_HEAP_FLAG_HARDWARE_PROTECTED |                \
     D3D12_HEAP_FLAG_ALLOW_WRITE_WATCH | D3D12_HEAP_FLAG_ALLOW_SHADER_ATOMICS |                    \
     D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT | D3D12_HEAP_FLAG_CREATE_NOT_ZEROED)
#define DENY_ALL                                                                                   \
    (D3D12_HEAP_FLAG_DENY_BUFFERS | D3D12_HEAP_FLAG_DENY_RT_DS_TEXTURES |                          \
     D3D12_HEAP_FLAG_DENY_NON_RT_DS_TEXTURES)

/* D3D12 has two numbers for the same mistake. */
#define HEAP_ERROR(with_resource, heap, resource_and_heap, what)                                   \
    ((with_resource) ? VALIDATION_ERROR(CREATERESOURCEANDHEAP_##resource_and_heap, what)           \
                     : VALIDATION_ERROR(CREATEHEAP_##heap, what))

/* GetCustomHeapProperties describes the three types by an adapter's properties, which CUSTOM heaps
 * use. */
static struct validation_error check_properties(const D3D12_HEAP_PROPERTIES *properties,
                                                bool with_resource)
{
    const bool custom = properties->Type == D3D12_HEAP_TYPE_CUSTOM;
    if (properties->Type < D3D12_HEAP_TYPE_DEFAULT || properties->Type > D3D12_HEAP_TYPE_CUSTOM)
        return WITH_VALUE(HEAP_ERROR(with_resource, UNRECOGNIZEDHEAPTYPE, UNRECOGNIZEDHEAPTYPE,
                                     "Type must be a D3D12_HEAP_TYPE"),
                          properties, Type);
    if ((unsigned)properties->CPUPageProperty > D3D12_CPU_PAGE_PROPERTY_WRITE_BACK)
        return WITH_VALUE(HEAP_ERROR(with_resource, UNRECOGNIZEDCPUPAGEPROPERTIES,
                                     UNRECOGNIZEDCPUPAGEPROPERTIES,
                                     "CPUPageProperty must be a D3D12_CPU_PAGE_PROPERTY"),
                          properties, CPUPageProperty);
    if ((unsigned)properties->MemoryPoolPreference > D3D12_MEMORY_POOL_L1)
        return WITH_VALUE(HEAP_ERROR(with_resource, UNRECOGNIZEDMEMORYPOOL, UNRECOGNIZEDMEMORYPOOL,
                                     "MemoryPoolPreference must be a D3D12_MEMORY_POOL"),
                          properties, MemoryPoolPreference);
    /* one memory for both CPU and GPU has no L1 */
    if (custom ? properties->CPUPageProperty == D3D12_CPU_PAGE_PROPERTY_UNKNOWN ||
                     properties->MemoryPoolPreference != D3D12_MEMORY_POOL_L0
               : properties->CPUPageProperty != D3D12_CPU_PAGE_PROPERTY_UNKNOWN ||
                     properties->MemoryPoolPreference != D3D12_MEMORY_POOL_UNKNOWN)
        return HEAP_ERROR(with_resource, INVALIDPROPERTIES, INVALIDHEAPPROPERTIES,
                          "in a custom heap, CPUPageProperty must be set and MemoryPoolPreference "
                          "must be L0; in other heaps, both properties must be UNKNOWN");
    if (properties->CreationNodeMask > 1 || properties->VisibleNodeMask > 1)
        return HEAP_ERROR(with_resource, INVALIDPROPERTIES, INVALIDHEAPPROPERTIES,
                          "each NodeMask must be 0 or 1: the adapter has one node");
    return no_validation_error;
}

static struct validation_error check_flags(const D3D12_HEAP_PROPERTIES *properties,
                                           D3D12_HEAP_FLAGS flags, bool with_resource)
{
    if (((UINT)flags & ~(UINT)KNOWN_FLAGS) != 0)
        return HEAP_ERROR(with_resource, UNRECOGNIZEDMISCFLAGS, UNRECOGNIZEDHEAPMISCFLAGS,
                          "HeapFlags has bits that D3D12_HEAP_FLAGS doesn't have");
    if ((flags & DENY_ALL) == DENY_ALL)
        return HEAP_ERROR(with_resource, INVALIDMISCFLAGS, INVALIDHEAPMISCFLAGS,
                          "HeapFlags must not deny every kind of resource");
    if ((flags & (D3D12_HEAP_FLAG_HARDWARE_PROTECTED | D3D12_HEAP_FLAG_ALLOW_WRITE_WATCH)) != 0)
        return HEAP_ERROR(
            with_resource, INVALIDMISCFLAGS, INVALIDHEAPMISCFLAGS,
            "HeapFlags must not ask for protected memory or write watches: the device has neither");
    REFUSE(((flags & D3D12_HEAP_FLAG_SHARED) != 0 &&
            (properties->Type == D3D12_HEAP_TYPE_UPLOAD ||
             properties->Type == D3D12_HEAP_TYPE_READBACK)) ||
               ((flags & D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER) != 0 &&
                (flags & D3D12_HEAP_FLAG_SHARED) == 0),
           CREATESHAREDHEAP_INVALIDFLAGS,
           "upload and readback heaps must not have SHARED; SHARED_CROSS_ADAPTER needs SHARED");
    return no_validation_error;
}

struct validation_error d3d12_heap_check(const D3D12_HEAP_PROPERTIES *properties,
                                         D3D12_HEAP_FLAGS flags, bool with_resource)
{
    REFUSE(!properties, CREATERESOURCEANDHEAP_NULLHEAPPROPERTIES,
           "pHeapProperties must not be NULL");
    const struct validation_error error = check_properties(properties, with_resource);
    return !error.text ? check_flags(properties, flags, with_resource) : error;
}

D3D12_HEAP_PROPERTIES d3d12_heap_properties_complete(const D3D12_HEAP_PROPERTIES *properties)
{
    D3D12_HEAP_PROPERTIES complete = *properties;
    complete.CreationNodeMask = complete.VisibleNodeMask = 1;
    return complete;
}

bool d3d12_heap_properties_mappable(const D3D12_HEAP_PROPERTIES *properties)
{
    return properties->Type == D3D12_HEAP_TYPE_UPLOAD ||
           properties->Type == D3D12_HEAP_TYPE_READBACK ||
           (properties->Type == D3D12_HEAP_TYPE_CUSTOM &&
            properties->CPUPageProperty != D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE);
}

/* Returns the result of an allocation at `address`; 0 means at any address. */
static HRESULT allocation_result(struct d3d12_device *device, D3D12_GPU_VIRTUAL_ADDRESS address,
                                 bool done)
{
    if (done)
        return S_OK;
    if (address == 0)
        return E_OUTOFMEMORY;
    return d3d12_device_invalid(device, EMU_MESSAGE_INVALID_ARGUMENT,
                                "ID3D12DeviceTools::SetNextAllocationAddress: the address must be "
                                "free, aligned to 64 KiB, and in the GPU's address space");
}

HRESULT d3d12_memory_allocate(struct d3d12_device *device, UINT64 size, bool for_tiles,
                              emu_gpu_memory *out)
{
    const D3D12_GPU_VIRTUAL_ADDRESS address = next_address_take(device);
    const bool done = for_tiles ? emu_gpu_reserve(device->gpu, size, address, out)
                                : emu_gpu_allocate(device->gpu, size, address, out);
    const uint64_t seed = device->settings.fresh_memory;
    for (uint64_t i = 0; done && !for_tiles && seed && i < size; i += 8)
        memcpy((char *)out->cpu + i, &(uint64_t){(out->address + i + seed) * 0x9e3779b97f4a7c15u},
               size - i < 8 ? size - i : 8);
    return allocation_result(device, address, done);
}

ABI_GET(D3D12_HEAP_DESC, ID3D12Heap1, d3d12_heap_GetDesc, desc)

static HRESULT STDMETHODCALLTYPE d3d12_heap_GetProtectedResourceSession(ID3D12Heap1 *iface,
                                                                        REFIID riid, void **out)
{
    return d3d12_protected_session_query(&impl_from_ID3D12Heap1(iface)->child, riid, out);
}

static CONST_VTBL ID3D12Heap1Vtbl d3d12_heap_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_heap),
    COM_METHODS(d3d12_heap, GetDesc, GetProtectedResourceSession),
};

void d3d12_range_add(struct dred_range *range, struct d3d12_child *child, uint64_t address,
                     uint64_t size, bool is_placed)
{
    *range = (struct dred_range){.address = address,
                                 .size = size,
                                 .object = child->annot,
                                 .names = &child->private_data,
                                 .iface = child->iface,
                                 .type = (D3D12_DRED_ALLOCATION_TYPE)child->class->kind,
                                 .is_placed = is_placed};
    dred_ranges_add(&child->device->dred.ranges, range);
}

void d3d12_range_remove(struct dred_range *range, struct d3d12_child *child)
{
    struct dred_ranges *ranges = &child->device->dred.ranges;
    if (ranges->on)
        dred_ranges_remove(ranges, range, emu_kmd_time(child->device->kmd));
}

static void heap_release(struct d3d12_child *child)
{
    struct d3d12_heap *heap = container_of(child, struct d3d12_heap, child);
    d3d12_range_remove(&heap->range, child);
    emu_gpu_free(child->device->gpu, heap->memory.address);
}

static const struct d3d12_child_class heap_class = {
    .kind = D3D12DDI_HT_HEAP,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12Heap, &IID_ID3D12Heap1, NULL},
    .methods = &d3d12_heap_vtable,
    .release = heap_release,
};

D3D12_CHILD_FROM(d3d12_heap, ID3D12Heap, heap_class)

static struct validation_error check(const D3D12_HEAP_DESC *desc)
{
    REFUSE(!desc, CREATEHEAP_NULLDESC, "the description must not be NULL");
    REFUSE(desc->SizeInBytes == 0, CREATEHEAP_INVALIDSIZE, "SizeInBytes must be above 0");
    REFUSE(desc->Alignment != 0 && desc->Alignment != D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT &&
               desc->Alignment != D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT,
           CREATEHEAP_INVALIDALIGNMENT, "Alignment must be 0, 65536 or 4194304");
    REFUSE((desc->Flags & D3D12_HEAP_FLAG_ALLOW_DISPLAY) != 0, CREATEHEAP_INVALIDMISCFLAGS,
           "ALLOW_DISPLAY is for committed resources only");
    return d3d12_heap_check(&desc->Properties, desc->Flags, false);
}

/* Finishes a creation. Takes over the memory, also on failure. */
static HRESULT finish_creation(struct d3d12_device *device, const D3D12_HEAP_DESC *desc,
                               const emu_gpu_memory *memory, struct d3d12_heap **out)
{
    struct d3d12_heap *heap = d3d12_child_begin(device, &heap_class, sizeof *heap);
    if (!heap) {
        emu_gpu_free(device->gpu, memory->address);
        return E_OUTOFMEMORY;
    }
    heap->desc = *desc;
    heap->desc.Properties = d3d12_heap_properties_complete(&desc->Properties);
    if (heap->desc.Alignment == 0)
        heap->desc.Alignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
    heap->memory = heap->child.memory = *memory;
    const HRESULT hr = d3d12_child_end(&heap->child, S_OK);
    if (FAILED(hr))
        return hr;
    if ((desc->Flags & D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT) != 0)
        atomic_store(&heap->child.residency, 0);
    d3d12_range_add(&heap->range, &heap->child, memory->address, memory->size, false);
    *out = heap;
    return S_OK;
}

HRESULT d3d12_heap_create(struct d3d12_device *device, const D3D12_HEAP_DESC *desc,
                          struct d3d12_heap **out)
{
    const struct validation_error error = check(desc);
    if (error.text)
        return d3d12_device_refuse(device, "ID3D12Device::CreateHeap", error);
    emu_gpu_memory memory;
    HRESULT hr = d3d12_memory_allocate(device, desc->SizeInBytes, false, &memory);
    return SUCCEEDED(hr) ? finish_creation(device, desc, &memory, out) : hr;
}

HRESULT d3d12_heap_open(struct d3d12_device *device, const void *address, SIZE_T size,
                        struct d3d12_heap **out)
{
    size_t whole;
    emu_gpu_memory memory;
    const bool is_there = os_allocation_at(address, &whole);
    if (size == 0)
        size = whole;
    if (!is_there || size > whole || size > EMU_GPU_ALLOCATION_LIMIT)
        return d3d12_device_invalid(
            device, D3D12_MESSAGE_ID_OPENEXISTINGHEAP_INVALIDADDRESS,
            "ID3D12Device3::OpenExistingHeapFromAddress: pAddress must be the start of memory that "
            "came from the operating system and can be read and written");
    const D3D12_GPU_VIRTUAL_ADDRESS at = next_address_take(device);
    HRESULT hr = allocation_result(
        device, at, emu_gpu_import(device->gpu, (void *)(uintptr_t)address, size, at, &memory));
    const D3D12_HEAP_DESC desc = {
        .SizeInBytes = size,
        .Properties = {.Type = D3D12_HEAP_TYPE_CUSTOM,
                       .CPUPageProperty = D3D12_CPU_PAGE_PROPERTY_WRITE_BACK,
                       .MemoryPoolPreference = D3D12_MEMORY_POOL_L0},
        .Flags = D3D12_HEAP_FLAG_SHARED | D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER};
    return SUCCEEDED(hr) ? finish_creation(device, &desc, &memory, out) : hr;
}
