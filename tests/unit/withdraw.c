/* Submissions that were never made, and ones that are made under the queue's lock
 * [ANN-CRASH-02]. */
#include "device_dump.h"
#include "dump_bytes.h"
#include "scene.h"

static void expect_serials(struct scene *s, size_t count, const uint64_t *serials)
{
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(s->device, NULL);
    cr_assert_eq(annot_reader_submission_count(dump.reader), count);
    for (uint32_t i = 0; i < count; i++) {
        annot_reader_submission submission;
        cr_assert(annot_reader_submission_at(dump.reader, i, &submission));
        cr_expect_eq(submission.serial, serials[i]);
    }
}

/* A later fence must not call finished what never ran. */
Test(withdraw, a_submission_that_was_never_made_is_in_no_dump)
{
    AT_END(scene_done) struct scene s = scene_recorded(ANNOT_MODE_DRIVER_RETAIL);
    annot_context *queue = s.queue.context;
    cr_assert_eq(annot_context_submit(queue, &s.list.context, 1), 1);
    cr_assert_eq(annot_context_submit(queue, &s.list.context, 1), 2);
    cr_expect_eq(annot_context_withdraw(queue, 2), ANNOT_OK);
    cr_expect_eq(annot_context_withdraw(queue, 2), ANNOT_ERROR_INVALID_ARGUMENT, "it is gone");
    expect_serials(&s, 1, (const uint64_t[]){1});
    cr_expect_eq(annot_context_submit(queue, &s.list.context, 1), 2, "given out again");
    expect_serials(&s, 2, (const uint64_t[]){1, 2});
    cr_assert_eq(annot_context_submit(queue, &s.list.context, 1), 3);
    cr_expect_eq(annot_context_withdraw(queue, 2), ANNOT_OK, "not the last one");
    cr_expect_eq(annot_context_submit(queue, &s.list.context, 1), 4);
    expect_serials(&s, 3, (const uint64_t[]){1, 3, 4});
    annot_context_completed(queue, 3);
    cr_expect_eq(annot_context_withdraw(queue, 3), ANNOT_ERROR_INVALID_ARGUMENT, "it was made");
    cr_expect_eq(annot_context_withdraw(queue, 0), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_context_withdraw(queue, 5), ANNOT_ERROR_INVALID_ARGUMENT);
    expect_serials(&s, 3, (const uint64_t[]){1, 3, 4});
}

/* However far back its record is: markers fill chunks in between. */
Test(withdraw, reaches_a_submission_in_an_earlier_chunk)
{
    static const char payload[4000];
    AT_END(scene_done) struct scene s = scene_recorded(ANNOT_MODE_DRIVER_RETAIL);
    annot_context *queue = s.queue.context;
    for (int i = 0; i < 40; i++)
        annot_context_set_marker(queue, 0, payload, sizeof payload);
    annot_context_submit(queue, &s.list.context, 1);
    for (int i = 0; i < 40; i++)
        annot_context_set_marker(queue, 0, payload, sizeof payload);
    annot_context_submit(queue, &s.list.context, 1);
    cr_expect_eq(annot_context_withdraw(queue, 1), ANNOT_OK);
    expect_serials(&s, 1, (const uint64_t[]){2});
}

/* A submission without lists or markers leaves no record; it can be taken back like any other. */
Test(withdraw, a_submission_without_a_record_can_be_withdrawn)
{
    AT_END(scene_done) struct scene s = scene_recorded(ANNOT_MODE_DRIVER_RETAIL);
    annot_context *queue = s.queue.context;
    annot_context_submit(queue, &s.list.context, 1);
    annot_context_submit(queue, NULL, 0);
    annot_context_submit(queue, &s.list.context, 1);
    cr_expect_eq(annot_context_withdraw(queue, 2), ANNOT_OK);
    expect_serials(&s, 2, (const uint64_t[]){1, 3});
}

struct attempt {
    annot_context *queue;
    uint64_t serial;
    bool succeeds;
};

static bool make(void *user, uint64_t serial)
{
    struct attempt *attempt = user;
    attempt->serial = serial;
    annot_context_completed(attempt->queue, serial - 1); /* the one call that is allowed */
    return attempt->succeeds;
}

