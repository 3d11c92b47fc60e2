/* The declarations that the files of VK_LAYER_ANNOT_crash share [ANN-VK]. Read the files in this
 * order:
 *
 *     entry.c            the loader's interface: functions by their names
 *     instance.c         instances
 *     settings.c         the user's settings
 *     device.c           devices, their queues and the memory that the GPU writes into
 *     features.c         extensions and features that the layer requests
 *     registry.c         the layer's data for a handle
 *     pool.c             command pools and buffers
 *     recording.c        begin, end, secondaries, render passes
 *     label.c            labels
 *     stream.c           the memory of labels, and labels that can't be followed
 *     straddle.c         labels that begin or end inside of a render pass
 *     object.c           names, and the memory at a page fault
 *     pipeline.c         the shaders of pipelines, from level "labels" on
 *     operation.c        the last command with work of each label
 *     bound.c            the objects of this command, and barriers, at level "exact"
 *     exact.c            commands that do work, from level "labels" on; labels at "exact"
 *     mark.c             the GPU's writes, one way for each kind of evidence
 *     stamps.c           time stamps inside of render passes, at level "exact"
 *     submit.c           submissions
 *     sync.c             the application's fences, semaphores and waits
 *     progress.c         the completion of submissions
 *     checkpoint.c       evidence of NVIDIA's drivers
 *     ask.c              questions that the driver may never answer
 *     fault.c            VK_KHR_device_fault and VK_EXT_device_fault
 *     loss.c             from a lost device to a dump
 *
 * Locks: registry.c's lock guards the tables of instances and devices; vkl_device.objects guards
 * the tables of one device. Neither lock is held while the driver below or libannot is called. The
 * watchdog only tries to take vkl_device.objects. */
#pragma once

#include <annot/shader.h>

#include <vulkan/vk_layer.h>

#include <annot/vulkan.h>

#include <pthread.h>
#include <stdlib.h>

#include "next.h"
#include "settings.h"
#include "../crash/memory.h"
#include "../crash/queue.h"
#include "../crash/stream.h"

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* Returns the loader's table of a dispatchable object. An instance and its physical devices have
 * the same table; a device, its queues and its command buffers have the same table. */
static inline void *vkl_key(const void *dispatchable)
{
    return *(void *const *)dispatchable;
}

/* ---- instances ---- */

struct vkl_instance {
    void *key;
    VkInstance handle;
    struct vkl_instance_next next;
    /* The version that the application requests, but at most the available version. */
    uint32_t api_version;
    char engine[64]; /* name of the engine, as the application gives it: "vkd3d" */
    struct crash_settings settings;
    UT_hash_handle hh;
};

struct vkl_instance *vkl_instance_of(void *key);

/* Whether HASH_ADD found memory for the element. Without memory, don't remove the element: HASH_DEL
 * would drop all other elements. */
#define VKL_IS_ADDED(element) ((element)->hh.tbl != NULL)

/* Returns the structure with this type in a pNext chain, or NULL. */
static inline const void *vkl_in_chain(const void *chain, VkStructureType type)
{
    const VkBaseInStructure *at = chain;
    while (at && at->sType != type)
        at = at->pNext;
    return at;
}

/* Returns the loader's structure with this type and function in a pNext chain, or NULL. These
 * structures begin alike for instances and devices. */
static inline void *vkl_link_of(const void *chain, VkStructureType type, VkLayerFunction function)
{
    const VkLayerDeviceCreateInfo *at = vkl_in_chain(chain, type);
    while (at && at->function != function)
        at = vkl_in_chain(at->pNext, type);
    return (void *)(uintptr_t)at;
}

/* ---- evidence ---- */

