/* A translation layer in miniature: the calls of docs/INTEGRATION.md in a program that runs. It
 * quotes this file.
 *
 * The layer's device, queue, command allocator and command list each keep what libannot gives them.
 * Its "GPU" is a loop over packets that writes how far it got into memory, as a real one does with
 * buffer marker writes; one packet hangs it. The program then writes the dump that its argument
 * names. */
#include <annot/annot.h>
#include <annot/dump.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum packet_kind { PACKET_BEGIN, PACKET_END, PACKET_SET, PACKET_DRAW, PACKET_HANG };

struct packet {
    enum packet_kind kind;
    uint64_t event_id;
};

struct layer_device {
    annot_device *annot;
    annot_dump_writer *dump;
};

struct layer_queue {
    annot_object *object;
    annot_context *context;
};

struct layer_allocator {
    annot_arena *arena;
};

struct layer_list {
    annot_object *object;
    annot_context *context;
    struct packet packets[64];
    uint32_t packet_count;
};

/* Words that the GPU writes, in memory that outlives a lost device; one for each list of each
 * submission. */
struct progress_words {
    uint64_t entered, left, started, completed;
};

/* ---- the driver's side: markers become packets ---- */

static void emit(void *list, enum packet_kind kind, uint64_t event_id)
{
    struct layer_list *self = list;
    if (self->packet_count < sizeof self->packets / sizeof *self->packets)
        self->packets[self->packet_count++] = (struct packet){kind, event_id};
}

static void ANNOT_DDI_CALL list_begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                      const void *data, uint32_t size, uint64_t event_id)
{
    (void)metadata, (void)data, (void)size;
    emit(list.pDrvPrivate, PACKET_BEGIN, event_id);
}

static void ANNOT_DDI_CALL list_end(D3D12DDI_HCOMMANDLIST list, uint64_t event_id)
{
    emit(list.pDrvPrivate, PACKET_END, event_id);
}

static void ANNOT_DDI_CALL list_set(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                                    uint32_t size, uint64_t event_id)
{
    (void)metadata, (void)data, (void)size;
    emit(list.pDrvPrivate, PACKET_SET, event_id);
}

/* This layer has no use for the driver's half of queue markers and names; libannot keeps them for
 * the dump. */
static void ANNOT_DDI_CALL queue_begin(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                       const void *data, uint32_t size, uint64_t event_id)
{
    (void)queue, (void)metadata, (void)data, (void)size, (void)event_id;
}

static void ANNOT_DDI_CALL queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t event_id)
{
    (void)queue, (void)event_id;
}

static void ANNOT_DDI_CALL set_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name)
{
    (void)object, (void)name;
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 annotation_funcs = {
    .pfnCmdQueueBeginEvent = queue_begin,
    .pfnCmdQueueEndEvent = queue_end,
    .pfnCmdQueueSetMarker = queue_begin,
    .pfnCmdListBeginEvent = list_begin,
    .pfnCmdListEndEvent = list_end,
    .pfnCmdListSetMarker = list_set,
    .pfnSetName = set_name,
};

static const annot_driver driver = {
    .name = "miniature",
    .annotation_version = D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_LATEST,
    .annotation = &annotation_funcs,
};

/* ---- the runtime's side ---- */

static void on_message(void *user, const annot_message *message)
{
    (void)user;
    fprintf(stderr, "annot %d: %s\n", (int)message->id, message->text);
}

static annot_result device_init(struct layer_device *device)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    desc.driver = &driver;
    desc.message = on_message;

    annot_result result = annot_device_create(&desc, &device->annot);
    if (result != ANNOT_OK)
        return result;
    /* All memory that a dump takes is taken now: when the device is lost it may be too late. */
    result = annot_dump_writer_create(device->annot, &device->dump);
    if (result != ANNOT_OK)
        annot_device_destroy(device->annot);
    return result;
}

static void device_finish(struct layer_device *device)
{
    annot_dump_writer_destroy(device->dump);
    annot_device_destroy(device->annot);
}

/* One device child: its object takes the mode of this moment, its context takes markers. */
static annot_result child_init(struct layer_device *device, D3D12DDI_HANDLETYPE kind, void *handle,
                               annot_object **object, annot_context **context)
{
    const annot_object_desc desc = {
        .kind = kind,
        .list_type = 0, /* a direct queue or list */
        .driver_handle = handle,
    };
    annot_result result = annot_object_create(device->annot, &desc, object);
    if (result != ANNOT_OK)
        return result;
    result = annot_context_create(*object, context);
    if (result != ANNOT_OK)
        annot_object_destroy(*object);
    return result;
}

static void child_finish(annot_object *object, annot_context *context)
{
    annot_context_destroy(context);
    annot_object_destroy(object);
}

/* ID3D12Object::SetName. WCHAR has 2 bytes in some builds of a layer and 4 in others. */
static annot_result object_set_name(annot_object *object, const wchar_t *name)
{
    return annot_object_set_name(object, name,
                                 sizeof *name == 2 ? ANNOT_TEXT_UTF16 : ANNOT_TEXT_UTF32);
}

/* ID3D12GraphicsCommandList::Reset */
static annot_result list_reset(struct layer_list *list, struct layer_allocator *allocator)
{
    list->packet_count = 0;
    return annot_context_open(list->context, allocator->arena);
}

