/*
 * A runtime in miniature that is its own driver, written from the public headers and
 * docs/INTEGRATION.md alone: four threads record, two queues execute, allocators are recycled by
 * fences, a pretend GPU writes words of 32 bits, and a watchdog writes the dump.
 *
 *     runtime PATH            runs to its end; the dump is of a device that lives
 *     runtime PATH hang       the GPU never ends the pass "lighting" of list C
 *     runtime PATH crash      the thread of list C writes where no memory is, in its pass "shadows"
 *     runtime PATH stall      it waits there for ever
 */
#define _DEFAULT_SOURCE /* usleep and dprintf, also with -std=c11 */
#include <annot/dump.h>
#include <annot/evidence.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum limits { THREADS = 4, QUEUES = 2, FRAMES = 40, PACKETS = 64, RING = 16 };
enum order { PROMISES = ANNOT_PROMISE_STARTS_IN_ORDER | ANNOT_PROMISE_RETIRES_IN_ORDER };

struct packet {
    enum op { OP_WRITE, OP_WORK, OP_HANG } op;
    uint32_t word, value;
};

struct allocator {
    annot_arena *arena;
    struct packet packets[PACKETS];
    uint32_t count;
    uint64_t fence; /* the last submission that reads the packets */
};

struct queue {
    annot_context *context;
    const struct allocator *ring[RING];
    _Atomic uint64_t submitted, done;
};

struct worker { /* a thread of the application, with its list and its allocators */
    annot_context *context;
    struct allocator allocators[2], *allocator;
    annot_words words;
    struct queue *queue;
};

static annot_device *device;
static annot_tracker *tracker;
static annot_dump_writer *writer;
static annot_object *objects[QUEUES + THREADS];
static size_t object_count;
static struct queue queues[QUEUES];
static struct worker workers[THREADS];
static _Atomic uint32_t gpu_memory[256], progress;
static atomic_bool lost, ended, written;
static atomic_uint crashed; /* the thread that did, by its number; 0: none */
static pthread_mutex_t submitting = PTHREAD_MUTEX_INITIALIZER;
static const char *path, *fault;

static void must(annot_result result)
{
    if (result != ANNOT_OK)
        _exit(1);
}

/* Markers become packets. */
static void emit(struct worker *list, enum op op, uint64_t offset, uint64_t value)
{
    struct allocator *to = list->allocator;
    if (offset != ANNOT_WORDS_NONE && to->count < PACKETS)
        to->packets[to->count++] = (struct packet){op, (uint32_t)offset / 4, (uint32_t)value};
}

static void ANNOT_DDI_CALL list_begin(D3D12DDI_HCOMMANDLIST handle, uint32_t metadata,
                                      const void *data, uint32_t size, uint64_t event)
{
    struct worker *list = handle.pDrvPrivate;
    (void)metadata, (void)data, (void)size;
    emit(list, OP_WRITE, list->words.started, event);
}

static void ANNOT_DDI_CALL list_end(D3D12DDI_HCOMMANDLIST handle, uint64_t event)
{
    struct worker *list = handle.pDrvPrivate;
    emit(list, OP_WRITE, list->words.completed, event);
}

static void ANNOT_DDI_CALL list_set(D3D12DDI_HCOMMANDLIST handle, uint32_t metadata,
                                    const void *data, uint32_t size, uint64_t event)
{
    list_begin(handle, metadata, data, size, event);
    list_end(handle, event);
}

/* Nobody puts markers on queues here, and the GPU wants no names; but a table has no holes. */
static void ANNOT_DDI_CALL queue_marker(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                        const void *data, uint32_t size, uint64_t event)
{
    (void)queue, (void)metadata, (void)data, (void)size, (void)event;
}

static void ANNOT_DDI_CALL queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t event)
{
    (void)queue, (void)event;
}

