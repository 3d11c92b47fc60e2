/* The objects of work, at level "exact": descriptions of resources, a list's render targets and
 * inputs, and its barriers.
 *
 * Lists name buffers by GPU addresses, and targets by places of descriptors. The runtime can't map
 * these back to objects, so ranges.c does. */
#include "layer.h"

#include "d3d12_rules/barriers.h"

#include "../intercept/resource.h"

#include <stdlib.h>
#include <string.h>

/* ---- resources ---- */

/* Describes a resource. `state` is its initial state plus 1; 0: not known. */
static struct layer_mirror *describe(struct object *object, uint32_t state)
{
    enum { BUFFER = 1 };
    struct layer_mirror *mirror = layer_mirror_for(object);
    if (!mirror || mirror->kind != LAYER_RESOURCE)
        return mirror;
    struct layer_resource *resource = (struct layer_resource *)(void *)mirror;
    if (atomic_load_explicit(&resource->is_described, memory_order_relaxed) ||
        atomic_exchange(&resource->is_described, true))
        return mirror;
    annot_resource of = {.state = state};
    resource_shape(object->real, &of);
    annot_object_set_resource(mirror->object, &of);
    const struct list_shape shape = list_shape_of(of.dimension, of.mips, of.depth);
    atomic_store_explicit(&resource->shape, (uint64_t)shape.slices << 32 | shape.mips,
                          memory_order_relaxed);
    resource->address = of.dimension == BUFFER ? resource_address(object->real) : 0;
    if (resource->address == 0)
        return mirror;
    const struct layer_range range = {.address = resource->address, .size = of.width, .of = mirror};
    pthread_mutex_lock(&mirror->device->lock);
    layer_range_add(&mirror->device->buffers, &range);
    pthread_mutex_unlock(&mirror->device->lock);
    return mirror;
}

static uint64_t id_of(const struct layer_mirror *mirror)
{
    return mirror && mirror->object ? annot_object_id(mirror->object) : 0;
}

/* Returns the mirror of the wrapper at `pointer`, now with a description; NULL: no wrapper. */
static const struct layer_mirror *bound_at(uint64_t pointer)
{
    struct object *object = object_at((void *)(uintptr_t)pointer);
    return object ? describe(object, 0) : NULL;
}

static struct list_shape shape_of(const struct layer_mirror *mirror)
{
    if (!mirror || mirror->kind != LAYER_RESOURCE)
        return (struct list_shape){0, 0};
    const struct layer_resource *of = (const struct layer_resource *)(const void *)mirror;
    const uint64_t shape = atomic_load_explicit(&of->shape, memory_order_relaxed);
    return (struct list_shape){(uint32_t)shape, (uint32_t)(shape >> 32)};
}

uint64_t layer_bound_id(uint64_t pointer)
{
    return id_of(bound_at(pointer));
}

struct list_view layer_bound_view(uint64_t pointer, uint32_t subresource)
{
    const struct layer_mirror *mirror = bound_at(pointer);
    return (struct list_view){id_of(mirror), list_part_of_index(subresource, shape_of(mirror))};
}

static uint64_t buffer_at(struct layer_device *device, uint64_t address)
{
    uint64_t id = 0;
    if (address == 0)
        return 0;
    pthread_mutex_lock(&device->lock);
    const struct layer_range *range = layer_range_at(&device->buffers, address);
    if (range)
        id = annot_object_id(range->of->object);
    pthread_mutex_unlock(&device->lock);
    return id;
}

/* ---- descriptors of targets ---- */

static bool is_rendered_to(D3D12_DESCRIPTOR_HEAP_TYPE type)
{
    return type == D3D12_DESCRIPTOR_HEAP_TYPE_RTV || type == D3D12_DESCRIPTOR_HEAP_TYPE_DSV;
}

