/* Records markers and submissions of queues. A queue's arena has both in one stream, so that a
 * submission is inside the scopes that were open around it. Calls come from any thread; the queue's
 * lock orders them, also for the driver.
 *
 * The stream lives as long as the queue, so it would only grow; evict.c makes room. */
#include "record/append.h"

#include <stddef.h>

static D3D12DDI_HCOMMANDQUEUE handle_of(const struct annot__queue *queue)
{
    return (D3D12DDI_HCOMMANDQUEUE){queue->context->handle.pDrvPrivate};
}

/* Adds a record, or returns NULL if there is no room even without older records. Hold the queue's
 * lock. */
static struct annot__record *queue_append(struct annot__queue *queue, uint64_t parent,
                                          const struct annot__marker *marker)
{
    struct annot__record *record;
    do
        record = annot__marker_append(&queue->cursor, parent, marker);
    while (!record && annot__queue_evict(queue));
    if (record)
        queue->cursor.slot->serial =
            queue->submitted + 1; /* done when the next submission is done */
    return record;
}

/* Notes the calling thread if another thread made the last call. Hold the queue's lock; call it
 * before each record and End. */
static void tell_thread(struct annot__queue *queue)
{
    const uint32_t thread = annot__thread_number();
    if (thread == queue->thread)
        return;
    if (queue->thread == 0)
        atomic_store_explicit(&queue->cursor.arena->first_thread, thread, memory_order_relaxed);
    else if (!queue_append(queue, annot__id_place(queue->open),
                           &(struct annot__marker){.kind = (enum annot__kind)ANNOT__KIND_THREAD,
                                                   .metadata = thread}))
        atomic_store_explicit(&queue->threads_lost, true, memory_order_relaxed);
    queue->thread = thread;
}

/* Returns true if the notes about scopes without memory have reached their limit. Each such scope
 * is noted with its outer scope. Above the limit, inner scopes are dropped, too, so that Ends find
 * their Begins. */
static bool is_past_bound(const struct annot__queue *queue)
{
    return queue->context->dropped.overflow != 0;
}

/* Returns true if the innermost open scope has no record. */
static bool is_dropped_innermost(const struct annot__queue *queue)
{
    const struct annot__dropped_scopes *dropped = &queue->context->dropped;
    if (is_past_bound(queue))
        return true;
    if (dropped->depth == 0)
        return false;
    const uint64_t around = dropped->ids[dropped->depth - 2];
    if (around == queue->open)
        return true;
    return queue->gap_open && queue->open == annot__queue_gap(queue) && around &&
           !annot__queue_scope(queue, around);
}

static void push_dropped(struct annot__queue *queue, uint64_t id)
{
    annot_context *context = queue->context;
    annot__scopes_push(context->device, &context->dropped, queue->open);
    annot__scopes_push(context->device, &context->dropped, id);
}

static uint64_t pop_dropped(struct annot__queue *queue)
{
    const uint64_t id = annot__scopes_pop(&queue->context->dropped);
    annot__scopes_pop(&queue->context->dropped);
    return id;
}

/* Under the queue's lock. */
static void open_scope(struct annot__queue *queue, uint64_t id)
{
    queue->open = id;
    atomic_fetch_add_explicit(&queue->depth, 1, memory_order_relaxed);
}

void annot__queue_record(annot_context *context, const struct annot__marker *marker)
{
    struct annot__queue *queue = context->queue;
    annot_device *device = context->device;
    bool is_begin = marker->kind == ANNOT__KIND_BEGIN;
    annot__mutex_lock(&queue->lock);
    struct annot__record *record = NULL;
    tell_thread(queue);
    if (!is_begin || !is_past_bound(queue))
        record = queue_append(queue, annot__id_place(queue->open), marker);
    const void *data = marker->data;
    uint64_t id;
    if (record) {
        id = annot__cursor_id(&queue->cursor, record);
        if (!marker->reference)
            data = annot__record_payload(record);
        if (is_begin)
            open_scope(queue, id);
    } else {
        id = annot__drop(device, marker->size);
        atomic_fetch_add_explicit(&queue->dropped_markers, 1, memory_order_relaxed);
        if (is_begin)
            push_dropped(queue, id);
    }
    (is_begin ? device->table->pfnCmdQueueBeginEvent : device->table->pfnCmdQueueSetMarker)(
        handle_of(queue), marker->metadata, data, marker->size, id);
    annot__mutex_unlock(&queue->lock);
    if (!record)
        annot__drop_report(device, marker->size);
}

