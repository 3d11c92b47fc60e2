/* ID3DBlob: bytes with a reference count. */
#pragma once

#include "base/com.h"

/* Makes a blob of `size` zeroed bytes with one reference; NULL: out of memory. */
ID3DBlob *d3d12_blob_create(SIZE_T size);
