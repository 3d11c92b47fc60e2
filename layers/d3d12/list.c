/* Allocators, lists and bundles, and the markers on them. D3D12 requires the program to keep other
 * threads away from a list and the allocator that it records into. */
#include "layer.h"

#include <stdlib.h>

/* ---- arenas ---- */

static struct layer_arena *arena_create(struct layer_device *device)
{
    struct layer_arena *arena = calloc(1, sizeof *arena);
    if (arena)
        arena->device = device;
    if (!arena || annot_arena_create(device->crash.annot, &arena->annot) != ANNOT_OK) {
        free(arena);
        return NULL;
    }
    atomic_init(&arena->users, 1);
    return arena;
}

static void arena_leave(struct layer_arena *arena)
{
    if (!arena || atomic_fetch_sub(&arena->users, 1) > 1)
        return;
    layer_copies_leave(arena);
    annot_arena_destroy(arena->annot);
    annot_arena_destroy(arena->inner);
    free(arena);
}

/* ---- allocators ---- */

static void allocator_finish(struct layer_mirror *mirror)
{
    struct layer_allocator *allocator = (struct layer_allocator *)(void *)mirror;
    arena_leave(allocator->arena);
    allocator->arena = NULL;
}

static const struct layer_class allocators = {LAYER_ALLOCATOR, sizeof(struct layer_allocator),
                                              allocator_finish};

static struct layer_mirror *allocator_create(struct layer_device *device,
                                             const struct object *object)
{
    struct layer_allocator *allocator =
        layer_mirror_create(device, &allocators, D3D12DDI_HT_COMMAND_ALLOCATOR, 0);
    (void)object;
    if (!allocator)
        return NULL;
    allocator->arena = arena_create(device);
    return &allocator->mirror;
}

struct layer_allocator *layer_allocator_of(struct object *object)
{
    return (struct layer_allocator *)(void *)layer_mirror_need(object, LAYER_ALLOCATOR,
                                                               allocator_create);
}

void layer_allocator_reset(struct object *object)
{
    const struct layer_allocator *allocator = layer_allocator_of(object);
    if (!allocator || !allocator->arena)
        return;
    layer_copies_reset(allocator->arena);
    annot_arena_reset(allocator->arena->annot);
    annot_arena_reset(allocator->arena->inner);
}

/* ---- lists ---- */

/* Gets the interface that can write words, for graphics, compute and copy lists and bundles. */
static void *writer_of(const struct layer_device *device, const struct object *object)
{
    return object_is(object, TYPE_ID3D12GraphicsCommandList)
               ? object_peek(object->real, iid_of(layer_words_writer(device)))
               : NULL;
}

static void finish(struct layer_mirror *mirror);

static const struct layer_class lists = {LAYER_LIST, sizeof(struct layer_list), finish};

static struct layer_mirror *create(struct layer_device *device, const struct object *object)
{
    ID3D12CommandList *real = object->real;
    if (!object_is(object, TYPE_ID3D12CommandList))
        return NULL; /* the program executes something else as a list */
    const D3D12_COMMAND_LIST_TYPE type = real->lpVtbl->GetType(real);
    struct layer_list *list =
        layer_mirror_create(device, &lists, D3D12DDI_HT_COMMAND_LIST, (uint32_t)type);
    if (!list)
        return NULL;
    list->type = type;
    list->real = writer_of(device, object);
    crash_stream_create(&list->stream, &device->crash, list->mirror.object);
    return &list->mirror;
}

struct layer_list *layer_list_of(struct object *object)
{
    return (struct layer_list *)(void *)layer_mirror_need(object, LAYER_LIST, create);
}

/* ---- the inner stream ---- */

static annot_context *inner_context(struct layer_list *list)
{
    annot_arena **arena = &list->arena->inner;
    if (!list->stream.inner_is_open && !*arena)
        annot_arena_create(list->arena->device->crash.annot, arena);
    return list->stream.inner_is_open || crash_stream_open_inner(&list->stream, *arena, NULL)
               ? list->stream.inner
               : NULL;
}

static inline void inner_flush(struct layer_list *list)
{
    if (!list->stream.inner_is_open)
        return;
    if (list->stream.inner_depth > 0)
        atomic_store_explicit(&list->is_cut, true, memory_order_relaxed);
    crash_stream_flush(&list->stream);
}

void layer_list_notes(struct layer_list *list)
{
    if (list->stream.inner_depth == 0)
        inner_flush(list);
}

/* ---- recordings ---- */

static void drop(struct layer_list *list)
{
    crash_stream_drop(&list->stream, &list->mirror.device->crash.counts);
    list->unmarked = NULL;
    arena_leave(list->arena);
    list->arena = NULL;
}

/* Called before the list does work: writes the owed words. */
static void enter_list(struct layer_list *list)
{
    if (!list->owes_words || !layer_words_may_come(list))
        return;
    list->owes_words = false;
    layer_words_write(list->mirror.device, list, true, list->owed_started);
    if (list->owed_completed)
        layer_words_write(list->mirror.device, list, false, list->owed_completed);
}

