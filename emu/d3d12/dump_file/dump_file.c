#include "dump_file/dump_file.h"

#include "array.h"
#include "base/wide.h"
#include "dump_file/folder.h"
#include "gate.h"

#define FIRST_BLOBS  16
#define KERNEL_BLOBS 2

static struct dump_file *impl_from_preview(ID3D12DevicePreview *iface)
{
    return container_of(iface, struct dump_file, iface);
}

COM_FACE(preview, ID3D12DevicePreview, impl_from_preview(iface)->owner)

/* This method belongs to another feature, which the emulator lacks: the caller's structure does not
 * change. */
static void STDMETHODCALLTYPE
preview_GetLinearAlgebraMatrixConversionDestinationInfo(ID3D12DevicePreview *iface, void *desc)
{
    (void)iface, (void)desc;
}

/* Returns the options for the driver: NO_DATA alone, or else only the highest overhead that was
 * requested. */
static uint32_t effective_options(uint32_t options)
{
    const uint32_t none = D3D12_DUMP_FILE_DRIVER_OPTION_NO_OVERHEAD,
                   medium = D3D12_DUMP_FILE_DRIVER_OPTION_MEDIUM_OVERHEAD,
                   high = D3D12_DUMP_FILE_DRIVER_OPTION_HIGH_OVERHEAD;
    if (options & D3D12_DUMP_FILE_DRIVER_OPTION_NO_DATA)
        return D3D12_DUMP_FILE_DRIVER_OPTION_NO_DATA;
    return (options & ~(none | medium | high)) | (options & high     ? high
                                                  : options & medium ? medium
                                                                     : none);
}

/* Gives the driver its options. False: the driver doesn't take them. */
static bool set_options(struct dump_file *file, uint32_t options)
{
    const uint32_t effective = effective_options(options);
    atomic_store(&file->options, effective);
    return file->desc.driver->dump_file && file->desc.driver->dump_file->pfnSetDumpFileOptions(
                                               (D3D12DDI_HDEVICE){file->desc.driver_device},
                                               (D3D12DDI_DUMP_FILE_OPTIONS_0121)effective) >= 0;
}

/* Always succeeds: the driver ignores bits that it doesn't know. With NO_DATA all other bits are
 * ignored. */
static HRESULT STDMETHODCALLTYPE preview_ConfigureDumpFile(ID3D12DevicePreview *iface,
                                                           D3D12_DUMP_FILE_DRIVER_OPTIONS options)
{
    struct dump_file *file = impl_from_preview(iface);
    if (file->desc.options != 0)
        return S_OK;
    const bool is_taken = set_options(file, options);
    const uint32_t unknown =
        (uint32_t)options &
        ~(file->desc.driver->dump_file ? file->desc.driver->dump_file_options : 0);
    if (!(options & D3D12_DUMP_FILE_DRIVER_OPTION_NO_DATA) && (unknown || !is_taken))
        messages_emit(
            file->desc.messages, D3D12_MESSAGE_CATEGORY_EXECUTION, D3D12_MESSAGE_SEVERITY_WARNING,
            D3D12_MESSAGE_ID_DUMP_FILE_DRIVER_OPTION_NOT_SUPPORTED,
            "ConfigureDumpFile: the driver does not support 0x%x of the options 0x%x; "
            "DumpFileDriverOptionsMask of D3D12_FEATURE_DUMP_FILE has the supported options",
            unknown ? unknown : (uint32_t)options, (uint32_t)options);
    return S_OK;
}

/* Makes room for a file in the folder of dump files. */
static void make_room(const struct dump_file *file)
{
    if (file->desc.path && dump_folder_is(file->desc.path))
        dump_folder_make_room(file->desc.path);
}

static void STDMETHODCALLTYPE preview_SetDumpFileCallbacks(ID3D12DevicePreview *iface,
                                                           D3D12_DUMPFILEBEGINCALLBACK begin,
                                                           D3D12_DUMPFILEENDCALLBACK end)
{
    struct dump_file *file = impl_from_preview(iface);
    emu_lock(&file->lock);
    file->begin = begin;
    file->end = end;
    if (begin && !file->bytes) /* if memory runs out, AddBlobToDumpFile will fail */
        file->bytes = malloc(DUMP_FILE_BLOBS);
    emu_unlock(&file->lock);
    if (file->desc.on_demand && (begin || end))
        make_room(file);
}

/* The reasons for refusing a blob. The specification has no codes for them, and the published
 * message numbers have no texts. */
