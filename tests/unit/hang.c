/* What hangs, settled once [ANN-TRUTH-06, ANN-TRUTH-08]: who comes first, and what all outputs say
 * of it. */
#include "asserts.h"
#include "at_end.h"
#include "dump_builder.h"
#include "guarded.h"

#include <annot/dump.h>
#include <annot/fleet.h>

#include <stdio.h>
#include <string.h>

TestSuite(hang, .fini = guarded_expect_nothing_left);

enum { WORKER = 21, GUILTY = 22, BUFFER = 41, DISPATCH = 6 };

static void put_tdr(struct dump *dump, uint64_t queue)
{
    dump_section(dump, ANNOT__DUMP_SECTION_TDR);
    dump_add(dump, TDR, .queue = queue, .context = queue, .type = 6, .reason = 0x141, .ddi = 2);
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
           "GPU HANG in or after submission 7 on queue \"Graphics\": nothing says how far the "
           "work got",
           "GPU HANG: Graphics / waiting ?");
    two_queues(&dump, 7, 6, NOT_SAID);
    put_tdr(&dump, GUILTY);
    expect(&dump, ANNOT_SUSPECT_GUILTY,
           "GPU HANG in or after submission 7 on queue \"Graphics\": nothing says how far the "
           "work got",
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
    expect(&dump, ANNOT_SUSPECT_GUILTY, "GPU HANG on queue #23: nothing says how far the work got",
           "GPU HANG: unfinished ?");
}

/* A kernel's verdict can be false: then both are said. */
Test(hang, a_guilty_queue_whose_work_is_done_comes_behind)
{
    for (uint64_t done = 1; done < 8; done += 6) {
        struct dump dump;
        two_queues(&dump, done, done, NOT_SAID);
        put_tdr(&dump, GUILTY);
        expect(&dump, ANNOT_SUSPECT_IN_PROGRESS,
               "GPU HANG in bake; or on queue \"Graphics\", which the kernel holds guilty, "
               "although all work of the queue is done",
               "GPU HANG: bake");
    }
}

/* ---- page faults ---- */

/* Two queues are at work; what the second one writes to holds the address. */
Test(hang, of_a_page_fault_what_has_the_address_comes_first)
{
    for (uint64_t bound = BUFFER; bound <= BUFFER + 1; bound++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_PAGE_FAULT, 0);
        uint64_t scopes[2];
        uint8_t object[16] = {0};
        annot_reader_suspect suspect;
        char line[512];
        dump_object(&dump, WORKER, 19, "Worker");
        dump_object(&dump, GUILTY, 19, "Copy");
        dump_object(&dump, BUFFER, 0, "gone");
        for (uint64_t i = 0; i < 2; i++) {
            object[0] = i == 1 ? (uint8_t)bound : BUFFER + 2;
            object[8] = ANNOT_BOUND_DESTINATION;
            dump_recording(&dump, 1 + i, 100 + i);
            scopes[i] = dump_begin(&dump, i == 0 ? "shadow" : "upload");
            dump_add_with(&dump, OPERATION, object, sizeof object, .parent = scopes[i],
                          .kind = DISPATCH, .objects = 1);
            dump_end(&dump);
        }
        for (uint64_t i = 0; i < 2; i++) {
            dump_queue(&dump, WORKER + i, 1, 0);
            dump_submit(&dump, 1, 1, (uint64_t[]){1 + i});
        }
        for (uint64_t i = 0; i < 2; i++)
            dump_row(&dump, WORKER + i, 1, 0, 0, STARTED, scopes[i], 0);
        dump_put_FAULT(&dump, &(struct annot__dump_FAULT){.address = 0x8010}, NULL, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
        dump_add(&dump, RANGE, .address = 0x8000, .size = 0x100, .object = BUFFER, .flags = 1);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_assert(annot_reader_suspect_at(reader, 0, &suspect));
        cr_expect_eq(suspect.is_at_fault, bound == BUFFER);
        annot_reader_answer(reader, line, sizeof line);
        if (bound == BUFFER)
            cr_expect_str_eq(line, "GPU PAGE FAULT at 0x8010 (freed \"gone\") in upload: Dispatch, "
                                   "which uses the memory at the address; 1 more in progress");
        else
            cr_expect_null(strstr(line, "belongs"), "%s", line);
    }
}

