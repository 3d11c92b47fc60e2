/* Whose words are whose: random recordings, submissions and completions against a model that counts
 * holders [annot/evidence.h]. Words are never two recordings' at a time, none are lost, and every
 * execution in flight has its row. */
#include "asserts.h"
#include "spy.h"

#include <annot/evidence.h>
#include <string.h>

enum { LISTS = 5, BUNDLES = 2, QUEUES = 2, SLOTS = 12, CALLS = 3, FLIGHTS = 600, LANES = 3 };
enum { NONE = -1 };

static uint64_t memory[2 * SLOTS];

/* ---- the model ---- */

struct slot {
    int holders, flights, queue;
    bool is_shared;
};

struct recording {
    int slot;
    int calls, call_slots[CALLS], call_bundles[CALLS];
};

struct flight {
    int queue, list, bundle; /* which object */
    uint64_t serial;
    uint32_t lane, ordinal;
    int slot, own;
};

struct model {
    annot_device *device;
    annot_tracker *tracker;
    annot_arena *arenas[LISTS + BUNDLES];
    struct spy_child lists[LISTS + BUNDLES], queues[QUEUES];
    struct recording recordings[LISTS + BUNDLES];
    struct slot slots[SLOTS];
    struct flight flights[FLIGHTS];
    int flight_count;
    uint64_t submitted[QUEUES], completed[QUEUES];
    uint64_t random;
};

static uint32_t pick(struct model *m, uint32_t count)
{
    m->random = m->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(m->random >> 33) % count;
}

static bool is_free(const struct model *m, int slot)
{
    return m->slots[slot].holders == 0 && m->slots[slot].flights == 0;
}

/* The words that the tracker gave: free ones, cleared, and none only where none are free. */
static int take_words(const struct model *m, uint64_t started, uint64_t completed)
{
    if (started == ANNOT_WORDS_NONE) {
        cr_assert_eq(completed, ANNOT_WORDS_NONE);
        for (int i = 0; i < SLOTS; i++)
            cr_assert_not(is_free(m, i), "words %d are free", i);
        return NONE;
    }
    const int slot = (int)(started / 16);
    cr_assert_eqs(started % 16, 0, completed, started + 8);
    cr_assert(slot < SLOTS);
    cr_assert(is_free(m, slot), "words %d are somebody's", slot);
    cr_assert_eqs(memory[2 * slot], 0, memory[2 * slot + 1], 0, "words %d", slot);
    memory[2 * slot] = memory[2 * slot + 1] = 77; /* the GPU's */
    return slot;
}

static void hold(struct model *m, int slot, int by)
{
    if (slot != NONE)
        m->slots[slot].holders += by;
}

static void let_go(struct model *m, struct recording *of)
{
    hold(m, of->slot, -1);
    for (int i = 0; i < of->calls; i++)
        hold(m, of->call_slots[i], -1);
    *of = (struct recording){.slot = NONE};
}

/* ---- steps ---- */

static void record(struct model *m, int list)
{
    struct recording *of = &m->recordings[list];
    annot_context *context = m->lists[list].context;
    cr_assert_eq(annot_context_open(context, m->arenas[list]), ANNOT_OK);
    let_go(m, of);
    const annot_words words = annot_tracker_record(m->tracker, context);
    of->slot = take_words(m, words.started, words.completed);
    hold(m, of->slot, 1);
    for (uint32_t i = pick(m, CALLS + 1); list < LISTS && i > 0; i--) {
        const int bundle = LISTS + (int)pick(m, BUNDLES);
        annot_tracker_execute_bundle(m->tracker, context, m->lists[bundle].context);
        of->call_bundles[of->calls] = bundle;
        of->call_slots[of->calls] = m->recordings[bundle].slot;
        hold(m, of->call_slots[of->calls++], 1);
    }
    annot_context_set_marker(context, 1, "m", 1);
    annot_context_close(context);
}

static void launch(struct model *m, struct flight flight)
{
    if (flight.slot != NONE) {
        struct slot *slot = &m->slots[flight.slot];
        if (slot->flights++ > 0) {
            slot->is_shared |= flight.own == NONE;
        } else {
            slot->is_shared = false;
            slot->queue = flight.queue;
            cr_assert_eqs(memory[2 * flight.slot], 0, memory[2 * flight.slot + 1], 0,
                          "an execution has not what an earlier one wrote");
        }
        memory[2 * flight.slot] = memory[2 * flight.slot + 1] = 78;
    }
    if (flight.own != NONE)
        m->slots[flight.own].flights++;
    cr_assert_lt(m->flight_count, (int)FLIGHTS);
    m->flights[m->flight_count++] = flight;
}

