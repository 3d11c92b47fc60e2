/*
 * The part of a DXIL library that state objects need: which functions and subobjects it declares.
 * Code is not read. A library is a DXBC container (dxbc.h) with a chunk RDAT, as
 * DirectXShaderCompiler writes it (DxilRuntimeReflection.h there). All numbers little-endian, 32
 * bits.
 *
 *     content     0x10, number of parts, their offsets from the content's start
 *     part        type, bytes, what the type says:
 *       strings   1: UTF-8, each with its NUL
 *       arrays    2: for each its length and so many numbers
 *       functions 4: number of records, bytes of each; a record: name, unmangled name,
 *                 resources, dependencies, kind of shader, bytes of payload and of attributes, ...
 *       bytes     5
 *       subobjects 6: as functions; a record: kind (D3D12_STATE_SUBOBJECT_TYPE's value), name,
 *                 what the kind says, 4 numbers
 */
#pragma once

#include "base/bytes.h"

/* DXIL's numbers; HIT_GROUP, which is no shader, is ours. */
enum dxil_kind {
    DXIL_FUNCTION = 6,
    DXIL_RAY_GENERATION = 7,
    DXIL_INTERSECTION = 8,
    DXIL_ANY_HIT = 9,
    DXIL_CLOSEST_HIT = 10,
    DXIL_MISS = 11,
    DXIL_CALLABLE = 12,
    DXIL_HIT_GROUP = 256
};

struct dxil_table {
    struct bytes records;
    uint32_t count, stride;
};

struct dxil_library {
    struct bytes strings, arrays, raw;
    struct dxil_table functions, subobjects;
};

struct dxil_function {
    const char *name, *unmangled; /* the library's own */
    uint32_t kind, payload, attributes;
};

#define DXIL_SUBOBJECT_VALUES 4

struct dxil_subobject {
    uint32_t kind;
    const char *name;
    uint32_t values[DXIL_SUBOBJECT_VALUES];
};

/* Any bytes are allowed. False: no whole library. It borrows the bytes. */
bool dxil_library_open(struct bytes container, struct dxil_library *out);

/* False: the record is not all there, or names what isn't. */
bool dxil_library_function(const struct dxil_library *library, uint32_t index,
                           struct dxil_function *out);
bool dxil_library_subobject(const struct dxil_library *library, uint32_t index,
                            struct dxil_subobject *out);

/* NULL: no string begins, or ends, there. */
const char *dxil_library_string(const struct dxil_library *library, uint32_t at);
/* The numbers of the array at `at`. */
bool dxil_library_array(const struct dxil_library *library, uint32_t at, struct bytes *numbers);
