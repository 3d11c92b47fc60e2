/* The children of a device, for ID3D12DebugDevice::ReportLiveDeviceObjects. */
#ifndef D3D12_LIVE_OBJECTS_H
#define D3D12_LIVE_OBJECTS_H

#include "base/com.h"

#include <pthread.h>

struct d3d12_child;
struct d3d12_device;

struct live_objects {
    pthread_mutex_t lock;
    struct d3d12_child *first, **last; /* in the order of their creation */
    size_t count;
};

void live_objects_init(struct live_objects *objects);
void live_objects_finish(struct live_objects *objects);

/* child.c's: from the end of a child's initialisation to the beginning of its end. */
void live_objects_add(struct live_objects *objects, struct d3d12_child *child);
void live_objects_remove(struct live_objects *objects, struct d3d12_child *child);

/* One message on the device, one with the number of its objects for SUMMARY, one on each of them for DETAIL;
 * IGNORE_INTERNAL leaves out what only other objects or the GPU still use. What waits for the GPU to be destroyed is
 * no object any more. */
HRESULT live_objects_report(struct d3d12_device *device, D3D12_RLDO_FLAGS flags);

#endif
