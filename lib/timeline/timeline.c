/* Makes tracks of slices from the times of submissions. */
#include "report/line.h"
#include "timeline/timeline_queue.h"

#include <stdlib.h>
#include <string.h>

/* ---- the CPU's calls ---- */

static int compare_calls(const void *a, const void *b)
{
    const annot_timeline_slice *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static annot_timeline_track *add_track(struct annot_timeline *timeline, annot_track_kind kind,
                                       uint64_t id)
{
    annot_timeline_track *track =
        annot__list_add(timeline, &timeline->tracks, sizeof(annot_timeline_track));
    if (track)
        *track =
            (annot_timeline_track){.kind = kind, .id = id, .first_slice = timeline->slices.count};
    return track;
}

/* Makes tracks from slices that are sorted by thread. Before this call, `number` is the thread. */
static void split_by_thread(struct annot_timeline *timeline)
{
    const size_t count = timeline->slices.count;
    for (size_t i = 0; i < count; i++) {
        annot_timeline_slice *slice = annot__slice(timeline, i);
        if (i == 0 || slice->number != annot__slice(timeline, i - 1)->number) {
            if (!add_track(timeline, ANNOT_TRACK_THREAD, slice->number))
                return;
            ((annot_timeline_track *)timeline->tracks.items)[timeline->tracks.count - 1]
                .first_slice = i;
        }
        slice->track = (uint32_t)timeline->tracks.count - 1;
        ((annot_timeline_track *)timeline->tracks.items)[slice->track].slice_count++;
    }
    for (size_t i = 0; i < count; i++)
        annot__slice(timeline, i)->number = 0;
}

static void add_calls(struct annot_timeline *timeline)
{
    const annot_reader *reader = timeline->reader;
    for (uint32_t i = 0; i < reader->submitted_count; i++) {
        const struct annot__submitted_times *times = &reader->submitted[i];
        const struct annot__dump_SUBMITTED *fields = &times->fields;
        if (times->is_damaged || !(fields->flags & ANNOT_SUBMITTED_CALLED))
            continue;
        annot__slice_add(timeline,
                         &(annot_timeline_slice){
                             .kind = ANNOT_SLICE_SUBMIT,
                             .begin = fields->cpu_begin,
                             .end = fields->cpu_end > fields->cpu_begin ? fields->cpu_end
                                                                        : fields->cpu_begin,
                             .is_unfinished = fields->cpu_end < fields->cpu_begin,
                             .submission = fields->submission,
                             .queue = times->queue,
                             .list = ANNOT__NONE,
                             .entry = ANNOT__NONE,
                             .op = ANNOT__NONE,
                             .number = fields->thread,
                         });
    }
    if (timeline->slices.count > 1)
        qsort(timeline->slices.items, timeline->slices.count, sizeof(annot_timeline_slice),
              compare_calls);
    split_by_thread(timeline);
}

/* ---- all of it ---- */

static void find_ends(struct annot_timeline *timeline)
{
    const annot_reader *reader = timeline->reader;
    if (reader->clock_count > 0) {
        timeline->begin = reader->clocks[0].cpu;
        timeline->end = reader->clocks[reader->clock_count - 1].cpu;
    } else {
        timeline->begin = UINT64_MAX;
    }
    for (uint32_t i = 0; i < reader->submitted_count; i++) {
        const struct annot__dump_SUBMITTED *fields = &reader->submitted[i].fields;
        if (fields->flags & ANNOT_SUBMITTED_CALLED && fields->cpu_begin < timeline->begin)
            timeline->begin = fields->cpu_begin;
        if (fields->cpu_end > timeline->end)
            timeline->end = fields->cpu_end;
    }
    if (timeline->begin > timeline->end)
        timeline->begin = timeline->end;
}

static void add_queues(struct annot_timeline *timeline)
{
    const annot_reader *reader = timeline->reader;
    for (uint32_t i = 0, end; i < reader->submitted_count; i = end) {
        const uint64_t queue = reader->submitted[i].fields.queue;
        for (end = i + 1;
             end < reader->submitted_count && reader->submitted[end].fields.queue == queue;)
            end++;
        annot_timeline_track *track = add_track(timeline, ANNOT_TRACK_QUEUE, queue);
        if (!track)
            return;
        annot__timeline_queue(timeline, i, end);
        track->slice_count = timeline->slices.count - track->first_slice;
    }
}

annot_result annot_timeline_create(const annot_reader *reader, annot_timeline **out)
{
    if (!out)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    *out = NULL;
    if (!reader)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    annot_timeline *timeline = annot__report_allocate(reader, sizeof *timeline);
    if (!timeline)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    *timeline =
        (annot_timeline){.reader = reader, .visits_left = annot__report_visit_limit(reader)};
    find_ends(timeline);
    add_calls(timeline);
    add_queues(timeline);
    if (timeline->is_out_of_memory) {
        annot_timeline_destroy(timeline);
        return ANNOT_ERROR_OUT_OF_MEMORY;
    }
    *out = timeline;
    return ANNOT_OK;
}

void annot_timeline_destroy(annot_timeline *timeline)
{
    if (!timeline)
        return;
    annot__list_release(timeline, &timeline->tracks, sizeof(annot_timeline_track));
    annot__list_release(timeline, &timeline->slices, sizeof(annot_timeline_slice));
    annot__list_release(timeline, &timeline->waiting, sizeof(annot_timeline_waiting));
    annot__list_release(timeline, &timeline->open, sizeof(struct annot__open_scope));
    annot__list_release(timeline, &timeline->outer, sizeof(struct annot__open_scope));
    annot__report_release(timeline->reader, timeline, sizeof *timeline);
}

/* ---- questions ---- */

void annot_timeline_get_about(const annot_timeline *timeline, annot_timeline_about *out)
{
    *out = (annot_timeline_about){
        .begin = timeline->begin,
        .end = timeline->end,
        .tracks = timeline->tracks.count,
        .slices = timeline->slices.count,
        .waiting = timeline->waiting.count,
        .left_out = timeline->left_out,
        .untimed = timeline->untimed,
        .forgotten = timeline->reader->times_forgotten,
    };
}

static bool item_at(const struct annot__list *list, size_t index, void *out, size_t size)
{
    if (index >= list->count)
        return false;
    memcpy(out, (const char *)list->items + index * size, size);
    return true;
}

bool annot_timeline_track_at(const annot_timeline *timeline, size_t index,
                             annot_timeline_track *out)
{
    return item_at(&timeline->tracks, index, out, sizeof *out);
}

bool annot_timeline_slice_at(const annot_timeline *timeline, size_t index,
                             annot_timeline_slice *out)
{
    return item_at(&timeline->slices, index, out, sizeof *out);
}

bool annot_timeline_waiting_at(const annot_timeline *timeline, size_t index,
                               annot_timeline_waiting *out)
{
    return item_at(&timeline->waiting, index, out, sizeof *out);
}

/* ---- names ---- */

static size_t put(char *buffer, size_t capacity, const char *text)
{
    return annot__printable(buffer, capacity, text, strlen(text));
}

size_t annot_timeline_track_name(const annot_timeline *timeline, size_t index, char *buffer,
                                 size_t capacity)
{
    char text[64];
    annot_timeline_track track;
    if (!annot_timeline_track_at(timeline, index, &track))
        return put(buffer, capacity, "");
    annot_text name = {NULL, 0};
    if (track.kind == ANNOT_TRACK_QUEUE)
        name = annot__called_last(timeline->reader, track.id).name;
    if (name.size > 0)
        return annot__printable(buffer, capacity, name.data, name.size);
    snprintf(text, sizeof text, track.kind == ANNOT_TRACK_QUEUE ? "queue #%llu" : "thread %llu",
             (unsigned long long)track.id);
    return put(buffer, capacity, text);
}

/* Writes the name of a submit slice, with the queue, because a thread's track has calls of several
 * queues. */
static size_t put_submit(const annot_reader *reader, uint32_t queue, char *buffer, size_t capacity)
{
    struct annot__line line;
    if (capacity == 0)
        return 0;
    annot__line_init(&line, reader, buffer, capacity);
    annot__line_say(&line, "ExecuteCommandLists");
    if (queue != ANNOT__NONE) {
        annot__line_say(&line, " on ");
        annot__line_called(&line, annot__called_last(reader, reader->streams[queue].object));
    }
    return line.size;
}

size_t annot_timeline_slice_name(const annot_timeline *timeline, size_t index, char *buffer,
                                 size_t capacity)
{
    char text[64];
    annot_timeline_slice slice;
    if (!annot_timeline_slice_at(timeline, index, &slice))
        return put(buffer, capacity, "");
    switch (slice.kind) {
    case ANNOT_SLICE_SUBMIT:
        return put_submit(timeline->reader, slice.queue, buffer, capacity);
    case ANNOT_SLICE_SUBMISSION:
        snprintf(text, sizeof text, "submission %llu", (unsigned long long)slice.submission);
        return put(buffer, capacity, text);
    case ANNOT_SLICE_LIST:
        snprintf(text, sizeof text, "%s %llu", annot__words_of(timeline->reader)->list,
                 (unsigned long long)slice.list + 1);
        return put(buffer, capacity, text);
    case ANNOT_SLICE_SCOPE:
        return annot_reader_entry_name(timeline->reader, slice.entry, buffer, capacity);
    case ANNOT_SLICE_CALL:
        break;
    }
    return put(buffer, capacity, annot_op_text(slice.op));
}