static void submit(struct model *m, int queue)
{
    enum { PLAIN, WORDS, APART };
    const uint32_t how = pick(m, 3), count = pick(m, LANES + 1);
    annot_context *contexts[LANES];
    annot_words words[LANES];
    annot_prologue prologues[LANES];
    int lists[LANES];
    uint64_t serial;
    for (uint32_t i = 0; i < count; i++) {
        lists[i] = (int)pick(m, LISTS + 1);
        contexts[i] = lists[i] == LISTS ? NULL : m->lists[lists[i]].context;
    }
    annot_context *const on = m->queues[queue].context;
    if (how == APART)
        serial = annot_tracker_submit_apart(m->tracker, on, contexts, count, prologues);
    else
        serial = annot_tracker_submit(m->tracker, on, contexts, count, how == WORDS ? words : NULL);
    cr_assert_eq(serial, ++m->submitted[queue]);
    for (uint32_t i = 0; i < count; i++) {
        const struct recording *of = &m->recordings[lists[i]];
        struct flight flight = {.queue = queue, .list = lists[i], .serial = serial, .lane = i};
        flight.own = NONE;
        if (lists[i] == LISTS) {
            cr_assert(how != WORDS || words[i].started == ANNOT_WORDS_NONE);
            cr_assert(how != APART || prologues[i].entered == ANNOT_WORDS_NONE);
            continue;
        }
        flight.slot = of->slot;
        if (how == WORDS) {
            flight.slot = take_words(m, words[i].started, words[i].completed);
            if (flight.slot != NONE) /* cleared for this execution, which the model sees again */
                memory[2 * flight.slot] = memory[2 * flight.slot + 1] = 0;
        }
        if (how == APART) {
            const struct slot *slot = flight.slot == NONE ? NULL : &m->slots[flight.slot];
            const bool is_wanted =
                slot && slot->flights > 0 && !slot->is_shared && slot->queue == queue;
            if (is_wanted)
                flight.own = take_words(m, prologues[i].entered, prologues[i].claimed);
            if (flight.own == NONE) {
                cr_assert_eq(prologues[i].entered, ANNOT_WORDS_NONE);
                cr_assert_eq(prologues[i].restarted, ANNOT_WORDS_NONE);
                cr_assert_eq(prologues[i].claimed, ANNOT_WORDS_NONE);
                cr_assert_eq(prologues[i].cleared, ANNOT_WORDS_NONE);
            } else {
                cr_assert_eq(prologues[i].restarted, 16 * (uint64_t)flight.slot);
                cr_assert_eq(prologues[i].cleared, 16 * (uint64_t)flight.slot + 8);
            }
        }
        launch(m, flight);
        for (int k = 0; k < of->calls; k++) {
            flight.own = NONE;
            flight.slot = of->call_slots[k];
            flight.bundle = of->call_bundles[k];
            flight.ordinal = (uint32_t)k + 1;
            launch(m, flight);
        }
    }
}

static void land(struct model *m, int queue, uint64_t first, uint64_t last)
{
    int left = 0;
    for (int i = 0; i < m->flight_count; i++) {
        const struct flight *flight = &m->flights[i];
        if (flight->queue == queue && flight->serial >= first && flight->serial <= last) {
            if (flight->slot != NONE)
                m->slots[flight->slot].flights--;
            if (flight->own != NONE)
                m->slots[flight->own].flights--;
        } else {
            m->flights[left++] = *flight;
        }
    }
    m->flight_count = left;
}

static void complete(struct model *m, int queue)
{
    const uint64_t left = m->submitted[queue] - m->completed[queue];
    m->completed[queue] += left ? 1 + pick(m, (uint32_t)left) : 0;
    annot_tracker_completed(m->tracker, m->queues[queue].context, m->completed[queue]);
    land(m, queue, 0, m->completed[queue]);
}

static void withdraw(struct model *m, int queue)
{
    if (m->submitted[queue] == m->completed[queue])
        return;
    cr_assert_eq(annot_tracker_withdraw(m->tracker, m->queues[queue].context, m->submitted[queue]),
                 ANNOT_OK);
    land(m, queue, m->submitted[queue], m->submitted[queue]);
    m->submitted[queue]--;
}

static void forget(struct model *m, int list)
{
    annot_tracker_forget(m->tracker, m->lists[list].context);
    let_go(m, &m->recordings[list]);
}

