/* No conclusion contradicts what happened [ANN-CRASH-02, -05, ANN-VK-02]. Every piece of evidence
 * that the small GPU of gpu.h can leave is put into a dump; what the reader concludes from it must
 * be true in every state of the GPU that leaves this evidence. What it leaves unsaid although it is
 * true in all of them is counted, and may only become less: a reader that says nothing would be
 * right too.
 *
 * Evidence differs from list to list: no row, a row that says nothing, one with all, some or none
 * of the markers. The states that fit are counted by what they are good for: a list's 28 states are
 * three kinds (not started, in progress, finished), and only the kinds of different lists depend on
 * each other. */
#include "asserts.h"
#include "gpu.h"
#include "scene.h"

#include <stdio.h>
#include <string.h>

enum { EVIDENCE_MAX = 64, QUEUE_MARKERS = 8, ANY = 0x7 };

struct evidence {
    bool has_row;
    annot_progress_state state;
    unsigned inside;
    int started, completed; /* markers */
};

struct counts {
    unsigned long dumps, conclusions, contradictions, missed;
    unsigned long by_evidence[32];
};

static void report_counts(const char *what, const struct counts *counts)
{
    printf("# %s: %lu dumps, %lu conclusions, %lu contradictions, %lu left unsaid\n", what,
           counts->dumps, counts->conclusions, counts->contradictions, counts->missed);
}

/* ---- what a row may say of a list ---- */

static struct evidence evidence_of(struct list_state list, int variant)
{
    static const annot_progress_state states[TRUTHS] = {
        ANNOT_PROGRESS_NOT_STARTED, ANNOT_PROGRESS_STARTED, ANNOT_PROGRESS_FINISHED};
    unsigned inside = variants[variant].inside;
    return (struct evidence){
        .has_row = variants[variant].has_row,
        .state = variants[variant].has_state ? states[list_truth(list)] : ANNOT_PROGRESS_UNKNOWN,
        .inside = inside,
        .started = inside & ANNOT_INSIDE_STARTED ? last_started(list) : NO_MARKER,
        .completed = inside & ANNOT_INSIDE_COMPLETED ? last_completed(list) : NO_MARKER,
    };
}

static bool is_same(struct evidence a, struct evidence b)
{
    return a.has_row == b.has_row && a.state == b.state && a.inside == b.inside &&
           a.started == b.started && a.completed == b.completed;
}

/* Every different piece of evidence, in how many kinds of list it can have come from, and what was
 * then true. */
struct source {
    struct evidence evidence;
    int variant;
    unsigned kinds;                    /* bits of enum truth */
    unsigned markers[TRUTHS][MARKERS]; /* per kind of list: bits of enum truth */
};

static int find_sources(struct source sources[EVIDENCE_MAX])
{
    int count = 0;
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int reached = 0; reached <= STEPS; reached++)
            for (int retired = 0; retired <= reached; retired++) {
                const struct list_state list = {reached, retired};
                const struct evidence evidence = evidence_of(list, variant);
                int i = 0;
                while (i < count && !is_same(sources[i].evidence, evidence))
                    i++;
                if (i == count) {
                    cr_assert(count < EVIDENCE_MAX);
                    sources[count++] = (struct source){.evidence = evidence, .variant = variant};
                }
                sources[i].kinds |= 1u << list_truth(list);
                for (int marker = 0; marker < MARKERS; marker++)
                    sources[i].markers[list_truth(list)][marker] |= 1u
                                                                    << marker_truth(list, marker);
            }
    return count;
}

/* ---- what may be true, given all of the evidence ---- */

struct question {
    const struct timeline *timeline;
    const struct source *lists[LISTS];
    bool has_queue_row;
    struct queue_state queue;
    unsigned promises;
    int fence;
};

struct answer {
    bool is_possible;
    unsigned lists[LISTS]; /* truths that no state rules out, as bits */
    unsigned markers[LISTS][MARKERS];
    unsigned queue[QUEUE_ITEMS]; /* claims that hold in every state, as bits */
    bool may_stop, may_wait, may_be_idle;
};

