/* A shader's interface, which the shader's container describes: stage, signatures, bindings, wave
 * size. All numbers are little-endian and have 32 bits, unless the table says otherwise. Offsets
 * count from the start of a part's content.
 *
 *     ISGN OSGN PCSG   elements: number, 8; then each: name's offset, index, system value, type of
 *                      its components, register, mask and use (8 bits each), 0 (16)
 *     OSG5             the same, each after its stream; ISG1, OSG1, PSG1: and with a precision
 *     RDEF             bindings: number at 8, offset at 12; shader model at 16
 *                      each binding: name, type, 3 numbers, register, number, flags; in 5.1 space
 *                      and number
 *     SHEX SHDR        version, length, then instructions: number (11 bits), from bit 24 on the
 *                      length in words (7 bits); a declaration 93 has the primitive from bit 11
 *                      on (6 bits)
 *     PSV0             size of what follows; at 0 a geometry shader's primitive; at 16 the least
 *                      and most lanes of a wave; after it the bindings: number, size of each,
 *                      then each: type, space, first, last
 *
 * DXBC has RDEF, and DXIL has PSV0. Compilers can leave out parts; the contents of a missing part
 * are unknown. */
#pragma once

#include "base/bytes.h"
#include "base/com.h"

struct shader_element {
    const char *name;
    uint32_t index, system_value, type, place;
    unsigned char mask, used; /* bits: components that exist; those that the shader reads */
};

struct shader_binding {
    D3D12_DESCRIPTOR_RANGE_TYPE kind;
    uint32_t space, first, last; /* UINT32_MAX: unbounded */
};

/* The records of one part of a container. The container's bytes must outlive the table. */
struct shader_table {
    struct bytes content;
    size_t first;
    /* Number of records, size of a record, and bytes to skip in each. */
    uint32_t count, stride, head;
};

struct shader_code {
    uint32_t stage; /* an annot_shader_stage */
    struct shader_table inputs, outputs, patch, bindings;
    bool is_dxil;
    uint32_t least_lanes, most_lanes; /* limits of lanes in a wave; 0: no limit */
    uint32_t primitive; /* the D3D_PRIMITIVE that a geometry shader reads; 0: unknown */
};

/* Reads a shader's interface from any bytes. False: the bytes are damaged or have no code. */
bool shader_code_read(const void *data, size_t size, struct shader_code *out);

/* shader_element_at and shader_binding_at return one element. `index` must be below the count. */
struct shader_element shader_element_at(const struct shader_table *signature, uint32_t index);
struct shader_binding shader_binding_at(const struct shader_code *code, uint32_t index);
