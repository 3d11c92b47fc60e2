/* What hangs, settled once [ANN-TRUTH-06, ANN-TRUTH-08]: who comes first, and what all outputs say
 * of it. */
#include "asserts.h"
#include "at_end.h"
#include "dump_builder.h"
#include "guarded.h"

#include <annot/dump.h>
#include <annot/fleet.h>

#include <string.h>

TestSuite(hang, .fini = guarded_expect_nothing_left);

enum { WORKER = 21, GUILTY = 22, BUFFER = 41, DISPATCH = 6 };

static void put_tdr(struct dump *dump, uint64_t queue)
{
    dump_section(dump, ANNOT__DUMP_SECTION_TDR);
    dump_put_TDR(dump,
                 &(struct annot__dump_TDR){
                     .queue = queue, .context = queue, .type = 6, .reason = 0x141, .ddi = 2},
                 NULL, 0);
}

/* The innocent queue is inside of "bake"; the other one has `submitted` submissions, of which
 * `completed` are, and its list is in the state `said`; 0: the dump has no list of it. */
static void two_queues(struct dump *dump, uint64_t submitted, uint64_t completed, uint32_t said)
{
    dump_start(dump, ERROR_HUNG, 0);
    dump_object(dump, WORKER, 19, "Worker");
    dump_object(dump, GUILTY, 19, "Graphics");
    dump_recording(dump, 1, 100);
    const uint64_t bake = dump_begin(dump, "bake");
    dump_end(dump);
    dump_recording(dump, 2, 101);
    dump_set(dump, "sky");
    dump_queue(dump, WORKER, 1, 0);
    dump_submit(dump, 1, 1, (uint64_t[]){1});
    dump_queue(dump, GUILTY, submitted, completed);
    if (said)
        dump_submit(dump, submitted, 1, (uint64_t[]){2});
    dump_row(dump, WORKER, 1, 0, 0, STARTED, bake, 0);
    if (said)
        dump_row(dump, GUILTY, submitted, 0, 0, said, 0, 0);
}

/* The first line, which the suspects, the text, JSON and the signature agree with. */
static void expect(struct dump *dump, annot_suspect_role role, const char *answer,
                   const char *title)
{
    static annot_identity identity;
    annot_reader_suspect suspect;
    char line[512];
    dump_finish(dump);
    annot_reader *reader = dump_open(dump, ANNOT_OK);
    annot_reader_answer(reader, line, sizeof line);
    cr_expect_str_eq(line, answer);
    cr_assert(annot_reader_suspect_at(reader, 0, &suspect));
    cr_expect_eq(suspect.role, role, "%s", answer);
    cr_assert_eq(annot_reader_identity(reader, &identity), ANNOT_OK);
    cr_expect_str_eq(identity.title, title);
    AT_END(at_end_free) char *json = report_of(reader, true, NULL);
    cr_expect_not_null(strstr(json, role == ANNOT_SUSPECT_GUILTY
                                        ? "\"suspects\":[\n{\"role\":\"guilty\""
                                        : "\"suspects\":[\n{\"role\":\"in progress\""),
                       "%s", json);
    annot_reader_close(reader);
    dump_free(dump);
}

/* Whatever was kept of it [ANN-TRUTH-06]. */
Test(hang, a_guilty_queue_comes_first)
{
    struct dump dump;
    two_queues(&dump, 7, 6, NOT_STARTED);
    put_tdr(&dump, GUILTY);
    expect(&dump, ANNOT_SUSPECT_GUILTY,
           "GPU HANG in or behind submission 7 on queue \"Graphics\": nothing says how far it got",
           "GPU HANG: Graphics / waiting ?");
    two_queues(&dump, 7, 6, NOT_SAID);
    put_tdr(&dump, GUILTY);
    expect(&dump, ANNOT_SUSPECT_GUILTY,
           "GPU HANG in or behind submission 7 on queue \"Graphics\": nothing says how far it got",
           "GPU HANG: unfinished Graphics");
    two_queues(&dump, 7, 6, STARTED);
    put_tdr(&dump, GUILTY);
    expect(&dump, ANNOT_SUSPECT_GUILTY, "GPU HANG in list #100 on queue \"Graphics\"",
           "GPU HANG: list Graphics");
}

/* Its object alone is in the dump. */
Test(hang, a_guilty_queue_of_which_nothing_was_kept_comes_first)
{
    struct dump dump;
    two_queues(&dump, 7, 6, NOT_STARTED);
    put_tdr(&dump, 23);
    expect(&dump, ANNOT_SUSPECT_GUILTY, "GPU HANG on queue #23: nothing says how far it got",
           "GPU HANG: unfinished ?");
}

/* A kernel's verdict can be false: then both are said. */
Test(hang, a_guilty_queue_whose_work_is_done_comes_behind)
{
    struct dump dump;
    two_queues(&dump, 7, 7, NOT_SAID);
    put_tdr(&dump, GUILTY);
    expect(&dump, ANNOT_SUSPECT_IN_PROGRESS,
           "GPU HANG in bake; or on queue \"Graphics\", which the kernel holds guilty, though all "
           "its work is done",
           "GPU HANG: bake");
}

