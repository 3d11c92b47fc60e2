#include "list/command_list.h"

#include "array.h"

struct d3d12_command_list *d3d12_command_list_from(ID3D12CommandList *iface)
{
    struct d3d12_child *child = d3d12_child_from(iface);
    return child && child->class->kind == D3D12DDI_HT_COMMAND_LIST
               ? container_of(child, struct d3d12_command_list, child)
               : NULL;
}

/* ---- allocators ---- */

bool command_list_hold(struct d3d12_command_list *list, struct in_flight_usage *usage)
{
    for (size_t i = list->allocator_count; i > 0; i--) /* most often, it is one of the newest */
        if (list->allocators[i - 1].usage == usage)
            return true;
    if (!ARRAY_ROOM(list->allocators, list->allocator_count, list->allocator_capacity))
        return false;
    atomic_fetch_add(&usage->references, 1);
    list->allocators[list->allocator_count++] =
        (struct list_allocator){usage, atomic_load(&usage->resets)};
    return true;
}

void command_list_drop_allocators(struct d3d12_command_list *list)
{
    while (list->allocator_count != 0)
        in_flight_usage_release(list->allocators[--list->allocator_count].usage);
}

bool d3d12_command_list_is_intact(const struct d3d12_command_list *list)
{
    for (size_t i = 0; i < list->allocator_count; i++)
        if (atomic_load(&list->allocators[i].usage->resets) != list->allocators[i].resets)
            return false;
    return true;
}

void d3d12_command_list_submitted(struct d3d12_command_list *list, struct in_flight_entry *entry)
{
    for (size_t i = 0; i < list->allocator_count; i++)
        in_flight_use(entry, list->allocators[i].usage);
}

const char *command_list_interface(const struct d3d12_command_list *list)
{
    switch (list->type) {
    case D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE:
        return "ID3D12VideoDecodeCommandList";
    case D3D12_COMMAND_LIST_TYPE_VIDEO_PROCESS:
        return "ID3D12VideoProcessCommandList";
    case D3D12_COMMAND_LIST_TYPE_VIDEO_ENCODE:
        return "ID3D12VideoEncodeCommandList";
    default:
        return "ID3D12GraphicsCommandList";
    }
}
