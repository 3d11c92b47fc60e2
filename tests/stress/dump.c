/* Dumps of a live device while other threads record, reset, create, destroy, name and submit: each
 * is framed and hashed right and ends with its END, and no recorder is held up for good
 * [ANN-CRASH-07, ANN-LIFE-04]. And names from many threads: a whole one or none [ANN-NAME-05]. */
#include "checks.h"

#include <annot/dump.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDERS = 3, DUMPS = 60 };

static annot_device *device;
static annot_object *shared;
static _Atomic bool stop;
static _Atomic unsigned frames, torn_names;

static void name_make(char *name, size_t size, char letter)
{
    memset(name, letter, size - 1);
    name[size - 1] = 0;
}

static void use_names(char letter)
{
    char name[300], read[400];
    name_make(name, 1 + (size_t)(letter - 'a') * 40 + 20, letter);
    annot_object_set_name(shared, letter % 3 ? name : NULL, ANNOT_TEXT_UTF8);
    size_t size = annot_object_get_name(shared, read, sizeof read);
    size_t length = strlen(read);
    torn_names += length != size;
    for (size_t i = 0; i < length; i++)
        torn_names += read[i] != read[0];
    torn_names += length > 0 && length != (size_t)(read[0] - 'a') * 40 + 20;
}

static void *record(void *argument)
{
    char letter = (char)('a' + (size_t)argument);
    static const char payload[90000];
    annot_object_desc queue_desc = {.kind = D3D12DDI_HT_COMMAND_QUEUE};
    while (!stop) {
        annot_object_desc desc = {.kind = D3D12DDI_HT_COMMAND_LIST};
        annot_object *objects[2];
        annot_context *list, *queue;
        annot_arena *arena;
        if (annot_object_create(device, &desc, &objects[0]) ||
            annot_object_create(device, &queue_desc, &objects[1]) ||
            annot_context_create(objects[0], &list) || annot_context_create(objects[1], &queue) ||
            annot_arena_create(device, &arena))
            return NULL;
        for (int frame = 0; frame < 10; frame++) {
            annot_context_open(list, arena);
            for (uint32_t i = 0; i < 200; i++) {
                annot_context_begin_event(list, 0, payload, i % 100);
                annot_context_set_marker(list, 0, payload, i == 100 ? sizeof payload : i);
                annot_context_execute_bundle(list, list);
                annot_context_end_event(list);
            }
            annot_context_end_event(list);
            annot_context_begin_event(list, 0, payload, 1);
            annot_context_close(list);
            annot_context_set_marker(queue, 0, payload, 500);
            annot_context_completed(queue, annot_context_submit(queue, &list, 1));
            use_names(letter);
            annot_object_set_name(objects[0], "list", ANNOT_TEXT_UTF8);
            annot_arena_reset(arena);
            frames++;
        }
        annot_context_destroy(list);
        annot_context_destroy(queue);
        annot_object_destroy(objects[0]);
        annot_object_destroy(objects[1]);
        annot_arena_destroy(arena);
    }
    return NULL;
}

struct bytes {
    unsigned char *data;
    size_t size, capacity;
};

static bool gather(void *user, const void *data, size_t size)
{
    struct bytes *bytes = user;
    if (bytes->size + size > bytes->capacity) {
        bytes->capacity = (bytes->size + size) * 2;
        bytes->data = realloc(bytes->data, bytes->capacity);
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return true;
}

static bool finish(void *user, const void *magic, size_t size)
{
    struct bytes *bytes = user;
    memcpy(bytes->data, magic, size);
    return true;
}

static uint64_t number(const unsigned char *at, unsigned size)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

/* Frames only, the rest is the unit tests'. Returns the markers, or -1. Each marker's parent was
 * written before it: streams are in order, and a scope is live as long as what is in it. */
static long walk(const struct bytes *bytes)
{
    long markers = 0;
    bool end = false;
    if (bytes->size < 32 || memcmp(bytes->data, "ANNOTDMP", 8) != 0)
        return -1;
    for (size_t at = 32; at < bytes->size;) {
        if (bytes->size - at < 32 || memcmp(bytes->data + at, "ANNOTSEC", 8) != 0)
            return -1;
        size_t left = (size_t)number(bytes->data + at + 16, 8);
        if (left > bytes->size - at - 32)
            return -1;
        at += 32;
        while (left > 0) {
            const unsigned char *record = bytes->data + at;
            size_t size =
                (8 + (size_t)number(record + 2, 2) + (size_t)number(record + 4, 4) + 7) / 8 * 8;
            uint64_t kind = number(record, 2);
            if (size > left)
                return -1;
            if (kind == 6 || kind == 7)
                markers++;
            if (kind == 15)
                end = number(record + 8 + 16, 8) == (uint64_t)markers;
            at += size;
            left -= size;
        }
    }
    return end ? markers : -1;
}

int main(void)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    desc.force_driver_retail = true;
    desc.memory_budget = 2 << 20;
    desc.freed_name_count = 100;
    annot_object_desc object = {.kind = D3D12DDI_HT_FENCE};
    annot_dump_writer *writer;
    if (annot_device_create(&desc, &device) || annot_object_create(device, &object, &shared) ||
        annot_dump_writer_create(device, &writer))
        return 1;
    pthread_t threads[RECORDERS];
    for (size_t i = 0; i < RECORDERS; i++)
        pthread_create(&threads[i], NULL, record, (void *)i);
    struct bytes bytes = {0};
    unsigned whole = 0, with_markers = 0;
    /* On a busy machine the recorders may not run for many dumps: go on until one has met them. */
    for (int i = 0; i < DUMPS || frames < 200 || (with_markers == 0 && i < 1000 * DUMPS); i++) {
        bytes.size = 0;
        annot_dump_sink sink = {&bytes, gather, finish};
        bool written = annot_dump_write(writer, NULL, &sink) == ANNOT_OK;
        long markers = written ? walk(&bytes) : -1;
        if (i < DUMPS)
            whole += markers >= 0;
        with_markers += markers > 0;
        sched_yield(); /* whoever waits for a lock of the dump gets it */
    }
    stop = true;
    for (size_t i = 0; i < RECORDERS; i++)
        pthread_join(threads[i], NULL);
    check(whole == DUMPS, "every dump is whole");
    check(with_markers > 0, "some caught recordings");
    check(torn_names == 0, "names are whole");
    annot_device_stats stats;
    annot_device_get_stats(device, &stats);
    check(stats.live_bytes == 0, "nothing stays charged");
    free(bytes.data);
    annot_dump_writer_destroy(writer);
    annot_object_destroy(shared);
    annot_device_destroy(device);
    return checks_ended();
}
