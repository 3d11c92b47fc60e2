/* The notes of a list about its operations: DRED's breadcrumbs, time stamps, and details for
 * reports.
 *
 * While the list records, every call with a name in D3D12_AUTO_BREADCRUMB_OP is one operation. A
 * call that the emulator drops after a message counts, too, because DRED counts the application's
 * calls. Predication, begins and ends of queries, render passes and state are not operations.
 *
 * An operation's method begins with LIST_OPERATION, which notes it when the method ends. */
#pragma once

#include "list/recorder.h"
#include "view/view_texture.h"

struct list_side {
    ID3D12Resource *resource;
    UINT part; /* index of a subresource of `resource`, or a value that means all */
    annot_bound_role role;
};

/* One call on a list. Objects of the call are looked up only if reports show the list's details. */
struct list_operation {
    struct d3d12_command_list *list;
    D3D12_AUTO_BREADCRUMB_OP op;
    bool has_details; /* whether the members below, the call's details, are set */
    bool runs;        /* whether the call starts GPU work (`work`), which uses the list's state */
    enum list_work work;
    uint32_t count;
    int64_t arguments[5];
    struct list_side sides[2];
    D3D12_CPU_DESCRIPTOR_HANDLE view; /* the view that the call clears */
    annot_bound_role view_role;
    uint64_t bundle; /* annot_object_id */
    UINT barrier_count;
    const D3D12_RESOURCE_BARRIER *barriers;
    const D3D12_BARRIER_GROUP *groups;
};

/* The number of the operation BARRIER in DRED; headers lack it [DeviceRemovedExtendedData]. */
#define D3D12_AUTO_BREADCRUMB_OP_BARRIER ((D3D12_AUTO_BREADCRUMB_OP)45)

/* Begins a method of the list `iface`. `name` is the operation's name. The further arguments set
 * members of the variable `operation`. */
#define LIST_OPERATION_OF(name, ...)                                                               \
    LIST_OPERATION(name);                                                                          \
    if (operation.list && command_list_notes_details(operation.list))                              \
        operation = (struct list_operation)                                                        \
        {                                                                                          \
            .list = operation.list, .op = operation.op, .has_details = true, __VA_ARGS__           \
        }
#define LIST_OPERATION(name)                                                                       \
    __attribute__((cleanup(command_list_ended), unused)) struct list_operation operation;          \
    operation.list = command_list_of_notes(iface);                                                 \
    operation.op = D3D12_AUTO_BREADCRUMB_OP_##name;                                                \
    operation.has_details = false
#define LIST_COPIES(source, from, target, to)                                                      \
    .sides = {{source, from, ANNOT_BOUND_SOURCE}, {target, to, ANNOT_BOUND_DESTINATION}}
#define LIST_WHOLE D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES

/* Notes that the list's last call was the operation `op`, if a recording is open. */
void command_list_note(struct d3d12_command_list *list, D3D12_AUTO_BREADCRUMB_OP op);
void command_list_note_marker(struct d3d12_command_list *list, D3D12_AUTO_BREADCRUMB_OP op,
                              UINT metadata, const void *data, UINT size);
void command_list_note_operation(const struct list_operation *operation);

/* Returns the list with this interface if its operations are noted (operation.h), else NULL. */
static inline struct d3d12_command_list *command_list_of_notes(list_iface *iface)
{
    struct d3d12_command_list *list = command_list_of(iface);
    return list->watch & LIST_NOTES ? list : NULL;
}

bool command_list_notes_details(const struct d3d12_command_list *list);

static inline void command_list_ended(const struct list_operation *operation)
{
    if (operation->list && operation->has_details && operation->list->dred)
        command_list_note_operation(operation);
    else if (operation->list)
        command_list_note(operation->list, operation->op);
}

/* Prepares a list or recording for notes. Without memory, the list leaves no breadcrumbs. */
void command_list_begin_notes(struct d3d12_command_list *list);

/* Returns what the view `parts` shows; NULL means no view. command_list_seen_by does this for the
 * view that is `offset` descriptors after `handle`. */
struct list_view command_list_seen(const struct view_parts *parts, bool is_depth);
struct list_view command_list_seen_by(const struct d3d12_command_list *list,
                                      D3D12_CPU_DESCRIPTOR_HANDLE handle, UINT offset,
                                      bool is_depth);
