/*
 * DXIL libraries for tests, which have no compiler: a container with what a library declares (RDAT)
 * and no code, laid out as DirectXShaderCompiler's DxilRuntimeReflection.h has it.
 */
#pragma once

#include "kit.h"

enum {
    DXIL_FUNCTION = 6,
    DXIL_RAY_GENERATION,
    DXIL_INTERSECTION,
    DXIL_ANY_HIT,
    DXIL_CLOSEST_HIT,
    DXIL_MISS,
    DXIL_CALLABLE
};

struct dxil_function {
    const char *mangled, *name;
    unsigned kind, payload, attributes;
};

struct dxil_subobject {
    D3D12_STATE_SUBOBJECT_TYPE kind;
    const char *name;
    unsigned numbers[2];    /* a config's; a hit group's type is the first */
    const char *texts[3];   /* a hit group's any hit, closest hit and intersection; an association's
                               subobject */
    const char *exports[4]; /* an association's */
    const void *bytes;      /* a root signature's */
    size_t size;
};

struct dxil_contents {
    const struct dxil_function *functions;
    size_t function_count;
    const struct dxil_subobject *subobjects;
    size_t subobject_count;
    emu_kernel kernel; /* that ray generation runs in the emulator; 0: none */
};

/* malloc'ed. */
D3D12_SHADER_BYTECODE dxil_library(const struct dxil_contents *contents);
void dxil_free(D3D12_SHADER_BYTECODE *library);
