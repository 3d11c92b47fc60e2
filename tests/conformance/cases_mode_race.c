/* ANN-MODE-07: the mode is set on one thread while others create children and read it. */
#include "kit_object.h"
#include "os.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

CASES(mode_race_cases, "mode");

enum { CREATORS = 2, ROUNDS = 1500, ROUNDS_MAX = 30000 };

struct race {
    ID3D12Device *device;
    void (*round)(struct race *race, unsigned creator, unsigned round);
    D3D12_COMMAND_LIST_TYPE type;
    atomic_bool stop;
    atomic_uint seen[2]; /* rounds of which nothing, everything was heard */
    atomic_uint bad_modes, mixtures;
};

struct creator {
    struct race *race;
    unsigned number;
};

static void *set_modes(void *argument)
{
    struct race *race = argument;
    for (unsigned i = 0; !atomic_load(&race->stop); i++) {
        kit_set_mode(race->device, i & 1 ? RETAIL : RUNTIME);
        if (i % 63 == 0) /* odd: it rests in either mode */
            sched_yield();
    }
    return NULL;
}

static void *get_modes(void *argument)
{
    struct race *race = argument;
    while (!atomic_load(&race->stop)) {
        const kit_mode mode = kit_get_mode(race->device);
        if (mode != RUNTIME && mode != RETAIL)
            atomic_fetch_add(&race->bad_modes, 1);
        sched_yield();
    }
    return NULL;
}

/* A name that nobody else gives: who made the object, and in which round. */
static void name_it(void *object, unsigned creator, unsigned round)
{
    const WCHAR name[] = {(WCHAR)(1 + creator), (WCHAR)(1 + round), 0};
    EXPECT_OK(ID3D12Object_SetName((ID3D12Object *)object, name));
}

static void list_round(struct race *race, unsigned creator, unsigned round)
{
    OWNED_LIST list = kit_list(race->device, race->type);
    const UINT metadata = creator << 16 | round;
    kit_begin(&list, metadata, "begin", 6);
    kit_set(&list, metadata, "set", 4);
    name_it(list.list, creator, round);
    kit_end(&list);
    kit_list_close(&list);
    kit_list_reset(&list);
    kit_set(&list, metadata, "again", 6);
    kit_list_close(&list);
}

static void queue_round(struct race *race, unsigned creator, unsigned round)
{
    OWNED ID3D12CommandQueue *queue = kit_queue(race->device, race->type);
    const UINT metadata = creator << 16 | round;
    ID3D12CommandQueue_BeginEvent(queue, metadata, "begin", 6);
    ID3D12CommandQueue_SetMarker(queue, metadata, "set", 4);
    name_it(queue, creator, round);
    ID3D12CommandQueue_EndEvent(queue);
    ID3D12CommandQueue_SetMarker(queue, metadata, "again", 6);
}

/* This thread made the driver hear all five calls of a round since `before`, or none. */
static void judge(struct race *race, size_t before, unsigned creator, unsigned round)
{
    const uint64_t me = os_thread_id();
    unsigned heard = 0;
    for (size_t i = before, end = spy_count(); i < end; i++) {
        const struct spy_call *call = spy_at(i);
        if (call->thread != me)
            continue;
        heard++;
        if (call->function == SPY_NAME)
            EXPECT(call->name_length == 2 && call->name[0] == (WCHAR)(1 + creator) &&
                   call->name[1] == (WCHAR)(1 + round));
        else if (call->function != SPY_LIST_END && call->function != SPY_QUEUE_END)
            EXPECT_EQ(call->metadata, creator << 16 | round);
    }
    if (heard == 0 || heard == 5)
        atomic_fetch_add(&race->seen[heard != 0], 1);
    else
        atomic_fetch_add(&race->mixtures, 1);
}

static void *create_children(void *argument)
{
    const struct creator *me = argument;
    struct race *race = me->race;
    for (unsigned i = 0; i < ROUNDS_MAX; i++) {
        if (i >= ROUNDS && atomic_load(&race->seen[0]) && atomic_load(&race->seen[1]))
            break;
        const size_t before = spy_count();
        race->round(race, me->number, i);
        judge(race, before, me->number, i);
        if (i % 16 == 0)
            sched_yield();
    }
    return NULL;
}

static void run_race(D3D12_COMMAND_LIST_TYPE type, void (*round)(struct race *, unsigned, unsigned))
{
    struct race race = {.device = kit_spied_device(0), .round = round, .type = type};
    struct creator creators[CREATORS];
    pthread_t threads[CREATORS], setter, getter;
    REQUIRE_EQ(pthread_create(&setter, NULL, set_modes, &race), 0);
    REQUIRE_EQ(pthread_create(&getter, NULL, get_modes, &race), 0);
    for (unsigned i = 0; i < CREATORS; i++) {
        creators[i] = (struct creator){&race, i};
        REQUIRE_EQ(pthread_create(&threads[i], NULL, create_children, &creators[i]), 0);
    }
    for (unsigned i = 0; i < CREATORS; i++)
        pthread_join(threads[i], NULL);
    atomic_store(&race.stop, true);
    pthread_join(setter, NULL);
    pthread_join(getter, NULL);
    EXPECT_EQ(atomic_load(&race.mixtures), 0);
    EXPECT_EQ(atomic_load(&race.bad_modes), 0);
    EXPECT(atomic_load(&race.seen[0]) > 0);
    EXPECT(atomic_load(&race.seen[1]) > 0);
    kit_device_done(race.device);
}

CASE(a_list_never_has_half_a_mode, "ANN-MODE-07 ANN-MODE-04",
     "A list whose creation races with a change of the mode sends its Begins and not its Ends, or "
     "its markers and not its name.",
     .needs = SPY, .rows = kit_list_rows)
{
    run_race((D3D12_COMMAND_LIST_TYPE)case_row(), list_round);
}

CASE(a_queue_never_has_half_a_mode, "ANN-MODE-07 ANN-MODE-04",
     "A queue whose creation races with a change of the mode sends its Begins and not its Ends, or "
     "its markers and not its name.",
     .needs = SPY, .rows = kit_queue_rows)
{
    run_race(kit_queue_types[case_row()], queue_round);
}