static const struct refusal {
    HRESULT result;
    int message;
    const char *why;
} outside_begin = {DXGI_ERROR_INVALID_CALL, EMU_MESSAGE_INVALID_ARGUMENT,
                   "a blob can be added only during the Begin callback"},
  no_address = {E_INVALIDARG, D3D12_MESSAGE_ID_DUMP_FILE_APP_BLOB_INVALID_ADDRESS, "pData is NULL"},
  no_size = {E_INVALIDARG, D3D12_MESSAGE_ID_DUMP_FILE_APP_BLOB_INVALID_SIZE, "the size is 0"},
  no_room = {E_OUTOFMEMORY, D3D12_MESSAGE_ID_DUMP_FILE_APP_BLOB_OUT_OF_MEMORY,
             "the blob doesn't fit: all blobs and their metadata together may have at most 2 MiB"};

/* Adds a blob. Returns NULL, or the reason for a refusal. The lock is held. */
static const struct refusal *add_blob(struct dump_file *file, const void *data, UINT size,
                                      UINT64 metadata)
{
    if (!file->in_begin)
        return &outside_begin;
    if (!data)
        return &no_address;
    if (size == 0)
        return &no_size;
    if (!file->bytes || size > DUMP_FILE_BLOBS - sizeof metadata ||
        file->used > DUMP_FILE_BLOBS - sizeof metadata - size ||
        !ARRAY_ROOM(file->blobs, file->blob_count, file->blob_capacity))
        return &no_room;
    unsigned char *copy =
        file->bytes + file->used - (file->blob_count - KERNEL_BLOBS) * sizeof metadata;
    memcpy(copy, data, size);
    file->blobs[file->blob_count++] = (annot_blob){
        .kind = ANNOT_BLOB_APPLICATION, .metadata = metadata, .data = copy, .size = size};
    file->used += size + (UINT)sizeof metadata;
    return NULL;
}

static HRESULT STDMETHODCALLTYPE preview_AddBlobToDumpFile(ID3D12DevicePreview *iface, void *data,
                                                           UINT size, UINT64 metadata)
{
    struct dump_file *file = impl_from_preview(iface);
    emu_lock(&file->lock);
    const struct refusal *refusal = add_blob(file, data, size, metadata);
    emu_unlock(&file->lock);
    if (!refusal)
        return S_OK;
    messages_emit(file->desc.messages, D3D12_MESSAGE_CATEGORY_EXECUTION,
                  D3D12_MESSAGE_SEVERITY_ERROR, refusal->message, "AddBlobToDumpFile: %s",
                  refusal->why);
    return refusal->result;
}

static void STDMETHODCALLTYPE preview_RetainDumpFile(ID3D12DevicePreview *iface, BOOL retain)
{
    struct dump_file *file = impl_from_preview(iface);
    atomic_store(&file->retain, retain != FALSE);
    if (file->desc.on_demand && retain)
        make_room(file);
}

static D3D12_DEVICE_ERROR_CODE STDMETHODCALLTYPE
preview_GetDeviceErrorCode(ID3D12DevicePreview *iface)
{
    return (D3D12_DEVICE_ERROR_CODE)atomic_load(&impl_from_preview(iface)->error);
}

static CONST_VTBL ID3D12DevicePreviewVtbl preview_vtable = {
    COM_FACE_ENTRIES(preview),
    COM_METHODS(preview, GetLinearAlgebraMatrixConversionDestinationInfo, ConfigureDumpFile,
                SetDumpFileCallbacks, AddBlobToDumpFile, RetainDumpFile, GetDeviceErrorCode),
};

void *dump_file_find(struct dump_file *file, const IID *riid)
{
    return com_same(riid, &IID_ID3D12DevicePreview) ? &file->iface : NULL;
}

/* ---- the flow ---- */

bool dump_file_begin(struct dump_file *file, annot_device_error error)
{
    atomic_store(&file->error, (int)error);
    if (!file->path)
        return false;
    emu_lock(&file->lock);
    const D3D12_DUMPFILEBEGINCALLBACK begin = file->begin;
    const bool asked = !file->desc.on_demand || begin || file->end || atomic_load(&file->retain);
    file->in_begin = begin != NULL;
    emu_unlock(&file->lock);
    const bool wanted = begin ? begin(0) == 1 : asked;
    emu_lock(&file->lock);
    file->in_begin = false;
    emu_unlock(&file->lock);
    return wanted;
}

const annot_blob *dump_file_blobs(struct dump_file *file, const struct dump_file_kernel *kernel,
                                  size_t *count)
{
    file->blobs[0] =
        (annot_blob){.kind = ANNOT_BLOB_KERNEL, .data = kernel->data, .size = kernel->size};
    file->blobs[1] = (annot_blob){.kind = ANNOT_BLOB_KERNEL_DRIVER,
                                  .data = kernel->driver_data,
                                  .size = kernel->driver_data != NULL ? kernel->driver_size : 0};
    *count = file->blob_count;
    return file->blobs;
}

