/* A list, a queue and a buffer in which a test reads the texels that the GPU wrote. */
#pragma once

#include "kit.h"

#include "base/abi.h"

struct texels {
    KIT_SCENE;
    ID3D12Resource *readback;
    uint8_t *bytes; /* of the readback buffer */
    ID3D12DescriptorHeap *heaps[4];
    D3D12_CPU_DESCRIPTOR_HANDLE at[4]; /* by heap type; each heap has one descriptor */
};

#define RTV D3D12_DESCRIPTOR_HEAP_TYPE_RTV
#define DSV D3D12_DESCRIPTOR_HEAP_TYPE_DSV
#define UAV D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV

struct texels texels_open(void);
void texels_close(struct texels *s);

/* A texture of 8 times 4 texels. */
D3D12_RESOURCE_DESC texels_desc(DXGI_FORMAT format, D3D12_RESOURCE_FLAGS flags);
/* The same of bytes, a render target. */
static inline D3D12_RESOURCE_DESC texels_target(void)
{
    return texels_desc(DXGI_FORMAT_R8_UINT, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
}
ID3D12Resource *texels_create(struct texels *s, const D3D12_RESOURCE_DESC *desc);

/* Copies a subresource to the start of the readback buffer, rows 256 bytes apart, and runs the
 * list. */
void texels_read_back(struct texels *s, ID3D12Resource *texture, UINT part);

/* One mistake was made: one message with this number, Close returns `hr`, and the list is reset. */
void texels_mistake_and(struct texels *s, HRESULT hr, int id, const char *what);
void texels_mistake(struct texels *s, int id, const char *what); /* E_INVALIDARG */
/* The call does nothing but report. */
void texels_report(struct texels *s, int id, const char *what);