static bool fits_queue_row(const struct question *question, struct queue_state queue)
{
    return !question->has_queue_row || (queue_started(question->timeline, queue) ==
                                            queue_started(question->timeline, question->queue) &&
                                        queue_completed(question->timeline, queue) ==
                                            queue_completed(question->timeline, question->queue));
}

/* Work is under way: a list is in progress, or a submission is done in part. */
static bool is_stopped(const struct timeline *timeline, const enum truth lists[LISTS])
{
    for (int i = 0; i < timeline->count; i++) {
        const struct item *item = &timeline->items[i];
        unsigned seen = 0;
        for (int k = item->list_first; item->kind == SUBMIT && k < item->list_end; k++)
            seen |= 1u << lists[k];
        if ((seen & 1u << IN_PROGRESS) || (seen & (seen - 1)))
            return true;
    }
    return false;
}

static void add_state(const struct question *question, const enum truth lists[LISTS],
                      struct queue_state queue, struct answer *answer)
{
    unsigned seen = 0;
    answer->is_possible = true;
    for (int i = 0; i < LISTS; i++) {
        seen |= 1u << lists[i];
        answer->lists[i] |= 1u << lists[i];
        for (int marker = 0; marker < MARKERS; marker++)
            answer->markers[i][marker] |= question->lists[i]->markers[lists[i]][marker];
    }
    answer->may_stop &= is_stopped(question->timeline, lists);
    answer->may_wait &= !(seen & 1u << IN_PROGRESS) && (seen & 1u << NOT_STARTED);
    answer->may_be_idle &= seen == 1u << FINISHED;
    for (int i = 0; i < question->timeline->count; i++)
        for (int claim = 0; claim < TRUTHS; claim++)
            if (!is_true(question->timeline, lists, queue, i, (enum truth)claim))
                answer->queue[i] &= ~(1u << claim);
}

static struct answer answer_of(const struct question *question)
{
    struct answer answer = {.may_stop = true, .may_wait = true, .may_be_idle = true};
    for (int i = 0; i < QUEUE_ITEMS; i++)
        answer.queue[i] = ANY;
    for (int code = 0; code < TRUTHS * TRUTHS * TRUTHS; code++) {
        const enum truth lists[LISTS] = {(enum truth)(code % 3), (enum truth)(code / 3 % 3),
                                         (enum truth)(code / 9)};
        bool fits = true;
        for (int i = 0; i < LISTS; i++)
            fits &= question->lists[i]->kinds >> lists[i] & 1u;
        for (int reached = 0; fits && reached <= question->timeline->operations; reached++)
            for (int retired = 0; retired <= reached; retired++) {
                const struct queue_state queue = {reached, retired};
                if (fits_queue_row(question, queue) &&
                    is_possible(question->timeline, lists, queue, question->promises,
                                question->fence))
                    add_state(question, lists, queue, &answer);
            }
    }
    return answer;
}

/* ---- the library's side ---- */

struct stage {
    struct scene scene;
    struct timeline timeline;
    uint64_t markers[LISTS][MARKERS];
    uint64_t queue_markers[QUEUE_ITEMS];
    int submission[LISTS], index[LISTS]; /* serial and place of each list */
};

