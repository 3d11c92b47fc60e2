/* A list that executes one bundle twice, on a GPU that is tried in every state that it can be in
 * [ANN-CRASH-05, ANN-MARK-11]. The list is
 *
 *     Begin a, bundle, End a, Set b, bundle, Set c            the bundle: Set x, Set y
 *
 * with work behind every operation. Its front end enters, does thirteen operations and leaves; its
 * work retires behind that in the same steps. Rows for the list and for each execution of the
 * bundle say all, some or none of it, as the driver can see it. Another GPU drains at each marker,
 * as its driver promises: a copy between barriers writes the marker's word. What the reader
 * concludes must be true in every state that leaves these rows.
 */
#include "asserts.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps: 1 enter, 2 Begin a, 3 enter the bundle, 4 x, 5 y, 6 leave it, 7 End a, 8 b, 9 enter, 10 x,
 * 11 y, 12 leave, 13 c, 14 leave. */
enum { STEPS = 14, STATES = (STEPS + 1) * (STEPS + 2) / 2 };
enum { PARTS = 3, MARKERS_MAX = 3 };
enum { NOT_STARTED = 1, IN_PROGRESS = 2, FINISHED = 4 };

/* The list, and the two executions of the bundle. */
static const struct part {
    int enter, leave, count;
    int begins[MARKERS_MAX], ends[MARKERS_MAX];
} parts[PARTS] = {
    {1, STEPS, 3, {2, 8, 13}, {7, 8, 13}},
    {3, 6, 2, {4, 5}, {4, 5}},
    {9, 12, 2, {10, 11}, {10, 11}},
};

struct state {
    int reached, retired;
};

/* Whether the GPU can be in this state if it drains: at a marker all work before it is done, and it
 * goes on when the marker is. */
static bool is_drained(struct state state)
{
    for (int part = 0; part < PARTS; part++)
        for (int i = 0; i < 2 * parts[part].count; i++) {
            const int step = i % 2 ? parts[part].ends[i / 2] : parts[part].begins[i / 2];
            if (state.reached >= step && state.retired < step - (state.reached == step))
                return false;
        }
    return true;
}

static unsigned truth_of(struct state state, int begin, int end)
{
    return state.retired >= end ? FINISHED : state.reached >= begin ? IN_PROGRESS : NOT_STARTED;
}

/* ---- what a row may say of a part ---- */

/* Compared byte by byte: no padding. */
struct row {
    int is_there;
    annot_progress_state state;
    unsigned inside;
    int started, completed; /* marker + 1; 0: none */
};

static int last_at(const struct part *part, const int *steps, int step)
{
    int last = 0;
    for (int marker = 0; marker < part->count; marker++)
        if (steps[marker] <= step && (last == 0 || steps[marker] > steps[last - 1]))
            last = marker + 1;
    return last;
}

static struct row row_of(struct state state, const struct part *part, int variant)
{
    const unsigned truth = truth_of(state, part->enter, part->leave),
                   inside = variants[variant].inside;
    const annot_progress_state known = truth == FINISHED      ? ANNOT_PROGRESS_FINISHED
                                       : truth == IN_PROGRESS ? ANNOT_PROGRESS_STARTED
                                                              : ANNOT_PROGRESS_NOT_STARTED;
    return (struct row){
        .is_there = variants[variant].has_row,
        .state = variants[variant].has_state ? known : ANNOT_PROGRESS_UNKNOWN,
        .inside = inside,
        .started = inside & ANNOT_INSIDE_STARTED ? last_at(part, part->begins, state.reached) : 0,
        .completed = inside & ANNOT_INSIDE_COMPLETED ? last_at(part, part->ends, state.retired) : 0,
    };
}

struct evidence {
    struct row rows[PARTS];
};

