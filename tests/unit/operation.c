/* Operations that lists noted are joined with breadcrumbs only where both are of the same recording
 * [ANN-OP-01]. */
#include "dump_builder.h"
#include "guarded.h"

#include <annot/reader.h>

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

TestSuite(operation, .fini = guarded_expect_nothing_left);

static annot_reader *open_dump(const struct dump *dump)
{
    annot_reader *reader;
    cr_assert_eq(annot_reader_open_memory(&guarded_memory, dump->data, dump->size, &reader),
                 ANNOT_OK);
    return reader;
}

static void put_operation(struct dump *dump, uint32_t number, uint32_t kind, uint64_t argument)
{
    const struct annot__dump_OPERATION fields = {.number = number, .kind = kind, .arguments = 1};
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(argument >> (8 * i));
    dump_put_OPERATION(dump, &fields, bytes, sizeof bytes);
}

struct crumbs_case {
    const char *why;
    uint32_t done, count, flags;
    uint8_t ops[4];
    uint32_t numbers[3], kinds[3]; /* as noted; kind 0: no more */
    bool is_named;
    int64_t argument;
};

/* A list in progress with breadcrumbs; the n-th operation that it noted has the argument 10 * n. */
static void play(const struct crumbs_case *of)
{
    struct dump dump;
    annot_reader_operation operation;
    dump_start(&dump, ERROR_HUNG, 0);
    dump_object(&dump, 21, 0, "Queue");
    dump_object(&dump, 100, 0, "List");
    dump_recording(&dump, 1, 100);
    for (int i = 0; i < 3 && of->kinds[i]; i++)
        put_operation(&dump, of->numbers[i], of->kinds[i], (uint64_t)(10 * i));
    dump_queue(&dump, 21, 1, 0);
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
    const struct annot__dump_CRUMBS crumbs = {.queue = 21,
                                              .submission = 1,
                                              .log = 5,
                                              .count = of->count,
                                              .done = of->done,
                                              .flags = of->flags};
    const struct annot__dump_OPS ops = {.log = 5};
    dump_put_CRUMBS(&dump, &crumbs, NULL, 0);
    dump_put_OPS(&dump, &ops, of->ops, 4);
    dump_finish(&dump);
    annot_reader *reader = open_dump(&dump);
    const bool is_named = annot_reader_stop_operation(reader, 0, &operation);
    cr_expect_eq(is_named, of->is_named, "%s", of->why);
    if (is_named)
        cr_expect_eq(operation.arguments[0], of->argument, "%s", of->why);
    annot_reader_close(reader);
    dump_free(&dump);
}

Test(operation, is_named_only_where_breadcrumbs_prove_it)
{
    static const struct crumbs_case cases[] = {
        {"the second of four", 1, 4, 0, {6, 6, 9, 6}, {0, 1, 3}, {6, 6, 6}, true, 10},
        {"the last", 3, 4, 0, {6, 6, 9, 6}, {0, 1, 3}, {6, 6, 6}, true, 20},
        {"it was not noted", 2, 4, 0, {6, 6, 9, 6}, {0, 1, 3}, {6, 6, 6}, false, 0},
        {"all are done", 4, 4, 0, {6, 6, 9, 6}, {0, 1, 3}, {6, 6, 6}, false, 0},
        {"never begun", UINT32_MAX, 4, 0, {6, 6, 9, 6}, {0, 1, 3}, {6, 6, 6}, false, 0},
        {"noted as another kind", 1, 4, 0, {6, 9, 9, 6}, {0, 1, 3}, {6, 6, 6}, false, 0},
        {"counted by markers alone", 1, 4, 1, {6, 6, 9, 6}, {0, 1, 3}, {6, 6, 6}, false, 0},
        {"noted behind the last", 1, 3, 0, {6, 6, 9, 6}, {0, 1, 3}, {6, 6, 6}, false, 0},
        {"numbers that go back", 1, 4, 0, {6, 6, 6, 6}, {2, 1}, {6, 6}, false, 0},
        {"a number that goes back is left out",
         2,
         4,
         0,
         {6, 6, 6, 6},
         {2, 0, 3},
         {6, 6, 6},
         true,
         0},
        {"a number that came twice: the first", 1, 4, 0, {6, 6, 6, 6}, {1, 1}, {6, 6}, true, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        play(&cases[i]);
}
