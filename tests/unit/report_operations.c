/* Operations stand in the tree inside of their scopes, done or not done as far as breadcrumbs or
 * the scope around them say [ANN-OP-01, ANN-TRUTH-04]. */
#include "dump_builder.h"
#include "unit_kit.h"

TestSuite(report_operations, .fini = guarded_expect_nothing_left);

enum { BEGIN = 1, END = 2, DISPATCH = 6 }; /* D3D12_AUTO_BREADCRUMB_OP */

static void put_dispatch(struct dump *dump, uint32_t number, uint64_t scope)
{
    const uint8_t bytes[8] = {(uint8_t)number};
    dump_add_with(dump, OPERATION, bytes, sizeof bytes, .parent = scope, .number = number,
                  .kind = DISPATCH, .arguments = 1);
}

static void put_crumbs(struct dump *dump, uint32_t bundle, uint64_t log, uint32_t done,
                       const uint8_t *ops, uint32_t count)
{
    struct annot__dump_CRUMBS crumbs = {
        .queue = 21, .submission = 1, .log = log, .bundle = bundle, .count = count, .done = done};
    for (uint32_t i = 0; i < count; i++)
        crumbs.markers += ops[i] <= END;
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_put_CRUMBS(dump, &crumbs, NULL, 0);
    dump_add_with(dump, OPS, ops, count, .log = log);
}

static void expect_tree(struct dump *dump, bool all, const char *expected)
{
    const annot_report_options options = {.all = all, .operations = true, .no_ids = true};
    char *text = dump_report(dump, false, &options);
    cr_expect_not_null(
        strstr(text, "; operations: [X] done  [>] the first not done  [ ] not done\n"));
    cr_expect_not_null(strstr(text, expected), "%s", text);
    free(text);
    dump_free(dump);
}

Test(report_operations, a_dump_without_any_says_so)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    const annot_report_options options = {.operations = true, .no_ids = true};
    OWNED char *text = dump_report(&dump, false, &options);
    cr_expect_not_null(strstr(text, "; the dump has no operations\n"), "%s", text);
    cr_expect_null(strstr(text, "the first not done"), "%s", text);
}

/* Draws around scopes, and in them: each where it was recorded. */
Test(report_operations, stand_inside_of_their_scopes)
{
    static const uint8_t ops[] = {6, 1, 6, 1, 6, 2, 6, 2, 6};
    struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_object(&dump, 100, 22, "List");
    dump_recording(&dump, 1, 100);
    put_dispatch(&dump, 0, 0);
    const uint64_t frame = dump_begin(&dump, "Frame");
    put_dispatch(&dump, 2, frame);
    const uint64_t pass = dump_begin(&dump, "Pass");
    put_dispatch(&dump, 4, pass);
    dump_end(&dump);
    put_dispatch(&dump, 6, frame);
    dump_end(&dump);
    put_dispatch(&dump, 8, 0);
    dump_submitted(&dump);
    put_crumbs(&dump, 0, 5, 4, ops, sizeof ops);
    dump_finish(&dump);
    expect_tree(&dump, false,
                "      [X] 1 Dispatch(0)\n"
                "      [>] Frame\n"
                "        [X] 3 Dispatch(2)\n"
                "        [>] Pass\n"
                "          [>] 5 Dispatch(4)\n"
                "        [?] 7 Dispatch(6)\n"
                "      [?] 9 Dispatch(8)\n");
}

/* Without breadcrumbs an operation is as far as its scope: of one in progress nothing is known. */
Test(report_operations, without_breadcrumbs_are_as_far_as_their_scope)
{
    struct dump dump = dump_hung();
    const uint64_t first = dump_begin(&dump, "First");
    put_dispatch(&dump, 0, first);
    dump_end(&dump);
    const uint64_t second = dump_begin(&dump, "Second");
    put_dispatch(&dump, 1, second);
    dump_end(&dump);
    const uint64_t third = dump_begin(&dump, "Third");
    put_dispatch(&dump, 2, third);
    dump_end(&dump);
    put_dispatch(&dump, 3, 0);
    dump_submitted(&dump);
    dump_row(&dump, 21, 1, 0, 0, STARTED, second, first);
    dump_finish(&dump);
    expect_tree(&dump, true,
                "      [X] First\n"
                "        [X] 1 Dispatch(0)\n"
                "      [>] Second\n"
                "        [?] 2 Dispatch(1)\n"
                "      [ ] Third\n"
                "        [ ] 3 Dispatch(2)\n"
                "      [?] 4 Dispatch(3)\n");
}