void layer_list_open(struct object *object, struct object *allocator_object, void *pipeline)
{
    struct layer_list *list = layer_list_of(object);
    struct layer_allocator *allocator =
        allocator_object ? layer_allocator_of(allocator_object) : NULL;
    if (!list || !allocator || !allocator->arena)
        return;
    drop(list);
    list->arena = allocator->arena;
    atomic_fetch_add(&list->arena->users, 1);
    list->followed = list->fence_count = 0;
    list->in_pass = list->is_suspended = list->is_predicated = list->is_protected = false;
    list_state_begin(&list->noted, (uintptr_t)pipeline, pipeline != NULL);
    list->is_noted = true;
    layer_dred_begin(list);
    crash_stream_open(&list->stream, list->arena->annot);
    if (layer_words_are_written(list->mirror.device, list))
        crash_stream_mark(&list->stream);
    if (list->stream.is_recording && !list->stream.is_marked)
        list->unmarked = list->stream.outer;
    list->owes_words = list->stream.is_marked;
    list->owed_started = ANNOT_WORD_ENTERED;
    list->owed_completed = 0;
    if (list->mirror.device->evidence != LAYER_EVIDENCE_COPY)
        enter_list(list);
}

void layer_list_works(struct object *object)
{
    struct layer_list *list = layer_list_of(object);
    if (list && list->stream.is_recording)
        enter_list(list);
}

/* Nothing can be recorded between the parts of a pass that is suspended and resumed. */
void layer_list_begin_pass(struct object *object, uint32_t flags)
{
    struct layer_list *list = layer_list_of(object);
    if (!list || !list->stream.is_recording)
        return;
    if (!(flags & D3D12_RENDER_PASS_FLAG_RESUMING_PASS))
        enter_list(list);
    if (flags & (D3D12_RENDER_PASS_FLAG_RESUMING_PASS | D3D12_RENDER_PASS_FLAG_SUSPENDING_PASS))
        list->straddles = list->mirror.device->has_straddling = true;
    list->in_pass = true;
    list->is_suspended = (flags & D3D12_RENDER_PASS_FLAG_SUSPENDING_PASS) != 0;
}

void layer_list_end_pass(struct object *object)
{
    struct layer_list *list = layer_list_of(object);
    if (list)
        list->in_pass = false;
}

void layer_list_block(struct object *object, enum layer_block why, bool is_blocked)
{
    struct layer_list *list = layer_list_of(object);
    if (!list)
        return;
    enter_list(list);
    bool *const flags[] = {&list->is_predicated, &list->is_protected};
    *flags[why] = is_blocked;
}

/* Ends predication, so that the GPU writes the last word; nothing else follows. */
static void end_predicate(struct layer_list *list)
{
    ID3D12GraphicsCommandList *real = list->real;
    if (!list->stream.is_marked || !list->is_predicated || list->is_suspended ||
        layer_words_may_come(list))
        return;
    real->lpVtbl->SetPredication(real, NULL, 0, D3D12_PREDICATION_OP_EQUAL_ZERO);
    list->is_predicated = false;
}

void layer_list_close(struct object *object, uint64_t none, uint64_t none_2, uint64_t none_3)
{
    struct layer_list *list = layer_list_of(object);
    (void)none, (void)none_2, (void)none_3;
    if (!list)
        return;
    crash_stream_count(&list->stream, &list->mirror.device->crash.counts);
    if (!list->stream.is_recording)
        return;
    inner_flush(list);
    end_predicate(list);
    enter_list(list);
    layer_words_write(list->mirror.device, list, false, ANNOT_WORD_LEFT);
    crash_stream_close(&list->stream);
    list->unmarked = NULL;
}

static void finish(struct layer_mirror *mirror)
{
    struct layer_list *list = (struct layer_list *)(void *)mirror;
    drop(list);
    crash_stream_destroy(&list->stream);
    free(list->own_writes.places);
    list->own_writes = (struct layer_places){NULL, 0, 0, true};
}

void layer_list_execute_bundle(struct object *object, struct object *bundle_object)
{
    struct layer_list *list = layer_list_of(object);
    const struct layer_list *bundle = bundle_object ? layer_list_of(bundle_object) : NULL;
    if (list)
        list_state_execute_bundle(&list->noted, bundle && bundle->is_noted ? &bundle->noted : NULL);
    if (!list || !bundle || !list->stream.is_recording)
        return;
    inner_flush(list);
    enter_list(list);
    crash_stream_execute(&list->stream, bundle->stream.outer);
}

/* ---- markers ---- */

/* Whether the GPU follows this marker, if the list is marked. In a bundle all markers are followed,
 * because a bundle has no inner stream. Copies between draws are expensive: a recording has them
 * only for so many markers, and at level "low" for none. */
