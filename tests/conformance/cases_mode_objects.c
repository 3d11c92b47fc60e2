/* ANN-MODE-07, ANN-NAME-01: eight threads create, name, record, execute and destroy objects of
 * every kind on one device, while another turns the mode round. It says most under a thread
 * sanitizer. */
#include "kit_object.h"
#include "os.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

CASES(mode_object_cases, "mode");

enum { THREADS = 8, ROUNDS = 6, TAG_SIZE = 16 };

static const GUID tag_guid = {0x5d9f3b10, 0x62c5, 0x4a6e, {0x90, 0x11, 0x7a, 3, 9, 0x6e, 1, 0x42}};

struct crowd {
    ID3D12Device *device;
    ID3D12CommandQueue *queues[ENCODE + 1]; /* by type; NULL for bundles */
    atomic_bool stop;
    atomic_uint kinds_made;
};

struct member {
    struct crowd *crowd;
    unsigned number;
};

/* The calls that this thread has made the driver hear since `before`. */
static size_t heard_since(size_t before)
{
    const uint64_t me = os_thread_id();
    size_t heard = 0;
    for (size_t i = before, end = spy_count(); i < end; i++)
        heard += spy_at(i)->thread == me;
    return heard;
}

static void expect_device(ID3D12Object *object, ID3D12Device *wanted)
{
    OWNED ID3D12DeviceChild *child = NULL;
    OWNED IUnknown *one = NULL, *other = NULL;
    OWNED void *device = NULL;
    REQUIRE_OK(ID3D12Object_QueryInterface(object, &IID_ID3D12DeviceChild, (void **)&child));
    EXPECT_OK(ID3D12DeviceChild_GetDevice(child, &IID_ID3D12Device, &device));
    EXPECT(device == wanted);
    EXPECT_OK(ID3D12DeviceChild_QueryInterface(child, &IID_IUnknown, (void **)&one));
    EXPECT_OK(ID3D12Object_QueryInterface(object, &IID_IUnknown, (void **)&other));
    EXPECT(one == other);
}

static void expect_private_data(ID3D12Object *object, unsigned number, unsigned round)
{
    unsigned char tag[TAG_SIZE], back[TAG_SIZE] = {0};
    UINT size = sizeof back;
    memset(tag, (int)(number * ROUNDS + round), sizeof tag);
    EXPECT_OK(ID3D12Object_SetPrivateData(object, &tag_guid, sizeof tag, tag));
    EXPECT_OK(ID3D12Object_GetPrivateData(object, &tag_guid, &size, back));
    EXPECT_EQ(size, sizeof tag);
    EXPECT_BYTES(back, tag, sizeof tag);
}

static void one_object(struct crowd *crowd, enum kit_object_kind kind, unsigned number,
                       unsigned round)
{
    const WCHAR name[] = {(WCHAR)('A' + number), (WCHAR)('0' + round), 0};
    AT_END(kit_object_done) struct kit_object object = kit_object_if_any(crowd->device, kind);
    if (object.object) {
        const size_t before = spy_count();
        EXPECT_OK(ID3D12Object_SetName(object.object, name));
        EXPECT(heard_since(before) <= 1);
        expect_device(object.object, crowd->device);
        expect_private_data(object.object, number, round);
        atomic_fetch_add(&crowd->kinds_made, 1);
    }
}

/* A list's markers and its name, all or none; then the GPU gets it, and its release may come before
 * the GPU. */
static void one_list(struct crowd *crowd, D3D12_COMMAND_LIST_TYPE type, unsigned round)
{
    const WCHAR name[] = {'L', 0};
    OWNED_LIST list = kit_list(crowd->device, type);
    const size_t before = spy_count();
    kit_begin(&list, 1, "scope", 6);
    kit_set(&list, 1, "marker", 7);
    kit_end(&list);
    EXPECT_OK(ID3D12Object_SetName((ID3D12Object *)list.list, name));
    const size_t heard = heard_since(before);
    EXPECT(heard == 0 || heard == 4);
    if (crowd->queues[type]) {
        kit_execute(crowd->queues[type], &list);
        ID3D12CommandQueue_SetMarker(crowd->queues[type], 1, "after", 6);
        if (round % 2)
            kit_wait(crowd->device, crowd->queues[type]);
    } else {
        kit_list_close(&list);
    }
}

static void *work(void *argument)
{
    const struct member *me = argument;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < OBJECT_KINDS; i++) /* each thread is somewhere else */
            one_object(me->crowd, (enum kit_object_kind)((i + 4 * me->number) % OBJECT_KINDS),
                       me->number, round);
        for (unsigned type = 0; kit_list_rows[type]; type++)
            one_list(me->crowd, (D3D12_COMMAND_LIST_TYPE)type, round);
    }
    return NULL;
}

static void *turn_mode(void *argument)
{
    struct crowd *crowd = argument;
    for (unsigned i = 0; !atomic_load(&crowd->stop); i++) {
        kit_set_mode(crowd->device, i % 2 ? RETAIL : RUNTIME);
        sched_yield();
    }
    return NULL;
}

static void make_queues(struct crowd *crowd)
{
    for (size_t i = 0; kit_queue_rows[i]; i++)
        crowd->queues[kit_queue_types[i]] = kit_queue(crowd->device, kit_queue_types[i]);
}

/* How many kinds of object the device makes. */
static unsigned kinds_of(ID3D12Device *device)
{
    unsigned count = 0;
    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
        struct kit_object object = kit_object_if_any(device, (enum kit_object_kind)kind);
        count += object.object != NULL;
        kit_object_done(&object);
    }
    return count;
}

CASE(eight_threads_make_and_use_every_kind, "ANN-MODE-07 ANN-NAME-01 ANN-MARK-01",
     "Threads that create, name, record, execute and destroy at the same time get each other's "
     "objects, lose calls to the driver, or leave something behind.",
     .needs = SPY, .drivers = ANNOTATING_DRIVERS)
{
    emu_config config = kit_config();
    config.order = EMU_ORDER_THREADS;
    config.annotation = spy_driver(kit_driver());
    config.tdr_timeout_ns = 600000000000u; /* slow machines hang nobody */
    struct crowd crowd = {.device = kit_device_with(&config, RETAIL)};
    struct member members[THREADS];
    pthread_t threads[THREADS], turner;
    const unsigned kinds = kinds_of(crowd.device);
    make_queues(&crowd);
    REQUIRE_EQ(pthread_create(&turner, NULL, turn_mode, &crowd), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        members[i] = (struct member){&crowd, i};
        REQUIRE_EQ(pthread_create(&threads[i], NULL, work, &members[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    atomic_store(&crowd.stop, true);
    pthread_join(turner, NULL);
    EXPECT_EQ(atomic_load(&crowd.kinds_made), THREADS * ROUNDS * kinds);
    EXPECT_OK(ID3D12Device_GetDeviceRemovedReason(crowd.device));
    for (size_t i = 0; kit_queue_rows[i]; i++) {
        kit_wait(crowd.device, crowd.queues[kit_queue_types[i]]);
        kit_release(crowd.queues[kit_queue_types[i]]);
    }
    kit_device_done(crowd.device);
}