/* Breadcrumbs count A { Dispatch } B { Dispatch } up to A's BeginEvent: both may be in flight. The
 * one that uses the faulting address comes first [ANN-TRUTH-05]. C { Dispatch } is none of them
 * where the driver's front end has only reached B. */
Test(hang, after_a_fault_the_operation_at_the_address_comes_before_the_oldest)
{
    static const uint8_t ops[] = {1, DISPATCH, 2, 1, DISPATCH, 2, 1, DISPATCH, 2};
    static const char *const answers[] = {
        "GPU PAGE FAULT at 0x8010 (freed \"gone\") in A: Dispatch, which uses the memory at the "
        "address, or in a later operation (\"B\" / Dispatch) that may have been in flight",
        ("GPU PAGE FAULT at 0x8010 (freed \"gone\") in A: Dispatch in \"B\", which uses the memory "
         "at the address, or in another that may have been in flight"),
        "GPU PAGE FAULT at 0x8010 (freed \"gone\") in A: Dispatch, or in a later operation "
        "(\"B\" / Dispatch) that may have been in flight",
        "GPU PAGE FAULT at 0x8010 (freed \"gone\") in A: Dispatch, or in a later operation "
        "(\"B\" / Dispatch) that may have been in flight"};
    for (uint32_t hit = 0; hit < 4; hit++) {
        const uint32_t count = hit == 3 ? 3 : 2; /* of scopes */
        uint64_t scopes[3];
        AT_END(dump_free) struct dump dump = dump_started(ERROR_PAGE_FAULT, 0);
        annot_reader_suspect suspect;
        annot_reader_operation operation;
        char line[512];
        dump_object(&dump, WORKER, 19, "Worker");
        dump_object(&dump, BUFFER, 0, "gone");
        dump_recording(&dump, 1, 100);
        for (uint32_t i = 0; i < count; i++) {
            const uint8_t object[16] = {
                i == hit || i == 2 ? BUFFER : BUFFER + 2, [8] = ANNOT_BOUND_DESTINATION};
            scopes[i] = dump_begin(&dump, &"A\0B\0C"[2 * i]);
            dump_add_with(&dump, OPERATION, object, sizeof object, .parent = scopes[i],
                          .number = 1 + 3 * i, .kind = DISPATCH, .objects = 1);
            dump_end(&dump);
        }
        dump_queue(&dump, WORKER, 1, 0);
        dump_submit(&dump, 1, 1, (uint64_t[]){1});
        if (count == 3)
            dump_row(&dump, WORKER, 1, 0, 0, STARTED, scopes[1], 0);
        dump_put_FAULT(&dump, &(struct annot__dump_FAULT){.address = 0x8010}, NULL, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
        dump_add(&dump, RANGE, .address = 0x8000, .size = 0x100, .object = BUFFER, .flags = 1);
        dump_add(&dump, CRUMBS, .queue = WORKER, .submission = 1, .log = 5, .count = 3 * count,
                 .done = 1, .markers = 2 * count);
        dump_put_OPS(&dump, &(struct annot__dump_OPS){.log = 5}, ops, 3 * count);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_assert(annot_reader_suspect_at(reader, 0, &suspect));
        cr_expect_eqs(suspect.is_at_fault, hit < 2, suspect.certainty, ANNOT_OPERATION_AMONG);
        cr_expect_eqs(suspect.candidates, 2, suspect.last, 4);
        cr_assert(annot_reader_stop_operation(reader, 0, &operation));
        cr_expect_eq(operation.number, hit == 1 ? 4u : 1u);
        annot_reader_answer(reader, line, sizeof line);
        cr_expect_str_eq(line, answers[hit]);
    }
}

/* Behind its first Dispatch the bundle has one more and its list another; the submission may have a
 * second list. The last one is not in the bundle [annot/hang.h]. */
Test(hang, operations_behind_one_of_a_bundle_are_the_bundles_and_the_lists)
{
    static const uint8_t ops[2][4] = {{16, DISPATCH}, {1, DISPATCH, DISPATCH, 2}};
    for (uint32_t lists = 1; lists < 3; lists++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        annot_reader_suspect suspect;
        dump_bundle(&dump, 1, 2, 200);
        dump_recording(&dump, 2, 200);
        dump_begin(&dump, "trees");
        dump_end(&dump);
        dump_queue(&dump, WORKER, 1, 0);
        dump_submit(&dump, 1, lists, (uint64_t[]){1, 7});
        dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
        for (uint32_t i = 0; i < 2; i++) {
            const struct annot__dump_CRUMBS crumbs = {
                WORKER,          1, .log = 5 + i, .bundle = i, .count = 2 + 2 * i, .done = i,
                .markers = 2 * i};
            dump_put_CRUMBS(&dump, &crumbs, NULL, 0);
            dump_put_OPS(&dump, &(struct annot__dump_OPS){.log = 5 + i}, ops[i], crumbs.count);
        }
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_assert(annot_reader_suspect_at(reader, 0, &suspect));
        cr_expect_eqs(suspect.candidates, 3, suspect.last, ANNOT_READER_NONE);
        cr_expect_eq(suspect.runs_on, lists == 2);
    }
}

#define FAULT  ERROR_PAGE_FAULT
#define KERNEL ANNOT_WITNESS_KERNEL
#define CRUMBS ANNOT_WITNESS_CRUMBS
#define DRIVER ANNOT_WITNESS_DRIVER

static const struct said {
    uint32_t error, sources[3];
    uint64_t addresses[3];
    uint64_t address, otherwise; /* 0: none */
    uint32_t witnesses, against;
} said[] = {
    /* the kernel's before the runtime's before the driver's, wherever they stand */
    {FAULT, .sources = {3, 1}, .addresses = {0x1000, 0x2000}, .address = 0x2000,
     .otherwise = 0x1000, .witnesses = KERNEL, .against = DRIVER},
    {FAULT, .sources = {3, 2, 1}, .addresses = {1, 2, 3}, .address = 3, .otherwise = 1,
     .witnesses = KERNEL, .against = DRIVER | CRUMBS},
    {FAULT, .sources = {2, 3}, .addresses = {0x70, 0x70}, .address = 0x70,
     .witnesses = CRUMBS | DRIVER},
    /* a file from before the field, and a source of a newer one */
    {FAULT, .sources = {0}, .addresses = {0x5000}, .address = 0x5000},
    {FAULT, .sources = {9, 1}, .addresses = {0x5000, 0x6000}, .address = 0x6000,
     .otherwise = 0x5000, .witnesses = KERNEL},
    /* the beginning of a page is the page's */
    {FAULT, .sources = {1, 3}, .addresses = {0x5000, 0x5010}, .address = 0x5010,
     .witnesses = KERNEL | DRIVER},
    {FAULT, .sources = {1, 3}, .addresses = {0x5010, 0x5000}, .address = 0x5010,
     .witnesses = KERNEL | DRIVER},
    {FAULT, .sources = {1, 3}, .addresses = {0x5008, 0x5010}, .address = 0x5008,
     .otherwise = 0x5010, .witnesses = KERNEL, .against = DRIVER},
    {FAULT, .sources = {1, 3}, .addresses = {0x5000, 0x6000}, .address = 0x5000,
     .otherwise = 0x6000, .witnesses = KERNEL, .against = DRIVER},
    /* what is none has none; a device that was lost for another reason may have */
    {ERROR_HUNG, .sources = {3}, .addresses = {0x1000}, .otherwise = 0x1000, .against = DRIVER},
    {ERROR_NONE, .sources = {3}, .addresses = {0x1000}, .otherwise = 0x1000, .against = DRIVER},
    {0x10001, .sources = {1}, .addresses = {0x1000}, .otherwise = 0x1000, .against = KERNEL},
    {0x88000000, .sources = {3}, .addresses = {0x1000}, .address = 0x1000, .witnesses = DRIVER},
    {FAULT, .sources = {0}, .addresses = {0}},
};

/* Whose word the address is; who says otherwise. */
Test(hang, a_faults_address_has_its_source)
{
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        AT_END(dump_free) struct dump dump = dump_started(said[i].error, 0);
        annot_reader_hang hang;
        annot_reader_device device;
        char line[256], expected[64];
        dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
        for (size_t k = 0; k < 3 && said[i].addresses[k] != 0; k++)
            dump_add(&dump, FAULT, said[i].addresses[k], said[i].sources[k]);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_get_hang(reader, &hang);
        annot_reader_get_device(reader, &device);
        cr_expect_eq(hang.fault_address, said[i].address, "row %zu", i);
        cr_expect_eq(hang.fault_otherwise, said[i].otherwise, "row %zu", i);
        cr_expect_eq(hang.fault_witnesses, said[i].witnesses, "row %zu", i);
        cr_expect_eq(hang.fault_against, said[i].against, "row %zu", i);
        cr_expect_eq(device.fault_address, said[i].address, "row %zu", i);
        cr_expect_eq(device.fault_count > 0, said[i].address != 0, "row %zu", i);
        annot_reader_answer(reader, line, sizeof line);
        snprintf(expected, sizeof expected, " at 0x%llx", (unsigned long long)said[i].address);
        cr_expect_eq(strstr(line, expected) != NULL, said[i].address != 0, "row %zu: %s", i, line);
        AT_END(at_end_free) char *text = report_of(reader, false, NULL);
        cr_expect_eq(strstr(text, ", which disagrees\n") != NULL,
                     said[i].address != 0 && said[i].against != 0, "row %zu: %s", i, text);
        cr_expect_eq(strstr(text, "none; 0x1000, by ") != NULL,
                     said[i].address == 0 && said[i].against != 0, "row %zu: %s", i, text);
    }
}

