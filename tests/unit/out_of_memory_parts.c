/* Any allocation of a tracker's life and of what programs say about their objects fails: the
 * documented answer, no leak, and what was there before is still there [ANN-LIFE-07]. */
#include "device_dump.h"
#include "spy.h"

#include <annot/evidence.h>

/* Runs `life` with the n-th allocation failing, and after it all or none, for every n. */
static void fail_each(void (*life)(annot_device *device, size_t fail_at))
{
    for (int from = 0; from < 2; from++)
        for (size_t number = 0, most = 1; number <= most; number++) {
            spy_heap = (struct spy_memory){.fail_from = from};
            AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
            const size_t before = spy_heap.allocations;
            life(device, number);
            if (number == 0)
                most = spy_heap.allocations - before;
            spy_heap.fail_at = 0;
        }
}

static void fail_at(size_t number)
{
    spy_heap.fail_at = number ? spy_heap.allocations + number : 0;
}

static void expect_memory_alone(annot_result result, size_t number)
{
    cr_assert(result == ANNOT_OK || (number > 0 && result == ANNOT_ERROR_OUT_OF_MEMORY), "%d",
              result);
}

/* ---- a tracker ---- */

enum { BUNDLES = 20, SUBMISSIONS = 40, WORDS = 64 };

static uint64_t memory[WORDS];

struct tracked {
    annot_tracker *tracker;
    annot_arena *arenas[2];
    struct spy_child list, bundle, queue;
};

static void record_bundle(struct tracked *t)
{
    annot_context_open(t->bundle.context, t->arenas[1]);
    annot_tracker_record(t->tracker, t->bundle.context);
    annot_context_set_marker(t->bundle.context, 1, "inside", 6);
    annot_context_close(t->bundle.context);
}

static void record_list(struct tracked *t)
{
    annot_context_open(t->list.context, t->arenas[0]);
    annot_tracker_record(t->tracker, t->list.context);
    for (int i = 0; i < BUNDLES; i++)
        annot_tracker_execute_bundle(t->tracker, t->list.context, t->bundle.context);
    annot_context_close(t->list.context);
}

/* Every row is one of an execution that is in flight, and there are no more than these. */
static void expect_in_flight(const struct tracked *t, uint64_t first, uint64_t last, bool exactly)
{
    static annot_progress rows[(BUNDLES + 1) * (SUBMISSIONS + 1)];
    static uint32_t found[SUBMISSIONS + 2][BUNDLES + 1];
    const uint32_t capacity = sizeof rows / sizeof *rows;
    const uint32_t all = (uint32_t)(last + 1 - first) * (BUNDLES + 1);
    uint32_t count, in_flight;
    memset(found, 0, sizeof found);
    cr_assert(annot_tracker_copy_rows(t->tracker, rows, capacity, &count, &in_flight));
    cr_assert_eq(count, in_flight);
    cr_assert_leq(in_flight, all);
    if (exactly)
        cr_assert_eq(in_flight, all, "%u of %u", in_flight, all);
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_eq(rows[i].queue, annot_object_id(t->queue.object));
        cr_assert(rows[i].submission >= first && rows[i].submission <= last);
        cr_assert_eq(rows[i].list, 0u);
        cr_assert_leq(rows[i].bundle, (uint32_t)BUNDLES);
        cr_assert_eq(rows[i].object,
                     annot_object_id(rows[i].bundle ? t->bundle.object : t->list.object));
        cr_assert_eq(found[rows[i].submission][rows[i].bundle]++, 0u, "twice");
    }
}

static void life_of_a_tracker(annot_device *device, size_t number)
{
    const annot_tracker_desc desc = {.memory = memory,
                                     .memory_size = sizeof memory,
                                     .word_size = 8,
                                     .writes_entered = true,
                                     .writes_completed = true};
    struct tracked t = {.arenas = {spy_arena(device), spy_arena(device)},
                        .list = spy_list(device, 0, spy_handle(1)),
                        .bundle = spy_list(device, 1, spy_handle(2)),
                        .queue = spy_queue(device, 0, spy_handle(3))};
    annot_context *lists[] = {t.list.context};
    fail_at(number);
    t.tracker = (annot_tracker *)&t;
    const annot_result result = annot_tracker_create(device, &desc, &t.tracker);
    expect_memory_alone(result, number);
    cr_assert_eq(t.tracker != NULL, result == ANNOT_OK);
    if (t.tracker) {
        record_bundle(&t);
        record_list(&t);
        for (uint64_t i = 1; i <= SUBMISSIONS; i++) {
            cr_assert_eq(annot_tracker_submit(t.tracker, t.queue.context, lists, 1, NULL), i);
            expect_in_flight(&t, 1, i, number == 0);
        }
        annot_tracker_completed(t.tracker, t.queue.context, SUBMISSIONS / 2);
        expect_in_flight(&t, SUBMISSIONS / 2 + 1, SUBMISSIONS, number == 0);
        cr_assert_eq(annot_tracker_withdraw(t.tracker, t.queue.context, SUBMISSIONS), ANNOT_OK);
        expect_in_flight(&t, SUBMISSIONS / 2 + 1, SUBMISSIONS - 1, number == 0);
        annot_tracker_completed(t.tracker, t.queue.context, SUBMISSIONS - 1);
        expect_in_flight(&t, 1, 0, true);
        spy_heap.fail_at = 0; /* there is memory again: whole reports again */
        record_bundle(&t);
        record_list(&t);
        cr_assert_eq(annot_tracker_submit(t.tracker, t.queue.context, lists, 1, NULL),
                     (uint64_t)SUBMISSIONS);
        expect_in_flight(&t, SUBMISSIONS, SUBMISSIONS, true);
        annot_tracker_completed(t.tracker, t.queue.context, SUBMISSIONS);
        annot_tracker_forget(t.tracker, t.list.context);
        annot_tracker_forget(t.tracker, t.bundle.context);
        annot_tracker_destroy(t.tracker);
    }
    spy_child_done(t.list);
    spy_child_done(t.bundle);
    spy_child_done(t.queue);
    annot_arena_destroy(t.arenas[0]);
    annot_arena_destroy(t.arenas[1]);
}

