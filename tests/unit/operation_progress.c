/* How far an execution came with each of its operations, of the list and of the bundles in it, at
 * every place where a GPU can stop [ANN-OP-01, ANN-JOIN]. */
#include "dump_builder.h"
#include "unit_kit.h"

#include <annot/dump.h>

TestSuite(operation_progress, .fini = guarded_expect_nothing_left);

enum { QUEUE = 21, NOT_BEGUN = -1, ENDED = 99 };
enum { SETMARKER = 0, BEGINEVENT = 1, ENDEVENT = 2, DISPATCH = 6, EXECUTE_BUNDLE = 16 };

/* Frame { dispatch, bundle 1, marker, bundle 2 }, dispatch; the bundle is trees { dispatch },
 * dispatch. What is no marker was noted. */
static const uint8_t list_ops[] = {BEGINEVENT,     DISPATCH, EXECUTE_BUNDLE, SETMARKER,
                                   EXECUTE_BUNDLE, ENDEVENT, DISPATCH};
static const uint8_t bundle_ops[] = {BEGINEVENT, DISPATCH, ENDEVENT, DISPATCH};
enum { LIST_OPS = sizeof list_ops, BUNDLE_OPS = sizeof bundle_ops };

struct scene {
    struct dump dump;
    annot_reader *reader;
    uint64_t frame, trees;
    uint32_t calls[2]; /* entries of the bundles */
};

static void note(struct dump *dump, const uint8_t *ops, uint32_t number, uint64_t scope)
{
    uint8_t argument[8] = {0};
    argument[0] = (uint8_t)(ops[number] == EXECUTE_BUNDLE ? (number == 2 ? 1 : 2) : 50 + number);
    dump_add_with(dump, OPERATION, argument, sizeof argument, scope, number, ops[number], 1, 0);
}

static void record(struct scene *s)
{
    struct dump *dump = &s->dump;
    *dump = dump_hung();
    s->frame = dump_begin(dump, "Frame");
    note(dump, list_ops, 1, s->frame);
    note(dump, list_ops, 2, s->frame);
    dump_bundle(dump, 1, 2, 200);
    dump_set(dump, "between");
    note(dump, list_ops, 4, s->frame);
    dump_bundle(dump, 2, 2, 200);
    dump_end(dump);
    note(dump, list_ops, 6, 0);
    dump_recording(dump, 2, 200);
    s->trees = dump_begin(dump, "trees");
    note(dump, bundle_ops, 1, s->trees);
    dump_end(dump);
    note(dump, bundle_ops, 3, 0);
    dump_submitted(dump);
}

static void put_crumbs(struct dump *dump, uint32_t bundle, int done)
{
    const uint32_t count = bundle ? BUNDLE_OPS : LIST_OPS;
    const struct annot__dump_CRUMBS crumbs = {.queue = QUEUE,
                                              .submission = 1,
                                              .log = bundle ? 6 : 5,
                                              .bundle = bundle,
                                              .count = count,
                                              .done = done == ENDED ? count : (uint32_t)done,
                                              .markers = bundle ? 2 : 3,
                                              .flags = ANNOT_CRUMBS_HAS_END |
                                                       (done == ENDED ? ANNOT_CRUMBS_ENDED : 0u)};
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_put_CRUMBS(dump, &crumbs, NULL, 0);
    if (bundle < 2)
        dump_add_with(dump, OPS, bundle ? bundle_ops : list_ops, count, .log = crumbs.log);
}

static void open_scene(struct scene *s)
{
    annot_reader_entry entry;
    s->reader = dump_open(&s->dump, ANNOT_OK);
    for (uint32_t i = 0; annot_reader_entry_at(s->reader, i, &entry); i++)
        if (entry.kind == ANNOT_ENTRY_BUNDLE)
            s->calls[entry.ordinal - 1] = i;
}

static void close_scene(struct scene *s)
{
    annot_reader_close(s->reader);
    dump_free(&s->dump);
}

static bool is_noted(const uint8_t *ops, int number)
{
    return ops[number] > ENDEVENT;
}

/* The states of all that was noted in the stream, for an execution that `done` of it were done. */
static void expect_states(const struct scene *s, uint32_t stream, uint32_t bundle, int done,
                          const char *what)
{
    annot_reader_operation operation;
    for (size_t i = 0; annot_reader_operation_at(s->reader, stream, i, &operation); i++) {
        const int number = (int)operation.number;
        const annot_operation_state expected = number < done    ? ANNOT_OPERATION_DONE
                                               : number == done ? ANNOT_OPERATION_STOPPED
                                                                : ANNOT_OPERATION_UNKNOWN;
        cr_expect_eq(annot_reader_operation_state(s->reader, 0, bundle, &operation), expected,
                     "%s, %d done: operation %d", what, done, number);
    }
}

