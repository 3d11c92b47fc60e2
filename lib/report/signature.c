/*
 * The signature of a hang: the kind of error, where the GPU stopped, and in which operation.
 * Everything that differs between two runs of one program is left out. docs/FLEET.md states the
 * rules; a change of what is hashed is a new version.
 *
 * Other queues may be working while one hangs, so each queue's oldest stop is a candidate, and the
 * best one is used.
 */
#include "report/place.h"

#include "base/sized.h"

#include <annot/dump.h>
#include <annot/fleet.h>

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    FOLDED_MAX = 200, /* bytes of a folded name, with its NUL */
    FACT_SIZE = 19,   /* "v1-" or "k1-", and 16 digits */
    QUEUES = 64,      /* that are compared */
    SCOPES = 200      /* of a queue that are looked at */
};

static const char fact_key[] = ANNOT__SIGNATURE_FACT;

/* How good a place is, the best last. */
enum rank { RANK_UNFINISHED, RANK_LIST, RANK_SCOPE, RANK_OPERATION };

struct place {
    enum rank rank;
    annot_signature_quality quality;
    XXH64_state_t hash;
    uint64_t value;
    char last[FOLDED_MAX]; /* name that was added last */
    bool has_name;
    size_t last_size, title_size;
    char title[ANNOT_SIGNATURE_TITLE_MAX];
};

/* ---- parts ---- */

/* Parts have their size in front, so that no two sequences of parts are the same bytes: a u16 that
 * is less than FOLDED_MAX. */
static void add_part(struct place *place, const char *text, size_t size)
{
    const uint8_t head[2] = {(uint8_t)size, 0};
    XXH64_update(&place->hash, head, sizeof head);
    XXH64_update(&place->hash, text, size);
}

static void add_word(struct place *place, const char *word)
{
    add_part(place, word, strlen(word));
}

static void say(struct place *place, const char *text, size_t size)
{
    place->title_size += annot__printable(place->title + place->title_size,
                                          sizeof place->title - place->title_size, text, size);
}

static void say_words(struct place *place, const char *words)
{
    say(place, words, strlen(words));
}

/* A name of a path. Scopes of one folded name inside of each other are one: their depth is a
 * number, too. `where` is only said, in front of it; NULL: the name is not said, either. */
static void add_place(struct place *place, const char *where, const char *name, size_t size)
{
    char folded[FOLDED_MAX];
    const size_t folded_size = annot_fold_name(name, size, folded, sizeof folded);
    if (place->has_name && folded_size == place->last_size &&
        memcmp(folded, place->last, folded_size) == 0)
        return;
    add_part(place, folded, folded_size);
    if (where) {
        say_words(place, place->has_name ? " / " : ": ");
        say_words(place, where);
        say(place, folded, folded_size);
    }
    memcpy(place->last, folded, folded_size);
    place->last_size = folded_size;
    place->has_name = true;
}

static void add_name(struct place *place, const char *name, size_t size)
{
    add_place(place, "", name, size);
}

static void add_entry(const annot_reader *reader, struct place *place, const char *where,
                      uint32_t entry)
{
    char buffer[1024];
    struct annot__name name;
    annot__name_of_entry(reader, entry, buffer, sizeof buffer, &name);
    if (name.payload == ANNOT_PAYLOAD_CHANGED) /* whatever is there now */
        add_place(place, where, "?", strlen("?"));
    else
        add_place(place, where, name.text, name.size);
}

static void add_text(struct place *place, annot_text name)
{
    if (name.size > 0)
        add_name(place, name.data, name.size);
    else
        add_name(place, "?", strlen("?"));
}

static void add_object(const annot_reader *reader, struct place *place, uint64_t id)
{
    add_text(place, annot__called_last(reader, id).name);
}

static annot_text list_name(const annot_reader *reader, uint32_t execution)
{
    return annot__called_in_execution(reader, execution).name;
}

/* ---- the error ---- */

static void add_fault(const annot_reader *reader, struct place *place)
{
    const struct annot__dump_RANGE *range = annot__fault_range(reader);
    if (!range) {
        add_word(place, reader->range_count > 0 ? "no object" : "unknown");
        return;
    }
    const bool is_freed = range->flags & ANNOT_RANGE_FREED;
    add_word(place, is_freed ? "freed" : "object");
    say_words(place, is_freed ? " in a freed object" : " in an object");
    add_object(reader, place, range->object);
    say_words(place, ", at");
    place->has_name = false;
}

static void start(const annot_reader *reader, struct place *place, enum rank rank, const char *kind)
{
    const uint32_t error = reader->device.error;
    *place = (struct place){.rank = rank};
    XXH64_reset(&place->hash, ANNOT_SIGNATURE_VERSION);
    add_word(place, annot__error_word(error));
    say_words(place, annot_device_error_headline((int32_t)error));
    if (error == ANNOT_DEVICE_ERROR_PAGE_FAULT)
        add_fault(reader, place);
    add_word(place, kind);
}