static void stage_start(struct stage *stage, const char *text)
{
    memset(stage, 0, sizeof *stage);
    stage->timeline = timeline_of(text);
    scene_start(&stage->scene);
    for (int i = 0; i < LISTS; i++) {
        annot_context *list = stage->scene.lists[i];
        annot_context_open(list, stage->scene.arenas[i]);
        stage->markers[i][0] = scene_begin(list);
        stage->markers[i][1] = scene_set(list);
        annot_context_end_event(list);
        stage->markers[i][2] = scene_set(list);
        annot_context_close(list);
    }
    for (int i = 0; i < stage->timeline.count; i++) {
        const struct item *item = &stage->timeline.items[i];
        annot_context *queue = stage->scene.queue;
        if (item->kind == BEGIN) {
            stage->queue_markers[i] = scene_begin(queue);
        } else if (item->kind == SET) {
            stage->queue_markers[i] = scene_set(queue);
        } else if (item->kind == END) {
            annot_context_end_event(queue);
        } else {
            uint32_t count = (uint32_t)(item->list_end - item->list_first);
            uint64_t serial =
                annot_context_submit(queue, &stage->scene.lists[item->list_first], count);
            for (int k = item->list_first; k < item->list_end; k++) {
                stage->submission[k] = (int)serial;
                stage->index[k] = k - item->list_first;
            }
        }
    }
}

static uint64_t id_of(const uint64_t *ids, int marker)
{
    return marker == NO_MARKER ? 0 : ids[marker];
}

static annot_reader *open_dump(struct stage *stage, const struct question *question)
{
    annot_progress rows[LISTS + 1];
    size_t count = 0;
    const uint64_t queue = annot_object_id(stage->scene.queue_object);
    for (int i = 0; i < LISTS; i++) {
        const struct evidence *evidence = &question->lists[i]->evidence;
        if (evidence->has_row)
            rows[count++] = (annot_progress){
                .queue = queue,
                .object = annot_object_id(stage->scene.list_objects[i]),
                .submission = (uint64_t)stage->submission[i],
                .list = (uint32_t)stage->index[i],
                .state = evidence->state,
                .inside = evidence->inside,
                .started = id_of(stage->markers[i], evidence->started),
                .completed = id_of(stage->markers[i], evidence->completed),
            };
    }
    if (question->has_queue_row)
        rows[count++] = (annot_progress){
            .queue = queue,
            .list = ANNOT_PROGRESS_QUEUE,
            .state =
                question->queue.reached > 0 ? ANNOT_PROGRESS_STARTED : ANNOT_PROGRESS_NOT_STARTED,
            .inside = ANNOT_INSIDE_TRACKED,
            .started =
                id_of(stage->queue_markers, queue_started(&stage->timeline, question->queue)),
            .completed =
                id_of(stage->queue_markers, queue_completed(&stage->timeline, question->queue)),
        };
    const annot_crash_report report = {
        .size = sizeof report,
        .promises = question->promises,
        .progress = rows,
        .progress_count = count,
    };
    return scene_open(&stage->scene, &report);
}

/* ---- the comparison ---- */

static const enum truth truths[] = {[ANNOT_STATE_NOT_STARTED] = NOT_STARTED,
                                    [ANNOT_STATE_IN_PROGRESS] = IN_PROGRESS,
                                    [ANNOT_STATE_FINISHED] = FINISHED};

/* `claims`: bits of what holds in every state. */
static void check_claim(const struct question *question, struct counts *counts, annot_state state,
                        unsigned claims, const char *what, int index)
{
    counts->conclusions += state != ANNOT_STATE_UNKNOWN;
    bool is_wrong = state != ANNOT_STATE_UNKNOWN && !(claims >> truths[state] & 1u);
    counts->contradictions += is_wrong;
    counts->missed += state == ANNOT_STATE_UNKNOWN && claims;
    if (is_wrong && counts->contradictions == 1) {
        fprintf(stderr, "%s %d is called %s; promises %u, fence %d, queue row %d (%d, %d)\n", what,
                index, annot_state_text(state), question->promises, question->fence,
                question->has_queue_row, question->queue.reached, question->queue.retired);
        for (int i = 0; i < LISTS; i++) {
            const struct evidence *evidence = &question->lists[i]->evidence;
            fprintf(stderr, "    list %d: row %d, state %d, inside %u, started %d, completed %d\n",
                    i, evidence->has_row, evidence->state, evidence->inside, evidence->started,
                    evidence->completed);
        }
    }
}

/* The fact that holds in all states: that which alone was not ruled out. */
static unsigned certain(unsigned possible)
{
    return possible & (possible - 1) ? 0 : possible;
}

