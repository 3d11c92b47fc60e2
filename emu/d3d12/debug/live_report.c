#include "debug/live_report.h"

#include "containers.h"
#include "device/child.h"
#include "device/device.h"
#include "gate.h"

static const struct live_kind {
    const IID *iid;
    int message;
    const char *name;
} kinds[] = {
#define LIVE(I, id)                                                                                \
    {                                                                                              \
        &IID_##I, D3D12_MESSAGE_ID_LIVE_##id, #I                                                   \
    }
    LIVE(ID3D12CommandQueue, COMMANDQUEUE),
    LIVE(ID3D12CommandAllocator, COMMANDALLOCATOR),
    LIVE(ID3D12PipelineState, PIPELINESTATE),
    LIVE(ID3D12GraphicsCommandList, COMMANDLIST12),
    LIVE(ID3D12Resource, RESOURCE),
    LIVE(ID3D12DescriptorHeap, DESCRIPTORHEAP),
    LIVE(ID3D12RootSignature, ROOTSIGNATURE),
    LIVE(ID3D12Heap, HEAP),
    LIVE(ID3D12Fence, MONITOREDFENCE),
    LIVE(ID3D12QueryHeap, QUERYHEAP),
    LIVE(ID3D12CommandSignature, COMMANDSIGNATURE),
    LIVE(ID3D12PipelineLibrary, PIPELINELIBRARY),
    LIVE(ID3D12ProtectedResourceSession, PROTECTED_RESOURCE_SESSION),
    LIVE(ID3D12LifetimeTracker, LIFETIMETRACKER),
    LIVE(ID3D12ShaderCacheSession, SHADERCACHESESSION),
    LIVE(ID3D12VideoDecodeCommandList, VIDEODECODECOMMANDLIST),
    LIVE(ID3D12VideoProcessCommandList, VIDEOPROCESSCOMMANDLIST),
    LIVE(ID3D12VideoEncodeCommandList, VIDEOENCODECOMMANDLIST),
    LIVE(ID3D12VideoDecoder, VIDEODECODER),
    LIVE(ID3D12VideoDecoderHeap, VIDEODECODERHEAP),
    LIVE(ID3D12VideoProcessor, VIDEOPROCESSOR),
    LIVE(ID3D12VideoMotionEstimator, VIDEOMOTIONESTIMATOR),
    LIVE(ID3D12VideoMotionVectorHeap, VIDEOMOTIONVECTORHEAP),
    LIVE(ID3D12VideoEncoder, VIDEOENCODER),
    LIVE(ID3D12VideoEncoderHeap, VIDEOENCODERHEAP),
#undef LIVE
};

/* D3D12 has no number for these. */
static const struct live_kind other_kind = {NULL, D3D12_MESSAGE_ID_UNKNOWN, "ID3D12DeviceChild"};

static const struct live_kind *kind_of(const struct d3d12_child_class *class)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (const IID *const *iid = class->iids; *iid; iid++)
            if (com_same(*iid, kinds[i].iid))
                return &kinds[i];
    return &other_kind;
}

static size_t put_utf8(char *to, uint32_t c)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    const size_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = size; --i > 0; c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3F));
    to[0] = (char)((0xF00u >> size & 0xFF) | c);
    return size;
}

#define NAME_LIMIT 96u /* units, with the terminator; longer names are left out */

/* Into four bytes for each unit; `to` is all zeros. */
static void narrow(const WCHAR *name, size_t length, char *to)
{
    for (size_t i = 0; i < length; i++) {
        uint32_t c = (uint32_t)name[i];
        if (sizeof(WCHAR) == 2 && c >> 10 == 0x36 && i + 1 < length &&
            (uint32_t)name[i + 1] >> 10 == 0x37)
            c = 0x10000 + ((c & 0x3FF) << 10 | ((uint32_t)name[++i] & 0x3FF));
        to += put_utf8(to, c > 0x10FFFF || c >> 11 == 0x1B ? 0xFFFD : c);
    }
}

struct report_line {
    const struct live_kind *kind;
    const void *iface;
    unsigned references, internal;
    char name[NAME_LIMIT * 4 + 1];
};

/* False: it is none of those to report. */
static bool look_at(struct d3d12_child *child, D3D12_RLDO_FLAGS flags, struct report_line *object)
{
    WCHAR name[NAME_LIMIT];
    UINT size = sizeof name;
    const unsigned uses = atomic_load(&child->private_references);
    if (uses == 0)
        return false;
    object->references = atomic_load(&child->references);
    object->internal = object->references > 0 ? uses - 1 : uses;
    if (object->references == 0 && (flags & D3D12_RLDO_IGNORE_INTERNAL) != 0)
        return false;
    object->kind = kind_of(child->class);
    object->iface = child->iface;
    const HRESULT hr =
        private_data_get(&child->private_data, &WKPDID_D3DDebugObjectNameW, &size, name);
    narrow(name, hr == S_OK ? size / sizeof *name : 0, object->name);
    return true;
}

/* Messages have listeners, who may use the device: they are told when everything has been looked
 * at. */
static struct report_line *look(struct live_objects *objects, D3D12_RLDO_FLAGS flags, size_t *count)
{
    emu_lock(&objects->lock);
    struct report_line *found = calloc(objects->count + 1, sizeof *found);
    *count = 0;
    const struct live_object *object;
    DL_FOREACH(objects->first, object)
    {
        if (found)
            *count +=
                look_at(container_of(object, struct d3d12_child, live), flags, &found[*count]);
    }
    emu_unlock(&objects->lock);
    return found;
}

#define TELL(device, ...)                                                                          \
    messages_emit(&(device)->messages, D3D12_MESSAGE_CATEGORY_STATE_CREATION,                      \
                  D3D12_MESSAGE_SEVERITY_WARNING, __VA_ARGS__)

HRESULT live_report(struct d3d12_device *device, D3D12_RLDO_FLAGS flags)
{
    size_t count;
    struct report_line *objects = look(&device->live, flags, &count);
    if (!objects)
        return E_OUTOFMEMORY;
    TELL(device, D3D12_MESSAGE_ID_LIVE_DEVICE, "Live ID3D12Device at %p, Refcount: %u",
         (void *)&device->iface, (unsigned)atomic_load(&device->references));
    if ((flags & D3D12_RLDO_SUMMARY) != 0)
        TELL(device, D3D12_MESSAGE_ID_LIVE_OBJECT_SUMMARY, "Live objects: %u", (unsigned)count);
    for (size_t i = 0; i < count && (flags & D3D12_RLDO_DETAIL) != 0; i++) {
        const struct report_line *object = &objects[i];
        TELL(device, object->kind->message, "Live %s at %p%s%s, Refcount: %u, IntRef: %u",
             object->kind->name, object->iface, object->name[0] != '\0' ? ", Name: " : "",
             object->name, object->references, object->internal);
    }
    free(objects);
    return S_OK;
}
