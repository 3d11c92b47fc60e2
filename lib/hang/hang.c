/* Gives programs the record of a hang (annot/hang.h), and finds the suspects' stops. */
#include "hang/hang.h"

#include "analysis/operation.h"
#include "base/sized.h"

#include <stdio.h>

/* ---- paths ---- */

void annot__suspect_path(const annot_reader *reader, const annot_reader_suspect *suspect,
                         bool is_front, struct annot__path *path)
{
    const annot_reader_stop *stop = annot__stop_of(reader, suspect);
    if (!stop) {
        annot__path_of_submission(reader, suspect->submission, path);
        return;
    }
    annot_reader_stop at = *stop;
    if (at.oldest != ANNOT__NONE && at.bundle == ANNOT__NONE && !is_front)
        at.entry = at.oldest;
    annot__path_of_stop(reader, &at, path);
}

static bool begins_with(const char *name, const char *words)
{
    return strncmp(name, words, strlen(words)) == 0;
}

/* At level "exact" a layer puts a scope around each call, with the call's name. */
bool annot__is_call(const annot_reader *reader, const annot_reader_suspect *suspect)
{
    const bool is_exact = annot__text_is(annot__fact_of(reader, "level"), "exact");
    struct annot__path path;
    annot_reader_operation operation;
    char name[256], call[256];
    if (suspect->op == ANNOT__NONE)
        return false;
    annot__suspect_path(reader, suspect, false, &path);
    if (path.count == 0)
        return false;
    annot_reader_entry_name(reader, path.entries[path.count - 1], name, sizeof name);
    snprintf(call, sizeof call, "%s(", annot_op_text(suspect->op));
    if (is_exact && (begins_with(name, call) ||
                     (begins_with(name, "vkCmd") && !begins_with(name, "vkCmdBeginRender"))))
        return true;
    if (suspect->certainty != ANNOT_OPERATION_CERTAIN ||
        !annot__suspect_operation(reader, suspect, &operation))
        return false;
    return annot_reader_operation_text(&operation, call, sizeof call) > 0 &&
           begins_with(name, call);
}

/* `suspect` NULL: nothing. */
static size_t path_text(const annot_reader *reader, const annot_reader_suspect *suspect,
                        char *buffer, size_t capacity)
{
    struct annot__path path;
    if (capacity > 0)
        buffer[0] = 0;
    if (capacity == 0 || !suspect)
        return 0;
    annot__suspect_path(reader, suspect, false, &path);
    return annot__path_text(reader, &path, buffer, capacity);
}

/* ---- operations ---- */

bool annot__suspect_operation(const annot_reader *reader, const annot_reader_suspect *suspect,
                              annot_reader_operation *out)
{
    struct annot__stopped at;
    const annot_reader_stop *stop = annot__stop_of(reader, suspect);
    if (!stop || suspect->noted == ANNOT__NONE)
        return false;
    if (annot__operation_of_stop(reader, stop, &at))
        return annot__operation_at(reader, at.crumbs, at.stream,
                                   reader->operations[suspect->noted].number, out);
    if (!annot__operation_read(reader, suspect->noted, out))
        return false;
    out->stream = suspect->noted_stream;
    out->crumbs = ANNOT__NONE;
    out->is_only = suspect->certainty == ANNOT_OPERATION_CERTAIN;
    return true;
}

bool annot__suspect_counted(const annot_reader *reader, const annot_reader_suspect *suspect,
                            annot_reader_operation *out)
{
    if (annot__suspect_operation(reader, suspect, out))
        return out->crumbs != ANNOT__NONE;
    if (suspect->crumbs == ANNOT__NONE || suspect->op == ANNOT__NONE)
        return false;
    const struct annot__crumbs *crumbs = &reader->crumbs[suspect->crumbs];
    const bool is_list = crumbs->execution != ANNOT__NONE && crumbs->fields.bundle == 0;
    *out = (annot_reader_operation){.kind = suspect->op,
                                    .number = crumbs->fields.done,
                                    .crumbs = suspect->crumbs,
                                    .stream = is_list ? reader->executions[crumbs->execution].stream
                                                      : ANNOT__NONE};
    return true;
}

bool annot__suspect_last(const annot_reader *reader, const annot_reader_suspect *suspect,
                         annot_reader_operation *out)
{
    struct annot__stopped at;
    const annot_reader_stop *stop = annot__stop_of(reader, suspect);
    return stop && suspect->last != ANNOT__NONE && annot__operation_of_stop(reader, stop, &at) &&
           annot__operation_at(reader, at.crumbs, at.stream, suspect->last, out);
}

/* ---- for programs ---- */

bool annot_reader_suspect_at_sized(const annot_reader *reader, size_t index,
                                   annot_reader_suspect *out, size_t out_size)
{
    return index < reader->suspect_count && ANNOT__GIVE(out, out_size, reader->suspects[index]);
}

size_t annot_reader_suspect_path(const annot_reader *reader, size_t index, char *buffer,
                                 size_t capacity)
{
    return path_text(reader, index < reader->suspect_count ? &reader->suspects[index] : NULL,
                     buffer, capacity);
}

bool annot_reader_wait_at_sized(const annot_reader *reader, size_t index, annot_reader_wait *out,
                                size_t out_size)
{
    return index < reader->wait_count && ANNOT__GIVE(out, out_size, reader->waits[index]);
}

void annot_reader_get_hang_sized(const annot_reader *reader, annot_reader_hang *out,
                                 size_t out_size)
{
    ANNOT__GIVE(out, out_size, reader->hang);
}

/* ---- the suspects that have a list, as stops ---- */

/* Returns the suspect of a stop, or NULL. Stops have the order of suspects, and few suspects have
 * no stop. */
static const annot_reader_suspect *suspect_of_stop(const annot_reader *reader, size_t index)
{
    size_t low = index < reader->stop_count ? index : reader->suspect_count;
    while (low < reader->suspect_count && reader->suspects[low].stop != index)
        low++;
    return low < reader->suspect_count ? &reader->suspects[low] : NULL;
}

bool annot_reader_stop_at_sized(const annot_reader *reader, size_t index, annot_reader_stop *out,
                                size_t out_size)
{
    return index < reader->stop_count && ANNOT__GIVE(out, out_size, reader->stops[index]);
}

size_t annot_reader_stop_path(const annot_reader *reader, size_t index, char *buffer,
                              size_t capacity)
{
    return path_text(reader, suspect_of_stop(reader, index), buffer, capacity);
}

bool annot_reader_stop_operation_sized(const annot_reader *reader, size_t index,
                                       annot_reader_operation *out, size_t out_size)
{
    const annot_reader_suspect *suspect = suspect_of_stop(reader, index);
    annot_reader_operation whole = {0};
    return suspect && annot__suspect_operation(reader, suspect, &whole) &&
           ANNOT__GIVE(out, out_size, whole);
}