/* ---- where the GPU stopped ---- */

/* The work in front of `begin` may be what stopped: it is said with the operation. */
static void add_path(const annot_reader *reader, struct place *place, const annot_reader_stop *stop,
                     uint32_t begin)
{
    struct annot__path path;
    annot_reader_stop at = *stop;
    if (at.oldest != ANNOT__NONE && at.bundle == ANNOT__NONE)
        at.entry = at.oldest; /* the front end ran ahead by as much as it happened to */
    annot__path_of_stop(reader, &at, &path);
    for (uint32_t i = 0; i < path.count; i++)
        add_entry(reader, place, path.entries[i] == begin ? NULL : "", path.entries[i]);
}

/* The list's name, in the place of scopes that it hasn't; the last marker, which is over, where it
 * has no name either. */
static void add_list(const annot_reader *reader, struct place *place, const annot_reader_stop *stop)
{
    const annot_text name = list_name(reader, stop->execution);
    add_word(place, "list");
    if (name.size > 0)
        add_text(place, name);
    else if (stop->started != ANNOT__NONE)
        add_entry(reader, place, "behind ", stop->started);
    else
        add_object(reader, place, reader->streams[stop->queue].object);
}

static void place_of_stop(const annot_reader *reader, const annot_reader_stop *found,
                          struct place *place)
{
    annot_reader_stop stop = *found;
    uint32_t begin = ANNOT__NONE;
    const uint32_t crumbs = annot__place_crumbs(reader, &stop);
    const uint32_t op = annot__place_operation(reader, crumbs);
    start(reader, place, RANK_SCOPE, stop.is_between ? "between lists" : "at");
    const size_t head = place->title_size;
    const bool is_counted = annot__place_refine(reader, crumbs, op, &stop, &begin);
    add_path(reader, place, &stop, begin);
    place->quality = is_counted || annot__place_is_exact(reader, &stop)
                         ? ANNOT_SIGNATURE_FULL
                         : ANNOT_SIGNATURE_WEAK_SCOPE;
    if (stop.entry == ANNOT__NONE && stop.bundle_entry == ANNOT__NONE) {
        place->rank = RANK_LIST;
        place->quality = ANNOT_SIGNATURE_WEAK_LIST;
        add_list(reader, place, &stop);
    }
    if (annot__op_is_work(op)) {
        place->rank = RANK_OPERATION;
        place->quality = ANNOT_SIGNATURE_FULL;
    }
    add_word(place, "operation");
    add_word(place, op != ANNOT__NONE ? annot_op_text(op) : "unknown");
    if (op != ANNOT__NONE) {
        say_words(place, place->title_size > head ? ", " : ": ");
        say_words(place, annot_op_text(op));
    }
    if (begin != ANNOT__NONE) {
        say_words(place, " ");
        say(place, place->last, place->last_size);
    }
    place->value = XXH64_digest(&place->hash);
}

/* ---- where nothing says it ---- */

static void place_of_queue(const annot_reader *reader, const struct annot__submitted *submission,
                           struct place *place)
{
    const struct annot__stream *queue = &reader->streams[submission->queue];
    uint32_t scopes[SCOPES], count = 0;
    start(reader, place, RANK_UNFINISHED, "unfinished");
    place->quality = ANNOT_SIGNATURE_WEAK;
    uint32_t scope = reader->entries[submission->entry].parent;
    for (; scope != ANNOT__NONE && count < SCOPES; scope = reader->entries[scope].parent)
        scopes[count++] = scope;
    while (count-- > 0)
        add_entry(reader, place, "", scopes[count]);
    const bool has_scope = place->has_name;
    add_word(place, "queue");
    add_object(reader, place, queue->object);
    if (!has_scope)
        add_text(place, list_name(reader, submission->executions.first));
    place->value = XXH64_digest(&place->hash);
}

static bool is_better(const struct place *place, const struct place *than)
{
    if (place->rank != than->rank)
        return place->rank > than->rank;
    const bool is_weak = annot_signature_is_weak(place->quality);
    if (is_weak != annot_signature_is_weak(than->quality))
        return !is_weak;
    return place->value < than->value;
}

static void take(const struct place *place, struct place *best, bool *has_any)
{
    if (!*has_any || is_better(place, best))
        *best = *place;
    *has_any = true;
}

