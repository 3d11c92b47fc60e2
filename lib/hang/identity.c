/*
 * The identity of a hang: five parts, each with a hash of its own, so that dumps can be
 * compared part by part, and an ID that is made of the five hashes. docs/SIGNATURE.md states the
 * rules; a change of what is hashed is a new version.
 *
 * Other queues may be working while one hangs, so each queue's oldest stop is a candidate. One of a
 * queue that is held guilty comes first, then the one that says the most.
 */
#include "hang/place.h"

#include "analysis/operation.h"
#include "base/sized.h"

#include <annot/dump.h>
#include <annot/fleet.h>

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    FOLDED_MAX = 200, /* bytes of a folded name, with its NUL */
    QUEUES = 64,      /* that are compared */
    SCOPES = 200,     /* of a queue that are looked at */
    LOOP_MAX = 8,     /* names that repeat */
    HEX_DIGITS = 16,
    FACT_SIZE = 3 + HEX_DIGITS + ANNOT_IDENTITY_PARTS * (1 + HEX_DIGITS)
};

/* How good a place is, the best last. */
enum rank {
    RANK_NONE,
    RANK_WAITING, /* not started */
    RANK_UNFINISHED,
    RANK_BEGUN,
    RANK_LIST,
    RANK_SCOPE,
    RANK_OPERATION
};

struct folded {
    char text[FOLDED_MAX];
    size_t size;
};

/* A candidate. */
struct place {
    enum rank rank;
    bool is_guilty;
    const char *kind; /* hashed in front of the names */
    uint64_t value;   /* among equals the smallest */
    uint32_t count;
    struct folded names[ANNOT_IDENTITY_NAMES + LOOP_MAX];
    annot_identity identity;
};

static uint64_t hash_of(const char *text, size_t size)
{
    return XXH64(text, size, ANNOT_IDENTITY_VERSION);
}

/* ---- texts ---- */

static void say(char *text, size_t capacity, const char *more, size_t size)
{
    const size_t used = strlen(text);
    annot__printable(text + used, capacity - used, more, size);
}

static void say_words(char *text, size_t capacity, const char *words)
{
    say(text, capacity, words, strlen(words));
}

static annot_identity_part *part_of(struct place *place, annot_part part)
{
    return &place->identity.parts[part];
}

static void set_part(struct place *place, annot_part number, const char *text, size_t size)
{
    annot_identity_part *part = part_of(place, number);
    say(part->text, sizeof part->text, text, size);
    part->hash = hash_of(text, size);
}

/* ---- names ---- */

