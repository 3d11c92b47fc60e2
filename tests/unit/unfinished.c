/* Work that is known to be unfinished where nothing says in which scope: unfinished.h's sentences,
 * with all that they ask for and without each of it. */
#include "unit_kit.h"
#include "hang/unfinished.h"

#include <annot/dump.h>

enum { QUEUE = 70, STREAMS = 3 };

/* Three queues, of which nothing is unfinished. */
struct scene {
    struct annot_reader reader;
    struct annot__stream streams[STREAMS];
    struct annot__submitted submissions[4];
    struct annot__row rows[3];
    struct annot__crumbs crumbs[3];
};

static struct scene *begin(void)
{
    static struct scene scene;
    memset(&scene, 0, sizeof scene);
    for (uint32_t i = 0; i < STREAMS; i++)
        scene.streams[i] = (struct annot__stream){
            .object = QUEUE + i, .submitted = 9, .completed = 9, .is_queue = true};
    scene.reader = (struct annot_reader){.streams = scene.streams,
                                         .stream_count = STREAMS,
                                         .submissions = scene.submissions,
                                         .rows = scene.rows,
                                         .crumbs = scene.crumbs};
    return &scene;
}

/* The only submission of a queue, with so many lists. */
static void submit(struct scene *scene, uint32_t queue, annot_state state, uint32_t lists)
{
    const uint32_t at = scene->reader.submission_count++;
    scene->submissions[at] = (struct annot__submitted){
        .serial = 9, .queue = queue, .state = (uint8_t)state, .executions = {0, lists}};
    scene->streams[queue].submissions = (struct annot__range){at, 1};
}

Test(unfinished, lists_started_elsewhere_have_a_row_of_a_submission_that_is_not_held)
{
    static const struct annot__row started = {.submission = 9, .state = ANNOT_PROGRESS_STARTED};
    struct annot__row others[8];
    for (size_t i = 0; i < 8; i++)
        others[i] = started;
    others[0].is_used = true;
    others[1].is_damaged = true;
    others[2].queue = ANNOT__NONE;
    others[3].bundle = 1;
    others[4].list = ANNOT_PROGRESS_QUEUE;
    others[5].state = ANNOT_PROGRESS_FINISHED;
    others[6].state = ANNOT_PROGRESS_NOT_STARTED;
    others[7].submission = 10;
    for (size_t i = 0; i < 8; i++) {
        struct scene *scene = begin();
        scene->reader.row_count = 3;
        scene->rows[0] = others[i];
        scene->rows[1] = scene->rows[2] = started;
        cr_expect_eq(annot__started_elsewhere(&scene->reader, 0), 1, "row %zu", i);
        cr_expect_eq(annot__started_elsewhere(&scene->reader, 2), 2, "row %zu", i);
        scene->reader.row_count = 1;
        cr_expect_eq(annot__started_elsewhere(&scene->reader, 0), ANNOT__NONE, "row %zu", i);
        cr_expect_not(annot__has_unfinished(&scene->reader), "row %zu", i);
        scene->rows[0] = started;
        cr_expect(annot__has_unfinished(&scene->reader));
    }
}

Test(unfinished, operations_elsewhere_have_breadcrumbs_of_a_list_that_has_no_markers)
{
    static const struct annot__crumbs begun = {.fields = {.count = 3, .done = 1},
                                               .execution = ANNOT__NONE};
    struct annot__crumbs others[5];
    for (size_t i = 0; i < 5; i++)
        others[i] = begun;
    others[0].execution = 0;
    others[1].queue = ANNOT__NONE;
    others[2].fields.bundle = 1;
    others[3].fields.done = ANNOT_CRUMBS_NOT_BEGUN;
    others[4].fields.done = 3;
    others[4].fields.flags = ANNOT_CRUMBS_HAS_END | ANNOT_CRUMBS_ENDED;
    for (size_t i = 0; i < 5; i++) {
        struct scene *scene = begin();
        scene->reader.crumb_count = 3;
        scene->crumbs[0] = others[i];
        scene->crumbs[1] = scene->crumbs[2] = begun;
        cr_expect_eq(annot__operation_elsewhere(&scene->reader, 0), 1, "crumbs %zu", i);
        cr_expect_eq(annot__operation_elsewhere(&scene->reader, 2), 2, "crumbs %zu", i);
        scene->reader.crumb_count = 1;
        cr_expect_not(annot__has_unfinished(&scene->reader), "crumbs %zu", i);
        scene->crumbs[0] = begun;
        cr_expect(annot__has_unfinished(&scene->reader));
    }
}

Test(unfinished, submissions_are_unknown_where_they_have_lists_and_no_end)
{
    for (int is_guilty = 0; is_guilty < 2; is_guilty++)
        for (uint32_t lists = 0; lists < 3; lists++)
            for (annot_state state = ANNOT_STATE_UNKNOWN; state <= ANNOT_STATE_NOT_EXECUTED;
                 state++) {
                struct scene *scene = begin();
                submit(scene, 1, ANNOT_STATE_FINISHED, 1);
                submit(scene, 0, state, lists);
                scene->reader.hang.guilty = is_guilty ? QUEUE : QUEUE + 2;
                const bool is_open =
                    lists > 0 && state != ANNOT_STATE_FINISHED && state != ANNOT_STATE_NOT_EXECUTED;
                const bool is_oldest = is_open && (state != ANNOT_STATE_NOT_STARTED || is_guilty);
                cr_expect_eq(annot__has_unfinished(&scene->reader), is_open, "%u lists, %d", lists,
                             state);
                cr_expect_eq(annot__oldest_unknown(&scene->reader, 0), is_oldest ? 1 : ANNOT__NONE);
                cr_expect_eq(annot__oldest_unknown(&scene->reader, 1), ANNOT__NONE);
            }
}

Test(unfinished, a_pending_queue_has_only_incomplete_submissions_that_the_dump_lacks)
{
    struct scene *scene = begin();
    cr_expect_not(annot__is_pending(&scene->reader, 0));
    scene->streams[0].is_damaged = true; /* which tells nothing, and all are complete */
    cr_expect_not(annot__is_pending(&scene->reader, 0));
    cr_expect_not(annot__has_unfinished(&scene->reader));
    scene->streams[1].completed = scene->streams[2].completed = 8;
    cr_expect(annot__is_pending(&scene->reader, 1));
    cr_expect(annot__is_pending(&scene->reader, 2));
    cr_expect(annot__has_unfinished(&scene->reader));
    submit(scene, 2, ANNOT_STATE_UNKNOWN, 0);
    cr_expect_not(annot__is_pending(&scene->reader, 2), "one that is held");
    scene->submissions[0].serial = 8;
    cr_expect(annot__is_pending(&scene->reader, 2), "one that is complete");
}
