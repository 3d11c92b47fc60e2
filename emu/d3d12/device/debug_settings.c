#include "device/debug_settings.h"

void debug_settings_init(struct debug_settings *settings)
{
    *settings = (struct debug_settings){
        .validation = {.MaxMessagesPerCommandList = 256, /* D3D12's own defaults */
                       .DefaultShaderPatchMode =
                           D3D12_GPU_BASED_VALIDATION_SHADER_PATCH_MODE_UNGUARDED_VALIDATION},
    };
    pthread_mutex_init(&settings->lock, NULL);
}

void debug_settings_finish(struct debug_settings *settings)
{
    pthread_mutex_destroy(&settings->lock);
}
