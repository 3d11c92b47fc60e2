/*
 * The device: one driver, one GPU, one kernel, one annotation device. Its children hold it.
 */
#ifndef D3D12_DEVICE_H
#define D3D12_DEVICE_H

#include "device/adapter.h"
#include "base/com.h"
#include "device/config.h"
#include "debug/debug_device.h"
#include "view/descriptor_heap.h"
#include "base/destruction.h"
#include "base/in_flight.h"
#include "debug/live_report.h"
#include "base/messages.h"
#include "base/private_data.h"

#include "kmd/kmd.h"
#include "umd/driver.h"

#include <annot/annot.h>
#include <annot/dump.h>
#include <stdatomic.h>

struct d3d12_device {
    ID3D12Device11 iface;
    ID3D12DeviceTools2 tools;
    ID3D12InfoQueue1 info_queue;
    ID3D12VideoDevice3 video;
    struct debug_device debug;
    atomic_uint references;
    struct d3d12_device *next; /* in singleton.c's list */

    struct d3d12_settings settings;
    uint64_t serial; /* no other device of the process ever has it */
    LUID luid;
    struct messages messages;
    struct private_data private_data;
    struct destruction destruction;
    struct in_flight in_flight;
    struct live_objects live;
    struct descriptor_table descriptors;

    const emu_driver *driver;
    void *driver_device;
    emu_gpu *gpu;
    emu_kmd *kmd;
    annot_device *annot;
    annot_dump_writer *dump_writer; /* made ahead: the crash path allocates nothing */

    atomic_int removed_reason; /* HRESULT; S_OK while the device lives */
};

extern CONST_VTBL ID3D12DeviceTools2Vtbl d3d12_device_tools_vtable;
extern CONST_VTBL ID3D12InfoQueue1Vtbl d3d12_info_queue_vtable;
extern CONST_VTBL ID3D12VideoDevice3Vtbl d3d12_video_device_vtable;

/* singleton.c's. */
HRESULT d3d12_device_create(const struct d3d12_adapter_identity *adapter,
                            struct d3d12_device **out);

HRESULT d3d12_device_query(struct d3d12_device *device, const IID *riid, void **out);
ULONG d3d12_device_add_ref(struct d3d12_device *device);
ULONG d3d12_device_release(struct d3d12_device *device);

/* The device behind one of its interfaces; NULL for NULL and for somebody else's. */
struct d3d12_device *d3d12_device_from(void *iface);

static inline struct d3d12_device *impl_from_ID3D12Device11(ID3D12Device11 *iface)
{
    return container_of(iface, struct d3d12_device, iface);
}

static inline bool d3d12_device_is_removed(struct d3d12_device *device)
{
    return atomic_load_explicit(&device->removed_reason, memory_order_acquire) != S_OK;
}

/* Every creation begins alike: nothing is handed out on failure, and a removed device makes nothing. */
static inline HRESULT d3d12_device_begin_creation(struct d3d12_device *device, void **out)
{
    if (out != NULL)
        *out = NULL;
    return d3d12_device_is_removed(device) ? DXGI_ERROR_DEVICE_REMOVED : S_OK;
}

static inline bool d3d12_device_is_seeded(const struct d3d12_device *device)
{
    return device->settings.config.order == EMU_ORDER_SEEDED;
}

/* An error that the debug layer would tell, D3D12's number where it has one, emu_message_id's otherwise. */
#define d3d12_device_error(device, id, ...)                                                        \
    messages_emit(&(device)->messages, D3D12_MESSAGE_CATEGORY_EXECUTION,                           \
                  D3D12_MESSAGE_SEVERITY_ERROR, (int)(id), __VA_ARGS__)
#define d3d12_device_warning(device, id, ...)                                                      \
    messages_emit(&(device)->messages, D3D12_MESSAGE_CATEGORY_EXECUTION,                           \
                  D3D12_MESSAGE_SEVERITY_WARNING, (int)(id), __VA_ARGS__)

/* The one message of a method that the emulator doesn't model. */
void d3d12_device_not_modelled(struct d3d12_device *device, const char *method);

/* device_removed.c: emu_kmd_desc.removed. */
void d3d12_device_removed(void *device, const emu_kmd_removal *removal);

/* feature.c: ID3D12Device::CheckFeatureSupport. */
HRESULT d3d12_device_check_feature(struct d3d12_device *device, D3D12_FEATURE feature, void *data,
                                   UINT size);
#define D3D12_MAX_FEATURE_LEVEL D3D_FEATURE_LEVEL_12_0

#endif