static struct evidence evidence_of(struct state state, const int of[PARTS])
{
    struct evidence evidence;
    memset(&evidence, 0, sizeof evidence); /* compared by its bytes */
    for (int part = 0; part < PARTS; part++)
        evidence.rows[part] = row_of(state, &parts[part], of[part]);
    return evidence;
}

/* ---- the library's side ---- */

struct stage {
    struct scene scene;
    uint64_t ids[PARTS][MARKERS_MAX];
    bool drains;
};

static void stage_start(struct stage *stage)
{
    memset(stage, 0, sizeof *stage);
    scene_start(&stage->scene);
    annot_context *bundle = stage->scene.bundle;
    annot_context_open(bundle, stage->scene.bundle_arena);
    for (int marker = 0; marker < 2; marker++)
        stage->ids[1][marker] = stage->ids[2][marker] = scene_set(bundle);
    annot_context_close(bundle);
    annot_context *list = stage->scene.lists[0];
    annot_context_open(list, stage->scene.arenas[0]);
    stage->ids[0][0] = scene_begin(list);
    annot_context_execute_bundle(list, bundle);
    annot_context_end_event(list);
    stage->ids[0][1] = scene_set(list);
    annot_context_execute_bundle(list, bundle);
    stage->ids[0][2] = scene_set(list);
    annot_context_close(list);
    annot_context_submit(stage->scene.queue, &list, 1);
}

static annot_reader *open_dump(struct stage *stage, const struct evidence *evidence,
                               uint32_t window)
{
    annot_progress rows[PARTS];
    size_t count = 0;
    for (int part = 0; part < PARTS; part++) {
        const struct row *row = &evidence->rows[part];
        if (row->is_there)
            rows[count++] = (annot_progress){
                .queue = annot_object_id(stage->scene.queue_object),
                .submission = 1,
                .bundle = (uint32_t)part,
                .state = row->state,
                .inside = row->inside,
                .started = row->started ? stage->ids[part][row->started - 1] : 0,
                .completed = row->completed ? stage->ids[part][row->completed - 1] : 0,
            };
    }
    const annot_crash_report report = {.size = sizeof report,
                                       .order_window = window,
                                       .promises = stage->drains ? ANNOT_PROMISE_DRAINS : 0,
                                       .progress = rows,
                                       .progress_count = count};
    return scene_open(&stage->scene, &report);
}

/* ---- the comparison ---- */

struct counts {
    unsigned long dumps, conclusions, contradictions, missed;
};

static unsigned claim_of(annot_state state)
{
    return state == ANNOT_STATE_FINISHED      ? FINISHED
           : state == ANNOT_STATE_IN_PROGRESS ? IN_PROGRESS
           : state == ANNOT_STATE_NOT_STARTED ? NOT_STARTED
                                              : 0;
}

static void check_claim(const struct evidence *evidence, struct counts *counts, annot_state state,
                        unsigned truths, const char *what, int part, int marker)
{
    const unsigned claim = claim_of(state);
    const bool is_wrong = claim && truths != claim;
    counts->conclusions += claim != 0;
    counts->contradictions += is_wrong;
    counts->missed += !claim && !(truths & (truths - 1));
    if (!is_wrong || counts->contradictions > 1)
        return;
    fprintf(stderr, "%s %d of part %d is called %s, possible are %x\n", what, marker, part,
            annot_state_text(state), truths);
    for (int i = 0; i < PARTS; i++)
        fprintf(stderr, "    part %d: row %d, state %d, inside %u, started %d, completed %d\n", i,
                evidence->rows[i].is_there, evidence->rows[i].state, evidence->rows[i].inside,
                evidence->rows[i].started, evidence->rows[i].completed);
}

