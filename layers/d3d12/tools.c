/* ID3D12DeviceTools2 if the runtime has none, or not the program's version: in the published form,
 * or in the form of specification v0.06. ID3D12DeviceTools2 is an interface of the program's
 * device, with one identity and one reference count [ANN-MODE-08]. If the runtime has the other
 * version, the runtime keeps the mode; otherwise the layer does. The layer keeps markers in either
 * mode. */
#include "../intercept/library.h"
#include "layer.h"
#include "os_process.h"

#include <string.h>

/* Headers that have these interfaces only declare their IIDs. */
ANNOT_D3D12_IID(iid_tools, ANNOT_D3D12_IID_DEVICE_TOOLS);
ANNOT_D3D12_IID(iid_tools1, ANNOT_D3D12_IID_DEVICE_TOOLS1);
ANNOT_D3D12_IID(iid_tools2, ANNOT_D3D12_IID_DEVICE_TOOLS2);

static bool is_iid(const IID *riid, const IID *iid)
{
    return memcmp(riid, iid, sizeof *riid) == 0;
}

static struct layer_tools *impl_from_tools(ID3D12DeviceTools2 *iface)
{
    return (struct layer_tools *)(void *)iface;
}

/* ---- IUnknown, which is the device's ---- */

static IUnknown *whole(ID3D12DeviceTools2 *iface)
{
    return (IUnknown *)(void *)impl_from_tools(iface)->device->object;
}

static HRESULT STDMETHODCALLTYPE tools_QueryInterface(ID3D12DeviceTools2 *iface, REFIID riid,
                                                      void **out)
{
    return whole(iface)->lpVtbl->QueryInterface(whole(iface), riid, out);
}

static ULONG STDMETHODCALLTYPE tools_AddRef(ID3D12DeviceTools2 *iface)
{
    return whole(iface)->lpVtbl->AddRef(whole(iface));
}

static ULONG STDMETHODCALLTYPE tools_Release(ID3D12DeviceTools2 *iface)
{
    return whole(iface)->lpVtbl->Release(whole(iface));
}

/* ---- DeviceTools and DeviceTools1: the runtime's methods, if the runtime has them ---- */

static void STDMETHODCALLTYPE tools_SetNextAllocationAddress(ID3D12DeviceTools2 *iface,
                                                             D3D12_GPU_VIRTUAL_ADDRESS address)
{
    ID3D12DeviceTools *real = object_peek(impl_from_tools(iface)->device->real, &iid_tools);
    if (real)
        real->lpVtbl->SetNextAllocationAddress(real, address);
}

static HRESULT STDMETHODCALLTYPE tools_GetApplicationSpecificDriverState(ID3D12DeviceTools2 *iface,
                                                                         ID3DBlob **blob)
{
    ID3D12DeviceTools1 *real = object_peek(impl_from_tools(iface)->device->real, &iid_tools1);
    if (real)
        return real->lpVtbl->GetApplicationSpecificDriverState(real, blob);
    if (!blob)
        return E_INVALIDARG;
    *blob = NULL;
    return DXGI_ERROR_UNSUPPORTED;
}

static D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_STATUS STDMETHODCALLTYPE
tools_GetApplicationSpecificDriverBlobStatus(ID3D12DeviceTools2 *iface)
{
    ID3D12DeviceTools1 *real = object_peek(impl_from_tools(iface)->device->real, &iid_tools1);
    return real ? real->lpVtbl->GetApplicationSpecificDriverBlobStatus(real)
                : D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_NOT_SPECIFIED;
}

/* ---- the mode, in libannot's numbers, which are the specification's ---- */

static const struct letter {
    const IID *iid;
    unsigned offset; /* difference between this interface's numbers and libannot's */
    int refused;     /* id of the message */
    const char *name;
} letters[LAYER_LETTERS] = {{&iid_tools2, 1, 1465, "as published"},
                            {&annot_IID_ID3D12DeviceTools2_v006, 0, 1464,
                             "of the specification v0.06"}};

/* Returns the runtime's interface; only `letter` distinguishes its calls. NULL: none exists. */
static ID3D12DeviceTools2 *find_face(const struct layer_device *device,
                                     const struct letter **letter)
{
    void *face = NULL;
    for (unsigned i = 0; i < LAYER_LETTERS && !face; i++) {
        *letter = &letters[i];
        face = object_peek(device->real, letters[i].iid);
    }
    return face;
}