static bool is_same(const struct folded *a, const struct folded *b)
{
    return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

/* A B A B is A B: how often a program goes round is a number, too. */
static void erase_loop(struct place *place)
{
    for (uint32_t size = 1; size <= LOOP_MAX && 2 * size <= place->count; size++) {
        const struct folded *last = &place->names[place->count - size];
        uint32_t same = 0;
        while (same < size && is_same(last - size + same, last + same))
            same++;
        if (same == size) /* and what is left had no loop */
            place->count -= size;
    }
}

static void add_name(struct place *place, const char *name, size_t size)
{
    if (place->count == ANNOT_IDENTITY_NAMES)
        return;
    struct folded *folded = &place->names[place->count++];
    folded->size = annot_fold_name(name, size, folded->text, sizeof folded->text);
    erase_loop(place);
}

static void add_entry(const annot_reader *reader, struct place *place, uint32_t entry)
{
    char buffer[1024];
    struct annot__name name;
    annot__name_of_entry(reader, entry, buffer, sizeof buffer, &name);
    if (name.payload == ANNOT_PAYLOAD_CHANGED) /* whatever is there now */
        add_name(place, "?", strlen("?"));
    else
        add_name(place, name.text, name.size);
}

static void add_text(struct place *place, annot_text name)
{
    if (name.size > 0)
        add_name(place, name.data, name.size);
    else
        add_name(place, "?", strlen("?"));
}

/* ---- the error, and whose memory it was in ---- */

static void add_resource(const annot_reader *reader, struct place *place)
{
    const struct annot__dump_RANGE *range = annot__fault_range(reader);
    char text[FOLDED_MAX + 16] = "", folded[FOLDED_MAX];
    if (!range && reader->range_count > 0)
        set_part(place, ANNOT_PART_RESOURCE, "no object", strlen("no object"));
    if (!range)
        return;
    const annot_text name = annot__called_last(reader, range->object).name;
    annot_fold_name(name.data ? name.data : "?", name.data ? name.size : strlen("?"), folded,
                    sizeof folded);
    const int size = snprintf(text, sizeof text, "%s: %s",
                              range->flags & ANNOT_RANGE_FREED ? "freed" : "object", folded);
    set_part(place, ANNOT_PART_RESOURCE, text, (size_t)size);
}

static void start(const annot_reader *reader, struct place *place, enum rank rank, const char *kind)
{
    const char *word = annot__error_word(reader->device.error);
    *place = (struct place){.rank = rank, .kind = kind};
    place->identity.stop = ANNOT_READER_NONE;
    set_part(place, ANNOT_PART_ERROR, word, strlen(word));
    if (reader->device.error == ANNOT_DEVICE_ERROR_PAGE_FAULT)
        add_resource(reader, place);
}

/* ---- the operation and its shaders ---- */

/* All shaders of a pipeline make one hash; where none is known its folded name does. */
static void add_pipeline(const annot_reader *reader, struct place *place, uint64_t pipeline)
{
    annot_identity_part *part = part_of(place, ANNOT_PART_SHADER);
    annot_reader_shader shader;
    XXH64_state_t hash;
    char digits[2 * ANNOT_SHADER_DIGEST_SIZE + 1], folded[FOLDED_MAX];
    const annot_text name = annot__called_last(reader, pipeline).name;
    uint32_t count = 0;
    XXH64_reset(&hash, ANNOT_IDENTITY_VERSION);
    if (name.size > 0)
        say(part->text, sizeof part->text, name.data, name.size);
    for (; count < ANNOT_SHADERS_MAX && annot_reader_shader_of(reader, pipeline, count, &shader);
         count++) {
        const size_t size = annot_reader_shader_hash(&shader, digits, sizeof digits);
        const char *stage = annot_shader_stage_text(shader.stage);
        XXH64_update(&hash, stage, strlen(stage) + 1);
        XXH64_update(&hash, digits, size + 1);
        say_words(part->text, sizeof part->text, part->text[0] ? ", " : "");
        say_words(part->text, sizeof part->text, stage);
        say_words(part->text, sizeof part->text, " ");
        say(part->text, sizeof part->text, digits, size);
    }
    if (count > 0)
        part->hash = XXH64_digest(&hash);
    else if (name.size > 0)
        part->hash = hash_of(folded, annot_fold_name(name.data, name.size, folded, sizeof folded));
}

static void add_objects(const annot_reader *reader, struct place *place,
                        const annot_reader_operation *operation)
{
    for (uint32_t i = 0; i < operation->object_count; i++)
        if (operation->objects[i].role == ANNOT_BOUND_PIPELINE)
            add_pipeline(reader, place, operation->objects[i].object);
}

/* `begin`: the entry of a BeginEvent that is not done, whose name tells it from others. */
static void add_operation(const annot_reader *reader, struct place *place, uint32_t op,
                          uint32_t begin)
{
    char text[FOLDED_MAX + 32], buffer[1024], folded[FOLDED_MAX];
    if (begin != ANNOT__NONE) {
        const size_t size = annot_reader_entry_name(reader, begin, buffer, sizeof buffer);
        annot_fold_name(buffer, size, folded, sizeof folded);
        const int length = snprintf(text, sizeof text, "%s %s", annot_op_text(op), folded);
        set_part(place, ANNOT_PART_OPERATION, text, (size_t)length);
        return;
    }
    set_part(place, ANNOT_PART_OPERATION, annot_op_text(op), strlen(annot_op_text(op)));
    if (!annot__op_is_work(op))
        return;
    place->rank = RANK_OPERATION;
    place->identity.quality = ANNOT_SIGNATURE_FULL;
}

/* By breadcrumbs; or a certain scope's only one. False: its arguments are not known. */
static bool find_operation(const annot_reader *reader, uint32_t crumbs_op, bool is_certain,
                           const annot_reader_stop *found, const annot_reader_stop *refined,
                           annot_reader_operation *operation)
{
    return crumbs_op != ANNOT__NONE
               ? annot__stop_operation(reader, found, operation)
               : is_certain && annot__operation_of_scope(reader, refined, operation) &&
                     operation->is_only;
}

/* ---- where the GPU stopped ---- */

static bool begins_with(const char *name, const char *words)
{
    return strncmp(name, words, strlen(words)) == 0;
}

/* At level "exact" a layer has a scope of its own around each call, which is called by it. */
static bool is_call(const annot_reader *reader, uint32_t entry, uint32_t op)
{
    const annot_text level = annot__fact_of(reader, "level");
    char name[64], call[64];
    if (op == ANNOT__NONE || level.size != 5 || memcmp(level.data, "exact", 5) != 0)
        return false;
    annot_reader_entry_name(reader, entry, name, sizeof name);
    snprintf(call, sizeof call, "%s(", annot_op_text(op));
    return begins_with(name, call) || begins_with(name, "vkCmd");
}

static void path_of(const annot_reader *reader, const annot_reader_stop *stop, uint32_t op,
                    struct annot__path *path)
{
    annot__path_of_stop(reader, stop, path);
    if (path->count > 0 && is_call(reader, path->entries[path->count - 1], op))
        path->count--;
}

/* The front end ran ahead by as much as it happened to: the oldest scope is the place. */
static void add_path(const annot_reader *reader, struct place *place, const annot_reader_stop *stop,
                     uint32_t op)
{
    struct annot__path path;
    annot_reader_stop at = *stop;
    if (at.oldest != ANNOT__NONE && at.bundle == ANNOT__NONE)
        at.entry = at.oldest;
    path_of(reader, &at, op, &path);
    for (uint32_t i = 0; i < path.count; i++)
        add_entry(reader, place, path.entries[i]);
}

/* The list's name, in the place of scopes that it hasn't; the last marker, which is over, where it
 * has no name either. */
static void add_list(const annot_reader *reader, struct place *place, const annot_reader_stop *stop)
{
    const annot_text name = annot__called_in_execution(reader, stop->execution).name;
    place->rank = RANK_LIST;
    place->kind = stop->is_between ? "before list" : "list";
    place->identity.quality = ANNOT_SIGNATURE_WEAK_LIST;
    if (name.size > 0)
        add_text(place, name);
    else if (stop->started != ANNOT__NONE) {
        place->kind = "behind";
        add_entry(reader, place, stop->started);
    } else
        add_text(place, annot__called_last(reader, reader->streams[stop->queue].object).name);
}

/* The word in front of the last name: a list is not taken for a scope of its name. */
static const char *word_of(const char *kind)
{
    static const struct {
        const char *kind, *word;
    } words[] = {
        {"between lists", "between lists in "},
        {"before list", "before list "},
        {"list", "list "},
        {"behind", "behind "},
        {"unfinished", "unfinished "},
        {"waiting", "waiting "},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(kind, words[i].kind) == 0)
            return words[i].word;
    return "";
}

/* Hashes, and the texts of what was gathered. */
static void settle(struct place *place)
{
    const char *word = word_of(place->kind);
    annot_identity *identity = &place->identity;
    annot_identity_part *part = part_of(place, ANNOT_PART_PLACE);
    XXH64_state_t hash;
    size_t room = sizeof identity->names - 1 - strlen(word);
    uint32_t first = place->count;
    uint8_t bytes[8 * ANNOT_IDENTITY_PARTS];
    XXH64_reset(&hash, ANNOT_IDENTITY_VERSION);
    XXH64_update(&hash, place->kind, strlen(place->kind) + 1);
    while (first > 0 && place->names[first - 1].size + 1 <= room)
        room -= place->names[--first].size + 1;
    for (uint32_t i = 0; i < place->count; i++) {
        const struct folded *name = &place->names[i];
        XXH64_update(&hash, name->text, name->size + 1);
        say_words(part->text, sizeof part->text, i > 0 ? " / " : "");
        if (i + 1 == place->count)
            say_words(part->text, sizeof part->text, word);
        say(part->text, sizeof part->text, name->text, name->size);
        if (i < first) /* what is innermost tells more */
            continue;
        if (i + 1 == place->count)
            strcat(identity->names, word);
        strcat(identity->names, name->text);
        strcat(identity->names, "\n");
    }
    part->hash = XXH64_digest(&hash);
    for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++)
        for (unsigned k = 0; k < 8; k++)
            bytes[8 * i + k] = (uint8_t)(identity->parts[i].hash >> (8 * k));
    place->value = hash_of((const char *)bytes, sizeof bytes);
}

