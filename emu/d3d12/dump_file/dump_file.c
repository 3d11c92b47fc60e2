#include "dump_file/dump_file.h"

#include "base/wide.h"

#define FIRST_BLOBS 16

static struct dump_file *impl_from_preview(ID3D12DevicePreview *iface)
{
    return container_of(iface, struct dump_file, iface);
}

static HRESULT STDMETHODCALLTYPE preview_QueryInterface(ID3D12DevicePreview *iface, REFIID riid,
                                                        void **out)
{
    IUnknown *owner = impl_from_preview(iface)->owner;
    return owner->lpVtbl->QueryInterface(owner, riid, out);
}

static ULONG STDMETHODCALLTYPE preview_AddRef(ID3D12DevicePreview *iface)
{
    IUnknown *owner = impl_from_preview(iface)->owner;
    return owner->lpVtbl->AddRef(owner);
}

static ULONG STDMETHODCALLTYPE preview_Release(ID3D12DevicePreview *iface)
{
    IUnknown *owner = impl_from_preview(iface)->owner;
    return owner->lpVtbl->Release(owner);
}

/* Of another feature, which the emulator doesn't have: what the caller passed stays as it is. */
static void STDMETHODCALLTYPE
preview_GetLinearAlgebraMatrixConversionDestinationInfo(ID3D12DevicePreview *iface, void *desc)
{
    (void)iface, (void)desc;
}

/* Succeeds whatever the driver knows: bits that it doesn't know are ignored. */
static HRESULT STDMETHODCALLTYPE preview_ConfigureDumpFile(ID3D12DevicePreview *iface, UINT options)
{
    atomic_store(&impl_from_preview(iface)->options, options);
    return S_OK;
}

static void STDMETHODCALLTYPE preview_SetDumpFileCallbacks(ID3D12DevicePreview *iface,
                                                           PFN_D3D12_DUMP_FILE_BEGIN begin,
                                                           PFN_D3D12_DUMP_FILE_END end)
{
    struct dump_file *file = impl_from_preview(iface);
    pthread_mutex_lock(&file->lock);
    file->begin = begin;
    file->end = end;
    if (begin != NULL && file->bytes == NULL) /* without memory AddBlobToDumpFile will fail */
        file->bytes = malloc(DUMP_FILE_BLOBS);
    pthread_mutex_unlock(&file->lock);
}

static bool grow(struct dump_file *file)
{
    if (file->blob_count < file->blob_capacity)
        return true;
    const size_t capacity = file->blob_capacity * 2;
    annot_blob *blobs = realloc(file->blobs, capacity * sizeof *blobs);
    if (blobs == NULL)
        return false;
    file->blobs = blobs;
    file->blob_capacity = capacity;
    return true;
}

