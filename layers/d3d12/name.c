/* Names of objects, noted when they are set, because runtimes don't give names back. */
#include "layer.h"

#include <string.h>

static const struct {
    uint16_t type;
    uint32_t handle;
} handle_types[] = {
    {TYPE_ID3D12CommandQueue, D3D12DDI_HT_COMMAND_QUEUE},
    {TYPE_ID3D12CommandAllocator, D3D12DDI_HT_COMMAND_ALLOCATOR},
    {TYPE_ID3D12CommandList, D3D12DDI_HT_COMMAND_LIST},
    {TYPE_ID3D12Resource, D3D12DDI_HT_RESOURCE},
    {TYPE_ID3D12PipelineState, D3D12DDI_HT_PIPELINE_STATE},
    {TYPE_ID3D12Fence, D3D12DDI_HT_FENCE},
    {TYPE_ID3D12Heap, D3D12DDI_HT_HEAP},
    {TYPE_ID3D12DescriptorHeap, D3D12DDI_HT_DESCRIPTOR_HEAP},
    {TYPE_ID3D12RootSignature, D3D12DDI_HT_ROOT_SIGNATURE},
    {TYPE_ID3D12QueryHeap, D3D12DDI_HT_QUERY_HEAP},
    {TYPE_ID3D12CommandSignature, D3D12DDI_HT_COMMAND_SIGNATURE},
    {TYPE_ID3D12PipelineLibrary, D3D12DDI_HT_PIPELINE_LIBRARY},
    {TYPE_ID3D12StateObject, D3D12DDI_HT_STATE_OBJECT},
    {TYPE_ID3D12MetaCommand, D3D12DDI_HT_METACOMMAND},
    {TYPE_ID3D12ProtectedSession, D3D12DDI_HT_PROTECTEDRESOURCESESSION},
    {TYPE_ID3D12VideoDecoder, D3D12DDI_HT_VIDEO_DECODER},
    {TYPE_ID3D12VideoDecoderHeap, D3D12DDI_HT_VIDEO_DECODER_HEAP},
    {TYPE_ID3D12VideoProcessor, D3D12DDI_HT_VIDEO_PROCESSOR},
    {TYPE_ID3D12VideoMotionEstimator, D3D12DDI_HT_VIDEO_MOTION_ESTIMATOR},
    {TYPE_ID3D12VideoMotionVectorHeap, D3D12DDI_HT_VIDEO_MOTION_VECTOR_HEAP},
    {TYPE_ID3D12VideoExtensionCommand, D3D12DDI_HT_VIDEO_EXTENSION_COMMAND},
    {TYPE_ID3D12VideoEncoder, D3D12DDI_HT_VIDEO_ENCODER},
    {TYPE_ID3D12VideoEncoderHeap, D3D12DDI_HT_VIDEO_ENCODER_HEAP},
    {TYPE_ID3D12ShaderCacheSession, ANNOT_HT_SHADER_CACHE_SESSION},
    {TYPE_ID3D12LifetimeTracker, ANNOT_HT_LIFETIME_TRACKER},
};

static uint32_t handle_type_of(const struct object *object)
{
    for (size_t i = 0; i < sizeof handle_types / sizeof *handle_types; i++)
        if (object_is(object, handle_types[i].type))
            return handle_types[i].handle;
    return 0;
}

static const struct layer_class others = {LAYER_OTHER, sizeof(struct layer_mirror), NULL};

struct layer_mirror *layer_mirror_for(struct object *object)
{
    struct layer_mirror *mirror = layer_mirror_of(object);
    struct layer_device *device = mirror ? mirror->device : layer_device_of_any(object);
    if (mirror || !device || object_is(object, TYPE_ID3D12Device))
        return mirror;
    if (object_is(object, TYPE_ID3D12CommandQueue))
        return (struct layer_mirror *)(void *)layer_queue_of(object);
    if (object_is(object, TYPE_ID3D12CommandAllocator))
        return (struct layer_mirror *)(void *)layer_allocator_of(object);
    if (object_is(object, TYPE_ID3D12CommandList))
        return (struct layer_mirror *)(void *)layer_list_of(object);
    const struct layer_class *of = object_is(object, TYPE_ID3D12Resource)         ? &layer_resources
                                   : object_is(object, TYPE_ID3D12DescriptorHeap) ? &layer_heaps
                                   : object_is(object, TYPE_ID3D12CommandSignature)
                                       ? &layer_signatures
                                       : &others;
    mirror = layer_mirror_create(device, of, handle_type_of(object), 0);
    return mirror ? layer_mirror_publish(object, mirror) : NULL;
}

void layer_name_set(struct object *object, const void *name, size_t units, unsigned unit)
{
    struct layer_mirror *mirror = layer_mirror_for(object);
    if (!mirror || !mirror->object)
        return;
    atomic_fetch_add_explicit(&mirror->device->crash.counts.names, 1, memory_order_relaxed);
    if (!name || units == 0)
        annot_object_set_name(mirror->object, NULL, ANNOT_TEXT_UTF8);
    else if (units == SIZE_MAX)
        annot_object_set_name(mirror->object, name, (annot_text_unit)unit);
    else
        annot_object_set_name_counted(mirror->object, name, units, (annot_text_unit)unit);
}
