#include "pipeline/pipeline_blob.h"

#include "device/device.h"

static uint64_t hash_of(const struct pipeline_blob *blob)
{
    return hash_bytes(HASH_BEGIN, blob, offsetof(struct pipeline_blob, hash));
}

struct pipeline_blob pipeline_blob_make(const struct d3d12_device *device, uint64_t magic,
                                        uint64_t digest)
{
    const char *name = device->driver->annot.name;
    struct pipeline_blob blob = {.magic = magic,
                                 .adapter = strcmp(name, "warp") == 0 ? 2 : 1,
                                 .driver = hash_bytes(HASH_BEGIN, name, strlen(name)),
                                 .digest = digest};
    blob.hash = hash_of(&blob);
    return blob;
}

HRESULT pipeline_blob_compare(const struct pipeline_blob *wanted, const void *data, size_t size)
{
    struct pipeline_blob found;
    if (!data || size < sizeof found)
        return E_INVALIDARG;
    memcpy(&found, data, sizeof found);
    if (found.magic != wanted->magic || found.hash != hash_of(&found))
        return E_INVALIDARG;
    if (found.adapter != wanted->adapter)
        return D3D12_ERROR_ADAPTER_NOT_FOUND;
    if (found.driver != wanted->driver)
        return D3D12_ERROR_DRIVER_VERSION_MISMATCH;
    return found.digest == wanted->digest ? S_OK : S_FALSE;
}
