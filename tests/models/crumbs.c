/* Breadcrumbs, and a front end at every depth [ANN-TRUTH-05, ANN-JOIN]. Everything in front of one
 * place is done; the front end is at another one, as far ahead as it likes, but not in the next
 * submission. Breadcrumbs count what is done, rows say what the driver follows. What the reader
 * concludes must be true in every state that leaves this evidence, and what failed is any operation
 * in flight.
 *
 * Two submissions, of list 0, and of lists 1 and 2. List 0 executes a bundle, and list 2 closes a
 * scope of it. `w` is work, `{` `}` and `s` are markers. */
#include "asserts.h"
#include "scene.h"

#include <stdio.h>
#include <string.h>

static const char text[] = "({w[sws]w}s{w)(w{w})(s}{w)";
enum { SECOND = 14 /* step at which the second submission begins */, STEPS = sizeof text - 1 };
enum { LISTS = 3, BUNDLE = 3, PARTS = 4, OPS_MAX = 8, DISPATCH = 6, EXECUTE_BUNDLE = 16 };
enum { NOT_STARTED = 1, IN_PROGRESS = 2, FINISHED = 4 };

/* A list or bundle: its steps, and those at which its operations begin and end. */
static struct part {
    int enter, leave, op_count, marker_count;
    int begins[OPS_MAX], ends[OPS_MAX]; /* of operations */
    uint8_t kinds[OPS_MAX];
    int opened[OPS_MAX], closed[OPS_MAX]; /* of markers */
    uint64_t ids[OPS_MAX];
} parts[PARTS];

/* ---- the recordings ---- */

static void note_work(annot_context *context, uint32_t number)
{
    const annot_operation operation = {.kind = DISPATCH, .number = number};
    annot_context_note_operation(context, &operation);
}

/* The markers that are open. */
static struct {
    struct part *part;
    int marker;
} open[OPS_MAX];
static int depth;

static void record_step(struct part *part, annot_context *context, int step)
{
    const int op = part->op_count++;
    part->begins[op] = part->ends[op] = step;
    part->kinds[op] = text[step] == 'w'   ? DISPATCH
                      : text[step] == '{' ? 1
                      : text[step] == '}' ? 2
                                          : 0;
    if (text[step] == 'w') {
        note_work(context, (uint32_t)op);
    } else if (text[step] == '}') {
        depth--;
        open[depth].part->closed[open[depth].marker] = step;
        annot_context_end_event(context);
    } else {
        const int marker = part->marker_count++;
        part->opened[marker] = part->closed[marker] = step;
        part->ids[marker] = text[step] == '{' ? scene_begin(context) : scene_set(context);
        open[depth].part = part;
        open[depth].marker = marker;
        depth += text[step] == '{';
    }
}

/* Returns the step behind its last one. */
static int record_part(struct scene *scene, int number, annot_context *context, int step)
{
    struct part *part = &parts[number];
    part->enter = step;
    annot_context_open(context, number == BUNDLE ? scene->bundle_arena : scene->arenas[number]);
    for (step++; text[step] != ')' && text[step] != ']';) {
        if (text[step] != '[') {
            record_step(part, context, step++);
            continue;
        }
        const int op = part->op_count++;
        part->begins[op] = step;
        step = record_part(scene, BUNDLE, scene->bundle, step);
        part->ends[op] = step - 1;
        part->kinds[op] = EXECUTE_BUNDLE;
        annot_context_execute_bundle(context, scene->bundle);
    }
    part->leave = step;
    annot_context_close(context);
    return step + 1;
}

static void record(struct scene *scene)
{
    int step = 0;
    memset(parts, 0, sizeof parts);
    scene_start(scene);
    for (int list = 0; list < LISTS; list++)
        step = record_part(scene, list, scene->lists[list], step);
    cr_assert_eqs(step, STEPS, parts[1].enter, SECOND);
    for (; depth > 0; depth--) /* ends with its list */
        open[depth - 1].part->closed[open[depth - 1].marker] = open[depth - 1].part->leave;
    annot_context_submit(scene->queue, scene->lists, 1);
    annot_context_submit(scene->queue, scene->lists + 1, 2);
}

/* ---- what a state leaves ---- */

struct state {
    int done, reached; /* steps */
};

/* A submission begins when the one before is done; then it waits for nothing. */
static bool is_possible(struct state state, int fence)
{
    static const int fenced[] = {0, SECOND, STEPS};
    return state.done >= fenced[fence] && state.done <= state.reached &&
           (state.reached == 0 || state.done > 0) &&
           (state.reached <= SECOND || state.done > SECOND);
}