static void ANNOT_DDI_CALL set_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name)
{
    (void)object, (void)name;
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {
    queue_marker, queue_end, queue_marker, list_begin, list_end, list_set, set_name};
static const annot_driver driver = {
    "pretend GPU", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_LATEST, &table, 0};

static bool wait_for(const _Atomic uint64_t *fence, uint64_t value)
{
    while (*fence < value && !lost && !ended)
        usleep(100);
    return *fence >= value && !lost;
}

static void *gpu_main(void *argument)
{
    struct queue *queue = argument;
    for (uint64_t serial = 1; wait_for(&queue->submitted, serial); serial++, progress++) {
        const struct allocator *work = queue->ring[serial % RING];
        for (uint32_t i = 0; i < work->count; i++)
            if (work->packets[i].op == OP_WRITE)
                gpu_memory[work->packets[i].word] = work->packets[i].value;
            else
                usleep(work->packets[i].op == OP_WORK ? 1000 : 1000000000);
        annot_tracker_completed(tracker, queue->context, serial);
        queue->done = serial; /* only now may the application see it */
    }
    return NULL;
}

static void begin(const struct worker *list, const char *name)
{
    annot_context_begin_event(list->context, 1, name, (uint32_t)strlen(name) + 1);
}

static void record(struct worker *list, uint32_t frame)
{
    bool is_faulty = list == &workers[2] && frame == FRAMES / 2;
    char name[32];
    snprintf(name, sizeof name, "frame %u", frame);
    begin(list, name);
    begin(list, "shadows");
    if (is_faulty && strcmp(fault, "crash") == 0)
        *(volatile int *)(uintptr_t)frame = 1;
    while (is_faulty && strcmp(fault, "stall") == 0)
        pause();
    emit(list, OP_WORK, 0, 0);
    annot_context_end_event(list->context);
    annot_context_set_marker(list->context, 1, "lights", sizeof "lights");
    begin(list, "lighting");
    emit(list, is_faulty && strcmp(fault, "hang") == 0 ? OP_HANG : OP_WORK, 0, 0);
    annot_context_end_event(list->context);
    annot_context_end_event(list->context);
}

static void *worker_main(void *argument)
{
    struct worker *list = argument;
    struct queue *queue = list->queue;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        struct allocator *allocator = list->allocator = &list->allocators[frame % 2];
        if (!wait_for(&queue->done, allocator->fence))
            return NULL;
        must(annot_arena_reset(allocator->arena));
        allocator->count = 0;
        must(annot_context_open(list->context, allocator->arena));
        list->words = annot_tracker_record(tracker, list->context);
        emit(list, OP_WRITE, list->words.started, ANNOT_WORD_ENTERED);
        record(list, frame);
        emit(list, OP_WRITE, list->words.completed, ANNOT_WORD_LEFT);
        must(annot_context_close(list->context));
        pthread_mutex_lock(&submitting);
        allocator->fence = annot_tracker_submit(tracker, queue->context, &list->context, 1, NULL);
        queue->ring[allocator->fence % RING] = allocator;
        queue->submitted = allocator->fence; /* only now may the GPU see it */
        pthread_mutex_unlock(&submitting);
    }
    return NULL;
}

static void dump(bool is_alive, const char *reason)
{
    static annot_progress rows[QUEUES * RING];
    uint32_t count = 0, in_flight = 0;
    lost = !is_alive;
    annot_tracker_copy_rows(tracker, rows, QUEUES * RING, &count, &in_flight);
    const annot_crash_report report = {
        .size = sizeof report, .promises = PROMISES, .progress = rows, .progress_count = count};
    const annot_dump_info info = {
        .error = is_alive                    ? ANNOT_DEVICE_ERROR_NONE
                 : crashed || in_flight == 0 ? ANNOT_DEVICE_ERROR_APPLICATION
                                             : ANNOT_DEVICE_ERROR_HUNG,
        .reason = reason,
        .report = &report,
        .thread = crashed,
    };
    annot_result result = annot_dump_write_file(writer, &info, path);
    dprintf(1, "%s\n", result ? annot_result_text(result) : annot_dump_writer_path(writer));
}

