/* Barriers, which video lists have too. The engine executes packets one after the other, so a
 * barrier has nothing to wait for. Its arguments are checked; the states of resources are not
 * tracked. */
#include "base/abi.h"
#include "list/command_list_record.h"

#include "device/device.h"
#include "resource/resource.h"
#include "resource/texture.h"

/* In D3D12 a mistake that can't be recorded makes Close fail; only the debug layer reports other
 * mistakes. */
struct barrier_mistake {
    struct validation_error what;
    bool is_fatal;
};

#define MISTAKE(number, text, is_fatal)                                                            \
    (struct barrier_mistake)                                                                       \
    {                                                                                              \
        VALIDATION_ERROR(number, text), is_fatal                                                   \
    }
#define FATAL(number, text) MISTAKE(number, text, true)
#define TOLD(number, text)  MISTAKE(number, text, false)
/* End a function with a mistake if `condition` holds. */
#define MISTAKE_IF(condition, number, text, is_fatal)                                              \
    do {                                                                                           \
        if (condition)                                                                             \
            return MISTAKE(number, text, is_fatal);                                                \
    } while (0)
#define FATAL_IF(condition, number, text) MISTAKE_IF(condition, number, text, true)
#define TOLD_IF(condition, number, text)  MISTAKE_IF(condition, number, text, false)

static const struct barrier_mistake no_barrier_mistake = {{0, NULL, NULL, 0}, false};

/* Emits a message if there is a mistake, and returns whether there is one. */
static bool is_mistaken(struct d3d12_command_list *list, struct barrier_mistake error, UINT index,
                        const char *method)
{
    if (!error.what.text)
        return false;
    command_list_report_error(list, error.what.id, method, "barrier %u: %s", index,
                              error.what.text);
    if (error.is_fatal && SUCCEEDED(list->failure))
        list->failure = E_INVALIDARG;
    return true;
}

static bool is_null(struct d3d12_command_list *list, const void *barriers, const char *method)
{
    return !barriers &&
           is_mistaken(list,
                       FATAL(RESOURCE_BARRIER_NULL_POINTER, "the pointer to the barriers is NULL"),
                       0, method);
}

static bool is_ours(const struct d3d12_command_list *list, const struct d3d12_resource *resource)
{
    return resource && resource->child.device == list->child.device;
}

/* ---- ResourceBarrier ---- */

/* The states that lists other than direct lists know [Using resource states]. */
static D3D12_RESOURCE_STATES states_on(D3D12_COMMAND_LIST_TYPE type)
{
    const D3D12_RESOURCE_STATES copies =
        D3D12_RESOURCE_STATE_COPY_SOURCE | D3D12_RESOURCE_STATE_COPY_DEST;
    switch (type) {
    case D3D12_COMMAND_LIST_TYPE_COPY:
        return copies;
    case D3D12_COMMAND_LIST_TYPE_COMPUTE:
        return copies | D3D12_RESOURCE_STATE_VERTEX_AND_CONSTANT_BUFFER |
               D3D12_RESOURCE_STATE_UNORDERED_ACCESS |
               D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE |
               D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT |
               D3D12_RESOURCE_STATE_RAYTRACING_ACCELERATION_STRUCTURE;
    case D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE:
        return D3D12_RESOURCE_STATE_VIDEO_DECODE_READ | D3D12_RESOURCE_STATE_VIDEO_DECODE_WRITE;
    case D3D12_COMMAND_LIST_TYPE_VIDEO_PROCESS:
        return D3D12_RESOURCE_STATE_VIDEO_PROCESS_READ | D3D12_RESOURCE_STATE_VIDEO_PROCESS_WRITE;
    case D3D12_COMMAND_LIST_TYPE_VIDEO_ENCODE:
        return D3D12_RESOURCE_STATE_VIDEO_ENCODE_READ | D3D12_RESOURCE_STATE_VIDEO_ENCODE_WRITE;
    default:
        return RESOURCE_STATES_READ | RESOURCE_STATES_WRITE;
    }
}