/* As markers are: the first and the last of a row stay, markers among them or not. */
Test(report_operations, are_folded_like_markers)
{
    enum { COUNT = 20 };
    uint8_t ops[2 * COUNT];
    struct dump dump = dump_hung();
    for (uint32_t i = 0; i < COUNT; i++) {
        put_dispatch(&dump, 2 * i, 0);
        dump_set(&dump, "mesh");
        ops[2 * i] = DISPATCH;
        ops[2 * i + 1] = 0;
    }
    dump_submitted(&dump);
    put_crumbs(&dump, 0, 5, 20, ops, sizeof ops);
    dump_finish(&dump);
    expect_tree(&dump, false,
                "      [X] 1 Dispatch(0)\n"
                "      [X] - mesh\n"
                "      [X] ... 17 more finished ...\n"
                "      [X] - mesh\n"
                "      [>] 21 Dispatch(20)\n"
                "      [?] - mesh  -- not told by the runtime's breadcrumbs\n"
                "      [?] ... 17 more unknown ...\n"
                "      [?] - mesh  -- not told by the runtime's breadcrumbs\n");
}

/* Those of scopes that a fold stands for are in the fold. */
Test(report_operations, of_folded_scopes_have_no_line)
{
    struct dump dump = dump_hung();
    uint64_t last = 0;
    for (uint32_t i = 0; i < 8; i++) {
        last = dump_begin(&dump, "Done");
        put_dispatch(&dump, i, last);
        dump_end(&dump);
    }
    const uint64_t now = dump_begin(&dump, "Now");
    dump_end(&dump);
    dump_submitted(&dump);
    dump_row(&dump, 21, 1, 0, 0, STARTED, now, last);
    dump_finish(&dump);
    expect_tree(&dump, false,
                "      [X] Done\n"
                "      [X] ... 6 more finished ...\n"
                "      [X] Done\n"
                "      [>] Now\n");
}

/* A bundle's stand in it, by its own breadcrumbs. */
Test(report_operations, of_a_bundle_stand_in_it)
{
    static const uint8_t list[] = {16, 6}, bundle[] = {6, 6};
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_object(&dump, 300, 22, "Trees");
    dump_recording(&dump, 3, 300);
    put_dispatch(&dump, 0, 0);
    dump_set(&dump, "oak");
    put_dispatch(&dump, 1, 0);
    dump_recording(&dump, 1, 100);
    dump_bundle(&dump, 1, 3, 300);
    put_dispatch(&dump, 1, 0);
    dump_submitted(&dump);
    put_crumbs(&dump, 0, 5, 0, list, sizeof list);
    put_crumbs(&dump, 1, 6, 1, bundle, sizeof bundle);
    const annot_report_options options = {.operations = true, .no_ids = true};
    OWNED char *text = dump_report(&dump, false, &options);
    const char *in = strstr(text, "[>] ExecuteBundle 1: \"Trees\"\n");
    cr_assert_not_null(in, "%s", text);
    const char *first = strstr(in, "        [X] 1 Dispatch(0)\n"),
               *second = strstr(in, "        [>] 2 Dispatch(1)\n"),
               *behind = strstr(in, "      [?] 2 Dispatch(1)\n");
    cr_expect(first && second && behind && first < second && second < behind, "%s", text);
}

Test(report_operations, are_in_the_json_of_their_list_when_asked_for)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    const uint64_t frame = dump_begin(&dump, "Frame");
    put_dispatch(&dump, 0, frame);
    dump_end(&dump);
    dump_submitted(&dump);
    dump_row(&dump, 21, 1, 0, 0, FINISHED, frame, frame);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    const annot_report_options options = {.all = true, .operations = true};
    OWNED char *asked = report_of(reader, true, &options),
               *plain = report_of(reader, true, &(annot_report_options){.all = true});
    cr_expect_not_null(strstr(asked,
                              "\"operations\":[\n{\"number\":0,\"state\":\"done\",\"scope\":\""),
                       "%s", asked);
    cr_expect_null(strstr(plain, "\"operations\":["), "%s", plain);
}