/* Leaves the dump to the watchdog, waits five seconds for it, and lets the fault happen again. */
static void on_crash(int number)
{
    crashed = (unsigned)syscall(SYS_gettid);
    for (int i = 0; i < 500 && !written; i++)
        usleep(10000);
    signal(number, SIG_DFL);
}

/* A second without a fence: the GPU hangs if it has work, or else the application does. */
static void *watchdog_main(void *argument)
{
    for (uint32_t seen = 0, still = 0; still < 50 && !crashed; seen = progress, usleep(20000)) {
        still = progress == seen ? still + 1 : 0;
        if (ended)
            return argument;
    }
    dump(false, crashed ? "SIGSEGV" : "no fence for a second");
    written = true;
    if (!crashed)
        _exit(3);
    return argument;
}

static annot_context *child(D3D12DDI_HANDLETYPE kind, void *handle, const char *name)
{
    const annot_object_desc desc = {.kind = kind, .driver_handle = handle};
    annot_context *context;
    must(annot_object_create(device, &desc, &objects[object_count]));
    must(annot_object_set_name(objects[object_count], name, ANNOT_TEXT_UTF8));
    must(annot_context_create(objects[object_count++], &context));
    return context;
}

static void create(void)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    const annot_tracker_desc words = {gpu_memory, sizeof gpu_memory, 4, 0, true, true, PROMISES};
    desc.driver = &driver;
    must(annot_device_create(&desc, &device));
    must(annot_device_set_mode(device, ANNOT_MODE_DRIVER_RETAIL));
    must(annot_dump_writer_create(device, &writer));
    must(annot_tracker_create(device, &words, &tracker));
    for (uint32_t i = 0; i < QUEUES; i++)
        queues[i].context = child(D3D12DDI_HT_COMMAND_QUEUE, &queues[i], i ? "late" : "early");
    for (uint32_t i = 0; i < THREADS; i++) {
        const char name[] = {'l', 'i', 's', 't', ' ', (char)('A' + i), 0};
        workers[i].queue = &queues[i / 2];
        workers[i].context = child(D3D12DDI_HT_COMMAND_LIST, &workers[i], name);
        must(annot_arena_create(device, &workers[i].allocators[0].arena));
        must(annot_arena_create(device, &workers[i].allocators[1].arena));
    }
}

static void destroy(void)
{
    for (size_t i = 0; i < QUEUES; i++)
        annot_context_destroy(queues[i].context);
    for (size_t i = 0; i < THREADS; i++) {
        annot_tracker_forget(tracker, workers[i].context);
        annot_context_destroy(workers[i].context);
        annot_arena_destroy(workers[i].allocators[0].arena);
        annot_arena_destroy(workers[i].allocators[1].arena);
    }
    while (object_count > 0)
        annot_object_destroy(objects[--object_count]);
    annot_tracker_destroy(tracker);
    annot_dump_writer_destroy(writer);
    annot_device_destroy(device);
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS + QUEUES + 1];
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        puts("usage: runtime PATH [hang|crash|stall]");
        return 0;
    }
    path = argc > 1 ? argv[1] : "runtime.annotdmp";
    fault = argc > 2 ? argv[2] : "";
    create();
    sigaction(SIGSEGV, &(struct sigaction){.sa_handler = on_crash}, NULL);
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, worker_main, &workers[i]);
    for (size_t i = 0; i < QUEUES; i++)
        pthread_create(&threads[THREADS + i], NULL, gpu_main, &queues[i]);
    pthread_create(&threads[THREADS + QUEUES], NULL, watchdog_main, NULL);
    for (size_t i = 0; i < THREADS + QUEUES + 1; i++) {
        ended = i >= THREADS;
        pthread_join(threads[i], NULL);
    }
    dump(true, "the run has ended");
    destroy();
    return 0;
}
