/* An application that runs on the layer and the mock driver, and the contents of its dump. */
#pragma once

#include "../at_end.h"
#include "calls.h"
#include "mock.h"

#include <annot/reader.h>

struct app {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queues[4];
    VkCommandPool pool;
    struct vkl_device_next vk; /* the layer's functions */
    PFN_vkCmdDispatch dispatch;
    PFN_vkCreateFence create_fence;
    struct vkl_device *layer;
    char dump[64];
};

/* An application's requests; zeros are usual. */
struct app_desc {
    const char *level, *evidence; /* settings */
    const char *dump;             /* NULL: a file in this folder */
    uint32_t api_version;         /* 0: 1.3 */
    const char *extensions[2];
    const void *instance_next, *device_next;
    bool is_pool_resettable;
    bool has_clock; /* the system's; else the watchdog looks when a test does */
};

void app_open(struct app *app, const struct app_desc *desc);
void app_close(struct app *app);

/* Opens `app`, which the block's end closes. */
#define APP(...)                                                                                   \
    AT_END(app_close) struct app app;                                                              \
    app_open(&app, &(struct app_desc){.dump = NULL, __VA_ARGS__})

/* Another device of the application's instance: with queues and a pool of its own. */
void app_open_device(struct app *app, const struct app_desc *desc);
void app_close_device(struct app *app);

VkCommandBuffer app_allocate(struct app *app, VkCommandBufferLevel level);
/* Records by a script, a word each:
 *     {name   label begins     }  label ends     .name  label of a point
 *     wN      work N           [  ]  render pass        S  executes `secondary`
 *     <  >    dynamic rendering                         !  &  the same, suspended and resumed
 *     ^       the same, with two views
 */
void app_record(struct app *app, VkCommandBuffer buffer, VkCommandBufferUsageFlags flags,
                const char *script, VkCommandBuffer secondary);
/* The same with vkBeginCommandBuffer and vkEndCommandBuffer by the caller. */
void app_write(struct app *app, VkCommandBuffer buffer, const char *script,
               VkCommandBuffer secondary);
/* A new command buffer of the script. */
VkCommandBuffer app_command(struct app *app, const char *script);
/* The same without a script: it is recording. */
VkCommandBuffer app_begin(struct app *app);
VkResult app_submit(struct app *app, VkCommandBuffer buffer, VkFence fence);
/* One batch of `count` command buffers. */
VkResult app_submit_all(struct app *app, const VkCommandBuffer *buffers, uint32_t count);
/* Loses the device in vkDeviceWaitIdle. */
void app_lose(struct app *app);

VkResult app_name(struct app *app, VkObjectType type, uint64_t handle, const char *name);
VkSemaphore app_timeline(struct app *app);

/* Has the watchdog look twice, as far apart as it takes; whether it wrote a dump. */
bool app_watch(struct app *app);

/* The dump's executions in order of submission, "|" between them. Each has a sign for its state,
 * then its labels with theirs, and in parentheses those of bundles:   > A+ (B?) C> D-
 *     +  finished    >  in progress    -  not started    ?  unknown
 * NULL: there is no dump. Static. */
const char *app_states(const struct app *app);
void app_expect_states(const struct app *app, const char *expected, const char *what);
/* annot show's text of it. Static. */
const char *app_report(const struct app *app);
unsigned app_dumps(const struct app *app); /* files */
