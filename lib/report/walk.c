#include "report/report.h"

#include <stddef.h>
#include <stdio.h>

/* ---- memory ---- */

void *annot__report_allocate(const annot_reader *reader, size_t size)
{
    const annot_allocator *allocator = &reader->allocator;
    return size > 0 ? allocator->allocate(allocator->user, size, _Alignof(max_align_t)) : NULL;
}

void annot__report_release(const annot_reader *reader, void *memory, size_t size)
{
    if (memory)
        reader->allocator.release(reader->allocator.user, memory, size);
}

/* ---- scopes of earlier lists ---- */

bool annot__around_init(struct annot__around *around, const annot_reader *reader)
{
    *around = (struct annot__around){.reader = reader, .capacity = reader->crossing_count};
    around->crossings =
        annot__report_allocate(reader, around->capacity * sizeof *around->crossings);
    return around->crossings || around->capacity == 0;
}

void annot__around_finish(struct annot__around *around)
{
    annot__report_release(around->reader, around->crossings,
                          around->capacity * sizeof *around->crossings);
}

void annot__around_leave(struct annot__around *around, uint32_t execution)
{
    const struct annot__crossing *crossings = around->reader->crossings;
    while (around->count > 0 && crossings[around->crossings[around->count - 1]].closer <= execution)
        around->depth -= crossings[around->crossings[--around->count]].count;
    while (around->next < around->reader->crossing_count &&
           crossings[around->next].opener <= execution) {
        around->depth += crossings[around->next].count;
        around->crossings[around->count++] = around->next++;
    }
}

/* ---- one execution ---- */

void annot__walk_init(struct annot__walk *walk, const annot_reader *reader, uint32_t stream,
                      uint32_t execution, const struct annot__around *around)
{
    *walk = (struct annot__walk){.reader = reader, .frames = 1};
    walk->frame[0].stream = &reader->streams[stream];
    walk->frame[0].at = reader->streams[stream].entries.first;
    walk->frame[0].end = walk->frame[0].at + reader->streams[stream].entries.count;
    walk->frame[0].bundle = ANNOT__NONE;
    walk->frame[0].cut = (struct annot__cut){.is_uniform = true, .state = ANNOT_STATE_NOT_STARTED};
    if (execution != ANNOT__NONE) {
        walk->execution = &reader->executions[execution];
        walk->frame[0].cut = walk->execution->cut;
    }
    if (!around)
        return;
    walk->frame[0].depth = around->depth;
    /* scopes nest: what this execution closes is innermost */
    for (uint32_t i = around->count; i-- > 0;) {
        const struct annot__crossing *crossing = &reader->crossings[around->crossings[i]];
        if (crossing->closer != execution)
            break;
        walk->closed += crossing->count;
    }
}

void annot__walk_look(const struct annot__walk *walk, uint32_t index, struct annot__node *node)
{
    const annot_reader *reader = walk->reader;
    const struct annot__entry *entry = &reader->entries[index];
    uint32_t top = walk->frames - 1;
    *node = (struct annot__node){
        .entry = index,
        .bundle = walk->frame[top].bundle,
        .depth = walk->frame[top].depth + entry->depth,
        .state = annot__cut_state(reader, &walk->frame[top].cut, entry->begin, entry->end),
        .evidence = (annot_evidence)walk->frame[top].cut.evidence,
        .closes_earlier = top == 0 && entry->kind == ANNOT_ENTRY_SURPLUS_END &&
                          entry->link != ANNOT__NONE && entry->link < walk->closed,
    };
    if (entry->kind == ANNOT_ENTRY_BUNDLE && walk->execution && top == 0) {
        struct annot__cut cut;
        uint32_t started, completed;
        annot__bundle_cut(reader, walk->execution, entry, &cut, &started, &completed);
        node->state = annot__bundle_state(&cut);
        node->evidence = (annot_evidence)cut.evidence;
    }
}

bool annot__walk_next(struct annot__walk *walk, struct annot__node *node)
{
    while (walk->frames > 0 &&
           walk->frame[walk->frames - 1].at == walk->frame[walk->frames - 1].end)
        walk->frames--;
    if (walk->frames == 0)
        return false;
    annot__walk_look(walk, walk->frame[walk->frames - 1].at++, node);
    if (node->closes_earlier)
        walk->frame[0].depth--;
    return true;
}

void annot__walk_enter(struct annot__walk *walk, const struct annot__node *bundle)
{
    const struct annot__entry *entry = &walk->reader->entries[bundle->entry];
    if (walk->frames != 1 || entry->kind != ANNOT_ENTRY_BUNDLE || entry->link == ANNOT__NONE)
        return;
    const struct annot__stream *stream = &walk->reader->streams[entry->link];
    uint32_t started, completed;
    walk->frame[1].stream = stream;
    walk->frame[1].at = stream->entries.first;
    walk->frame[1].end = stream->entries.first + stream->entries.count;
    walk->frame[1].depth = bundle->depth + 1;
    walk->frame[1].bundle = bundle->entry;
    walk->frame[1].cut = walk->frame[0].cut;
    if (walk->execution)
        annot__bundle_cut(walk->reader, walk->execution, entry, &walk->frame[1].cut, &started,
                          &completed);
    walk->frames = 2;
}

