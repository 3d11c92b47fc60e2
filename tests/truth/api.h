/* D3D12 in C, and what to do when a call fails that never should. */
#pragma once

#define COBJMACROS
#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <annot/d3d12.h>

#include <stdio.h>
#include <stdlib.h>

#define MUST(call)                                                                                 \
    do {                                                                                           \
        const HRESULT must_hr = (call);                                                            \
        if (FAILED(must_hr)) {                                                                     \
            fprintf(stderr, "%s: 0x%08x\n", #call, (unsigned)must_hr);                             \
            abort();                                                                               \
        }                                                                                          \
    } while (0)
