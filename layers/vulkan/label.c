/* Labels of VK_EXT_debug_utils and VK_EXT_debug_marker, on command buffers and queues. */
#include "calls.h"

#include <annot/pix.h>

/* ---- the payload of a label ---- */

struct payload {
    uint32_t metadata, size;
    const void *data;
    uint64_t blob[ANNOT_PIX_BLOB_WORDS];
};

static uint32_t channel(float value)
{
    return value >= 1 ? 255u : value > 0 ? (uint32_t)(value * 255 + 0.5f) : 0u;
}

/* Makes a PIX event, which can have a colour. Above its 496 bytes, a name has no colour. */
static void make_colored(struct payload *payload, const char *name, const float *color)
{
    annot_pix_arg text = {.type = ANNOT_PIX_STR, .value.str = name};
    annot_pix_desc desc = {
        .version = ANNOT_PIX_V2,
        .kind = ANNOT_PIX_KIND_BEGIN,
        .color_kind = ANNOT_PIX_COLOR_KIND_ARGB,
        .color = channel(color[3]) << 24 | channel(color[0]) << 16 | channel(color[1]) << 8 |
                 channel(color[2]),
        .format = text,
    };
    if (strchr(name, '%')) { /* a name must not be a format */
        desc.format.value.str = "%s";
        desc.args = &text;
        desc.arg_count = 1;
    }
    payload->metadata = annot_pix_metadata(ANNOT_PIX_V2);
    payload->size = (uint32_t)annot_pix_encode(&desc, payload->blob, sizeof payload->blob);
    payload->data = payload->blob;
}

static const float no_color[4];

/* Whether the label has a colour: all zeros, the usual case, mean no colour. */
static bool is_color(const float *color)
{
    return color && (color[0] != 0 || color[1] != 0 || color[2] != 0 || color[3] != 0);
}

/* Returns the size of the name with its NUL. */
static uint32_t size_of(const char *name)
{
    const size_t length = strlen(name);
    return length < UINT32_MAX ? (uint32_t)length + 1 : UINT32_MAX;
}

static void make(struct payload *payload, const char *name, const float *color)
{
    enum { LONGEST_COLORED = 400 };
    if (!name)
        name = "";
    payload->metadata = ANNOT_PIX_METADATA_UTF8;
    payload->size = size_of(name);
    payload->data = name;
    if (is_color(color) && payload->size <= LONGEST_COLORED + 1)
        make_colored(payload, name, color);
}

/* ---- on command buffers ---- */

/* Whether the GPU can follow a label that begins here. */
static inline bool can_follow(const struct vkl_cmd *cmd)
{
    if (cmd->is_secondary)
        return true; /* or the state is unknown as a whole: a bundle has no inner stream */
    return cmd->stream.inner_depth == 0 &&
           (cmd->stream.depth == 0 || cmd->device->settings.level != CRASH_LEVEL_LOW) &&
           vkl_mark_is_possible(cmd);
}

/* Returns the stream of a label that begins here; NULL: the label is lost. */
static inline annot_context *stream_of_next(struct vkl_cmd *cmd)
{
    if (!can_follow(cmd))
        return vkl_inner_context(cmd);
    vkl_inner_flush(cmd);
    return cmd->stream.outer;
}

void vkl_label_begin_payload(struct vkl_cmd *cmd, uint32_t metadata, const void *data,
                             uint32_t size)
{
    if (!cmd->stream.is_recording)
        return;
    vkl_operation_flush(cmd);
    crash_stream_begin(&cmd->stream, stream_of_next(cmd), metadata, data, size);
}

void vkl_label_begin(struct vkl_cmd *cmd, const char *name, const float *color)
{
    struct payload payload;
    make(&payload, name, color);
    vkl_label_begin_payload(cmd, payload.metadata, payload.data, payload.size);
}

