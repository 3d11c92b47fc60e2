/* Level "exact": each call that does work has its own marker, with its numbers, the names of its
 * objects, and the pipeline. */
#include "layer.h"

#include <annot/pix.h>

#include <stdarg.h>
#include <stdio.h>

enum { TEXT_MAX = 400 };

struct text {
    char bytes[TEXT_MAX];
    size_t size;
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
add(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text->bytes + text->size, TEXT_MAX - text->size, format, args);
    va_end(args);
    if (n > 0)
        text->size += (size_t)n < TEXT_MAX - text->size ? (size_t)n : TEXT_MAX - text->size - 1;
}

static bool name_of(uint64_t pointer, char *name, size_t size)
{
    const struct object *object = object_at((void *)(uintptr_t)pointer);
    const struct layer_mirror *mirror = object ? layer_mirror_of(object) : NULL;
    return mirror && annot_object_get_name(mirror->object, name, size) > 0;
}

/* Adds numbers and objects; data behind other pointers is left out. */
static void add_argument(struct text *text, const struct schema_value *p, uint64_t value)
{
    char name[96];
    const char *comma = text->bytes[text->size - 1] == '(' ? "" : ", ";
    if (p->kind == KIND_O)
        add(text, value && name_of(value, name, sizeof name) ? "%s\"%s\"" : "%s%s", comma,
            value && name_of(value, name, sizeof name) ? name
            : value                                    ? "(unnamed)"
                                                       : "NULL");
    else if (p->kind == KIND_I)
        add(text, "%s%lld", comma, (long long)(p->size == 4 ? (int32_t)value : (int64_t)value));
    else if (p->kind == KIND_U || p->kind == KIND_E)
        add(text, "%s%llu", comma, (unsigned long long)value);
}

/* Whether the GPU distinguishes the calls: without words the GPU doesn't, and breadcrumbs count the
 * program's markers. */
static bool is_told_apart(const struct layer_list *list)
{
    return list->stream.is_recording && list->stream.is_marked;
}

void layer_list_work(struct object *object, uint16_t method, const uint64_t *args)
{
    const struct schema_method_row *m = &schema_methods[method];
    struct layer_list *list = layer_list_of(object);
    struct text text = {"", 0};
    char name[96];
    const struct list_indirect *indirect =
        list && method == METHOD_ID3D12GraphicsCommandList_ExecuteIndirect
            ? layer_bound_indirect(list, args[0])
            : NULL;
    if (!list || !is_told_apart(list))
        return;
    add(&text, "%s(", m->name);
    for (uint32_t i = 0; i < m->count; i++)
        add_argument(&text, &schema_params[m->first + i], args[i]);
    add(&text, ")");
    if (list->noted.pipeline && layer_runs_pipeline(method) &&
        name_of(list->noted.pipeline, name, sizeof name))
        add(&text, " with \"%s\"", name);
    list->newest = 0;
    layer_list_begin(object, ANNOT_PIX_METADATA_UTF8, (uintptr_t)text.bytes, text.size + 1);
    list->stream.begun--; /* the marker is no marker of the program */
    layer_operation_note(list, method, args, indirect ? indirect->work : LIST_WORK_UNKNOWN);
    if (indirect && list->newest != 0)
        layer_indirect_note(list, args, indirect);
}

void layer_list_worked(struct object *object)
{
    struct layer_list *list = layer_list_of(object);
    if (!list || !is_told_apart(list))
        return;
    layer_list_end(object, 0, 0, 0);
    list->stream.ended--;
}