/* Every state that leaves this evidence, and what is true in each. */
static void check(struct stage *stage, const struct evidence *evidence, const int of[PARTS],
                  uint32_t window, struct counts *counts)
{
    unsigned whole[PARTS] = {0}, markers[PARTS][MARKERS_MAX] = {{0}};
    for (int reached = 0; reached <= STEPS; reached++)
        for (int retired = 0; retired <= reached; retired++) {
            const struct state state = {reached, retired};
            const struct evidence left = evidence_of(state, of);
            if ((stage->drains && !is_drained(state)) || memcmp(&left, evidence, sizeof left) != 0)
                continue;
            for (int part = 0; part < PARTS; part++) {
                const struct part *p = &parts[part];
                whole[part] |= truth_of(state, p->enter, p->leave);
                for (int marker = 0; marker < p->count; marker++)
                    markers[part][marker] |= truth_of(state, p->begins[marker], p->ends[marker]);
            }
        }
    annot_reader *reader = open_dump(stage, evidence, window);
    annot_reader_execution execution;
    uint32_t calls[PARTS] = {ANNOT_READER_NONE};
    cr_assert(annot_reader_execution_at(reader, 0, &execution));
    for (int part = 1; part < PARTS; part++)
        calls[part] = scene_call(reader, execution.stream, part - 1);
    counts->dumps++;
    if (annot_reader_finding_count(reader) != 0)
        check_claim(evidence, counts, ANNOT_STATE_FINISHED, 0, "finding", 0, 0);
    check_claim(evidence, counts, execution.state, whole[0], "list", 0, 0);
    for (int part = 1; part < PARTS; part++)
        check_claim(evidence, counts,
                    annot_reader_state(reader, 0, ANNOT_READER_NONE, calls[part], NULL),
                    whole[part], "bundle", part, 0);
    for (int part = 0; part < PARTS; part++)
        for (int marker = 0; marker < parts[part].count; marker++)
            check_claim(
                evidence, counts,
                annot_reader_state(reader, 0, calls[part],
                                   annot_reader_entry_find(reader, stage->ids[part][marker]), NULL),
                markers[part][marker], "marker", part, marker);
    annot_reader_close(reader);
}

/* Evidence that an earlier state of these variants left too was checked with it. */
static bool is_new(const struct evidence *all, int count, const struct evidence *evidence)
{
    for (int i = 0; i < count; i++)
        if (memcmp(&all[i], evidence, sizeof *evidence) == 0)
            return false;
    return true;
}

Test(bundles, no_conclusion_about_executions_of_a_bundle_is_false, .timeout = 120)
{
    static struct evidence seen[STATES];
    struct counts counts = {0};
    struct stage stage;
    stage_start(&stage);
    for (int code = 0; code < 2 * VARIANTS * VARIANTS * VARIANTS; code++) {
        const int of[PARTS] = {code % VARIANTS, code / VARIANTS % VARIANTS,
                               code / (VARIANTS * VARIANTS) % VARIANTS};
        int count = 0;
        stage.drains = code >= VARIANTS * VARIANTS * VARIANTS;
        for (int reached = 0; reached <= STEPS; reached++)
            for (int retired = 0; retired <= reached; retired++) {
                const struct state state = {reached, retired};
                const struct evidence evidence = evidence_of(state, of);
                if ((stage.drains && !is_drained(state)) || !is_new(seen, count, &evidence))
                    continue;
                seen[count++] = evidence;
                check(&stage, &evidence, of, 0, &counts);
                /* Nor is one false when the driver promises no order of the markers. */
                check(&stage, &evidence, of, ANNOT_ORDER_UNKNOWN, &counts);
            }
    }
    scene_finish(&stage.scene);
    printf(
        "# bundles: %d states, %lu dumps, %lu conclusions, %lu contradictions, %lu left unsaid\n",
        STATES, counts.dumps, counts.conclusions, counts.contradictions, counts.missed);
    cr_expect_eq(counts.contradictions, 0);
    cr_expect(counts.conclusions > counts.dumps);
    /* most of it is of the order that the driver does not promise */
    cr_expect_leq(counts.missed, 195484u, "%lu are left unsaid: more than were", counts.missed);
}