/* Kinds of evidence that show how far the GPU got. The layer uses a device's strongest kind. */
enum vkl_evidence {
    VKL_EVIDENCE_CHECKPOINTS, /* VK_NV_device_diagnostic_checkpoints */
    VKL_EVIDENCE_MARKERS,     /* VK_AMD_buffer_marker */
    VKL_EVIDENCE_BARRIER,     /* vkCmdFillBuffer after a barrier */
    VKL_EVIDENCE_FILL,        /* vkCmdFillBuffer, which proves only that a label has started */
    VKL_EVIDENCE_TIMELINE     /* a semaphore only shows which submissions are complete */
};

/* Returns a static text for a fact in a dump: "vkCmdFillBuffer after a barrier". */
const char *vkl_evidence_text(enum vkl_evidence evidence);

/* ---- devices ---- */

struct vkl_queue {
    VkQueue handle;
    struct vkl_device *device;
    uint32_t family;
    VkQueueFlags flags;
    annot_object *object;
    struct crash_queue crash;
    struct crash_waiter waiter;
    VkSemaphore timeline; /* the layer's timeline semaphore with the completed serial;
                             VK_NULL_HANDLE: none */
    /* bit n % VKL_WAITS: submission n waits for a semaphore; read without a lock */
    _Atomic uint8_t waits[512];
    /* Submissions up to this serial may have recordings that the layer no longer knows. Checkpoints
     * of such recordings have no meaning. */
    _Atomic uint64_t blind;
    struct vkl_seam *seams; /* the layer's own command buffers (submit.c), oldest first */
    VkCommandPool seam_pool;
    struct vkl_queue *next;
};

#define VKL_WAITS 4096u

/* The queries for time stamps: recordings take blocks of them. */
enum { VKL_STAMP_BLOCKS = 256 };
struct vkl_stamps {
    pthread_mutex_t lock; /* guards the members below; not held during a call of the driver */
    VkQueryPool pool;     /* VK_NULL_HANDLE: no time stamps */
    bool is_off;          /* a feature that time stamps need is not enabled */
    uint16_t free[VKL_STAMP_BLOCKS];
    uint32_t free_count;
    struct vkl_question *question; /* the question (to the driver) without an answer; NULL: none */
    void *answer;                  /* what the driver last answered about stamps; NULL: nothing */
};

enum { VKL_STUBS = 160 };

struct vkl_device {
    void *key;
    VkDevice handle;
    struct vkl_instance *instance;
    VkPhysicalDevice physical;
    struct vkl_device_next next;
    PFN_vkSetDeviceLoaderData set_loader_data;
    struct crash_settings settings;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory_properties;
    VkQueueFamilyProperties families[32];
    uint32_t family_count;
    enum vkl_evidence evidence;
    bool has_timeline, has_markers, has_checkpoints;
    bool has_query_reset;              /* the device has VkPhysicalDeviceHostQueryResetFeatures */
    bool tells_addresses;              /* VK_EXT_device_address_binding_report */
    bool has_fault, has_vendor_binary; /* VK_KHR_device_fault or VK_EXT_device_fault */
    bool is_fault_khr;
    bool has_abort;     /* the application enabled VK_KHR_shader_abort */
    bool is_fault_read; /* the application enabled the KHR extension, which gives each report only
                           once */
    annot_vk_words words;
    struct vkl_stamps stamps;
    struct crash_device crash;
    struct vkl_fault *fault;            /* the fault that the dump in progress describes */
    _Atomic(struct vkl_queue *) queues; /* the list only grows */
    pthread_rwlock_t objects;           /* guards the tables below */
    struct vkl_cmd *commands;
    struct vkl_pool *pools;
    struct vkl_named *named;
    struct crash_memory memory;
    char driver_s_report[1024];         /* text for the dump that is being written */
    VkDebugUtilsMessengerEXT messenger; /* tells addresses; VK_NULL_HANDLE: none */
    _Atomic uint64_t recordings;        /* number of recordings, for time stamps */
    _Atomic uint64_t ranges;            /* number of ranges of checkpoints that recordings took */
    _Atomic(PFN_vkVoidFunction) unknown[VKL_STUBS]; /* the next layer's commands: unknown.c */
    UT_hash_handle hh;
};

