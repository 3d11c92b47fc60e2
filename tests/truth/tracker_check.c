/* The statements of a dump against the truth. A state is false when
 *
 *     finished       some of the work is not done, or was not reached
 *     not started    some of the work has begun, or a word says that it was reached
 *     in progress    it was not reached, or all of it is done and its last word written
 *
 * Between the last work and the last word both "in progress" and "finished" are true.
 */
#include "tracker_truth.h"

#include <annot/dump.h>

struct check {
    const struct truth *truth;
    const annot_reader *reader;
    struct complaint *complaint;
};

/* A test's other expectation, in C; the complaint follows. */
static void expect(struct check *check, const char *format, ...)
{
    va_list arguments;
    if (check->complaint->text[0])
        return;
    va_start(arguments, format);
    vsnprintf(check->complaint->expected, sizeof check->complaint->expected, format, arguments);
    va_end(arguments);
}

static void complain(struct check *check, const char *format, ...)
{
    va_list arguments;
    if (check->complaint->text[0])
        return;
    va_start(arguments, format);
    vsnprintf(check->complaint->text, sizeof check->complaint->text, format, arguments);
    va_end(arguments);
}

static const char *where(const struct execution *execution)
{
    static char text[64];
    snprintf(text, sizeof text, "queue %d, submission %llu, list %u", execution->queue,
             (unsigned long long)execution->serial, execution->list);
    return text;
}

/* ---- a span of an execution ---- */

/* The claims that may be made of operations `from` to `to`, without `to`. */
static bool is_false(const struct execution *execution, int from, int to, annot_state claimed)
{
    switch (claimed) {
    case ANNOT_STATE_FINISHED:
        return !truth_is_done(execution, from, to);
    case ANNOT_STATE_NOT_STARTED:
        return truth_is_begun(execution, from, to);
    case ANNOT_STATE_IN_PROGRESS:
        return (from < execution->count && !execution->ops[from].is_reached) ||
               truth_is_complete(execution, from, to);
    case ANNOT_STATE_NOT_EXECUTED: /* nobody here submits such work */
        return true;
    case ANNOT_STATE_UNKNOWN:
        break;
    }
    return false;
}

/* Whether that is so of a scope that a later list closes: of its own list from its BEGIN on, of all
 * lists between, and of the later one up to the END. */
static bool is_so_to_the_end(const struct truth *truth, const struct execution *execution, int op,
                             bool (*is_so)(const struct execution *, int, int))
{
    const struct flat *begin = &execution->ops[op];
    const struct execution *closer = &truth->executions[begin->closed_by];
    if (!is_so(execution, op, execution->count) || !is_so(closer, 0, begin->closing_op + 1))
        return false;
    for (int i = closer->previous; i != execution->index; i = truth->executions[i].previous)
        if (!is_so(&truth->executions[i], 0, truth->executions[i].count))
            return false;
    return true;
}

/* Whether nothing is left of an execution; of those before it neither, where they retire in order:
 * one without any operation is complete as such. */
static bool is_retired(const struct truth *truth, const struct execution *execution)
{
    for (int i = execution->index; i >= 0; i = truth->executions[i].previous) {
        if (!truth_is_complete(&truth->executions[i], 0, truth->executions[i].count))
            return false;
        if (!truth->retires_in_order)
            return true;
    }
    return true;
}

static bool is_scope_false(const struct truth *truth, const struct execution *execution, int op,
                           annot_state claimed)
{
    const struct flat *begin = &execution->ops[op];
    if (begin->partner >= 0)
        return is_false(execution, op, begin->partner + (begin->kind == FLAT_BEGIN), claimed);
    if (claimed == ANNOT_STATE_NOT_STARTED)
        return truth_is_begun(execution, op, execution->count);
    if (claimed == ANNOT_STATE_FINISHED)
        return begin->closed_by >= 0 ? !is_so_to_the_end(truth, execution, op, truth_is_done)
                                     : !truth_is_done(execution, op, execution->count);
    if (claimed == ANNOT_STATE_IN_PROGRESS)
        return !begin->is_reached || (begin->closed_by >= 0 && is_retired(truth, execution) &&
                                      is_so_to_the_end(truth, execution, op, truth_is_complete));
    return false;
}

