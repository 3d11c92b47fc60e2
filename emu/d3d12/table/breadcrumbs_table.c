#include "table/breadcrumbs_table.h"

#include "d3d12_rules/barriers.h"
#include "device/device.h"
#include "dred/log.h"
#include "list/command_signature.h"
#include "list/command_list_record.h"
#include "resource/resource.h"
#include "gate.h"

#include <string.h>

/* ---- one operation ---- */

/* Notes that the call before this one was the operation `op`. */
static void note(struct d3d12_command_list *list, D3D12_AUTO_BREADCRUMB_OP op)
{
    struct d3d12_device *device = list->child.device;
    if (list->state != COMMAND_LIST_RECORDING)
        return;
    if (device->history.on)
        device->driver->cmd_set_marker(list->driver);
    if (!list->dred || (device->dred.on.markers_only && !dred_is_marker(op)))
        return;
    dred_log_add(list->dred, op);
    if (device->dred.on.breadcrumbs)
        device->driver->op_end(list->driver);
}

/* Whether this list notes what its operations are. */
static bool notes_work(const struct d3d12_command_list *list)
{
    const struct dred_enablement *on = &list->child.device->dred.on;
    return list->dred && on->breadcrumbs && !on->markers_only &&
           annot_context_forwards(list->context);
}

/* Does the same with the operation's details for reports, if the list notes them. */
static void note_work(struct d3d12_command_list *list, const annot_operation *work)
{
    const uint32_t number = list->dred->count;
    note(list, (D3D12_AUTO_BREADCRUMB_OP)work->kind);
    if (list->dred->count == number)
        return;
    annot_operation numbered = *work;
    numbered.number = number;
    annot_context_note_operation(list->context, &numbered);
}

static void note_marker(struct d3d12_command_list *list, D3D12_AUTO_BREADCRUMB_OP op, UINT metadata,
                        const void *data, UINT size)
{
    note(list, op);
    if (list->state == COMMAND_LIST_RECORDING && list->dred)
        dred_log_add_context(list->dred, metadata, data, size);
}

/* A new recording has a new log. */
static HRESULT restart(struct d3d12_command_list *list, HRESULT reset)
{
    if (FAILED(reset))
        return reset;
    list->dred = list->dred != NULL ? dred_log_restart(list->dred)
                                    : dred_log_create(list->child.device->dred.on.contexts);
    return reset;
}

/* ---- graphics ---- */

#define OP(name)         D3D12_AUTO_BREADCRUMB_OP_##name
#define GRAPHICS(method) static void STDMETHODCALLTYPE crumbs_##method

/* BARRIER is newer than the headers [DeviceRemovedExtendedData]. */
#define OP_BARRIER ((D3D12_AUTO_BREADCRUMB_OP)45)

/* METHOD(method, operation, parameters, arguments) */
#define METHODS(METHOD)                                                                            \
    METHOD(CopyTiles, OP(COPYTILES),                                                               \
           (ID3D12Resource * tiled, const D3D12_TILED_RESOURCE_COORDINATE *at,                     \
            const D3D12_TILE_REGION_SIZE *size, ID3D12Resource *buffer, UINT64 offset,             \
            D3D12_TILE_COPY_FLAGS flags),                                                          \
           (tiled, at, size, buffer, offset, flags))                                               \
    METHOD(ClearUnorderedAccessViewUint, OP(CLEARUNORDEREDACCESSVIEW),                             \
           (D3D12_GPU_DESCRIPTOR_HANDLE gpu, D3D12_CPU_DESCRIPTOR_HANDLE cpu,                      \
            ID3D12Resource * resource, const UINT values[4], UINT count, const D3D12_RECT *rects), \
           (gpu, cpu, resource, values, count, rects))                                             \
    METHOD(ClearUnorderedAccessViewFloat, OP(CLEARUNORDEREDACCESSVIEW),                            \
           (D3D12_GPU_DESCRIPTOR_HANDLE gpu, D3D12_CPU_DESCRIPTOR_HANDLE cpu,                      \
            ID3D12Resource * resource, const FLOAT values[4], UINT count,                          \
            const D3D12_RECT *rects),                                                              \
           (gpu, cpu, resource, values, count, rects))                                             \
    METHOD(ResolveQueryData, OP(RESOLVEQUERYDATA),                                                 \
           (ID3D12QueryHeap * heap, D3D12_QUERY_TYPE type, UINT first, UINT count,                 \
            ID3D12Resource * dst, UINT64 offset),                                                  \
           (heap, type, first, count, dst, offset))                                                \
    METHOD(WriteBufferImmediate, OP(WRITEBUFFERIMMEDIATE),                                         \
           (UINT count, const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER *parameters,                    \
            const D3D12_WRITEBUFFERIMMEDIATE_MODE *modes),                                         \
           (count, parameters, modes))                                                             \
    METHOD(SetPipelineState1, OP(SETPIPELINESTATE1), (ID3D12StateObject * state), (state))         \
    METHOD(SetProtectedResourceSession, OP(SETPROTECTEDRESOURCESESSION),                           \
           (ID3D12ProtectedResourceSession * session), (session))

