#define INITGUID
#include "runtime.h"

#include "case.h"
#include "os.h"

#include <stdio.h>
#include <string.h>

struct runtime the_runtime;

bool runtime_default_path(char *path, size_t size)
{
    static const char *const places[] = {CONFORMANCE_RUNTIME_PLACES};
    char own[OS_PATH_MAX];
    if (!os_own_path(own))
        return false;
    char *slash = strrchr(own, '/'), *back = strrchr(own, '\\');
    if (back && (!slash || back > slash))
        slash = back;
    if (slash)
        slash[1] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const int length = snprintf(path, size, "%s%s", slash ? own : "", places[i]);
        if (length > 0 && (size_t)length < size && os_file_exists(path))
            return true;
    }
    return false;
}

/* Function pointers of any type have one representation here. */
static void resolve(void *library, const char *name, void *member)
{
    const os_function function = os_library_function(library, name);
    memcpy(member, &function, sizeof function);
}

/* A library's exports for calls with structs: it is told their sizes as this program knows them. */
static struct {
    annot_lookup (*lookup)(annot_device *, uint64_t, annot_marker_info *, size_t, void *, size_t);
    void (*get_stats)(const annot_device *, annot_device_stats *, size_t);
    annot_result (*dump_write_file)(annot_dump_writer *, const annot_dump_info *, size_t,
                                    const char *);
} sized;

static annot_lookup lookup(annot_device *device, uint64_t event_id, annot_marker_info *info,
                           void *buffer, size_t capacity)
{
    return sized.lookup(device, event_id, info, sizeof *info, buffer, capacity);
}

static void get_stats(const annot_device *device, annot_device_stats *out)
{
    sized.get_stats(device, out, sizeof *out);
}

static annot_result dump_write_file(annot_dump_writer *writer, const annot_dump_info *info,
                                    const char *path)
{
    return sized.dump_write_file(writer, info, sizeof *info, path);
}

static void resolve_all(void *library)
{
    struct runtime *r = &the_runtime;
    resolve(library, "D3D12CreateDevice", &r->create_device);
    resolve(library, "D3D12GetDebugInterface", &r->get_debug_interface);
    resolve(library, "D3D12SerializeRootSignature", &r->serialize_root_signature);
    resolve(library, ANNOT_CONFORMANCE_SET_DRIVER, &r->set_driver);
    resolve(library, ANNOT_CONFORMANCE_DEVICE, &r->device);
    if (!r->device)
        resolve(library, "emu_annot_device", &r->device);
    resolve(library, "emu_configure", &r->configure);
    resolve(library, "emu_adapter_create", &r->adapter_create);
    resolve(library, "emu_driver_annotation", &r->driver_annotation);
    resolve(library, "emu_run_until_idle", &r->run_until_idle);
    resolve(library, "emu_run_steps", &r->run_steps);
    resolve(library, "emu_advance_clock", &r->advance_clock);
    resolve(library, "emu_force_tdr", &r->force_tdr);
    resolve(library, "emu_kernel_bytecode", &r->kernel_bytecode);
    resolve(library, "emu_begin_event_by_reference", &r->begin_event_by_reference);
    resolve(library, "emu_set_marker_by_reference", &r->set_marker_by_reference);
    resolve(library, "annot_device_lookup_sized", &sized.lookup);
    resolve(library, "annot_device_get_stats_sized", &sized.get_stats);
    resolve(library, "annot_dump_write_file_sized", &sized.dump_write_file);
    resolve(library, "annot_dump_writer_create", &r->dump_writer_create);
    resolve(library, "annot_dump_writer_destroy", &r->dump_writer_destroy);
    r->lookup = sized.lookup ? lookup : NULL;
    r->get_stats = sized.get_stats ? get_stats : NULL;
    r->dump_write_file = sized.dump_write_file ? dump_write_file : NULL;
}

/* Messages are the debug layer's, which has to be asked for before there is a device; a runtime
 * that is built without it has none to give. */
static void enable_debug_layer(void)
{
    ID3D12Debug *debug = NULL;
    if (!the_runtime.get_debug_interface ||
        FAILED(the_runtime.get_debug_interface(&IID_ID3D12Debug, (void **)&debug)))
        return;
    ID3D12Debug_EnableDebugLayer(debug);
    ID3D12Debug_Release(debug);
}

