/* What a dump says that calls were bound to, and in which states, against the model. */
#include "bindings.h"

#include <annot/reader.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct checked {
    const struct bind_scene *scene;
    bool has_barriers;
    annot_reader *reader;
    struct bind_counts *counts;
};

#define FALSE_SAID(of, ...)                                                                        \
    do {                                                                                           \
        printf("FALSE: " __VA_ARGS__);                                                             \
        printf("\n");                                                                              \
        (of)->counts->false_count++;                                                               \
    } while (0)

/* "T3" is 3 of kind 'T'; BIND_NONE: it is none of that kind. */
static int number_of(const struct checked *of, uint64_t id, char kind)
{
    annot_reader_object object;
    if (!annot_reader_object_find(of->reader, id, &object) || object.name.size != 2 ||
        object.name.data[0] != kind)
        return BIND_NONE;
    return object.name.data[1] - '0';
}

/* ---- parts ---- */

struct box {
    int mip, mips, slice, slices;
};

static struct box box_of(uint64_t part)
{
    struct box box = {(int)(part & 0xFF), (int)(part >> 8 & 0xFF), (int)(part >> 16 & 0xFFFF),
                      (int)(part >> 32 & 0xFFFF)};
    if (part == 0)
        return (struct box){0, BIND_MIPS, 0, BIND_SLICES};
    if (box.mips > BIND_MIPS - box.mip)
        box.mips = BIND_MIPS - box.mip;
    if (box.slices > BIND_SLICES - box.slice)
        box.slices = BIND_SLICES - box.slice;
    return box;
}

static bool is_shown(uint64_t part, const struct bind_view *view)
{
    const struct box box = box_of(part);
    return box.mip == view->mip && box.mips == (view->mips ? view->mips : 1) &&
           box.slice == view->slice && box.slices == view->slices;
}

/* ---- objects ---- */

/* The n-th claims of a role are of objects in the order of the call. */
struct claims {
    int slot, view;
};

static bool is_slot(const struct bind_shot *shot, struct claims *claims, int buffer)
{
    while (claims->slot < BIND_SLOTS)
        if (shot->at.slots[claims->slot++] == buffer)
            return shot->uses_vertices;
    return false;
}

static bool is_target(const struct checked *of, const struct bind_shot *shot, struct claims *claims,
                      int texture, uint64_t part)
{
    if (shot->kind == BIND_CLEAR)
        return shot->target.texture == texture && is_shown(part, &shot->target);
    while (claims->view < shot->at.view_count) {
        const int at = shot->at.views[claims->view++];
        const struct bind_view *view = &of->scene->views[at < 0 ? 0 : at];
        if (at >= 0 && view->texture == texture && is_shown(part, view))
            return shot->draws;
    }
    return false;
}

static bool is_true(const struct checked *of, const struct bind_shot *shot,
                    const annot_reader_operation *operation, uint32_t index, struct claims *claims)
{
    const uint64_t id = operation->objects[index].object, part = operation->parts[index];
    switch (operation->objects[index].role) {
    case ANNOT_BOUND_PIPELINE:
        return shot->runs && number_of(of, id, 'P') == shot->at.pipeline;
    case ANNOT_BOUND_TARGET:
        return is_target(of, shot, claims, number_of(of, id, 'T'), part);
    case ANNOT_BOUND_DEPTH:
        return shot->draws && shot->at.depth >= 0 &&
               of->scene->views[shot->at.depth].texture == number_of(of, id, 'T') &&
               is_shown(part, &of->scene->views[shot->at.depth]);
    case ANNOT_BOUND_VERTICES:
        return is_slot(shot, claims, number_of(of, id, 'B'));
    case ANNOT_BOUND_INDICES:
        return shot->uses_indices && number_of(of, id, 'B') == shot->at.indices;
    case ANNOT_BOUND_SOURCE:
        return number_of(of, id, 'T') == shot->from.texture && is_shown(part, &shot->from);
    case ANNOT_BOUND_DESTINATION:
        return number_of(of, id, 'T') == shot->to.texture && is_shown(part, &shot->to);
    case ANNOT_BOUND_ARGUMENTS:
        return number_of(of, id, 'B') == 0;
    case ANNOT_BOUND_COUNTS:
        return number_of(of, id, 'B') == 1;
    default:
        return false;
    }
}

/* How much there is to say, without vertex buffers behind the third. */
static unsigned wanted(const struct bind_shot *shot)
{
    unsigned count = 0;
    if (!shot->draws)
        return shot->kind == BIND_COPY ? 2 : 1;
    count += shot->at.pipeline >= 0;
    count += (unsigned)shot->at.view_count;
    count += shot->uses_indices && shot->at.indices >= 0;
    for (int i = 0; i < 3; i++)
        count += shot->at.slots[i] >= 0;
    return shot->kind == BIND_INDIRECT ? count + 1 : count;
}