/* Returns a queue family's flags; vkl_list_type, the D3D12_COMMAND_LIST_TYPE for them. */
static inline VkQueueFlags vkl_family_flags(const struct vkl_device *device, uint32_t family)
{
    return family < device->family_count ? device->families[family].queueFlags : 0;
}
static inline uint32_t vkl_list_type(VkQueueFlags flags)
{
    return flags & VK_QUEUE_GRAPHICS_BIT ? 0 : flags & VK_QUEUE_COMPUTE_BIT ? 2 : 3;
}

/* Returns the device with this dispatch table, or NULL if the layer has no such device. Any thread
 * may call this function. */
struct vkl_device *vkl_device_of(void *key);

/* Functions that change the tables of instances and devices. False means out of memory. In a child
 * of fork, devices have no part of libannot, so their calls are only passed on. */
void vkl_registry_follow_forks(void);
bool vkl_registry_add_instance(struct vkl_instance *instance);
void vkl_registry_remove_instance(struct vkl_instance *instance);
bool vkl_registry_add_device(struct vkl_device *device);
void vkl_registry_remove_device(struct vkl_device *device);

/* Creates the device with the layer's extensions and features, or if that fails, without them.
 * Notes what the device has. `link` must lead to `chain`. */
VkResult vkl_features_create(struct vkl_device *device, const VkDeviceCreateInfo *info,
                             PFN_vkCreateDevice create, const VkAllocationCallbacks *allocator,
                             VkDevice *out, VkLayerDeviceCreateInfo *link,
                             VkLayerDeviceLink *chain);

/* ---- pools and command buffers ---- */

/* Memory for the markers of several recordings from one pool. The memory is reset when all of these
 * recordings are gone. */
struct vkl_arena {
    annot_arena *annot;
    uint32_t users; /* how many recordings have markers in the arena */
    bool is_busy;   /* whether a recording in the arena is still open */
    struct vkl_arena *next;
};

struct vkl_pool {
    VkCommandPool handle;
    struct vkl_device *device;
    uint32_t family;
    bool is_resettable; /* whether command buffers can be reset one by one */
    bool is_protected;
    struct vkl_arena *arenas;
    struct vkl_cmd *commands;
    UT_hash_handle hh;
};

#define VKL_OPEN_MAX 32u

/* One of a command buffer's two streams: labels with GPU breadcrumbs, or labels without. libannot's
 * driver gets this struct as a handle. */
struct vkl_stream {
    struct vkl_cmd *cmd;
    bool is_inner;
};

/* A recorded command that does work. Its objects are looked up when the layer notes the command. */
/* Numbers of commands, as in D3D12_AUTO_BREADCRUMB_OP if D3D12 has such a command. */
enum vkl_op {
    VKL_OP_DRAW = 3,
    VKL_OP_DRAW_INDEXED = 4,
    VKL_OP_INDIRECT = 5,
    VKL_OP_DISPATCH = 6,
    VKL_OP_COPY_BUFFER = 7,
    VKL_OP_COPY_TEXTURE = 8,
    VKL_OP_RESOLVE = 11,
    VKL_OP_CLEAR = 12,
    VKL_OP_FILL = 13, /* vkCmdClearColorImage and vkCmdFillBuffer; in D3D12, clears of UAVs */
    VKL_OP_CLEAR_DEPTH = 14,
    VKL_OP_QUERY = 18,
    VKL_OP_DECODE = 21,
    VKL_OP_WRITE = 26,
    VKL_OP_BUILD = 31,
    VKL_OP_EMIT = 32,
    VKL_OP_COPY_STRUCTURE = 33,
    VKL_OP_RAYS = 34,
    VKL_OP_META = 36,
    VKL_OP_MOTION = 37,
    VKL_OP_MESH = 42,
    VKL_OP_ENCODE = 43,
    VKL_OP_GRAPH = 47
};

