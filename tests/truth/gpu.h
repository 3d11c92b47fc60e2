/* The D3D12 objects that a program plays with, and the work that counts itself in GPU memory: a
 * dispatch or draw adds 1 to a word, a write or copy stores 1. */
#pragma once

#include "../d3d12_objects.h"
#include "truth.h"

struct gpu {
    ID3D12Device *device;
    ID3D12RootSignature *root;
    ID3D12PipelineState *add, *draw, *spin, *touch;
    ID3D12Resource *counters; /* WORDS */
    ID3D12Resource *ones;     /* zeros, BUNDLE_WORDS of them, a 1, zeros */
    const uint32_t *words;    /* `counters`, mapped */
    uint64_t counters_at, ones_at;
    ID3D12CommandSignature *signature; /* of a dispatch */
    ID3D12Resource *arguments;         /* one group, 4 times; then a 0 and a 1 of 8 bytes each */
    ID3D12DescriptorHeap *targets;     /* of one render target */
    ID3D12Resource *target;
    ID3D12Resource *tiled; /* reserved; NULL: nobody wanted it */
    ID3D12Heap *tiles;
};

void gpu_open(struct gpu *gpu);
/* Everything but references that others hold. */
void gpu_close(struct gpu *gpu);

void gpu_set_mode(const struct gpu *gpu, bool is_retail);
void gpu_set_dred(enum dred dred);
HRESULT gpu_name(void *object, const char *name); /* NULL: none */

/* Whether lists of this type can. */
bool gpu_can(D3D12_COMMAND_LIST_TYPE type, enum work work);
/* Records work whose counter is this word. In a bundle the word counts from the first one of the
 * execution, which gpu_call sets. `value`: enum work says of what. */
void gpu_work(struct gpu *gpu, ID3D12GraphicsCommandList *list, D3D12_COMMAND_LIST_TYPE type,
              enum work work, uint32_t value, uint32_t word);
/* Ends the pass that WORK_PASS began; the one of WORK_LOST_PASS has ended. */
void gpu_end_pass(ID3D12GraphicsCommandList *list);
void gpu_map_tile(struct gpu *gpu, ID3D12CommandQueue *queue);
void gpu_call(const struct gpu *gpu, ID3D12GraphicsCommandList *list,
              ID3D12GraphicsCommandList *bundle, uint32_t word);
