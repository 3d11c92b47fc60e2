/* Writes the block about a stop's operation into the text report. */
#include "hang/hang.h"
#include "reader/bound.h"
#include "report/report_page.h"

/* ---- the block of the text report ---- */

enum { AROUND = 4, HASH_TEXT = 2 * ANNOT_SHADER_DIGEST_SIZE + 1 };

static void write_shaders(struct annot__page *page, uint64_t pipeline)
{
    annot_reader_shader shader;
    char hash[HASH_TEXT];
    for (uint32_t i = 0;
         i < ANNOT_SHADERS_MAX && annot_reader_shader_of(page->reader, pipeline, i, &shader); i++) {
        annot_reader_shader_hash(&shader, hash, sizeof hash);
        annot__item(page, 2, "shader", "%s %s", annot_shader_stage_text(shader.stage), hash);
        if (shader.debug_name.size > 0) {
            annot__say(page, ", ");
            annot__open_quote(page);
            annot__print_text(page, shader.debug_name);
            annot__say(page, shader.is_name_cut ? "..." : "");
            annot__close_quote(page);
        }
        annot__say(page, "\n");
    }
}

/* Writes "mip 2" between two texts, or nothing for the whole object. */
static void say_part(struct annot__page *page, uint64_t object, struct annot__part part,
                     const char *before, const char *behind)
{
    char text[256];
    if (annot__part_text(page->reader, object, part, text, sizeof text))
        annot__format(page, "%s%s%s", before, text, behind);
}

/* Writes ", COPY_DEST", or ", mip 0: COPY_DEST, mip 1: COPY_SOURCE". Returns false if no state is
 * known. */
static bool say_states(struct annot__page *page, const annot_reader_operation *operation,
                       uint32_t index)
{
    const uint64_t object = operation->objects[index].object;
    struct annot__states states;
    char text[256];
    annot__states_at(page->reader, operation, index, &states);
    const bool are_one = annot__states_are_one(&states);
    for (uint32_t i = 0; i < (are_one ? 1 : states.count); i++) {
        annot__state_text(page->reader, states.of[i].state, text, sizeof text);
        annot__say(page, ", ");
        if (!are_one)
            say_part(page, object, states.of[i].part, "", ": ");
        annot__format(page, states.of[i].is_known ? "%s" : "in transition to %s", text);
    }
    if (states.count > 0 && !states.is_all)
        annot__say(page, ", other parts unknown");
    return states.count > 0 || states.is_cut;
}

/* Writes a resource's size and format, and the used parts with their states. */
static void say_resource(struct annot__page *page, const annot_reader_operation *operation,
                         uint32_t index)
{
    const uint64_t object = operation->objects[index].object;
    char text[256];
    struct annot__bound_state state;
    if (annot__resource_text(page->reader, object, text, sizeof text))
        annot__format(page, " (%s)", text);
    say_part(page, object, annot__part_of(page->reader, object, operation->parts[index]), ", ", "");
    if (!say_states(page, operation, index) && annot__state_created(page->reader, object, &state)) {
        annot__state_text(page->reader, state, text, sizeof text);
        annot__format(page, ", created as %s", text);
    }
}

static void say_barrier(struct annot__page *page, const annot_reader_operation *barrier,
                        uint32_t index)
{
    const annot_bound_object *of = &barrier->objects[index];
    const int64_t after = barrier->arguments[2 * index + 1];
    struct annot__bound_state state = {barrier->kind, of->role,
                                       (uint32_t)barrier->arguments[2 * index]};
    char text[256];
    if (of->object == 0)
        annot__say(page, "everything");
    else
        annot__say_bound(page, barrier->stream, of->object);
    say_part(page, of->object, annot__part_of(page->reader, of->object, barrier->parts[index]), " ",
             "");
    if (annot__barrier_kind(after)) {
        annot__format(page, ": %s\n", annot__barrier_kind(after));
        return;
    }
    annot__state_text(page->reader, state, text, sizeof text);
    annot__format(page, ": %s -> ", text);
    state.value = (uint32_t)after;
    annot__state_text(page->reader, state, text, sizeof text);
    annot__say(page, text);
    if (annot__barrier_half(after))
        annot__format(page, " %s", annot__barrier_half(after));
    annot__say(page, "\n");
}

