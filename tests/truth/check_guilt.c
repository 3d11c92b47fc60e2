/* Who is held guilty comes first, unless memory proves all of its work done; then both are said
 * [ANN-TRUTH-06]. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

/* The queue that the kernel's driver names, or the one whose engine was reset; 0: none. */
static uint64_t guilty_of(const struct scene *scene)
{
    annot_reader_tdr tdr;
    if (!annot_reader_get_tdr(scene->reader, &tdr))
        return 0;
    return tdr.context ? tdr.context : tdr.queue;
}

/* As far as the counters in memory tell. */
static bool is_done(const struct scene *scene, uint64_t object)
{
    annot_reader_stream stream;
    for (uint32_t i = 0; annot_reader_stream_at(scene->reader, i, &stream); i++)
        if (stream.is_queue && stream.object == object)
            return i < STREAMS_MAX && scene->queue_of[i] < QUEUES &&
                   scene->truth->queues[scene->queue_of[i]].limit ==
                       scene->truth->queues[scene->queue_of[i]].events;
    return false;
}

/* Queues without a name are called by their number. */
static bool names_another(const char *line, uint64_t object)
{
    static const char words[] = " on queue #";
    const char *at = strstr(line, words);
    return at && strtoull(at + sizeof words - 1, NULL, 10) != object;
}

void check_guilt(const struct scene *scene)
{
    const uint64_t guilty = guilty_of(scene);
    annot_reader_suspect first, suspect;
    bool is_said = false;
    char line[4096];
    if (guilty == 0)
        return;
    annot_reader_answer(scene->reader, line, sizeof line);
    for (size_t i = 0; annot_reader_suspect_at(scene->reader, i, &suspect); i++)
        is_said |= suspect.queue_object == guilty;
    if (!is_said)
        complain(scene->verdict, "guilt: unsaid", "queue #%llu: %.200s", (unsigned long long)guilty,
                 line);
    if (!annot_reader_suspect_at(scene->reader, 0, &first) || first.queue_object == guilty) {
        if (first.role != ANNOT_SUSPECT_CLEARED && names_another(line, guilty))
            complain(scene->verdict, "guilt: the first line", "not of queue #%llu: %.200s",
                     (unsigned long long)guilty, line);
        return;
    }
    if (!is_done(scene, guilty))
        complain(scene->verdict, "guilt: another first", "not queue #%llu: %.200s",
                 (unsigned long long)guilty, line);
    if (!strstr(line, "which the kernel holds guilty"))
        complain(scene->verdict, "guilt: one only", "not queue #%llu: %.200s",
                 (unsigned long long)guilty, line);
}
