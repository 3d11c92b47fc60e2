/* Walks through the entries of an execution in order, with the entries of bundles and with
 * states. */
#include "reader/ask.h"
#include "analysis/analysis.h"
#include "analysis/states.h"

annot_object_type annot__recorder_of(const annot_reader *reader, uint32_t stream)
{
    annot_reader_object object;
    if (!annot_reader_object_find(reader, reader->streams[stream].object, &object) ||
        (object.type != ANNOT_OBJECT_QUEUE && object.type != ANNOT_OBJECT_COMMAND_ALLOCATOR))
        return 0;
    return (annot_object_type)object.type;
}

void annot__walk_init(struct annot__walk *walk, const annot_reader *reader, uint32_t stream,
                      uint32_t execution, const struct annot__outer_scopes *outer)
{
    *walk = (struct annot__walk){.reader = reader, .frames = 1};
    walk->frame[0].stream = &reader->streams[stream];
    walk->frame[0].at = reader->streams[stream].entries.first;
    walk->frame[0].end = walk->frame[0].at + reader->streams[stream].entries.count;
    walk->frame[0].bundle = ANNOT__NONE;
    walk->frame[0].bounds =
        (struct annot__progress_bounds){.is_uniform = true,
                                        .state = annot__recorder_of(reader, stream)
                                                     ? ANNOT_STATE_UNKNOWN
                                                     : ANNOT_STATE_NOT_STARTED};
    if (execution != ANNOT__NONE) {
        walk->execution = &reader->executions[execution];
        walk->frame[0].bounds = walk->execution->bounds;
    }
    if (!outer)
        return;
    walk->frame[0].depth = outer->depth;
    /* this execution closes the innermost scopes, because scopes nest */
    for (uint32_t i = outer->count; i-- > 0;) {
        const struct annot__crossing *crossing = &reader->crossings[outer->crossings[i]];
        if (crossing->closer != execution)
            break;
        walk->closed += crossing->count;
    }
}

void annot__walk_peek(const struct annot__walk *walk, uint32_t index, struct annot__node *node)
{
    const annot_reader *reader = walk->reader;
    const struct annot__entry *entry = &reader->entries[index];
    uint32_t top = walk->frames - 1;
    *node = (struct annot__node){
        .entry = index,
        .bundle = walk->frame[top].bundle,
        .depth = walk->frame[top].depth + entry->depth,
        .state = annot__bounds_state(reader, &walk->frame[top].bounds, entry->begin, entry->end),
        .evidence = (annot_evidence)walk->frame[top].bounds.evidence,
        .closes_earlier = entry->kind == ANNOT_ENTRY_SURPLUS_END &&
                          entry->leaf.link < walk->closed, /* never ANNOT__NONE, nor in bundles */
    };
    if (entry->kind == ANNOT_ENTRY_BEGIN && walk->execution)
        annot__crossing_find(reader, (uint32_t)(walk->execution - reader->executions), index,
                             &node->state, &node->evidence);
    if (entry->kind == ANNOT_ENTRY_BUNDLE && walk->execution && top == 0) {
        struct annot__progress_bounds bounds;
        annot__bundle_bounds(reader, walk->execution, index, &bounds);
        node->state = annot__bundle_state(&bounds);
        node->evidence = (annot_evidence)bounds.evidence;
    }
}

bool annot__walk_next(struct annot__walk *walk, struct annot__node *node)
{
    while (walk->frames > 0 &&
           walk->frame[walk->frames - 1].at == walk->frame[walk->frames - 1].end)
        walk->frames--;
    if (walk->frames == 0)
        return false;
    annot__walk_peek(walk, walk->frame[walk->frames - 1].at++, node);
    if (node->closes_earlier)
        walk->frame[0].depth--;
    return true;
}

void annot__walk_enter(struct annot__walk *walk, const struct annot__node *bundle)
{
    const struct annot__entry *entry = &walk->reader->entries[bundle->entry];
    if (entry->kind != ANNOT_ENTRY_BUNDLE || entry->leaf.link == ANNOT__NONE) /* a nested bundle */
        return;
    const struct annot__stream *stream = &walk->reader->streams[entry->leaf.link];
    walk->frame[1].at = stream->entries.first;
    walk->frame[1].end = stream->entries.first + stream->entries.count;
    walk->frame[1].depth = bundle->depth + 1;
    walk->frame[1].bundle = bundle->entry;
    walk->frame[1].bounds = walk->frame[0].bounds;
    if (walk->execution)
        annot__bundle_bounds(walk->reader, walk->execution, bundle->entry, &walk->frame[1].bounds);
    walk->frames = 2;
}

void annot__walk_skip(struct annot__walk *walk, uint32_t entry)
{
    walk->frame[walk->frames - 1].at = annot__entry_last(walk->reader, entry) + 1;
}
