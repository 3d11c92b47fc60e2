/* Records a program's lists and bundles. */
#include "list.h"
#include "play.h"

/* ---- actors ---- */

/* It lives until the end, or its release. NULL: it can't be made. */
static ID3D12CommandAllocator *new_allocator(struct run *run, D3D12_COMMAND_LIST_TYPE type)
{
    ID3D12CommandAllocator **allocator = &run->allocators[run->allocator_count];
    if (!PLAY_OK(run, ID3D12Device_CreateCommandAllocator(
                          run->gpu.device, type, &IID_ID3D12CommandAllocator, (void **)allocator)))
        return NULL;
    run->allocator_count++;
    return *allocator;
}

/* False: it is not recording. */
static bool start(struct run *run, struct actor *actor)
{
    actor->allocator = new_allocator(run, actor->type);
    if (!actor->allocator)
        return false;
    if (actor->list) {
        if (PLAY_OK(run,
                    list_reset((ID3D12CommandList *)actor->list, actor->type, actor->allocator)))
            return true;
        actor->allocator = NULL;
        return false;
    }
    if (!PLAY_OK(run, ID3D12Device_CreateCommandList(run->gpu.device, 0, actor->type,
                                                     actor->allocator, NULL, list_iid(actor->type),
                                                     (void **)&actor->list))) {
        actor->list = NULL;
        actor->allocator = NULL;
        return false;
    }
    actor->name = 0;
    actor->is_retained = run->is_retail;
    return true;
}

/* The list, recording; NULL: there is no such actor, or it can't record. */
static struct actor *recording(struct run *run, unsigned index)
{
    if (index >= ACTORS)
        return NULL;
    struct actor *actor = &run->actors[index];
    const bool is_bundle = index >= LISTS;
    if (actor->is_recording)
        return actor;
    if (run->allocator_count == 2 * OPS_MAX || run->outcome->is_removed)
        return NULL;
    actor->type = is_bundle ? D3D12_COMMAND_LIST_TYPE_BUNDLE
                            : (D3D12_COMMAND_LIST_TYPE)run->program->list_types[index];
    play_fail(run);
    const bool is_started = start(run, actor);
    play_fail_no_more(run);
    if (!is_started)
        return NULL;
    actor->is_recording = true;
    actor->recording = truth_recording(run->truth, index, is_bundle, actor->is_retained);
    return actor;
}

static void end_pass(struct actor *actor)
{
    if (actor->is_in_pass)
        gpu_end_pass(actor->list);
    actor->is_in_pass = false;
}

void record_close(struct run *run, struct actor *actor)
{
    if (!actor->is_recording)
        return;
    play_fail(run);
    end_pass(actor);
    if (!PLAY_OK(run, list_close((ID3D12CommandList *)actor->list, actor->type)))
        actor->allocator = NULL;
    play_fail_no_more(run);
    actor->is_recording = false;
}

/* ---- what is recorded ---- */

static void record_marker(struct run *run, const struct op *op)
{
    static const enum item_kind kinds[] = {ITEM_BEGIN, ITEM_END, ITEM_SET};
    const enum item_kind kind = kinds[op->kind - OP_BEGIN];
    char text[MARKER_MAX];
    pthread_mutex_lock(&run->lock);
    struct actor *actor = recording(run, op->a);
    struct item *item = actor ? truth_item(run->truth, actor->recording, kind) : NULL;
    if (item)
        item->name = play_marker_name(run, op);
    pthread_mutex_unlock(&run->lock);
    if (!item)
        return;
    const UINT size = play_marker_text(text, sizeof text, item->name, op);
    play_fail(run);
    list_mark((ID3D12CommandList *)actor->list, actor->type, kind, text, size);
    play_fail_no_more(run);
}

/* How often an operation is repeated, and what is said of each. */
static uint32_t repeats(const struct op *op)
{
    return op->b == WORK_INDIRECT || op->b == WORK_PREDICATE || op->b == WORK_PASS ? 1
           : op->value < 4                                                         ? op->value
                                                                                   : 4;
}

/* The next operation's counter; NULL: there is no room. */
static struct item *add_work(struct run *run, struct actor *actor, const struct op *op)
{
    struct recording *to = run->truth->recordings[actor->recording];
    uint32_t *word = to->is_bundle ? &to->words : &run->truth->next_word;
    const bool is_predicate = op->b == WORK_PREDICATE;
    if (to->count == ITEMS_MAX || *word == (to->is_bundle ? BUNDLE_WORDS : WORDS))
        return NULL;
    struct item *item =
        truth_item(run->truth, actor->recording, is_predicate ? ITEM_PREDICATE : ITEM_WORK);
    item->work = is_predicate ? (op->value & 3) == 1 : op->b;
    item->times = (uint8_t)(op->b == WORK_INDIRECT ? op->value & 3 : 1);
    item->word = (int32_t)(*word)++;
    return item;
}

static void record_work(struct run *run, const struct op *op)
{
    pthread_mutex_lock(&run->lock);
    struct actor *actor = recording(run, op->a);
    pthread_mutex_unlock(&run->lock);
    /* what is released while a queue has work is there until that is done */
    if (!actor || !gpu_can(actor->type, (enum work)op->b) ||
        (op->b == WORK_LOST_PASS && run->truth->queue_count > 0))
        return;
    if (op->b != WORK_DRAW)
        end_pass(actor);
    for (uint32_t left = repeats(op); left > 0; left--) {
        pthread_mutex_lock(&run->lock);
        const struct item *item = add_work(run, actor, op);
        pthread_mutex_unlock(&run->lock);
        if (!item)
            return;
        play_fail(run);
        gpu_work(&run->gpu, actor->list, actor->type, (enum work)op->b, op->value & 3,
                 (uint32_t)item->word);
        play_fail_no_more(run);
    }
    actor->is_in_pass = actor->is_in_pass || op->b == WORK_PASS;
    if ((op->value & 4) == 0 && op->b == WORK_PASS)
        end_pass(actor);
}

static void record_call(struct run *run, const struct op *op)
{
    if (op->b >= BUNDLES || op->a >= LISTS || !run->actors[LISTS + op->b].list)
        return;
    struct actor *bundle = &run->actors[LISTS + op->b];
    struct actor *actor = recording(run, op->a);
    if (!actor || actor->type != D3D12_COMMAND_LIST_TYPE_DIRECT ||
        run->truth->next_word + BUNDLE_WORDS > WORDS)
        return;
    record_close(run, bundle);
    if (!bundle->allocator)
        return;
    end_pass(actor);
    struct item *item = truth_item(run->truth, actor->recording, ITEM_CALL);
    if (!item)
        return;
    item->bundle = bundle->recording;
    if (run->truth->recordings[bundle->recording]->is_known)
        run->truth->recordings[actor->recording]->is_known = true;
    item->word = (int32_t)run->truth->next_word;
    play_fail(run);
    gpu_call(&run->gpu, actor->list, bundle->list, run->truth->next_word);
    play_fail_no_more(run);
    run->truth->next_word += BUNDLE_WORDS;
}

bool record_is(const struct op *op)
{
    return op->kind == OP_BEGIN || op->kind == OP_END || op->kind == OP_SET ||
           op->kind == OP_WORK || op->kind == OP_CALL;
}

void record_op(struct run *run, const struct op *op)
{
    if (op->kind == OP_CALL)
        record_call(run, op);
    else if (op->kind == OP_WORK)
        record_work(run, op);
    else
        record_marker(run, op);
}
