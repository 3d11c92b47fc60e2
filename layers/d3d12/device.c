#include "layer.h"
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

static pthread_mutex_t devices_lock = PTHREAD_MUTEX_INITIALIZER;
static struct layer_device *devices;

/* ---- references ---- */

static unsigned count_references(struct layer_device *device)
{
    device->real->lpVtbl->AddRef(device->real);
    return (unsigned)device->real->lpVtbl->Release(device->real);
}

/* Finds how many references a child has to its device: one, or none if the runtime counts them
 * separately. The child is kept. */
static void set_anchor(struct layer_device *device)
{
    void *fence = NULL;
    const unsigned before = count_references(device);
    if (device->real->lpVtbl->CreateFence(device->real, 0, D3D12_FENCE_FLAG_NONE,
                                          iid_of(TYPE_ID3D12Fence), &fence) < 0)
        return;
    const unsigned with = count_references(device);
    device->per_child = with > before ? with - before : 0;
    device->anchor = fence;
    layer_device_hold(device);
}

/* ---- devices ---- */

static void set_fact(struct layer_device *device, const char *key, const char *value)
{
    if (*value)
        annot_device_set_fact(device->crash.annot, key, value);
}

static void tell_runtime(struct layer_device *device)
{
    struct layer_runtime runtime;
    layer_runtime_read(device->real, &runtime);
    set_fact(device, "runtime", runtime.loaded);
    set_fact(device, "runtime core", runtime.core);
    set_fact(device, "DXGI adapter", runtime.adapter.name);
    set_fact(device, "DXGI driver", runtime.adapter.driver);
    set_fact(device, "Wine", runtime.adapter.wine);
}

static bool annot_begin(struct layer_device *device)
{
    layer_dred_open(device);
    layer_evidence_open(device);
    const bool has_words = layer_device_has_words(device);
    const annot_tracker_desc tracked = {
        .memory = has_words ? device->memory.mapped : NULL,
        .memory_size = has_words ? LAYER_WORD_BYTES : 0,
        .word_size = 4,
        .writes_entered = true,
        .writes_completed = true,
        .promises = device->evidence == LAYER_EVIDENCE_COPY ? ANNOT_PROMISE_DRAINS : 0,
    };
    device->crumbs = malloc(sizeof *device->crumbs);
    const bool is_exact = layer_settings.level == CRASH_LEVEL_EXACT;
    if (is_exact)
        device->indirects = calloc(LAYER_INDIRECTS, sizeof *device->indirects);
    if (!device->crumbs || (is_exact && !device->indirects) ||
        !crash_device_open(&device->crash, &layer_settings, &layer_driver, &tracked,
                           layer_evidence_text(device)))
        return false;
    tell_runtime(device);
    layer_tools_open(device);
    return true;
}

static void destroy(struct layer_device *device)
{
    layer_evidence_finish(device);
    if (device->anchor)
        object_release(device->anchor);
    crash_device_close(&device->crash);
    pthread_mutex_destroy(&device->lock);
    layer_ranges_finish(device);
    free(device->crumbs);
    free(device->indirects);
    free(device);
}

static struct layer_device *create(struct object *object)
{
    struct layer_device *device = calloc(1, sizeof *device);
    if (!device)
        return NULL;
    device->mirror.kind = LAYER_DEVICE;
    device->mirror.device = device;
    device->object = object;
    device->real = object->real;
    pthread_mutex_init(&device->lock, NULL);
    set_anchor(device);
    if (annot_begin(device))
        return device;
    destroy(device);
    return NULL;
}

/* Two threads that get the same new device at once make one mirror. */
static pthread_mutex_t creation_lock = PTHREAD_MUTEX_INITIALIZER;

