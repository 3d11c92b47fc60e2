#include "device/device.h"

#include "base/result.h"
#include "device/tdr_limit.h"

HRESULT d3d12_device_refuse(struct d3d12_device *device, const char *method,
                            struct validation_error error)
{
    if (!error.text)
        return S_OK;
    return d3d12_device_invalid(device, error.id, "%s: %s", method, validation_words(error).text);
}

void d3d12_device_not_modelled(struct d3d12_device *device, const char *method)
{
    messages_emit(&device->messages, D3D12_MESSAGE_CATEGORY_MISCELLANEOUS,
                  D3D12_MESSAGE_SEVERITY_WARNING, EMU_MESSAGE_NOT_MODELLED,
                  "%s is not part of the emulator", method);
}

/* ---- identity: one object with all interfaces ---- */

/* Interfaces that only a device with the debug layer has, because programs use them to detect the
 * layer. */
static void *find_debug_interface(struct d3d12_device *device, const IID *riid)
{
    if (!device->settings.debug_layer)
        return NULL;
    if (com_same(riid, &IID_ID3D12InfoQueue) || com_same(riid, &IID_ID3D12InfoQueue1))
        return &device->info_queue;
    if (com_same(riid, &IID_ID3D12DebugDevice))
        return &device->debug_device;
    return NULL;
}

static void *find_interface(struct d3d12_device *device, const IID *riid)
{
    static const IID *const main_iids[] = {&IID_ID3D12Object, DEVICE_IIDS};
    static const IID *const tools_iids[] = {&IID_ID3D12DeviceTools, &IID_ID3D12DeviceTools1,
                                            &IID_ID3D12DeviceTools2};
    static const IID *const video_iids[] = {&IID_ID3D12VideoDevice, &IID_ID3D12VideoDevice1,
                                            &IID_ID3D12VideoDevice2, &IID_ID3D12VideoDevice3};
    if (COM_IS_ANY(riid, main_iids))
        return &device->iface;
    if (COM_IS_ANY(riid, tools_iids))
        return &device->tools[LETTER_PUBLISHED];
    if (com_same(riid, &annot_IID_ID3D12DeviceTools2_v006))
        return &device->tools[LETTER_V006];
    if (COM_IS_ANY(riid, video_iids))
        return &device->video;
    void *data = find_debug_interface(device, riid);
    if (!data)
        data = dred_find(&device->dred, riid);
    return data ? data : dump_file_find(&device->dump_file, riid);
}

/* QueryInterface with this identifier gives the struct d3d12_device, without a reference. */
static const IID device_iid = {
    0x1c6f0a8e, 0x93d4, 0x4b57, {0xa2, 0x0d, 0x5e, 0x71, 0xc8, 0x36, 0xb4, 0x9f}};

struct d3d12_device *d3d12_device_from(void *iface)
{
    IUnknown *unknown = iface;
    void *device = NULL;
    if (!unknown || FAILED(unknown->lpVtbl->QueryInterface(unknown, &device_iid, &device)))
        return NULL;
    return device;
}

HRESULT d3d12_device_query(struct d3d12_device *device, const IID *riid, void **out)
{
    if (!out)
        return E_POINTER;
    if (riid && com_same(riid, &device_iid)) {
        *out = device;
        return S_OK;
    }
    return com_hand_out(riid ? find_interface(device, riid) : NULL, riid, out);
}

ULONG d3d12_device_add_ref(struct d3d12_device *device)
{
    return atomic_fetch_add_explicit(&device->references, 1, memory_order_relaxed) + 1;
}

/* ---- life ---- */

static void on_message(void *user, const annot_message *message)
{
    static const D3D12_MESSAGE_SEVERITY severities[] = {
        [ANNOT_SEVERITY_ERROR] = D3D12_MESSAGE_SEVERITY_ERROR,
        [ANNOT_SEVERITY_WARNING] = D3D12_MESSAGE_SEVERITY_WARNING,
        [ANNOT_SEVERITY_INFO] = D3D12_MESSAGE_SEVERITY_INFO,
    };
    struct d3d12_device *device = user;
    messages_emit(&device->messages, D3D12_MESSAGE_CATEGORY_EXECUTION,
                  severities[message->severity], (int)message->id, "%s", message->text);
}

/* Emits the settings that apply, so that a user sees each forced setting [ANN-CONF-05, -06]. */
static void tell_settings(struct d3d12_device *device)
{
    const struct d3d12_settings *settings = &device->settings;
    if (settings->mode[0] != '\0')
        messages_emit(&device->messages, D3D12_MESSAGE_CATEGORY_INITIALIZATION,
                      D3D12_MESSAGE_SEVERITY_INFO, EMU_MESSAGE_ANNOTATION_MODE, "%s",
                      settings->mode);
    if (settings->problem[0] != '\0')
        messages_emit(&device->messages, D3D12_MESSAGE_CATEGORY_INITIALIZATION,
                      D3D12_MESSAGE_SEVERITY_WARNING, EMU_MESSAGE_SETTINGS_IGNORED, "%s",
                      settings->problem);
}