static struct barrier_mistake check_state(const struct d3d12_command_list *list,
                                          const struct d3d12_resource *resource,
                                          D3D12_RESOURCE_STATES state)
{
    switch (resource_state_check(state, resource->desc.Flags)) {
    case RESOURCE_STATE_UNKNOWN:
        return FATAL(RESOURCE_BARRIER_RESERVED_BITS,
                     "StateBefore or StateAfter has undefined bits");
    case RESOURCE_STATE_CONTRADICTORY:
        return TOLD(RESOURCE_BARRIER_INVALID_COMBINATION,
                    "a state that writes must not be combined with other states");
    case RESOURCE_STATE_DENIED:
        return TOLD(RESOURCE_BARRIER_MISSING_BIND_FLAGS,
                    "the resource's Flags don't permit StateBefore or StateAfter");
    case RESOURCE_STATE_VALID:
        break;
    }
    return ((UINT)state & ~(UINT)states_on(list->type)) == 0
               ? no_barrier_mistake
               : TOLD(RESOURCE_BARRIER_INVALID_COMMAND_LIST_TYPE,
                      "a list of this type can't use StateBefore or StateAfter");
}

static struct barrier_mistake check_transition(const struct d3d12_command_list *list,
                                               const D3D12_RESOURCE_TRANSITION_BARRIER *transition)
{
    const struct d3d12_resource *resource = d3d12_resource_from(transition->pResource);
    FATAL_IF(!transition->pResource, RESOURCE_BARRIER_NULL_POINTER, "pResource must not be NULL");
    FATAL_IF(!is_ours(list, resource), RESOURCE_BARRIER_INVALID_RESOURCE,
             "pResource must be a resource of this device");
    FATAL_IF(transition->Subresource != D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES &&
                 transition->Subresource >= d3d12_resource_parts(resource),
             RESOURCE_BARRIER_INVALID_SUBRESOURCE,
             "Subresource must be an index of one of the resource's subresources");
    TOLD_IF(transition->StateBefore == transition->StateAfter, RESOURCE_BARRIER_MATCHING_STATES,
            "StateBefore and StateAfter must differ");
    TOLD_IF(resource->heap_properties.Type == D3D12_HEAP_TYPE_UPLOAD ||
                resource->heap_properties.Type == D3D12_HEAP_TYPE_READBACK,
            RESOURCE_BARRIER_INVALID_HEAP,
            "a resource in an upload or readback heap must keep its state");
    const struct barrier_mistake before = check_state(list, resource, transition->StateBefore);
    return before.what.text ? before : check_state(list, resource, transition->StateAfter);
}

static bool is_none_or_ours(const struct d3d12_command_list *list, ID3D12Resource *iface)
{
    return !iface || is_ours(list, d3d12_resource_from(iface));
}

static struct barrier_mistake check_resource_barrier(const struct d3d12_command_list *list,
                                                     const D3D12_RESOURCE_BARRIER *barrier)
{
    const D3D12_RESOURCE_BARRIER_FLAGS flags = barrier->Flags;
    FATAL_IF(flags != D3D12_RESOURCE_BARRIER_FLAG_NONE &&
                 flags != D3D12_RESOURCE_BARRIER_FLAG_BEGIN_ONLY &&
                 flags != D3D12_RESOURCE_BARRIER_FLAG_END_ONLY,
             RESOURCE_BARRIER_INVALID_FLAG, "Flags must be NONE, BEGIN_ONLY or END_ONLY");
    FATAL_IF(flags != D3D12_RESOURCE_BARRIER_FLAG_NONE &&
                 barrier->Type == D3D12_RESOURCE_BARRIER_TYPE_UAV,
             RESOURCE_BARRIER_INVALID_SPLIT_BARRIER, "a UAV barrier must have Flags = NONE");
    switch (barrier->Type) {
    case D3D12_RESOURCE_BARRIER_TYPE_TRANSITION:
        return check_transition(list, &barrier->Transition);
    case D3D12_RESOURCE_BARRIER_TYPE_ALIASING:
        return is_none_or_ours(list, barrier->Aliasing.pResourceBefore) &&
                       is_none_or_ours(list, barrier->Aliasing.pResourceAfter)
                   ? no_barrier_mistake
                   : FATAL(RESOURCE_BARRIER_INVALID_RESOURCE,
                           "pResourceBefore and pResourceAfter must be resources of this device");
    case D3D12_RESOURCE_BARRIER_TYPE_UAV:
        return is_none_or_ours(list, barrier->UAV.pResource)
                   ? no_barrier_mistake
                   : FATAL(RESOURCE_BARRIER_INVALID_RESOURCE,
                           "pResource must be a resource of this device");
    default:
        return FATAL(RESOURCE_BARRIER_INVALID_TYPE, "Type is out of range");
    }
}

