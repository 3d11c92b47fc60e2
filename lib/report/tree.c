/* Writes the marker tree of a text report: queue, submission, list, markers.
 *
 * Without `all` the tree is folded: similar entries share one line, so a hang among a hundred
 * thousand finished markers is still easy to see. Markers in progress are never folded away, except
 * the middle of very deep chains. */
#include "report/tree_line.h"
#include "report/tree_operations.h"

enum { AROUND_SHOWN = 6 }; /* scopes of earlier lists */

/* ---- one execution ---- */

/* Returns true for a part of a list that a layer doesn't mark one by one. A list's scopes go on
 * from part to part. */
static bool is_part(const struct annot__page *page, uint32_t entry)
{
    return annot__is_unmarked(
        page, page->reader->streams[annot__entry_stream(page->reader, entry)].object);
}

static void say_entry_end(struct annot__page *page, const struct annot__node *node)
{
    const struct annot__entry *entry = &page->reader->entries[node->entry];
    if (annot__entry_is_marker(entry) && !page->options->no_ids)
        annot__styled(page, DIM, "  0x%llx",
                      (unsigned long long)annot__entry_event_id(page->reader, node->entry));
    if (entry->kind == ANNOT_ENTRY_BEGIN && entry->end == ANNOT__NEVER)
        annot__styled(page, YELLOW,
                      page->reader->streams[annot__entry_stream(page->reader, node->entry)].is_open
                          ? "  (still open)"
                      : is_part(page, node->entry) ? "  (goes on below)"
                                                   : "  (nothing ends this scope here)");
    if (entry->is_closed_elsewhere)
        annot__styled(page, YELLOW, "  (ended by another thread)");
    if (node->closes_earlier)
        return;
    if (node->state == ANNOT_STATE_UNKNOWN) {
        const bool is_witness =
            node->evidence == ANNOT_EVIDENCE_DRIVER || node->evidence == ANNOT_EVIDENCE_CRUMBS;
        annot__styled(page, DIM, is_witness ? "  -- not told by %s" : "  -- %s",
                      annot_evidence_text(page->reader, node->evidence));
    } else if (node->state == ANNOT_STATE_IN_PROGRESS &&
               (entry->kind == ANNOT_ENTRY_SET || entry->kind == ANNOT_ENTRY_SURPLUS_END)) {
        annot__styled(page, DIM, "  -- reached; earlier work may be unfinished");
    }
}

static void say_bundle(struct annot__page *page, uint32_t entry)
{
    const struct annot__dump_BUNDLE fields = annot__entry_bundle(page->reader, entry);
    if (annot__is_unmarked(page, fields.object)) {
        annot__format(page, "%ss without marks of their own", page->words->marker);
        return;
    }
    annot__format(page, "%s %u: ", page->words->execute_bundle, annot__bundle_number(page, entry));
    annot__say_bundle(page, entry);
}

static void write_node(struct annot__page *page, const struct annot__node *node, uint32_t base,
                       uint32_t inside)
{
    const annot_reader *reader = page->reader;
    const struct annot__entry *entry = &reader->entries[node->entry];
    bool is_end = entry->kind == ANNOT_ENTRY_SURPLUS_END;
    if (!annot__tree_want_line(page, node->state == ANNOT_STATE_IN_PROGRESS))
        return;
    annot__indent(page, base + node->depth);
    if (!node->closes_earlier)
        annot__say_state(page, node->state);
    if (entry->kind == ANNOT_ENTRY_BUNDLE) {
        say_bundle(page, node->entry);
        if (entry->leaf.link == ANNOT__NONE)
            annot__format(page, "  (the %ss are not in the dump)", page->words->marker);
    } else if (is_end) {
        if (node->closes_earlier || is_part(page, node->entry))
            annot__styled(page, YELLOW, "... a scope that began above ends here");
        else
            annot__styled(page, YELLOW, "surplus %s: no open scope", page->words->end);
    } else {
        if (entry->kind == ANNOT_ENTRY_SET)
            annot__say(page, "- ");
        annot__say_entry_name(page, node->entry, true);
    }
    if (inside > 0)
        annot__format(page, "  (%u inside)", inside);
    say_entry_end(page, node);
    annot__say(page, "\n");
}