/* ---- what waits ---- */

enum { FENCE = 51, COPY = 23 };

struct waiting {
    uint32_t said;                /* state of the waiting queue's list; 0: nothing says it */
    uint64_t submission, reached; /* of the wait, for 7 */
    uint64_t signaller;
    uint32_t certain;
    const char *text; /* NULL: it is not told what it waits for */
    annot_suspect_role role;
    uint32_t list, op; /* the list that waits, from 1; what breadcrumbs say is not done */
};

/* The worker is inside of "bake"; the other queue's submission is behind a wait. */
static void wait_of(const struct waiting *row)
{
    AT_END(dump_free) struct dump dump;
    uint8_t signallers[16] = {0}; /* of two, a suspect is named, or else the first one */
    annot_reader_suspect suspect = {0};
    annot_reader_wait wait = {0};
    signallers[row->signaller == WORKER ? 8 : 0] = (uint8_t)row->signaller;
    signallers[row->signaller == WORKER ? 0 : 8] = COPY + 1;
    two_queues(&dump, 1, 0, row->said ? row->said : NOT_SAID);
    dump_object(&dump, FENCE, 22, "bake done");
    dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_add_with(&dump, WAIT, signallers, row->signaller ? sizeof signallers : 0, .queue = GUILTY,
                  .submission = row->submission, .fence = FENCE, .value = 7,
                  .reached = row->reached, .certain = row->certain, .list = row->list);
    dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
    if (row->op != 0) {
        dump_add(&dump, CRUMBS, .queue = GUILTY, .submission = 1, .log = 1, .count = 1);
        dump_add_with(&dump, OPS, &row->op, 1, .log = 1);
    }
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    AT_END(at_end_free) char *text = report_of(reader, false, NULL);
    const bool has_wait = annot_reader_wait_at(reader, 0, &wait);
    cr_expect_eq(has_wait && wait.fence == FENCE, row->text != NULL, "%s", text);
    if (row->text) {
        cr_expect_not_null(strstr(text, row->text), "%s", text);
        cr_expect_eq(wait.value, 7);
        cr_expect_eq(wait.reached, row->reached);
        cr_expect_eq(wait.signaller, row->signaller);
        cr_expect_eqs(wait.serial, 1, wait.list, row->list);
        cr_expect_eq(wait.suspect, row->signaller == WORKER ? 0 : ANNOT_READER_NONE);
    }
    for (size_t i = 0; annot_reader_suspect_at(reader, i, &suspect); i++)
        if (suspect.queue_object == GUILTY)
            cr_expect_eq(suspect.role, row->role, "%s", text);
}