void annot__walk_skip(struct annot__walk *walk, uint32_t entry)
{
    if (walk->frames > 0)
        walk->frame[walk->frames - 1].at = walk->reader->entries[entry].last + 1;
}

/* ---- paths ---- */

/* Takes scopes from the inside out; keeps the first and the last ANNOT__PATH_END. Of a longer chain only those are handed
 * to it, and the rest is counted. */
struct collector {
    uint32_t inner[ANNOT__PATH_END], outer[ANNOT__PATH_END];
    uint64_t count;
};

static void collect(struct collector *collector, uint32_t entry)
{
    if (collector->count < ANNOT__PATH_END)
        collector->inner[collector->count] = entry;
    else
        collector->outer[collector->count % ANNOT__PATH_END] = entry;
    collector->count++;
}

static void collect_scopes(const annot_reader *reader, struct collector *collector, uint32_t entry)
{
    for (uint32_t taken = 1; entry != ANNOT__NONE; taken++) {
        uint32_t depth = reader->entries[entry].depth;
        collect(collector, entry);
        entry = reader->entries[entry].parent;
        if (taken == ANNOT__PATH_END && depth > ANNOT__PATH_END) {
            collector->count += depth - ANNOT__PATH_END;
            entry = annot__entry_outward(reader, entry, ANNOT__PATH_END - 1);
        }
    }
}

/* The scopes of a crossing that all lie around a stop. */
static void collect_crossing(struct collector *collector, const uint32_t *scopes, uint32_t count)
{
    for (uint32_t k = count; k-- > 0;) {
        collect(collector, scopes[k]);
        if (count - k == ANNOT__PATH_END && k > ANNOT__PATH_END) {
            collector->count += k - ANNOT__PATH_END;
            k = ANNOT__PATH_END;
        }
    }
}

/* Scopes of earlier lists that were open when this execution stopped: those whose surplus End it hasn't passed. */
static void collect_crossings(const annot_reader *reader, struct collector *collector,
                              uint32_t execution)
{
    for (uint32_t i = reader->crossing_count; i-- > 0;) {
        const struct annot__crossing *crossing = &reader->crossings[i];
        if (crossing->opener >= execution || crossing->closer < execution)
            continue;
        const struct annot__stream *opener =
            &reader->streams[reader->executions[crossing->opener].stream];
        const uint32_t *scopes = reader->unclosed + opener->unclosed.first + crossing->first;
        if (crossing->closer > execution) {
            collect_crossing(collector, scopes, crossing->count);
            continue;
        }
        for (uint32_t k = crossing->count; k-- > 0;)
            if (annot__crossing_state(reader, crossing, k) != ANNOT_STATE_FINISHED)
                collect(collector, scopes[k]);
    }
}

static void path_from(const struct collector *collector, struct annot__path *path)
{
    uint64_t count = collector->count;
    uint64_t inner = count < ANNOT__PATH_END ? count : ANNOT__PATH_END;
    uint64_t outer = count - inner < ANNOT__PATH_END ? count - inner : ANNOT__PATH_END;
    *path = (struct annot__path){.gap = count - inner - outer};
    for (uint64_t i = 0; i < outer; i++)
        path->entries[path->count++] = collector->outer[(count - 1 - i) % ANNOT__PATH_END];
    while (inner-- > 0)
        path->entries[path->count++] = collector->inner[inner];
}

void annot__path_of_stop(const annot_reader *reader, const annot_reader_stop *stop,
                         struct annot__path *path)
{
    struct collector collector = {.count = 0};
    collect_scopes(reader, &collector, stop->bundle_entry);
    collect_scopes(reader, &collector, stop->entry);
    collect_crossings(reader, &collector, stop->execution);
    collect_scopes(reader, &collector,
                   reader->entries[reader->submissions[stop->submission].entry].parent);
    path_from(&collector, path);
}

size_t annot_reader_stop_path(const annot_reader *reader, size_t index, char *buffer,
                              size_t capacity)
{
    struct annot__path path;
    char name[1024];
    size_t size = 0;
    if (capacity == 0)
        return 0;
    buffer[0] = 0;
    if (index >= reader->stop_count)
        return 0;
    annot__path_of_stop(reader, &reader->stops[index], &path);
    for (uint32_t i = 0; i < path.count; i++) {
        if (i > 0)
            size += annot__printable(buffer + size, capacity - size, " / ", 3);
        if (i == ANNOT__PATH_END && path.gap > 0) {
            char gap[48];
            int length =
                snprintf(gap, sizeof gap, "... %llu more ... / ", (unsigned long long)path.gap);
            size += annot__printable(buffer + size, capacity - size, gap, (size_t)length);
        }
        size_t length = annot_reader_entry_name(reader, path.entries[i], name, sizeof name);
        size += annot__printable(buffer + size, capacity - size, name, length);
    }
    return size;
}