bool runtime_load(const char *path, char *error, size_t error_size)
{
    char reason[512];
    void *library = os_library(path, reason, sizeof reason);
    if (!library) {
        snprintf(error, error_size,
                 "can't load the runtime; give its path with --runtime (./FILE in the current "
                 "folder): %s",
                 reason);
        return false;
    }
    resolve_all(library);
    if (!the_runtime.create_device) {
        snprintf(error, error_size,
                 "%s exports no D3D12CreateDevice; give a D3D12 runtime with --runtime", path);
        return false;
    }
    enable_debug_layer();
    return true;
}

bool runtime_library(char *text, size_t size)
{
    os_function function;
    _Static_assert(sizeof function == sizeof the_runtime.create_device, "one size for functions");
    memcpy(&function, &the_runtime.create_device, sizeof function);
    return os_function_library(function, text, size);
}

static bool takes_annotations(const annot_driver *driver)
{
    const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 *table = driver->annotation;
    return driver->annotation_version == D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0 &&
           table && table->pfnCmdQueueBeginEvent && table->pfnCmdQueueEndEvent &&
           table->pfnCmdQueueSetMarker && table->pfnCmdListBeginEvent &&
           table->pfnCmdListEndEvent && table->pfnCmdListSetMarker && table->pfnSetName;
}

bool runtime_load_driver(const char *path, char *error, size_t error_size)
{
    const annot_driver *driver = NULL;
    if (!the_runtime.configure || !the_runtime.driver_annotation)
        snprintf(
            error, error_size,
            "this runtime loads no drivers; remove --driver, or test the driver on the emulator");
    else if (!(driver = the_runtime.driver_annotation(path)))
        snprintf(error, error_size, "the file is no driver; see include/emu/driver.h: ");
    else if (!takes_annotations(driver))
        snprintf(error, error_size,
                 "%s takes no annotations: its annotation_version is not 0121_0, or a function is "
                 "missing in annotation [ANN-CAPS-04]",
                 path);
    else
        return true;
    return false;
}

static ID3D12Device *probe_device(HRESULT *hr)
{
    ID3D12Device *device = NULL;
    *hr = the_runtime.create_device(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device,
                                    (void **)&device);
    return SUCCEEDED(*hr) ? device : NULL;
}

static bool device_has(REFIID iid)
{
    HRESULT hr;
    IUnknown *face = NULL;
    ID3D12Device *device = probe_device(&hr);
    if (!device)
        return false;
    if (SUCCEEDED(ID3D12Device_QueryInterface(device, iid, (void **)&face)))
        IUnknown_Release(face);
    ID3D12Device_Release(device);
    return face != NULL;
}

static bool has_dred(void)
{
    IUnknown *settings = NULL;
    if (!the_runtime.get_debug_interface ||
        FAILED(the_runtime.get_debug_interface(&IID_ID3D12DeviceRemovedExtendedDataSettings1,
                                               (void **)&settings)))
        return false;
    IUnknown_Release(settings);
    return device_has(&IID_ID3D12DeviceRemovedExtendedData1);
}

static bool has_published(void)
{
    return device_has(&IID_ID3D12DeviceTools2);
}

static bool has_specified(void)
{
    return device_has(&annot_IID_ID3D12DeviceTools2_v006);
}

static bool has_device_tools(void)
{
    return has_published() || has_specified();
}

static bool has_messages(void)
{
    return device_has(&IID_ID3D12InfoQueue);
}

static bool has_preview(void)
{
    return device_has(&IID_ID3D12DevicePreview);
}

static bool has_names(void)
{
    static const WCHAR name[] = {'n', 0};
    WCHAR got[4] = {0};
    UINT size = sizeof got;
    HRESULT hr;
    ID3D12Fence *fence = NULL;
    ID3D12Device *device = probe_device(&hr);
    if (!device)
        return false;
    if (SUCCEEDED(ID3D12Device_CreateFence(device, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence,
                                           (void **)&fence))) {
        hr = ID3D12Fence_SetName(fence, name);
        if (SUCCEEDED(hr))
            hr = ID3D12Fence_GetPrivateData(fence, &WKPDID_D3DDebugObjectNameW, &size, got);
        ID3D12Fence_Release(fence);
    }
    ID3D12Device_Release(device);
    return fence && SUCCEEDED(hr);
}