/* Whether no scope of a list is open there: at most some of the queue are. */
static bool is_outside(const annot_reader *reader, const annot_reader_stop *stop, uint32_t op)
{
    struct annot__path path;
    annot_reader_entry entry;
    path_of(reader, stop, op, &path);
    return path.count == 0 ||
           (annot_reader_entry_at(reader, path.entries[path.count - 1], &entry) &&
            reader->streams[entry.stream].is_queue);
}

static void place_of_stop(const annot_reader *reader, uint32_t index, struct place *place)
{
    annot_reader_stop stop = reader->stops[index];
    uint32_t begin = ANNOT__NONE;
    annot_reader_operation operation;
    const uint32_t crumbs = annot__place_crumbs(reader, &stop);
    uint32_t op = annot__place_operation(reader, crumbs);
    start(reader, place, RANK_SCOPE, stop.is_between ? "between lists" : "at");
    place->identity.stop = index;
    place->identity.quality = ANNOT_SIGNATURE_WEAK_SCOPE;
    place->is_guilty = stop.is_guilty;
    const bool is_certain = annot__place_refine(reader, crumbs, op, &stop, &begin) ||
                            annot__place_is_exact(reader, &stop);
    if (begin != ANNOT__NONE) /* it is not open yet */
        *(stop.bundle != ANNOT__NONE ? &stop.bundle_entry : &stop.entry) =
            reader->entries[begin].parent;
    const bool is_known =
        find_operation(reader, op, is_certain, &reader->stops[index], &stop, &operation);
    if (op == ANNOT__NONE && is_known)
        op = operation.kind;
    add_path(reader, place, &stop, op);
    if (is_certain)
        place->identity.quality = ANNOT_SIGNATURE_WEAK_OPERATION;
    if (is_outside(reader, &stop, op))
        add_list(reader, place, &stop);
    if (op != ANNOT__NONE)
        add_operation(reader, place, op, begin);
    if (is_known)
        add_objects(reader, place, &operation);
    settle(place);
}

