#include "pipeline/pipeline_library.h"

#include "device/device.h"
#include "pipeline/pipeline_state.h"
#include "base/wide.h"
#include "gate.h"

#define LIBRARY_INVALID(library, id, ...)                                                          \
    d3d12_child_invalid(&(library)->child, D3D12_MESSAGE_ID_##id, __VA_ARGS__)

D3D12_CHILD_METHODS(d3d12_pipeline_library, ID3D12PipelineLibrary1)

/* ---- entries; the lock is held, or the library is being made or destroyed ---- */

static uint64_t hash_of(const WCHAR *name)
{
    return hash_bytes(HASH_BEGIN, name, wide_length(name) * sizeof *name);
}

static struct pipeline_entry *find(const struct d3d12_pipeline_library *library, uint64_t name)
{
    struct pipeline_entry *entry;
    HASH_FIND(hh, library->entries, &name, sizeof name, entry);
    return entry;
}

/* Adds a state; E_INVALIDARG: the name is taken. */
static HRESULT insert(struct d3d12_pipeline_library *library, uint64_t name,
                      struct d3d12_pipeline_state *state)
{
    bool hash_add_failed = false; /* uthash sets it if memory runs out */
    if (find(library, name))
        return E_INVALIDARG;
    struct pipeline_entry *entry = calloc(1, sizeof *entry);
    if (!entry)
        return E_OUTOFMEMORY;
    entry->state = state;
    entry->name = name;
    HASH_ADD(hh, library->entries, name, sizeof name, entry);
    if (hash_add_failed) {
        free(entry);
        return E_OUTOFMEMORY;
    }
    d3d12_child_add_private_ref(&state->child);
    return S_OK;
}

/* ---- methods ---- */

static HRESULT STDMETHODCALLTYPE d3d12_pipeline_library_StorePipeline(
    ID3D12PipelineLibrary1 *iface, LPCWSTR name, ID3D12PipelineState *state_iface)
{
    struct d3d12_pipeline_library *library = impl_from_ID3D12PipelineLibrary1(iface);
    struct d3d12_pipeline_state *state = d3d12_pipeline_state_from(state_iface);
    if (!name)
        return LIBRARY_INVALID(library, STOREPIPELINE_NONAME,
                               "ID3D12PipelineLibrary::StorePipeline: pName must not be NULL");
    if (!state || state->child.device != library->child.device)
        return d3d12_child_invalid(&library->child, EMU_MESSAGE_INVALID_ARGUMENT,
                                   "ID3D12PipelineLibrary::StorePipeline: pPipeline must be a "
                                   "pipeline state of this device");
    emu_lock(&library->lock);
    const HRESULT hr = insert(library, hash_of(name), state);
    emu_unlock(&library->lock);
    if (hr != E_INVALIDARG)
        return hr;
    return LIBRARY_INVALID(library, STOREPIPELINE_DUPLICATENAME,
                           "ID3D12PipelineLibrary::StorePipeline: the library already has a "
                           "pipeline state of this name");
}

/* Finds the state of this name, with a reference. The lock is held. */
static HRESULT find_state(struct d3d12_pipeline_library *library, const char *method,
                          const WCHAR *name, const struct pipeline_desc *desc,
                          struct d3d12_child **out)
{
    const struct pipeline_entry *entry = name ? find(library, hash_of(name)) : NULL;
    if (!entry)
        return LIBRARY_INVALID(library, LOADPIPELINE_NAMENOTFOUND,
                               "%s: the library has no pipeline state of this name", method);
    if (entry->state->digest != pipeline_desc_digest(desc))
        return LIBRARY_INVALID(
            library, LOADPIPELINE_INVALIDDESC,
            "%s: the description differs from the library's pipeline state of this name", method);
    *out = &entry->state->child;
    d3d12_child_revive(*out);
    return S_OK;
}

/* `hr` is the result of reading the description. */
static HRESULT load(HRESULT hr, struct d3d12_pipeline_library *library, const char *method,
                    const WCHAR *name, const struct pipeline_desc *desc, const IID *riid,
                    void **out)
{
    struct d3d12_child *state;
    if (FAILED(hr))
        return hr;
    emu_lock(&library->lock);
    hr = find_state(library, method, name, desc, &state);
    emu_unlock(&library->lock);
    return SUCCEEDED(hr) ? d3d12_child_give(state, riid, out) : hr;
}

#define LOAD_STATE(I, Load, Desc, read_desc)                                                       \
    static HRESULT STDMETHODCALLTYPE d3d12_pipeline_library_##Load(                                \
        ID3D12PipelineLibrary1 *iface, LPCWSTR name, const Desc *desc, REFIID riid, void **out)    \
    {                                                                                              \
        static const char method[] = #I "::" #Load;                                                \
        struct d3d12_pipeline_library *library = impl_from_ID3D12PipelineLibrary1(iface);          \
        struct pipeline_desc read;                                                                 \
        HRESULT hr = d3d12_device_begin_creation(library->child.device, out);                      \
        if (SUCCEEDED(hr))                                                                         \
            hr = read_desc(library->child.device, method, desc, &read);                            \
        return load(hr, library, method, name, &read, riid, out);                                  \
    }