static void heap_made(struct object *object, const D3D12_DESCRIPTOR_HEAP_DESC *desc)
{
    if (!is_rendered_to(desc->Type))
        return;
    struct layer_mirror *mirror = layer_mirror_for(object);
    if (!mirror || mirror->kind != LAYER_HEAP)
        return;
    struct layer_heap *heap = (struct layer_heap *)(void *)mirror;
    ID3D12Device *device = mirror->device->real;
    const uint64_t start = resource_descriptors(object->real);
    const uint32_t step = device->lpVtbl->GetDescriptorHandleIncrementSize(device, desc->Type);
    struct list_view *seen = calloc(desc->NumDescriptors, sizeof *seen);
    const struct layer_range range = {
        .address = start, .size = (uint64_t)step * desc->NumDescriptors, .of = mirror};
    pthread_mutex_lock(&mirror->device->lock);
    if (seen && step != 0 && heap->step == 0) {
        heap->seen = seen;
        heap->start = start;
        heap->step = step;
        heap->count = desc->NumDescriptors;
        layer_range_add(&mirror->device->heaps, &range);
        seen = NULL;
    }
    pthread_mutex_unlock(&mirror->device->lock);
    free(seen);
}

/* Returns the kept descriptor at an address, or NULL. The device's lock is held. */
static struct list_view *descriptor_at(const struct layer_device *device, uint64_t address)
{
    const struct layer_range *range = layer_range_at(&device->heaps, address);
    if (!range)
        return NULL;
    const struct layer_heap *heap = (const struct layer_heap *)(const void *)range->of;
    const uint64_t index = (address - heap->start) / heap->step;
    return index < heap->count ? &heap->seen[index] : NULL;
}

static void view_made(struct layer_device *device, uint16_t method, const uint64_t *args)
{
    const bool is_depth = method == METHOD_ID3D12Device_CreateDepthStencilView ||
                          method == METHOD_ID3D12Device15_TryCreateDepthStencilView;
    const void *desc = (const void *)(uintptr_t)args[1];
    const struct list_view view = {layer_bound_id(args[0]),
                                   is_depth ? list_part_of_depth(desc) : list_part_of_target(desc)};
    pthread_mutex_lock(&device->lock);
    struct list_view *seen = descriptor_at(device, args[2]);
    if (seen)
        *seen = view;
    pthread_mutex_unlock(&device->lock);
}

/* Returns the view that is `offset` descriptors behind an address. */
static struct list_view seen_at(struct layer_device *device, uint64_t address, uint32_t offset)
{
    pthread_mutex_lock(&device->lock);
    const struct layer_range *range = layer_range_at(&device->heaps, address);
    const struct layer_heap *heap =
        range ? (const struct layer_heap *)(const void *)range->of : NULL;
    const struct list_view *seen =
        heap ? descriptor_at(device, address + offset * heap->step) : NULL;
    const struct list_view view = seen ? *seen : (struct list_view){0, 0};
    pthread_mutex_unlock(&device->lock);
    return view;
}

static void copy_descriptors(struct layer_device *device, uint64_t to, uint64_t from,
                             uint32_t count)
{
    pthread_mutex_lock(&device->lock);
    const struct layer_range *range = layer_range_at(&device->heaps, to);
    const uint64_t step = range ? ((const struct layer_heap *)(const void *)range->of)->step : 0;
    for (uint32_t i = 0; step != 0 && i < count; i++) {
        struct list_view *seen = descriptor_at(device, to + i * step);
        const struct list_view *source = descriptor_at(device, from + i * step);
        if (!seen)
            break;
        *seen = source ? *source : (struct list_view){0, 0};
    }
    pthread_mutex_unlock(&device->lock);
}