#define UNPACK(...) __VA_ARGS__
#define METHOD(method, op, parameters, arguments)                                                  \
    GRAPHICS(method)(list_iface * iface, UNPACK parameters)                                        \
    {                                                                                              \
        d3d12_command_list_##method(iface, UNPACK arguments);                                      \
        note(command_list_of(iface), op);                                                          \
    }
METHODS(METHOD)
#undef METHOD

/* ---- work, with its arguments and what it works on ---- */

static uint64_t id_of(ID3D12Resource *iface)
{
    const struct d3d12_resource *resource = d3d12_resource_from(iface);
    return resource ? annot_object_id(resource->child.annot) : 0;
}

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))
/* An array of what the lists of arguments below hold: it is not empty. */
#define NUMBERS(...) ((const int64_t[]){__VA_ARGS__})
#define OBJECTS(...) ((const annot_bound_object[]){__VA_ARGS__})
#define PIPELINE(list)                                                                             \
    {                                                                                              \
        (list)->noted.pipeline, ANNOT_BOUND_PIPELINE, 0                                            \
    }
/* Objects are looked up only for lists that note them. */
#define NOTE(list, op, numbers, bound)                                                             \
    do {                                                                                           \
        if (notes_work(list))                                                                      \
            note_work(list, &(const annot_operation){.kind = OP(op),                               \
                                                     .argument_count = COUNT(numbers),             \
                                                     .object_count = COUNT(bound),                 \
                                                     .arguments = (numbers),                       \
                                                     .objects = (bound)});                         \
        else                                                                                       \
            note(list, OP(op));                                                                    \
    } while (0)

static void note_used(struct d3d12_command_list *list, D3D12_AUTO_BREADCRUMB_OP op,
                      const int64_t *arguments, uint32_t count, struct list_objects *used)
{
    note_work(list, &(const annot_operation){.kind = (uint32_t)op,
                                             .argument_count = count,
                                             .object_count = list_objects_end(used),
                                             .arguments = arguments,
                                             .objects = used->of});
}

/* False: the list notes only that there was an operation, which is done. */
static bool begin_work(struct d3d12_command_list *list, D3D12_AUTO_BREADCRUMB_OP op,
                       struct list_objects *used)
{
    used->count = 0;
    if (notes_work(list))
        return true;
    note(list, op);
    return false;
}

static void note_draw(struct d3d12_command_list *list, D3D12_AUTO_BREADCRUMB_OP op,
                      const int64_t *arguments, uint32_t count, enum list_work work)
{
    struct list_objects used;
    if (!begin_work(list, op, &used))
        return;
    list_state_use(&list->noted, work, &used);
    note_used(list, op, arguments, count, &used);
}

GRAPHICS(DrawInstanced)(list_iface *iface, UINT vertices, UINT instances, UINT first, UINT instance)
{
    struct d3d12_command_list *list = command_list_of(iface);
    d3d12_command_list_DrawInstanced(iface, vertices, instances, first, instance);
    note_draw(list, OP(DRAWINSTANCED), NUMBERS(vertices, instances, first, instance), 4,
              LIST_WORK_DRAW);
}

GRAPHICS(DrawIndexedInstanced)
(list_iface *iface, UINT indices, UINT instances, UINT first, INT base, UINT instance)
{
    struct d3d12_command_list *list = command_list_of(iface);
    d3d12_command_list_DrawIndexedInstanced(iface, indices, instances, first, base, instance);
    note_draw(list, OP(DRAWINDEXEDINSTANCED), NUMBERS(indices, instances, first, base, instance), 5,
              LIST_WORK_DRAW_INDEXED);
}

GRAPHICS(Dispatch)(list_iface *iface, UINT x, UINT y, UINT z)
{
    struct d3d12_command_list *list = command_list_of(iface);
    d3d12_command_list_Dispatch(iface, x, y, z);
    NOTE(list, DISPATCH, NUMBERS(x, y, z), OBJECTS(PIPELINE(list)));
}