static bool is_followed(const struct layer_list *list)
{
    enum { COPIED_MARKERS = 512 };
    const bool is_copied = list->mirror.device->evidence == LAYER_EVIDENCE_COPY &&
                           list->type == D3D12_COMMAND_LIST_TYPE_DIRECT;
    if (list->type == D3D12_COMMAND_LIST_TYPE_BUNDLE)
        return true;
    return list->stream.inner_depth == 0 && layer_words_may_come(list) &&
           (!is_copied || list->followed < COPIED_MARKERS) &&
           (layer_settings.level != CRASH_LEVEL_LOW || (list->stream.depth == 0 && !is_copied));
}

/* Returns the list if it is recording and its markers need no words; otherwise NULL. */
static inline struct layer_list *unmarked_list(const struct object *object)
{
    struct layer_mirror *mirror = (struct layer_mirror *)object_note(object, OBJECT_NOTE_CRASH);
    struct layer_list *list = (struct layer_list *)(void *)mirror;
    return mirror && mirror->kind == LAYER_LIST && list->unmarked ? list : NULL;
}

static struct layer_list *recording_list(struct object *object)
{
    struct layer_list *list = layer_list_of(object);
    return list && list->stream.is_recording ? list : NULL;
}

/* Returns the stream that the list's next marker goes to; NULL: the marker is lost. */
static annot_context *stream_of_next(struct layer_list *list)
{
    if (!is_followed(list))
        return inner_context(list);
    inner_flush(list);
    list->followed++;
    return list->stream.outer;
}

/* A separate function, like end_marked, so that unmarked lists need no frame. */
__attribute__((noinline)) static void begin_marked(struct object *object, uint32_t metadata,
                                                   const void *data, uint32_t size)
{
    struct layer_list *list = recording_list(object);
    if (!list)
        return;
    list->stream.begun++;
    crash_stream_begin(&list->stream, stream_of_next(list), metadata, data, size);
}

void layer_list_begin(struct object *object, uint64_t metadata, uint64_t data, uint64_t size)
{
    struct layer_list *list = unmarked_list(object);
    if (!list) {
        begin_marked(object, (uint32_t)metadata, (const void *)(uintptr_t)data, (uint32_t)size);
        return;
    }
    list->stream.begun++;
    annot_context_begin_event(list->unmarked, (uint32_t)metadata, (const void *)(uintptr_t)data,
                              (uint32_t)size);
}

__attribute__((noinline)) static void end_marked(struct object *object)
{
    struct layer_list *list = recording_list(object);
    if (!list)
        return;
    list->stream.ended++;
    if (crash_stream_end_inner(&list->stream))
        return;
    inner_flush(list);
    if (list->stream.depth > 0) {
        list->stream.depth--;
        if (!layer_words_may_come(list))
            atomic_store_explicit(&list->has_lost_end, true, memory_order_relaxed);
    }
    annot_context_end_event(list->stream.outer);
}

void layer_list_end(struct object *object, uint64_t none, uint64_t none_2, uint64_t none_3)
{
    struct layer_list *list = unmarked_list(object);
    (void)none, (void)none_2, (void)none_3;
    if (!list) {
        end_marked(object);
        return;
    }
    list->stream.ended++;
    annot_context_end_event(list->unmarked);
}

void layer_list_set(struct object *object, uint64_t metadata, uint64_t data, uint64_t size)
{
    struct layer_list *list = recording_list(object);
    if (!list)
        return;
    list->stream.points++;
    annot_context *context = list->unmarked ? list->unmarked : stream_of_next(list);
    if (context)
        annot_context_set_marker(context, (uint32_t)metadata, (const void *)(uintptr_t)data,
                                 (uint32_t)size);
}

/* ---- libannot's driver: words for markers ---- */

static void ANNOT_DDI_CALL mark_begin(D3D12DDI_HCOMMANDLIST handle, uint32_t metadata,
                                      const void *data, uint32_t size, uint64_t event_id)
{
    (void)metadata, (void)data, (void)size;
    struct layer_list *list = handle.pDrvPrivate;
    if (!list || !list->stream.is_marked)
        return;
    list->newest = event_id;
    layer_words_write(list->mirror.device, list, true, (uint32_t)event_id);
}

static void ANNOT_DDI_CALL mark_end(D3D12DDI_HCOMMANDLIST handle, uint64_t event_id)
{
    struct layer_list *list = handle.pDrvPrivate;
    if (list && list->stream.is_marked && event_id)
        layer_words_write(list->mirror.device, list, false, (uint32_t)event_id);
}

static void ANNOT_DDI_CALL mark_set(D3D12DDI_HCOMMANDLIST handle, uint32_t metadata,
                                    const void *data, uint32_t size, uint64_t event_id)
{
    mark_begin(handle, metadata, data, size, event_id);
    mark_end(handle, event_id);
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {crash_ignore_queue_marker,
                                                                  crash_ignore_queue_end,
                                                                  crash_ignore_queue_marker,
                                                                  mark_begin,
                                                                  mark_end,
                                                                  mark_set,
                                                                  crash_ignore_name};

const annot_driver layer_driver = {
    "annot d3d12", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_LATEST, &table, 0};
