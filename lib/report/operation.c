/* The block of the text report of a stop's operation. */
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

/* Its size, format and state. */
static void say_resource(struct annot__page *page, const annot_reader_operation *operation,
                         uint32_t index)
{
    const uint64_t object = operation->objects[index].object;
    char text[256];
    struct annot__bound_state state;
    if (annot__resource_text(page->reader, object, text, sizeof text))
        annot__format(page, " (%s)", text);
    const bool is_known = annot__state_at(page->reader, operation, index, &state);
    if (is_known || annot__state_created(page->reader, object, &state)) {
        annot__state_text(page->reader, state, text, sizeof text);
        annot__format(page, is_known ? ", %s" : ", created as %s", text);
    }
}

static void write_barrier(struct annot__page *page, const annot_reader_operation *barrier,
                          bool has_number)
{
    char before[256], after[256];
    for (uint32_t i = 0; i < barrier->object_count; i++) {
        struct annot__bound_state state = {barrier->kind, barrier->objects[i].role, 0};
        if (2 * i + 1 >= barrier->argument_count)
            return;
        state.value = (uint32_t)barrier->arguments[2 * i];
        annot__state_text(page->reader, state, before, sizeof before);
        state.value = (uint32_t)barrier->arguments[2 * i + 1];
        annot__state_text(page->reader, state, after, sizeof after);
        annot__begin(page, 2, "barrier");
        if (has_number)
            annot__format(page, "%u ", barrier->number + 1);
        annot__say_object(page, barrier->objects[i].object);
        annot__format(page, ": %s -> %s\n", before, after);
    }
}

static void write_barriers(struct annot__page *page, const annot_reader_operation *at)
{
    annot_reader_operation barrier;
    const struct annot__range of = annot__barriers_before(page->reader, at);
    for (uint32_t i = 0; i < of.count; i++)
        if (annot__operation_read(page->reader, of.first + i, &barrier))
            write_barrier(page, &barrier, at->crumbs != ANNOT__NONE);
}

static void write_objects(struct annot__page *page, const annot_reader_operation *operation)
{
    for (uint32_t i = 0; i < operation->object_count; i++) {
        const annot_bound_object *object = &operation->objects[i];
        if (object->object == 0)
            continue;
        annot__begin(page, 2, annot_bound_role_text(object->role));
        annot__say_object(page, object->object);
        say_resource(page, operation, i);
        annot__say(page, "\n");
        if (object->role == ANNOT_BOUND_PIPELINE)
            write_shaders(page, object->object);
    }
}

/* "4 SetMarker, 5 Dispatch(1, 1, 1)" of operations from `first` up to `end`. */
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

/* Where a scope says that it is in there. */
static void write_in_scope(struct annot__page *page, const annot_reader_operation *operation)
{
    char name[256];
    annot_reader_operation_text(operation, name, sizeof name);
    annot__begin(page, 2, operation->is_only ? "operation" : "last operation");
    annot__format(page, operation->is_only ? "%s\n" : "%s, of several in this scope\n", name);
    write_objects(page, operation);
    write_barriers(page, operation);
}

void annot__write_stopped(struct annot__page *page, const annot_reader_suspect *suspect)
{
    annot_reader_operation operation;
    if (!annot__suspect_operation(page->reader, suspect, &operation))
        return;
    if (operation.crumbs == ANNOT__NONE) {
        write_in_scope(page, &operation);
        return;
    }
    const uint32_t number = operation.number;
    const uint32_t count = page->reader->crumbs[operation.crumbs].fields.count;
    if (operation.crumbs != page->reader->executions[suspect->execution].crumbs) {
        char name[256];
        annot_reader_operation_text(&operation, name, sizeof name);
        annot__item(page, 2, "in the bundle", "%llu of %u, %s: not done\n",
                    (unsigned long long)number + 1, count, name);
    }
    write_objects(page, &operation);
    write_barriers(page, &operation);
    write_around(page, "done before", &operation, number > AROUND ? number - AROUND : 0, number);
    write_around(page, "not done after", &operation, number + 1,
                 count - number > AROUND ? number + 1 + AROUND : count);
}