static void write_barriers(struct annot__page *page, const annot_reader_operation *at)
{
    annot_reader_operation barrier;
    struct annot__barriers of;
    annot__barriers_before(page->reader, at, &of);
    if (of.left_out > 0)
        annot__item(page, 2, "barriers", "%s%u earlier barriers are left out\n",
                    of.is_cut ? "at least " : "", of.left_out);
    else if (of.is_cut)
        annot__item(page, 2, "barriers", "the dump may lack earlier barriers\n");
    for (uint32_t i = 0; i < of.shown.count; i++) {
        if (!annot__operation_read(page->reader, of.shown.first + i, &barrier))
            continue;
        barrier.stream = at->stream;
        for (uint32_t k = 0; k < barrier.object_count && 2 * k + 1 < barrier.argument_count; k++) {
            annot__begin(page, 2, "barrier");
            if (at->crumbs != ANNOT__NONE)
                annot__format(page, "%u ", barrier.number + 1);
            say_barrier(page, &barrier, k);
        }
    }
}

static void write_objects(struct annot__page *page, const annot_reader_operation *operation)
{
    for (uint32_t i = 0; i < operation->object_count; i++) {
        const annot_bound_object *object = &operation->objects[i];
        if (object->object == 0 || annot__is_barrier(operation->kind))
            continue;
        annot__begin(page, 2,
                     object->role == ANNOT_BOUND_BUNDLE ? page->words->bundle
                                                        : annot_bound_role_text(object->role));
        annot__say_bound(page, operation->stream, object->object);
        say_resource(page, operation, i);
        annot__say(page, "\n");
        if (object->role == ANNOT_BOUND_PIPELINE)
            write_shaders(page, object->object);
    }
}

/* Writes "4 SetMarker, 5 Dispatch(1, 1, 1)", the operations from `first` up to `end`. */
static void write_around(struct annot__page *page, const char *label,
                         const annot_reader_operation *at, uint32_t first, uint32_t end)
{
    char name[256];
    if (first >= end)
        return;
    annot__begin(page, 2, label);
    for (uint32_t i = first; i < end; i++) {
        annot__operation_name(page->reader, at->crumbs, at->stream, i, name, sizeof name);
        annot__format(page, "%s%llu %s", i == first ? "" : ", ", (unsigned long long)i + 1, name);
    }
    annot__say(page, "\n");
}

/* Writes the operation inside the scope that contains it. */
static void write_in_scope(struct annot__page *page, const annot_reader_suspect *suspect,
                           const annot_reader_operation *operation)
{
    const bool is_range = annot__stop_of(page->reader, suspect)->oldest != ANNOT__NONE;
    char name[256];
    annot_reader_operation_text(operation, name, sizeof name);
    annot__item(page, 2, operation->is_only || is_range ? "operation" : "last operation",
                operation->is_only ? "%s\n"
                : is_range ? "%s, the oldest of several operations that may have been in flight\n"
                           : "%s, one of several operations that may have been in flight\n",
                name);
    write_objects(page, operation);
    write_barriers(page, operation);
}

void annot__write_stopped(struct annot__page *page, const annot_reader_suspect *suspect)
{
    annot_reader_operation operation;
    if (!annot__suspect_counted(page->reader, suspect, &operation)) {
        if (annot__suspect_operation(page->reader, suspect, &operation))
            write_in_scope(page, suspect, &operation);
        return;
    }
    const uint32_t number = page->reader->crumbs[operation.crumbs].fields.done;
    const uint32_t count = page->reader->crumbs[operation.crumbs].fields.count;
    const bool is_oldest = annot__is_oldest(page->reader, &operation);
    if (!is_oldest || operation.crumbs != page->reader->executions[suspect->execution].crumbs) {
        char name[256];
        annot_reader_operation_text(&operation, name, sizeof name);
        annot__item(page, 2, is_oldest ? "inside it" : "at address",
                    is_oldest ? "%llu of %u is not done: %s\n"
                              : "operation %llu of %u may be in flight too: %s\n",
                    (unsigned long long)operation.number + 1, count, name);
    }
    write_objects(page, &operation);
    write_barriers(page, &operation);
    write_around(page, "done before", &operation, number > AROUND ? number - AROUND : 0, number);
    write_around(page, "after it", &operation, number + 1,
                 count - number > AROUND ? number + 1 + AROUND : count);
}