/* The lock is held. The specification has no codes for the failures. */
static HRESULT add_blob(struct dump_file *file, const void *data, UINT size, UINT64 metadata)
{
    if (!file->in_begin)
        return DXGI_ERROR_INVALID_CALL;
    if (data == NULL || size == 0)
        return E_INVALIDARG;
    if (file->bytes == NULL || size > DUMP_FILE_BLOBS - sizeof metadata ||
        file->used > DUMP_FILE_BLOBS - sizeof metadata - size || !grow(file))
        return E_OUTOFMEMORY;
    unsigned char *copy = file->bytes + file->used - (file->blob_count - 1) * sizeof metadata;
    memcpy(copy, data, size);
    file->blobs[file->blob_count++] = (annot_blob){
        .kind = ANNOT_BLOB_APPLICATION, .metadata = metadata, .data = copy, .size = size};
    file->used += size + (UINT)sizeof metadata;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE preview_AddBlobToDumpFile(ID3D12DevicePreview *iface, void *data,
                                                           UINT size, UINT64 metadata)
{
    struct dump_file *file = impl_from_preview(iface);
    pthread_mutex_lock(&file->lock);
    const HRESULT hr = add_blob(file, data, size, metadata);
    pthread_mutex_unlock(&file->lock);
    return hr;
}

static void STDMETHODCALLTYPE preview_RetainDumpFile(ID3D12DevicePreview *iface, BOOL retain)
{
    atomic_store(&impl_from_preview(iface)->retain, retain != FALSE);
}

static D3D12_DEVICE_ERROR_CODE STDMETHODCALLTYPE
preview_GetDeviceErrorCode(ID3D12DevicePreview *iface)
{
    return (D3D12_DEVICE_ERROR_CODE)atomic_load(&impl_from_preview(iface)->error);
}

static CONST_VTBL ID3D12DevicePreviewVtbl preview_vtable = {
    .QueryInterface = preview_QueryInterface,
    .AddRef = preview_AddRef,
    .Release = preview_Release,
    .GetLinearAlgebraMatrixConversionDestinationInfo =
        preview_GetLinearAlgebraMatrixConversionDestinationInfo,
    .ConfigureDumpFile = preview_ConfigureDumpFile,
    .SetDumpFileCallbacks = preview_SetDumpFileCallbacks,
    .AddBlobToDumpFile = preview_AddBlobToDumpFile,
    .RetainDumpFile = preview_RetainDumpFile,
    .GetDeviceErrorCode = preview_GetDeviceErrorCode,
};

void *dump_file_find(struct dump_file *file, const IID *riid)
{
    return com_same(riid, &IID_ID3D12DevicePreview) ? &file->iface : NULL;
}

/* ---- the flow ---- */

bool dump_file_begin(struct dump_file *file, annot_device_error error)
{
    atomic_store(&file->error, (int)error);
    if (file->path == NULL)
        return false;
    pthread_mutex_lock(&file->lock);
    const PFN_D3D12_DUMP_FILE_BEGIN begin = file->begin;
    file->in_begin = begin != NULL;
    pthread_mutex_unlock(&file->lock);
    const bool wanted = begin == NULL || begin(0) == 1;
    pthread_mutex_lock(&file->lock);
    file->in_begin = false;
    pthread_mutex_unlock(&file->lock);
    return wanted;
}

const annot_blob *dump_file_blobs(struct dump_file *file, const void *kernel, size_t size,
                                  size_t *count)
{
    file->blobs[0] = (annot_blob){.kind = ANNOT_BLOB_KERNEL, .data = kernel, .size = size};
    *count = file->blob_count;
    return file->blobs;
}

bool dump_file_wants_data(const struct dump_file *file)
{
    return (atomic_load(&file->options) & D3D12_DUMP_FILE_DRIVER_OPTION_NO_DATA) == 0;
}

bool dump_file_end(struct dump_file *file, const char *path)
{
    pthread_mutex_lock(&file->lock);
    const PFN_D3D12_DUMP_FILE_END end = file->end;
    pthread_mutex_unlock(&file->lock);
    if (end != NULL) {
        WCHAR *written = wide_from_utf8(path, strlen(path));
        end(written != NULL ? written : file->path);
        free(written);
    }
    return atomic_load(&file->retain);
}

/* ---- life ---- */

bool dump_file_init(struct dump_file *file, void *owner, const char *path, bool retain)
{
    *file = (struct dump_file){.iface = {&preview_vtable}, .owner = owner};
    file->blob_count = 1;
    file->blob_capacity = FIRST_BLOBS;
    file->blobs = calloc(FIRST_BLOBS, sizeof *file->blobs);
    if (file->blobs == NULL)
        return false;
    if (path != NULL && (file->path = wide_from_utf8(path, strlen(path))) == NULL) {
        free(file->blobs);
        return false;
    }
    atomic_init(&file->error, ANNOT_DEVICE_ERROR_NONE);
    atomic_init(&file->retain, retain);
    atomic_init(&file->options, D3D12_DUMP_FILE_DRIVER_OPTION_NO_OVERHEAD);
    pthread_mutex_init(&file->lock, NULL);
    return true;
}

void dump_file_finish(struct dump_file *file)
{
    pthread_mutex_destroy(&file->lock);
    free(file->path);
    free(file->bytes);
    free(file->blobs);
}
