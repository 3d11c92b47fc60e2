#include "pipeline/pipeline_blob.h"

#include "device/device.h"

#define VERSION 1u

enum { AT_SIZE = 8, AT_ADAPTER = 16, AT_DRIVER = 24, AT_HASH = 32 };

uint64_t pipeline_blob_adapter(const struct d3d12_device *device)
{
    return strcmp(device->driver->annot.name, "warp") == 0 ? 2 : 1;
}

uint64_t pipeline_blob_driver(const struct d3d12_device *device)
{
    const char *name = device->driver->annot.name;
    return hash_bytes(HASH_BEGIN, name, strlen(name));
}

static uint64_t hash_of(struct bytes blob)
{
    const uint64_t hash = hash_bytes(HASH_BEGIN, blob.data, AT_HASH);
    return hash_bytes(hash, blob.data + PIPELINE_BLOB_HEADER, blob.size - PIPELINE_BLOB_HEADER);
}

void pipeline_blob_begin(struct byte_writer *writer, const struct d3d12_device *device,
                         uint32_t magic)
{
    put_u32(writer, magic);
    put_u32(writer, VERSION);
    put_u64(writer, 0);
    put_u64(writer, pipeline_blob_adapter(device));
    put_u64(writer, pipeline_blob_driver(device));
    put_u64(writer, 0);
}

void pipeline_blob_end(struct byte_writer *writer)
{
    patch_u64(writer, AT_SIZE, writer->size);
    if (writer->data)
        patch_u64(writer, AT_HASH, hash_of((struct bytes){writer->data, writer->size}));
}

HRESULT pipeline_blob_open(const struct d3d12_device *device, uint32_t magic, const void *data,
                           size_t size, struct bytes *content)
{
    struct bytes blob = {data, size};
    uint32_t found, version;
    uint64_t length, adapter, driver, hash;
    if (!data || !bytes_u32(blob, 0, &found) || found != magic || !bytes_u32(blob, 4, &version) ||
        version != VERSION || !bytes_u64(blob, AT_SIZE, &length) ||
        !bytes_u64(blob, AT_ADAPTER, &adapter) || !bytes_u64(blob, AT_DRIVER, &driver) ||
        !bytes_u64(blob, AT_HASH, &hash) || length < PIPELINE_BLOB_HEADER || length > size)
        return E_INVALIDARG;
    blob.size = (size_t)length;
    if (hash_of(blob) != hash)
        return E_INVALIDARG;
    if (adapter != pipeline_blob_adapter(device))
        return D3D12_ERROR_ADAPTER_NOT_FOUND;
    if (driver != pipeline_blob_driver(device))
        return D3D12_ERROR_DRIVER_VERSION_MISMATCH;
    *content = (struct bytes){blob.data + PIPELINE_BLOB_HEADER, blob.size - PIPELINE_BLOB_HEADER};
    return S_OK;
}

struct pipeline_record pipeline_record_of(const struct pipeline_desc *desc)
{
    return (struct pipeline_record){(uint32_t)desc->kind, pipeline_desc_kernel(desc),
                                    pipeline_desc_digest(desc)};
}

bool pipeline_record_same(const struct pipeline_record *a, const struct pipeline_record *b)
{
    return a->kind == b->kind && a->kernel == b->kernel && a->digest == b->digest;
}

void pipeline_record_put(struct byte_writer *writer, const struct pipeline_record *record)
{
    put_u32(writer, record->kind);
    put_u32(writer, record->kernel);
    put_u64(writer, record->digest);
}

bool pipeline_record_read(struct bytes bytes, size_t offset, struct pipeline_record *out)
{
    return bytes_u32(bytes, offset, &out->kind) && bytes_u32(bytes, offset + 4, &out->kernel) &&
           bytes_u64(bytes, offset + 8, &out->digest) && out->kind >= PIPELINE_COMPUTE &&
           out->kind <= PIPELINE_MESH;
}