GRAPHICS(DispatchMesh)(list_iface *iface, UINT x, UINT y, UINT z)
{
    struct d3d12_command_list *list = command_list_of(iface);
    d3d12_command_list_DispatchMesh(iface, x, y, z);
    note_draw(list, OP(DISPATCHMESH), NUMBERS(x, y, z), 3, LIST_WORK_MESH);
}

GRAPHICS(DispatchRays)(list_iface *iface, const D3D12_DISPATCH_RAYS_DESC *desc)
{
    struct d3d12_command_list *list = command_list_of(iface);
    d3d12_command_list_DispatchRays(iface, desc);
    if (desc)
        NOTE(list, DISPATCHRAYS, NUMBERS(desc->Width, desc->Height, desc->Depth),
             OBJECTS(PIPELINE(list)));
    else
        note(list, OP(DISPATCHRAYS));
}

GRAPHICS(ExecuteIndirect)
(list_iface *iface, ID3D12CommandSignature *signature, UINT max, ID3D12Resource *arguments,
 UINT64 offset, ID3D12Resource *counts, UINT64 count_offset)
{
    struct d3d12_command_list *list = command_list_of(iface);
    d3d12_command_list_ExecuteIndirect(iface, signature, max, arguments, offset, counts,
                                       count_offset);
    struct list_objects used;
    if (!begin_work(list, OP(EXECUTEINDIRECT), &used))
        return;
    const struct d3d12_command_signature *of = d3d12_command_signature_from(signature);
    list_state_use(&list->noted, of ? of->sets.work : LIST_WORK_UNKNOWN, &used);
    list_objects_add(&used, id_of(arguments), ANNOT_BOUND_ARGUMENTS);
    list_objects_add(&used, id_of(counts), ANNOT_BOUND_COUNTS);
    note_used(list, OP(EXECUTEINDIRECT), NUMBERS(max, (int64_t)offset, (int64_t)count_offset), 3,
              &used);
}

/* `view` is of what the clear writes. */
static void note_clear(struct d3d12_command_list *list, D3D12_AUTO_BREADCRUMB_OP op,
                       D3D12_CPU_DESCRIPTOR_HANDLE view, annot_bound_role role)
{
    struct list_objects used;
    if (!begin_work(list, op, &used))
        return;
    list_objects_add_part(&used, command_list_seen_by(list, view, 0, role == ANNOT_BOUND_DEPTH),
                          role);
    note_used(list, op, NULL, 0, &used);
}

GRAPHICS(ClearRenderTargetView)
(list_iface *iface, D3D12_CPU_DESCRIPTOR_HANDLE view, const FLOAT color[4], UINT count,
 const D3D12_RECT *rects)
{
    d3d12_command_list_ClearRenderTargetView(iface, view, color, count, rects);
    note_clear(command_list_of(iface), OP(CLEARRENDERTARGETVIEW), view, ANNOT_BOUND_TARGET);
}

GRAPHICS(ClearDepthStencilView)
(list_iface *iface, D3D12_CPU_DESCRIPTOR_HANDLE view, D3D12_CLEAR_FLAGS flags, FLOAT depth,
 UINT8 stencil, UINT count, const D3D12_RECT *rects)
{
    d3d12_command_list_ClearDepthStencilView(iface, view, flags, depth, stencil, count, rects);
    note_clear(command_list_of(iface), OP(CLEARDEPTHSTENCILVIEW), view, ANNOT_BOUND_DEPTH);
}

#define COPIED(dst, src)                                                                           \
    OBJECTS({id_of(src), ANNOT_BOUND_SOURCE, 0}, {id_of(dst), ANNOT_BOUND_DESTINATION, 0})

GRAPHICS(CopyBufferRegion)
(list_iface *iface, ID3D12Resource *dst, UINT64 dst_offset, ID3D12Resource *src, UINT64 src_offset,
 UINT64 size)
{
    d3d12_command_list_CopyBufferRegion(iface, dst, dst_offset, src, src_offset, size);
    NOTE(command_list_of(iface), COPYBUFFERREGION,
         NUMBERS((int64_t)dst_offset, (int64_t)src_offset, (int64_t)size), COPIED(dst, src));
}

static struct list_view view_of(ID3D12Resource *iface, UINT subresource)
{
    const struct d3d12_resource *resource = d3d12_resource_from(iface);
    if (!resource)
        return (struct list_view){0, 0};
    const D3D12_RESOURCE_DESC *desc = &resource->desc;
    return (struct list_view){
        annot_object_id(resource->child.annot),
        list_part_of_index(subresource, list_shape_of((uint32_t)desc->Dimension, desc->MipLevels,
                                                      desc->DepthOrArraySize))};
}