/* ---- page faults ---- */

/* Two queues are at work; what the second one writes to holds the address. */
Test(hang, of_a_page_fault_what_has_the_address_comes_first)
{
    for (uint64_t bound = BUFFER; bound <= BUFFER + 1; bound++) {
        AT_END(dump_free) struct dump dump;
        uint64_t scopes[2];
        uint8_t object[16] = {0};
        annot_reader_suspect suspect;
        char line[512];
        dump_start(&dump, ERROR_PAGE_FAULT, 0);
        dump_object(&dump, WORKER, 19, "Worker");
        dump_object(&dump, GUILTY, 19, "Copy");
        dump_object(&dump, BUFFER, 0, "gone");
        for (uint64_t i = 0; i < 2; i++) {
            object[0] = i == 1 ? (uint8_t)bound : BUFFER + 2;
            object[8] = ANNOT_BOUND_DESTINATION;
            dump_recording(&dump, 1 + i, 100 + i);
            scopes[i] = dump_begin(&dump, i == 0 ? "shadow" : "upload");
            dump_put_OPERATION(&dump,
                               &(struct annot__dump_OPERATION){
                                   .parent = scopes[i], .kind = DISPATCH, .objects = 1},
                               object, sizeof object);
            dump_end(&dump);
        }
        for (uint64_t i = 0; i < 2; i++) {
            dump_queue(&dump, WORKER + i, 1, 0);
            dump_submit(&dump, 1, 1, (uint64_t[]){1 + i});
        }
        for (uint64_t i = 0; i < 2; i++)
            dump_row(&dump, WORKER + i, 1, 0, 0, STARTED, scopes[i], 0);
        dump_put_FAULT(&dump, &(struct annot__dump_FAULT){0x8010}, NULL, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
        dump_put_RANGE(&dump,
                       &(struct annot__dump_RANGE){
                           .address = 0x8000, .size = 0x100, .object = BUFFER, .flags = 1},
                       NULL, 0);
        dump_finish(&dump);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_assert(annot_reader_suspect_at(reader, 0, &suspect));
        cr_expect_eq(suspect.is_at_fault, bound == BUFFER);
        annot_reader_answer(reader, line, sizeof line);
        if (bound == BUFFER)
            cr_expect_str_eq(line,
                             "GPU PAGE FAULT at 0x8010 (freed \"gone\") in upload: Dispatch, which "
                             "the address belongs to; 1 more in progress");
        else
            cr_expect_null(strstr(line, "belongs"), "%s", line);
    }
}

/* ---- the application's own failure ---- */

static void crash_of(uint32_t thread, const char *answer)
{
    AT_END(dump_free) struct dump dump;
    char line[512];
    const struct annot__dump_DEVICE device = {.error = (uint32_t)ANNOT_DEVICE_ERROR_APPLICATION,
                                              .mode = 2,
                                              .driver_supported = 1,
                                              .pointer_size = 8,
                                              .thread = thread};
    dump_start_device(&dump, &device);
    for (uint64_t i = 0; i < 2; i++) {
        dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
        dump_put_RECORDING(
            &dump,
            &(struct annot__dump_RECORDING){
                .id = 1 + i, .object = 100 + i, .open = 1, .thread = 7 + (uint32_t)i},
            NULL, 0);
    }
    dump_finish(&dump);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_answer(reader, line, sizeof line);
    cr_expect_str_eq(line, answer);
}

/* An innocent worker records as well. */
Test(hang, an_applications_crash_is_of_the_thread_that_failed)
{
    crash_of(8, "APPLICATION CRASH while list #101 was being recorded");
    crash_of(7, "APPLICATION CRASH while list #100 was being recorded");
    crash_of(9, "APPLICATION CRASH: the thread that failed was recording no command list");
    crash_of(0, "APPLICATION CRASH while 2 lists were being recorded");
}

/* ---- names ---- */

/* A payload by reference that is another one now is no scope's name. */
Test(hang, a_changed_name_is_marked_in_the_first_line)
{
    const uint64_t id = 0x500000010;
    AT_END(dump_free) struct dump dump;
    char line[512];
    dump_start(&dump, ERROR_HUNG, 0);
    dump_object(&dump, WORKER, 19, "Worker");
    dump_recording(&dump, 1, 100);
    dump_put_BEGIN(
        &dump,
        &(struct annot__dump_BEGIN){.event_id = id, .metadata = 1, .size = 7, .flags = 1 | 2 | 4},
        "REUSED", 7);
    dump_queue(&dump, WORKER, 1, 0);
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    dump_row(&dump, WORKER, 1, 0, 0, STARTED, id, 0);
    dump_finish(&dump);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_answer(reader, line, sizeof line);
    cr_expect_str_eq(line, "GPU HANG in REUSED (changed since it was recorded)");
}
