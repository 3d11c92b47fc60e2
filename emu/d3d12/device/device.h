/* A device has a driver, a GPU, a kernel and an annotation device. Its children reference it. */
#pragma once

#include "dred/dred.h"
#include "dump_file/dump_file.h"
#include "history/timeline.h"
#include "base/in_flight.h"
#include "base/newest.h"
#include "base/private_data.h"
#include "base/validation_error.h"
#include "device/adapter.h"
#include "device/config.h"
#include "device/descriptor_table.h"

/* The methods of the device's interfaces, and functions for the kernel: table/device_table.c. */
struct d3d12_device_tables {
    CONST_VTBL device_vtbl *device;
    CONST_VTBL ID3D12DeviceTools2Vtbl *tools; /* methods of both forms */
    CONST_VTBL ID3D12InfoQueue1Vtbl *info_queue;
    CONST_VTBL ID3D12VideoDevice3Vtbl *video;
    CONST_VTBL ID3D12DebugDeviceVtbl *debug_device;
    void (*removed)(void *device, const struct emu_kmd_removal *removal);
    void (*completed)(void *device, void *queue, uint64_t tag);
    void (*history)(void *device, void *queue, uint64_t tag, const struct emu_kmd_history *history);
};

/* The two forms of ID3D12DeviceTools2: the published form, and the form of specification v0.06.
 * Slots 6 and 7 take the same arguments. If a form has no result, its caller ignores the result. */
enum d3d12_letter { LETTER_PUBLISHED, LETTER_V006, LETTERS };
struct device_tools {
    ID3D12DeviceTools2 iface;
    struct d3d12_device *device;
    enum d3d12_letter letter;
};

struct d3d12_device {
    device_iface iface;
    struct device_tools tools[LETTERS];
    ID3D12InfoQueue1 info_queue;
    ID3D12VideoDevice3 video;
    ID3D12DebugDevice debug_device;
    atomic_uint references;
    /* Called when the device's last reference is gone; may be NULL. */
    void (*gone)(struct d3d12_device *device);
    struct d3d12_device *prev, *next; /* previous and next device in device_registry's list */

    struct d3d12_settings settings;
    uint64_t serial; /* the device's number; no other device of the process has it */
    LUID luid;
    struct messages messages;
    struct private_data private_data;
    struct in_flight in_flight;
    struct descriptor_table descriptors;
    struct dred dred;
    struct dump_file dump_file;
    struct history history;

    const emu_driver *driver;
    void *driver_device;
    emu_gpu *gpu;
    struct emu_kmd *kmd;
    annot_device *annot;
    annot_dump_writer *dump_writer; /* the writer is made together with the device, because the
                                       crash handler allocates nothing */

    atomic_int removed_reason; /* an HRESULT, the reason of the removal; S_OK before the removal */
};

/* Makes a device; the caller gets its only reference. */
HRESULT d3d12_device_create(const struct d3d12_adapter_identity *adapter,
                            const struct d3d12_device_tables *tables, struct d3d12_device **out);

HRESULT d3d12_device_query(struct d3d12_device *device, const IID *riid, void **out);
ULONG d3d12_device_add_ref(struct d3d12_device *device);
ULONG d3d12_device_release(struct d3d12_device *device);

/* Returns the device with this interface, or NULL if `iface` is not a device of the emulator. */
struct d3d12_device *d3d12_device_from(void *iface);

static inline struct d3d12_device *impl_from_device_iface(device_iface *iface)
{
    return container_of(iface, struct d3d12_device, iface);
}

static inline bool d3d12_device_is_removed(struct d3d12_device *device)
{
    return atomic_load_explicit(&device->removed_reason, memory_order_acquire) != S_OK;
}

/* Begins each creation of an object: sets *out to NULL, and fails if the device is removed. */
static inline HRESULT d3d12_device_begin_creation(struct d3d12_device *device, void **out)
{
    if (out)
        *out = NULL;
    return d3d12_device_is_removed(device) ? DXGI_ERROR_DEVICE_REMOVED : S_OK;
}

static inline bool d3d12_device_is_seeded(const struct d3d12_device *device)
{
    return device->settings.config.order == EMU_ORDER_SEEDED;
}

/* Emits an error that D3D12's debug layer would report. `id` is D3D12's number for the message, or
 * an emu_message_id if D3D12 has no such message. */
#define d3d12_device_error(device, id, ...)                                                        \
    messages_emit(&(device)->messages, D3D12_MESSAGE_CATEGORY_EXECUTION,                           \
                  D3D12_MESSAGE_SEVERITY_ERROR, (int)(id), __VA_ARGS__)
/* Emits an error as d3d12_device_error does; the macro's value is E_INVALIDARG. */
#define d3d12_device_invalid(device, id, ...)                                                      \
    (d3d12_device_error(device, id, __VA_ARGS__), E_INVALIDARG)
/* Emits an error as d3d12_device_error does; the macro's value is false. */
#define d3d12_device_refused(device, id, ...) (d3d12_device_error(device, id, __VA_ARGS__), false)
#define d3d12_device_warning(device, id, ...)                                                      \
    messages_emit(&(device)->messages, D3D12_MESSAGE_CATEGORY_EXECUTION,                           \
                  D3D12_MESSAGE_SEVERITY_WARNING, (int)(id), __VA_ARGS__)

/* Emits `error` as a message and returns E_INVALIDARG. If `error` is empty, it only returns S_OK.
 * `method` includes the interface's name: "ID3D12Device::CreateHeap". */
HRESULT d3d12_device_refuse(struct d3d12_device *device, const char *method,
                            struct validation_error error);

/* Emits the message that the emulator doesn't model the method. */
void d3d12_device_not_modelled(struct d3d12_device *device, const char *method);

/* ID3D12Device::CheckFeatureSupport: feature.c. */
HRESULT d3d12_device_check_feature(struct d3d12_device *device, D3D12_FEATURE feature, void *data,
                                   UINT size);
#define D3D12_MAX_FEATURE_LEVEL D3D_FEATURE_LEVEL_12_0
