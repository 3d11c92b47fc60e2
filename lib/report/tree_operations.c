/* Writes operations into the tree of a text report, each operation in its scope. A walk returns no
 * operations; their offsets in the file, compared with the offsets of entries, give the order. */
#include "report/tree_operations.h"

#include "report/answer.h"
#include "report/tree_line.h"

static annot_state state_of(annot_operation_state state)
{
    static const annot_state states[] = {
        [ANNOT_OPERATION_UNKNOWN] = ANNOT_STATE_UNKNOWN,
        [ANNOT_OPERATION_DONE] = ANNOT_STATE_FINISHED,
        [ANNOT_OPERATION_STOPPED] = ANNOT_STATE_IN_PROGRESS,
        [ANNOT_OPERATION_NOT_DONE] = ANNOT_STATE_NOT_STARTED,
    };
    return states[state];
}

/* ---- frames ---- */

static void set_frame(struct annot__page *page, uint32_t stream, uint32_t bundle, uint64_t depth)
{
    const struct annot__range *noted = &page->reader->streams[stream].noted;
    const uint32_t count = page->options->operations ? noted->count : 0;
    page->ops.frame[page->ops.frames++] = (struct annot__op_frame){.bundle = bundle,
                                                                   .stream = stream,
                                                                   .at = noted->first,
                                                                   .end = noted->first + count,
                                                                   .depth = depth,
                                                                   .hidden_first = ANNOT__NONE};
}

void annot__tree_operations_begin(struct annot__page *page, uint32_t execution, uint32_t stream,
                                  uint64_t depth)
{
    page->ops.execution = execution;
    page->ops.frames = 0;
    set_frame(page, stream, ANNOT__NONE, depth);
}

void annot__tree_operations_enter(struct annot__page *page, const struct annot__node *bundle)
{
    const struct annot__entry *entry = &page->reader->entries[bundle->entry];
    if (entry->kind == ANNOT_ENTRY_BUNDLE && entry->leaf.link != ANNOT__NONE)
        set_frame(page, entry->leaf.link, bundle->entry, bundle->depth + 1);
}

void annot__tree_operations_hide(struct annot__page *page, uint32_t first, uint32_t last)
{
    struct annot__op_frame *frame = &page->ops.frame[page->ops.frames - 1];
    frame->hidden_first = first;
    frame->hidden_last = last;
}

/* ---- one operation ---- */

bool annot__tree_operation_at(struct annot__page *page, uint32_t noted,
                              annot_reader_operation *operation, annot_state *state)
{
    const struct annot__op_frame *frame = &page->ops.frame[page->ops.frames - 1];
    if (!annot__noted_at(page->reader, frame->stream, noted, operation))
        return false;
    *state = state_of(page->ops.execution == ANNOT__NONE
                          ? ANNOT_OPERATION_NOT_DONE
                          : annot_reader_operation_state(page->reader, page->ops.execution,
                                                         frame->bundle, operation));
    return true;
}

/* Returns the entry of the scope around an operation, or ANNOT__NONE. */
static uint32_t scope_of(const struct annot__page *page, const annot_reader_operation *operation)
{
    return operation->scope ? annot__event_find(page->reader, operation->scope) : ANNOT__NONE;
}

static uint64_t depth_of(const struct annot__page *page, const annot_reader_operation *operation)
{
    const uint32_t scope = scope_of(page, operation);
    return page->ops.frame[page->ops.frames - 1].depth +
           (scope == ANNOT__NONE ? 0 : (uint64_t)page->reader->entries[scope].depth + 1);
}

void annot__tree_write_operation(struct annot__page *page, const annot_reader_operation *operation,
                                 annot_state state, uint32_t base)
{
    char words[1024];
    struct annot__line line;
    if (!annot__tree_want_line(page, state == ANNOT_STATE_IN_PROGRESS))
        return;
    annot__line_init(&line, page->reader, words, sizeof words);
    line.is_typographic = page->options->branches;
    annot__line_operation(&line, operation);
    annot__indent(page, base + depth_of(page, operation));
    annot__say_state(page, state);
    annot__format(page, "%llu ", (unsigned long long)operation->number + 1);
    annot__out_text(&page->out, words);
    annot__say(page, "\n");
}

/* ---- those in front of an entry ---- */