/* ID3D12GraphicsCommandList::BeginEvent. The test is worth it only where a payload must be made
 * first. */
static void list_begin_event(struct layer_list *list, const char *text)
{
    if (annot_context_forwards(list->context))
        annot_context_begin_event(list->context, 1, text, (uint32_t)strlen(text) + 1);
}

static void list_end_event(struct layer_list *list)
{
    annot_context_end_event(list->context);
}

/* Does what is in the packets, until one hangs. */
static bool gpu_run(const struct layer_list *list, struct progress_words *words)
{
    words->entered = 1;
    for (uint32_t i = 0; i < list->packet_count; i++) {
        const struct packet *packet = &list->packets[i];
        if (packet->kind == PACKET_HANG)
            return false;
        if (packet->kind == PACKET_BEGIN || packet->kind == PACKET_SET)
            words->started = packet->event_id;
        if (packet->kind == PACKET_END || packet->kind == PACKET_SET)
            words->completed = packet->event_id;
    }
    words->left = 1;
    return true;
}

/* ID3D12CommandQueue::ExecuteCommandLists for one list; false when the GPU hung in it. */
static bool queue_execute(struct layer_queue *queue, struct layer_list *list,
                          struct progress_words *words, uint64_t *serial)
{
    memset(words, 0, sizeof *words);
    *serial = annot_context_submit(queue->context, &list->context, 1);
    if (!gpu_run(list, words))
        return false;
    annot_context_completed(queue->context, *serial);
    return true;
}

static annot_progress progress_row(const struct layer_queue *queue, uint64_t serial,
                                   const struct progress_words *words)
{
    return (annot_progress){
        .queue = annot_object_id(queue->object),
        .submission = serial,
        .list = 0,
        .inside = ANNOT_INSIDE_TRACKED,
        .state = words->left      ? ANNOT_PROGRESS_FINISHED
                 : words->entered ? ANNOT_PROGRESS_STARTED
                                  : ANNOT_PROGRESS_NOT_STARTED,
        .started = words->started,
        .completed = words->completed,
    };
}

/* VK_ERROR_DEVICE_LOST, a TDR: the engine stands still, the words are what it left. */
static annot_result device_lost(struct layer_device *device, const annot_progress *rows,
                                size_t row_count, const char *path)
{
    const annot_crash_report report = {
        .size = sizeof report,
        .order_window = 0,
        .promises = ANNOT_PROMISE_STARTS_IN_ORDER | ANNOT_PROMISE_RETIRES_IN_ORDER,
        .progress = rows,
        .progress_count = row_count,
    };
    const annot_dump_info info = {
        .error = ANNOT_DEVICE_ERROR_HUNG,
        .application = "integration",
        .adapter = "miniature GPU",
        .reason = "GPU timeout",
        .report = &report,
    };
    return annot_dump_write_file(device->dump, &info, path);
}

/* ---- the application ---- */

static void record_frame(struct layer_list *list, bool hangs)
{
    list_begin_event(list, "Frame");
    list_begin_event(list, "Shadow pass");
    emit(list, PACKET_DRAW, 0);
    list_end_event(list);
    list_begin_event(list, "Main pass");
    emit(list, hangs ? PACKET_HANG : PACKET_DRAW, 0);
    list_end_event(list);
    list_end_event(list);
}

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const annot_result result_ = (call);                                                       \
        if (result_ != ANNOT_OK) {                                                                 \
            fprintf(stderr, "%s: %s\n", #call, annot_result_text(result_));                        \
            return EXIT_FAILURE;                                                                   \
        }                                                                                          \
    } while (0)

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s DUMP\n", argv[0]);
        return EXIT_FAILURE;
    }

    struct layer_device device = {0};
    struct layer_queue queue = {0};
    struct layer_allocator allocator = {0};
    struct layer_list list = {0};
    TRY(device_init(&device));
    TRY(annot_device_set_mode(device.annot, ANNOT_MODE_DRIVER_RETAIL));
    TRY(child_init(&device, D3D12DDI_HT_COMMAND_QUEUE, &queue, &queue.object, &queue.context));
    TRY(child_init(&device, D3D12DDI_HT_COMMAND_LIST, &list, &list.object, &list.context));
    TRY(annot_arena_create(device.annot, &allocator.arena));
    TRY(object_set_name(queue.object, L"graphics queue"));

    struct progress_words words = {0};
    uint64_t serial = 0;
    bool alive = true;
    for (int frame = 0; alive; frame++) {
        TRY(annot_arena_reset(allocator.arena)); /* its last frame is finished */
        TRY(list_reset(&list, &allocator));
        record_frame(&list, frame == 2);
        TRY(annot_context_close(list.context));
        alive = queue_execute(&queue, &list, &words, &serial);
    }
    const annot_progress row = progress_row(&queue, serial, &words);
    TRY(device_lost(&device, &row, 1, argv[1]));
    printf("hung in submission %llu, see %s\n", (unsigned long long)serial,
           annot_dump_writer_path(device.dump));

    child_finish(list.object, list.context);
    annot_arena_destroy(allocator.arena);
    child_finish(queue.object, queue.context);
    device_finish(&device);
    return EXIT_SUCCESS;
}