struct vkl_operation {
    uint32_t kind; /* enum vkl_op, ANNOT_KIND_WAIT or ANNOT_KIND_UNKNOWN */
    uint32_t argument_count, object_count;
    int64_t arguments[5];
    /* Bits of the pass's attachments that the command writes: colors, then depth. */
    uint32_t targets;
    bool reads_vertices;
    struct vkl_bound {
        uint32_t role;   /* an annot_bound_role */
        uint32_t layout; /* VkImageLayout plus 1; 0: the command has no layout */
        VkObjectType type;
        uint64_t handle;
        uint64_t part; /* an ANNOT_PART, or 0 for the whole object */
    } objects[4];
};

/* Limits; the targets of a pass are its colors and its depth. */
enum { VKL_TARGETS = 9, VKL_ALL_TARGETS = (1 << VKL_TARGETS) - 1, VKL_VERTEX_BUFFERS = 3 };

struct vkl_pass {
    VkRenderPass of;
    VkFramebuffer framebuffer;
    uint32_t subpass;
    uint32_t view_count; /* number of `views`; 0: the framebuffer has the views */
    uint64_t views[16];
    uint32_t layouts[64]; /* the attachments' layouts so far, plus 1; 0: not set */
};

enum { VKL_BIND_POINTS = 3 }; /* graphics, compute, ray tracing */

struct vkl_cmd {
    VkCommandBuffer handle;
    struct vkl_device *device;
    struct vkl_pool *pool;
    struct vkl_cmd *prev_in_pool, *next_in_pool;
    bool is_secondary;
    bool is_lost;        /* whether later labels have no breadcrumbs, but earlier ones do */
    bool in_pass;        /* whether the buffer is inside a pass, where it can't record a fill */
    bool is_suspended;   /* whether a later vkCmdBeginRendering continues the pass */
    bool has_pass_scope; /* whether the layer has opened a label of its own for the pass */
    annot_object *object;
    struct crash_stream stream; /* the stream with the labels */
    struct vkl_stream outer, inner;
    struct vkl_arena *arena, *inner_arena; /* memory for the outer and inner stream; NULL: none */
    uint64_t inner_ids[VKL_OPEN_MAX];      /* EventIDs of the open labels of the inner stream */
    uint32_t bundle_count; /* how many bundles (secondaries) the recording executes */
    /* ordinals of bundles that end inside a label; the state of such a label may differ */
    uint32_t cut_bundles[32];
    uint32_t cut_count;    /* number of bundles that end inside a label; 33: any bundle may do so */
    uint32_t owed_ends;    /* how many outer labels must be ended after the pass */
    uint64_t last_started; /* EventID of the last label that began in the outer stream */
    /* Labels that only begin, or only end, inside a pass. If `started` is the last label that
     * started, the breadcrumbs give this label a wrong state. */
    struct vkl_straddled {
        uint64_t started;
        bool begins, ends;
    } straddled[16];
    uint32_t straddled_count; /* number of labels that only begin, or only end, inside a pass; above
                                 16, any label may do so */
    struct vkl_queue *queue;  /* queue of the recording's last submission; NULL: not submitted */
    /* The recording's first and last submission, as serials. */
    uint64_t first_serial, serial;
    bool is_repeated;                      /* whether the recording was submitted more than once */
    VkPipeline pipelines[VKL_BIND_POINTS]; /* the pipelines that are currently bound */
    VkBuffer indices;
    /* `vertices`, `pass` and `targets` are only set at level "exact". */
    VkBuffer vertices[VKL_VERTEX_BUFFERS];
    struct vkl_pass pass;
    struct vkl_bound targets[VKL_TARGETS]; /* attachment of each bit; handle 0: none */
    uint32_t target_count;                 /* how many elements of `targets` are used */
    struct vkl_operation operation;        /* the command's operation, until its label notes it */
    bool has_operation;
    uint64_t recording;         /* number of this recording for time stamps */
    struct vkl_checked *checks; /* the checkpoints in the order in which they were set */
    uint64_t *ranges;           /* the ranges that have the checkpoints' numbers */
    uint32_t check_count, check_capacity, range_capacity;
    /* Members for time stamps. */
    uint16_t *blocks;          /* indices of the query blocks that the recording uses */
    VkCommandBuffer *executed; /* secondary command buffers that this recording executes */
    uint32_t block_count, block_capacity, executed_count, executed_capacity;
    bool takes_stamps, lacks_stamps; /* lacks_stamps says that later labels have no time stamps */
    bool has_views;                  /* whether the render pass has several views (multiview) */
    UT_hash_handle hh;
};