Test(hang, a_wait_says_its_fence_and_who_ends_it)
{
    static const struct waiting rows[] = {
        {NOT_STARTED, 1, 6, WORKER, 1,
         "submission 1 has not started (1 waiting): waiting for \"Worker\"'s fence \"bake "
         "done\" = 7, reached 6; that queue hung",
         .role = ANNOT_SUSPECT_WAITING},
        {NOT_STARTED, 1, 6, 0, 1, "reached 6; no queue has a pending Signal for this fence",
         .role = ANNOT_SUSPECT_WAITING},
        {NOT_STARTED, 1, 6, COPY, 0, "waiting for #23's fence", .role = ANNOT_SUSPECT_WAITING},
        /* it has been reached; it is behind what has not started */
        {NOT_STARTED, 1, 7, WORKER, 1, NULL, .role = ANNOT_SUSPECT_WAITING},
        {NOT_STARTED, 2, 6, WORKER, 1, NULL, .role = ANNOT_SUSPECT_WAITING},
        /* only the fence says that the work has not started */
        {0, 1, 6, WORKER, 1, "reached 6; that queue hung", .role = ANNOT_SUSPECT_WAITING},
        {0, 1, 6, WORKER, 0, NULL, .role = ANNOT_SUSPECT_MAY_BE},
        {0, 2, 6, WORKER, 1, NULL, .role = ANNOT_SUSPECT_MAY_BE},
        {0, 0, 6, WORKER, 1, NULL, .role = ANNOT_SUSPECT_MAY_BE},
        /* it has started: the word is of before */
        {STARTED, 1, 6, WORKER, 0, NULL, .role = ANNOT_SUSPECT_IN_PROGRESS},
        /* in a list; work in front of it may have hung, unless breadcrumbs say that it waits */
        {STARTED, 1, 6, WORKER, 1,
         "submission 1 has not finished (1 waiting): waiting in list 1 for \"Worker\"'s fence",
         .role = ANNOT_SUSPECT_IN_PROGRESS, .list = 1},
        {STARTED, 1, 6, WORKER, 1, "waiting in list 1", .role = ANNOT_SUSPECT_WAITING, .list = 1,
         .op = 54},
        {0, 1, 6, WORKER, 1, "waiting in list 1", .role = ANNOT_SUSPECT_MAY_BE, .list = 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        wait_of(&rows[i]);
}

/* Its next work is behind the copy queue, whose list was not kept; the worker's list has lost
 * markers [annot/hang.h]. */
Test(hang, suspects_and_waits_tell_submissions_markers_and_witnesses)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    const uint8_t signaller[8] = {COPY};
    annot_reader_suspect first, second;
    annot_reader_wait wait;
    annot_reader_submission submission;
    dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
    dump_add(&dump, RECORDING, .id = 1, .object = 100, .dropped = 3);
    const uint64_t bake = dump_begin(&dump, "bake");
    dump_queue(&dump, WORKER, 1, 0);
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    dump_queue(&dump, COPY, 9, 8);
    dump_queue(&dump, GUILTY, 4, 1);
    for (uint64_t serial = 1; serial < 5; serial++)
        dump_submit(&dump, serial, 1, (uint64_t[]){1});
    dump_row(&dump, WORKER, 1, 0, 0, STARTED, bake, 0);
    dump_row(&dump, COPY, 9, 2, 0, STARTED, 0, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_add_with(&dump, WAIT, signaller, sizeof signaller, .queue = GUILTY, .submission = 2,
                  .fence = FENCE, .value = 7, .reached = 6, .certain = 1);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_assert(annot_reader_suspect_at(reader, 0, &first));
    cr_assert(annot_reader_suspect_at(reader, 1, &second));
    cr_expect_eqs(first.queue_object, WORKER, first.dropped, 3);
    cr_expect_eqs(second.queue_object, COPY, second.place, ANNOT_SUSPECT_STARTED);
    cr_expect_eqs(second.serial, 9, second.list, 2);
    cr_expect_eqs(second.witnesses, ANNOT_WITNESS_DRIVER, second.is_begun, true);
    cr_assert(annot_reader_wait_at(reader, 0, &wait));
    cr_expect_not(annot_reader_wait_at(reader, annot_reader_wait_count(reader), &wait));
    cr_expect_eqs(wait.serial, 2, wait.count, 3);
    cr_expect_eqs(wait.signaller, COPY, wait.suspect, 1);
    cr_assert(annot_reader_submission_at(reader, wait.submission, &submission));
    cr_expect_eq(submission.serial, 2);
}

/* Three queues wait. The row names the queue whose Signal each of them waits for. A queue's own
 * Signal is behind its wait. Only waits without an end make a circle. A wait that leads to a circle
 * may be outside of it. */
Test(hang, waits_for_ever_for_each_other_are_a_circle)
{
    static const struct {
        uint8_t by[3];
        uint32_t endless, in_circle; /* bits */
    } rows[] = {{{1, 2, 1}, 7, 6}, {{1, 2, 1}, 3, 0}, {{1, 2, 1}, 6, 6},
                {{1, 2, 0}, 7, 7}, {{0, 2, 1}, 1, 1}, {{0, 0, 2}, 6, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        annot_reader_wait wait;
        for (uint64_t q = 0; q < 3; q++) {
            dump_queue(&dump, WORKER + q, 1, 0);
            dump_submit(&dump, 1, 1, (uint64_t[]){1});
        }
        for (uint64_t q = 0; q < 3; q++)
            dump_row(&dump, WORKER + q, 1, 0, 0, NOT_STARTED, 0, 0);
        for (uint32_t q = 0; q < 3; q++) {
            const uint8_t by[8] = {(uint8_t)(WORKER + rows[i].by[q])};
            dump_add_with(&dump, WAIT, by, sizeof by, .queue = WORKER + q, .submission = 1,
                          .fence = FENCE + q, .value = 7, .reached = 6, .certain = 1,
                          .flags = rows[i].endless >> q & 1 ? ANNOT_WAIT_ENDLESS : 0);
        }
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        for (uint32_t q = 0; q < 3; q++) {
            const uint32_t both = rows[i].endless >> q & rows[i].endless >> rows[i].by[q] & 1;
            cr_assert(annot_reader_wait_at(reader, q, &wait));
            cr_expect_eq(wait.is_in_circle, rows[i].in_circle >> q & 1, "row %zu, %u", i, q);
            cr_expect_eq(wait.next, both ? rows[i].by[q] : ANNOT_READER_NONE, "row %zu, %u", i, q);
        }
    }
}

/* ---- was it us? ---- */

static void fact_of(const char *key, const char *value, const char *answer, const char *title,
                    const char *advice)
{
    static annot_identity identity;
    AT_END(dump_free) struct dump dump = dump_started(0x88000000, 0);
    char line[512];
    dump_object(&dump, WORKER, 19, "Worker");
    dump_recording(&dump, 1, 100);
    const uint64_t bake = dump_begin(&dump, "bake");
    dump_queue(&dump, WORKER, 1, 0);
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    dump_row(&dump, WORKER, 1, 0, 0, STARTED, bake, 0);
    dump_fact(&dump, 2, key, value);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_answer(reader, line, sizeof line);
    cr_expect_eq(strncmp(line, answer, strlen(answer)), 0, "%s", line);
    cr_assert_eq(annot_reader_identity(reader, &identity), ANNOT_OK);
    cr_expect_eq(strncmp(identity.title, title, strlen(title)), 0, "%s", identity.title);
    cr_assert(annot_reader_advice(reader, 0, line, sizeof line) > 0);
    cr_expect_not_null(strstr(line, advice), "%s", line);
}

Test(hang, what_became_of_another_process_or_of_slow_work_is_in_the_first_line)
{
    fact_of(ANNOT_FACT_RESET_OF, "another process, pid 17",
            "GPU reset by another process; state of this program: in bake",
            "GPU reset by another process: bake", "Look at that process");
    fact_of(ANNOT_FACT_RESET_OF, "this process", "GPU ERROR in bake", "GPU ERROR: bake",
            "Look at the work");
    fact_of(ANNOT_FACT_SLOW, "3.2 s", "slow: 3.2 s in bake, finished", "slow: bake",
            "took longer than the timeout allows. Divide the work, or set a longer timeout.");
}

/* ---- the application's own failure ---- */

static void crash_of(uint32_t thread, uint64_t lists, const char *answer)
{
    AT_END(dump_free) struct dump dump;
    char line[512];
    const struct annot__dump_DEVICE device = {.error = (uint32_t)ANNOT_DEVICE_ERROR_APPLICATION,
                                              .mode = 2,
                                              .driver_supported = 1,
                                              .pointer_size = 8,
                                              .thread = thread};
    dump_start_device(&dump, &device);
    for (uint64_t i = 0; i < lists; i++) {
        dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
        dump_add(&dump, RECORDING, .id = 1 + i, .object = 100 + i, .open = 1,
                 .thread = 7 + (uint32_t)i);
        if (i == 1)
            dump_begin(&dump, "upload");
    }
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_answer(reader, line, sizeof line);
    cr_expect_str_eq(line, answer);
}

/* An innocent worker records as well. */
Test(hang, an_applications_crash_is_of_the_thread_that_failed)
{
    crash_of(8, 2, "APPLICATION CRASH while list #101 was being recorded, in upload");
    crash_of(7, 2, "APPLICATION CRASH while list #100 was being recorded");
    crash_of(9, 2, "APPLICATION CRASH: the thread that failed was recording no command list");
    crash_of(9, 0, "APPLICATION CRASH: no command list was being recorded");
    crash_of(0, 2, "APPLICATION CRASH while 2 lists were being recorded");
}

/* ---- names ---- */

/* A payload by reference that is another one now is no scope's name. */
Test(hang, a_changed_name_is_marked_in_the_first_line)
{
    const uint64_t id = 0x500000010;
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    char line[512];
    dump_object(&dump, WORKER, 19, "Worker");
    dump_recording(&dump, 1, 100);
    dump_add_with(&dump, BEGIN, "REUSED", 7, .event_id = id, .metadata = 1, .size = 7,
                  .flags = 1 | 2 | 4);
    dump_queue(&dump, WORKER, 1, 0);
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    dump_row(&dump, WORKER, 1, 0, 0, STARTED, id, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_answer(reader, line, sizeof line);
    cr_expect_str_eq(line, "GPU HANG in REUSED (changed since it was recorded)");
}
