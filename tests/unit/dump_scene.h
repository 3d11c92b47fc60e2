/* A device with a list, a bundle and a queue to take dumps of, and everything that a caller may say
 * in a dump. */
#pragma once

#include "dump_bytes.h"
#include "spy.h"

struct scene {
    annot_device *device;
    annot_arena *arena, *bundle_arena;
    struct spy_child list, bundle, queue;
};

static inline struct scene scene_make(uint64_t budget)
{
    struct scene s = {.device = spy_device(ANNOT_MODE_DRIVER_RETAIL, budget)};
    s.arena = spy_arena(s.device);
    s.bundle_arena = spy_arena(s.device);
    s.list = spy_list(s.device, 0, spy_handle(1));
    s.bundle = spy_list(s.device, 1, spy_handle(2));
    s.queue = spy_queue(s.device, 2, spy_handle(3));
    return s;
}

static inline void scene_done(struct scene *s)
{
    spy_child_done(s->list);
    spy_child_done(s->bundle);
    spy_child_done(s->queue);
    annot_arena_destroy(s->arena);
    annot_arena_destroy(s->bundle_arena);
    spy_device_done(s->device);
}

static inline annot_dump_info full_info(const struct scene *s, annot_crash_report *report,
                                        annot_progress *rows, annot_blob *blobs)
{
    rows[0] = (annot_progress){.queue = annot_object_id(s->queue.object),
                               .object = annot_object_id(s->bundle.object),
                               .submission = 1,
                               .inside = ANNOT_INSIDE_TRACKED,
                               .list = 0,
                               .bundle = 2,
                               .state = ANNOT_PROGRESS_STARTED,
                               .started = 0x123456789abcdef0,
                               .completed = 0xfedcba9876543210};
    rows[1] = (annot_progress){.queue = 99, .state = ANNOT_PROGRESS_FINISHED};
    rows[2] = (annot_progress){
        .queue = annot_object_id(s->queue.object), .list = ANNOT_PROGRESS_QUEUE, .state = 77};
    *report = (annot_crash_report){.size = sizeof *report,
                                   .order_window = 4,
                                   .promises = ANNOT_PROMISE_RETIRES_IN_ORDER,
                                   .fault_address = 0xdeadbeef000,
                                   .progress = rows,
                                   .progress_count = 3,
                                   .blob = "driver's blob",
                                   .blob_size = 13};
    blobs[0] = (annot_blob){ANNOT_BLOB_KERNEL, 42, "kernel", 6};
    blobs[1] = (annot_blob){ANNOT_BLOB_APPLICATION, 43, NULL, 6};
    blobs[2] = (annot_blob){ANNOT_BLOB_APPLICATION, 44, "app", 3};
    annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_PAGE_FAULT,
                            .time = 1234567890123456789,
                            .application = "game.exe",
                            .adapter = "Adapter \xC3\xA9",
                            .reason = "GPU page fault",
                            .report = report,
                            .blobs = blobs,
                            .blob_count = 3};
    for (unsigned i = 0; i < 16; i++)
        info.guid[i] = (uint8_t)(i * 16 + 1);
    return info;
}