static uint32_t inside_of(const annot_reader *reader, const struct annot__node *node)
{
    const struct annot__entry *entry = &reader->entries[node->entry];
    if (entry->kind == ANNOT_ENTRY_BUNDLE)
        return entry->leaf.link == ANNOT__NONE ? 0 : reader->streams[entry->leaf.link].markers;
    return annot__entry_last(reader, node->entry) - node->entry;
}

/* Returns true if everything inside is like the node itself, so that one line can stand for it. */
static bool is_alike(const struct annot__page *page, const struct annot__walk *walk,
                     const struct annot__node *node)
{
    const struct annot__progress_bounds *bounds = &walk->frame[walk->frames - 1].bounds;
    if (page->options->all || node->state == ANNOT_STATE_IN_PROGRESS || node->closes_earlier)
        return false;
    return node->state != ANNOT_STATE_UNKNOWN || bounds->is_uniform ||
           bounds->evidence == ANNOT_EVIDENCE_CRUMBS;
}

/* A sibling: an entry, or an operation between two. */
struct sibling {
    uint32_t entry; /* the entry, or the entry before the operation */
    uint32_t noted; /* the operation, or ANNOT__NONE */
};

/* Moves to the next entry in the same scope. */
static bool next_sibling(struct annot__page *page, const struct annot__walk *walk,
                         struct sibling *sibling)
{
    const annot_reader *reader = page->reader;
    const uint32_t parent = reader->entries[sibling->entry].parent;
    const uint32_t next = annot__entry_last(reader, sibling->entry) + 1;
    const bool has_next = next < walk->frame[walk->frames - 1].end;
    const uint32_t between = annot__tree_operation_between(
        page, sibling->noted, sibling->entry,
        parent == ANNOT__NONE ? 0 : annot__entry_event_id(reader, parent),
        has_next ? reader->entries[next].offset : UINT64_MAX);
    if (between != ANNOT__NONE)
        sibling->noted = between;
    else if (has_next && reader->entries[next].parent == parent)
        *sibling = (struct sibling){next, ANNOT__NONE};
    else
        return false;
    return true;
}

/* Returns true if a sibling is of this state; `node` is the entry's. */
static bool is_of_state(struct annot__page *page, const struct annot__walk *walk,
                        const struct sibling *sibling, annot_state state)
{
    struct annot__node node;
    annot_reader_operation operation;
    annot_state found;
    if (sibling->noted != ANNOT__NONE)
        return annot__tree_operation_at(page, sibling->noted, &operation, &found) && found == state;
    annot__walk_peek(walk, sibling->entry, &node);
    return node.state == state && !node.closes_earlier;
}

static void write_sibling(struct annot__page *page, const struct annot__walk *walk,
                          const struct sibling *sibling, uint32_t base)
{
    struct annot__node node;
    annot_reader_operation operation;
    annot_state state;
    if (sibling->noted == ANNOT__NONE) {
        annot__walk_peek(walk, sibling->entry, &node);
        write_node(page, &node, base, inside_of(page->reader, &node));
    } else if (annot__tree_operation_at(page, sibling->noted, &operation, &state)) {
        annot__tree_write_operation(page, &operation, state, base);
    }
}

