/*
 * You will see a driver of your own run on the emulated GPU, loaded from a shared object:
 *
 *     EMU_DRIVER_PATH=build/lib/driver_so.so build/bin/hang
 *     build/bin/annot show hang.annotdmp
 *
 * The report then says "adapter  libannot emulator, driver breadcrumbs".
 *
 * The reference driver does the work. What is ours are the breadcrumbs: a marker becomes a write of
 * its EventID into a word of our GPU memory, a few more writes around every list say which one
 * runs, and after a hang those words are all that the crash report knows.
 *
 * A list doesn't know its queue while it is recorded, so EventIDs have words of a type of list:
 * where there are two queues of a type, the report says which list runs and not which marker.
 * Bundles leave no breadcrumbs. A driver for more than a page would patch addresses in when a list
 * is submitted.
 */
#include <emu/driver.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES = 8, BUNDLE = 1, QUEUES = 64, LISTS = 1024, IN_FLIGHT = 64, ROWS = 1024 };

struct words { /* in GPU memory; the GPU writes 4 bytes at a time */
    struct queue_words {
        uint64_t serial; /* the submission that runs, or ran last */
        uint64_t index;  /* of the list in it; its number of lists: all are done */
    } queues[QUEUES];
    struct list_words {
        uint64_t started; /* EventIDs */
        uint64_t completed;
    } lists[TYPES];
};

struct device {
    void *reference;
    emu_gpu *gpu;
    emu_gpu_memory memory; /* struct words */
    struct queue {
        void *handle; /* the reference driver's, as lists' are; NULL: none */
        uint64_t id;  /* what rows name it by */
        uint32_t type;
        struct in_flight {
            uint64_t serial;
            uint32_t lists;
        } in_flight[IN_FLIGHT]; /* the last ones; finished ones do no harm */
    } queues[QUEUES];
    bool is_shared[TYPES]; /* there were two queues of this type at a time */
    annot_progress rows[ROWS];
};

static const emu_driver_host *host;
static emu_driver driver; /* the reference driver's table with a few functions of ours */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    void *handle; /* of a list or queue */
    struct device *device;
    uint32_t number; /* a list's type, a queue's place */
} known[LISTS];

/* ---- whose handle is this ---- */

static int find(const void *handle) /* NULL: a free place; -1: none */
{
    int i = LISTS - 1;
    while (i >= 0 && known[i].handle != handle)
        i--;
    return i;
}

static bool remember(void *handle, struct device *device, uint32_t number)
{
    pthread_mutex_lock(&lock);
    const int i = find(NULL);
    if (i >= 0) {
        known[i].handle = handle;
        known[i].device = device;
        known[i].number = number;
    }
    pthread_mutex_unlock(&lock);
    return i >= 0;
}

static struct device *recall(void *handle, uint32_t *number, bool forget)
{
    pthread_mutex_lock(&lock);
    const int i = find(handle);
    struct device *device = i >= 0 ? known[i].device : NULL;
    *number = i >= 0 ? known[i].number : BUNDLE;
    if (i >= 0 && forget)
        known[i].handle = NULL;
    pthread_mutex_unlock(&lock);
    return device;
}

/* ---- breadcrumbs ---- */

#define QUEUE_WORDS(place) (offsetof(struct words, queues) + (place) * sizeof(struct queue_words))
#define LIST_WORDS(type)   (offsetof(struct words, lists) + (type) * sizeof(struct list_words))

static void write_word(void *list, const struct device *device, size_t offset, uint64_t value)
{
    const uint64_t address = device->memory.address + offset;
    host->reference->cmd_write_immediate(list, address, (uint32_t)value, 0);
    host->reference->cmd_write_immediate(list, address + 4, (uint32_t)(value >> 32), 0);
}

/* `offset`: in struct list_words. */
static void drop(void *list, size_t offset, uint64_t event_id)
{
    uint32_t type;
    const struct device *device = recall(list, &type, false);
    if (device && type != BUNDLE)
        write_word(list, device, LIST_WORDS(type) + offset, event_id);
}

static void ANNOT_DDI_CALL list_begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                      const void *data, uint32_t size, uint64_t event_id)
{
    (void)metadata, (void)data, (void)size;
    drop(list.pDrvPrivate, offsetof(struct list_words, started), event_id);
}

static void ANNOT_DDI_CALL list_end(D3D12DDI_HCOMMANDLIST list, uint64_t event_id)
{
    if (event_id != 0)
        drop(list.pDrvPrivate, offsetof(struct list_words, completed), event_id);
}