LOAD_STATE(ID3D12PipelineLibrary, LoadGraphicsPipeline, D3D12_GRAPHICS_PIPELINE_STATE_DESC,
           d3d12_pipeline_desc_read_graphics)
LOAD_STATE(ID3D12PipelineLibrary, LoadComputePipeline, D3D12_COMPUTE_PIPELINE_STATE_DESC,
           d3d12_pipeline_desc_read_compute)
LOAD_STATE(ID3D12PipelineLibrary1, LoadPipeline, D3D12_PIPELINE_STATE_STREAM_DESC,
           d3d12_pipeline_desc_read_stream)

static SIZE_T STDMETHODCALLTYPE
d3d12_pipeline_library_GetSerializedSize(ID3D12PipelineLibrary1 *iface)
{
    (void)iface;
    return sizeof(struct pipeline_blob);
}

static HRESULT STDMETHODCALLTYPE d3d12_pipeline_library_Serialize(ID3D12PipelineLibrary1 *iface,
                                                                  void *data, SIZE_T size)
{
    struct d3d12_pipeline_library *library = impl_from_ID3D12PipelineLibrary1(iface);
    const struct pipeline_blob blob =
        pipeline_blob_make(library->child.device, PIPELINE_BLOB_LIBRARY, 0);
    if (!data || size < sizeof blob)
        return LIBRARY_INVALID(library, PIPELINELIBRARY_SERIALIZE_NOTENOUGHMEMORY,
                               "ID3D12PipelineLibrary::Serialize: pData is NULL, or "
                               "DataSizeInBytes is below GetSerializedSize");
    memcpy(data, &blob, sizeof blob);
    return S_OK;
}

static CONST_VTBL ID3D12PipelineLibrary1Vtbl d3d12_pipeline_library_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_pipeline_library),
    COM_METHODS(d3d12_pipeline_library, StorePipeline, LoadGraphicsPipeline, LoadComputePipeline,
                GetSerializedSize, Serialize, LoadPipeline),
};

/* ---- life ---- */

static void pipeline_library_release(struct d3d12_child *child)
{
    struct d3d12_pipeline_library *library =
        container_of(child, struct d3d12_pipeline_library, child);
    struct pipeline_entry *entry, *next;
    HASH_ITER(hh, library->entries, entry, next)
    {
        HASH_DELETE(hh, library->entries, entry);
        d3d12_child_release_private_ref(&entry->state->child);
        free(entry);
    }
    pthread_mutex_destroy(&library->lock);
}

static const struct d3d12_child_class pipeline_library_class = {
    .kind = D3D12DDI_HT_PIPELINE_LIBRARY,
    .iids = (const IID *const[]){&IID_ID3D12PipelineLibrary, &IID_ID3D12PipelineLibrary1, NULL},
    .methods = &d3d12_pipeline_library_vtable,
    .release = pipeline_library_release,
};

/* Says why the library refuses the application's bytes. */
static void tell(struct d3d12_device *device, HRESULT hr)
{
    const int id = hr == D3D12_ERROR_ADAPTER_NOT_FOUND
                       ? D3D12_MESSAGE_ID_CREATEPIPELINELIBRARY_ADAPTERVERSIONMISMATCH
                   : hr == D3D12_ERROR_DRIVER_VERSION_MISMATCH
                       ? D3D12_MESSAGE_ID_CREATEPIPELINELIBRARY_DRIVERVERSIONMISMATCH
                       : D3D12_MESSAGE_ID_CREATEPIPELINELIBRARY_INVALIDLIBRARYBLOB;
    d3d12_device_error(device, id,
                       "ID3D12Device1::CreatePipelineLibrary: the blob is damaged, or of "
                       "another driver or adapter: create an empty library");
}

static HRESULT check_blob(struct d3d12_device *device, const void *blob, SIZE_T size)
{
    const struct pipeline_blob wanted = pipeline_blob_make(device, PIPELINE_BLOB_LIBRARY, 0);
    const HRESULT hr = size != 0 ? pipeline_blob_compare(&wanted, blob, size) : S_OK;
    if (FAILED(hr))
        tell(device, hr);
    return hr;
}

HRESULT d3d12_pipeline_library_create(struct d3d12_device *device, const void *blob, SIZE_T size,
                                      struct d3d12_pipeline_library **out)
{
    struct d3d12_pipeline_library *library =
        d3d12_child_begin(device, &pipeline_library_class, sizeof *library);
    if (!library)
        return E_OUTOFMEMORY;
    pthread_mutex_init(&library->lock, NULL);
    *out = library;
    return d3d12_child_end(&library->child, check_blob(device, blob, size));
}