/* Writes siblings with one state from `node` on: the first, the number of others, and the last. */
static void write_run(struct annot__page *page, struct annot__walk *walk,
                      const struct annot__node *node, uint32_t base)
{
    const struct sibling first = {node->entry, ANNOT__NONE};
    struct sibling next = first, last = first;
    uint32_t count = 1;
    while (next_sibling(page, walk, &next) && is_of_state(page, walk, &next, node->state)) {
        last = next;
        count++;
    }
    annot__tree_visit(page, count);
    next = first;
    for (uint32_t k = 0; k < count; k++) {
        if (count <= ANNOT__TREE_RUN_SHOWN || k == 0 || k + 1 == count)
            write_sibling(page, walk, &next, base);
        else if (k == 1)
            annot__tree_write_more(page, base + node->depth, count - 2, node->state);
        if (k + 1 < count)
            next_sibling(page, walk, &next);
    }
    annot__tree_operations_hide(page, node->entry, annot__entry_last(page->reader, last.entry));
    annot__tree_operations_pass(page, last.noted, last.entry);
    annot__walk_skip(walk, last.entry);
}

static void write_entries(struct annot__page *page, struct annot__walk *walk, uint32_t base)
{
    struct annot__node node;
    uint64_t skipped = 0;
    annot__tree_operations_begin(
        page,
        walk->execution ? (uint32_t)(walk->execution - page->reader->executions) : ANNOT__NONE,
        (uint32_t)(walk->frame[0].stream - page->reader->streams), walk->frame[0].depth);
    page->lines = 0;
    page->lines_cut = 0;
    while (page->nodes_left > 0 && annot__walk_next(walk, &node)) {
        annot__tree_visit(page, 1);
        annot__tree_operations_before(page, walk->frames, node.entry, base);
        if (annot__tree_is_too_deep(page, node.depth)) {
            if (node.state != ANNOT_STATE_IN_PROGRESS)
                annot__walk_skip(walk, node.entry);
            if (skipped++ == 0) {
                annot__indent(page, base + ANNOT__TREE_DEPTH_SHOWN + 1);
                annot__format(page,
                              "... scopes down to depth %llu are left out; --all "
                              "shows them ...\n",
                              (unsigned long long)base + page->leaf_depth - ANNOT__TREE_DEPTH_TAIL -
                                  1);
            }
            continue;
        }
        if (is_alike(page, walk, &node)) {
            write_run(page, walk, &node, base);
            continue;
        }
        write_node(page, &node, base, 0);
        annot__tree_operations_enter(page, &node);
        annot__walk_enter(walk, &node);
    }
    annot__tree_operations_before(page, 0, ANNOT__NONE, base);
    if (page->lines_cut > 0) {
        annot__indent(page, base);
        annot__format(page, "... %llu more lines; --all shows them\n",
                      (unsigned long long)page->lines_cut);
    }
}

/* Returns the depth of the work in progress, which decides which part of a deep chain is shown. */
static uint64_t leaf_depth_of(const struct annot__page *page, uint32_t index)
{
    const annot_reader *reader = page->reader;
    const struct annot__execution *execution = &reader->executions[index];
    uint64_t depth = page->outer.depth;
    if (execution->started != ANNOT__NONE)
        depth += reader->entries[execution->started].depth;
    return depth;
}

static void write_around(struct annot__page *page, uint32_t base)
{
    const annot_reader *reader = page->reader;
    uint64_t shown = 0;
    annot__tree_visit(page, page->outer.count);
    for (uint32_t i = 0; i < page->outer.count && page->nodes_left > 0; i++) {
        const struct annot__crossing *crossing = &reader->crossings[page->outer.crossings[i]];
        const struct annot__execution *opener = &reader->executions[crossing->opener];
        const struct annot__stream *stream = &reader->streams[opener->stream];
        for (uint32_t k = 0; k < crossing->count && page->nodes_left > 0; k++, shown++) {
            if (!page->options->all && shown >= AROUND_SHOWN &&
                shown + AROUND_SHOWN < page->outer.depth) {
                /* chains can be long, so jump to the part that is shown again */
                uint64_t left = page->outer.depth - AROUND_SHOWN - shown;
                uint32_t here = crossing->count - k;
                uint32_t jump = left < here ? (uint32_t)left : here;
                if (shown == AROUND_SHOWN) {
                    annot__indent(page, base + shown);
                    annot__format(page, "... %llu more scopes of earlier %ss ...\n",
                                  (unsigned long long)(page->outer.depth - 2 * AROUND_SHOWN),
                                  page->words->list);
                }
                shown += jump - 1;
                k += jump - 1;
                continue;
            }
            annot__spend_line(page);
            annot__indent(page, base + shown);
            annot__say_state(page, annot__outer_scope_state(reader, crossing, k));
            annot__say_entry_name(
                page, reader->unclosed[stream->unclosed.first + crossing->first + k], true);
            annot__styled(page, YELLOW, "  (crosses %ss: opened in submission %llu, %s %u)",
                          page->words->list,
                          (unsigned long long)reader->submissions[opener->submission].serial,
                          page->words->list, opener->list + 1);
            annot__say(page, "\n");
        }
    }
}