/* Notes a copy from one subresource to another. */
static void note_copy(struct d3d12_command_list *list, D3D12_AUTO_BREADCRUMB_OP op,
                      const int64_t *arguments, uint32_t count, ID3D12Resource *dst, UINT to,
                      ID3D12Resource *src, UINT from)
{
    struct list_objects used;
    if (!begin_work(list, op, &used))
        return;
    list_objects_add_part(&used, view_of(src, from), ANNOT_BOUND_SOURCE);
    list_objects_add_part(&used, view_of(dst, to), ANNOT_BOUND_DESTINATION);
    note_used(list, op, arguments, count, &used);
}

GRAPHICS(CopyResource)(list_iface *iface, ID3D12Resource *dst, ID3D12Resource *src)
{
    d3d12_command_list_CopyResource(iface, dst, src);
    note_copy(command_list_of(iface), OP(COPYRESOURCE), NULL, 0, dst,
              D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, src,
              D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES);
}

static UINT place_of(const D3D12_TEXTURE_COPY_LOCATION *at)
{
    return at && at->Type == D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX
               ? at->SubresourceIndex
               : D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES;
}

GRAPHICS(CopyTextureRegion)
(list_iface *iface, const D3D12_TEXTURE_COPY_LOCATION *dst, UINT x, UINT y, UINT z,
 const D3D12_TEXTURE_COPY_LOCATION *src, const D3D12_BOX *box)
{
    d3d12_command_list_CopyTextureRegion(iface, dst, x, y, z, src, box);
    note_copy(command_list_of(iface), OP(COPYTEXTUREREGION), NUMBERS(x, y, z), 3,
              dst ? dst->pResource : NULL, place_of(dst), src ? src->pResource : NULL,
              place_of(src));
}

GRAPHICS(ResolveSubresource)
(list_iface *iface, ID3D12Resource *dst, UINT to, ID3D12Resource *src, UINT from,
 DXGI_FORMAT format)
{
    d3d12_command_list_ResolveSubresource(iface, dst, to, src, from, format);
    note_copy(command_list_of(iface), OP(RESOLVESUBRESOURCE), NUMBERS(to, from), 2, dst, to, src,
              from);
}

GRAPHICS(ResolveSubresourceRegion)
(list_iface *iface, ID3D12Resource *dst, UINT to, UINT x, UINT y, ID3D12Resource *src, UINT from,
 D3D12_RECT *rect, DXGI_FORMAT format, D3D12_RESOLVE_MODE mode)
{
    d3d12_command_list_ResolveSubresourceRegion(iface, dst, to, x, y, src, from, rect, format,
                                                mode);
    note_copy(command_list_of(iface), OP(RESOLVESUBRESOURCEREGION), NUMBERS(to, x, y, from), 4, dst,
              to, src, from);
}

/* ---- barriers ---- */

/* Those of one call: as many operations of the call's number as they need. */
struct barriers {
    struct d3d12_command_list *list;
    annot_operation noted;
    int64_t states[ANNOT_OPERATION_ARGUMENTS];
    struct list_objects objects;
};

static void flush_barriers(struct barriers *of)
{
    of->noted.argument_count = 2 * of->objects.count;
    of->noted.object_count = list_objects_end(&of->objects);
    if (of->list->dred->count != of->noted.number)
        annot_context_note_operation(of->list->context, &of->noted);
    of->objects.count = 0;
}

static inline void add_barrier(void *user, const struct list_barrier *barrier)
{
    struct barriers *to = user;
    const struct d3d12_resource *resource = d3d12_resource_from(barrier->resource);
    uint32_t *count = &to->objects.count;
    if (*count == ANNOT_OPERATION_ARGUMENTS / 2)
        flush_barriers(to);
    to->states[2 * *count] = barrier->before;
    to->states[2 * *count + 1] = barrier->after;
    to->objects.parts[*count] =
        resource ? list_barrier_part(barrier, list_shape_of((uint32_t)resource->desc.Dimension,
                                                            resource->desc.MipLevels,
                                                            resource->desc.DepthOrArraySize))
                 : 0;
    to->objects.of[(*count)++] = (annot_bound_object){
        resource ? annot_object_id(resource->child.annot) : 0, (uint32_t)barrier->role, 0};
}

/* Puts the call into the log. False: the list notes no details of it. */
static bool begin_barriers(struct barriers *of, struct d3d12_command_list *list,
                           D3D12_AUTO_BREADCRUMB_OP op)
{
    const bool is_noted = notes_work(list);
    if (is_noted) {
        of->list = list;
        of->noted = (annot_operation){.kind = (uint32_t)op,
                                      .number = list->dred->count,
                                      .arguments = of->states,
                                      .objects = of->objects.of};
        of->objects.count = 0;
    }
    note(list, op);
    return is_noted;
}

