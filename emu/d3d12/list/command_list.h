/* Command lists of all types: ID3D12GraphicsCommandList for direct, compute and copy lists and for
 * bundles, and three interfaces for video lists. The video interfaces differ only in their tables.
 * Recording writes into the driver's list and the library's context. The list itself keeps only the
 * state for the next dispatch or draw. */
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

/* Root arguments. A list has two sets of them: one for dispatches, one for draws. */
struct root_bindings {
    bool has_signature;
    /* The root signature's layout. If no signature is set, a bundle uses its caller's layout. */
    struct root_layout layout;
    uint64_t assumed;   /* bit n: the bundle's work uses its caller's argument for parameter n */
    bool inherits;      /* whether work in a bundle uses the arguments of the bundle's caller */
    emu_dispatch bound; /* root arguments in the driver's form; without kernel and groups */
};

/* The state of draws, without root arguments. It is only checked, because nothing is drawn. */
struct graphics_state {
    D3D12_PRIMITIVE_TOPOLOGY topology;
    bool has_indices; /* whether the program has set an index buffer */
};

struct render_pass {
    bool active;
    UINT resolve_count; /* how many resolves happen at the pass's end (targets, depth, stencil) */
    D3D12_RENDER_PASS_ENDING_ACCESS_RESOLVE_PARAMETERS
    resolves[D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT + 2];
};

struct open_query {
    uint64_t result; /* GPU address of the query's result, which identifies the query */
    D3D12_QUERY_TYPE type;
};

/* An object that a recording uses: the list's own allocator, a pipeline, or those of a bundle. */
struct list_allocator {
    struct in_flight_usage *usage;
    unsigned resets; /* `resets` of the allocator when this recording began */
};

struct dred_log;

enum list_watch {
    LIST_HANGS = 1, /* the list checks its markers for the one named by EMU_HANG_AT_MARKER */
    LIST_NOTES = 2, /* the device records breadcrumbs, or time stamps of operations */
};

struct d3d12_command_list {
    union { /* the list's COM interface; `type` says which interface */
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
    /* DRED's log of this recording; NULL: breadcrumbs are off, or memory ran out. */
    struct dred_log *dred;
    enum command_list_state state;
    HRESULT failure; /* code of the recording's first mistake; Close returns this code */
    struct d3d12_command_allocator *allocator; /* allocator of the list's open recording */
    /* What the last recording uses: the list's own allocator, then pipelines and those of bundles.
     */
    struct list_allocator *allocators;
    size_t allocator_count, allocator_capacity;
    bool predicated;            /* whether the program has set a predicate */
    struct open_query *queries; /* queries between their BeginQuery and EndQuery */
    size_t query_count, query_capacity;
    uint32_t bundle_calls; /* how many times this recording calls ExecuteBundle */
    struct render_pass pass;
    struct root_bindings roots[2]; /* the root arguments: [0] for dispatches, [1] for draws */
    struct {
        bool set, is_graphics, is_mesh;
        uint32_t kernel; /* emulator kernel of the pipeline's shaders; 0: none */
        UINT flags;
    } pipeline;
    struct graphics_state graphics;
    /* The state that reports show. Views and buffers are only noted if breadcrumbs are on. Buffers
     * also need DRED's ranges. */
    struct list_state noted;
    /* The heap of views and the heap of samplers, each as its d3d12_descriptor_heap.start; 0: no
     * heap. `heaps` are those that the list itself has set. A bundle that sets no heaps uses the
     * heaps of its caller, `assumed_heaps`. As in D3D12, the list holds no reference to a heap. */
    uint64_t heaps[2], assumed_heaps[2];
};

/* Casts a video list's interface to list_iface, for methods that lists of both kinds have. */
#define AS_LIST(iface) ((list_iface *)(void *)(iface))

/* Members of the lists' d3d12_child_class. After d3d12_command_list_abandon, other lists may use
 * the list's allocator, even if a queue still executes the list. */
void d3d12_command_list_abandon(struct d3d12_child *child);
void d3d12_command_list_destroy(struct d3d12_child *child);

/* Makes a list. If `allocator` is NULL, the new list is closed, as with CreateCommandList1. */
HRESULT d3d12_command_list_create(struct d3d12_device *device, D3D12_COMMAND_LIST_TYPE type,
                                  const struct d3d12_child_class *class,
                                  struct d3d12_command_allocator *allocator,
                                  ID3D12PipelineState *state, struct d3d12_command_list **out);

/* Returns the command list with this interface, or NULL if the emulator didn't make `iface`. */
struct d3d12_command_list *d3d12_command_list_from(ID3D12CommandList *iface);

/* Methods of lists of all types. Outside a recording, they only emit a message. */
/* Performs ClearState on a video list, which has no state except a predicate. */
void d3d12_command_list_clear(struct d3d12_command_list *list);

/* Ends predication on the list. Does nothing if the list has no predicate. */
void d3d12_command_list_end_predication(struct d3d12_command_list *list);

/* Keeps a reference to `usage` until the list's next recording. False means out of memory. */
bool command_list_hold(struct d3d12_command_list *list, struct in_flight_usage *usage);
void command_list_drop_allocators(struct d3d12_command_list *list);

/* Returns the name of the list's interface, as messages show it. */
const char *command_list_interface(const struct d3d12_command_list *list);

/* Whether the recording still exists: none of its allocators was reset after the recording. */
bool d3d12_command_list_is_intact(const struct d3d12_command_list *list);

/* Notes that the submission executes the list's recording, with `allocator_count` uses. */
void d3d12_command_list_submitted(struct d3d12_command_list *list, struct in_flight_entry *entry);
