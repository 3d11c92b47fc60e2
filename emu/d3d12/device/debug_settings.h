/* The settings that ID3D12DebugDevice keeps for the device: settings that change nothing. Its
 * methods are in debug/. */
#pragma once

#include "base/com.h"

#include <pthread.h>

struct debug_settings {
    pthread_mutex_t lock;
    D3D12_DEBUG_FEATURE features;
    D3D12_DEBUG_DEVICE_GPU_BASED_VALIDATION_SETTINGS validation;
    D3D12_DEBUG_DEVICE_GPU_SLOWDOWN_PERFORMANCE_FACTOR slowdown;
};

void debug_settings_init(struct debug_settings *settings);
void debug_settings_finish(struct debug_settings *settings);
