/* What a program records on lists and bundles. */
#include "list.h"
#include "play.h"

/* ---- actors ---- */

static ID3D12CommandAllocator *new_allocator(struct run *run, D3D12_COMMAND_LIST_TYPE type)
{
    ID3D12CommandAllocator **allocator = &run->allocators[run->allocator_count++];
    MUST(ID3D12Device_CreateCommandAllocator(run->gpu.device, type, &IID_ID3D12CommandAllocator,
                                             (void **)allocator));
    return *allocator; /* lives until the end, or its release */
}

/* The list, recording; NULL: there is no such actor. */
static struct actor *recording(struct run *run, unsigned index)
{
    if (index >= ACTORS)
        return NULL;
    struct actor *actor = &run->actors[index];
    const bool is_bundle = index >= LISTS;
    if (actor->is_recording)
        return actor;
    if (run->allocator_count == 2 * OPS_MAX)
        return NULL;
    actor->type = is_bundle ? D3D12_COMMAND_LIST_TYPE_BUNDLE
                            : (D3D12_COMMAND_LIST_TYPE)run->program->list_types[index];
    actor->allocator = new_allocator(run, actor->type);
    if (!actor->list) {
        MUST(ID3D12Device_CreateCommandList(run->gpu.device, 0, actor->type, actor->allocator, NULL,
                                            list_iid(actor->type), (void **)&actor->list));
        actor->name = 0;
        actor->is_retained = run->is_retail;
    } else {
        MUST(list_reset((ID3D12CommandList *)actor->list, actor->type, actor->allocator));
    }
    actor->is_recording = true;
    actor->queue = -1;
    actor->recording = truth_recording(run->truth, index, is_bundle, actor->is_retained);
    return actor;
}

void record_close(struct actor *actor)
{
    if (!actor->is_recording)
        return;
    MUST(list_close((ID3D12CommandList *)actor->list, actor->type));
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
    if (item)
        list_mark((ID3D12CommandList *)actor->list, actor->type, kind, text,
                  play_marker_text(text, sizeof text, item->name, op));
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
    for (uint32_t left = repeats(op); left > 0; left--) {
        pthread_mutex_lock(&run->lock);
        const struct item *item = add_work(run, actor, op);
        pthread_mutex_unlock(&run->lock);
        if (!item)
            return;
        gpu_work(&run->gpu, actor->list, actor->type, (enum work)op->b, op->value & 3,
                 (uint32_t)item->word);
    }
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
    record_close(bundle);
    struct item *item = truth_item(run->truth, actor->recording, ITEM_CALL);
    if (!item)
        return;
    item->bundle = bundle->recording;
    if (run->truth->recordings[bundle->recording]->is_known)
        run->truth->recordings[actor->recording]->is_known = true;
    item->word = (int32_t)run->truth->next_word;
    gpu_call(&run->gpu, actor->list, bundle->list, run->truth->next_word);
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
