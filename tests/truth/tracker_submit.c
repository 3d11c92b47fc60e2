/* Submissions: what the GPU is given. */
#include "tracker_play.h"

static void write_started(struct execution *execution, uint64_t offset, uint64_t value)
{
    if (offset == ANNOT_WORDS_NONE)
        return;
    struct flat *op = truth_op(execution, FLAT_WRITE);
    op->started = offset;
    op->started_value = value;
}

static void write_completed(struct execution *execution, enum flat_kind kind, uint64_t offset,
                            uint64_t value)
{
    if (offset == ANNOT_WORDS_NONE)
        return;
    struct flat *op = truth_op(execution, kind);
    op->completed = offset;
    op->completed_value = value;
}

static void add_marker(const struct setup *setup, struct execution *execution,
                       const struct command *command, annot_words words, uint32_t bundle,
                       bool is_nested)
{
    struct flat *op = truth_op(execution, command->kind);
    op->name = is_nested ? 0 : command->name;
    op->bundle = bundle;
    op->is_hung = command->is_hung;
    if (words.started == ANNOT_WORDS_NONE || command->event == 0)
        return;
    if (command->kind == FLAT_BEGIN || command->kind == FLAT_SET) {
        op->started = words.started;
        op->started_value = command->event;
    }
    if (setup->writes_completed && (command->kind == FLAT_END || command->kind == FLAT_SET)) {
        op->completed = words.completed;
        op->completed_value = command->event;
    }
}

/* The recording's commands and those of its bundles. `bundle`: the one of the list that this is, or
 * is inside of. */
static void flatten(const struct setup *setup, struct execution *execution,
                    const struct recording *recording, annot_words words, uint32_t bundle,
                    bool is_nested)
{
    if (setup->writes_entered)
        write_started(execution, words.started, ANNOT_WORD_ENTERED);
    for (int i = 0; i < recording->count; i++) {
        const struct command *command = &recording->commands[i];
        if (command->kind != FLAT_BUNDLE) {
            add_marker(setup, execution, command, words, bundle, is_nested);
            continue;
        }
        truth_op(execution, FLAT_BUNDLE)->bundle = bundle ? UINT32_MAX : command->ordinal;
        flatten(setup, execution, command->bundle, command->bundle->words,
                bundle ? bundle : command->ordinal, bundle != 0);
        truth_op(execution, FLAT_BUNDLE_END);
    }
    if (setup->writes_completed)
        write_completed(execution, FLAT_WRITE, words.completed, ANNOT_WORD_LEFT);
}

static void add_prologue(const struct setup *setup, struct execution *execution,
                         const annot_prologue *prologue)
{
    write_started(execution, prologue->entered, ANNOT_WORD_ENTERED);
    write_started(execution, prologue->restarted, 0);
    write_started(execution, prologue->entered, ANNOT_WORD_LEFT);
    if (!setup->writes_completed)
        return;
    write_completed(execution, FLAT_PROLOGUE, prologue->claimed, ANNOT_WORD_ENTERED);
    write_completed(execution, FLAT_PROLOGUE, prologue->cleared, 0);
    write_completed(execution, FLAT_PROLOGUE, prologue->claimed, ANNOT_WORD_LEFT);
}

/* Whether the markers of all that is recorded are there still. */
static bool is_alive(const struct play *play, const struct recording *recording)
{
    if (play->epochs[recording->arena] != recording->epoch)
        return false;
    for (int i = 0; i < recording->count; i++)
        if (recording->commands[i].kind == FLAT_BUNDLE &&
            !is_alive(play, recording->commands[i].bundle))
            return false;
    return true;
}

enum { PER_SUBMISSION = 3 };

struct batch {
    uint32_t indices[PER_SUBMISSION]; /* lists */
    annot_context *contexts[PER_SUBMISSION];
    uint32_t count;
    annot_words words[PER_SUBMISSION];
    annot_prologue prologues[PER_SUBMISSION];
    uint64_t serial;
};

static void say_submission(const struct op *op, const struct batch *batch)
{
    char lists[128] = "";
    for (uint32_t i = 0; i < batch->count; i++)
        snprintf(lists + strlen(lists), sizeof lists - strlen(lists), "%slists[%u].context",
                 i ? ", " : "", batch->indices[i]);
    say("annot_tracker_submit%s(tracker, queues[%u].context, (annot_context *[]){%s}, %u, %s);",
        op->b == WAY_APART ? "_apart" : "", op->a, lists, batch->count,
        op->b == WAY_APART   ? "prologues"
        : op->b == WAY_WORDS ? "words"
                             : "NULL");
}

static void submit(struct play *play, const struct op *op, struct batch *batch)
{
    annot_context *queue = play->queues[op->a];
    if (op->b == WAY_APART)
        batch->serial = annot_tracker_submit_apart(play->tracker, queue, batch->contexts,
                                                   batch->count, batch->prologues);
    else
        batch->serial = annot_tracker_submit(play->tracker, queue, batch->contexts, batch->count,
                                             op->b == WAY_WORDS ? batch->words : NULL);
    say_submission(op, batch);
}

static void execute(struct play *play, const struct op *op, const struct batch *batch)
{
    const struct setup *setup = &play->program->setup;
    struct item *item = truth_item(&play->truth, (int)op->a, ITEM_SUBMISSION);
    item->serial = batch->serial;
    item->first = play->truth.count;
    item->count = (int)batch->count;
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct list *list = &play->lists[batch->indices[i]];
        struct execution *execution = truth_execution(&play->truth, (int)op->a);
        execution->serial = batch->serial;
        execution->object = annot_object_id(list->object);
        execution->list = i;
        if (op->b == WAY_APART)
            add_prologue(setup, execution, &batch->prologues[i]);
        flatten(setup, execution, list->last,
                op->b == WAY_WORDS ? batch->words[i] : list->last->words, 0, false);
    }
}

void play_submit(struct play *play, const struct op *op)
{
    struct batch batch = {.count = 0};
    for (uint32_t i = 0; i < 1 + op->r % PER_SUBMISSION; i++) {
        const uint32_t index = (uint32_t)(op->r >> 8 * (i + 1)) % (LISTS - BUNDLES);
        const struct list *list = &play->lists[index];
        if (!list->last || list->open || !is_alive(play, list->last))
            continue;
        batch.indices[batch.count] = index;
        batch.contexts[batch.count++] = list->context;
    }
    if (batch.count == 0 || (op->b == WAY_APART && !play->program->setup.starts_in_order))
        return;
    submit(play, op, &batch);
    if (op->b != WAY_REFUSED) {
        execute(play, op, &batch);
        return;
    }
    annot_tracker_withdraw(play->tracker, play->queues[op->a], batch.serial);
    say("annot_tracker_withdraw(tracker, queues[%u].context, %llu);", op->a,
        (unsigned long long)batch.serial);
}
