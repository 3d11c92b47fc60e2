/* A Vulkan driver below the layer that runs no shader: its GPU executes what was recorded up to the
 * work that a test has hung, and behaves there as real ones do. The front end goes on past
 * unfinished work, up to a barrier. It writes fills and markers at the top of the pipe. Markers at
 * the bottom wait for all work before them.
 *
 * Work is vkCmdDispatch(x, 0, 0): x is its number. Everything happens inside vkQueueSubmit; nothing
 * else is timed. A watcher may stop the GPU anywhere, and have its front end run ahead. */
#pragma once

#include "vulkan_layer.h"

enum { MOCK_NO_HANG = 0 };

/* The driver's queues and events; set before use, and back by mock_reset. */
struct mock_queue;
struct mock_queued;
struct mock_op;

extern struct mock {
    bool has_markers, has_checkpoints, has_fault, has_debug_marker, has_no_timeline, has_no_memory;
    bool has_fault_khr;                        /* VK_KHR_device_fault */
    bool has_addresses;                        /* VK_EXT_device_address_binding_report */
    uint64_t address;                          /* of the last buffer; the next is 0x10000 above */
    PFN_vkDebugUtilsMessengerCallbackEXT hear; /* of the last messenger */
    void *hearer;
    bool counts_wrong;         /* families and extensions: more than there is room for */
    bool has_stamps;           /* hostQueryReset, and time stamps of 64 bits */
    _Atomic bool query_blocks; /* vkGetQueryPoolResults does not return */
    bool refuses_markers;      /* vkCreateDevice with VK_AMD_buffer_marker */
    uint32_t families;         /* queue families; 0 counts as 1 */
    VkQueueFlags flags[4];     /* 0: graphics, compute and transfer */
    uint32_t hang;             /* number of the work that is never done */
    const char *lost_by;       /* the call that returns VK_ERROR_DEVICE_LOST: "vkQueueSubmit" */
    const char *fails_by;      /* VK_ERROR_OUT_OF_HOST_MEMORY */
    bool is_waiting;           /* queues wait for a semaphore */
    _Atomic bool fault_blocks; /* vkGetDeviceFaultInfoEXT does not return */
    const VkDeviceFaultInfoKHR *fault_reports; /* taken one after the other */
    uint32_t fault_report_count, fault_binary; /* bytes of the debug information */
    const char *abort_message;                 /* VK_KHR_shader_abort */
    uint32_t faults;                           /* addresses and words of a fault; 0 counts as 1 */
    VkCommandBuffer next_command;              /* what vkAllocateCommandBuffers gives, once */
    uint64_t next_object;                      /* what vkCreateImage gives, once */
    /* what watches the GPU; NULL: nothing */
    bool (*may_step)(void); /* whether it does anything more now */
    bool (*is_ahead)(
        void);          /* whether the front end goes first; else it goes when nothing else can */
    int (*early)(void); /* which work in flight is done next, from 0; -1: the oldest, in its turn */
    void (*queued)(struct mock_queue *, struct mock_queued *); /* a command buffer */
    void (*stepped)(const struct mock_queued *, const struct mock_op *, bool is_done);
    bool counter_says_all; /* vkGetSemaphoreCounterValue gives UINT64_MAX, as some do when lost */
    bool says_done;        /* fences and waits return VK_SUCCESS, as a lost device's may */

    /* what the driver saw */
    _Atomic uint32_t fills, barriers, markers, checkpoints, labels, names, submits, batches, live;
    _Atomic uint32_t misplaced; /* fills and barriers inside render passes */
    _Atomic uint32_t foreign; /* command buffers of vkQueueSubmit2 for another device mask than 1 */
    _Atomic uint32_t commands, buffers; /* allocated; submitted by vkQueueSubmit */
    _Atomic uint32_t fault_calls, feature_calls;
    _Atomic uint32_t stamps;
    uint64_t done[4096]; /* work that was done, in order */
    _Atomic uint32_t done_count;
    const char *extensions[16]; /* of the last vkCreateDevice */
    uint32_t extension_count;
    VkStructureType chain[8]; /* likewise */
    uint32_t chain_count;
    VkBool32 fault_features[4]; /* of VK_KHR_device_fault, as vkCreateDevice got them */
    uint64_t fault_wait;        /* ns that vkGetDeviceFaultReportsKHR was to wait at most */
    uint32_t fault_room; /* for how many of each vkGetDeviceFaultInfoEXT was asked, at most */
} mock;