static unsigned truth_of(struct state state, int begin, int end)
{
    return state.done > end ? FINISHED : state.reached > begin ? IN_PROGRESS : NOT_STARTED;
}

/* Who looks on. */
struct witnesses {
    bool has_row, has_state, has_bundle_rows, has_bundle_crumbs, has_end, markers_only;
    bool lacks_crumbs; /* of list 1 */
    unsigned inside, promises;
    int fence; /* at least so many submissions are done */
};

/* Compared by its bytes. */
struct evidence {
    struct {
        int state, started, completed; /* markers + 1; 0: none */
        uint32_t done, flags;          /* of breadcrumbs */
    } parts[PARTS];
};

static int last_at(const struct part *part, const int *steps, int count)
{
    int last = 0;
    for (int i = 0; i < part->marker_count; i++)
        if (steps[i] < count && steps[i] < part->leave && (last == 0 || steps[i] > steps[last - 1]))
            last = i + 1;
    return last;
}

static bool counts(const struct part *part, int op, const struct witnesses *w)
{
    return !w->markers_only || part->kinds[op] < 3;
}

static bool lacks(const struct witnesses *w, int part)
{
    return (part == BUNDLE && !w->has_bundle_crumbs) || (part == 1 && w->lacks_crumbs);
}

static struct evidence evidence_of(struct state state, const struct witnesses *w)
{
    struct evidence e;
    memset(&e, 0, sizeof e);
    for (int i = 0; i < PARTS; i++) {
        const struct part *p = &parts[i];
        const unsigned truth = truth_of(state, p->enter, p->leave);
        if (w->has_row && (i < LISTS || w->has_bundle_rows)) {
            e.parts[i].state = !w->has_state          ? ANNOT_PROGRESS_UNKNOWN
                               : truth == FINISHED    ? ANNOT_PROGRESS_FINISHED
                               : truth == IN_PROGRESS ? ANNOT_PROGRESS_STARTED
                                                      : ANNOT_PROGRESS_NOT_STARTED;
            if (w->inside & ANNOT_INSIDE_STARTED)
                e.parts[i].started = last_at(p, p->opened, state.reached);
            if (w->inside & ANNOT_INSIDE_COMPLETED)
                e.parts[i].completed = last_at(p, p->closed, state.done);
        }
        if (lacks(w, i))
            continue;
        for (int op = 0; op < p->op_count; op++)
            e.parts[i].done += counts(p, op, w) && p->ends[op] < state.done;
        if (p->enter >= state.done)
            e.parts[i].done = ANNOT_CRUMBS_NOT_BEGUN;
        e.parts[i].flags = (w->has_end ? ANNOT_CRUMBS_HAS_END : 0u) |
                           (w->has_end && truth == FINISHED ? ANNOT_CRUMBS_ENDED : 0u) |
                           (w->markers_only ? ANNOT_CRUMBS_MARKERS_ONLY : 0u);
    }
    return e;
}

/* ---- the dump ---- */

static size_t make_crumbs(const struct evidence *e, const struct witnesses *w, uint64_t queue,
                          annot_crumbs crumbs[PARTS], uint8_t ops[PARTS][OPS_MAX])
{
    size_t count = 0;
    for (int i = 0; i < PARTS; i++) {
        if (lacks(w, i))
            continue;
        annot_crumbs *c = &crumbs[count++];
        *c = (annot_crumbs){.queue = queue,
                            .submission = i == 0 || i == BUNDLE ? 1 : 2,
                            .list = i == 2,
                            .bundle = i == BUNDLE,
                            .log = (uint64_t)i + 1,
                            .done = e->parts[i].done,
                            .flags = e->parts[i].flags,
                            .ops = ops[i]};
        for (int op = 0; op < parts[i].op_count; op++)
            if (counts(&parts[i], op, w)) {
                ops[i][c->count++] = parts[i].kinds[op];
                c->markers += parts[i].kinds[op] < 3;
            }
        c->kept = c->count;
    }
    return count;
}