Test(out_of_memory, a_tracker_lives_with_any_allocation_failing)
{
    fail_each(life_of_a_tracker);
}

/* ---- what programs say about their objects ---- */

struct said {
    bool has_first_fact, has_second_fact, has_shader, has_resource, has_name, has_operation;
};

static bool has_fact(const annot_reader *reader, const char *key, const char *value)
{
    annot_reader_fact fact;
    for (size_t i = 0; annot_reader_fact_at(reader, i, &fact); i++)
        if (fact.source == ANNOT_FACT_DEVICE && fact.key.size == strlen(key) &&
            memcmp(fact.key.data, key, fact.key.size) == 0)
            return fact.value.size == strlen(value) &&
                   memcmp(fact.value.data, value, fact.value.size) == 0;
    return false;
}

static void expect_said(const struct device_dump *dump, uint64_t id, const struct said *said)
{
    annot_reader_object object;
    annot_reader_shader shader;
    annot_resource resource;
    cr_assert(annot_reader_object_find(dump->reader, id, &object));
    cr_assert(has_fact(dump->reader, "first", said->has_first_fact ? "2" : "1"));
    cr_assert_eq(has_fact(dump->reader, "second", "x"), said->has_second_fact);
    cr_assert_eq(annot_reader_shader_count(dump->reader), said->has_shader ? 1u : 0u);
    if (said->has_shader) {
        cr_assert(annot_reader_shader_of(dump->reader, id, 0, &shader));
        cr_assert_eq(shader.xxh3, 77);
        cr_assert_eq(shader.debug_name.size, 4);
        cr_assert_mem_eq(shader.debug_name.data, "name", 4);
    }
    cr_assert_eq(annot_reader_resource_of(dump->reader, id, &resource), said->has_resource);
    if (said->has_resource)
        cr_assert_eqs(resource.width, 5, resource.dimension, 2);
    /* the old one is forgotten in any case; the driver alone may have missed the new one */
    cr_assert((object.name.size == 0 && !said->has_name) ||
              (object.name.size == 3 && memcmp(object.name.data, "new", 3) == 0));
}

static void life_of_words(annot_device *device, size_t number)
{
    const annot_object_desc desc = {
        .kind = 4242, .type = ANNOT_OBJECT_PIPELINE, .kind_name = "VkPipeline"};
    const annot_shader shader = {
        .form = ANNOT_SHADER_FORM_DXIL, .xxh3 = 77, .debug_name = "name", .debug_name_size = 4};
    const annot_resource resource = {.width = 5, .dimension = 2};
    AT_END(spy_object_ended) annot_object *object, *second = (annot_object *)&object;
    struct said said;
    cr_assert_eq(annot_object_create(device, &desc, &object), ANNOT_OK);
    cr_assert_eq(annot_device_set_fact(device, "first", "1"), ANNOT_OK);
    cr_assert_eq(annot_object_set_name(object, "old", ANNOT_TEXT_UTF8), ANNOT_OK);
    fail_at(number);
#define SAY(member, call)                                                                          \
    const annot_result member = call;                                                              \
    expect_memory_alone(member, number);                                                           \
    said.member = member == ANNOT_OK
    SAY(has_first_fact, annot_device_set_fact(device, "first", "2"));
    SAY(has_second_fact, annot_device_set_fact(device, "second", "x"));
    SAY(has_shader, annot_object_add_shader(object, &shader));
    SAY(has_resource, annot_object_set_resource(object, &resource));
    SAY(has_name, annot_object_set_name(object, "new", ANNOT_TEXT_UTF8));
    const annot_object_desc other = {
        .kind = 4243, .type = ANNOT_OBJECT_PIPELINE, .kind_name = "VkOther"};
    const annot_result made = annot_object_create(device, &other, &second);
    expect_memory_alone(made, number);
    cr_assert_eq(second != NULL, made == ANNOT_OK);
    spy_heap.fail_at = 0;
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(device, NULL);
    expect_said(&dump, annot_object_id(object), &said);
}

Test(out_of_memory, what_is_said_of_objects_is_kept_or_refused)
{
    fail_each(life_of_words);
}