static bool is_point_false(const struct execution *execution, int op, annot_state claimed)
{
    const struct flat *set = &execution->ops[op];
    if (claimed == ANNOT_STATE_FINISHED)
        return !set->is_reached;
    if (claimed == ANNOT_STATE_NOT_STARTED)
        return truth_is_begun(execution, op, execution->count);
    return claimed == ANNOT_STATE_IN_PROGRESS && (!set->is_reached || set->is_passed);
}

/* ---- markers ---- */

static uint32_t name_of(const struct check *check, uint32_t entry)
{
    char name[32];
    annot_reader_entry_name(check->reader, entry, name, sizeof name);
    return name[0] == 'm' ? (uint32_t)strtoul(name + 1, NULL, 10) : 0;
}

static int find_marker(const struct execution *execution, uint32_t name, uint32_t bundle)
{
    for (int i = 0; i < execution->count; i++)
        if (execution->ops[i].name == name && name && execution->ops[i].bundle == bundle)
            return i;
    return -1;
}

static int find_bundle(const struct execution *execution, uint32_t ordinal)
{
    for (int i = 0; i < execution->count; i++)
        if (execution->ops[i].kind == FLAT_BUNDLE && execution->ops[i].bundle == ordinal)
            return i;
    return -1;
}

static void check_stream(struct check *check, const struct execution *execution, uint32_t index,
                         uint32_t stream, uint32_t bundle_entry, uint32_t ordinal)
{
    annot_reader_stream about;
    if (!annot_reader_stream_at(check->reader, stream, &about))
        return;
    for (uint32_t i = about.first_entry; i < about.first_entry + about.entry_count; i++) {
        annot_reader_entry entry;
        annot_reader_entry_at(check->reader, i, &entry);
        const annot_state claimed = annot_reader_state(check->reader, index, bundle_entry, i, NULL);
        bool is_wrong = false;
        int op = -1;
        if (entry.kind == ANNOT_ENTRY_BUNDLE && bundle_entry == ANNOT_READER_NONE) {
            op = find_bundle(execution, entry.ordinal);
            is_wrong = op >= 0 && is_scope_false(check->truth, execution, op, claimed);
            check_stream(check, execution, index, entry.link, i, entry.ordinal);
        } else if (entry.kind == ANNOT_ENTRY_BEGIN || entry.kind == ANNOT_ENTRY_SET) {
            op = find_marker(execution, name_of(check, i), ordinal);
            is_wrong = op >= 0 && (entry.kind == ANNOT_ENTRY_BEGIN
                                       ? is_scope_false(check->truth, execution, op, claimed)
                                       : is_point_false(execution, op, claimed));
        }
        if (!is_wrong)
            continue;
        expect(check, "annot_reader_state(reader, %u, %u, %u, NULL) != %d", index, bundle_entry, i,
               claimed);
        complain(check, "%s, bundle %u: %s m%u is not %s", where(execution), ordinal,
                 entry.kind == ANNOT_ENTRY_BUNDLE  ? "bundle"
                 : entry.kind == ANNOT_ENTRY_BEGIN ? "scope"
                                                   : "point",
                 entry.kind == ANNOT_ENTRY_BUNDLE ? entry.ordinal : execution->ops[op].name,
                 annot_state_text(claimed));
    }
}

/* ---- queues ---- */

static int queue_of(const struct check *check, uint32_t stream)
{
    annot_reader_stream about;
    annot_reader_stream_at(check->reader, stream, &about);
    for (int i = 0; i < check->truth->queue_count; i++)
        if (check->truth->queues[i].object == about.object)
            return i;
    return -1;
}

