#include "base/blob.h"

#include <stdatomic.h>

struct d3d12_blob {
    ID3DBlob iface;
    atomic_uint references;
    SIZE_T size;
    _Alignas(16) unsigned char bytes[];
};

COM_COUNTED(d3d12_blob, d3d12_blob, ID3DBlob, &IID_ID3D10Blob, free)

COM_GET(LPVOID, ID3DBlob, d3d12_blob_GetBufferPointer, bytes)
COM_GET(SIZE_T, ID3DBlob, d3d12_blob_GetBufferSize, size)

static CONST_VTBL ID3D10BlobVtbl d3d12_blob_vtable = {
    COM_FACE_ENTRIES(d3d12_blob),
    COM_METHODS(d3d12_blob, GetBufferPointer, GetBufferSize),
};

ID3DBlob *d3d12_blob_create(SIZE_T size)
{
    if (size > SIZE_MAX - sizeof(struct d3d12_blob))
        return NULL;
    struct d3d12_blob *blob = calloc(1, sizeof *blob + size);
    if (!blob)
        return NULL;
    blob->iface.lpVtbl = &d3d12_blob_vtable;
    atomic_init(&blob->references, 1);
    blob->size = size;
    return &blob->iface;
}