/* Copies runs of descriptors that follow each other on both sides; no sizes: runs of one. */
static void copy_runs(struct layer_device *device, const uint64_t *args)
{
    const D3D12_CPU_DESCRIPTOR_HANDLE *to = (const void *)(uintptr_t)args[1];
    const D3D12_CPU_DESCRIPTOR_HANDLE *from = (const void *)(uintptr_t)args[4];
    const UINT *to_sizes = (const void *)(uintptr_t)args[2];
    const UINT *from_sizes = (const void *)(uintptr_t)args[5];
    const D3D12_DESCRIPTOR_HEAP_TYPE type = (D3D12_DESCRIPTOR_HEAP_TYPE)args[6];
    ID3D12Device *real = device->real;
    if (!is_rendered_to(type) || !to || !from)
        return;
    const uint64_t step = real->lpVtbl->GetDescriptorHandleIncrementSize(real, type);
    uint32_t i = 0, j = 0, done = 0, taken = 0;
    while (i < (uint32_t)args[0] && j < (uint32_t)args[3]) {
        const uint32_t room = (to_sizes ? to_sizes[i] : 1) - done;
        const uint32_t left = (from_sizes ? from_sizes[j] : 1) - taken;
        const uint32_t count = room < left ? room : left;
        copy_descriptors(device, to[i].ptr + done * step, from[j].ptr + taken * step, count);
        done = count == room ? 0 : done + count;
        taken = count == left ? 0 : taken + count;
        i += count == room;
        j += count == left;
    }
}

/* ---- the objects that a list has bound ---- */

void layer_bound_use(const struct layer_list *list, enum list_work work, struct list_objects *to)
{
    struct list_state now = list->noted;
    now.pipeline = now.pipeline ? layer_bound_id(now.pipeline) : 0;
    list_state_use(&now, work, to);
}

void layer_bound_add_view(const struct layer_list *list, uint64_t address, annot_bound_role role,
                          struct list_objects *to)
{
    list_objects_add_part(to, seen_at(list->mirror.device, address, 0), role);
}

const struct list_indirect *layer_bound_indirect(struct layer_list *list, uint64_t signature)
{
    static const struct list_indirect unknown = {LIST_WORK_UNKNOWN, true, UINT32_MAX, 0};
    struct object *object = object_at((void *)(uintptr_t)signature);
    const struct layer_mirror *mirror = object ? layer_mirror_of(object) : NULL;
    const struct list_indirect *sets = &unknown;
    if (mirror && mirror->kind == LAYER_SIGNATURE)
        sets = &((const struct layer_signature *)(const void *)mirror)->sets;
    list_state_forget_indirect(&list->noted, sets);
    return sets;
}

static void signature_made(struct object *object, const D3D12_COMMAND_SIGNATURE_DESC *desc)
{
    struct layer_mirror *mirror = layer_mirror_for(object);
    if (!mirror || mirror->kind != LAYER_SIGNATURE)
        return;
    struct list_indirect *sets = &((struct layer_signature *)(void *)mirror)->sets;
    for (uint32_t i = 0; i < desc->NumArgumentDescs; i++)
        list_indirect_add(sets, (uint32_t)desc->pArgumentDescs[i].Type,
                          desc->pArgumentDescs[i].VertexBuffer.Slot,
                          desc->pArgumentDescs[i].Constant.Num32BitValuesToSet);
}

static void set_targets(struct layer_list *list, const uint64_t *args)
{
    struct layer_device *device = list->mirror.device;
    const D3D12_CPU_DESCRIPTOR_HANDLE *targets = (const void *)(uintptr_t)args[1];
    const D3D12_CPU_DESCRIPTOR_HANDLE *depth = (const void *)(uintptr_t)args[3];
    const bool is_range = (BOOL)args[2] != 0;
    list_state_clear_targets(&list->noted);
    for (uint32_t i = 0; targets && i < (uint32_t)args[0] && i < LIST_STATE_TARGETS; i++)
        list->noted.targets[i] = seen_at(device, targets[is_range ? 0 : i].ptr, is_range ? i : 0);
    if (depth)
        list->noted.depth = seen_at(device, depth->ptr, 0);
}