static void ANNOT_DDI_CALL list_set(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                                    uint32_t size, uint64_t event_id)
{
    list_begin(list, metadata, data, size, event_id);
    list_end(list, event_id);
}

/* ---- devices, queues, lists ---- */

/* Children that are neither queue nor list have names only, which the reference driver keeps. */
static void *object_create(void *handle, D3D12DDI_HANDLETYPE type, uint64_t id)
{
    return host->reference->object_create(((struct device *)handle)->reference, type, id);
}

static void set_marker_mode(void *handle, uint32_t type, uint32_t flags)
{
    host->reference->set_marker_mode(((struct device *)handle)->reference, type, flags);
}

static void *device_create(emu_gpu *gpu, uint64_t seed)
{
    struct device *device = calloc(1, sizeof *device);
    if (!device)
        return NULL;
    device->gpu = gpu;
    device->reference = host->reference->device_create(gpu, seed);
    if (device->reference && host->gpu_allocate(gpu, sizeof(struct words), 0, &device->memory))
        return device;
    if (device->reference)
        host->reference->device_destroy(device->reference);
    free(device);
    return NULL;
}

static void device_destroy(void *handle)
{
    struct device *device = handle;
    host->reference->device_destroy(device->reference);
    host->gpu_free(device->gpu, device->memory.address);
    free(device);
}

static void *list_create(void *handle, uint32_t type, uint64_t id)
{
    struct device *device = handle;
    void *list = host->reference->list_create(device->reference, type, id);
    if (list && type < TYPES)
        remember(list, device, type); /* without a place it leaves no breadcrumbs */
    return list;
}

static void list_destroy(void *list)
{
    uint32_t type;
    recall(list, &type, true);
    host->reference->list_destroy(list);
}

static bool take_place(struct device *device, const struct queue *queue)
{
    uint32_t place = QUEUES;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < QUEUES; i++)
        if (!device->queues[i].handle)
            place = i;
        else if (device->queues[i].type == queue->type)
            device->is_shared[queue->type] = true;
    if (place < QUEUES)
        device->queues[place] = *queue;
    pthread_mutex_unlock(&lock);
    if (place < QUEUES && remember(queue->handle, device, place))
        return true;
    if (place < QUEUES)
        device->queues[place].handle = NULL;
    return false;
}

static void *queue_create(void *handle, uint32_t type, uint64_t id)
{
    struct device *device = handle;
    void *queue = type < TYPES ? host->reference->queue_create(device->reference, type, id) : NULL;
    if (queue && take_place(device, &(struct queue){.handle = queue, .id = id, .type = type}))
        return queue;
    if (queue)
        host->reference->queue_destroy(queue);
    return NULL;
}

static void queue_destroy(void *handle)
{
    uint32_t place;
    struct device *device = recall(handle, &place, true);
    pthread_mutex_lock(&lock);
    device->queues[place].handle = NULL;
    pthread_mutex_unlock(&lock);
    host->reference->queue_destroy(handle);
}

/* ---- submissions: before every list, and after the last, one of ours says where the GPU is
 * ---- */

static void *signpost(struct device *device, uint32_t place, uint64_t serial, uint32_t index)
{
    const uint32_t type = device->queues[place].type;
    void *list = host->reference->list_create(device->reference, type, 0);
    if (!list)
        return NULL;
    write_word(list, device, LIST_WORDS(type) + offsetof(struct list_words, started), 0);
    write_word(list, device, LIST_WORDS(type) + offsetof(struct list_words, completed), 0);
    write_word(list, device, QUEUE_WORDS(place) + offsetof(struct queue_words, index), index);
    write_word(list, device, QUEUE_WORDS(place) + offsetof(struct queue_words, serial), serial);
    if (host->reference->list_close(list))
        return list;
    host->reference->list_destroy(list);
    return NULL;
}