/* ---- where nothing says it ---- */

static void place_of_queue(const annot_reader *reader, const struct annot__submitted *submission,
                           struct place *place)
{
    const struct annot__stream *queue = &reader->streams[submission->queue];
    uint32_t scopes[SCOPES], count = 0;
    const enum rank rank = submission->state == ANNOT_STATE_NOT_STARTED   ? RANK_WAITING
                           : submission->state == ANNOT_STATE_IN_PROGRESS ? RANK_BEGUN
                                                                          : RANK_UNFINISHED;
    start(reader, place, rank, rank == RANK_WAITING ? "waiting" : "unfinished");
    place->identity.quality = ANNOT_SIGNATURE_WEAK;
    place->is_guilty = queue->object == annot__guilty_queue(reader);
    uint32_t scope = reader->entries[submission->entry].parent;
    for (; scope != ANNOT__NONE && count < SCOPES; scope = reader->entries[scope].parent)
        scopes[count++] = scope;
    const bool has_scope = count > 0;
    while (count-- > 0)
        add_entry(reader, place, scopes[count]);
    add_text(place, annot__called_last(reader, queue->object).name);
    if (!has_scope)
        add_text(place, annot__called_in_execution(reader, submission->executions.first).name);
    settle(place);
}

/* The application failed: what it says itself is all there is to compare. */
static void place_of_application(const annot_reader *reader, struct place *place)
{
    const annot_text reason = reader->texts[ANNOT__DUMP_TEXT_REASON];
    start(reader, place, RANK_UNFINISHED, "reason");
    place->identity.quality = ANNOT_SIGNATURE_WEAK_REASON;
    add_text(place, reason);
    settle(place);
}