static const struct execution *execution_of(const struct check *check, uint32_t index)
{
    annot_reader_execution about;
    annot_reader_submission submission;
    annot_reader_execution_at(check->reader, index, &about);
    annot_reader_submission_at(check->reader, about.submission, &submission);
    const int queue = queue_of(check, about.queue);
    for (int i = 0; i < check->truth->count; i++) {
        const struct execution *execution = &check->truth->executions[i];
        if (execution->queue == queue && execution->serial == submission.serial &&
            execution->list == about.list)
            return execution;
    }
    return NULL;
}

static bool is_execution_false(const struct truth *truth, const struct execution *execution,
                               annot_state claimed)
{
    return is_false(execution, 0, execution->count, claimed) &&
           (claimed != ANNOT_STATE_IN_PROGRESS || is_retired(truth, execution) ||
            (execution->count > 0 && execution->reached == 0));
}

static void check_executions(struct check *check)
{
    for (uint32_t i = 0; i < annot_reader_execution_count(check->reader); i++) {
        annot_reader_execution about;
        const struct execution *execution = execution_of(check, i);
        annot_reader_execution_at(check->reader, i, &about);
        if (!execution) {
            expect(check, "annot_reader_execution_count(reader) == 0");
            complain(check, "execution %u was never made", i);
            continue;
        }
        check->complaint->statements[about.state]++;
        if (is_execution_false(check->truth, execution, about.state)) {
            expect(check, "state_of_execution(reader, %u) != %d", i, about.state);
            complain(check, "%s is not %s (%s)", where(execution), annot_state_text(about.state),
                     annot_evidence_text(NULL, about.evidence));
        }
        check_stream(check, execution, i, about.stream, ANNOT_READER_NONE, 0);
    }
}

struct sum {
    bool is_done, is_begun, is_reached, is_complete;
    int count;
};

static void add(struct sum *sum, const struct truth *truth, const struct execution *execution)
{
    sum->count++;
    sum->is_done &= truth_is_done(execution, 0, execution->count);
    sum->is_complete &= is_retired(truth, execution);
    sum->is_begun |= truth_is_begun(execution, 0, execution->count);
    sum->is_reached |= execution->reached > 0 || execution->count == 0;
}

/* The executions of a queue's submissions from one item to another, without `to`. */
static struct sum sum_of(const struct truth *truth, int queue, int from, int to)
{
    struct sum sum = {.is_done = true, .is_complete = true};
    for (int i = from; i < to; i++) {
        const struct item *item = &truth->queues[queue].items[i];
        for (int k = 0; item->kind == ITEM_SUBMISSION && k < item->count; k++)
            add(&sum, truth, &truth->executions[item->first + k]);
    }
    return sum;
}

static bool is_sum_false(struct sum sum, annot_state claimed)
{
    return (claimed == ANNOT_STATE_FINISHED && !sum.is_done) ||
           (claimed == ANNOT_STATE_NOT_STARTED && sum.is_begun) ||
           (claimed == ANNOT_STATE_IN_PROGRESS && (!sum.is_reached || sum.is_complete));
}

/* A scope's work is what it surrounds; a point has what is before it and what is behind it. */
static bool is_item_false(const struct truth *truth, int queue, int index, annot_state claimed)
{
    const struct queue_truth *of = &truth->queues[queue];
    const struct item *item = &of->items[index];
    const struct sum before = sum_of(truth, queue, 0, index),
                     behind = sum_of(truth, queue, index, of->count);
    if (item->kind == ITEM_SUBMISSION)
        return item->count > 0 && is_sum_false(sum_of(truth, queue, index, index + 1), claimed);
    if (item->kind == ITEM_SET)
        return (claimed == ANNOT_STATE_FINISHED && !before.is_done) ||
               (claimed == ANNOT_STATE_NOT_STARTED && truth->starts_in_order && behind.is_begun);
    const bool is_closed = item->partner >= 0;
    const struct sum inside = sum_of(truth, queue, index, is_closed ? item->partner : of->count);
    if (claimed == ANNOT_STATE_FINISHED)
        return !inside.is_done;
    if (claimed == ANNOT_STATE_NOT_STARTED)
        return inside.is_begun;
    return claimed == ANNOT_STATE_IN_PROGRESS && inside.count > 0 &&
           (!inside.is_reached || (is_closed && inside.is_complete && before.is_complete));
}