#if defined(__linux__)
#define VKL_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define VKL_THREAD_LOCAL _Thread_local
#endif

/* A thread's last command buffer; a thread often records into one buffer for a while. The struct is
 * valid if `generation` equals vkl_generation, which grows when a command buffer is freed. */
struct vkl_cached {
    VkCommandBuffer handle;
    struct vkl_cmd *cmd;
    uint64_t generation;
};
extern VKL_THREAD_LOCAL struct vkl_cached vkl_cached;
extern _Atomic uint64_t vkl_generation;

struct vkl_cmd *vkl_cmd_find(struct vkl_device *device, VkCommandBuffer handle, uint64_t now);

/* Notes a label that begins in the current render pass and ends after the pass, or that ends in the
 * pass and began before the pass. */
void vkl_straddle(struct vkl_cmd *cmd, bool begins, bool ends);
/* Returns the labels that cross a pass's border, if `started` is the last label that started. */
struct vkl_straddled vkl_straddled_of(const struct vkl_cmd *cmd, uint64_t started);

/* Returns the layer's object of a command buffer, or NULL. Any thread may call the function. */
static inline struct vkl_cmd *vkl_cmd_of(VkCommandBuffer handle)
{
    const uint64_t now = atomic_load_explicit(&vkl_generation, memory_order_acquire);
    if (__builtin_expect(vkl_cached.handle == handle && vkl_cached.generation == now, true))
        return vkl_cached.cmd;
    return vkl_cmd_find(vkl_device_of(vkl_key(handle)), handle, now);
}

/* Makes all threads forget their last command buffer. Call it before a command buffer is freed. */
void vkl_cmd_forget_cached(void);

/* Takes an arena in which no recording is open. Returns NULL if memory runs out. */
struct vkl_arena *vkl_arena_take(struct vkl_pool *pool);
/* Notes that a recording in the arena is gone. `arena` may be NULL. */
void vkl_arena_leave(struct vkl_arena *arena);

/* Frees all pools and command buffers that a device still has. */
void vkl_pools_finish(struct vkl_device *device);

/* ---- recording ---- */

/* Ends the inner stream, and goes on with the outer stream. First call vkl_operation_flush. */
void vkl_inner_flush(struct vkl_cmd *cmd);
/* Ends the inner stream if it has no open label. Call it before you note data outside labels. */
static inline void vkl_inner_rest(struct vkl_cmd *cmd)
{
    if (cmd->stream.inner_depth == 0)
        vkl_inner_flush(cmd);
}
void vkl_bundle_execute(struct vkl_cmd *cmd, annot_context *bundle);
/* Forgets the recording of a command buffer that is reset or freed. Records no command. */
void vkl_recording_drop(struct vkl_cmd *cmd);

/* Opens the inner stream, if needed. Returns its context, or NULL if memory runs out. */
annot_context *vkl_inner_context(struct vkl_cmd *cmd);

/* ---- labels ---- */

void vkl_label_begin_payload(struct vkl_cmd *cmd, uint32_t metadata, const void *data,
                             uint32_t size);
void vkl_label_begin(struct vkl_cmd *cmd, const char *name, const float *color);
void vkl_label_end(struct vkl_cmd *cmd);