void STDMETHODCALLTYPE d3d12_command_list_ResourceBarrier(list_iface *iface, UINT count,
                                                          const D3D12_RESOURCE_BARRIER *barriers)
{
    LIST_OPERATION_OF(RESOURCEBARRIER, .barrier_count = count, .barriers = barriers);
    LIST_METHOD(ON_COPYING | ON_VIDEO);
    if (count == 0 || is_null(list, barriers, method))
        return;
    for (UINT i = 0; i < count; i++)
        if (is_mistaken(list, check_resource_barrier(list, &barriers[i]), i, method))
            return;
    list->child.device->driver->cmd_barrier(list->driver);
}

/* ---- enhanced barriers ---- */

#define SYNC_KNOWN                                                                                 \
    (0xFFFFu | D3D12_BARRIER_SYNC_VIDEO_DECODE | D3D12_BARRIER_SYNC_VIDEO_PROCESS |                \
     D3D12_BARRIER_SYNC_VIDEO_ENCODE |                                                             \
     D3D12_BARRIER_SYNC_BUILD_RAYTRACING_ACCELERATION_STRUCTURE |                                  \
     D3D12_BARRIER_SYNC_COPY_RAYTRACING_ACCELERATION_STRUCTURE | D3D12_BARRIER_SYNC_SPLIT)
#define ACCESS_KNOWN (0x7FFFFFu | D3D12_BARRIER_ACCESS_NO_ACCESS)

/* Checks one side of a barrier. NONE means no work on this side, which then needs NO_ACCESS. */
static struct barrier_mistake check_side(D3D12_BARRIER_SYNC sync, D3D12_BARRIER_ACCESS access)
{
    FATAL_IF(((unsigned)sync & ~SYNC_KNOWN) != 0, INCOMPATIBLE_BARRIER_SYNC,
             "SyncBefore or SyncAfter is not a D3D12_BARRIER_SYNC");
    FATAL_IF(((unsigned)access & ~ACCESS_KNOWN) != 0 ||
                 (((unsigned)access & (unsigned)D3D12_BARRIER_ACCESS_NO_ACCESS) != 0 &&
                  (unsigned)access != (unsigned)D3D12_BARRIER_ACCESS_NO_ACCESS),
             INCOMPATIBLE_BARRIER_ACCESS,
             "AccessBefore or AccessAfter is not a D3D12_BARRIER_ACCESS, or combines NO_ACCESS "
             "with other bits");
    TOLD_IF(sync == D3D12_BARRIER_SYNC_NONE &&
                (unsigned)access != (unsigned)D3D12_BARRIER_ACCESS_NO_ACCESS,
            INCOMPATIBLE_BARRIER_ACCESS,
            "SyncBefore or SyncAfter is NONE, so the matching access must be NO_ACCESS");
    return no_barrier_mistake;
}

static struct barrier_mistake check_sides(D3D12_BARRIER_SYNC sync_before,
                                          D3D12_BARRIER_SYNC sync_after,
                                          D3D12_BARRIER_ACCESS access_before,
                                          D3D12_BARRIER_ACCESS access_after)
{
    const struct barrier_mistake before = check_side(sync_before, access_before);
    return before.what.text ? before : check_side(sync_after, access_after);
}

static bool is_layout(D3D12_BARRIER_LAYOUT layout)
{
    return layout == D3D12_BARRIER_LAYOUT_UNDEFINED ||
           (unsigned)layout <= ABI_BARRIER_LAYOUT_VIDEO_QUEUE_COMMON;
}

static bool is_within(UINT first, UINT count, UINT limit)
{
    return first <= limit && count <= limit - first;
}

/* NumMipLevels 0: the index of one subresource, or all [D3D12_BARRIER_SUBRESOURCE_RANGE]. */
static bool has_subresources(const struct d3d12_resource *texture,
                             const D3D12_BARRIER_SUBRESOURCE_RANGE *range)
{
    const D3D12_RESOURCE_DESC *desc = &texture->desc;
    const UINT parts = d3d12_resource_parts(texture);
    const UINT slices = texture_array_size(desc);
    if (range->NumMipLevels == 0)
        return range->IndexOrFirstMipLevel == D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES ||
               range->IndexOrFirstMipLevel < parts;
    return is_within(range->IndexOrFirstMipLevel, range->NumMipLevels, desc->MipLevels) &&
           is_within(range->FirstArraySlice, range->NumArraySlices, slices) &&
           is_within(range->FirstPlane, range->NumPlanes, parts / desc->MipLevels / slices);
}

