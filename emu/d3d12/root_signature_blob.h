/*
 * Serialized root signatures: a DXBC container with one RTS0 chunk, as D3D12 makes it, but for the container's checksum,
 * which stays zero and is not looked at. All numbers little-endian, 32 bits.
 *
 *     container   "DXBC", checksum 16 bytes, 1, bytes in all, number of chunks, their offsets
 *     chunk       "RTS0", bytes of content
 *     content     version (1 or 2 for 1.0 and 1.1), parameters: number, offset; static samplers: number, offset; flags
 *     parameter   type, visibility, offset of its body
 *     body        constants: register, space, number; descriptor: register, space, [flags in 1.1];
 *                 table: number of ranges, offset; range: type, number, register, space, [flags], table offset
 *
 * Offsets within the content count from its start.
 */
#ifndef D3D12_ROOT_SIGNATURE_BLOB_H
#define D3D12_ROOT_SIGNATURE_BLOB_H

#include "com.h"

#define ROOT_PARAMETERS_MAX 64 /* D3D12_MAX_ROOT_COST: each costs at least one of it */

/* As much of a root signature as the emulator needs: what may be set where. */
struct root_layout {
    D3D12_ROOT_SIGNATURE_FLAGS flags;
    UINT count;
    struct {
        D3D12_ROOT_PARAMETER_TYPE type;
        UINT constants; /* number of 32-bit values */
    } parameters[ROOT_PARAMETERS_MAX];
};

/* Reads a serialized root signature; any bytes are allowed. False when it is none or says more than D3D12 permits. */
bool root_layout_read(const void *blob, size_t size, struct root_layout *out);

/* Serializes 1.0 and 1.1. E_INVALIDARG for what D3D12 doesn't permit. */
HRESULT root_signature_write(const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *desc, ID3DBlob **out);

#endif
