/*
 * Command lists of all types: ID3D12GraphicsCommandList8 for direct, compute and copy lists and bundles, and the three
 * interfaces of video lists, which differ in their tables only (video_list.h). Recording writes into the driver's list
 * and the library's context; the list itself keeps only what the next Dispatch needs.
 */
#ifndef D3D12_COMMAND_LIST_H
#define D3D12_COMMAND_LIST_H

#include "child.h"
#include "command_allocator.h"
#include "root_signature_blob.h"

#include "../umd/driver.h"

enum command_list_state {
    COMMAND_LIST_EMPTY, /* never recorded */
    COMMAND_LIST_RECORDING,
    COMMAND_LIST_CLOSED,
    COMMAND_LIST_FAILED /* closed, but not executable */
};

struct d3d12_command_list {
    union { /* by type */
        ID3D12GraphicsCommandList8 iface;
        ID3D12VideoDecodeCommandList3 decode;
        ID3D12VideoProcessCommandList3 process;
        ID3D12VideoEncodeCommandList3 encode;
    };
    struct d3d12_child child;
    D3D12_COMMAND_LIST_TYPE type;
    D3D12_COMMAND_LIST_FLAGS flags;
    void *driver;
    annot_context *context;
    enum command_list_state state;
    HRESULT failure; /* the first mistake of this recording: what Close returns */
    struct d3d12_command_allocator *allocator; /* while recording */
    struct allocator_usage *usage;             /* the last recording's allocator's */
    bool has_signature;
    struct root_layout layout; /* of the root signature that is set */
    emu_dispatch next;         /* kernel 0: no pipeline state is set */
    struct d3d12_descriptor_heap
        *heaps[2]; /* set: of views, of samplers; D3D12 holds no reference either */
};

/* `allocator` NULL: as CreateCommandList1, closed. */
HRESULT d3d12_command_list_create(struct d3d12_device *device, D3D12_COMMAND_LIST_TYPE type,
                                  D3D12_COMMAND_LIST_FLAGS flags,
                                  struct d3d12_command_allocator *allocator,
                                  ID3D12PipelineState *state, struct d3d12_command_list **out);

/* NULL for NULL and for somebody else's object. */
struct d3d12_command_list *d3d12_command_list_from(ID3D12CommandList *iface);

/* What lists of every type do alike. The last two are for lists that are recording; others get their message. */
HRESULT d3d12_command_list_close(struct d3d12_command_list *list);
HRESULT d3d12_command_list_reset(struct d3d12_command_list *list,
                                 ID3D12CommandAllocator *allocator_iface,
                                 ID3D12PipelineState *state);
void d3d12_command_list_barrier(struct d3d12_command_list *list, UINT count, const void *barriers,
                                const char *method);
void d3d12_command_list_write_immediate(struct d3d12_command_list *list, UINT count,
                                        const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER *parameters,
                                        const D3D12_WRITEBUFFERIMMEDIATE_MODE *modes);

/* The list's recording is part of the submission with this ticket. */
void d3d12_command_list_submitted(struct d3d12_command_list *list, uint64_t ticket);

#endif
