/* The text report's advice [ANN-CRASH-06]: it follows from what is known, and nothing is told that
 * does not. */
#include "dump_builder.h"
#include "unit_kit.h"

TestSuite(report_advice, .fini = guarded_expect_nothing_left);

enum { RUNTIME_ONLY = 1, DRIVER_RETAIL = 2 };

/* The first words of each paragraph that may stand there. */
static const char *const advice[] = {
    "Look at the code that was recording",
    "Look at the thread that failed",
    "Breadcrumbs show no work in progress",
    "The dump shows no unfinished work",
    "The dump has nothing of that submission",
    "Nothing is known to have been in progress",
    "Nothing to do: the device had not failed",
    "The end of the dump is lost",
    "The driver returned no report",
    "This driver takes no annotations",
    "Look at the submission",
    "Look at the work recorded in",
    "The GPU began the submission, but none of its lists",
    "The GPU stopped between two command lists",
    "The driver's report names no work in progress",
    ("No markers were kept: annotations were in mode RUNTIME_ONLY. A program that chooses "
     "DRIVER_RETAIL"),
    "The list's markers are not in the dump",
    "The dump has no markers",
    "The driver takes no annotations",
    "There was no memory left for some",
    "This driver may reorder markers",
};

enum { ADVICE_COUNT = sizeof advice / sizeof advice[0] };

/* The report's paragraphs are those that `expected` has, and no others. */
static void expect_advice(struct dump *dump, const char *what, const char *const expected[3])
{
    char *text = dump_report(dump, false, NULL);
    const char *said = strstr(text, "WHAT TO DO NEXT");
    cr_assert_not_null(said, "%s", text);
    for (size_t i = 0; i < ADVICE_COUNT; i++) {
        bool is_expected = false;
        for (size_t k = 0; k < 3 && expected[k]; k++)
            is_expected |= strncmp(advice[i], expected[k], strlen(expected[k])) == 0;
        cr_expect_eq(strstr(said, advice[i]) != NULL, is_expected, "%s: %s\n%s", what, advice[i],
                     said);
    }
    free(text);
    dump_free(dump);
}

/* One queue with a list in each of two submissions; the first has finished, and a third was not
 * kept. */
static void put_work(struct dump *dump, bool has_markers)
{
    for (uint64_t recording = 1; recording <= 2; recording++) {
        dump_recording(dump, recording, 100);
        if (has_markers)
            dump_set(dump, "sky");
    }
    dump_queue(dump, 21, 3, 1);
    for (uint64_t serial = 1; serial <= 2; serial++)
        dump_submit(dump, serial, 1, &serial);
}