/* The first object that is none of the call's; object_count: all are. */
static uint32_t find_false(const struct checked *of, const struct bind_shot *shot,
                           const annot_reader_operation *operation)
{
    struct claims claims = {0, 0};
    uint32_t i = 0;
    while (i < operation->object_count && is_true(of, shot, operation, i, &claims))
        i++;
    return i;
}

static void check_shot(const struct checked *of, const struct bind_shot *shot, int number,
                       const annot_reader_operation *operation)
{
    const uint32_t at = find_false(of, shot, operation);
    annot_reader_object object = {0};
    if (operation->kind != shot->kind)
        FALSE_SAID(of, "work %d is of kind %u, and was %u", number, operation->kind, shot->kind);
    else if (at < operation->object_count) {
        annot_reader_object_find(of->reader, operation->objects[at].object, &object);
        FALSE_SAID(of, "work %d (%s) has %s \"%.*s\", part %llx", number,
                   annot_breadcrumb_op_text(shot->kind),
                   annot_bound_role_text(operation->objects[at].role), (int)object.name.size,
                   object.name.data ? object.name.data : "",
                   (unsigned long long)operation->parts[at]);
    }
    of->counts->said += operation->object_count;
    const unsigned all = wanted(shot);
    of->counts->silent += all > operation->object_count ? all - operation->object_count : 0;
}

static bool is_work(uint32_t kind)
{
    return kind != BIND_BARRIER && kind != BIND_ENHANCED_BARRIER && kind != BIND_BUNDLE;
}

/* ---- the operation that hung: states and barriers ---- */

/* The state that a call works on, of a part in the report. */
static void check_state(const struct checked *of, const struct bind_shot *shot, int texture,
                        struct box box, long state, bool is_reached)
{
    for (int slice = box.slice; slice < box.slice + box.slices; slice++)
        for (int mip = box.mip; mip < box.mip + box.mips; mip++) {
            const int is = shot->at.states[texture][mip + slice * BIND_MIPS];
            if (is_reached ? is != (int)state : is != BIND_UNKNOWN)
                FALSE_SAID(of, "T%d, mip %d, slice %d: %ld, and was %d", texture, mip, slice, state,
                           is);
        }
    of->counts->states++;
}

static long number_at(const char *text, const char *end, const char *member, long missing)
{
    const char *at = strstr(text, member);
    return at && at < end ? strtol(at + strlen(member), NULL, 10) : missing;
}

static struct box box_at(const char *text, const char *end)
{
    struct box box = {0, BIND_MIPS, 0, BIND_SLICES};
    const char *part = strstr(text, "\"subresources\":{");
    if (!part || part > end)
        return box;
    box.mip = (int)number_at(part, end, "\"first_mip\":", 0);
    box.mips = (int)number_at(part, end, "\"mips\":", BIND_MIPS - box.mip);
    box.slice = (int)number_at(part, end, "\"first_slice\":", 0);
    box.slices = (int)number_at(part, end, "\"slices\":", BIND_SLICES - box.slice);
    return box;
}

/* One of objects[], up to its end. */
static void check_object(const struct checked *of, const struct bind_shot *shot, const char *text,
                         const char *end)
{
    const char *name = strstr(text, "\"object_name\":\"T");
    if (!name || name > end)
        return;
    const int texture = name[strlen("\"object_name\":\"T")] - '0';
    const long one = number_at(text, end, "\"resource_state\":", -1);
    if (one >= 0)
        check_state(of, shot, texture, box_at(text, end), one, true);
    const char *at = strstr(text, "\"resource_states\":[");
    const char *states_end = at && at < end ? strstr(at, "]") : NULL;
    for (at = states_end ? at + 19 : NULL; at && (at = strstr(at, "\"state\":")) && at < states_end;
         at++) {
        const char *begin = at;
        while (begin > text && strncmp(begin, "\"subresources\":{", 16) != 0 && *begin != '[')
            begin--;
        const char *reached = strstr(at, "\"is_reached\":");
        check_state(of, shot, texture, box_at(begin, at),
                    number_at(at, states_end, "\"state\":", -1), reached[13] == 't');
    }
}

