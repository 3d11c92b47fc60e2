/* ID3D12DebugDevice: its switches, and the report of live objects. */
#ifndef D3D12_DEBUG_DEVICE_H
#define D3D12_DEBUG_DEVICE_H

#include "base/com.h"

#include <pthread.h>

struct debug_device {
    ID3D12DebugDevice2 device2;
    ID3D12DebugDevice1 device1; /* no ancestor of 2 */
    pthread_mutex_t lock;
    D3D12_DEBUG_FEATURE features;
    D3D12_DEBUG_DEVICE_GPU_BASED_VALIDATION_SETTINGS validation;
    D3D12_DEBUG_DEVICE_GPU_SLOWDOWN_PERFORMANCE_FACTOR slowdown;
};

void debug_device_init(struct debug_device *debug);
void debug_device_finish(struct debug_device *debug);

/* The face of that ID, without a reference; NULL: none. */
void *debug_device_find(struct debug_device *debug, const IID *riid);

#endif