static unsigned mode_of(const struct layer_device *device)
{
    const struct letter *letter;
    ID3D12DeviceTools2 *face = find_face(device, &letter);
    return face ? (unsigned)face->lpVtbl->GetUserDefinedAnnotationMode(face) + letter->offset
                : atomic_load(&device->mode);
}

static void set_mode(struct layer_device *device, unsigned mode)
{
    const struct letter *letter;
    ID3D12DeviceTools2 *face = find_face(device, &letter);
    if (face)
        face->lpVtbl->SetUserDefinedAnnotationMode(
            face, (D3D12_USER_DEFINED_ANNOTATION_MODE)(mode - letter->offset));
    else
        atomic_store(&device->mode, mode);
}

static void tell(struct layer_device *device)
{
    char fact[96];
    const struct letter *letter;
    const bool has_face = find_face(device, &letter) != NULL;
    snprintf(fact, sizeof fact, "%s, through the %s ID3D12DeviceTools2%s%s",
             mode_of(device) == ANNOT_MODE_DRIVER_RETAIL ? "DRIVER_RETAIL" : "RUNTIME_ONLY",
             has_face ? "runtime's" : "layer's", has_face ? " " : "", has_face ? letter->name : "");
    annot_device_set_fact(device->crash.annot, "annotation mode", fact);
}

/* Emits the message that the runtime's debug layer would emit, if the device has one. */
static void refuse(const struct layer_device *device, const struct letter *letter, unsigned number)
{
    char text[160];
    ID3D12InfoQueue *queue = object_peek(device->real, iid_of(TYPE_ID3D12InfoQueue));
    if (!queue)
        return;
    snprintf(
        text, sizeof text,
        "SetUserDefinedAnnotationMode: %u is neither RUNTIME_ONLY (%u) nor DRIVER_RETAIL (%u); "
        "the mode does not change",
        number, ANNOT_MODE_RUNTIME_ONLY - letter->offset,
        ANNOT_MODE_DRIVER_RETAIL - letter->offset);
    queue->lpVtbl->AddMessage(queue, D3D12_MESSAGE_CATEGORY_EXECUTION, D3D12_MESSAGE_SEVERITY_ERROR,
                              (D3D12_MESSAGE_ID)letter->refused, text);
}

/* Returns a result, which a caller of the specification's letter doesn't expect, and ignores. */
static HRESULT STDMETHODCALLTYPE tools_SetUserDefinedAnnotationMode(
    ID3D12DeviceTools2 *iface, D3D12_USER_DEFINED_ANNOTATION_MODE number)
{
    const struct layer_tools *tools = impl_from_tools(iface);
    const struct letter *letter = &letters[tools->letter];
    const unsigned mode = (unsigned)number + letter->offset;
    if (mode != ANNOT_MODE_RUNTIME_ONLY && mode != ANNOT_MODE_DRIVER_RETAIL) {
        refuse(tools->device, letter, (unsigned)number);
        return E_INVALIDARG;
    }
    set_mode(tools->device, mode);
    tell(tools->device);
    return S_OK;
}

static D3D12_USER_DEFINED_ANNOTATION_MODE STDMETHODCALLTYPE
tools_GetUserDefinedAnnotationMode(ID3D12DeviceTools2 *iface)
{
    const struct layer_tools *tools = impl_from_tools(iface);
    return (D3D12_USER_DEFINED_ANNOTATION_MODE)(mode_of(tools->device) -
                                                letters[tools->letter].offset);
}

static CONST_VTBL ID3D12DeviceTools2Vtbl tools_vtable = {
    .QueryInterface = tools_QueryInterface,
    .AddRef = tools_AddRef,
    .Release = tools_Release,
    .SetNextAllocationAddress = tools_SetNextAllocationAddress,
    .GetApplicationSpecificDriverState = tools_GetApplicationSpecificDriverState,
    .GetApplicationSpecificDriverBlobStatus = tools_GetApplicationSpecificDriverBlobStatus,
    .SetUserDefinedAnnotationMode = tools_SetUserDefinedAnnotationMode,
    .GetUserDefinedAnnotationMode = tools_GetUserDefinedAnnotationMode,
};

void layer_tools_open(struct layer_device *device)
{
    atomic_init(&device->mode, ANNOT_MODE_RUNTIME_ONLY);
    for (unsigned i = 0; i < LAYER_LETTERS; i++)
        device->tools[i] = (struct layer_tools){{&tools_vtable}, device, i};
    tell(device);
}

/* ---- answers in place of a refusal ---- */