static bool is_better(const struct place *place, const struct place *than)
{
    if (place->is_guilty != than->is_guilty)
        return place->is_guilty;
    if (place->rank != than->rank)
        return place->rank > than->rank;
    return place->value < than->value;
}

static void take(const struct place *place, struct place *best)
{
    if (is_better(place, best)) /* than RANK_NONE at the least */
        *best = *place;
}

static void find_unfinished(const annot_reader *reader, struct place *place, struct place *best)
{
    uint32_t seen = ANNOT__NONE; /* queue whose oldest unfinished submission was looked at */
    uint32_t queues = 0;
    for (uint32_t i = 0; i < reader->submission_count && queues < QUEUES; i++) {
        const struct annot__submitted *submission = &reader->submissions[i];
        if (submission->queue == seen || submission->state == ANNOT_STATE_FINISHED ||
            submission->state == ANNOT_STATE_NOT_EXECUTED || submission->executions.count == 0)
            continue;
        seen = submission->queue;
        queues++;
        place_of_queue(reader, submission, place);
        take(place, best);
    }
}

static void find_place(const annot_reader *reader, struct place *place, struct place *best)
{
    uint32_t queues = 0;
    for (uint32_t i = 0; i < reader->stop_count && queues < QUEUES; i++) {
        if (i > 0 && reader->stops[i].queue == reader->stops[i - 1].queue)
            continue;
        queues++;
        place_of_stop(reader, i, place);
        take(place, best);
    }
    if (best->rank == RANK_NONE)
        find_unfinished(reader, place, best);
    if (best->rank == RANK_NONE && reader->device.error == ANNOT_DEVICE_ERROR_APPLICATION) {
        place_of_application(reader, place);
        take(place, best);
    }
}

/* ---- of redacted dumps ---- */

static bool read_digits(const char *text, uint64_t *out)
{
    static const char digits[] = "0123456789abcdef";
    *out = 0;
    for (int i = 0; i < HEX_DIGITS; i++) {
        const char *digit = strchr(digits, text[i]);
        if (!digit || !*digit)
            return false;
        *out = *out << 4 | (uint64_t)(digit - digits);
    }
    return true;
}

bool annot__identity_is_stored(annot_text text, struct annot_identity *out)
{
    uint64_t hashes[1 + ANNOT_IDENTITY_PARTS];
    if (text.size != FACT_SIZE ||
        (memcmp(text.data, "v2-", 3) != 0 && memcmp(text.data, "k2-", 3) != 0))
        return false;
    for (unsigned i = 0; i < 1 + ANNOT_IDENTITY_PARTS; i++) {
        const char *at = text.data + 3 + (size_t)i * (1 + HEX_DIGITS);
        if (!read_digits(at, &hashes[i]) || (i > 0 && at[-1] != ' '))
            return false;
    }
    memcpy(out->id, text.data, 3 + HEX_DIGITS);
    for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++)
        out->parts[i].hash = hashes[1 + i];
    return true;
}

