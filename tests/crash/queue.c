/* How far a queue has come, for the watchdog and the dump [ANN-VK-03, ANN-D3D]. */
#include "asserts.h"

#include "device.h"
#include "queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static uint64_t clock_ns;

static uint64_t clock_now(void *user)
{
    (void)user;
    return clock_ns;
}

static struct crash_device device;
static annot_object *object;
static struct crash_queue queue;
static struct crash_settings settings;
static uint64_t memory[256];

static void open_device(void)
{
    static const struct crash_clock clock = {clock_now, NULL};
    const annot_object_desc desc = {.type = ANNOT_OBJECT_QUEUE};
    const annot_tracker_desc tracked = {
        .memory = memory, .memory_size = sizeof memory, .word_size = 8, .writes_completed = true};
    crash_settings_init(&settings);
    settings.level = CRASH_LEVEL_EXACT;
    crash_clock_set(&clock);
    cr_assert(crash_device_open(&device, &settings, NULL, &tracked, "copies"));
    cr_assert_eq(annot_object_create(device.annot, &desc, &object), ANNOT_OK);
    cr_assert_eq(annot_context_create(object, &queue.context), ANNOT_OK);
    queue.tracker = device.tracker;
}

static void close_device(void)
{
    annot_context_destroy(queue.context);
    annot_object_destroy(object);
    crash_device_stop(&device);
    crash_device_close(&device);
}

TestSuite(queue, .init = open_device, .fini = close_device);

static uint64_t submit_at(uint64_t ns)
{
    const uint64_t serial = annot_tracker_submit(device.tracker, queue.context, NULL, 0, NULL);
    clock_ns = ns;
    crash_queue_submit(&queue, serial);
    return serial;
}

static uint64_t busy_since(uint64_t known)
{
    struct crash_dump dump = {.since = known};
    crash_queue_tell(&queue, &dump);
    return dump.since;
}

Test(queue, is_busy_from_its_first_submission_to_its_last_completion)
{
    cr_assert(!crash_queue_is_busy(&queue) && busy_since(0) == 0);
    const uint64_t first = submit_at(10), second = submit_at(20);
    cr_assert(crash_queue_is_busy(&queue));
    cr_assert_eqs(crash_queue_submitted(&queue), second, crash_queue_done(&queue), 0);
    cr_assert_eqs(busy_since(0), 10, busy_since(5), 5);
    cr_assert_eqs(busy_since(11), 10, busy_since(10), 10);
    crash_queue_complete(&queue, first);
    cr_assert(crash_queue_is_busy(&queue) && crash_queue_done(&queue) == first);
    crash_queue_complete(&queue, second);
    cr_assert(!crash_queue_is_busy(&queue));
    cr_assert_eqs(busy_since(0), 0, busy_since(77), 77);
    submit_at(30);
    cr_assert_eq(busy_since(0), 30);
}

/* Old news, and what a lost device says of work that there never was. */
Test(queue, only_what_was_submitted_is_completed_and_stays_so)
{
    const uint64_t first = submit_at(10), second = submit_at(20);
    crash_queue_complete(&queue, second + 1);
    crash_queue_complete(&queue, UINT64_MAX);
    cr_assert_eq(crash_queue_done(&queue), 0);
    crash_queue_complete(&queue, second);
    crash_queue_complete(&queue, first);
    cr_assert_eq(crash_queue_done(&queue), second);
}

Test(queue, each_completion_is_progress_and_work_that_can_be_done_is_pending)
{
    struct crash_look looks[4] = {{.fingerprint = 1},
                                  {.fingerprint = 1},
                                  {.fingerprint = 1},
                                  {.fingerprint = 1, .is_pending = true}};
    const uint64_t first = submit_at(10);
    crash_queue_look(&queue, true, &looks[0]);
    crash_queue_look(&queue, false, &looks[1]);
    cr_assert(looks[0].is_pending && !looks[1].is_pending);
    cr_assert_eq(looks[0].fingerprint, looks[1].fingerprint);
    crash_queue_complete(&queue, first);
    crash_queue_look(&queue, true, &looks[2]);
    crash_queue_look(&queue, true, &looks[3]);
    cr_assert(!looks[2].is_pending && looks[3].is_pending);
    cr_assert(looks[2].fingerprint != looks[0].fingerprint);
}