/* Whether the sentence of this evidence (annot_evidence) is true of list `i`. */
static bool is_honest(const struct stage *stage, const struct question *question,
                      const struct answer *answer, int i, const annot_reader_execution *execution)
{
    const struct evidence *row = &question->lists[i]->evidence;
    const annot_state state = execution->state;
    switch (execution->evidence) {
    case ANNOT_EVIDENCE_FENCE:
        return state == ANNOT_STATE_FINISHED && stage->submission[i] <= question->fence;
    case ANNOT_EVIDENCE_DRIVER:
        return state != ANNOT_STATE_UNKNOWN && row->has_row &&
               (row->state != ANNOT_PROGRESS_UNKNOWN || row->inside != 0);
    case ANNOT_EVIDENCE_BEHIND:
        for (int k = 0; k < i; k++)
            if (certain(answer->lists[k]) == 1u << NOT_STARTED)
                return state == ANNOT_STATE_NOT_STARTED &&
                       (question->promises & ANNOT_PROMISE_STARTS_IN_ORDER);
        return false;
    case ANNOT_EVIDENCE_LATER_FINISHED:
        for (int k = i + 1; k < LISTS; k++)
            if (certain(answer->lists[k]) == 1u << FINISHED)
                return state == ANNOT_STATE_FINISHED &&
                       (question->promises & ANNOT_PROMISE_RETIRES_IN_ORDER);
        return false;
    case ANNOT_EVIDENCE_BETWEEN:
        return state == ANNOT_STATE_IN_PROGRESS;
    case ANNOT_EVIDENCE_NO_ROW:
        return state == ANNOT_STATE_UNKNOWN && !row->has_row;
    case ANNOT_EVIDENCE_UNDECIDED:
        return state == ANNOT_STATE_UNKNOWN && row->has_row;
    default:
        return false;
    }
}

/* The same of what is inside. */
static bool is_honest_inside(const struct question *question, int submission, annot_state state,
                             annot_evidence evidence)
{
    switch (evidence) {
    case ANNOT_EVIDENCE_FENCE:
        return state == ANNOT_STATE_FINISHED && submission <= question->fence;
    case ANNOT_EVIDENCE_BEHIND:
    case ANNOT_EVIDENCE_ENCLOSING:
    case ANNOT_EVIDENCE_LATER_FINISHED:
    case ANNOT_EVIDENCE_SURROUNDED:
        return state != ANNOT_STATE_UNKNOWN;
    case ANNOT_EVIDENCE_NO_REPORT:
    case ANNOT_EVIDENCE_NO_ROW:
    case ANNOT_EVIDENCE_UNDECIDED:
        return state == ANNOT_STATE_UNKNOWN;
    default:
        return true;
    }
}

static void check_lists(const struct stage *stage, const struct question *question,
                        const annot_reader *reader, const struct answer *answer,
                        struct counts *counts)
{
    for (int i = 0; i < LISTS; i++) {
        annot_reader_execution execution;
        cr_assert(annot_reader_execution_at(reader, (uint32_t)i, &execution));
        counts->by_evidence[execution.evidence]++;
        check_claim(question, counts, execution.state, certain(answer->lists[i]), "list", i);
        cr_assert(is_honest(stage, question, answer, i, &execution), "list %d: %s, %s", i,
                  annot_state_text(execution.state), annot_evidence_text(NULL, execution.evidence));
        for (int marker = 0; marker < MARKERS; marker++) {
            uint32_t entry = annot_reader_entry_find(reader, stage->markers[i][marker]);
            annot_evidence evidence;
            annot_state state =
                annot_reader_state(reader, (uint32_t)i, ANNOT_READER_NONE, entry, &evidence);
            cr_assert(is_honest_inside(question, stage->submission[i], state, evidence),
                      "marker %d of list %d: %s, %s", marker, i, annot_state_text(state),
                      annot_evidence_text(NULL, evidence));
            check_claim(question, counts, state, certain(answer->markers[i][marker]), "marker",
                        i * MARKERS + marker);
        }
    }
}