static void write_execution(struct annot__page *page, uint32_t index, uint32_t base)
{
    const annot_reader *reader = page->reader;
    const struct annot__execution *execution = &reader->executions[index];
    bool is_open = page->options->all || execution->state == ANNOT_STATE_IN_PROGRESS ||
                   (execution->state == ANNOT_STATE_UNKNOWN && !execution->bounds.is_uniform);
    const struct annot__stream *stream =
        execution->stream == ANNOT__NONE ? NULL : &reader->streams[execution->stream];
    annot__indent(page, base);
    annot__say_state(page, (annot_state)execution->state);
    annot__say_list(page, index);
    if (stream)
        annot__format(page, "  %u %s%s", stream->markers, page->words->marker,
                      annot__plural(stream->markers));
    else
        annot__format(page, "  %ss not in the dump", page->words->marker);
    annot__styled(page, DIM, page->options->branches ? "  %s (%s)" : "  -- %s: %s",
                  annot_state_text((annot_state)execution->state),
                  annot_evidence_text(reader, (annot_evidence)execution->evidence));
    if (!is_open && page->outer.depth > 0) {
        const struct annot__crossing *inner =
            &reader->crossings[page->outer.crossings[page->outer.count - 1]];
        const struct annot__stream *opener =
            &reader->streams[reader->executions[inner->opener].stream];
        annot__say(page, "  (inside ");
        annot__say_quoted_entry(
            page, reader->unclosed[opener->unclosed.first + inner->first + inner->count - 1]);
        annot__format(page, ", which crosses %ss)", page->words->list);
    }
    annot__say(page, "\n");
    if (!is_open || !stream)
        return;
    struct annot__walk walk;
    annot__walk_init(&walk, reader, execution->stream, index, &page->outer);
    page->leaf_depth = leaf_depth_of(page, index);
    write_around(page, base + 1);
    write_entries(page, &walk, base + 1);
}

/* ---- a queue ---- */

static bool is_run_folded(const struct annot__page *page, annot_state state, uint32_t count)
{
    return !page->options->all && state != ANNOT_STATE_IN_PROGRESS && count > ANNOT__TREE_RUN_SHOWN;
}

static void write_submission(struct annot__page *page, uint32_t index, uint32_t base)
{
    const annot_reader *reader = page->reader;
    const struct annot__submitted *submission = &reader->submissions[index];
    struct annot__range range = submission->executions;
    annot__indent(page, base);
    annot__say_state(page, (annot_state)submission->state);
    annot__format(page, "submission %llu, %u %s%s\n", (unsigned long long)submission->serial,
                  range.count, page->words->list, annot__plural(range.count));
    for (uint32_t i = 0, next; i < range.count && page->nodes_left > 0; i = next) {
        const struct annot__execution *first = &reader->executions[range.first + i];
        for (next = i + 1; next < range.count &&
                           reader->executions[range.first + next].state == first->state &&
                           reader->executions[range.first + next].evidence == first->evidence;)
            next++;
        bool is_folded = is_run_folded(page, (annot_state)first->state, next - i);
        for (uint32_t k = i; k < next && page->nodes_left > 0; k++) {
            annot__spend_line(page);
            if (!is_folded || k == i || k + 1 == next)
                write_execution(page, range.first + k, base + 1);
            else if (k == i + 1) {
                annot__indent(page, base + 1);
                annot__say_state(page, (annot_state)first->state);
                annot__format(page, "... %u more %ss %s ...\n", next - i - 2, page->words->list,
                              annot_state_text((annot_state)first->state));
            }
            annot__outer_scopes_leave(&page->outer, range.first + k);
        }
    }
}