/* An alarm notes what is due, or all that is busy; it is over when each of these is done. */
Test(queue, what_an_alarm_noted_is_alarmed_until_it_is_done)
{
    struct crash_look due = {.fingerprint = 1, .marks = CRASH_MARKS_DUE},
                      busy = {.fingerprint = 1, .marks = CRASH_MARKS_BUSY};
    struct crash_look looks[3] = {{.fingerprint = 1}, {.fingerprint = 1}, {.fingerprint = 1}};
    crash_queue_look(&queue, true, &busy);
    cr_assert(!busy.is_alarmed, "it has no work");
    const uint64_t first = submit_at(10);
    submit_at(11);
    crash_queue_look(&queue, false, &due);
    crash_queue_look(&queue, false, &looks[0]);
    cr_assert(!due.is_alarmed && !looks[0].is_alarmed, "it waits");
    crash_queue_look(&queue, false, &busy);
    crash_queue_look(&queue, true, &looks[1]);
    cr_assert(busy.is_alarmed && looks[1].is_alarmed);
    crash_queue_complete(&queue, first);
    crash_queue_look(&queue, true, &looks[2]);
    cr_assert(!looks[2].is_alarmed, "the second one is not what it was for");
}

/* ---- the device ---- */

static unsigned gathered, looked;

static void count_look(void *user, struct crash_look *look)
{
    (void)user, (void)look;
    looked++;
}

static uint32_t count_dump(void *user, struct crash_dump *dump, annot_progress *rows,
                           uint32_t count, bool is_whole)
{
    cr_assert(user == &queue && dump == device.dump && rows == device.rows && is_whole);
    gathered++;
    return count;
}

static const struct crash_functions functions = {count_look, count_dump, NULL};

/* Later losses are consequences of the first. */
Test(queue, a_loss_has_one_dump)
{
    struct crash_device none = {0};
    char folder[] = "/tmp/annot-crash-XXXXXX";
    cr_assert(mkdtemp(folder));
    settings.is_quiet = true;
    snprintf(settings.dump, sizeof settings.dump, "%s/x.annotdmp", folder);
    crash_device_watch(&device, &functions, &queue);
    cr_assert(!crash_device_has_dump(&device) && !crash_device_is_told(&device));
    crash_device_lost(&device, ANNOT_DEVICE_ERROR_UNKNOWN, "it is gone");
    cr_assert(crash_device_has_dump(&device) && crash_device_is_told(&device));
    crash_device_lost(&device, ANNOT_DEVICE_ERROR_UNKNOWN, "it is gone again");
    cr_assert_eq(gathered, 1);
    cr_assert_eq(unlink(settings.dump), 0);
    cr_assert_eq(rmdir(folder), 0, "one file");
    crash_device_lost(&none, ANNOT_DEVICE_ERROR_UNKNOWN, "nothing is kept of it");
    cr_assert(!crash_device_has_dump(&none) && crash_device_is_told(&none));
}

static void finish_dump(enum crash_cause cause)
{
    cr_assert(crash_claim_take(&device.claim, cause));
    crash_claim_finish(&device.claim);
}

/* Nobody may have noticed that it is lost, whatever alarm there was. */
Test(queue, the_process_s_end_looks_once_more)
{
    crash_device_watch(&device, &functions, &queue);
    finish_dump(CRASH_ALARM);
    crash_devices_end(true);
    cr_expect_eq(looked, 0, "the threads that are gone may have the runtime's locks");
    crash_devices_end(false);
    cr_expect_eq(looked, 1);
}

Test(queue, the_process_s_end_does_not_look_behind_a_loss)
{
    crash_device_watch(&device, &functions, &queue);
    finish_dump(CRASH_LOSS);
    crash_devices_end(false);
    cr_expect_eq(looked, 0);
}

Test(queue, the_process_s_end_meets_no_device_that_is_closed)
{
    crash_device_watch(&device, &functions, &queue);
    crash_device_stop(&device);
    crash_devices_end(false);
    cr_expect_eq(looked, 0);
}

Test(queue, a_device_is_watched_as_its_settings_say)
{
    settings.timeout = 77;
    crash_device_watch(&device, &functions, &queue);
    cr_assert_eq(device.watchdog.timeout, 77);
    cr_assert(device.watchdog.user == &device && device.functions == &functions);
}

Test(queue, a_forks_child_forgets_the_device)
{
    struct crash_device child = device;
    crash_device_inherit(&child);
    cr_assert(!child.annot && !child.tracker && !child.writer && !child.rows && !child.watched);
    crash_device_close(&child); /* nothing to close */
}