static int find_item(const struct queue_truth *queue, const annot_reader_entry *entry,
                     uint64_t serial, const char *name)
{
    for (int i = 0; i < queue->count; i++) {
        const struct item *item = &queue->items[i];
        if (entry->kind == ANNOT_ENTRY_SUBMISSION
                ? item->kind == ITEM_SUBMISSION && item->serial == serial
                : item->name && item->kind != ITEM_END && name[0] == 'q' &&
                      item->name == strtoul(name + 1, NULL, 10))
            return i;
    }
    return -1;
}

static void check_queue_entries(struct check *check, uint32_t stream, int queue)
{
    const struct queue_truth *of = &check->truth->queues[queue];
    annot_reader_stream about;
    annot_reader_stream_at(check->reader, stream, &about);
    for (uint32_t i = about.first_entry; i < about.first_entry + about.entry_count; i++) {
        annot_reader_entry entry;
        annot_reader_submission submission = {.serial = 0};
        char name[32];
        annot_reader_entry_at(check->reader, i, &entry);
        if (entry.kind == ANNOT_ENTRY_SUBMISSION)
            annot_reader_submission_at(check->reader, entry.link, &submission);
        else
            annot_reader_entry_name(check->reader, i, name, sizeof name);
        const int item = find_item(of, &entry, submission.serial, name);
        const annot_state claimed = annot_reader_queue_state(check->reader, i, NULL);
        if (item < 0 || !is_item_false(check->truth, queue, item, claimed))
            continue;
        expect(check, "annot_reader_queue_state(reader, %u, NULL) != %d", i, claimed);
        complain(check, "queue %d: %s %llu is not %s", queue,
                 entry.kind == ANNOT_ENTRY_SUBMISSION ? "submission" : "marker",
                 entry.kind == ANNOT_ENTRY_SUBMISSION ? (unsigned long long)submission.serial
                                                      : (unsigned long long)of->items[item].name,
                 annot_state_text(claimed));
    }
}

static void check_queues(struct check *check)
{
    for (uint32_t i = 0; i < annot_reader_stream_count(check->reader); i++) {
        annot_reader_stream about;
        annot_reader_stream_at(check->reader, i, &about);
        const int queue = about.is_queue ? queue_of(check, i) : -1;
        if (queue < 0)
            continue;
        const struct sum all = sum_of(check->truth, queue, 0, check->truth->queues[queue].count);
        const annot_queue_verdict verdict = annot_reader_queue_verdict(check->reader, i);
        expect(check, "annot_reader_queue_verdict(reader, %u) != %d", i, verdict);
        if (verdict == ANNOT_QUEUE_IDLE && !all.is_done)
            complain(check, "queue %d is not idle", queue);
        if (verdict == ANNOT_QUEUE_STOPPED && (!all.is_reached || all.is_complete))
            complain(check, "queue %d has not stopped", queue);
        for (int k = 0; k < check->truth->count && verdict == ANNOT_QUEUE_WAITING; k++) {
            const struct execution *execution = &check->truth->executions[k];
            if (execution->queue == queue && truth_is_begun(execution, 0, execution->count) &&
                !truth_is_done(execution, 0, execution->count))
                complain(check, "queue %d does not wait: %s", queue, where(execution));
        }
        check_queue_entries(check, i, queue);
    }
}

/* ---- stops ---- */