/* Returns the common state of a queue's entry and all entries inside, or else IN_PROGRESS, which is
 * never folded. */
static annot_state whole_state(const annot_reader *reader, const struct annot__stream *queue,
                               uint32_t index)
{
    annot_state state = annot_reader_queue_state(reader, index, NULL);
    struct annot__tally tally;
    annot__submissions_among(reader, queue, index, annot__entry_last(reader, index), &tally);
    if (state == ANNOT_STATE_FINISHED && tally.finished == tally.all)
        return ANNOT_STATE_FINISHED;
    if (state == ANNOT_STATE_NOT_STARTED && tally.waiting == tally.all)
        return ANNOT_STATE_NOT_STARTED;
    return ANNOT_STATE_IN_PROGRESS;
}

/* Leaves out the single lists that these entries of a queue submit. */
static void leave_lists(struct annot__page *page, const struct annot__stream *queue, uint32_t first,
                        uint32_t last)
{
    const annot_reader *reader = page->reader;
    struct annot__tally tally;
    const struct annot__range of = annot__submissions_among(reader, queue, first, last, &tally);
    const struct annot__range end = of.count > 0
                                        ? reader->submissions[of.first + of.count - 1].executions
                                        : (struct annot__range){0, 0};
    if (end.first + end.count > 0)
        annot__outer_scopes_leave(&page->outer, end.first + end.count - 1);
}

static void write_queue_fold(struct annot__page *page, const struct annot__stream *queue,
                             uint32_t first, uint32_t last, annot_state state, uint32_t base)
{
    const annot_reader *reader = page->reader;
    struct annot__tally tally;
    const uint32_t oldest = annot__submissions_among(reader, queue, first, last, &tally).first;
    const uint32_t markers = last - first + 1 - tally.all;
    annot__indent(page, base);
    annot__say_state(page, state);
    if (tally.all == 1)
        annot__format(page, "submission %llu",
                      (unsigned long long)reader->submissions[oldest].serial);
    else if (tally.all > 0)
        annot__format(page, "submissions %llu to %llu",
                      (unsigned long long)reader->submissions[oldest].serial,
                      (unsigned long long)reader->submissions[oldest + tally.all - 1].serial);
    if (markers > 0)
        annot__format(page, "%s%u queue %s%s", tally.all ? ", " : "", markers, page->words->marker,
                      annot__plural(markers));
    annot__format(page, " %s\n", annot_state_text(state));
    leave_lists(page, queue, first, last);
}

/* Returns the first entry behind `first`, the `depth`-th open scope of the queue, where work with
 * another state begins. It is an open scope, but none of the innermost. */
static uint32_t forgotten_end(const annot_reader *reader, const struct annot__stream *queue,
                              uint32_t first, uint32_t depth)
{
    const uint32_t *open = reader->unclosed + queue->unclosed.first;
    uint32_t end = first;
    for (uint32_t k = depth + 1; k + ANNOT__TREE_RUN_SHOWN <= queue->unclosed.count; k++) {
        struct annot__tally tally;
        annot__submissions_among(reader, queue, end, open[k] - 1, &tally);
        if (tally.finished != tally.all)
            break;
        end = open[k];
    }
    return end;
}

/* Writes forgotten scopes, which may be nested by thousands. Scopes whose work is done share a
 * line. Returns the entry behind the scopes, or `first` if no scope can be folded. */