static void check_barriers(const struct checked *of, const struct bind_shot *shot,
                           const char *barriers, const char *end)
{
    int shown = 0;
    for (const char *at = barriers; (at = strstr(at, "\"before_text\":")) && at < end; at++)
        shown++;
    const int left_out = (int)number_at(end, end + 40, "\"barriers_left_out\":", 0);
    const char *more = strstr(end, "\"has_more_barriers\":");
    const bool is_cut = more && more < end + 80;
    if (is_cut ? shown + left_out > shot->at.barriers : shown + left_out != shot->at.barriers)
        FALSE_SAID(of, "%d barriers and %d left out since the last work, and were %d", shown,
                   left_out, shot->at.barriers);
    of->counts->barriers += (uint64_t)shown;
}

static bool write_to(void *user, const void *data, size_t size)
{
    return fwrite(data, 1, size, user) == size;
}

static void check_stop(const struct checked *of, const struct bind_shot *shot)
{
    char *json = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&json, &size);
    const annot_report_sink sink = {to, write_to};
    if (!to || annot_report_json(of->reader, &(annot_report_options){0}, &sink) != ANNOT_OK)
        abort();
    fclose(to);
    const char *stop = strstr(json, "\"stopped_at\":{");
    if (!stop)
        stop = strstr(json, "\"last_operation\":{");
    const char *objects = stop ? strstr(stop, "\"objects\":[") : NULL;
    const char *barriers = objects ? strstr(objects, "\"barriers\":[") : NULL;
    for (const char *at = objects;
         at && barriers && (at = strstr(at, "{\"role\":")) && at < barriers; at++) {
        const char *next = strstr(at + 1, "{\"role\":");
        check_object(of, shot, at, next && next < barriers ? next : barriers);
    }
    if (barriers && of->has_barriers)
        check_barriers(of, shot, barriers, strstr(barriers, "]"));
    free(json);
}

/* ---- all of it ---- */

/* By what its arguments say; BIND_NONE: they don't. */
static int number_said(const annot_reader_operation *operation)
{
    switch (operation->kind) {
    case BIND_DRAW:
        return (int)operation->arguments[2];
    case BIND_DRAW_INDEXED:
        return (int)operation->arguments[3];
    case BIND_INDIRECT:
        return (int)(operation->arguments[1] / 4);
    case BIND_DISPATCH:
        return (int)operation->arguments[0] - 1;
    default:
        return BIND_NONE;
    }
}

/* Clears and copies don't say it: it is one behind the last that did. */
static int number_like(const struct checked *of, int last, const annot_reader_operation *operation)
{
    for (int i = last + 1; i < of->scene->of.count; i++) {
        const struct bind_shot *shot = &of->scene->of.shots[i];
        if (shot->kind == operation->kind &&
            find_false(of, shot, operation) == operation->object_count)
            return i;
    }
    return BIND_NONE;
}

static void check_stream(const struct checked *of, uint32_t stream,
                         const annot_reader_operation *stopped)
{
    annot_reader_operation operation;
    int last = BIND_NONE;
    for (size_t i = 0; annot_reader_operation_at(of->reader, stream, i, &operation); i++) {
        if (!is_work(operation.kind))
            continue;
        const int said = number_said(&operation);
        const int number = said >= 0 ? said : number_like(of, last, &operation);
        const int list = number / BIND_SHOTS;
        const struct bind_recording *recording =
            list > 0 && list <= BIND_BUNDLES ? &of->scene->bundles[list - 1] : &of->scene->of;
        if (number < 0 || number % BIND_SHOTS >= recording->count || number <= last) {
            FALSE_SAID(of, "%s (%d) behind work %d was never there",
                       annot_breadcrumb_op_text(operation.kind), number, last);
            return;
        }
        const struct bind_shot *shot = &recording->shots[number % BIND_SHOTS];
        check_shot(of, shot, last = number, &operation);
        if (stopped && stopped->stream == stream && stopped->number == operation.number &&
            list == 0 && (said >= 0 || number_like(of, number, &operation) < 0)) /* no other one */
            check_stop(of, shot);
    }
}

void bind_check(const struct bind_scene *scene, const char *dump, bool has_barriers,
                struct bind_counts *counts)
{
    struct checked of = {scene, has_barriers, NULL, counts};
    annot_reader_stream stream;
    annot_reader_operation stopped;
    if (annot_reader_open_file(NULL, dump, &of.reader) != ANNOT_OK) {
        FALSE_SAID(&of, "no dump");
        return;
    }
    const bool has_stop = annot_reader_stop_operation(of.reader, 0, &stopped);
    for (uint32_t i = 0; annot_reader_stream_at(of.reader, i, &stream); i++)
        check_stream(&of, i, has_stop ? &stopped : NULL);
    annot_reader_close(of.reader);
}
