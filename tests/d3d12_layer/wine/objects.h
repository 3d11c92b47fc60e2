/* What the programs for Wine's own D3D12 create, with the shaders of shaders.hlsl. */
#pragma once

#define COBJMACROS
#include <unknwn.h>
#include <directx/d3d12.h>
#include <windows.h>

#include <stdbool.h>
#include <stdio.h>

#define MUST(call)                                                                                 \
    do {                                                                                           \
        const HRESULT result_ = (call);                                                            \
        if (FAILED(result_)) {                                                                     \
            printf("%s: 0x%08X\n", #call, (unsigned)result_);                                      \
            fflush(stdout);                                                                        \
            ExitProcess(3);                                                                        \
        }                                                                                          \
    } while (0)

extern ID3D12Device *device; /* the program's, for all functions */
extern ID3D12RootSignature *signature;

extern const D3D12_HEAP_PROPERTIES gpu_heap, readback_heap;
ID3D12Resource *create_resource(const D3D12_HEAP_PROPERTIES *heap, const D3D12_RESOURCE_DESC *desc,
                                D3D12_RESOURCE_STATES state, const WCHAR *name);
ID3D12Resource *create_buffer(const D3D12_HEAP_PROPERTIES *heap, UINT64 size,
                              D3D12_RESOURCE_STATES state, const WCHAR *name);
/* The word that shaders wait for, 0: *host is where the host sees it while the GPU reads. */
ID3D12Resource *create_word(volatile LONG **host);

void create_signature(void);
/* Behind create_signature. Work of a pipeline that spins ends when the word isn't 0. */
ID3D12PipelineState *create_fill(void), *create_spin(void), *create_draw(void),
    *create_draw_spin(void);

/* Groups in x, of 2 in y, of work that spins: the software GPU leaves each thread's loop after
 * 65536 rounds, and so many take hours. */
enum { ENDLESS = 65535 };

/* `constants`: a seed, and how many words of the results are written. */
void dispatch(ID3D12GraphicsCommandList *list, ID3D12PipelineState *pipeline, ID3D12Resource *word,
              ID3D12Resource *results, const UINT constants[2], UINT x, UINT y);

/* False: it is not there after a minute. */
bool appears(const char *file);
