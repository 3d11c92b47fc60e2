/* Finds the scopes around a place where the GPU stopped, outermost first. */
#include "reader/ask.h"
#include "analysis/states.h"

#include <stdio.h>

/* Collects scopes from the inside out, and keeps the first and the last ANNOT__PATH_END. Other
 * scopes are only counted. */
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

/* Collects the scopes of a crossing, which are all around a stop. */
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

/* Collects scopes of earlier lists. */
static void collect_crossings(const annot_reader *reader, struct collector *collector,
                              const annot_reader_stop *stop)
{
    for (uint32_t i = reader->crossing_count; i-- > 0;) {
        const struct annot__crossing *crossing = &reader->crossings[i];
        const uint32_t open = annot__crossing_open_at(reader, crossing, stop);
        if (open == 0)
            continue;
        const struct annot__stream *opener =
            &reader->streams[reader->executions[crossing->opener].stream];
        collect_crossing(collector, reader->unclosed + opener->unclosed.first + crossing->first,
                         open);
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
    collect_crossings(reader, &collector, stop);
    collect_scopes(reader, &collector,
                   reader->entries[reader->submissions[stop->submission].entry].parent);
    path_from(&collector, path);
}

void annot__path_of_submission(const annot_reader *reader, uint32_t submission,
                               struct annot__path *path)
{
    struct collector collector = {.count = 0};
    if (submission != ANNOT__NONE)
        collect_scopes(reader, &collector,
                       reader->entries[reader->submissions[submission].entry].parent);
    path_from(&collector, path);
}

enum { EARLIER_MAX = 64 /* number of entries before a submission that are read */ };

/* Whether a scope that the submission's thread began was ended by another one not long before. */
static bool is_ended_elsewhere(const annot_reader *reader, uint32_t entry, uint32_t thread)
{
    const struct annot__stream *queue = &reader->streams[annot__entry_stream(reader, entry)];
    const uint32_t depth = reader->entries[entry].depth;
    uint32_t at = entry;
    for (int i = 0; i < EARLIER_MAX && at > queue->entries.first; i++) {
        if (reader->entries[at - 1].depth < depth)
            return false;
        at = annot__entry_outward(reader, at - 1, depth);
        if (reader->entries[at].is_closed_elsewhere && annot__entry_thread(reader, at) == thread)
            return true;
    }
    return false;
}

bool annot__mixes_threads(const annot_reader *reader, uint32_t submission)
{
    const uint32_t entry = reader->submissions[submission].entry;
    const uint32_t thread = annot__entry_thread(reader, entry);
    struct annot__path path;
    annot__path_of_submission(reader, submission, &path);
    for (uint32_t i = 0; i < path.count; i++)
        if (annot__entry_thread(reader, path.entries[i]) != thread)
            return true;
    return is_ended_elsewhere(reader, entry, thread);
}

size_t annot__path_text(const annot_reader *reader, const struct annot__path *path, char *buffer,
                        size_t capacity)
{
    char name[1024];
    size_t size = 0;
    buffer[0] = 0;
    for (uint32_t i = 0; i < path->count; i++) {
        if (i > 0)
            annot__printable_add(buffer, &capacity, &size, " / ", 3);
        if (i == ANNOT__PATH_END && path->gap > 0) {
            char gap[48];
            int length =
                snprintf(gap, sizeof gap, "... %llu more ... / ", (unsigned long long)path->gap);
            annot__printable_add(buffer, &capacity, &size, gap, (size_t)length);
        }
        size_t length = annot_reader_entry_name(reader, path->entries[i], name, sizeof name);
        annot__printable_add(buffer, &capacity, &size, name, length);
    }
    return size;
}