/* Whether this scope is open at a stop in the execution, which is its own or a later one. */
static bool is_open_at(const struct truth *truth, const struct execution *execution,
                       const struct execution *opener, int op)
{
    const struct flat *begin = &opener->ops[op];
    if (opener == execution && !begin->is_reached)
        return false;
    if (opener == execution)
        return begin->partner < 0 || !is_scope_false(truth, opener, op, ANNOT_STATE_IN_PROGRESS);
    if (begin->partner >= 0)
        return false;
    return begin->closed_by < 0 || begin->closed_by > execution->index ||
           (begin->closed_by == execution->index &&
            !truth_is_complete(execution, 0, begin->closing_op + 1));
}

/* Whether one of this name is. */
static bool is_any_open_at(const struct truth *truth, const struct execution *execution,
                           uint32_t name)
{
    for (int i = execution->index; i >= 0; i = truth->executions[i].previous) {
        const struct execution *opener = &truth->executions[i];
        for (int op = 0; op < opener->count; op++)
            if (opener->ops[op].kind == FLAT_BEGIN && opener->ops[op].name == name &&
                is_open_at(truth, execution, opener, op))
                return true;
    }
    return false;
}

/* Whether a queue's scope of this name surrounds the submission. */
static bool surrounds(const struct truth *truth, const struct execution *execution, uint32_t name)
{
    const struct queue_truth *of = &truth->queues[execution->queue];
    int at = 0;
    while (at < of->count &&
           (of->items[at].kind != ITEM_SUBMISSION || of->items[at].serial != execution->serial))
        at++;
    for (int i = 0; i < at; i++)
        if (of->items[i].kind == ITEM_BEGIN && of->items[i].name == name)
            return of->items[i].partner < 0 || of->items[i].partner > at;
    return false;
}

static void check_path(struct check *check, uint32_t index, const struct execution *execution)
{
    char path[4096], *rest = path, *name;
    annot_reader_stop_path(check->reader, index, path, sizeof path);
    while ((name = strtok_r(rest, " /", &rest))) {
        const uint32_t number = (uint32_t)strtoul(name + 1, NULL, 10);
        if ((name[0] == 'm' && !is_any_open_at(check->truth, execution, number)) ||
            (name[0] == 'q' && !surrounds(check->truth, execution, number))) {
            expect(check, "!strstr(path_of_stop(reader, %u), \"%s\")", index, name);
            complain(check, "%s: %s is in the path to the stop and is not open", where(execution),
                     name);
        }
    }
}

static void check_stops(struct check *check)
{
    for (uint32_t i = 0; i < annot_reader_stop_count(check->reader); i++) {
        annot_reader_stop stop;
        annot_reader_stop_at(check->reader, i, &stop);
        const struct execution *execution = execution_of(check, stop.execution);
        const struct execution *suspect = execution_of(check, stop.suspect);
        expect(check, "suspect_of_stop(reader, %u) != %u", i, stop.suspect);
        if (!execution || !suspect)
            continue;
        for (int k = suspect->previous; k >= 0; k = check->truth->executions[k].previous) {
            const struct execution *older = &check->truth->executions[k];
            if (truth_is_begun(older, 0, older->count) && !truth_is_done(older, 0, older->count))
                complain(check, "%s is not the oldest that may be unfinished", where(suspect));
        }
        check_path(check, i, execution);
    }
}

/* ---- all of it ---- */

static void check_findings(struct check *check)
{
    for (size_t i = 0; i < annot_reader_finding_count(check->reader); i++) {
        annot_finding finding;
        annot_reader_finding(check->reader, i, &finding);
        expect(check, "annot_reader_finding_count(reader) == %zu", i);
        if (finding.finding_class == ANNOT_FINDING_EVIDENCE && !check->truth->may_be_accused)
            complain(check, "finding: %s", finding.text);
    }
}

void truth_check(const struct truth *truth, const annot_reader *reader, struct complaint *complaint)
{
    struct check check = {truth, reader, complaint};
    check_executions(&check);
    check_queues(&check);
    check_stops(&check);
    check_findings(&check);
}