static struct barrier_mistake check_texture_barrier(const struct d3d12_command_list *list,
                                                    const D3D12_TEXTURE_BARRIER *barrier)
{
    const struct d3d12_resource *texture = d3d12_resource_from(barrier->pResource);
    FATAL_IF(!is_ours(list, texture), RESOURCE_BARRIER_INVALID_RESOURCE,
             "pResource must be a resource of this device");
    FATAL_IF(resource_desc_is_buffer(&texture->desc), INCOMPATIBLE_BARRIER_RESOURCE_DIMENSION,
             "a texture barrier's pResource must be a texture");
    FATAL_IF(!is_layout(barrier->LayoutBefore) || !is_layout(barrier->LayoutAfter),
             UNSUPPORTED_BARRIER_LAYOUT,
             "LayoutBefore or LayoutAfter is not a D3D12_BARRIER_LAYOUT");
    FATAL_IF(((unsigned)barrier->Flags & ~(unsigned)D3D12_TEXTURE_BARRIER_FLAG_DISCARD) != 0 ||
                 (barrier->Flags == D3D12_TEXTURE_BARRIER_FLAG_DISCARD &&
                  barrier->LayoutBefore != D3D12_BARRIER_LAYOUT_UNDEFINED),
             INCOMPATIBLE_BARRIER_VALUES,
             "Flags must be NONE, or DISCARD with LayoutBefore = UNDEFINED");
    FATAL_IF(!has_subresources(texture, &barrier->Subresources),
             TEXTURE_BARRIER_SUBRESOURCES_OUT_OF_BOUNDS,
             "Subresources must be subresources of the texture");
    return check_sides(barrier->SyncBefore, barrier->SyncAfter, barrier->AccessBefore,
                       barrier->AccessAfter);
}

/* A buffer's barrier must be for the whole buffer: Offset 0, Size the buffer's or UINT64_MAX. */
static struct barrier_mistake check_buffer_barrier(const struct d3d12_command_list *list,
                                                   const D3D12_BUFFER_BARRIER *barrier)
{
    const struct d3d12_resource *buffer = d3d12_resource_from(barrier->pResource);
    FATAL_IF(!is_ours(list, buffer), RESOURCE_BARRIER_INVALID_RESOURCE,
             "pResource must be a resource of this device");
    FATAL_IF(!resource_desc_is_buffer(&buffer->desc), INCOMPATIBLE_BARRIER_RESOURCE_DIMENSION,
             "a buffer barrier's pResource must be a buffer");
    FATAL_IF(barrier->Offset != 0 ||
                 (barrier->Size != UINT64_MAX && barrier->Size != buffer->desc.Width),
             BUFFER_BARRIER_SUBREGION_OUT_OF_BOUNDS,
             "a buffer barrier must have Offset = 0, and the buffer's size or UINT64_MAX as Size");
    return check_sides(barrier->SyncBefore, barrier->SyncAfter, barrier->AccessBefore,
                       barrier->AccessAfter);
}

static struct barrier_mistake check_in_group(const struct d3d12_command_list *list,
                                             const D3D12_BARRIER_GROUP *group, UINT index)
{
    switch (group->Type) {
    case D3D12_BARRIER_TYPE_GLOBAL: {
        const D3D12_GLOBAL_BARRIER *barrier = &group->pGlobalBarriers[index];
        return check_sides(barrier->SyncBefore, barrier->SyncAfter, barrier->AccessBefore,
                           barrier->AccessAfter);
    }
    case D3D12_BARRIER_TYPE_TEXTURE:
        return check_texture_barrier(list, &group->pTextureBarriers[index]);
    case D3D12_BARRIER_TYPE_BUFFER:
        return check_buffer_barrier(list, &group->pBufferBarriers[index]);
    }
    return FATAL(INCOMPATIBLE_BARRIER_TYPE, "Type is out of range");
}

/* Checks a group; false after a message. */
static bool check_group(struct d3d12_command_list *list, const D3D12_BARRIER_GROUP *group,
                        const char *method)
{
    if (group->NumBarriers != 0 && is_null(list, group->pGlobalBarriers, method))
        return false;
    for (UINT i = 0; i < group->NumBarriers; i++)
        if (is_mistaken(list, check_in_group(list, group, i), i, method))
            return false;
    return true;
}

void STDMETHODCALLTYPE d3d12_command_list_Barrier(list_iface *iface, UINT32 count,
                                                  const D3D12_BARRIER_GROUP *groups)
{
    LIST_OPERATION_OF(BARRIER, .barrier_count = count, .groups = groups);
    LIST_METHOD(ON_COPYING | ON_VIDEO);
    if (count == 0 || is_null(list, groups, method))
        return;
    for (UINT i = 0; i < count; i++)
        if (!check_group(list, &groups[i], method))
            return;
    list->child.device->driver->cmd_barrier(list->driver);
}