/* The annot_driver of the layer, which writes breadcrumbs for markers. */
extern const annot_driver vkl_driver;

/* ---- marks ---- */

/* Whether a breadcrumb write can be recorded into the command buffer now. */
bool vkl_mark_is_possible(const struct vkl_cmd *cmd);
/* vkl_mark_entered writes a breadcrumb at a recording's begin, vkl_mark_left at its end. */
void vkl_mark_entered(struct vkl_cmd *cmd);
void vkl_mark_left(struct vkl_cmd *cmd);
/* Called at a label's begin and end, and for an inserted label, which has no end. */
void vkl_mark_started(struct vkl_cmd *cmd, uint64_t event_id);
void vkl_mark_completed(struct vkl_cmd *cmd, uint64_t event_id);
void vkl_mark_passed(struct vkl_cmd *cmd, uint64_t event_id);
/* Notes that later labels of this recording have no breadcrumbs, so their state is unknown. */
void vkl_mark_lost(struct vkl_cmd *cmd);

/* ---- checkpoints of VK_NV_device_diagnostic_checkpoints ---- */

enum vkl_checkpoint {
    VKL_CHECKPOINT_ENTERED,
    VKL_CHECKPOINT_STARTED,
    VKL_CHECKPOINT_COMPLETED,
    VKL_CHECKPOINT_PASSED, /* started and completed */
    VKL_CHECKPOINT_BUNDLE, /* a secondary command buffer is executed; it sets its own checkpoints */
    VKL_CHECKPOINT_LEFT
};

struct vkl_checked {
    uint64_t event_id;
    enum vkl_checkpoint what;
};

/* Sets the recording's next checkpoint, except for VKL_CHECKPOINT_BUNDLE. */
void vkl_checkpoint_set(struct vkl_cmd *cmd, enum vkl_checkpoint what, uint64_t event_id);

/* ---- time stamps that the GPU writes inside render passes ---- */

void vkl_stamps_create(struct vkl_device *device);
void vkl_stamps_destroy(struct vkl_device *device);
/* Call these functions when a recording begins or is dropped, at a label's begin and end, when a
 * secondary is executed, and before a submission. Labels outside of passes are ignored. */
void vkl_stamps_begin(struct vkl_cmd *cmd, VkCommandBufferUsageFlags flags);
void vkl_stamps_drop(struct vkl_cmd *cmd);
void vkl_stamp(struct vkl_cmd *cmd, enum vkl_checkpoint what, uint64_t event_id);
void vkl_stamps_execute(struct vkl_cmd *cmd, VkCommandBuffer secondary);
void vkl_stamps_submit(const struct vkl_cmd *cmd);
/* Called when the watchdog sees no progress. Takes the last answer and asks again; never waits. */
void vkl_stamps_ask(struct vkl_device *device, const annot_progress *rows, uint32_t count);
/* Fills in progress rows of bundles, for the pass where the GPU stopped. The caller must hold the
 * lock device->objects. Returns a text about these rows for the dump, or NULL. */
const char *vkl_stamps_judge(struct vkl_device *device, annot_progress *rows, uint32_t count);

/* ---- questions to the driver, which may never answer ---- */

/* A question to the driver, which may never answer. The asking code's struct begins with it. */
struct vkl_question {
    pthread_mutex_t lock;
    pthread_cond_t answered;
    bool is_answered, is_given_up;             /* guarded by the lock */
    void (*ask)(struct vkl_question *base);    /* asks the driver, on the question's own thread */
    void (*let_go)(struct vkl_question *base); /* frees the structure that contains the question */
};

/* Starts the question; its `ask` and `let_go` must be set. Returns false if no thread could start;
 * the question is then freed. */
