/* What random recordings need of Vulkan: the driver of tests/vulkan, or the system's. */
#pragma once

#include "kit.h"

#define BIND_MUST(condition)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* The system's loader finds the layer, and the layer the settings, in the environment. */
void bind_vulkan_open(struct app *app, const struct app_desc *desc, bool is_driver);
/* Gives it memory. */
void bind_vulkan_back_buffer(struct app *app, VkBuffer buffer);
void bind_vulkan_back_image(struct app *app, VkImage image);
/* The least that is a pipeline. */
VkPipeline bind_vulkan_pipeline(struct app *app, bool is_compute);
/* One that nobody sets; of a driver. */
VkEvent bind_vulkan_event(struct app *app);
/* Until the dump is there. */
void bind_vulkan_wait(struct app *app, bool is_driver, const char *dump);