void vkl_label_end(struct vkl_cmd *cmd)
{
    if (!cmd->stream.is_recording)
        return;
    vkl_operation_flush(cmd);
    if (crash_stream_end_inner(&cmd->stream))
        return;
    if (!cmd->is_secondary && !vkl_mark_is_possible(cmd)) {
        vkl_straddle(cmd, false, true); /* a label of this command buffer, or of an earlier one */
        cmd->owed_ends++;
        return;
    }
    vkl_inner_flush(cmd);
    if (cmd->stream.depth > 0)
        cmd->stream.depth--;
    annot_context_end_event(cmd->stream.outer);
}

/* ---- libannot's driver: marks of markers ---- */

static void ANNOT_DDI_CALL list_begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                      const void *data, uint32_t size, uint64_t event_id)
{
    (void)metadata, (void)data, (void)size;
    struct vkl_stream *stream = list.pDrvPrivate;
    struct vkl_cmd *cmd = stream->cmd;
    vkl_stamp(cmd, VKL_CHECKPOINT_STARTED, event_id);
    if (!stream->is_inner) {
        cmd->last_started = event_id;
        vkl_mark_started(cmd, event_id);
    } else if (cmd->stream.inner_depth < VKL_OPEN_MAX)
        cmd->inner_ids[cmd->stream.inner_depth] = event_id;
}

static void ANNOT_DDI_CALL list_end(D3D12DDI_HCOMMANDLIST list, uint64_t event_id)
{
    struct vkl_stream *stream = list.pDrvPrivate;
    vkl_stamp(stream->cmd, VKL_CHECKPOINT_COMPLETED, event_id);
    if (!stream->is_inner && event_id)
        vkl_mark_completed(stream->cmd, event_id);
}