bool vkl_question_start(struct vkl_question *question);
/* Waits at most `seconds` for the answer. Returns whether the answer has come. */
bool vkl_question_wait(struct vkl_question *question, time_t seconds);
/* Frees the question, at once or when its thread ends. */
void vkl_question_leave(struct vkl_question *question);
bool vkl_question_is_given_up(struct vkl_question *question);

/* ---- completion ---- */

/* Reads the queues' timeline semaphores. Returns false if the device is lost. Never blocks. */
bool vkl_device_poll(struct vkl_device *device);
/* Notes that `fence` is signalled when `serial` is complete. */
void vkl_fence_submitted(struct vkl_queue *queue, VkFence fence, uint64_t serial);
/* Notes that submission `serial` waits until a semaphore has `value`, or that the semaphore gets
 * `value` when the submission is complete. Only timeline semaphores of the application count. */
void vkl_semaphore_submitted(struct vkl_queue *queue, bool is_wait, VkSemaphore semaphore,
                             uint64_t value, uint64_t serial);

/* ---- queues ---- */

struct vkl_queue *vkl_queue_of(VkQueue handle, struct vkl_device **device);
void vkl_queue_add(struct vkl_device *device, VkQueue handle, uint32_t family);
void vkl_queues_finish(struct vkl_device *device);

/* ---- operations ---- */

/* Notes the last operation of the command buffer in its label. Call this function before another
 * label begins, or before this label ends. */
void vkl_operation_note(struct vkl_cmd *cmd);
static inline void vkl_operation_flush(struct vkl_cmd *cmd)
{
    if (cmd->has_operation)
        vkl_operation_note(cmd);
}

/* Called at level "exact" when a secondary begins inside a pass, or when a pass begins or ends. */
void vkl_bound_inherit(struct vkl_cmd *cmd, const VkCommandBufferInheritanceInfo *info);
void vkl_bound_pass(struct vkl_cmd *cmd, const VkRenderPassBeginInfo *info);
void vkl_bound_pass_end(struct vkl_cmd *cmd);
void vkl_bound_rendering(struct vkl_cmd *cmd, const VkRenderingInfo *info);
/* Adds the attachments and vertex buffers of the last operation to `to`. Returns the new count. */
uint32_t vkl_bound_add(const struct vkl_cmd *cmd, struct vkl_bound *to, uint32_t count);
/* Kinds of state that vkl_bound_forget forgets. After a command buffer executes secondaries, all
 * state except the targets is unknown [Vulkan, Command Buffer Lifecycle]. */
enum vkl_set { VKL_PIPELINES = 1, VKL_INDICES = 2, VKL_VERTICES = 4, VKL_BOUND = 7, VKL_PASS = 8 };
static inline void vkl_bound_forget(struct vkl_cmd *cmd, uint32_t what)
{
    if (what & VKL_PIPELINES)
        memset(cmd->pipelines, 0, sizeof cmd->pipelines);
    if (what & VKL_INDICES)
        cmd->indices = VK_NULL_HANDLE;
    if (what & VKL_VERTICES)
        memset(cmd->vertices, 0, sizeof cmd->vertices);
    if (what & VKL_PASS) {
        cmd->pass.of = VK_NULL_HANDLE;
        cmd->target_count = 0;
    }
}

/* ---- object names, and the shaders of pipelines ---- */

struct vkl_shader {
    uint64_t xxh3;
    uint32_t form, stage; /* annot_shader_form and annot_shader_stage of the shader */
    char name[64];        /* name of the module */
};

struct vkl_shaders {
    uint32_t count;
    struct vkl_shader shaders[ANNOT_SHADERS_MAX];
};

/* An object: its name, and what is known of a pipeline's shaders or of a buffer's memory. */
struct vkl_named {
    struct vkl_named_key {
        uint64_t handle;
        uint64_t type;
    } key;
    annot_object *object;
    uint64_t address, size; /* for buffers and images: address and size; 0: not known */
    annot_resource resource;
    struct vkl_named *memory, *bound, *prev, *next; /* the memory; a memory's list of objects */
    struct vkl_shaders *shaders; /* shaders of modules and pipelines; NULL: none are known */
    uint64_t *words;             /* bound.c; NULL: none */
    uint32_t word_count;
    UT_hash_handle hh;
};

