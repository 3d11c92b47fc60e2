#include "dred/execution.h"

struct dred_execution *dred_execution_create(struct dred_words *words,
                                             const struct dred_submission *submission,
                                             const struct dred_source *source, uint32_t index)
{
    struct dred_execution *execution = calloc(1, sizeof *execution);
    if (!execution)
        return NULL;
    if (!dred_words_take(words, 1 + source->log->bundle_count, &execution->run)) {
        free(execution);
        return NULL;
    }
    execution->queue = submission->queue;
    execution->list = source->list;
    execution->queue_object = submission->queue_object;
    execution->serial = submission->serial;
    execution->index = index;
    execution->queue_names = dred_names_copy(submission->names);
    execution->list_names = dred_names_copy(source->names);
    dred_log_retain(source->log);
    execution->log = source->log;
    return execution;
}

void dred_execution_destroy(struct dred_words *words, struct dred_execution *execution)
{
    dred_words_give(words, &execution->run);
    dred_log_release(execution->log);
    dred_names_free(&execution->queue_names);
    dred_names_free(&execution->list_names);
    free(execution);
}