/* Closes the open scope `id`, which has a record. Hold the queue's lock. */
static uint64_t close_scope(struct annot__queue *queue, uint64_t id)
{
    struct annot__record *scope = annot__queue_scope(queue, id);
    const uint64_t around = annot__record_parent_id(scope);
    queue->open = around && !annot__queue_scope(queue, around) ? annot__queue_gap(queue) : around;
    annot__record_close(scope);
    return id;
}

/* Closes the innermost scope. Returns its EventID, or 0 if the End is surplus or the scope is
 * forgotten. Hold the queue's lock. */
static uint64_t close_innermost(struct annot__queue *queue, bool *surplus)
{
    const uint64_t id = queue->open;
    *surplus = false;
    tell_thread(queue);
    if (is_dropped_innermost(queue))
        return pop_dropped(queue);
    const bool is_gap = queue->gap_open && id == annot__queue_gap(queue);
    *surplus = !id && !is_gap;
    if (*surplus) {
        atomic_fetch_add_explicit(&queue->surplus_ends, 1, memory_order_relaxed);
        queue_append(queue, 0, &(struct annot__marker){.kind = ANNOT__KIND_SURPLUS_END});
        return 0;
    }
    atomic_fetch_sub_explicit(&queue->depth, 1, memory_order_relaxed);
    queue->gap_open -= is_gap;
    return is_gap ? 0 : close_scope(queue, id);
}

void annot__queue_end(annot_context *context)
{
    struct annot__queue *queue = context->queue;
    bool surplus;
    annot__mutex_lock(&queue->lock);
    uint64_t id = close_innermost(queue, &surplus);
    context->device->table->pfnCmdQueueEndEvent(handle_of(queue), id);
    annot__mutex_unlock(&queue->lock);
    if (surplus)
        annot__message(context->device, ANNOT_MESSAGE_PIX_EVENT_UNDERFLOW, ANNOT_SEVERITY_WARNING,
                       "EndEvent on command queue %s: no BeginEvent is open",
                       annot__title_of(context->object).text);
}

/* ---- submissions ---- */

/* The source of a submission's command lists. */
struct lists {
    annot_list_function at;
    const void *user;
    uint32_t count;
};

static annot_context *list_of_array(const void *user, uint32_t index)
{
    return ((annot_context *const *)user)[index];
}

/* Gets the list at an index; NULL is an unknown list. Hold the queue's lock. */
static struct annot__submitted_list list_at(const struct lists *lists, uint32_t index)
{
    const annot_context *list = lists->at(lists->user, index);
    return list ? (struct annot__submitted_list){list->last_recording, list->object->id}
                : (struct annot__submitted_list){0, 0};
}

/* Whether there is something to keep. Lists count if their markers or bundles only lacked room. */
static bool anything_to_keep(const annot_context *queue, const struct lists *lists)
{
    if (queue->forwards)
        return true;
    for (uint32_t i = 0; i < lists->count; i++) {
        const annot_context *list = lists->at(lists->user, i);
        if (list && (list->forwards || list->last_recording || list->dropped_count > 0))
            return true;
    }
    return false;
}

/* The number of chunks that a queue's arena may have above the budget. */
#define UNBUDGETED_CHUNKS 16u

/* Makes room for a submission. A dump without submissions proves nothing, so submissions are
 * recorded even above the budget. Eviction limits completed submissions, UNBUDGETED_CHUNKS the
 * others. Hold the queue's lock. */
