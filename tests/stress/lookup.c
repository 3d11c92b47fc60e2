/* Lookups while other threads record, reset and destroy: each answer is true of some moment of the
 * call, and what is copied is whole [ANN-LIFE-03, -04]. */
#include "checks.h"
#include "deaf_driver.h"

#include <annot/annot.h>

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { RECORDERS = 2, READERS = 2, FRAMES = 400, PER_FRAME = 500, NOTES = 4096 };

/* IDs that were given out, and in which frame of which recorder; a recorder announces a reset
 * before and a frame after it. */
struct note {
    _Atomic uint64_t id;
    _Atomic uint32_t frame;
};

static struct recorder {
    struct note notes[NOTES];
    _Atomic uint32_t started; /* frames that began to be reset */
    _Atomic uint32_t expired; /* frames whose reset has returned */
    uint64_t last;
} recorders[RECORDERS];

static void ANNOT_DDI_CALL list_marker(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                       const void *data, uint32_t size, uint64_t id)
{
    (void)metadata, (void)data, (void)size;
    ((struct recorder *)list.pDrvPrivate)->last = id;
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {deaf_queue_marker, deaf_queue_end,
                                                                  deaf_queue_marker, list_marker,
                                                                  deaf_list_end,     list_marker,
                                                                  deaf_set_name};
static const annot_driver driver = {"stress", 1, &table, 0};

static annot_device *device;
static _Atomic unsigned running = RECORDERS;
static _Atomic uint64_t live, expired, early, late, torn, unknown, foreign;

/* The payload says who and when, all over. */
static void payload_make(uint32_t *payload, size_t words, size_t recorder, uint32_t frame)
{
    for (size_t i = 0; i < words; i++)
        payload[i] = (uint32_t)recorder << 24 | frame;
}

static void *record(void *argument)
{
    struct recorder *me = argument;
    const size_t self = (size_t)(me - recorders);
    annot_object_desc desc = {.kind = D3D12DDI_HT_COMMAND_LIST, .driver_handle = me};
    annot_object *object;
    annot_context *list;
    annot_arena *arena;
    if (annot_object_create(device, &desc, &object) || annot_context_create(object, &list) ||
        annot_arena_create(device, &arena))
        return NULL;
    static uint32_t large[RECORDERS][30000];
    size_t slot = 0;
    for (uint32_t frame = 1; frame <= FRAMES; frame++) {
        uint32_t payload[64];
        payload_make(payload, 64, self, frame);
        annot_context_open(list, arena);
        /* Frames of different sizes, so that chunks wander between the recorders. */
        for (uint32_t i = 0; i < (frame % 3 ? PER_FRAME : PER_FRAME * 4); i++) {
            if (i % 400 == 399) {
                payload_make(large[self], 30000, self, frame);
                annot_context_set_marker(list, frame, large[self], sizeof large[self]);
            } else {
                annot_context_set_marker(list, frame, payload, 4 * (1 + i % 64));
            }
            if (i % 4 == 0) {
                struct note *note = &me->notes[slot++ % NOTES];
                atomic_store(&note->id, 0);
                atomic_store(&note->frame, frame);
                atomic_store(&note->id, me->last);
            }
        }
        annot_context_close(list);
        atomic_store(&me->started, frame);
        if (frame % 16 == 0) {
            annot_arena_destroy(arena);
            if (annot_arena_create(device, &arena))
                return NULL;
        } else {
            annot_arena_reset(arena);
        }
        atomic_store(&me->expired, frame);
    }
    annot_context_destroy(list);
    annot_object_destroy(object);
    annot_arena_destroy(arena);
    running--;
    return NULL;
}

static void look_at(struct recorder *of, const struct note *note)
{
    uint32_t buffer[30000];
    annot_marker_info info;
    uint64_t id = atomic_load(&note->id);
    uint32_t frame = atomic_load(&note->frame);
    if (!id || atomic_load(&note->id) != id)
        return;
    uint32_t expired_before = atomic_load(&of->expired);
    annot_lookup answer = annot_device_lookup(device, id, &info, buffer, sizeof buffer);
    uint32_t started_after = atomic_load(&of->started);
    if (answer == ANNOT_LOOKUP_LIVE) {
        live++;
        late += expired_before >= frame;
        foreign += info.event_id != id || info.metadata != frame;
        for (size_t i = 0; i < info.size / 4; i++)
            torn += buffer[i] != ((uint32_t)(of - recorders) << 24 | frame);
    } else if (answer == ANNOT_LOOKUP_EXPIRED) {
        expired++;
        early += started_after < frame;
    } else {
        unknown++;
    }
}

static void *read_back(void *argument)
{
    uint64_t random = (uint64_t)(size_t)argument;
    while (running) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        struct recorder *of = &recorders[random >> 33 & 1];
        look_at(of, &of->notes[random >> 40 & (NOTES - 1)]);
        annot_marker_info info; /* and what nobody was ever given */
        annot_device_lookup(device, random, &info, NULL, 0);
    }
    return NULL;
}

int main(void)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    desc.driver = &driver;
    desc.force_driver_retail = true;
    desc.memory_budget = ANNOT_BUDGET_NONE;
    if (annot_device_create(&desc, &device))
        return 1;
    pthread_t threads[RECORDERS + READERS];
    for (size_t i = 0; i < RECORDERS; i++)
        pthread_create(&threads[i], NULL, record, &recorders[i]);
    for (size_t i = 0; i < READERS; i++)
        pthread_create(&threads[RECORDERS + i], NULL, read_back, (void *)(i + 1));
    for (size_t i = 0; i < RECORDERS + READERS; i++)
        pthread_join(threads[i], NULL);
    check(running == 0, "all frames were recorded");
    check(live > 0 && expired > 0, "both answers were seen");
    check(late == 0, "nothing is live after its reset has returned");
    check(early == 0, "nothing is expired before its reset began");
    check(unknown == 0, "what was issued is never unknown");
    check(foreign == 0, "no marker answers for another");
    check(torn == 0, "payloads are whole");
    annot_device_stats stats;
    annot_device_get_stats(device, &stats);
    check(stats.live_bytes == 0, "nothing stays charged");
    annot_device_destroy(device);
    return checks_ended();
}
