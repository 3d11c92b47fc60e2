/* Finds markers by EventID. EventIDs are places in memory, so the markers of one chunk have
 * ascending EventIDs. A chunk with any number of markers takes one run of the index. A device with
 * a million markers has some hundred runs.
 *
 *     run    consecutive entries, all of them markers; their EventIDs ascend and are of one use
 *            of one slot
 *     index  runs by their first EventID; ranges of EventIDs don't overlap
 *
 * If ranges overlap, the dump has repeated or damaged data. Each marker then becomes a run, and an
 * EventID of several markers is not found, because the driver may mean any of these markers. */
#include "dump_read/dump_model.h"

#include "base/search.h"

void annot__event_add(annot_reader *reader, uint32_t entry, uint64_t id, uint64_t before)
{
    if (reader->run_count > 0) {
        struct annot__event_run *run = &reader->runs[reader->run_count - 1];
        if (run->last + 1 == entry && annot__id_follows(id, before)) {
            run->last = entry;
            return;
        }
    }
    annot__index_add(&reader->event_index, id, reader->run_count);
    reader->runs[reader->run_count++] = (struct annot__event_run){entry, entry};
}

/* Returns the last EventID of the index's n-th run. */
static uint64_t last_of(const annot_reader *reader, uint32_t n)
{
    return annot__entry_event_id(reader, reader->runs[reader->event_index.entries[n].value].last);
}

static bool has_overlap(const annot_reader *reader)
{
    const struct annot__index *index = &reader->event_index;
    for (uint32_t i = 1; i < index->count; i++)
        if (last_of(reader, i - 1) >= index->entries[i].key)
            return true;
    return false;
}

/* Replaces all runs by a run for each marker. */
static bool split_runs(annot_reader *reader)
{
    uint32_t markers = 0;
    for (uint32_t i = 0; i < reader->entry_count; i++)
        markers += annot__entry_is_marker(&reader->entries[i]);
    annot__reader_release(reader, reader->runs, reader->runs_capacity, sizeof *reader->runs);
    annot__reader_release(reader, reader->event_index.entries, reader->runs_capacity,
                          sizeof *reader->event_index.entries);
    reader->runs_capacity = markers;
    reader->run_count = reader->event_index.count = 0;
    reader->event_index.entries = NULL;
    reader->runs = annot__reader_allocate(reader, markers, sizeof *reader->runs);
    reader->event_index.entries =
        annot__reader_allocate(reader, markers, sizeof *reader->event_index.entries);
    if (!reader->runs || !reader->event_index.entries)
        return false;
    for (uint32_t i = 0; i < reader->entry_count; i++) {
        if (!annot__entry_is_marker(&reader->entries[i]))
            continue;
        annot__index_add(&reader->event_index, annot__entry_event_id(reader, i), reader->run_count);
        reader->runs[reader->run_count++] = (struct annot__event_run){i, i};
    }
    return true;
}

static void forget_repeated(annot_reader *reader)
{
    struct annot__index *index = &reader->event_index;
    for (uint32_t i = 0, next; i < index->count; i = next) {
        for (next = i + 1; next < index->count && index->entries[next].key == index->entries[i].key;
             next++)
            ANNOT__FIND(&reader->findings, EVENT_ID_REPEATED,
                        reader->entries[reader->runs[index->entries[next].value].first].offset,
                        index->entries[i].key);
        if (next - i > 1)
            for (uint32_t k = i; k < next; k++)
                index->entries[k].value = ANNOT__NONE;
    }
}

bool annot__event_index_make(annot_reader *reader)
{
    if (!annot__index_sort(reader, &reader->event_index))
        return false;
    if (!has_overlap(reader))
        return true;
    if (!split_runs(reader) || !annot__index_sort(reader, &reader->event_index))
        return false;
    forget_repeated(reader);
    return true;
}

uint32_t annot__event_find(const annot_reader *reader, uint64_t event_id)
{
    const struct annot__index *index = &reader->event_index;
    uint32_t low = 0, high = index->count;
    ANNOT__LOWER_BOUND(low, high, i, index->entries[i].key <= event_id)
    if (event_id == 0 || low == 0 || index->entries[low - 1].value == ANNOT__NONE)
        return ANNOT__NONE;
    const struct annot__event_run *run = &reader->runs[index->entries[low - 1].value];
    uint32_t first = run->first, end = run->last;
    ANNOT__LOWER_BOUND(first, end, i, annot__entry_event_id(reader, i) < event_id)
    return annot__entry_event_id(reader, first) == event_id ? first : ANNOT__NONE;
}
