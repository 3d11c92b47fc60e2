#include "list/operation.h"

#include "d3d12_rules/barriers.h"
#include "device/device.h"
#include "dred/log.h"
#include "resource/resource.h"
#include "view/descriptor_heap.h"

void command_list_note(struct d3d12_command_list *list, D3D12_AUTO_BREADCRUMB_OP op)
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

void command_list_note_marker(struct d3d12_command_list *list, D3D12_AUTO_BREADCRUMB_OP op,
                              UINT metadata, const void *data, UINT size)
{
    command_list_note(list, op);
    if (list->state == COMMAND_LIST_RECORDING && list->dred)
        dred_log_add_context(list->dred, metadata, data, size);
}

/* Begins a new log for a new recording. */
void command_list_begin_notes(struct d3d12_command_list *list)
{
    if (list->watch & LIST_NOTES)
        list->dred = list->dred != NULL ? dred_log_restart(list->dred)
                                        : dred_log_create(list->child.device->dred.on.contexts);
}

/* ---- details ---- */

struct list_view command_list_seen(const struct view_parts *parts, bool is_depth)
{
    if (!parts || parts->object == 0)
        return (struct list_view){0, 0};
    const bool is_volume = parts->desc.Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE3D;
    return (struct list_view){parts->object,
                              list_part_of_slices(is_depth ? 0xFFFF : 1u << parts->plane,
                                                  parts->mip, is_volume ? 0 : parts->first,
                                                  is_volume ? 1 : parts->count)};
}

struct list_view command_list_seen_by(const struct d3d12_command_list *list,
                                      D3D12_CPU_DESCRIPTOR_HANDLE handle, UINT offset,
                                      bool is_depth)
{
    UINT index;
    const struct d3d12_descriptor_heap *heap =
        d3d12_descriptor_heap_find(list->child.device, handle, offset + 1, &index);
    return command_list_seen(heap && heap->parts ? &heap->parts[index + offset] : NULL, is_depth);
}

/* The operation in the library's form. A call with many barriers needs several such operations. */
struct details {
    struct d3d12_command_list *list;
    annot_operation noted;
    int64_t arguments[ANNOT_OPERATION_ARGUMENTS];
    struct list_objects objects;
};

static void flush(struct details *of)
{
    of->noted.object_count = list_objects_end(&of->objects);
    annot_context_note_operation(of->list->context, &of->noted);
    of->noted.argument_count = of->objects.count = 0;
}

static struct list_shape shape_of(const struct d3d12_resource *resource)
{
    const D3D12_RESOURCE_DESC *desc = &resource->desc;
    return list_shape_of((uint32_t)desc->Dimension, desc->MipLevels, desc->DepthOrArraySize);
}

static inline void add_barrier(void *user, const struct list_barrier *barrier)
{
    struct details *to = user;
    const struct d3d12_resource *resource = d3d12_resource_from(barrier->resource);
    if (to->objects.count == ANNOT_OPERATION_ARGUMENTS / 2)
        flush(to);
    const uint32_t at = to->objects.count++;
    to->arguments[to->noted.argument_count++] = barrier->before;
    to->arguments[to->noted.argument_count++] = barrier->after;
    to->objects.parts[at] = resource ? list_barrier_part(barrier, shape_of(resource)) : 0;
    to->objects.of[at] = (annot_bound_object){resource ? annot_object_id(resource->child.annot) : 0,
                                              (uint32_t)barrier->role, 0};
}

static void add_objects(const struct list_operation *operation, struct details *to)
{
    const annot_bound_role role = operation->view_role;
    if (operation->runs)
        list_state_use(&to->list->noted, operation->work, &to->objects);
    for (int i = 0; i < 2; i++) {
        const struct d3d12_resource *resource = d3d12_resource_from(operation->sides[i].resource);
        if (resource)
            list_objects_add_part(&to->objects,
                                  (struct list_view){annot_object_id(resource->child.annot),
                                                     list_part_of_index(operation->sides[i].part,
                                                                        shape_of(resource))},
                                  operation->sides[i].role);
    }
    if (operation->view.ptr != 0)
        list_objects_add_part(
            &to->objects,
            command_list_seen_by(to->list, operation->view, 0, role == ANNOT_BOUND_DEPTH), role);
    list_objects_add(&to->objects, operation->bundle, ANNOT_BOUND_BUNDLE);
    for (UINT i = 0; operation->barriers && i < operation->barrier_count; i++)
        list_barrier_each(&operation->barriers[i], add_barrier, to);
    for (UINT i = 0; operation->groups && i < operation->barrier_count; i++)
        list_barrier_each_of_group(&operation->groups[i], add_barrier, to);
}

bool command_list_notes_details(const struct d3d12_command_list *list)
{
    const struct dred_enablement *on = &list->child.device->dred.on;
    return list->dred && on->breadcrumbs && !on->markers_only &&
           annot_context_forwards(list->context);
}

void command_list_note_operation(const struct list_operation *operation)
{
    struct d3d12_command_list *list = operation->list;
    const uint32_t number = list->dred->count;
    struct details details;
    command_list_note(list, operation->op);
    if (list->dred->count == number)
        return;
    details.list = list;
    details.noted = (annot_operation){
        .kind = (uint32_t)operation->op,
        .number = number,
        .argument_count = operation->count,
        .arguments = operation->barrier_count != 0 ? details.arguments : operation->arguments,
        .objects = details.objects.of};
    details.objects.count = 0;
    add_objects(operation, &details);
    flush(&details);
}