static bool queue_submit(void *queue, const emu_submission *submission, emu_command_buffer *out)
{
    const uint32_t count = submission->count;
    const uint64_t serial = submission->serial;
    uint32_t place, made = 0;
    struct device *device = recall(queue, &place, false);
    void **all = calloc(2 * (size_t)count + 1, sizeof *all);
    uint64_t *crumbs = calloc(2 * (size_t)count + 1, sizeof *crumbs);
    uint32_t *highs = calloc(2 * (size_t)count + 1, sizeof *highs);
    if (!all || !crumbs || !highs) {
        free(all);
        free(crumbs);
        free(highs);
        return false;
    }
    while (made <= count && (all[2 * made] = signpost(device, place, serial, made))) {
        if (made < count) {
            all[2 * made + 1] = submission->lists[made];
            crumbs[2 * made + 1] = submission->crumbs != NULL ? submission->crumbs[made] : 0;
            highs[2 * made + 1] = submission->sequence_high ? submission->sequence_high[made] : 0;
        }
        made++;
    }
    const emu_submission more = {.lists = all,
                                 .count = 2 * count + 1,
                                 .serial = serial,
                                 .crumbs = crumbs,
                                 .sequence_high = submission->sequence_high != NULL ? highs : NULL};
    const bool done = made > count && host->reference->queue_submit(queue, &more, out);
    for (uint32_t i = 0; i < made; i++) /* a submission keeps what it needs */
        host->reference->list_destroy(all[2 * i]);
    free(all);
    free(crumbs);
    free(highs);
    pthread_mutex_lock(&lock);
    if (done)
        device->queues[place].in_flight[serial % IN_FLIGHT] = (struct in_flight){serial, count};
    pthread_mutex_unlock(&lock);
    return done;
}

/* The serial belongs to the next submission. */
static void submission_withdrawn(void *queue, uint64_t serial)
{
    uint32_t place;
    struct device *device = recall(queue, &place, false);
    pthread_mutex_lock(&lock);
    device->queues[place].in_flight[serial % IN_FLIGHT] = (struct in_flight){0};
    pthread_mutex_unlock(&lock);
    host->reference->submission_withdrawn(queue, serial);
}

/* ---- after a crash: nothing but the words ---- */

/* `ids`: NULL where they may be another queue's. */
static annot_progress row_of(const struct queue_words *words, const struct list_words *ids,
                             uint64_t serial, uint32_t list)
{
    annot_progress row = {.submission = serial,
                          .list = list,
                          .inside = ids ? ANNOT_INSIDE_TRACKED : ANNOT_INSIDE_NOT_TRACKED};
    const bool is_before =
        serial < words->serial || (serial == words->serial && list < words->index);
    if (is_before) {
        row.state = ANNOT_PROGRESS_FINISHED;
    } else if (serial == words->serial && list == words->index) {
        row.state = ANNOT_PROGRESS_STARTED;
        row.started = ids ? ids->started : 0;
        row.completed = ids ? ids->completed : 0;
    } else {
        row.state = ANNOT_PROGRESS_NOT_STARTED;
    }
    return row;
}

static void crash_report(void *handle, annot_crash_report *report)
{
    struct device *device = handle;
    const struct words *words = device->memory.cpu;
    size_t count = 0;
    pthread_mutex_lock(&lock);
    for (uint32_t q = 0; q < QUEUES; q++) {
        const struct queue *queue = &device->queues[q];
        const struct list_words *ids =
            device->is_shared[queue->type] ? NULL : &words->lists[queue->type];
        for (uint32_t i = 0; queue->handle && i < IN_FLIGHT; i++)
            for (uint32_t l = 0; l < queue->in_flight[i].lists && count < ROWS; l++) {
                device->rows[count] = row_of(&words->queues[q], ids, queue->in_flight[i].serial, l);
                device->rows[count++].queue = queue->id;
            }
    }
    pthread_mutex_unlock(&lock);
    report->promises = ANNOT_PROMISE_STARTS_IN_ORDER | ANNOT_PROMISE_RETIRES_IN_ORDER;
    report->progress = device->rows;
    report->progress_count = count;
}

EMU_DRIVER_EXPORT const emu_driver *emu_driver_open(const emu_driver_host *the_host)
{
    static D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 annotation;
    if (the_host->version != EMU_DRIVER_VERSION || the_host->size != sizeof *the_host)
        return NULL;
    host = the_host;
    driver = *host->reference;
    annotation =
        *driver.annot.annotation; /* queues' markers and names stay the reference driver's */
    annotation.pfnCmdListBeginEvent = list_begin;
    annotation.pfnCmdListEndEvent = list_end;
    annotation.pfnCmdListSetMarker = list_set;
    driver.annot.name = "breadcrumbs";
    driver.annot.annotation = &annotation;
    driver.device_create = device_create;
    driver.device_destroy = device_destroy;
    driver.set_marker_mode = set_marker_mode;
    driver.dump_file = NULL; /* the reference driver's takes its own devices only */
    driver.dump_file_options = 0;
    driver.object_create = object_create;
    driver.queue_create = queue_create;
    driver.queue_destroy = queue_destroy;
    driver.list_create = list_create;
    driver.list_destroy = list_destroy;
    driver.queue_submit = queue_submit;
    driver.submission_withdrawn = submission_withdrawn;
    driver.crash_report = crash_report;
    return &driver;
}