static void print_messages(struct d3d12_device *device)
{
    const char *path = device->settings.messages;
    if (path && !messages_print(&device->messages, path))
        fprintf(stderr,
                "libd3d12: EMU_MESSAGES=%s can't be written; name stderr or a file in a folder "
                "that exists\n",
                path);
}

static size_t waits(void *user, annot_wait *out, size_t capacity)
{
    const struct d3d12_device *device = user;
    return device->kmd ? emu_kmd_waits(device->kmd, out, capacity) : 0;
}

static HRESULT create_annot(struct d3d12_device *device)
{
    const emu_config *config = &device->settings.config;
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    desc.driver = config->annotation != NULL ? config->annotation : &device->driver->annot;
    desc.memory_budget = config->memory_budget;
    desc.force_driver_retail = config->force_driver_retail;
    desc.message = on_message;
    desc.message_user = desc.waits_user = device;
    desc.waits = waits;
    return hresult_from_annot(annot_device_create(&desc, &device->annot));
}

/* Returns the kernel-mode driver; NULL: the built-in driver. */
static const emu_kernel_driver *kernel_driver_of(const struct d3d12_device *device)
{
    const emu_config *config = &device->settings.config;
    if (config->kernel_driver)
        return config->kernel_driver;
    if (device->settings.kernel_driver)
        return device->settings.kernel_driver;
    return strcmp(device->driver->annot.name, "hostile") == 0 && (config->seed & EMU_LIES_KERNEL)
               ? &emu__kernel_driver_hostile
               : NULL;
}

static struct emu_kmd *create_kmd(struct d3d12_device *device,
                                  const struct d3d12_device_tables *tables)
{
    const emu_config *config = &device->settings.config;
    const struct emu_kmd_desc desc = {
        .gpu = device->gpu,
        .seeded = config->order == EMU_ORDER_SEEDED,
        .seed = config->seed,
        .tdr_timeout_ns = config->tdr_timeout_ns,
        .times_work = device->settings.times_work,
        .removed = tables->removed,
        .completed = tables->completed,
        .history = tables->history,
        .driver = kernel_driver_of(device),
        .tdr_payload = (uint32_t)config->tdr_payload,
        .tdr_buffer = config->tdr_buffer,
        .in_flight = config->in_flight,
        .marker_type = (uint32_t)config->marker_type,
        .user = device,
    };
    return emu_kmd_create(&desc);
}

_Static_assert((int)EMU_HANG_AT_DISPATCH == (int)EMU_GPU_HANG_AT_DISPATCH &&
                   (int)EMU_HANG_BEFORE_LIST == (int)EMU_GPU_HANG_BEFORE_LIST &&
                   (int)EMU_HANG_AT_DRAW == (int)EMU_GPU_HANG_AT_DRAW &&
                   (int)EMU_HANG_AT_SUBMISSION == (int)EMU_GPU_HANG_AT_SUBMISSION &&
                   (int)EMU_HANG_AT_MARKER == (int)EMU_GPU_HANG_AT_MARKER &&
                   (int)EMU_HANG_SPINS == (int)EMU_GPU_HANG_SPINS &&
                   (int)EMU_HANG_FAULTS == (int)EMU_GPU_HANG_FAULTS &&
                   (int)EMU_HANG_LOSES == (int)EMU_GPU_HANG_LOSES,
               "the GPU's places and kinds of hangs are the configuration's");

static void set_tables(struct d3d12_device *device, const struct d3d12_device_tables *tables)
{
    device->iface.lpVtbl = &tables->device->older;
    for (int i = 0; i < LETTERS; i++)
        device->tools[i] = (struct device_tools){{tables->tools}, device, (enum d3d12_letter)i};
    device->info_queue.lpVtbl = tables->info_queue;
    device->video.lpVtbl = tables->video;
    device->debug_device.lpVtbl = tables->debug_device;
}

/* Checks the system; stderr gets the reason, because no device with an info queue exists yet. */
static HRESULT check_system(const struct d3d12_settings *settings)
{
    if (settings->kernel_driver_failed)
        return DXGI_ERROR_UNSUPPORTED;
    if (!settings->config.tdr_limits || !tdr_limit_is_reached())
        return S_OK;
    fprintf(stderr,
            "libd3d12: no new device is created: the GPU had too many timeouts within %u s\n",
            TDR_LIMIT_SECONDS);
    return DXGI_ERROR_DEVICE_REMOVED;
}