static void ANNOT_DDI_CALL list_set(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                                    uint32_t size, uint64_t event_id)
{
    (void)metadata, (void)data, (void)size;
    struct vkl_stream *stream = list.pDrvPrivate;
    vkl_stamp(stream->cmd, VKL_CHECKPOINT_PASSED, event_id);
    if (stream->is_inner)
        return;
    stream->cmd->last_started = event_id;
    vkl_mark_passed(stream->cmd, event_id);
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {crash_ignore_queue_marker,
                                                                  crash_ignore_queue_end,
                                                                  crash_ignore_queue_marker,
                                                                  list_begin,
                                                                  list_end,
                                                                  list_set,
                                                                  crash_ignore_name};

const annot_driver vkl_driver = {
    "VK_LAYER_ANNOT_crash", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_LATEST, &table, 0};

/* ---- VK_EXT_debug_utils ---- */

/* Begins a label. Most labels are inside others, where level "low" marks nothing, so this path must
 * be cheap. Colours take the slow path; two words detect them, because is_color would be a call. */
static inline void begin_label(struct vkl_cmd *cmd, const char *name, const float *color)
{
    const bool is_inside =
        cmd->stream.inner_is_open && !cmd->is_secondary &&
        (cmd->stream.inner_depth > 0 ||
         (cmd->stream.depth > 0 && cmd->device->settings.level == CRASH_LEVEL_LOW));
    cmd->stream.begun++;
    if (!is_inside || !name || memcmp(color, no_color, sizeof no_color) != 0) {
        vkl_label_begin(cmd, name, color);
        return;
    }
    vkl_operation_flush(cmd);
    annot_context_begin_event(cmd->stream.inner, ANNOT_PIX_METADATA_UTF8, name, size_of(name));
    cmd->stream.inner_depth++;
}

static inline void end_label(struct vkl_cmd *cmd)
{
    cmd->stream.ended++;
    if (cmd->stream.inner_depth == 0 || !cmd->stream.inner_is_open) {
        vkl_label_end(cmd);
        return;
    }
    vkl_operation_flush(cmd);
    annot_context_end_event(cmd->stream.inner);
    cmd->stream.inner_depth--;
}

static void insert_label(struct vkl_cmd *cmd, const char *name, const float *color)
{
    cmd->stream.points++;
    if (!cmd->stream.is_recording)
        return;
    vkl_operation_flush(cmd);
    struct payload payload;
    make(&payload, name, color);
    annot_context *context = stream_of_next(cmd);
    if (context)
        annot_context_set_marker(context, payload.metadata, payload.data, payload.size);
}

/* Defines a call on a command buffer and its parameters; `does` notes the call and passes it on. A
 * call on an unknown command buffer is passed on, too. */
#define ON_COMMANDS(name, parameters, arguments, does)                                             \
    static VKAPI_ATTR void VKAPI_CALL vkl_Cmd##name parameters                                     \
    {                                                                                              \
        struct vkl_cmd *cmd = vkl_cmd_of(handle);                                                  \
        const struct vkl_device *device = cmd ? cmd->device : vkl_device_of(vkl_key(handle));      \
        if (cmd)                                                                                   \
            does;                                                                                  \
        if (device && device->next.Cmd##name)                                                      \
            device->next.Cmd##name arguments;                                                      \
    }
#define LABEL     (VkCommandBuffer handle, const VkDebugUtilsLabelEXT *label), (handle, label)
#define MARKER    (VkCommandBuffer handle, const VkDebugMarkerMarkerInfoEXT *label), (handle, label)
#define NONE      (VkCommandBuffer handle), (handle)
#define CALL(...) ON_COMMANDS(__VA_ARGS__)
CALL(BeginDebugUtilsLabelEXT, LABEL, begin_label(cmd, label->pLabelName, label->color))
CALL(EndDebugUtilsLabelEXT, NONE, end_label(cmd))
CALL(InsertDebugUtilsLabelEXT, LABEL, insert_label(cmd, label->pLabelName, label->color))
/* VK_EXT_debug_marker, its predecessor */
CALL(DebugMarkerBeginEXT, MARKER, begin_label(cmd, label->pMarkerName, label->color))
CALL(DebugMarkerEndEXT, NONE, end_label(cmd))
CALL(DebugMarkerInsertEXT, MARKER, insert_label(cmd, label->pMarkerName, label->color))

#define ON_QUEUE(name, parameters, arguments, count, does)                                         \
    static VKAPI_ATTR void VKAPI_CALL vkl_Queue##name parameters                                   \
    {                                                                                              \
        struct vkl_device *device;                                                                 \
        struct vkl_queue *queue = vkl_queue_of(handle, &device);                                   \
        if (queue) {                                                                               \
            atomic_fetch_add_explicit(&device->crash.counts.count, 1, memory_order_relaxed);       \
            does;                                                                                  \
        }                                                                                          \
        if (device && device->next.Queue##name)                                                    \
            device->next.Queue##name arguments;                                                    \
    }

typedef void put(annot_context *context, uint32_t metadata, const void *data, uint32_t size);

static void put_label(const struct vkl_queue *queue, const VkDebugUtilsLabelEXT *label, put *how)
{
    struct payload payload;
    make(&payload, label->pLabelName, label->color);
    how(queue->crash.context, payload.metadata, payload.data, payload.size);
}

ON_QUEUE(BeginDebugUtilsLabelEXT, (VkQueue handle, const VkDebugUtilsLabelEXT *label),
         (handle, label), begun, put_label(queue, label, annot_context_begin_event))
ON_QUEUE(EndDebugUtilsLabelEXT, (VkQueue handle), (handle), ended,
         annot_context_end_event(queue->crash.context))
ON_QUEUE(InsertDebugUtilsLabelEXT, (VkQueue handle, const VkDebugUtilsLabelEXT *label),
         (handle, label), points, put_label(queue, label, annot_context_set_marker))

const struct vkl_call vkl_label_calls[] = {VKL_LABEL_CALLS(VKL_CALL_OFFERED){.name = NULL}};