static struct layer_device *device_of(const struct call *call)
{
    const struct layer_mirror *mirror = call->self ? layer_mirror_of(call->self) : NULL;
    return mirror && mirror->kind == LAYER_DEVICE ? mirror->device : NULL;
}

/* Returns the letter; LAYER_LETTERS: another interface was requested. */
static unsigned letter_of(const IID *riid)
{
    for (unsigned i = 0; i < LAYER_LETTERS; i++)
        if (is_iid(riid, letters[i].iid))
            return i;
    return is_iid(riid, &iid_tools) || is_iid(riid, &iid_tools1) ? 0 : LAYER_LETTERS;
}

static bool is_refused(const IID *riid, uint64_t result)
{
    return (uint32_t)result == (uint32_t)E_NOINTERFACE && riid && letter_of(riid) != LAYER_LETTERS;
}

static void answer_query(struct layer_device *device, const IID *riid, void **out, uint64_t *result)
{
    if (!is_refused(riid, *result) || !out)
        return;
    *out = &device->tools[letter_of(riid)];
    tools_AddRef(*out);
    *result = (uint32_t)S_OK;
}

/* If the program requests a device as this interface, the device is made as an ID3D12Device, by a
 * call that all clients see. Without `out` the program only asks whether a device can be made. */
static HRESULT create_device(const struct call *call, const uint64_t *args, void **out)
{
    IUnknown *const adapter = (IUnknown *)(uintptr_t)args[0];
    const D3D_FEATURE_LEVEL level = (D3D_FEATURE_LEVEL)args[1];
    const IID *device = iid_of(TYPE_ID3D12Device);
    ID3D12DeviceFactory *factory = (ID3D12DeviceFactory *)(void *)call->self;
    if (factory)
        return factory->lpVtbl->CreateDevice(factory, adapter, level, device, out);
    typedef HRESULT(WINAPI * export)(IUnknown *, D3D_FEATURE_LEVEL, REFIID, void **);
    void *const found = os_library_function(library_self(), "D3D12CreateDevice");
    export create;
    memcpy(&create, &found, sizeof create);
    return create ? create(adapter, level, device, out) : E_NOINTERFACE;
}

static void answer_creation(const struct call *call, const uint64_t *args, uint64_t *result)
{
    const IID *riid = (const IID *)(uintptr_t)args[2];
    void **out = (void **)(uintptr_t)args[3];
    IUnknown *device = NULL;
    if (!is_refused(riid, *result))
        return;
    HRESULT hr = create_device(call, args, out ? (void **)&device : NULL);
    if (device) {
        hr = device->lpVtbl->QueryInterface(device, riid, out);
        device->lpVtbl->Release(device);
    }
    *result = (uint32_t)hr;
}

/* Answers the specification's feature number with the runtime's answer to the published number. */
static void answer_feature(const struct layer_device *device, const uint64_t *args,
                           uint64_t *result)
{
    D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION data = {TRUE};
    const uint32_t feature = (uint32_t)args[0];
    if ((uint32_t)*result != (uint32_t)E_INVALIDARG || !args[1] ||
        (uint32_t)args[2] != sizeof data || (feature != 73 && feature != ANNOT_D3D12_FEATURE_V006))
        return;
    if (feature != 73 && device->real->lpVtbl->CheckFeatureSupport(device->real, (D3D12_FEATURE)73,
                                                                   &data, sizeof data) < 0)
        data.Supported = TRUE;
    memcpy((void *)(uintptr_t)args[1], &data, sizeof data);
    *result = (uint32_t)S_OK;
}

void layer_tools_answer(struct call *call, const uint64_t *args, uint64_t *result)
{
    const bool is_child = call->method == METHOD_ID3D12DeviceChild_GetDevice;
    if (call->method == METHOD_NONE_D3D12CreateDevice ||
        call->method == METHOD_ID3D12DeviceFactory_CreateDevice) {
        answer_creation(call, args, result);
        return;
    }
    struct layer_device *device = is_child ? layer_device_of_any(call->self) : device_of(call);
    if (!device)
        return;
    if (is_child || call->method == METHOD_IUnknown_QueryInterface)
        answer_query(device, (const IID *)(uintptr_t)args[0], (void **)(uintptr_t)args[1], result);
    else if (call->method == METHOD_ID3D12Device_CheckFeatureSupport)
        answer_feature(device, args, result);
    else if (call->method == METHOD_ID3D12DeviceTools2_SetUserDefinedAnnotationMode ||
             call->method == METHOD_annot_ID3D12DeviceTools2_v006_SetUserDefinedAnnotationMode)
        tell(device);
}
