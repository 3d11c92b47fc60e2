/* A recording that is in flight twice on one queue has one pair of words. A small list of the layer
 * in front of the later execution distinguishes the two. */
#include "layer.h"

#include <stdlib.h>

#include <utlist.h>

struct layer_seam {
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    void *writer;    /* the list's interface that writes words, without a reference */
    uint64_t serial; /* serial of the submission with this list */
    struct layer_seam *next;
};

static void destroy(struct layer_device *device, struct layer_seam *seam)
{
    layer_release(device, seam->list);
    layer_release(device, seam->allocator);
    free(seam);
}

static struct layer_seam *create(const struct layer_queue *queue)
{
    struct layer_device *device = queue->mirror.device;
    ID3D12Device *real = device->real;
    struct layer_seam *seam = calloc(1, sizeof *seam);
    void *allocator = NULL, *list = NULL;
    if (!seam)
        return NULL;
    if (real->lpVtbl->CreateCommandAllocator(real, queue->type, iid_of(TYPE_ID3D12CommandAllocator),
                                             &allocator) >= 0) {
        layer_device_hold(device);
        seam->allocator = allocator;
        if (real->lpVtbl->CreateCommandList(real, 0, queue->type, allocator, NULL,
                                            iid_of(layer_words_writer(device)), &list) >= 0) {
            layer_device_hold(device);
            seam->writer = seam->list = list;
            return seam;
        }
    }
    destroy(device, seam);
    return NULL;
}

/* Takes the oldest list if its work is done, or a new list. The list is open, and now the
 * newest. */
static struct layer_seam *take(struct layer_queue *queue, uint64_t serial)
{
    struct layer_seam *seam = queue->seams;
    if (seam && seam->serial <= crash_queue_done(&queue->crash)) {
        LL_DELETE(queue->seams, seam);
        if (seam->allocator->lpVtbl->Reset(seam->allocator) < 0 ||
            seam->list->lpVtbl->Reset(seam->list, seam->allocator, NULL) < 0) {
            destroy(queue->mirror.device, seam);
            return NULL;
        }
    } else if (!(seam = create(queue))) {
        return NULL;
    }
    seam->serial = serial;
    LL_APPEND(queue->seams, seam);
    return seam;
}

ID3D12CommandList *layer_seam_record(struct layer_queue *queue, uint64_t serial,
                                     const annot_prologue *prologue)
{
    struct layer_seam *seam = take(queue, serial);
    if (!seam)
        return NULL;
    layer_words_write_prologue(queue->mirror.device, seam->writer, prologue);
    return seam->list->lpVtbl->Close(seam->list) < 0 ? NULL : (void *)seam->list;
}

void layer_seams_finish(struct layer_queue *queue)
{
    struct layer_seam *seam, *next;
    LL_FOREACH_SAFE(queue->seams, seam, next)
    destroy(queue->mirror.device, seam);
    queue->seams = NULL;
}