bool dump_file_wants_data(const struct dump_file *file)
{
    return (atomic_load(&file->options) & D3D12_DUMP_FILE_DRIVER_OPTION_NO_DATA) == 0;
}

/* Asks the driver for a blob. Returns the blob's bytes, at most `given`; 0: no blob. */
static size_t ask(struct dump_file *file, D3D12DDI_DEBUG_BLOB_TYPE type, size_t given,
                  const struct dump_file_kernel *kernel, bool *is_honest)
{
    D3D12DDI_DEBUG_BLOB blob = {type, given, file->driver_blob};
    memset(file->driver_blob, 0, given);
    const int32_t hr = file->desc.driver->dump_file->pfnGetDebugBlob(
        (D3D12DDI_HDEVICE){file->desc.driver_device}, kernel->data, kernel->size, &blob);
    if (hr < 0)
        return 0;
    if (blob.DebugBlobSize > given)
        *is_honest = false;
    return blob.DebugBlobSize <= given ? blob.DebugBlobSize : given;
}

bool dump_file_ask_driver(struct dump_file *file, const void *kernel, size_t size,
                          annot_crash_report *report)
{
    bool is_honest = true;
    const struct dump_file_kernel of = {.data = kernel, .size = size};
    D3D12DDI_DEBUG_BLOB_DETAILS details[] = {
        {D3D12DDI_DEBUG_BLOB_FULL, DUMP_FILE_DRIVER_BLOB},
        {D3D12DDI_DEBUG_BLOB_MINI, DUMP_FILE_DRIVER_BLOB < D3D12DDI_MINI_DEBUG_BLOB_MAX_SIZE_0121
                                       ? DUMP_FILE_DRIVER_BLOB
                                       : D3D12DDI_MINI_DEBUG_BLOB_MAX_SIZE_0121}};
    if (!file->driver_blob)
        return true;
    report->blob = file->driver_blob;
    report->blob_size = 0;
    D3D12DDI_DEBUG_BLOB_INFO info = {2, details};
    const int32_t hr = file->desc.driver->dump_file->pfnGetDebugBlobInfo(
        (D3D12DDI_HDEVICE){file->desc.driver_device}, kernel, size, &info);
    if (hr < 0)
        return true;
    for (int i = 0; i < 2 && report->blob_size == 0; i++)
        if (details[i].DebugBlobSize > DUMP_FILE_DRIVER_BLOB)
            is_honest = false;
        else if (details[i].DebugBlobSize != 0)
            report->blob_size =
                ask(file, details[i].DebugBlobType, details[i].DebugBlobSize, &of, &is_honest);
    return is_honest;
}

bool dump_file_end(struct dump_file *file, const char *path)
{
    emu_lock(&file->lock);
    const D3D12_DUMPFILEENDCALLBACK end = file->end;
    emu_unlock(&file->lock);
    if (end) {
        WCHAR *written = wide_from_utf8(path, strlen(path));
        end(written ? written : file->path);
        free(written);
    }
    return atomic_load(&file->retain);
}

/* ---- life ---- */

bool dump_file_init(struct dump_file *file, void *owner, const struct dump_file_desc *desc)
{
    const char *path = desc->path;
    *file = (struct dump_file){.iface = {&preview_vtable}, .owner = owner, .desc = *desc};
    atomic_init(&file->error, ANNOT_DEVICE_ERROR_NONE);
    atomic_init(&file->retain, desc->retain);
    pthread_mutex_init(&file->lock, NULL);
    file->blob_count = KERNEL_BLOBS;
    file->blob_capacity = FIRST_BLOBS;
    file->blobs = calloc(FIRST_BLOBS, sizeof *file->blobs);
    if (!file->blobs || (path && (file->path = wide_from_utf8(path, strlen(path))) == NULL) ||
        (path && desc->driver->dump_file &&
         (file->driver_blob = malloc(DUMP_FILE_DRIVER_BLOB)) == NULL))
        return false;
    if (!desc->on_demand || desc->retain)
        make_room(file);
    set_options(file,
                desc->options != 0 ? desc->options : D3D12_DUMP_FILE_DRIVER_OPTION_NO_OVERHEAD);
    return true;
}

void dump_file_finish(struct dump_file *file)
{
    pthread_mutex_destroy(&file->lock);
    free(file->path);
    free(file->driver_blob);
    free(file->bytes);
    free(file->blobs);
}