static void expect_rows(struct model *m)
{
    static annot_progress rows[FLIGHTS];
    const uint32_t capacity = pick(m, (uint32_t)m->flight_count + 3);
    uint32_t count, in_flight;
    cr_assert(annot_tracker_copy_rows(m->tracker, rows, capacity, &count, &in_flight));
    cr_assert_eq(in_flight, (uint32_t)m->flight_count, "%u of %d", in_flight, m->flight_count);
    cr_assert_eq(count, capacity < in_flight ? capacity : in_flight);
    bool is_cut[QUEUES] = {false}; /* the newer ones of a queue are, and none of its older ones */
    for (uint32_t k = 0, i = 0; k < in_flight; k++) {
        const struct flight *flight = &m->flights[k];
        const struct spy_child *of = &m->lists[flight->ordinal ? flight->bundle : flight->list];
        const bool is_row = i < count &&
                            rows[i].queue == annot_object_id(m->queues[flight->queue].object) &&
                            rows[i].submission == flight->serial && rows[i].list == flight->lane &&
                            rows[i].bundle == flight->ordinal;
        cr_assert(is_row || in_flight > capacity);
        cr_assert_not(is_row && is_cut[flight->queue]);
        is_cut[flight->queue] |= !is_row;
        if (is_row)
            cr_assert_eq(rows[i++].object, annot_object_id(of->object));
        cr_assert(k + 1 < in_flight || i == count);
    }
}

/* ---- lives ---- */

static void make(struct model *m, uint64_t seed)
{
    const annot_tracker_desc desc = {.memory = memory,
                                     .memory_size = sizeof memory,
                                     .word_size = 8,
                                     .writes_entered = true,
                                     .writes_completed = true};
    *m = (struct model){.device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0), .random = seed};
    memset(memory, 0x55, sizeof memory);
    cr_assert_eq(annot_tracker_create(m->device, &desc, &m->tracker), ANNOT_OK);
    for (int i = 0; i < LISTS + BUNDLES; i++) {
        m->arenas[i] = spy_arena(m->device);
        m->lists[i] = spy_list(m->device, i >= LISTS, spy_handle((size_t)i));
        m->recordings[i].slot = NONE;
    }
    for (int i = 0; i < QUEUES; i++)
        m->queues[i] = spy_queue(m->device, 0, spy_handle(100 + (size_t)i));
}

static void finish(struct model *m)
{
    for (int i = 0; i < QUEUES; i++) {
        annot_tracker_completed(m->tracker, m->queues[i].context, m->submitted[i]);
        land(m, i, 0, m->submitted[i]);
    }
    for (int i = 0; i < LISTS + BUNDLES; i++)
        forget(m, i);
    for (int i = 0; i < SLOTS; i++)
        cr_assert(is_free(m, i));
    expect_rows(m);
    /* all words are there again, each once */
    annot_context *context = m->lists[0].context;
    annot_words words[SLOTS + 1];
    annot_context *lists[SLOTS + 1];
    for (int i = 0; i <= SLOTS; i++)
        lists[i] = context;
    annot_tracker_submit(m->tracker, m->queues[0].context, lists, SLOTS + 1, words);
    for (int i = 0; i <= SLOTS; i++) {
        const int slot = take_words(m, words[i].started, words[i].completed);
        cr_assert_eq(slot == NONE, i == SLOTS);
        hold(m, slot, 1);
    }
    annot_tracker_destroy(m->tracker);
    for (int i = 0; i < LISTS + BUNDLES; i++) {
        spy_child_done(m->lists[i]);
        annot_arena_destroy(m->arenas[i]);
    }
    for (int i = 0; i < QUEUES; i++)
        spy_child_done(m->queues[i]);
    spy_device_done(m->device);
}

Test(evidence_model, no_words_are_two_recordings_and_none_are_lost)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        static struct model m;
        make(&m, seed);
        for (int step = 0; step < 300; step++) {
            const uint32_t what = pick(&m, 16);
            if (what < 5)
                record(&m, (int)pick(&m, LISTS + BUNDLES));
            else if (what < 10)
                submit(&m, (int)pick(&m, QUEUES));
            else if (what < 13 || m.flight_count > 60)
                complete(&m, (int)pick(&m, QUEUES));
            else if (what < 14)
                withdraw(&m, (int)pick(&m, QUEUES));
            else
                forget(&m, (int)pick(&m, LISTS + BUNDLES));
            expect_rows(&m);
        }
        finish(&m);
    }
}