static uint32_t write_forgotten(struct annot__page *page, const struct annot__stream *queue,
                                uint32_t first, uint32_t base)
{
    const annot_reader *reader = page->reader;
    const uint32_t depth = reader->entries[first].depth;
    if (page->options->all || reader->entries[first].kind != ANNOT_ENTRY_BEGIN ||
        reader->entries[first].is_closed || depth < ANNOT__TREE_RUN_SHOWN)
        return first;
    const uint32_t end = forgotten_end(reader, queue, first, depth);
    if (end == first || reader->entries[end].depth - depth < 2)
        return first;
    struct annot__tally tally;
    annot__submissions_among(reader, queue, first, end - 1, &tally);
    annot__spend_line(page);
    annot__indent(page, base);
    annot__format(
        page, "... %u more scopes that nothing ended; the %u submissions in them are finished\n",
        reader->entries[end].depth - depth, tally.all);
    leave_lists(page, queue, first, end - 1);
    return end;
}

/* Whether a submission's first list has no markers; in a file there is only one. */
static bool is_bare(const annot_reader *reader, struct annot__range executions)
{
    const uint32_t stream =
        executions.count > 0 ? reader->executions[executions.first].stream : ANNOT__NONE;
    return stream == ANNOT__NONE || reader->streams[stream].markers == 0;
}

static void write_queue_entries(struct annot__page *page, const struct annot__stream *queue)
{
    const annot_reader *reader = page->reader;
    uint32_t end = queue->entries.first + queue->entries.count, unknown = 0, hidden = 0;
    bool is_behind = false; /* in a file of idle lists behind those under way */
    page->lines = 0;
    for (uint32_t i = queue->entries.first, next; i < end && page->nodes_left > 0; i = next) {
        const struct annot__entry *entry = &reader->entries[i];
        next = write_forgotten(page, queue, i, entry->depth + 1);
        if (next != i)
            continue;
        annot_state state =
            page->options->all ? ANNOT_STATE_IN_PROGRESS : whole_state(reader, queue, i);
        next = i + 1;
        if (state != ANNOT_STATE_IN_PROGRESS) {
            uint32_t last = annot__entry_last(reader, i), count = 1;
            while (last + 1 < end && reader->entries[last + 1].parent == entry->parent &&
                   whole_state(reader, queue, last + 1) == state) {
                last = annot__entry_last(reader, last + 1);
                count++;
            }
            next = last + 1;
            if (count > 1 || annot__entry_last(reader, i) > i) {
                annot__spend_line(page);
                write_queue_fold(page, queue, i, last, state, entry->depth + 1);
                continue;
            }
        }
        if (entry->kind == ANNOT_ENTRY_SUBMISSION) {
            annot__spend_line(page);
            const struct annot__submitted *submission = &reader->submissions[entry->leaf.link];
            const bool is_unknown = submission->state == ANNOT_STATE_UNKNOWN;
            is_behind |=
                reader->voice == ANNOT_VOICE_FILE && submission->state == ANNOT_STATE_IN_PROGRESS;
            unknown += is_unknown;
            if (!page->options->all && is_unknown &&
                (unknown > 2 * ANNOT__TREE_RUN_SHOWN ||
                 (is_behind && is_bare(reader, submission->executions)))) {
                hidden++;
                continue;
            }
            write_submission(page, entry->leaf.link, entry->depth + 1);
            continue;
        }
        struct annot__node node = {
            .entry = i,
            .bundle = ANNOT__NONE,
            .depth = entry->depth,
        };
        node.state = annot_reader_queue_state(reader, i, &node.evidence);
        page->lines = 0;
        write_node(page, &node, 1, 0);
    }
    if (hidden > 0)
        annot__format(page, "  ... %u more submissions of unknown state; --all shows them\n",
                      hidden);
}