static struct annot__record *submission_reserve(struct annot__queue *queue, uint64_t serial,
                                                uint32_t size)
{
    uint64_t bytes = annot__record_bytes(size);
    struct annot__record *record;
    do
        record = annot__cursor_reserve(&queue->cursor, bytes);
    while (!record && annot__queue_evict(queue));
    uint64_t chunks = atomic_load_explicit(&queue->cursor.arena->live_count, memory_order_relaxed);
    if (!record && chunks < UNBUDGETED_CHUNKS) {
        queue->cursor.unbudgeted = true;
        record = annot__cursor_reserve(&queue->cursor, bytes);
        queue->cursor.unbudgeted = false;
    }
    if (record)
        queue->cursor.slot->serial = serial;
    return record;
}

/* Adds a submission. The payload is filled in place, because it may be long. Hold the queue's
 * lock. */
static bool submission_append(struct annot__queue *queue, uint64_t serial,
                              const struct lists *lists)
{
    uint64_t size = sizeof(struct annot__submission) +
                    (uint64_t)lists->count * sizeof(struct annot__submitted_list);
    if (size > ANNOT__SIZE_MAX)
        return false;
    struct annot__record *record = submission_reserve(queue, serial, (uint32_t)size);
    if (!record)
        return false;
    record->metadata = 0;
    record->parent = annot__id_place(queue->open);
    struct annot__submission *submission = annot__record_payload(record);
    submission->serial = serial;
    submission->number =
        atomic_fetch_add_explicit(&queue->context->device->made, 1, memory_order_relaxed) + 1;
    submission->count = lists->count;
    for (uint32_t i = 0; i < lists->count; i++)
        submission->lists[i] = list_at(lists, i);
    annot__record_publish(record, ANNOT__KIND_SUBMISSION, (uint32_t)size);
    return true;
}

/* Notes the present name of `object` in the stream. Hold the queue's lock. */
static bool tell_name(struct annot__queue *queue, const annot_object *object, uint64_t serial,
                      uint32_t list)
{
    struct annot__submitted_name told = {.serial = serial, .list = list};
    told.name_size = annot__name_size(annot_object_get_name(object, told.name, sizeof told.name));
    uint32_t size = (uint32_t)(offsetof(struct annot__submitted_name, name) + strlen(told.name));
    struct annot__record *record = submission_reserve(queue, serial, size);
    if (!record)
        return false;
    record->metadata = 1;
    record->parent = annot__id_place(queue->open);
    memcpy(annot__record_payload(record), &told, size);
    annot__record_publish(record, ANNOT__KIND_OTHER, size);
    return true;
}

static void tell_queues_name(struct annot__queue *queue, uint64_t serial)
{
    const annot_object *object = queue->context->object;
    const uint64_t told = 1 + annot__object_renamed(object);
    if (told == queue->name_told && queue->name_chunk == queue->cursor.slot->chunk->id_base)
        return;
    queue->name_told = tell_name(queue, object, serial, ANNOT__QUEUE_ITSELF) ? told : 0;
    queue->name_chunk = queue->cursor.slot->chunk->id_base;
}

/* Notes names behind the submission's record. Names that a list's recording has are noted, too,
 * because pools give the next recording another name, and the old name goes with the allocator.
 * Hold the queue's lock. */
static void tell_names(struct annot__queue *queue, uint64_t serial, const struct lists *lists)
{
    tell_queues_name(queue, serial);
    for (uint32_t i = 0; i < lists->count; i++) {
        const annot_context *list = lists->at(lists->user, i);
        if (list)
            tell_name(queue, list->object, serial, i);
    }
}

/* Returns the record of a retained submission, or NULL. Hold the queue's lock. */
static struct annot__record *find_submission(const struct annot__queue *queue, uint64_t serial)
{
    const annot_arena *arena = queue->cursor.arena;
    uint64_t chunks = atomic_load_explicit(&arena->live_count, memory_order_relaxed);
    const struct annot__slot *slot = atomic_load_explicit(&arena->first, memory_order_relaxed);
    for (; chunks > 0; chunks--) {
        char *at = (char *)(slot->chunk + 1);
        for (;;) {
            struct annot__record *record = (struct annot__record *)(void *)at;
            uint32_t word = atomic_load_explicit(&record->word, memory_order_relaxed);
            enum annot__kind kind = annot__word_kind(word);
            if (kind == ANNOT__KIND_NONE)
                break;
            const struct annot__submission *submission = annot__record_payload(record);
            if (kind == ANNOT__KIND_SUBMISSION && submission->serial == serial)
                return record;
            at += annot__record_bytes(annot__word_size(word));
        }
        slot = atomic_load_explicit(&slot->next, memory_order_relaxed);
    }
    return NULL;
}

