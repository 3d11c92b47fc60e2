/* Notes barriers of all kinds as operations. Include D3D12's header first.
 *
 * For each barrier, the operation has the object, the object's part, and the states, layouts or
 * accesses before and after. ANNOT_BARRIER_ bits mark barriers that are not whole transitions. */
#pragma once

#include "d3d12_rules/subresources.h"

#include <annot/evidence.h>

struct list_barrier {
    ID3D12Resource *resource; /* NULL: any */
    annot_bound_role role;
    uint32_t before;
    int64_t after;
    uint32_t subresource; /* D3D12's index of the subresource, or a value for all of them */
    const D3D12_BARRIER_SUBRESOURCE_RANGE *range; /* NULL: use `subresource` */
};

static inline uint64_t list_barrier_part(const struct list_barrier *barrier, struct list_shape of)
{
    return barrier->range ? list_part_of_range(barrier->range, of)
                          : list_part_of_index(barrier->subresource, of);
}

typedef void list_barrier_note(void *user, const struct list_barrier *barrier);

static inline void list_barrier_say(list_barrier_note *note, void *user, ID3D12Resource *resource,
                                    annot_bound_role role, uint32_t before, int64_t after)
{
    note(user, &(struct list_barrier){resource, role, before, after,
                                      (uint32_t)LIST_ALL_SUBRESOURCES, NULL});
}

/* One of ResourceBarrier. */
static inline void list_barrier_each(const D3D12_RESOURCE_BARRIER *of, list_barrier_note *note,
                                     void *user)
{
    const uint32_t uav = (uint32_t)D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
    const D3D12_RESOURCE_TRANSITION_BARRIER *t = &of->Transition;
    const int64_t half = of->Flags == D3D12_RESOURCE_BARRIER_FLAG_BEGIN_ONLY ? ANNOT_BARRIER_BEGINS
                         : of->Flags == D3D12_RESOURCE_BARRIER_FLAG_END_ONLY ? ANNOT_BARRIER_ENDS
                                                                             : 0;
    struct list_barrier one = {NULL, ANNOT_BOUND_BARRIER, 0, 0, (uint32_t)LIST_ALL_SUBRESOURCES,
                               NULL};
    switch (of->Type) {
    case D3D12_RESOURCE_BARRIER_TYPE_TRANSITION:
        one.resource = t->pResource;
        one.before = (uint32_t)t->StateBefore;
        one.after = (int64_t)(uint32_t)t->StateAfter | half;
        one.subresource = t->Subresource;
        break;
    case D3D12_RESOURCE_BARRIER_TYPE_UAV:
        one.resource = of->UAV.pResource;
        one.before = uav;
        one.after = uav | ANNOT_BARRIER_UAV;
        break;
    case D3D12_RESOURCE_BARRIER_TYPE_ALIASING:
        list_barrier_say(note, user, of->Aliasing.pResourceBefore, ANNOT_BOUND_BARRIER, 0,
                         ANNOT_BARRIER_ALIASED_BEFORE);
        one.resource = of->Aliasing.pResourceAfter;
        one.after = ANNOT_BARRIER_ALIASED_AFTER;
        break;
    default:
        return;
    }
    note(user, &one);
}

/* Returns the bit for one half of a split barrier: one side has D3D12_BARRIER_SYNC_SPLIT. */
static inline int64_t list_barrier_half(uint32_t before, uint32_t after)
{
    const uint32_t split = 0x80000000u;
    return after == split ? ANNOT_BARRIER_BEGINS : before == split ? ANNOT_BARRIER_ENDS : 0;
}

/* Notes each barrier of one group that a Barrier call has. */
static inline void list_barrier_each_of_group(const D3D12_BARRIER_GROUP *group,
                                              list_barrier_note *note, void *user)
{
    for (UINT32 i = 0; i < group->NumBarriers; i++)
        if (group->Type == D3D12_BARRIER_TYPE_TEXTURE && group->pTextureBarriers) {
            const D3D12_TEXTURE_BARRIER *of = &group->pTextureBarriers[i];
            const int64_t half =
                list_barrier_half((uint32_t)of->SyncBefore, (uint32_t)of->SyncAfter);
            note(user, &(struct list_barrier){
                           of->pResource, ANNOT_BOUND_BARRIER, (uint32_t)of->LayoutBefore,
                           (int64_t)(uint32_t)of->LayoutAfter | half, 0, &of->Subresources});
        } else if (group->Type == D3D12_BARRIER_TYPE_BUFFER && group->pBufferBarriers) {
            const D3D12_BUFFER_BARRIER *of = &group->pBufferBarriers[i];
            list_barrier_say(
                note, user, of->pResource, ANNOT_BOUND_ACCESS, (uint32_t)of->AccessBefore,
                (int64_t)(uint32_t)of->AccessAfter |
                    list_barrier_half((uint32_t)of->SyncBefore, (uint32_t)of->SyncAfter));
        } else if (group->Type == D3D12_BARRIER_TYPE_GLOBAL && group->pGlobalBarriers) {
            const D3D12_GLOBAL_BARRIER *of = &group->pGlobalBarriers[i];
            list_barrier_say(note, user, NULL, ANNOT_BOUND_ACCESS, (uint32_t)of->AccessBefore,
                             (int64_t)(uint32_t)of->AccessAfter |
                                 list_barrier_half((uint32_t)of->SyncBefore,
                                                   (uint32_t)of->SyncAfter));
        }
}