void mock_reset(void);
/* Ends the hang, and does what is left to do. */
void mock_release(void);
/* The hung work is done; `work` is the next that hangs. */
void mock_go_on(uint32_t work);
/* What a driver with VK_EXT_device_address_binding_report says. */
void mock_tell_address(VkDeviceAddressBindingTypeEXT binding, VkObjectType type, uint64_t handle,
                       uint64_t address, uint64_t size);
/* A loader's part: the chain that a layer is created with. */
PFN_vkVoidFunction VKAPI_CALL mock_GetInstanceProcAddr(VkInstance instance, const char *name);
PFN_vkVoidFunction VKAPI_CALL mock_GetDeviceProcAddr(VkDevice device, const char *name);

/* ---- between the driver's objects and its GPU ---- */

enum mock_op_kind {
    MOCK_WORK,
    MOCK_FILL,
    MOCK_BARRIER,
    MOCK_TOP,
    MOCK_BOTTOM,
    MOCK_CHECKPOINT,
    MOCK_LABEL, /* begins, ends or is a point; for those who watch */
    MOCK_EXECUTE
};

struct mock_op {
    enum mock_op_kind kind;
    uint64_t value;
    char *at; /* of writes */
    struct mock_cmd *cmd;
    bool is_over; /* work that was done before what is in front of it */
};

struct mock_cmd {
    void *key;
    struct mock_op *ops;
    uint32_t count, capacity;
    uint32_t passes;
    bool is_suspending;
    struct mock_cmd *next;
};

struct mock_memory {
    char *bytes;
};

struct mock_buffer {
    struct mock_memory *memory;
    uint64_t address, size;
};

struct mock_semaphore {
    _Atomic uint64_t value;
    bool is_timeline;
};

struct mock_fence {
    bool is_signaled;
};

struct mock_queue {
    void *key;
    uint64_t top, bottom; /* checkpoints */
    bool has_top, has_bottom;
    bool is_hung; /* work isn't done */
    struct mock_queued *first, *last;
};

struct mock_device {
    void *key;
    struct mock_queue queues[4];
    struct mock_device *next;
};

/* A command buffer, what is signalled behind those before, or what those behind wait for. */
struct mock_queued {
    struct mock_cmd *cmd;
    struct mock_semaphore *signal, *awaited; /* a timeline that has no value yet: all waits */
    uint64_t value;
    struct mock_fence *fence;
    struct mock_op *ops; /* the command buffer's, with those of its secondaries in place */
    uint32_t count, capacity;
    uint32_t front, back; /* operations that the front end has been through, and that are done */
    void *user;           /* a watcher's */
    struct mock_queued *next;
};

/* One call by its name; a table of them ends with NULL. */
struct mock_call {
    const char *name;
    PFN_vkVoidFunction function;
    const bool *needs; /* NULL: always there */
};

#define CALL(name, function)                                                                       \
    {                                                                                              \
        "vk" #name, (PFN_vkVoidFunction)function, NULL                                             \
    }
#define CALL_IF(name, function, flag)                                                              \
    {                                                                                              \
        "vk" #name, (PFN_vkVoidFunction)function, &mock.flag                                       \
    }

extern const struct mock_call mock_command_calls[], mock_queue_calls[];

/* The result of a call that may be told to fail or to lose the device. */
VkResult mock_result(const char *call);

void mock_queue_push(struct mock_queue *queue, struct mock_queued item);
void mock_queue_run(struct mock_queue *queue);
void mock_queue_release(struct mock_queue *queue);
void mock_queued_free(struct mock_queued *item);