/* Withdraws a submission. If it was the last, markers behind it wait for one serial less. Hold the
 * queue's lock. */
static void withdraw(struct annot__queue *queue, uint64_t serial)
{
    struct annot__record *record = find_submission(queue, serial);
    if (record) {
        uint32_t word = atomic_load_explicit(&record->word, memory_order_relaxed);
        annot__record_publish(record, ANNOT__KIND_OTHER, annot__word_size(word));
    }
    queue->name_told = 0;
    if (serial == atomic_load_explicit(&queue->submitted, memory_order_relaxed))
        atomic_store_explicit(&queue->submitted, serial - 1, memory_order_relaxed);
}

/* ---- scopes across lists ---- */

/* The numbers of Ends without a Begin on the queue. */
struct odd_ends {
    uint64_t count;
    const annot_object *list; /* the first one's */
};

/* Pairs scopes. A list's surplus Ends close scopes that earlier lists of the queue left open. Other
 * surplus Ends have no partner, because the queue executes its lists in order. Hold the queue's
 * lock. */
static struct odd_ends pair_scopes(struct annot__queue *queue, const struct lists *lists)
{
    struct odd_ends odd = {0, NULL};
    for (uint32_t i = 0; i < lists->count && !queue->is_left_uncertain; i++) {
        const annot_context *list = lists->at(lists->user, i);
        if (!list || !list->forwards || list->last_balance.is_unknown) {
            queue->is_left_uncertain = true;
            break;
        }
        uint32_t ends = list->last_balance.surplus_ends;
        uint64_t paired = ends < queue->left_open ? ends : queue->left_open;
        if (odd.count == 0)
            odd.list = list->object;
        odd.count += ends - paired;
        queue->left_open += list->last_balance.unclosed - paired;
    }
    return odd;
}

static void say_odd(const annot_context *queue, struct odd_ends odd)
{
    if (odd.count == 0)
        return;
    annot__message(queue->device, ANNOT_MESSAGE_PIX_EVENT_UNDERFLOW, ANNOT_SEVERITY_WARNING,
                   "%llu EndEvent(s) close nothing, because no earlier list left a scope open. The "
                   "EndEvents are in command list %s and later lists of command queue %s",
                   (unsigned long long)odd.count, annot__title_of(odd.list).text,
                   annot__title_of(queue->object).text);
}

/* Reports open scopes of a destroyed queue, because nothing can close them any more. */
static void say_left_open(const struct annot__queue *queue)
{
    uint64_t own = atomic_load_explicit(&queue->depth, memory_order_relaxed);
    uint64_t left = queue->is_left_uncertain ? 0 : queue->left_open;
    if (own + left == 0)
        return;
    annot__message(queue->context->device, ANNOT_MESSAGE_PROBABLE_PIX_EVENT_LEAK,
                   ANNOT_SEVERITY_WARNING,
                   "command queue %s is destroyed, but %llu event scope(s) of the queue and %llu "
                   "of its command lists are still open",
                   annot__title_of(queue->context->object).text, (unsigned long long)own,
                   (unsigned long long)left);
}