static annot_reader *open_dump(struct scene *scene, const struct evidence *e,
                               const struct witnesses *w)
{
    const uint64_t queue = annot_object_id(scene->queue_object);
    annot_progress rows[PARTS];
    annot_crumbs crumbs[PARTS];
    uint8_t ops[PARTS][OPS_MAX];
    const int row_count = !w->has_row ? 0 : w->has_bundle_rows ? PARTS : LISTS;
    for (int i = 0; i < row_count; i++)
        rows[i] = (annot_progress){
            .queue = queue,
            .submission = i == 0 || i == BUNDLE ? 1 : 2,
            .list = i == 2,
            .bundle = i == BUNDLE,
            .state = (annot_progress_state)e->parts[i].state,
            .inside = w->inside,
            .started = e->parts[i].started ? parts[i].ids[e->parts[i].started - 1] : 0,
            .completed = e->parts[i].completed ? parts[i].ids[e->parts[i].completed - 1] : 0,
        };
    const annot_crash_report report = {.size = sizeof report,
                                       .promises = w->promises,
                                       .progress = rows,
                                       .progress_count = (size_t)row_count};
    scene->crumbs = crumbs;
    scene->crumb_count = make_crumbs(e, w, queue, crumbs, ops);
    return scene_open(scene, &report);
}

/* ---- the comparison ---- */

static unsigned long dumps, conclusions, falsehoods, unsaid, named;

static void expect_true(const struct evidence *e, const struct witnesses *w, annot_state state,
                        unsigned truths, const char *what, int part, int index)
{
    const unsigned claim = state == ANNOT_STATE_FINISHED      ? FINISHED
                           : state == ANNOT_STATE_IN_PROGRESS ? IN_PROGRESS
                           : state == ANNOT_STATE_NOT_STARTED ? NOT_STARTED
                                                              : 0;
    conclusions += claim != 0;
    unsaid += !claim && !(truths & (truths - 1));
    if (!claim || truths == claim || falsehoods++ > 0)
        return;
    fprintf(stderr, "%s %d of part %d is called %s, possible are %x; inside %u, fence %d\n", what,
            index, part, annot_state_text(state), truths, w->inside, w->fence);
    for (int i = 0; i < PARTS; i++)
        fprintf(stderr, "    part %d: row %d, started %d, completed %d, done %d, flags %u\n", i,
                w->has_row ? e->parts[i].state : -1, e->parts[i].started, e->parts[i].completed,
                (int)e->parts[i].done, e->parts[i].flags);
}

static unsigned truths_of(const struct state *states, int count, int begin, int end)
{
    unsigned truths = 0;
    for (int i = 0; i < count; i++)
        truths |= truth_of(states[i], begin, end);
    return truths;
}

/* Whether a suspect may be at the work at `step`: it names that, or a range with it, or none. */
static bool may_name(const annot_reader *reader, const annot_reader_suspect *suspect,
                     const struct evidence *e, int step)
{
    annot_reader_stop stop;
    annot_reader_operation operation;
    if (suspect->certainty < ANNOT_OPERATION_AMONG ||
        !annot_reader_stop_at(reader, suspect->stop, &stop) || stop.suspect != stop.execution ||
        !annot_reader_stop_operation(reader, suspect->stop, &operation))
        return true;
    const int i = stop.bundle != ANNOT_READER_NONE ? BUNDLE : (int)suspect->execution;
    const bool is_alone = suspect->certainty == ANNOT_OPERATION_CERTAIN;
    if (operation.crumbs == ANNOT_READER_NONE && !is_alone)
        return true;
    const uint32_t first = is_alone ? operation.number : e->parts[i].done;
    const uint32_t last = is_alone ? first : suspect->last;
    named++;
    return step >= parts[i].begins[first] &&
           ((suspect->runs_on && !is_alone) || last == ANNOT_READER_NONE ||
            step <= parts[i].ends[last]);
}

/* All work in flight may be what failed: some suspect names each. */
static void expect_named(const annot_reader *reader, const struct evidence *e,
                         const struct witnesses *w, const struct state *states, int count)
{
    annot_reader_suspect suspect;
    for (int i = 0; i < count; i++)
        for (int step = states[i].done; step < states[i].reached; step++) {
            bool is_named = text[step] != 'w' || annot_reader_suspect_count(reader) == 0;
            for (size_t k = 0; !is_named && annot_reader_suspect_at(reader, k, &suspect); k++)
                is_named = may_name(reader, &suspect, e, step);
            if (!is_named)
                expect_true(e, w, ANNOT_STATE_FINISHED, 0, "the work that failed, step", 0, step);
        }
}

