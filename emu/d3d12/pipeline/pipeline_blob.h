/*
 * Pipeline states as bytes that a later process reads: ID3D12PipelineState::GetCachedBlob and
 * ID3D12PipelineLibrary::Serialize. Numbers are little-endian; equal states make equal bytes.
 *
 *     header   magic 4, version 4, bytes in all 8, adapter 8, driver 8, hash 8 of the rest
 *     record   kind 4, kernel 4, digest of the description 8
 *
 * The adapter is the emulated GPU or, for the driver "warp", the processor; the driver is a hash of
 * its name. A cached blob is a header with magic "EMUP" and a record. A library is a header with
 * magic "EMUL" and the contents that pipeline_library.c describes.
 */
#pragma once

#include "base/bytes.h"
#include "pipeline/pipeline_desc.h"

#define PIPELINE_BLOB_STATE   0x50554d45u /* "EMUP" */
#define PIPELINE_BLOB_LIBRARY 0x4c554d45u /* "EMUL" */
#define PIPELINE_BLOB_HEADER  40u
#define PIPELINE_RECORD_SIZE  16u

struct pipeline_record {
    uint32_t kind;   /* enum pipeline_kind */
    uint32_t kernel; /* emu_kernel; 0: none */
    uint64_t digest;
};

/* The header's numbers for a device's adapter and driver. */
uint64_t pipeline_blob_adapter(const struct d3d12_device *device);
uint64_t pipeline_blob_driver(const struct d3d12_device *device);

/* Writes the header; pipeline_blob_end completes it after the content. */
void pipeline_blob_begin(struct byte_writer *writer, const struct d3d12_device *device,
                         uint32_t magic);
void pipeline_blob_end(struct byte_writer *writer);

/* Opens a blob. Any bytes are allowed; more may follow the blob. E_INVALIDARG: it is damaged, or
 * not the emulator's. D3D12_ERROR_ADAPTER_NOT_FOUND, D3D12_ERROR_DRIVER_VERSION_MISMATCH: it is
 * whole, but of another adapter or driver. */
HRESULT pipeline_blob_open(const struct d3d12_device *device, uint32_t magic, const void *data,
                           size_t size, struct bytes *content);

struct pipeline_record pipeline_record_of(const struct pipeline_desc *desc);
bool pipeline_record_same(const struct pipeline_record *a, const struct pipeline_record *b);
void pipeline_record_put(struct byte_writer *writer, const struct pipeline_record *record);
bool pipeline_record_read(struct bytes bytes, size_t offset, struct pipeline_record *out);
