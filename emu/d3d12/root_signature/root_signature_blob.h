/* Serialized root signatures: a DXBC container (dxbc.h) with a chunk RTS0, like D3D12's. All
 * numbers are little-endian and have 32 bits.
 *
 *     content     version (1 to 3 for 1.0 to 1.2), parameters: number, offset;
 *                 static samplers: number, offset; flags
 *     parameter   type, visibility, offset of its body
 *     body        constants: register, space, number; descriptor: register, space, [flags in 1.1];
 *                 table: number of ranges, offset
 *     range       type, number, register, space, [flags], table offset
 *     sampler     the 13 members of D3D12_STATIC_SAMPLER_DESC in its order, [flags in 1.2]
 *
 * Offsets within the content count from its start. */
#pragma once

#include "base/bytes.h"
#include "root_signature/root_desc.h"

/* A root signature's parameters, as far as a command list needs them. */
struct root_layout {
    D3D12_ROOT_SIGNATURE_FLAGS flags;
    UINT count;
    struct {
        D3D12_ROOT_PARAMETER_TYPE type;
        UINT constants; /* how many 32-bit values the argument has */
    } parameters[ROOT_PARAMETERS_MAX];
};

enum root_read { ROOT_READ_OK, ROOT_READ_DAMAGED, ROOT_READ_NONE, ROOT_READ_NO_MEMORY };

/* Reads a root signature from any bytes. ROOT_READ_NONE: the container is complete, but has no root
 * signature. After success, the caller frees the description with root_desc_finish. */
enum root_read root_signature_read(const void *blob, size_t size, struct root_desc *out);
/* Whether the container in `blob` has a root signature. */
bool root_signature_is_in(const void *blob, size_t size);

/* Writes a checked description as bytes, in the description's version. May return E_OUTOFMEMORY. */
HRESULT root_signature_write(const struct root_desc *root, ID3DBlob **out);