GRAPHICS(ResourceBarrier)
(list_iface *iface, UINT count, const D3D12_RESOURCE_BARRIER *barriers)
{
    struct barriers noted;
    d3d12_command_list_ResourceBarrier(iface, count, barriers);
    if (!begin_barriers(&noted, command_list_of(iface), OP(RESOURCEBARRIER)))
        return;
    for (UINT i = 0; barriers && i < count; i++)
        list_barrier_each(&barriers[i], add_barrier, &noted);
    flush_barriers(&noted);
}

GRAPHICS(Barrier)(list_iface *iface, UINT32 count, const D3D12_BARRIER_GROUP *groups)
{
    struct barriers noted;
    d3d12_command_list_Barrier(iface, count, groups);
    if (!begin_barriers(&noted, command_list_of(iface), OP_BARRIER))
        return;
    for (UINT32 i = 0; groups && i < count; i++)
        list_barrier_each_of_group(&groups[i], add_barrier, &noted);
    flush_barriers(&noted);
}

/* The work of a list's bundles is in the logs that they have now. */
GRAPHICS(ExecuteBundle)(list_iface *iface, ID3D12GraphicsCommandList *bundle_iface)
{
    struct d3d12_command_list *list = command_list_of(iface);
    const struct d3d12_command_list *bundle =
        d3d12_command_list_from((ID3D12CommandList *)bundle_iface);
    const uint32_t before = list->bundle_calls;
    d3d12_command_list_ExecuteBundle(iface, bundle_iface);
    if (list->bundle_calls != before && list->dred &&
        !dred_log_add_bundle(list->dred, bundle->dred)) {
        dred_log_release(list->dred); /* its words could not be told apart */
        list->dred = NULL;
    }
    if (list->bundle_calls != before)
        NOTE(list, EXECUTEBUNDLE, NUMBERS(list->bundle_calls),
             OBJECTS({annot_object_id(bundle->child.annot), ANNOT_BOUND_BUNDLE, 0}));
    else
        note(list, OP(EXECUTEBUNDLE));
}

GRAPHICS(SetMarker)(list_iface *iface, UINT metadata, const void *data, UINT size)
{
    d3d12_command_list_SetMarker(iface, metadata, data, size);
    note_marker(command_list_of(iface), OP(SETMARKER), metadata, data, size);
}

GRAPHICS(BeginEvent)(list_iface *iface, UINT metadata, const void *data, UINT size)
{
    d3d12_command_list_BeginEvent(iface, metadata, data, size);
    note_marker(command_list_of(iface), OP(BEGINEVENT), metadata, data, size);
}

GRAPHICS(EndEvent)(list_iface *iface)
{
    d3d12_command_list_EndEvent(iface);
    note(command_list_of(iface), OP(ENDEVENT));
}

static HRESULT STDMETHODCALLTYPE crumbs_Reset(list_iface *iface, ID3D12CommandAllocator *allocator,
                                              ID3D12PipelineState *state)
{
    return restart(command_list_of(iface), d3d12_command_list_Reset(iface, allocator, state));
}

/* ---- the table: the plain one with the functions above in it ---- */

#define CRUMBS_ENTRY(method) .method = crumbs_##method,
static const list_vtbl crumbs = {
    .older = {COMMAND_LIST_OPERATION_METHODS(CRUMBS_ENTRY).Reset = crumbs_Reset}};

/* It is filled by the first list that needs it, and never changes again. */
static list_vtbl *need_table(const void *plain)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static list_vtbl table;
    void (*method)(void);
    emu_lock(&lock);
    if (!table.older.Reset) {
        memcpy(&table, plain, sizeof table);
        for (size_t at = 0; at < sizeof table; at += sizeof method) {
            memcpy(&method, (const char *)&crumbs + at, sizeof method);
            if (method)
                memcpy((char *)&table + at, &method, sizeof method);
        }
    }
    emu_unlock(&lock);
    return &table;
}

void command_list_attach_breadcrumbs(struct d3d12_command_list *list)
{
    const struct d3d12_device *device = list->child.device;
    const struct dred_enablement *on = &device->dred.on;
    if (!on->breadcrumbs && !device->history.on)
        return;
    list->dred = dred_log_create(on->contexts);
    if (!list->dred && !device->history.on)
        return;
    const bool is_graphics = list->iface.lpVtbl == list->operations;
    list->operations = &need_table(list->operations)->older;
    if (is_graphics)
        list->iface.lpVtbl = list->operations;
}