Test(operation_progress, breadcrumbs_say_it_of_each_operation)
{
    for (int done = 0; done < LIST_OPS; done++)
        for (int inside = 0; inside < (list_ops[done] == EXECUTE_BUNDLE ? BUNDLE_OPS : 1);
             inside++) {
            AT_END(close_scene) struct scene s = {.reader = NULL};
            annot_reader_operation operation;
            const bool is_bundle = list_ops[done] == EXECUTE_BUNDLE;
            const int first = done < 2 ? 0 : done == 2 ? inside : ENDED;
            const int second = done < 4 ? 0 : done == 4 ? inside : ENDED;
            record(&s);
            put_crumbs(&s.dump, 0, done);
            put_crumbs(&s.dump, 1, done < 2 ? NOT_BEGUN : first);
            put_crumbs(&s.dump, 2, done < 4 ? NOT_BEGUN : second);
            open_scene(&s);
            expect_states(&s, 0, ANNOT_READER_NONE, done, "list");
            expect_states(&s, 1, s.calls[0], done < 2 ? NOT_BEGUN : first, "first bundle");
            expect_states(&s, 1, s.calls[1], done < 4 ? NOT_BEGUN : second, "second bundle");
            cr_assert_eq(annot_reader_stop_count(s.reader), 1);
            const bool is_known = annot_reader_stop_operation(s.reader, 0, &operation);
            cr_expect_eq(is_known, is_noted(list_ops, done), "%d, %d", done, inside);
            if (is_known) {
                const bool is_deep = is_bundle && is_noted(bundle_ops, inside);
                cr_expect_eq(operation.stream, is_deep ? 1u : 0u, "%d, %d", done, inside);
                cr_expect_eq(operation.number, (uint32_t)(is_deep ? inside : done), "%d, %d", done,
                             inside);
                cr_expect_eq(operation.crumbs, (uint32_t)(!is_deep ? 0 : done == 2 ? 1 : 2));
            }
        }
}

/* Without breadcrumbs the scope around an operation says it, where it is over or has not begun. */
Test(operation_progress, scopes_say_it_where_no_breadcrumbs_do)
{
    for (int list = 0; list < 4; list++) { /* nothing, begun, marker passed, left */
        struct scene s = {.reader = NULL};
        annot_reader_operation operation;
        record(&s);
        const uint64_t marker = s.frame + 0x10;
        dump_row(&s.dump, QUEUE, 1, 0, 0, STARTED,
                 list == 0   ? 0
                 : list == 1 ? s.frame
                             : marker,
                 list < 2    ? 0
                 : list == 2 ? marker
                             : s.frame);
        dump_row(&s.dump, QUEUE, 1, 0, 1, list < 2 ? NOT_STARTED : FINISHED, list < 2 ? 0 : s.trees,
                 list < 2 ? 0 : s.trees);
        dump_row(&s.dump, QUEUE, 1, 0, 2,
                 list < 2   ? NOT_STARTED
                 : list < 3 ? STARTED
                            : FINISHED,
                 list < 2 ? 0 : s.trees, list < 3 ? 0 : s.trees);
        open_scene(&s);
        if (annot_reader_stop_operation(s.reader, 0, &operation)) {
            cr_expect_eq(operation.stream, (uint32_t)(list == 2), "%d", list);
            cr_expect_eq(operation.number, (uint32_t)(list == 2 ? 1 : 2), "%d", list);
            cr_expect_not(operation.is_only, "%d: a BeginEvent was not noted", list);
        } else {
            cr_expect(list == 0 || list == 3, "%d", list);
        }
        for (size_t i = 0; annot_reader_operation_at(s.reader, 0, i, &operation); i++) {
            const annot_operation_state expected = operation.scope == 0 ? ANNOT_OPERATION_UNKNOWN
                                                   : list == 0          ? ANNOT_OPERATION_NOT_DONE
                                                   : list == 3          ? ANNOT_OPERATION_DONE
                                                                        : ANNOT_OPERATION_UNKNOWN;
            cr_expect_eq(annot_reader_operation_state(s.reader, 0, ANNOT_READER_NONE, &operation),
                         expected, "%d: operation %u", list, operation.number);
        }
        for (size_t i = 0; annot_reader_operation_at(s.reader, 1, i, &operation); i++) {
            const annot_operation_state first =
                list < 2 ? ANNOT_OPERATION_NOT_DONE : ANNOT_OPERATION_DONE;
            const annot_operation_state second = list < 2    ? ANNOT_OPERATION_NOT_DONE
                                                 : list == 3 ? ANNOT_OPERATION_DONE
                                                             : ANNOT_OPERATION_UNKNOWN;
            cr_expect_eq(annot_reader_operation_state(s.reader, 0, s.calls[0], &operation), first,
                         "%d: first bundle, %u", list, operation.number);
            cr_expect_eq(annot_reader_operation_state(s.reader, 0, s.calls[1], &operation), second,
                         "%d: second bundle, %u", list, operation.number);
        }
        close_scene(&s);
    }
}

/* A list that is over, or was not reached, says it of all its operations; one of which nothing is
 * known says nothing. */
Test(operation_progress, whole_executions_have_one_state_for_all_operations)
{
    static const struct {
        uint32_t row;
        uint64_t completed;
        annot_operation_state state;
    } rows[] = {{NOT_STARTED, 0, ANNOT_OPERATION_NOT_DONE},
                {FINISHED, 0, ANNOT_OPERATION_DONE},
                {NOT_SAID, 0, ANNOT_OPERATION_UNKNOWN},
                {NOT_SAID, 1, ANNOT_OPERATION_DONE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(close_scene) struct scene s = {.reader = NULL};
        annot_reader_operation operation;
        dump_start(&s.dump, ERROR_HUNG, 0);
        dump_recording(&s.dump, 1, 100);
        note(&s.dump, list_ops, 1, 0);
        note(&s.dump, list_ops, 6, dump_begin(&s.dump, "scope"));
        dump_queue(&s.dump, QUEUE, 1, rows[i].completed);
        dump_submit(&s.dump, 1, 1, (uint64_t[]){1});
        if (rows[i].row != NOT_SAID)
            dump_row(&s.dump, QUEUE, 1, 0, 0, rows[i].row, 0, 0);
        open_scene(&s);
        cr_expect_eq(annot_reader_operation_count(s.reader, 0), 2);
        for (size_t k = 0; annot_reader_operation_at(s.reader, 0, k, &operation); k++)
            cr_expect_eq(annot_reader_operation_state(s.reader, 0, ANNOT_READER_NONE, &operation),
                         rows[i].state, "row %zu: operation %u", i, operation.number);
    }
}
