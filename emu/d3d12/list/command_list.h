/* Command lists of all types: ID3D12GraphicsCommandList for direct, compute and copy lists and
 * bundles, and the three interfaces of video lists, which differ only in their tables. Recording
 * writes into the driver's list and the library's context; the list itself keeps only the state for
 * the next dispatch or draw. */
#pragma once

#include "d3d12_rules/list_state.h"
#include "base/newest.h"
#include "list/command_allocator.h"
#include "root_signature/root_signature_blob.h"

#include <emu/driver.h>

enum command_list_state {
    COMMAND_LIST_EMPTY, /* never recorded */
    COMMAND_LIST_RECORDING,
    COMMAND_LIST_CLOSED,
    COMMAND_LIST_FAILED /* the list is closed, but can't be executed */
};

/* Root arguments: a list has one set for dispatches, and one set for draws. */
struct root_bindings {
    bool has_signature;
    /* The current root signature's layout. A bundle without one uses its caller's layout. */
    struct root_layout layout;
    uint64_t assumed; /* bit n is set: the bundle relies on its caller's argument for parameter n */
    bool inherits;    /* whether a bundle's work uses arguments of its caller */
    emu_dispatch bound; /* the arguments, without kernel and groups */
};

/* State of draws in addition to root arguments. The emulator only checks this state, because it
 * rasterises nothing. */
struct graphics_state {
    D3D12_PRIMITIVE_TOPOLOGY topology;
    bool has_indices; /* whether an index buffer is set */
};

struct render_pass {
    bool active;
    UINT resolve_count; /* number of resolves that the pass's end makes (targets, depth, stencil) */
    D3D12_RENDER_PASS_ENDING_ACCESS_RESOLVE_PARAMETERS
    resolves[D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT + 2];
};

struct open_query {
    uint64_t result; /* the result's GPU address, which identifies the query */
    D3D12_QUERY_TYPE type;
};

/* An allocator that a recording needs: the list's own, or the allocator of an executed bundle. */
struct list_allocator {
    struct allocator_usage *usage;
    unsigned resets; /* the allocator's number of resets at the time of the recording */
};

struct dred_log;

enum list_watch {
    LIST_HANGS = 1, /* the list looks for the marker of EMU_HANG_AT_MARKER */
    LIST_NOTES = 2, /* the device records breadcrumbs or time stamps */
};

struct d3d12_command_list {
    union { /* the COM interface; `type` decides which interface it is */
        list_iface iface;
        ID3D12VideoDecodeCommandList3 decode;
        ID3D12VideoProcessCommandList3 process;
        ID3D12VideoEncodeCommandList3 encode;
    };
    struct d3d12_child child;
    D3D12_COMMAND_LIST_TYPE type;
    void *driver;
    annot_context *context;
    unsigned watch; /* bits of enum list_watch */
    struct dred_log
        *dred; /* DRED's log of this recording; NULL: breadcrumbs are off, or memory ran out */
    enum command_list_state state;
    HRESULT failure; /* the first mistake of this recording; Close returns its code */
    struct d3d12_command_allocator *allocator; /* the allocator of the open recording */
    struct list_allocator
        *allocators; /* the last recording's allocators; the first is the list's own */
    size_t allocator_count, allocator_capacity;
    bool predicated;            /* whether a predicate is set */
    struct open_query *queries; /* queries for which BeginQuery was called, but not EndQuery */
    size_t query_count, query_capacity;
    uint32_t bundle_calls; /* number of ExecuteBundle calls in this recording */
    struct render_pass pass;
    struct root_bindings roots[2]; /* two sets of root arguments: for dispatches, and for draws */
    struct {
        bool set, is_graphics, is_mesh;
        uint32_t kernel; /* 0: no shader of the pipeline is a kernel */
        UINT flags;
    } pipeline;
    struct graphics_state graphics;
    /* State for reports. Views and buffers are noted only with breadcrumbs; buffers also need the
     * ranges of DRED. */
    struct list_state noted;
    /* The heap of views and the heap of samplers, each by its d3d12_descriptor_heap.start; 0: none.
     * The list itself has set `heaps`. A bundle that sets no heaps uses its caller's,
     * `assumed_heaps`. As in D3D12, the list holds no reference. */
    uint64_t heaps[2], assumed_heaps[2];
};

/* Casts a video list's interface to a graphics list's, for methods that record on both. */
#define AS_LIST(iface) ((list_iface *)(void *)(iface))

/* Functions for d3d12_child_class. After d3d12_command_list_abandon, other lists may use the list's
 * allocator, even if a queue still executes the list. */
void d3d12_command_list_abandon(struct d3d12_child *child);
void d3d12_command_list_destroy(struct d3d12_child *child);

/* Makes a list. If `allocator` is NULL, the list is closed, as with CreateCommandList1. */
HRESULT d3d12_command_list_create(struct d3d12_device *device, D3D12_COMMAND_LIST_TYPE type,
                                  const struct d3d12_child_class *class,
                                  struct d3d12_command_allocator *allocator,
                                  ID3D12PipelineState *state, struct d3d12_command_list **out);

/* Returns the emulator's list of `iface`, or NULL if `iface` is not the emulator's. */
struct d3d12_command_list *d3d12_command_list_from(ID3D12CommandList *iface);

/* Methods that lists of every type share. Each emits a message if the list is not recording. */
/* Performs ClearState of a video list; such a list has a predicate and no other state. */
void d3d12_command_list_clear(struct d3d12_command_list *list);

/* Ends predication. Does nothing if there is no predication. */
void d3d12_command_list_end_predication(struct d3d12_command_list *list);

/* References an allocator's usage until the next recording. False means out of memory. */
bool command_list_hold_allocator(struct d3d12_command_list *list, struct allocator_usage *usage);
void command_list_drop_allocators(struct d3d12_command_list *list);

/* Returns the name of the list's interface, for messages. */
const char *command_list_interface(const struct d3d12_command_list *list);

/* Whether the recording still exists: no allocator that it needs was reset after the recording. */
bool d3d12_command_list_is_intact(const struct d3d12_command_list *list);

/* Notes that the list's recording is part of the submission with this ticket. */
void d3d12_command_list_submitted(struct d3d12_command_list *list, const void *queue,
                                  uint64_t ticket);