static void set_clock(struct d3d12_device *device)
{
    const emu_gpu_clock_config *config = &device->settings.config.gpu_clock;
    uint32_t bits = config->stamp_bits;
    if (bits == 0 || bits == EMU_STAMPS_RAW)
        bits = bits == 0 ? 64 : 0;
    emu_gpu_set_clock(device->gpu,
                      &(struct emu_gpu_clock){config->hz, config->ppm, config->offset, bits});
}

/* Makes the GPU and the driver's device; false means out of memory. */
static bool create_hardware(struct d3d12_device *device)
{
    const emu_config *config = &device->settings.config;
    device->gpu = emu_gpu_create();
    if (!device->gpu)
        return false;
    emu_gpu_script_hang(device->gpu, (enum emu_gpu_hang)config->hang.place, config->hang.count,
                        (enum emu_gpu_hang_kind)config->hang.kind);
    set_clock(device);
    device->driver_device = device->driver->device_create(device->gpu, config->seed);
    if (!device->driver_device) {
        emu_gpu_destroy(device->gpu);
        return false;
    }
    if (config->marker_type != D3DWDDM1_3DDI_MARKER_TYPE_NONE)
        device->driver->set_marker_mode(device->driver_device, (uint32_t)config->marker_type, 0);
    return true;
}

/* Makes what the device has besides the hardware. After a failure, all parts can be destroyed. */
static HRESULT create_parts(struct d3d12_device *device, const struct d3d12_device_tables *tables)
{
    const struct d3d12_settings *settings = &device->settings;
    const struct dump_file_desc dump_file = {.driver = device->driver,
                                             .driver_device = device->driver_device,
                                             .messages = &device->messages,
                                             .path = settings->dump_path,
                                             .on_demand = settings->default_folder,
                                             .retain = settings->retain_dump_file,
                                             .options = settings->dump_file_options};
    messages_init(&device->messages);
    private_data_init(&device->private_data, NULL);
    in_flight_init(&device->in_flight);
    dred_init(&device->dred, &device->iface, settings->dred, device->gpu);
    const bool has_history = history_init(&device->history, settings->config.marker_type !=
                                                                D3DWDDM1_3DDI_MARKER_TYPE_NONE);
    if (!dump_file_init(&device->dump_file, &device->iface, &dump_file) || !has_history)
        return E_OUTOFMEMORY;
    print_messages(device);
    tell_settings(device);
    HRESULT hr = create_annot(device);
    if (SUCCEEDED(hr))
        hr = hresult_from_annot(annot_dump_writer_create(device->annot, &device->dump_writer));
    if (SUCCEEDED(hr) && (device->kmd = create_kmd(device, tables)) == NULL)
        hr = E_OUTOFMEMORY;
    return hr;
}

/* Destroys the device. The device has no child any more, so no queue runs. */
static void device_destroy(struct d3d12_device *device)
{
    in_flight_finish(&device->in_flight);
    descriptor_table_finish(&device->descriptors);
    dred_finish(&device->dred);
    history_finish(&device->history);
    dump_file_finish(&device->dump_file);
    private_data_finish(&device->private_data);
    emu_kmd_destroy(device->kmd);
    annot_dump_writer_destroy(device->dump_writer);
    annot_device_destroy(device->annot);
    messages_finish(&device->messages);
    device->driver->device_destroy(device->driver_device);
    emu_gpu_destroy(device->gpu);
    d3d12_settings_finish(&device->settings);
    free(device);
}

HRESULT d3d12_device_create(const struct d3d12_adapter_identity *adapter,
                            const struct d3d12_device_tables *tables, struct d3d12_device **out)
{
    static atomic_uint_fast64_t serials;
    struct d3d12_device *device = calloc(1, sizeof *device);
    if (!device)
        return E_OUTOFMEMORY;
    HRESULT hr = E_OUTOFMEMORY;
    device->serial = atomic_fetch_add(&serials, 1) + 1;
    if (!d3d12_settings_init(&device->settings, device->serial))
        goto err0;
    d3d12_settings_read_user(&device->settings);
    hr = check_system(&device->settings);
    if (FAILED(hr))
        goto err1;
    device->driver = adapter->driver;
    device->luid = adapter->luid;
    set_tables(device, tables);
    atomic_init(&device->references, 1);
    atomic_init(&device->removed_reason, S_OK);
    hr = E_OUTOFMEMORY;
    if (!create_hardware(device))
        goto err1;
    hr = create_parts(device, tables);
    if (FAILED(hr))
        device_destroy(device);
    else
        *out = device;
    return hr;
err1:
    d3d12_settings_finish(&device->settings);
err0:
    free(device);
    return hr;
}

ULONG d3d12_device_release(struct d3d12_device *device)
{
    ULONG left = atomic_fetch_sub_explicit(&device->references, 1, memory_order_acq_rel) - 1;
    if (left == 0) {
        if (device->gone)
            device->gone(device);
        device_destroy(device);
    }
    return left;
}