Test(report_advice, follows_from_the_error_and_from_what_the_driver_said)
{
    static const struct {
        const char *what;
        uint32_t error, driver_supported, has_report;
        const char *expected[3];
    } cases[] = {
        {"nothing failed", ERROR_NONE, 1, 1, {"Nothing to do: "}},
        {"nothing failed, and no report", ERROR_NONE, 0, 0, {"Nothing to do: "}},
        {"the application, which was recording nothing",
         (uint32_t)ANNOT_DEVICE_ERROR_APPLICATION,
         1,
         1,
         {"Look at the thread that failed"}},
        {"another failure", 0x88000000, 1, 1, {"Nothing is known to have been in progress"}},
        {"no report", ERROR_HUNG, 1, 0, {"The driver returned no report"}},
        {"no report of a driver without annotations", ERROR_HUNG, 0, 0, {"The driver returned no"}},
        {"a report without annotations", ERROR_HUNG, 0, 1, {"This driver takes no annotations"}},
        {"a report without work", ERROR_HUNG, 1, 1, {"The driver's report names no work"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dump dump;
        dump_start_device(&dump, &(struct annot__dump_DEVICE){.error = cases[i].error,
                                                              .mode = DRIVER_RETAIL,
                                                              .driver_supported =
                                                                  cases[i].driver_supported,
                                                              .has_report = cases[i].has_report,
                                                              .pointer_size = 8});
        put_work(&dump, true);
        expect_advice(&dump, cases[i].what, cases[i].expected);
    }
}

/* A driver without annotations, and a list of which breadcrumbs say that it has not begun. */
Test(report_advice, does_not_ask_for_breadcrumbs_that_are_there)
{
    struct dump dump;
    dump_start_device(
        &dump, &(struct annot__dump_DEVICE){
                   .error = ERROR_HUNG, .mode = DRIVER_RETAIL, .has_report = 1, .pointer_size = 8});
    put_work(&dump, true);
    dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_add(&dump, CRUMBS, .queue = 21, .submission = 2, .log = 5, .count = 1,
             .done = ANNOT_CRUMBS_NOT_BEGUN, .flags = ANNOT_CRUMBS_HAS_END);
    expect_advice(&dump, "breadcrumbs", (const char *const[3]){"Breadcrumbs show no work"});
}

Test(report_advice, says_of_a_driver_without_annotations_that_no_work_is_left)
{
    struct dump dump;
    dump_start_device(
        &dump, &(struct annot__dump_DEVICE){
                   .error = ERROR_HUNG, .mode = DRIVER_RETAIL, .has_report = 1, .pointer_size = 8});
    dump_recording(&dump, 1, 100);
    dump_set(&dump, "sky");
    dump_queue(&dump, 21, 1, 1);
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    expect_advice(&dump, "idle", (const char *const[3]){"The dump shows no unfinished work"});
}

Test(report_advice, follows_from_where_work_stopped)
{
    static const struct {
        const char *what;
        uint64_t submission;
        uint32_t list;
        bool has_driver;
        const char *expected[3];
    } cases[] = {
        {"a list that was kept", 2, 0, true, {"Look at the work recorded in"}},
        {"a submission that was not kept", 3, 0, true, {"Look at the submission"}},
        {"a list of a device without a driver's table",
         2,
         0,
         false,
         {"Look at the work recorded in", "The driver takes no annotations"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dump dump;
        dump_start_device(&dump,
                          &(struct annot__dump_DEVICE){.error = ERROR_HUNG,
                                                       .mode = DRIVER_RETAIL,
                                                       .driver_supported = cases[i].has_driver,
                                                       .has_report = 1,
                                                       .pointer_size = 8});
        put_work(&dump, true);
        dump_row(&dump, 21, cases[i].submission, cases[i].list, 0, STARTED, 0, 0);
        expect_advice(&dump, cases[i].what, cases[i].expected);
    }
}

Test(report_advice, says_that_the_end_is_lost)
{
    struct dump dump = dump_started(ERROR_HUNG, 0);
    put_work(&dump, true);
    const size_t whole = dump.size;
    dump_finish(&dump);
    dump.size = whole;
    expect_advice(&dump, "cut", (const char *const[3]){"The end of the dump is lost"});
}

Test(report_advice, says_how_to_get_markers_where_there_are_none)
{
    static const struct {
        const char *what;
        uint32_t mode;
        bool has_markers;
        const char *expected[3];
    } cases[] = {
        {"none kept", RUNTIME_ONLY, false, {"The driver's report", "No markers were kept"}},
        {"none recorded", DRIVER_RETAIL, false, {"The driver's report", "The dump has no markers"}},
        {"kept before the mode changed", RUNTIME_ONLY, true, {"The driver's report"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dump dump;
        dump_start_device(&dump, &(struct annot__dump_DEVICE){.error = ERROR_HUNG,
                                                              .mode = cases[i].mode,
                                                              .driver_supported = 1,
                                                              .has_report = 1,
                                                              .pointer_size = 8});
        put_work(&dump, cases[i].has_markers);
        expect_advice(&dump, cases[i].what, cases[i].expected);
    }
}

/* It recorded some, perhaps: neither "record some" nor "record more" is said of them. */
Test(report_advice, of_a_list_whose_markers_are_gone_says_why_they_may_be)
{
    static const uint64_t never_kept[] = {0}, gone[] = {9};
    for (uint32_t i = 0; i < 4; i++) {
        struct dump dump = dump_hung();
        if (i & 1)
            dump_set(&dump, "of another list");
        dump_queue(&dump, 21, 1, 0);
        dump_submit(&dump, 1, 1, i & 2 ? gone : never_kept);
        dump_row(&dump, 21, 1, 0, 0, STARTED, 0, 0);
        expect_advice(&dump, i & 2 ? "gone" : "never kept",
                      (const char *const[3]){"Look at the work recorded in",
                                             "The list's markers are not in the dump"});
    }
}

Test(report_advice, of_a_list_that_lost_markers_says_that_memory_was_missing)
{
    for (uint64_t dropped = 0; dropped < 3; dropped++) {
        struct dump dump = dump_started(ERROR_HUNG, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
        dump_add(&dump, RECORDING, .id = 1, .object = 100, .dropped = dropped);
        const uint64_t sky = dump_set(&dump, "sky");
        dump_submitted(&dump);
        dump_row(&dump, 21, 1, 0, 0, STARTED, sky, 0);
        expect_advice(&dump, "dropped",
                      (const char *const[3]){"Look at the work recorded in",
                                             dropped ? "There was no memory left" : NULL});
    }
}

/* A driver without annotations reorders none. */
Test(report_advice, explains_the_order_of_a_driver_that_may_change_it)
{
    for (uint32_t supported = 0; supported < 2; supported++) {
        struct dump dump;
        dump_start_device(&dump, &(struct annot__dump_DEVICE){.error = ERROR_HUNG,
                                                              .mode = DRIVER_RETAIL,
                                                              .driver_supported = supported,
                                                              .order_window = 4,
                                                              .has_report = 1,
                                                              .pointer_size = 8});
        put_work(&dump, true);
        expect_advice(&dump, supported ? "supported" : "not supported",
                      supported ? (const char *const[3]){"The driver's report", "This driver may"}
                                : (const char *const[3]){"This driver takes no annotations"});
    }
}