static bool find_place(const annot_reader *reader, struct place *best)
{
    struct place place;
    bool has_any = false;
    uint32_t queues = 0;
    for (uint32_t i = 0; i < reader->stop_count && queues < QUEUES; i++) {
        if (i > 0 && reader->stops[i].queue == reader->stops[i - 1].queue)
            continue;
        queues++;
        place_of_stop(reader, &reader->stops[i], &place);
        take(&place, best, &has_any);
    }
    uint32_t seen = ANNOT__NONE; /* queue whose oldest unfinished submission was looked at */
    for (uint32_t i = 0; i < reader->submission_count && queues < QUEUES; i++) {
        const struct annot__submitted *submission = &reader->submissions[i];
        if (submission->queue == seen || submission->state == ANNOT_STATE_FINISHED ||
            submission->state == ANNOT_STATE_NOT_EXECUTED || submission->executions.count == 0)
            continue;
        seen = submission->queue;
        queues++;
        place_of_queue(reader, submission, &place);
        take(&place, best, &has_any);
    }
    return has_any;
}

/* The application failed: what it says itself is all there is to compare. */
static void place_of_application(const annot_reader *reader, struct place *place)
{
    const annot_text reason = reader->texts[ANNOT__DUMP_TEXT_REASON];
    start(reader, place, RANK_UNFINISHED, "reason");
    place->quality = ANNOT_SIGNATURE_WEAK_REASON;
    add_name(place, reason.data ? reason.data : "", reason.data ? reason.size : 0);
    place->value = XXH64_digest(&place->hash);
}

/* ---- of redacted dumps ---- */

bool annot__signature_is_id(annot_text text)
{
    if (text.size != FACT_SIZE ||
        (memcmp(text.data, "v1-", 3) != 0 && memcmp(text.data, "k1-", 3) != 0))
        return false;
    for (size_t i = 3; i < text.size; i++)
        if (!strchr("0123456789abcdef", text.data[i]) || !text.data[i])
            return false;
    return true;
}

static bool find_stored(const annot_reader *reader, annot_signature *out)
{
    for (uint32_t i = 0; i < reader->fact_count; i++) {
        const struct annot__fact_entry *fact = &reader->facts[i];
        if (fact->source != ANNOT_FACT_LIBRARY || fact->key.size != sizeof fact_key - 1 ||
            memcmp(fact->key.data, fact_key, sizeof fact_key - 1) != 0)
            continue;
        out->is_redacted = true;
        if (annot__signature_is_id(fact->value))
            memcpy(out->id, fact->value.data, fact->value.size);
        return true;
    }
    return false;
}

/* ---- the question ---- */

void annot_reader_signature_sized(const annot_reader *reader, annot_signature *out, size_t out_size)
{
    struct place place;
    annot_signature whole = {.version = ANNOT_SIGNATURE_VERSION};
    const bool is_stored = find_stored(reader, &whole);
    if (!annot__evidence_is_whole(reader)) {
        whole.quality = ANNOT_SIGNATURE_DAMAGED;
    } else if (reader->device.error == ANNOT_DEVICE_ERROR_NONE) {
        whole.quality = ANNOT_SIGNATURE_NO_ERROR;
    } else if (find_place(reader, &place)) {
        whole.quality = place.quality;
    } else if (reader->device.error == ANNOT_DEVICE_ERROR_APPLICATION) {
        place_of_application(reader, &place);
        whole.quality = place.quality;
    } else {
        whole.quality = ANNOT_SIGNATURE_NO_WORK;
    }
    const bool has_one =
        whole.quality == ANNOT_SIGNATURE_FULL || annot_signature_is_weak(whole.quality);
    if (has_one)
        memcpy(whole.title, place.title, place.title_size);
    else
        snprintf(whole.title, sizeof whole.title, "%s",
                 annot_signature_quality_text(whole.quality));
    if (!has_one)
        whole.id[0] = 0;
    else if (!is_stored)
        snprintf(whole.id, sizeof whole.id, "v1-%016llx", (unsigned long long)place.value);
    ANNOT__GIVE(out, out_size, whole);
}

bool annot_signature_is_weak(annot_signature_quality quality)
{
    return quality > ANNOT_SIGNATURE_FULL && quality < ANNOT_SIGNATURE_DAMAGED;
}

#define CASE_WORD(name, number, word, sentence)                                                    \
    case ANNOT_SIGNATURE_##name:                                                                   \
        return word;
const char *annot_signature_quality_word(annot_signature_quality quality)
{
    switch (quality) {
        ANNOT_SIGNATURE_QUALITIES(CASE_WORD)
    }
    return "none";
}

#define CASE_TEXT(name, number, word, sentence)                                                    \
    case ANNOT_SIGNATURE_##name:                                                                   \
        return sentence;
const char *annot_signature_quality_text(annot_signature_quality quality)
{
    switch (quality) {
        ANNOT_SIGNATURE_QUALITIES(CASE_TEXT)
    }
    return "there is none";
}