static void check(struct scene *scene, const struct evidence *e, const struct witnesses *w,
                  const struct state *states, int count)
{
    annot_reader *reader = open_dump(scene, e, w);
    annot_reader_execution execution;
    annot_reader_submission submission;
    dumps++;
    if (annot_reader_finding_count(reader) != 0)
        expect_true(e, w, ANNOT_STATE_FINISHED, 0, "finding", 0, 0);
    cr_assert(annot_reader_execution_at(reader, 0, &execution));
    const uint32_t call = scene_call(reader, execution.stream, 0);
    for (int i = 0; i < PARTS; i++) {
        const struct part *p = &parts[i];
        const uint32_t list = i == BUNDLE ? 0 : (uint32_t)i;
        annot_state state = annot_reader_state(reader, 0, ANNOT_READER_NONE, call, NULL);
        if (i != BUNDLE && annot_reader_execution_at(reader, list, &execution))
            state = execution.state;
        expect_true(e, w, state, truths_of(states, count, p->enter, p->leave), "all", i, 0);
        for (int marker = 0; marker < p->marker_count; marker++)
            expect_true(e, w,
                        annot_reader_state(reader, list, i == BUNDLE ? call : ANNOT_READER_NONE,
                                           annot_reader_entry_find(reader, p->ids[marker]), NULL),
                        truths_of(states, count, p->opened[marker], p->closed[marker]), "marker", i,
                        marker);
    }
    for (uint32_t i = 0; annot_reader_submission_at(reader, i, &submission); i++)
        expect_true(e, w, submission.state,
                    i == 0 ? truths_of(states, count, 0, SECOND - 1)
                           : truths_of(states, count, SECOND, STEPS - 1),
                    "submission", 0, (int)i);
    expect_named(reader, e, w, states, count);
    annot_reader_close(reader);
}

/* Each different evidence that these witnesses have, with all states that leave it. */
static void check_witnesses(struct scene *scene, const struct witnesses *w)
{
    static struct state states[(STEPS + 1) * (STEPS + 1)], alike[(STEPS + 1) * (STEPS + 1)];
    static struct evidence evidence[(STEPS + 1) * (STEPS + 1)];
    int count = 0;
    for (int reached = 0; reached <= STEPS; reached++)
        for (int done = 0; done <= reached; done++) {
            states[count] = (struct state){done, reached};
            evidence[count] = evidence_of(states[count], w);
            count += is_possible(states[count], w->fence);
        }
    for (int i = 0; i < count; i++) {
        int alike_count = 0;
        bool is_new = true;
        for (int k = 0; k < count; k++)
            if (memcmp(&evidence[k], &evidence[i], sizeof evidence[i]) == 0) {
                is_new &= k >= i;
                alike[alike_count++] = states[k];
            }
        if (is_new)
            check(scene, &evidence[i], w, alike, alike_count);
    }
}

Test(crumbs, no_conclusion_from_breadcrumbs_and_rows_is_false, .timeout = 120)
{
    static const unsigned insides[] = {ANNOT_INSIDE_NOT_TRACKED, ANNOT_INSIDE_STARTED,
                                       ANNOT_INSIDE_COMPLETED, ANNOT_INSIDE_TRACKED};
    struct scene scene;
    record(&scene);
    for (int fence = 0; fence <= 2; fence++) {
        annot_context_completed(scene.queue, (uint64_t)fence);
        for (unsigned code = 0; code < 2 * 2 * 2 * 4 * 2 * 2 * 4; code++) {
            const unsigned end = code / 128;
            const struct witnesses w = {.fence = fence,
                                        .has_row = code % 2,
                                        .has_state = code / 2 % 2,
                                        .has_bundle_rows = code / 4 % 2,
                                        .inside = insides[code / 8 % 4],
                                        .has_bundle_crumbs = code / 32 % 2,
                                        .promises = code / 64 % 2 ? 3 : 0,
                                        .has_end = end % 3 > 0,
                                        .markers_only = end == 2,
                                        .lacks_crumbs = end == 3};
            if (w.has_row || code % 32 == 0)
                check_witnesses(&scene, &w);
        }
    }
    scene_finish(&scene);
    printf("# crumbs: %lu dumps, %lu conclusions, %lu of operations, %lu false, %lu left unsaid\n",
           dumps, conclusions, named, falsehoods, unsaid);
    cr_expect_eq(falsehoods, 0);
    cr_expect_leq(unsaid, 19120u, "%lu are left unsaid: more than were", unsaid);
}