static void check_queue(const struct stage *stage, const struct question *question,
                        const annot_reader *reader, const struct answer *answer,
                        struct counts *counts)
{
    for (int i = 0; i < stage->timeline.count; i++) {
        if (!stage->queue_markers[i])
            continue;
        annot_evidence evidence;
        uint32_t entry = annot_reader_entry_find(reader, stage->queue_markers[i]);
        annot_state state = annot_reader_queue_state(reader, entry, &evidence);
        cr_assert(is_honest_inside(question, 0, state, evidence), "queue marker %d: %s, %s", i,
                  annot_state_text(state), annot_evidence_text(NULL, evidence));
        counts->by_evidence[evidence]++;
        check_claim(question, counts, state, answer->queue[i], "queue marker", i);
    }
    annot_reader_execution first;
    cr_assert(annot_reader_execution_at(reader, 0, &first));
    annot_queue_verdict verdict = annot_reader_queue_verdict(reader, first.queue);
    bool is_wrong = (verdict == ANNOT_QUEUE_STOPPED && !answer->may_stop) ||
                    (verdict == ANNOT_QUEUE_WAITING && !answer->may_wait) ||
                    (verdict == ANNOT_QUEUE_IDLE && !answer->may_be_idle);
    check_claim(question, counts, is_wrong ? ANNOT_STATE_FINISHED : ANNOT_STATE_UNKNOWN, 0,
                "verdict", (int)verdict);
}

/* The headline is true: each place is in progress, and nothing before the oldest suspect is. */
static void check_stops(const struct question *question, const annot_reader *reader,
                        const struct answer *answer, struct counts *counts)
{
    annot_reader_stop stop;
    for (size_t i = 0; annot_reader_stop_at(reader, i, &stop); i++) {
        unsigned claims = certain(answer->lists[stop.execution]);
        annot_reader_submission submission;
        annot_reader_submission_at(reader, stop.submission, &submission);
        for (uint32_t k = 0; stop.is_between && k < submission.execution_count; k++)
            if (answer->lists[submission.first_execution + k] >> IN_PROGRESS & 1u)
                claims = 0;
        check_claim(question, counts,
                    stop.is_between ? ANNOT_STATE_NOT_STARTED : ANNOT_STATE_IN_PROGRESS, claims,
                    "stop in list", (int)stop.execution);
        for (uint32_t k = 0; k < stop.suspect; k++)
            check_claim(question, counts,
                        answer->lists[k] >> IN_PROGRESS & 1u ? ANNOT_STATE_FINISHED
                                                             : ANNOT_STATE_UNKNOWN,
                        0, "list before the oldest suspect", (int)k);
    }
}

static void check(struct stage *stage, struct question *question, struct counts *counts)
{
    question->timeline = &stage->timeline;
    const struct answer answer = answer_of(question);
    if (!answer.is_possible)
        return;
    annot_reader *reader = open_dump(stage, question);
    counts->dumps++;
    for (size_t i = 0; i < annot_reader_finding_count(reader); i++) {
        annot_finding finding;
        annot_reader_finding(reader, i, &finding);
        check_claim(question, counts, ANNOT_STATE_FINISHED, 0, finding.name, (int)i);
    }
    check_lists(stage, question, reader, &answer, counts);
    check_queue(stage, question, reader, &answer, counts);
    check_stops(question, reader, &answer, counts);
    annot_reader_close(reader);
}

/* ---- the tests ---- */

/* Every schedule of three lists is covered because every state is: what is seen after a hang is a
 * state. */
Test(inference, every_interleaving_of_three_lists_is_tried)
{
    double all = 0;
    for (int depth = 1; depth <= LISTS * STEPS; depth++) {
        double ways = interleavings(depth);
        cr_expect(ways > all, "a front end of depth %d adds schedules", depth);
        all = ways;
    }
    printf("# %.4g interleavings at every front-end depth, %d states of each list\n", all,
           (STEPS + 1) * (STEPS + 2) / 2);
    cr_expect(all > 1e12);
}

