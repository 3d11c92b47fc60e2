/*
 * A driver that moves markers [ANN-CRASH-05]. The work of a list stays where it was recorded; every marker operation may
 * sit up to `window` places away from where it belongs, in every order that allows. What the reader concludes from the
 * two EventIDs that the GPU leaves must hold for every such order and every place where the GPU can have stopped.
 */
#include "scene.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { OPERATIONS = 7, MARKERS = 5, WORDS = MARKERS + 1, WINDOW_MAX = 2 };
enum { NOT_STARTED = 1, IN_PROGRESS = 2, FINISHED = 4 };

/* Begin 0, Begin 1, Set 2, End 1, Set 3, End 0, Set 4: where each marker begins and ends. */
static const int begins[MARKERS] = {0, 1, 2, 4, 6}, ends[MARKERS] = {5, 3, 2, 4, 6};
static const int begun_by[OPERATIONS] = {0, 1, 2, -1, 3, -1, 4};
static const int ended_by[OPERATIONS] = {-1, -1, 2, 1, 3, 0, 4};

/* Truths of each marker that the words `started` and `completed` leave possible; words are marker + 1, 0: none. */
struct knowledge {
    unsigned truths[WORDS][WORDS][MARKERS];
    unsigned long orders, states;
};

static unsigned truth_of(int marker, int reached, int retired)
{
    if (retired > ends[marker])
        return FINISHED;
    return reached > begins[marker] ? IN_PROGRESS : NOT_STARTED;
}

/* `places[p]` is the operation that sits in place p. */
static void stop_everywhere(const int places[OPERATIONS], struct knowledge *knowledge)
{
    knowledge->orders++;
    for (int reached = 0; reached <= OPERATIONS; reached++)
        for (int retired = 0; retired <= reached; retired++) {
            int started = 0, completed = 0;
            for (int p = 0; p < reached; p++)
                if (begun_by[places[p]] >= 0)
                    started = begun_by[places[p]] + 1;
            for (int p = 0; p < retired; p++)
                if (ended_by[places[p]] >= 0)
                    completed = ended_by[places[p]] + 1;
            for (int marker = 0; marker < MARKERS; marker++)
                knowledge->truths[started][completed][marker] |= truth_of(marker, reached, retired);
            knowledge->states++;
        }
}

static void place_from(int place, int window, unsigned used, int places[OPERATIONS],
                       struct knowledge *knowledge)
{
    if (place == OPERATIONS) {
        stop_everywhere(places, knowledge);
        return;
    }
    for (int operation = place - window; operation <= place + window; operation++) {
        if (operation < 0 || operation >= OPERATIONS || (used >> operation & 1u))
            continue;
        places[place] = operation;
        place_from(place + 1, window, used | 1u << operation, places, knowledge);
    }
}

static unsigned claim_of(annot_state state)
{
    return state == ANNOT_STATE_FINISHED      ? FINISHED
           : state == ANNOT_STATE_IN_PROGRESS ? IN_PROGRESS
           : state == ANNOT_STATE_NOT_STARTED ? NOT_STARTED
                                              : 0;
}

struct list {
    struct scene scene;
    uint64_t ids[MARKERS];
};

static void list_start(struct list *list)
{
    memset(list, 0, sizeof *list);
    scene_start(&list->scene);
    annot_context *context = list->scene.lists[0];
    annot_context_open(context, list->scene.arenas[0]);
    for (int operation = 0; operation < OPERATIONS; operation++) {
        int begun = begun_by[operation], ended = ended_by[operation];
        if (begun < 0)
            annot_context_end_event(context);
        else
            list->ids[begun] = begun == ended ? scene_set(context) : scene_begin(context);
    }
    annot_context_close(context);
    annot_context_submit(list->scene.queue, &context, 1);
}

static annot_reader *open_row(struct list *list, uint32_t window, unsigned inside, int started,
                              int completed)
{
    const annot_progress row = {
        .queue = annot_object_id(list->scene.queue_object),
        .submission = 1,
        .state = ANNOT_PROGRESS_STARTED,
        .inside = inside,
        .started = started && (inside & ANNOT_INSIDE_STARTED) ? list->ids[started - 1] : 0,
        .completed = completed && (inside & ANNOT_INSIDE_COMPLETED) ? list->ids[completed - 1] : 0,
    };
    const annot_crash_report report = {
        .size = sizeof report, .order_window = window, .progress = &row, .progress_count = 1};
    return scene_open(&list->scene, &report);
}

/* What both words together, or one of them alone, leave possible. */
static void truths_of(const struct knowledge *knowledge, unsigned inside, int started,
                      int completed, unsigned truths[MARKERS])
{
    memset(truths, 0, MARKERS * sizeof *truths);
    for (int s = 0; s < WORDS; s++)
        for (int c = 0; c < WORDS; c++) {
            bool fits = (s == started || !(inside & ANNOT_INSIDE_STARTED)) &&
                        (c == completed || !(inside & ANNOT_INSIDE_COMPLETED));
            for (int marker = 0; fits && marker < MARKERS; marker++)
                truths[marker] |= knowledge->truths[s][c][marker];
        }
}

static unsigned check_words(struct list *list, const struct knowledge *knowledge, int window,
                            unsigned inside, int started, int completed)
{
    unsigned truths[MARKERS], claims = 0;
    truths_of(knowledge, inside, started, completed, truths);
    if (!truths[0])
        return 0; /* no GPU leaves these words */
    annot_reader *reader = open_row(list, (uint32_t)window, inside, started, completed);
    for (int marker = 0; marker < MARKERS; marker++) {
        annot_state state = annot_reader_state(
            reader, 0, ANNOT_READER_NONE, annot_reader_entry_find(reader, list->ids[marker]), NULL);
        unsigned claim = claim_of(state);
        claims += claim != 0;
        cr_expect(claim == 0 || truths[marker] == claim,
                  "window %d, inside %u, started %d, completed %d: marker %d is called %s, "
                  "possible are %x",
                  window, inside, started, completed, marker, annot_state_text(state),
                  truths[marker]);
        bool is_unsaid = window == 0 && claim == 0 && !(truths[marker] & (truths[marker] - 1));
        cr_expect_not(is_unsaid, "inside %u, started %d, completed %d: marker %d is left unknown",
                      inside, started, completed, marker);
    }
    annot_reader_close(reader);
    return claims;
}

Test(reordering, no_conclusion_inside_a_list_is_false)
{
    static struct knowledge knowledge[WINDOW_MAX + 1];
    struct list list;
    list_start(&list);
    for (int window = 0; window <= WINDOW_MAX; window++) {
        int places[OPERATIONS];
        unsigned claims = 0;
        place_from(0, window, 0, places, &knowledge[window]);
        for (unsigned inside = ANNOT_INSIDE_STARTED; inside <= ANNOT_INSIDE_TRACKED; inside++)
            for (int started = 0; started < WORDS; started++)
                for (int completed = 0; completed < WORDS; completed++) {
                    bool is_repeated = (started && !(inside & ANNOT_INSIDE_STARTED)) ||
                                       (completed && !(inside & ANNOT_INSIDE_COMPLETED));
                    if (!is_repeated)
                        claims += check_words(&list, &knowledge[window], window, inside, started,
                                              completed);
                }
        printf("# window %d: %lu orders of the markers, %lu states, %u conclusions\n", window,
               knowledge[window].orders, knowledge[window].states, claims);
        cr_expect(claims > 0);
    }
    scene_finish(&list.scene);
}