struct layer_device *layer_device_of(struct object *object)
{
    struct layer_mirror *mirror = layer_mirror_of(object);
    if (mirror)
        return mirror->device;
    pthread_mutex_lock(&creation_lock);
    mirror = layer_mirror_of(object);
    struct layer_device *device = mirror ? mirror->device : create(object);
    if (device && !mirror &&
        !object_set_note(object, OBJECT_NOTE_CRASH, (uintptr_t)(void *)device)) {
        destroy(device); /* the program uses a device that is gone */
        device = NULL;
    }
    if (device && !mirror) {
        pthread_mutex_lock(&devices_lock);
        LL_PREPEND(devices, device);
        pthread_mutex_unlock(&devices_lock);
        layer_watch(device);
    }
    pthread_mutex_unlock(&creation_lock);
    return device;
}

/* Ends a device that the program has released with all objects; only the layer's are left. */
static void end(struct layer_device *device)
{
    const bool is_quiet = crash_device_stop(&device->crash);
    pthread_mutex_lock(&devices_lock);
    LL_DELETE(devices, device);
    pthread_mutex_unlock(&devices_lock);
    if (!is_quiet)
        return;
    while (device->mirrors) {
        struct layer_mirror *mirror = device->mirrors;
        const bool is_gone =
            mirror->kind == LAYER_QUEUE && ((struct layer_queue *)(void *)mirror)->is_gone;
        layer_mirror_finish(mirror);
        if (is_gone)
            free(mirror);
    }
    destroy(device);
}

/* Whether a device without a reference of the program lives on, because its objects live. */
static atomic_bool has_orphans;

void layer_device_counted(struct object *self, bool is_release, uint64_t *result)
{
    const struct layer_mirror *mirror = layer_mirror_of(self);
    if (!mirror || mirror->kind != LAYER_DEVICE || (uint32_t)*result < mirror->device->held)
        return;
    *result -= mirror->device->held;
    if (!is_release)
        return;
    if ((uint32_t)*result == 0) {
        object_take_note(self, OBJECT_NOTE_CRASH);
        end(mirror->device);
    } else if (object_references(self) <= 0) {
        atomic_store(&has_orphans, true);
    }
}

static struct layer_device *find_orphan(bool *is_over)
{
    struct layer_device *device;
    *is_over = false;
    LL_FOREACH(devices, device)
    {
        if (object_references(device->object) > 0)
            continue;
        atomic_store(&has_orphans, true);
        *is_over = count_references(device) == device->held;
        if (*is_over)
            break;
    }
    return device;
}

void layer_devices_sweep(void)
{
    bool is_over;
    if (!atomic_exchange(&has_orphans, false))
        return;
    do {
        pthread_mutex_lock(&devices_lock);
        struct layer_device *device = find_orphan(&is_over);
        is_over = is_over && object_take_note(device->object, OBJECT_NOTE_CRASH) != 0;
        pthread_mutex_unlock(&devices_lock);
        if (is_over)
            end(device);
    } while (is_over);
}

/* Finds a queue without work in flight to which the program has no reference any more. */
static struct layer_mirror *find_done_queue(struct layer_device *device)
{
    struct layer_queue *queue;
    pthread_mutex_lock(&device->lock);
    LL_FOREACH(device->queues, queue)
    if (queue->is_gone && !crash_queue_is_busy(&queue->crash))
        break;
    pthread_mutex_unlock(&device->lock);
    return queue ? &queue->mirror : NULL;
}

void layer_mirror_gone(uintptr_t note)
{
    struct layer_mirror *mirror = (struct layer_mirror *)note;
    struct layer_device *device = mirror->device;
    if (device && mirror->kind == LAYER_DEVICE) {
        end(device); /* the device ended without a call */
        return;
    }
    if (!device) {
        free(mirror);
        return;
    }
    layer_device_poll(device);
    if (mirror->kind == LAYER_QUEUE) { /* the queue's submissions may still be in flight */
        pthread_mutex_lock(&device->lock);
        ((struct layer_queue *)(void *)mirror)->is_gone = true;
        pthread_mutex_unlock(&device->lock);
        mirror = find_done_queue(device);
    }
    for (; mirror; mirror = find_done_queue(device)) {
        layer_mirror_finish(mirror);
        free(mirror);
    }
}