static bool has_uncopied(void)
{
    return the_runtime.begin_event_by_reference && the_runtime.set_marker_by_reference;
}

static bool has_video(void)
{
    static const D3D12_COMMAND_LIST_TYPE types[] = {D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE,
                                                    D3D12_COMMAND_LIST_TYPE_VIDEO_PROCESS,
                                                    D3D12_COMMAND_LIST_TYPE_VIDEO_ENCODE};
    HRESULT hr;
    ID3D12CommandAllocator *allocator = NULL;
    ID3D12Device *device = probe_device(&hr);
    if (!device)
        return false;
    for (size_t i = 0; i < sizeof types / sizeof types[0] && !allocator; i++)
        if (FAILED(ID3D12Device_CreateCommandAllocator(
                device, types[i], &IID_ID3D12CommandAllocator, (void **)&allocator)))
            allocator = NULL;
    if (allocator)
        ID3D12CommandAllocator_Release(allocator);
    ID3D12Device_Release(device);
    return allocator != NULL;
}

static bool has_configure(void)
{
    return the_runtime.configure != NULL;
}

static bool has_spy(void)
{
    return has_configure() || the_runtime.set_driver;
}

static bool has_lookup(void)
{
    return the_runtime.device != NULL;
}

/* Without a hook nobody misses the functions. */
static bool has_library(void)
{
    return !the_runtime.device || (the_runtime.lookup && the_runtime.get_stats);
}

static bool has_kernels(void)
{
    return the_runtime.kernel_bytecode != NULL;
}

static bool has_hang(void)
{
    return has_configure() && has_kernels();
}

/* In the order of enum case_need. */
static const struct {
    bool (*is_there)(void);
    const char *reason;
} needs_known[CASE_NEEDS] = {
    {has_spy, "needs the calls to the driver: the runtime exports "
              "no " ANNOT_CONFORMANCE_SET_DRIVER},
    {has_configure, "needs the emulator's settings: the runtime exports no emu_configure"},
    {has_lookup, "needs libannot behind the device: the runtime exports "
                 "no " ANNOT_CONFORMANCE_DEVICE},
    {has_configure, "needs a dump: the runtime exports no emu_configure, which sets its path"},
    {has_hang, "needs a hang: the runtime exports no emu_configure"},
    {has_kernels, "needs a compute shader: the runtime exports no emu_kernel_bytecode"},
    {has_messages, "needs messages: the runtime exports no D3D12GetDebugInterface, or its device "
                   "has no ID3D12InfoQueue"},
    {has_dred, "needs DRED: the runtime has no ID3D12DeviceRemovedExtendedDataSettings1, or its "
               "device no ID3D12DeviceRemovedExtendedData1"},
    {has_preview, "needs dump files: the device has no ID3D12DevicePreview"},
    {has_device_tools, "needs ID3D12DeviceTools2, which the device does not have"},
    {has_names, "needs SetName's names: GetPrivateData does not give them"},
    {has_uncopied,
     "needs markers by reference: the runtime exports no emu_begin_event_by_reference"},
    {has_video, "needs video, which the device does not have"},
    {has_published, "needs ID3D12DeviceTools2 as published, which the device does not have"},
    {has_specified, "needs ID3D12DeviceTools2 of the specification v0.06, which the device does "
                    "not have"},
    {has_library, "needs libannot behind the device: the runtime exports " ANNOT_CONFORMANCE_DEVICE
                  ", but not annot_device_lookup_sized and annot_device_get_stats_sized (compile "
                  "annot.c with -DANNOT_BUILDING)"},
};

unsigned runtime_lacks(unsigned needs)
{
    unsigned lacks = 0;
    for (unsigned i = 0; i < CASE_NEEDS; i++)
        if ((needs & 1u << i) && !needs_known[i].is_there())
            lacks |= 1u << i;
    return lacks;
}

const char *runtime_reason(unsigned lacks)
{
    for (unsigned i = 0; i < CASE_NEEDS; i++)
        if (lacks & 1u << i)
            return needs_known[i].reason;
    return NULL;
}

const char *runtime_probe(void)
{
    static char reason[160];
    HRESULT hr;
    ID3D12Device *device = probe_device(&hr);
    if (!device) {
        snprintf(reason, sizeof reason, "D3D12CreateDevice failed with 0x%08x", (unsigned)hr);
        return reason;
    }
    ID3D12Device_Release(device);
    return NULL;
}