/* Every piece of evidence for two lists beside each other, and few for the third: what one list's
 * says about another. */
Test(inference, no_conclusion_about_lists_and_their_markers_is_false, .timeout = 120)
{
    static struct source sources[EVIDENCE_MAX];
    struct counts counts = {0};
    struct stage stage;
    const int count = find_sources(sources);
    stage_start(&stage, "(01)(2)");
    for (int fence = 0; fence <= stage.timeline.submissions; fence++) {
        annot_context_completed(stage.scene.queue, (uint64_t)fence);
        for (unsigned promises = 0; promises < 4; promises++)
            for (int a = 0; a < count; a++)
                for (int b = 0; b < count; b++)
                    for (int c = 0; c < count; c++) {
                        bool is_third_plain = sources[c].variant == 0 || sources[c].variant == 5;
                        bool is_first_plain = sources[a].variant == 0 || sources[a].variant == 5;
                        struct question question = {
                            .lists = {&sources[a], &sources[b], &sources[c]},
                            .promises = promises,
                            .fence = fence,
                        };
                        if (is_third_plain || is_first_plain)
                            check(&stage, &question, &counts);
                    }
    }
    scene_finish(&stage.scene);
    report_counts("lists", &counts);
    cr_expect_eq(counts.contradictions, 0);
    cr_expect_leq(counts.missed, 702u, "%lu are left unsaid: more than were", counts.missed);
    cr_expect(counts.by_evidence[ANNOT_EVIDENCE_LATER_FINISHED] > 0);
    cr_expect(counts.by_evidence[ANNOT_EVIDENCE_BEHIND] > 0);
    cr_expect(counts.by_evidence[ANNOT_EVIDENCE_BETWEEN] > 0);
}

/* The queue's markers, wherever they lie between the submissions, with the driver's row for the
 * queue and without. */
Test(inference, no_conclusion_about_queue_markers_is_false, .timeout = 120)
{
    static const char *const layouts[] = {"{(0)s(1)}s(2){}", "s{(012)}", "{(0){(1)}}(2)s",
                                          "(0){}s(1)(2){s}", "s(0){(1){s(2)"};
    static struct source sources[EVIDENCE_MAX];
    struct counts counts = {0};
    const int count = find_sources(sources);
    for (size_t layout = 0; layout < sizeof layouts / sizeof *layouts; layout++) {
        struct stage stage;
        stage_start(&stage, layouts[layout]);
        for (int fence = 0; fence <= stage.timeline.submissions; fence++) {
            annot_context_completed(stage.scene.queue, (uint64_t)fence);
            for (int code = 0; code < 4 * count * count * count; code++) {
                struct question question = {.promises = (unsigned)(code & 3), .fence = fence};
                int rest = code >> 2;
                bool is_plain = true;
                for (int i = 0; i < LISTS; i++, rest /= count) {
                    question.lists[i] = &sources[rest % count];
                    is_plain &=
                        sources[rest % count].variant == 0 || sources[rest % count].variant == 5;
                }
                if (!is_plain)
                    continue;
                check(&stage, &question, &counts);
                question.has_queue_row = true;
                for (int reached = 0; reached <= stage.timeline.operations; reached++)
                    for (int retired = 0; retired <= reached; retired++) {
                        question.queue = (struct queue_state){reached, retired};
                        check(&stage, &question, &counts);
                    }
            }
        }
        scene_finish(&stage.scene);
    }
    report_counts("queue markers", &counts);
    cr_expect_eq(counts.contradictions, 0);
    cr_expect_leq(counts.missed, 12450u, "%lu are left unsaid: more than were", counts.missed);
    cr_expect(counts.by_evidence[ANNOT_EVIDENCE_SURROUNDED] > 0);
}
