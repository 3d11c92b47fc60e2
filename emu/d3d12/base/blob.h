/* ID3DBlob: bytes with a reference count. */
#ifndef D3D12_BLOB_H
#define D3D12_BLOB_H

#include "base/com.h"

/* A blob of `size` zeroed bytes with one reference; NULL when out of memory. */
ID3DBlob *d3d12_blob_create(SIZE_T size);

#endif
