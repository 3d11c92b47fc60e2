/* Lists and queues are called what they were called when they were submitted [ANN-TRUTH-03]. */
#include "check.h"

#include <stdio.h>
#include <string.h>

static void compare(const struct scene *scene, const char *what, uint32_t execution,
                    const annot_text *said, uint32_t name)
{
    char right[16] = "";
    if (name != 0)
        snprintf(right, sizeof right, "n%u", name);
    if (scene->has_failed && said->size == 0) /* there was no memory for it */
        return;
    if (said->size != strlen(right) ||
        (said->size > 0 && memcmp(said->data, right, said->size) != 0))
        complain(scene->verdict, what, "execution %u is called \"%.*s\", not \"%s\"", execution,
                 (int)said->size, said->data ? said->data : "", right);
}

void check_names(const struct scene *scene)
{
    annot_reader_execution e;
    for (uint32_t i = 0; annot_reader_execution_at(scene->reader, i, &e); i++) {
        const int known = scene_execution(scene, i);
        if (known < 0)
            continue;
        const struct queue_truth *queue = &scene->truth->queues[scene->queue_of[e.queue]];
        annot_reader_submission s;
        compare(scene, "name of a list", i, &e.name, queue->executions[known].name);
        if (annot_reader_submission_at(scene->reader, e.submission, &s))
            compare(scene, "name of a queue", i, &s.queue_name,
                    scene->entry_of[e.submission]->name);
    }
}