static bool is_hidden(const struct annot__page *page, const annot_reader_operation *operation)
{
    const struct annot__op_frame *frame = &page->ops.frame[page->ops.frames - 1];
    const uint32_t scope = scope_of(page, operation);
    if (scope != ANNOT__NONE && frame->hidden_first != ANNOT__NONE &&
        scope >= frame->hidden_first && scope <= frame->hidden_last)
        return true;
    return annot__tree_is_too_deep(page, depth_of(page, operation));
}

/* Moves to the next shown operation in front of this place in the file. */
static bool next_shown(struct annot__page *page, uint64_t limit, annot_reader_operation *operation,
                       annot_state *state)
{
    struct annot__op_frame *frame = &page->ops.frame[page->ops.frames - 1];
    for (; frame->at < frame->end && page->reader->operations[frame->at].offset < limit &&
           page->nodes_left > 0;
         frame->at++) {
        annot__tree_visit(page, 1);
        if (annot__tree_operation_at(page, frame->at, operation, state) &&
            !is_hidden(page, operation))
            return true;
    }
    return false;
}

/* Writes operations with one state and scope: the first and last as lines, the others as a
 * number. */
static void write_run(struct annot__page *page, uint64_t limit, const annot_reader_operation *first,
                      annot_state state, uint32_t base)
{
    struct annot__op_frame *frame = &page->ops.frame[page->ops.frames - 1];
    annot_reader_operation next, last[ANNOT__TREE_RUN_SHOWN];
    annot_state next_state;
    uint32_t count = 1;
    last[0] = *first;
    for (frame->at++; next_shown(page, limit, &next, &next_state); frame->at++) {
        if (next_state != state || next.scope != first->scope || state == ANNOT_STATE_IN_PROGRESS)
            break;
        if (page->options->all)
            annot__tree_write_operation(page, &last[(count - 1) % ANNOT__TREE_RUN_SHOWN], state,
                                        base);
        last[count++ % ANNOT__TREE_RUN_SHOWN] = next;
    }
    const uint32_t shown = page->options->all              ? 1
                           : count < ANNOT__TREE_RUN_SHOWN ? count
                                                           : ANNOT__TREE_RUN_SHOWN;
    if (count <= ANNOT__TREE_RUN_SHOWN || page->options->all) {
        for (uint32_t i = count - shown; i < count; i++)
            annot__tree_write_operation(page, &last[i % ANNOT__TREE_RUN_SHOWN], state, base);
        return;
    }
    annot__tree_write_operation(page, first, state, base);
    annot__tree_write_more(page, base + depth_of(page, first), count - 2, state);
    annot__tree_write_operation(page, &last[(count - 1) % ANNOT__TREE_RUN_SHOWN], state, base);
}

static void flush(struct annot__page *page, uint64_t limit, uint32_t base)
{
    annot_reader_operation operation;
    annot_state state;
    while (next_shown(page, limit, &operation, &state))
        write_run(page, limit, &operation, state, base);
}

void annot__tree_operations_before(struct annot__page *page, uint32_t frames, uint32_t entry,
                                   uint32_t base)
{
    while (page->ops.frames > frames) {
        flush(page, UINT64_MAX, base);
        page->ops.frames--;
    }
    if (entry != ANNOT__NONE && page->ops.frames > 0)
        flush(page, page->reader->entries[entry].offset, base);
}

/* ---- siblings of an entry ---- */

uint32_t annot__tree_operation_between(struct annot__page *page, uint32_t from, uint32_t entry,
                                       uint64_t parent, uint64_t limit)
{
    const struct annot__op_frame *frame = &page->ops.frame[page->ops.frames - 1];
    annot_reader_operation operation;
    uint32_t at = from != ANNOT__NONE ? from + 1
                                      : annot__noted_behind(page->reader, frame->at, frame->end,
                                                            page->reader->entries[entry].offset);
    for (; at < frame->end && page->reader->operations[at].offset < limit; at++) {
        annot__tree_visit(page, 1);
        if (annot__noted_at(page->reader, frame->stream, at, &operation) &&
            operation.scope == parent)
            return at;
    }
    return ANNOT__NONE;
}

void annot__tree_operations_pass(struct annot__page *page, uint32_t noted, uint32_t entry)
{
    struct annot__op_frame *frame = &page->ops.frame[page->ops.frames - 1];
    frame->at = noted != ANNOT__NONE ? noted + 1
                                     : annot__noted_behind(page->reader, frame->at, frame->end,
                                                           page->reader->entries[entry].offset);
}