/* Notes the shaders of a module or pipeline, the first time for this handle. */
void vkl_shaders_note(struct vkl_device *device, VkObjectType type, uint64_t handle,
                      const struct vkl_shaders *shaders);
/* Adds to `to` the known shaders of this module or pipeline, as many as fit. */
void vkl_shaders_add(struct vkl_device *device, VkObjectType type, uint64_t handle,
                     struct vkl_shaders *to);
/* Asks a driver with VK_EXT_device_address_binding_report to report addresses of objects. */
void vkl_addresses_listen(struct vkl_device *device);

/* Finds the annot_object_id of each bound object; 0: the object is unknown. */
void vkl_objects_find(struct vkl_device *device, const struct vkl_bound *bound, uint32_t count,
                      annot_bound_object *out);

/* Notes the description of a buffer or image. */
void vkl_resource_note(struct vkl_device *device, VkObjectType type, uint64_t handle,
                       const annot_resource *resource);
/* Replaces the numbers that the layer stores about an object. Returns its annot_object_id. 0:
 * memory ran out, and the object has no numbers. */
uint64_t vkl_note_set(struct vkl_device *device, VkObjectType type, uint64_t handle,
                      const uint64_t *words, uint32_t count);
/* Gets the numbers that the layer stores about an object. Returns how many, at most `capacity`. */
uint32_t vkl_note_get(struct vkl_device *device, VkObjectType type, uint64_t handle,
                      uint64_t *words, uint32_t capacity);

void vkl_name_set(struct vkl_device *device, VkObjectType type, uint64_t handle, const char *name);
void vkl_name_forget(struct vkl_device *device, VkObjectType type, uint64_t handle);
void vkl_names_finish(struct vkl_device *device);

/* ---- crashes ---- */

/* If `result` is VK_ERROR_DEVICE_LOST, writes the device's dump, or waits for it. Returns `result`.
 * `call` is the name of the function that returned it. */
VkResult vkl_check(struct vkl_device *device, VkResult result, const char *call);

/* Makes the watchdog check once, at the time `now`. Returns true if it wrote a dump. */
bool vkl_watchdog_look(struct vkl_device *device, uint64_t now);
void vkl_watchdog_start(struct vkl_device *device);

/* Returns the command buffer with this annot_object_id, or NULL. First lock device->objects. */
struct vkl_cmd *vkl_cmd_of_object(const struct vkl_device *device, uint64_t object);
/* Whether the bundle of a progress row of this list ends inside a label. The caller must hold the
 * lock device->objects. */
bool vkl_bundle_is_cut(void *device, uint64_t list, uint32_t bundle);
/* Removes from a progress row what the marks (breadcrumbs) can't prove. A command buffer that ends
 * in a suspended pass has no mark at its end, so it may be finished. A label that ended inside a
 * pass may be finished, too. The caller must hold the lock device->objects. */
void vkl_row_temper(const struct vkl_device *device, annot_progress *row);

/* Sets the state of the progress rows that have none yet, from a lost device's checkpoints. */
void vkl_checkpoints_judge(struct vkl_device *device, annot_progress *rows, uint32_t count);

/* The driver's answer. The strings and `binary` belong to this struct. */
struct vkl_fault {
    uint64_t address;
    bool has_address;
    char facts[24][2][192];
    uint32_t fact_count, cut; /* `cut`: number of facts for which there was no room */
    void *binary;
    uint64_t binary_size;
};

/* Asks the driver about the fault on another thread; waits at most a second. NULL: no answer. */
struct vkl_fault *vkl_fault_ask(struct vkl_device *device);
void vkl_fault_free(struct vkl_fault *fault); /* NULL is allowed */