Test(withdraw, a_submission_and_its_making_are_one_step)
{
    AT_END(scene_done) struct scene s = scene_recorded(ANNOT_MODE_DRIVER_RETAIL);
    annot_context *queue = s.queue.context;
    struct attempt attempt = {queue, 0, false};
    cr_expect_eq(annot_context_submit_with(queue, &s.list.context, 1, make, &attempt), 0);
    cr_expect_eq(attempt.serial, 1);
    expect_serials(&s, 0, NULL);
    attempt.succeeds = true;
    cr_expect_eq(annot_context_submit_with(queue, &s.list.context, 1, make, &attempt), 1);
    cr_expect_eq(annot_context_submit_with(queue, NULL, 0, make, &attempt), 2);
    expect_serials(&s, 2, (const uint64_t[]){1, 2});
}

/* Queue markers that only a fence follows are completed by a submission without lists, and can make
 * room then. */
Test(withdraw, an_empty_submission_completes_the_markers_before_it)
{
    static const char payload[4000];
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 1 << 18);
    AT_END(spy_child_ended) struct spy_child queue = spy_queue(device, 0, spy_handle(2));
    for (int i = 0; i < 1000; i++) {
        annot_context_set_marker(queue.context, 0, payload, sizeof payload);
        annot_context_completed(queue.context, annot_context_submit(queue.context, NULL, 0));
    }
    annot_device_stats stats;
    annot_device_get_stats(device, &stats);
    cr_expect_eq(stats.dropped_markers, 0);
    cr_expect_gt(stats.evicted_markers, 0);
}

/* A queue's name stands once behind the submission that is the first with it, and once in each
 * further piece of the queue's memory, since the older ones may make room. */
Test(withdraw, a_queues_name_is_written_when_it_is_another_one)
{
    enum { QUEUE_ITSELF = -1 };
    static const struct {
        const char *name; /* given before the submission */
        int markers;      /* recorded before it */
    } steps[] = {{"q", 0}, {"q", 0}, {"r", 0}, {NULL, 0}, {"s", 80}, {"s", 80}};
    AT_END(scene_done) struct scene s = scene_recorded(ANNOT_MODE_DRIVER_RETAIL);
    static const char payload[1000];
    uint64_t serials[sizeof steps / sizeof *steps];
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        annot_object_set_name(s.queue.object, steps[i].name, ANNOT_TEXT_UTF8);
        for (int k = 0; k < steps[i].markers; k++)
            annot_context_set_marker(s.queue.context, 1, payload, sizeof payload);
        serials[i] = annot_context_submit(s.queue.context, &s.list.context, 1);
        annot_context_submit(s.queue.context, &s.list.context, 1); /* with the same name */
    }
    for (int k = 0; k < 80; k++)
        annot_context_set_marker(s.queue.context, 1, payload, sizeof payload);
    const uint64_t further = annot_context_submit(s.queue.context, NULL, 0);
    struct dump d = taken_from(s.device, NULL);
    size_t told = 0, of_lists = 0;
    for (size_t i = 0; i < d.count; i++) {
        const struct dump_record *record = &d.records[i];
        int32_t list;
        uint32_t size;
        uint64_t serial;
        if (record->kind != RECORD_NAME || record->section != SECTION_QUEUES)
            continue;
        memcpy(&size, record->fields, 4);
        memcpy(&list, record->fields + 4, 4);
        memcpy(&serial, record->fields + 8, 8);
        of_lists += list == 0;
        if (list != QUEUE_ITSELF)
            continue;
        const char *name = told < 6 ? steps[told].name : "s";
        cr_expect_eq(serial, told < 6 ? serials[told] : further, "name %zu", told);
        cr_expect_eq(size, name ? 1u : 0u, "name %zu", told);
        cr_expect(!name || *record->bytes == (unsigned char)*name, "name %zu", told);
        told++;
    }
    cr_expect_eq(told, 7u);
    cr_expect_eq(of_lists, 12u, "of its lists each submission has one");
    taken_free(&d);
}