static bool is_own(const struct annot__fact_entry *fact, const char *key)
{
    return fact->source == ANNOT_FACT_LIBRARY && fact->key.size == strlen(key) &&
           memcmp(fact->key.data, key, fact->key.size) == 0;
}

static const struct annot__fact_entry *stored_in(const annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->fact_count; i++)
        if (is_own(&reader->facts[i], ANNOT__IDENTITY_FACT))
            return &reader->facts[i];
    return NULL;
}

/* ---- the question ---- */

/* "GPU page fault: Frame # / Shadow pass, Dispatch". */
static void entitle(const annot_reader *reader, annot_identity *identity)
{
    char *title = identity->title;
    const size_t capacity = sizeof identity->title;
    const annot_identity_part *parts = identity->parts;
    say_words(title, capacity, annot_device_error_headline((int32_t)reader->device.error));
    if (parts[ANNOT_PART_RESOURCE].text[0]) {
        say_words(title, capacity, " in ");
        say_words(title, capacity, parts[ANNOT_PART_RESOURCE].text);
    }
    say_words(title, capacity, ": ");
    say_words(title, capacity, parts[ANNOT_PART_PLACE].text);
    if (parts[ANNOT_PART_OPERATION].text[0]) {
        say_words(title, capacity, ", ");
        say_words(title, capacity, parts[ANNOT_PART_OPERATION].text);
    }
}

static annot_signature_quality none_because(const annot_reader *reader)
{
    return !annot__evidence_is_whole(reader)                 ? ANNOT_SIGNATURE_DAMAGED
           : reader->device.error == ANNOT_DEVICE_ERROR_NONE ? ANNOT_SIGNATURE_NO_ERROR
                                                             : ANNOT_SIGNATURE_NO_WORK;
}

static void identify(const annot_reader *reader, struct place *place, struct place *best)
{
    annot_identity *identity = &best->identity;
    const struct annot__fact_entry *stored = stored_in(reader);
    best->identity.stop = ANNOT_READER_NONE;
    if (annot__evidence_is_whole(reader) && reader->device.error != ANNOT_DEVICE_ERROR_NONE)
        find_place(reader, place, best);
    identity->version = ANNOT_IDENTITY_VERSION;
    identity->is_redacted = stored != NULL;
    if (best->rank == RANK_NONE) {
        identity->quality = none_because(reader);
        say_words(identity->title, sizeof identity->title,
                  annot_signature_quality_text(identity->quality));
        annot_reader_stop_path(reader, 0, identity->path, sizeof identity->path);
        return;
    }
    annot_reader_stop_path(reader, identity->stop, identity->path, sizeof identity->path);
    entitle(reader, identity);
    snprintf(identity->id, sizeof identity->id, "v2-%016llx", (unsigned long long)best->value);
    if (stored && !annot__identity_is_stored(stored->value, identity))
        identity->id[0] = 0;
}

annot_result annot_reader_identity_sized(const annot_reader *reader, annot_identity *out,
                                         size_t out_size)
{
    struct place *places = annot__report_allocate(reader, 2 * sizeof *places);
    annot_identity none = {.version = ANNOT_IDENTITY_VERSION, .stop = ANNOT_READER_NONE};
    if (!places) {
        annot__give(out, out_size, &none, sizeof none);
        return ANNOT_ERROR_OUT_OF_MEMORY;
    }
    places[1] = (struct place){.rank = RANK_NONE};
    identify(reader, &places[0], &places[1]);
    annot__give(out, out_size, &places[1].identity, sizeof places[1].identity);
    annot__report_release(reader, places, 2 * sizeof *places);
    return ANNOT_OK;
}

const char *annot_part_word(annot_part part)
{
    static const char *const words[] = {"error", "operation", "shader", "place", "resource"};
    return part < ANNOT_IDENTITY_PARTS ? words[part] : "unknown";
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
