/* Lists and bundles: what a layer does when they are recorded. */
#include "tracker_play.h"

static struct command *command(struct recording *recording, enum flat_kind kind)
{
    if (recording->count == recording->capacity) {
        recording->capacity = recording->capacity ? recording->capacity * 2 : 16;
        recording->commands =
            grow(recording->commands, (size_t)recording->capacity * sizeof *recording->commands);
    }
    struct command *added = &recording->commands[recording->count++];
    *added = (struct command){.kind = kind};
    return added;
}

static bool is_bundle(uint32_t list)
{
    return list >= LISTS - BUNDLES;
}

static void end(struct list *list, uint32_t index)
{
    struct recording *recording = list->open;
    list->event = 0;
    annot_context_end_event(list->context);
    say("annot_context_end_event(lists[%u].context);", index);
    recording->depth -= recording->depth > 0;
    if (recording->is_retained)
        command(recording, FLAT_END)->event = list->event;
}

static void close(struct list *list, uint32_t index)
{
    while (is_bundle(index) && list->open->depth > 0)
        end(list, index);
    annot_context_close(list->context);
    say("annot_context_close(lists[%u].context);", index);
    list->last = list->open;
    list->open = NULL;
}

static void forget(struct play *play, uint32_t index)
{
    annot_tracker_forget(play->tracker, play->lists[index].context);
    say("annot_tracker_forget(tracker, lists[%u].context);", index);
    play->lists[index].last = NULL;
}

static void create(struct play *play, uint32_t index, bool is_silent)
{
    struct list *list = &play->lists[index];
    const annot_object_desc desc = {
        .kind = 6, .type = ANNOT_OBJECT_COMMAND_LIST, .driver_handle = list};
    const annot_mode mode = is_silent ? ANNOT_MODE_RUNTIME_ONLY : ANNOT_MODE_DRIVER_RETAIL;
    if (list->context) {
        if (list->open)
            close(list, index);
        forget(play, index);
        annot_context_destroy(list->context);
        annot_object_destroy(list->object);
        say("spy_child_done(lists[%u]);", index);
    }
    *list = (struct list){NULL, NULL, NULL, NULL, 0};
    annot_device_set_mode(play->device, mode);
    if (annot_object_create(play->device, &desc, &list->object) == ANNOT_OK &&
        annot_context_create(list->object, &list->context) != ANNOT_OK) {
        annot_object_destroy(list->object);
        list->object = NULL;
    }
    say("annot_device_set_mode(device, %d);", mode);
    say("lists[%u] = spy_list(device, 0, spy_handle(%u));", index, index);
}

static void open(struct play *play, struct list *list, const struct op *op)
{
    if (annot_context_open(list->context, play->arenas[op->b]) != ANNOT_OK)
        return;
    struct recording *recording = grow(NULL, sizeof *recording);
    *recording = (struct recording){
        .words = {ANNOT_WORDS_NONE, ANNOT_WORDS_NONE},
        .arena = op->b,
        .epoch = play->epochs[op->b],
        .is_retained = annot_context_forwards(list->context),
        .next = play->recordings,
    };
    say("annot_context_open(lists[%u].context, arenas[%u]);", op->a, op->b);
    play->recordings = list->open = recording;
    if (op->r)
        return;
    recording->words = annot_tracker_record(play->tracker, list->context);
    say("annot_tracker_record(tracker, lists[%u].context); /* words at %lld */", op->a,
        (long long)recording->words.started);
}

static void mark(struct play *play, struct list *list, const struct op *op)
{
    char name[16];
    const bool is_begin = op->kind == OP_BEGIN;
    const uint32_t size = (uint32_t)snprintf(name, sizeof name, "m%u", ++play->names) + 1;
    (is_begin ? annot_context_begin_event : annot_context_set_marker)(list->context, 1, name, size);
    say("annot_context_%s(lists[%u].context, 1, \"%s\", %u);",
        is_begin ? "begin_event" : "set_marker", op->a, name, size);
    if (!list->open->is_retained)
        return;
    struct command *added = command(list->open, is_begin ? FLAT_BEGIN : FLAT_SET);
    added->name = play->names;
    added->event = list->event;
    list->open->depth += is_begin;
}

/* Bundles execute those behind them. */
static void execute(struct play *play, struct list *list, const struct op *op)
{
    const struct list *bundle = &play->lists[op->b];
    if (!bundle->last || bundle->open || (is_bundle(op->a) && op->b <= op->a) ||
        play->epochs[bundle->last->arena] != bundle->last->epoch)
        return;
    annot_tracker_execute_bundle(play->tracker, list->context, bundle->context);
    say("annot_tracker_execute_bundle(tracker, lists[%u].context, lists[%u].context);", op->a,
        op->b);
    struct command *added = command(list->open, FLAT_BUNDLE);
    added->bundle = bundle->last;
    added->ordinal = ++list->open->bundles;
}

static void record_open(struct play *play, struct list *list, const struct op *op)
{
    switch (op->kind) {
    case OP_BEGIN:
    case OP_SET:
        mark(play, list, op);
        break;
    case OP_END:
        if (!is_bundle(op->a) || list->open->depth > 0)
            end(list, op->a);
        break;
    case OP_WORK:
        command(list->open, FLAT_WORK)->is_hung = op->b;
        break;
    case OP_BUNDLE:
        execute(play, list, op);
        break;
    case OP_CLOSE:
        close(list, op->a);
        break;
    default:
        break;
    }
}

void play_record(struct play *play, const struct op *op)
{
    struct list *list = &play->lists[op->a];
    if (op->kind == OP_CREATE)
        create(play, op->a, op->b);
    else if (!list->context)
        return;
    else if (op->kind == OP_OPEN && !list->open)
        open(play, list, op);
    else if (op->kind == OP_FORGET && !list->open)
        forget(play, op->a);
    else if (list->open)
        record_open(play, list, op);
}