static const char *list_type_text(const struct annot__page *page, uint64_t id)
{
    const char *const names[] = {page->words->direct, page->words->bundle, "compute",     "copy",
                                 "video decode",      "video process",     "video encode"};
    annot_reader_object object;
    bool is_known = annot_reader_object_find(page->reader, id, &object) &&
                    object.list_type < sizeof names / sizeof *names;
    return is_known ? names[object.list_type] : "unknown kind";
}

static void write_queue(struct annot__page *page, uint32_t index)
{
    static const char *const verdicts[] = {"idle, no work left", "waiting", "work in progress",
                                           "unknown"};
    const annot_reader *reader = page->reader;
    const struct annot__stream *queue = &reader->streams[index];
    annot__style(page, BOLD);
    annot__say(page, "queue ");
    annot__say_object(page, queue->object);
    annot__plain(page);
    const annot_queue_verdict verdict = annot_reader_queue_verdict(reader, index);
    const bool is_done = verdict == ANNOT_QUEUE_IDLE && queue->completed >= queue->submitted;
    annot__format(page, " (%s): %s; submitted %llu, completed %llu%s\n",
                  list_type_text(page, queue->object),
                  is_done ? "idle, everything finished" : verdicts[verdict],
                  (unsigned long long)queue->submitted, (unsigned long long)queue->completed,
                  queue->is_damaged ? ", but this part of the dump is damaged" : "");
    write_queue_entries(page, queue);
}

static void write_recorded(struct annot__page *page)
{
    const annot_reader *reader = page->reader;
    uint32_t count = 0;
    for (uint32_t i = 0; i < reader->stream_count && page->nodes_left > 0; i++) {
        const struct annot__stream *stream = &reader->streams[i];
        if (stream->is_queue || stream->executions > 0 || stream->is_bundle || stream->markers == 0)
            continue;
        if (count++ == 0)
            annot__styled(page, BOLD, "recorded, but not submitted in this dump\n");
        if (count > ANNOT__TREE_RUN_SHOWN && !page->options->all)
            continue;
        annot__spend_line(page);
        const annot_object_type recorder = annot__recorder_of(reader, i);
        annot__format(page, "  %s ",
                      recorder == ANNOT_OBJECT_QUEUE ? "queue"
                      : recorder                     ? page->words->allocator
                                                     : page->words->list);
        annot__say_recorded(page, i, stream->object);
        annot__format(page, "  %u %s%s%s\n", stream->markers, page->words->marker,
                      annot__plural(stream->markers), stream->is_open ? ", still recording" : "");
        if (!page->options->all && !recorder)
            continue;
        struct annot__walk walk;
        annot__walk_init(&walk, reader, i, ANNOT__NONE, NULL);
        write_entries(page, &walk, 2);
    }
    if (count > ANNOT__TREE_RUN_SHOWN && !page->options->all)
        annot__format(page, "  ... %u more %ss; --all shows them\n", count - ANNOT__TREE_RUN_SHOWN,
                      page->words->list);
}

static bool has_not_executed(const annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->submission_count; i++)
        if (reader->submissions[i].state == ANNOT_STATE_NOT_EXECUTED)
            return true;
    return false;
}

void annot__write_tree(struct annot__page *page)
{
    annot__styled(page, BOLD, "\nMARKERS");
    annot__say(page, "  [X] finished  [>] in progress  [ ] not started  [?] unknown");
    annot__say(page, has_not_executed(page->reader) ? "  [-] not executed" : "");
    annot__say(page, !page->options->operations           ? "\n"
                     : page->reader->operation_count == 0 ? "; the dump has no operations\n"
                                                          : "; operations: [X] done  [>] the "
                                                            "first not done  [ ] not done\n");
    for (uint32_t i = 0; i < page->reader->stream_count; i++)
        if (page->reader->streams[i].is_queue)
            write_queue(page, i);
    write_recorded(page);
    if (page->nodes_left == 0)
        annot__styled(page, YELLOW,
                      "... the report's limit is reached; the rest of the tree is not shown\n");
}
