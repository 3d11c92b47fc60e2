#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void complain(struct verdict *verdict, const char *kind, const char *format, ...)
{
    va_list arguments;
    if (verdict->count++ >= COMPLAINTS_MAX)
        return;
    struct complaint *complaint = &verdict->complaints[verdict->count - 1];
    snprintf(complaint->kind, sizeof complaint->kind, "%s", kind);
    va_start(arguments, format);
    vsnprintf(complaint->text, sizeof complaint->text, format, arguments);
    va_end(arguments);
}

bool scene_lies(const struct scene *scene)
{
    return strcmp(scene->program->witnesses.driver, "hostile") == 0;
}

uint32_t scene_marker(const struct scene *scene, uint32_t entry)
{
    char name[64];
    annot_reader_entry_name(scene->reader, entry, name, sizeof name);
    return name[0] == 'm' ? (uint32_t)strtoul(name + 1, NULL, 10) : 0;
}

int scene_execution(const struct scene *scene, uint32_t execution)
{
    annot_reader_execution e;
    if (!annot_reader_execution_at(scene->reader, execution, &e) ||
        e.submission >= SUBMISSIONS_MAX || !scene->entry_of[e.submission])
        return -1;
    const struct queue_entry *entry = scene->entry_of[e.submission];
    return e.list < entry->count ? (int)(entry->first + e.list) : -1;
}

bool scene_is_inner(const struct scene *scene, uint32_t stream)
{
    annot_reader_stream info;
    annot_reader_object object;
    return annot_reader_stream_at(scene->reader, stream, &info) &&
           annot_reader_object_find(scene->reader, info.object, &object) && object.kind == 0;
}

uint32_t scene_ordinal(const struct scene *scene, uint32_t stream, uint32_t entry)
{
    annot_reader_stream info;
    annot_reader_entry e;
    uint32_t ordinal = 0;
    if (!annot_reader_stream_at(scene->reader, stream, &info))
        return 0;
    for (uint32_t i = info.first_entry; i <= entry; i++) {
        if (!annot_reader_entry_at(scene->reader, i, &e) || e.kind != ANNOT_ENTRY_BUNDLE)
            continue;
        const bool is_inner = e.link != ANNOT_READER_NONE && scene_is_inner(scene, e.link);
        ordinal += !is_inner;
        if (i == entry && is_inner)
            return 0;
    }
    return ordinal;
}

/* Queues have numbers that go up as they are made. */
static bool find_queues(struct scene *scene)
{
    struct {
        uint64_t object;
        uint32_t stream;
    } found[QUEUES];
    uint32_t count = 0;
    annot_reader_stream stream;
    for (size_t i = 0; i < STREAMS_MAX; i++)
        scene->queue_of[i] = QUEUES;
    for (uint32_t i = 0; annot_reader_stream_at(scene->reader, i, &stream); i++) {
        if (!stream.is_queue)
            continue;
        if (count == QUEUES || i >= STREAMS_MAX)
            return false;
        uint32_t at = count++;
        for (; at > 0 && found[at - 1].object > stream.object; at--)
            found[at] = found[at - 1];
        found[at].object = stream.object;
        found[at].stream = i;
    }
    if (count != scene->truth->queue_count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        scene->queue_of[found[i].stream] = scene->truth->queue_order[i];
    return true;
}

/* A queue's submissions are in order. The runtime makes some without lists, for markers that wait
 * to be given to the GPU; a program's have some. */
static bool find_submissions(struct scene *scene)
{
    uint32_t next[QUEUES] = {0};
    annot_reader_submission s;
    memset(scene->entry_of, 0, sizeof scene->entry_of);
    for (uint32_t i = 0; annot_reader_submission_at(scene->reader, i, &s); i++) {
        if (s.execution_count == 0)
            continue;
        const uint32_t q = scene->queue_of[s.queue];
        const struct queue_truth *queue = &scene->truth->queues[q];
        uint32_t *at = &next[q];
        while (*at < queue->entry_count &&
               (queue->entries[*at].kind != ENTRY_SUBMISSION || !queue->entries[*at].is_known))
            ++*at;
        if (*at == queue->entry_count || i >= SUBMISSIONS_MAX ||
            queue->entries[*at].count != s.execution_count)
            return false;
        scene->entry_of[i] = &queue->entries[(*at)++];
    }
    return true;
}

/* Without memory, or beyond the budget, the library has kept less than there was, and counts what
 * it lost: which ones nobody can say. */
static bool has_lost_submissions(const struct scene *scene)
{
    return annot_reader_loss(scene->reader, ANNOT_LOSS_SUBMISSIONS) > 0;
}

static void check_dump(const struct scene *scene, const struct outcome *outcome, const char *folder)
{
    check_states(scene);
    check_names(scene);
    check_outputs(scene, folder ? outcome : NULL);
    check_page(scene);
    if (folder)
        check_dred(scene, outcome);
    if (scene_lies(scene))
        return;
    check_guilt(scene);
    check_path(scene);
    check_operations(scene);
    check_findings(scene);
    check_timeline(scene);
    if (folder && scene->program->seed % 4 == 0 && !outcome->has_failed)
        check_signature(scene, folder);
}

/* `folder` NULL: the dump that was made behind the stop, without evidence of it. */
static void check_file(struct scene *scene, const struct outcome *outcome, const char *path,
                       const char *folder)
{
    const annot_result result = annot_reader_open_file(NULL, path, &scene->reader);
    if (result != ANNOT_OK)
        complain(scene->verdict, "unreadable", "the dump can't be opened: %d", (int)result);
    else if (!find_queues(scene))
        complain(scene->verdict, "queues", "the dump has other queues than the program has");
    else if ((outcome->has_failed || scene->program->witnesses.budget) &&
             has_lost_submissions(scene))
        check_findings(scene);
    else if (!find_submissions(scene))
        complain(scene->verdict, "submissions",
                 "the dump has other submissions than the program made");
    else
        check_dump(scene, outcome, folder);
    annot_reader_close(scene->reader);
}

void check_outcome(const struct program *program, const struct outcome *outcome, const char *folder,
                   struct verdict *verdict)
{
    struct scene scene = {.program = program,
                          .truth = &outcome->truth,
                          .has_failed = outcome->has_failed,
                          .verdict = verdict};
    if (outcome->lost_lookups > 0)
        complain(verdict, "lookup", "%u EventIDs that the driver got were unknown",
                 outcome->lost_lookups);
    if (outcome->dump[0] == '\0')
        complain(verdict, "no dump", "%s",
                 outcome->is_removed ? "the device is removed, and there is no dump"
                                     : "the program ended without a removed device");
    else
        check_file(&scene, outcome, outcome->dump, folder);
    if (outcome->late[0])
        check_file(&scene, outcome, outcome->late, NULL);
}
