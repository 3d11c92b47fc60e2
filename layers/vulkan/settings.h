/* The settings of a user [docs/VULKAN.md]. The layer reads them when an instance is created. */
#pragma once

#include "../crash/settings.h"

#define VKL_NAME "VK_LAYER_ANNOT_crash"

/* Reads the settings. `next` is VkInstanceCreateInfo's pNext, for VK_EXT_layer_settings. */
void vkl_settings_read(struct crash_settings *settings, const void *next);