static void set_pass(struct layer_list *list, const uint64_t *args)
{
    struct layer_device *device = list->mirror.device;
    const D3D12_RENDER_PASS_RENDER_TARGET_DESC *targets = (const void *)(uintptr_t)args[1];
    const D3D12_RENDER_PASS_DEPTH_STENCIL_DESC *depth = (const void *)(uintptr_t)args[2];
    list_state_clear_targets(&list->noted);
    for (uint32_t i = 0; targets && i < (uint32_t)args[0] && i < LIST_STATE_TARGETS; i++)
        list->noted.targets[i] = seen_at(device, targets[i].cpuDescriptor.ptr, 0);
    if (depth)
        list->noted.depth = seen_at(device, depth->cpuDescriptor.ptr, 0);
}

static void set_vertices(struct layer_list *list, const uint64_t *args)
{
    const D3D12_VERTEX_BUFFER_VIEW *views = (const void *)(uintptr_t)args[2];
    const uint32_t first = (uint32_t)args[0], count = (uint32_t)args[1];
    for (uint32_t i = first; i < LIST_STATE_SLOTS && i - first < count; i++)
        list_state_set_vertices(
            &list->noted, i,
            views ? buffer_at(list->mirror.device, views[i - first].BufferLocation) : 0);
}

static void set_indices(struct layer_list *list, const D3D12_INDEX_BUFFER_VIEW *view)
{
    list_state_set_indices(&list->noted,
                           view ? buffer_at(list->mirror.device, view->BufferLocation) : 0);
}

/* ---- barriers ---- */

static void add_barrier(void *user, const struct list_barrier *barrier)
{
    const struct layer_mirror *mirror = bound_at((uintptr_t)barrier->resource);
    const annot_bound_object of = {id_of(mirror), (uint32_t)barrier->role, 0};
    crash_barriers_add(user, of, list_barrier_part(barrier, shape_of(mirror)), barrier->before,
                       barrier->after);
}

static void list_barriers(struct layer_list *list, uint16_t method, const uint64_t *args)
{
    enum { BARRIER = 45 }; /* D3D12_AUTO_BREADCRUMB_OP */
    const bool is_enhanced = method == METHOD_ID3D12GraphicsCommandList7_Barrier;
    const D3D12_RESOURCE_BARRIER *barriers = (const void *)(uintptr_t)args[1];
    const D3D12_BARRIER_GROUP *groups = (const void *)(uintptr_t)args[1];
    struct crash_barriers noted;
    layer_list_notes(list);
    noted.stream = &list->stream;
    noted.kind = is_enhanced ? BARRIER : (uint32_t)D3D12_AUTO_BREADCRUMB_OP_RESOURCEBARRIER;
    noted.number = ANNOT_OPERATION_APART;
    noted.count = 0;
    for (uint32_t i = 0; barriers && i < (uint32_t)args[0]; i++)
        if (is_enhanced)
            list_barrier_each_of_group(&groups[i], add_barrier, &noted);
        else
            list_barrier_each(&barriers[i], add_barrier, &noted);
    crash_barriers_note(&noted);
}

/* ---- the calls ---- */

bool layer_bound_is_asked(uint16_t method)
{
    switch (method) {
    case METHOD_ID3D12Device_CreateRenderTargetView:
    case METHOD_ID3D12Device_CreateDepthStencilView:
    case METHOD_ID3D12Device15_TryCreateRenderTargetView:
    case METHOD_ID3D12Device15_TryCreateDepthStencilView:
    case METHOD_ID3D12Device_CopyDescriptors:
    case METHOD_ID3D12Device_CopyDescriptorsSimple:
    case METHOD_ID3D12GraphicsCommandList_OMSetRenderTargets:
    case METHOD_ID3D12GraphicsCommandList_IASetIndexBuffer:
    case METHOD_ID3D12GraphicsCommandList_IASetVertexBuffers:
    case METHOD_ID3D12GraphicsCommandList_ClearState:
    case METHOD_ID3D12GraphicsCommandList_SetPipelineState:
    case METHOD_ID3D12GraphicsCommandList4_SetPipelineState1:
    case METHOD_ID3D12GraphicsCommandList10_SetProgram:
    case METHOD_ID3D12GraphicsCommandList_ResourceBarrier:
    case METHOD_ID3D12GraphicsCommandList7_Barrier:
        return true;
    default:
        return false;
    }
}