uint64_t annot_context_submit_each(annot_context *context, annot_list_function at, const void *of,
                                   uint32_t count, annot_submit_function make, void *user)
{
    const struct lists lists = {at, of, at ? count : 0};
    if (!context || !context->queue || annot__is_inherited(context->device)) {
        if (context && !context->queue)
            annot__misuse(context->device, "annot_context_submit",
                          "a list was given in place of a queue");
        if (make)
            make(user, 0);
        return 0;
    }
    struct annot__queue *queue = context->queue;
    annot__mutex_lock(&queue->lock);
    uint64_t serial = atomic_fetch_add_explicit(&queue->submitted, 1, memory_order_relaxed) + 1;
    bool is_kept = anything_to_keep(context, &lists);
    if (is_kept)
        tell_thread(queue);
    bool dropped = is_kept && !submission_append(queue, serial, &lists);
    if (is_kept && !dropped)
        tell_names(queue, serial, &lists);
    bool is_made = !make || make(user, serial);
    struct odd_ends odd = {0, NULL};
    if (is_made)
        odd = pair_scopes(queue, &lists);
    else
        withdraw(queue, serial);
    annot__mutex_unlock(&queue->lock);
    say_odd(context, odd);
    if (dropped && is_made) {
        atomic_fetch_add_explicit(&queue->dropped_submissions, 1, memory_order_relaxed);
        annot__drop_report(context->device, 0);
    }
    return is_made ? serial : 0;
}

uint64_t annot_context_submit_with(annot_context *context, annot_context *const *lists,
                                   uint32_t count, annot_submit_function make, void *user)
{
    return annot_context_submit_each(context, lists ? list_of_array : NULL, lists, count, make,
                                     user);
}

uint64_t annot_context_submit(annot_context *context, annot_context *const *lists, uint32_t count)
{
    return annot_context_submit_with(context, lists, count, NULL, NULL);
}

annot_result annot_context_withdraw(annot_context *context, uint64_t serial)
{
    if (!context || !context->queue)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (annot__is_inherited(context->device))
        return ANNOT_ERROR_FORKED;
    struct annot__queue *queue = context->queue;
    annot__mutex_lock(&queue->lock);
    bool is_pending = serial > atomic_load_explicit(&queue->completed, memory_order_relaxed) &&
                      serial <= atomic_load_explicit(&queue->submitted, memory_order_relaxed);
    if (is_pending) {
        withdraw(queue, serial);
        queue->is_left_uncertain = true;
    }
    annot__mutex_unlock(&queue->lock);
    return is_pending ? ANNOT_OK : ANNOT_ERROR_INVALID_ARGUMENT;
}

void annot_context_completed(annot_context *context, uint64_t serial)
{
    if (!context || !context->queue || annot__is_inherited(context->device))
        return;
    _Atomic uint64_t *completed = &context->queue->completed;
    if (serial > atomic_load_explicit(&context->queue->submitted, memory_order_relaxed))
        return;
    uint64_t before = atomic_load_explicit(completed, memory_order_relaxed);
    while (before < serial &&
           !atomic_compare_exchange_weak_explicit(completed, &before, serial, memory_order_release,
                                                  memory_order_relaxed))
        ;
}

/* ---- creation ---- */

bool annot__queue_create(annot_context *context)
{
    annot_device *device = context->device;
    struct annot__queue *queue = annot__allocate(device, sizeof *queue, 64);
    if (!queue)
        return false;
    annot_arena *arena = annot__arena_init(device, context->object->id);
    if (!arena) {
        annot__release(device, queue, sizeof *queue);
        return false;
    }
    *queue = (struct annot__queue){.context = context, .cursor = {.arena = arena}};
    annot__mutex_init(&queue->lock);
    context->queue = queue;

    annot__mutex_lock(&device->objects_lock);
    queue->previous = device->last_queue;
    *(queue->previous ? &queue->previous->next : &device->queues) = queue;
    device->last_queue = queue;
    annot__mutex_unlock(&device->objects_lock);
    return true;
}

void annot__queue_destroy(annot_context *context)
{
    struct annot__queue *queue = context->queue;
    annot_device *device = context->device;
    say_left_open(queue);
    annot__mutex_lock(&device->objects_lock);
    *(queue->previous ? &queue->previous->next : &device->queues) = queue->next;
    *(queue->next ? &queue->next->previous : &device->last_queue) = queue->previous;
    annot__mutex_unlock(&device->objects_lock);

    annot_arena_destroy(queue->cursor.arena);
    annot__mutex_finish(&queue->lock);
    annot__release(device, queue, sizeof *queue);
}