static void list_call(struct layer_list *list, uint16_t method, const uint64_t *args)
{
    switch (method) {
    case METHOD_ID3D12GraphicsCommandList_OMSetRenderTargets:
        set_targets(list, args);
        break;
    case METHOD_ID3D12GraphicsCommandList4_BeginRenderPass:
        set_pass(list, args);
        break;
    case METHOD_ID3D12GraphicsCommandList4_EndRenderPass:
        list_state_clear_targets(&list->noted);
        break;
    case METHOD_ID3D12GraphicsCommandList_IASetIndexBuffer:
        set_indices(list, (const void *)(uintptr_t)args[0]);
        break;
    case METHOD_ID3D12GraphicsCommandList_IASetVertexBuffers:
        set_vertices(list, args);
        break;
    case METHOD_ID3D12GraphicsCommandList_ClearState:
        list_state_begin(&list->noted, args[0], args[0] != 0);
        break;
    case METHOD_ID3D12GraphicsCommandList_SetPipelineState:
    case METHOD_ID3D12GraphicsCommandList4_SetPipelineState1:
        list_state_set_pipeline(&list->noted, args[0]);
        break;
    case METHOD_ID3D12GraphicsCommandList10_SetProgram: /* the method sets a number, no object */
        list_state_set_pipeline(&list->noted, 0);
        break;
    case METHOD_ID3D12GraphicsCommandList_ResourceBarrier:
    case METHOD_ID3D12GraphicsCommandList7_Barrier:
        if (list->stream.is_marked)
            list_barriers(list, method, args);
        break;
    default:
        break;
    }
}

void layer_bound_call(struct object *self, uint16_t method, const uint64_t *args)
{
    struct layer_mirror *mirror = layer_mirror_of(self);
    struct layer_list *list = (struct layer_list *)(void *)mirror;
    if (mirror && mirror->kind == LAYER_LIST && list->stream.is_recording)
        list_call(list, method, args);
    struct layer_device *device = mirror && mirror->kind == LAYER_DEVICE ? mirror->device : NULL;
    if (!device)
        return;
    if (method == METHOD_ID3D12Device_CopyDescriptors)
        copy_runs(device, args);
    else if (method != METHOD_ID3D12Device_CopyDescriptorsSimple)
        view_made(device, method, args);
    else if (is_rendered_to((D3D12_DESCRIPTOR_HEAP_TYPE)args[3]))
        copy_descriptors(device, args[1], args[2], (uint32_t)args[0]);
}

/* Returns the index of the argument that is a new resource's state; 0: none. */
static uint32_t state_of(uint16_t method)
{
    switch (method) {
    case METHOD_ID3D12Device_CreateReservedResource:
    case METHOD_ID3D12Device4_CreateReservedResource1:
        return 1;
    case METHOD_ID3D12Device_CreateCommittedResource:
    case METHOD_ID3D12Device4_CreateCommittedResource1:
    case METHOD_ID3D12Device8_CreateCommittedResource2:
    case METHOD_ID3D12Device_CreatePlacedResource:
    case METHOD_ID3D12Device8_CreatePlacedResource1:
        return 3;
    default:
        return 0;
    }
}

void layer_bound_made(struct object *made, uint16_t method, const uint64_t *args)
{
    const uint32_t state = state_of(method);
    if (made && object_is(made, TYPE_ID3D12Resource))
        describe(made, state ? (uint32_t)args[state] + 1 : 0);
    else if (made && method == METHOD_ID3D12Device_CreateDescriptorHeap && args[0])
        heap_made(made, (const void *)(uintptr_t)args[0]);
    else if (made && method == METHOD_ID3D12Device_CreateCommandSignature && args[0])
        signature_made(made, (const void *)(uintptr_t)args[0]);
}
