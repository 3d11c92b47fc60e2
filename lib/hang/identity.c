/* The identity of a hang: five parts, each with a hash of its own, so that dumps can be compared
 * part by part, and an ID that is made of the five hashes. docs/SIGNATURE.md states the rules; a
 * change of what is hashed is a new version. */
#include "hang/identity.h"

#include "analysis/operation.h"
#include "hang/candidates.h"
#include "hang/hang.h"
#include "base/sized.h"
#include "base/utf.h"

#include <annot/dump.h>
#include <annot/fleet.h>

#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    FOLDED_MAX = 200, /* bytes of a folded name, with its NUL */
    SCOPES = 200,     /* number of a queue's scopes that are read */
    LOOP_MAX = 8,     /* names that repeat */
    HEX_DIGITS = 16,
    FACT_SIZE = 3 + HEX_DIGITS + ANNOT_IDENTITY_PARTS * (1 + HEX_DIGITS)
};

struct folded {
    char text[FOLDED_MAX];
    size_t size;
};

struct place {
    const char *kind; /* hashed in front of the names */
    uint64_t value;
    uint32_t count;
    struct folded names[ANNOT_IDENTITY_NAMES + LOOP_MAX];
    annot_identity identity;
};

static const char *error_word(uint32_t error)
{
    return error == ANNOT_DEVICE_ERROR_HUNG          ? "hang"
           : error == ANNOT_DEVICE_ERROR_PAGE_FAULT  ? "page fault"
           : error == ANNOT_DEVICE_ERROR_APPLICATION ? "application"
                                                     : "lost";
}

/* Evidence is the last part of a dump. If a part of the evidence is missing, the decisive evidence
 * may be missing. */
bool annot__evidence_is_whole(const annot_reader *reader)
{
    annot_finding finding;
    for (size_t i = 0; annot_reader_finding(reader, i, &finding); i++)
        if (finding.finding_class == ANNOT_FINDING_DAMAGE &&
            finding.kind != ANNOT_FINDING_INCOMPLETE && finding.kind != ANNOT_FINDING_HEADER)
            return false;
    return reader->has_device;
}

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

/* Makes A B A B into A B, because the number of rounds differs from run to run. */
static void erase_loop(struct place *place)
{
    for (uint32_t size = 1; size <= LOOP_MAX && 2 * size <= place->count; size++) {
        const struct folded *last = &place->names[place->count - size];
        uint32_t same = 0;
        while (same < size && is_same(last - size + same, last + same))
            same++;
        if (same == size) /* the rest had no loop */
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

/* Letters that replace all bytes of a payload, also unprintable ones: payloads that can't be
 * decoded are equal only if all bytes are. */
static void add_bytes(const annot_reader *reader, uint32_t entry, struct annot__name *name,
                      size_t capacity)
{
    struct annot__marker_view marker;
    char letters[1 + HEX_DIGITS] = " ";
    annot__entry_marker(reader, &reader->entries[entry], &marker);
    uint64_t hash = hash_of((const char *)marker.bytes.data, marker.bytes.size);
    for (int i = 1; i <= HEX_DIGITS; i++, hash >>= 4)
        letters[i] = (char)('g' + (hash & 15)); /* letters, which folding keeps */
    if (name->size > capacity - sizeof letters)
        name->size = annot__utf8_prefix(name->text, capacity - sizeof letters);
    memcpy(name->text + name->size, letters, sizeof letters);
    name->size += sizeof letters;
}

static void add_entry(const annot_reader *reader, struct place *place, uint32_t entry)
{
    char buffer[1024];
    struct annot__name name;
    annot__name_of_entry(reader, entry, buffer, sizeof buffer, &name);
    if (name.payload == ANNOT_PAYLOAD_CHANGED) { /* whatever is there now */
        add_name(place, "?", strlen("?"));
        return;
    }
    if (name.is_opaque)
        add_bytes(reader, entry, &name, sizeof buffer);
    add_name(place, name.text, name.size);
}

static void add_text(struct place *place, annot_text name)
{
    if (name.size > 0)
        add_name(place, name.data, name.size);
    else
        add_name(place, "?", strlen("?"));
}

/* ---- the error, and the object with the address of the fault ---- */

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

static void start(const annot_reader *reader, struct place *place, const char *kind)
{
    const char *word = reader->hang.slow.size > 0 ? "slow"
                       : reader->hang.is_anothers ? "reset by another process"
                                                  : error_word(reader->device.error);
    *place = (struct place){.kind = kind};
    place->identity.stop = ANNOT_READER_NONE;
    set_part(place, ANNOT_PART_ERROR, word, strlen(word));
    if (reader->device.error == ANNOT_DEVICE_ERROR_PAGE_FAULT)
        add_resource(reader, place);
}

/* ---- the operation and its shaders ---- */

/* Adds a pipeline. All its shaders make one hash; if no shader is known, the pipeline's folded name
 * makes the hash. */
static void add_pipeline(const annot_reader *reader, struct place *place, uint32_t stream,
                         uint64_t pipeline)
{
    annot_identity_part *part = part_of(place, ANNOT_PART_SHADER);
    annot_reader_shader shader;
    XXH64_state_t hash;
    char digits[2 * ANNOT_SHADER_DIGEST_SIZE + 1], folded[FOLDED_MAX];
    const annot_text name = annot__called_bound(reader, stream, pipeline).name;
    uint32_t count = 0;
    XXH64_reset(&hash, ANNOT_IDENTITY_VERSION);
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
    if (annot__op_is_work(op))
        place->identity.quality = ANNOT_SIGNATURE_FULL;
}

/* ---- where the GPU stopped ---- */

/* Adds the list's name, if no scope is open. If the list has no name, adds the last marker, which
 * is done. */
static void add_list(const annot_reader *reader, struct place *place, const annot_reader_stop *stop)
{
    const annot_text name = annot__called_in_execution(reader, stop->execution).name;
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

/* Returns the words in front of the last name, which distinguish a list from a scope with the same
 * name. */
static const char *words_of(const char *kind, char *words, size_t size)
{
    const bool is_scope = strcmp(kind, "at") == 0 || strcmp(kind, "reason") == 0;
    const char *between = strcmp(kind, "between lists") == 0 ? " in " : " ";
    snprintf(words, size, "%s%s", is_scope ? "" : kind, is_scope || !*kind ? "" : between);
    return words;
}

/* Makes the hashes and the texts of the gathered parts. */
static void settle(struct place *place)
{
    char words[32];
    const char *word = words_of(place->kind, words, sizeof words);
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
        if (i < first) /* innermost names tell more */
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

/* Adds the scopes of the suspect's path, without a layer's scope around the operation. Returns true
 * if a scope is a list's; otherwise only scopes of the queue are open. */
static bool add_path(const annot_reader *reader, struct place *place,
                     const annot_reader_suspect *suspect)
{
    struct annot__path path;
    annot__suspect_path(reader, suspect, false, &path);
    if (path.count > 0 &&
        (suspect->is_call || path.entries[path.count - 1] == suspect->begin)) /* not open yet */
        path.count--;
    for (uint32_t i = 0; i < path.count; i++)
        add_entry(reader, place, path.entries[i]);
    return path.count > 0 &&
           !reader->streams[annot__entry_stream(reader, path.entries[path.count - 1])].is_queue;
}

/* Without breadcrumbs only the operation of a certain scope counts. */
static bool has_operation(const annot_reader_suspect *suspect)
{
    return suspect->op != ANNOT__NONE &&
           (suspect->crumbs != ANNOT__NONE ||
            (suspect->is_exact && suspect->certainty == ANNOT_OPERATION_CERTAIN));
}

static void place_of_stop(const annot_reader *reader, const annot_reader_suspect *suspect,
                          const annot_reader_stop *stop, struct place *place)
{
    annot_reader_operation operation;
    const bool is_known = has_operation(suspect);
    start(reader, place, stop->is_between ? "between lists" : "at");
    place->identity.stop = suspect->stop;
    place->identity.quality =
        suspect->is_exact ? ANNOT_SIGNATURE_WEAK_OPERATION : ANNOT_SIGNATURE_WEAK_SCOPE;
    if (!add_path(reader, place, suspect))
        add_list(reader, place, stop);
    if (is_known)
        add_operation(reader, place, suspect->op, suspect->begin);
    if (suspect->mixes_threads)
        place->identity.quality = ANNOT_SIGNATURE_WEAK_SCOPE;
    const bool has_objects = is_known && annot__suspect_operation(reader, suspect, &operation);
    for (uint32_t i = 0; has_objects && i < operation.object_count; i++)
        if (operation.objects[i].role == ANNOT_BOUND_PIPELINE)
            add_pipeline(reader, place, operation.stream, operation.objects[i].object);
    settle(place);
}

/* Makes the place if no evidence says where the queue is, or if the dump lacks the queue's work. */
static void place_of_queue(const annot_reader *reader, const annot_reader_suspect *suspect,
                           struct place *place)
{
    uint32_t scopes[SCOPES], count = 0, scope = ANNOT__NONE;
    const uint32_t submission = suspect->submission;
    const bool is_waiting = submission != ANNOT__NONE &&
                            reader->submissions[submission].state == ANNOT_STATE_NOT_STARTED;
    start(reader, place, is_waiting ? "waiting" : "unfinished");
    place->identity.quality = ANNOT_SIGNATURE_WEAK;
    if (submission != ANNOT__NONE)
        scope = reader->entries[reader->submissions[submission].entry].parent;
    for (; scope != ANNOT__NONE && count < SCOPES; scope = reader->entries[scope].parent)
        scopes[count++] = scope;
    const bool has_scope = count > 0;
    while (count-- > 0)
        add_entry(reader, place, scopes[count]);
    add_text(place, annot__called_last(reader, suspect->queue_object).name);
    if (!has_scope && suspect->execution != ANNOT__NONE)
        add_text(place, annot__called_in_execution(reader, suspect->execution).name);
    if (suspect->certainty == ANNOT_OPERATION_COUNTED)
        set_part(place, ANNOT_PART_OPERATION, annot_op_text(suspect->op),
                 strlen(annot_op_text(suspect->op)));
    settle(place);
}

static void place_of(const annot_reader *reader, const annot_reader_suspect *suspect,
                     struct place *place)
{
    const annot_reader_stop *stop = annot__stop_of(reader, suspect);
    if (stop)
        place_of_stop(reader, suspect, stop, place);
    else
        place_of_queue(reader, suspect, place);
}

/* Makes the place if the application failed: only the application's reason can be compared. */
static void place_of_application(const annot_reader *reader, struct place *place)
{
    const annot_text reason = reader->texts[ANNOT__DUMP_TEXT_REASON];
    start(reader, place, "reason");
    place->identity.quality = ANNOT_SIGNATURE_WEAK_REASON;
    add_text(place, reason);
    settle(place);
}

/* Finds the place of the suspect that the first line names. */
static bool find_place(const annot_reader *reader, struct place *place)
{
    const annot_reader_suspect *suspect = annot__first_suspect(reader);
    if (suspect && suspect->role != ANNOT_SUSPECT_CLEARED)
        place_of(reader, suspect, place);
    else if (reader->device.error == ANNOT_DEVICE_ERROR_APPLICATION)
        place_of_application(reader, place);
    else
        return false;
    return true;
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

/* Makes the title: "GPU page fault: Frame # / Shadow pass, Dispatch". */
static void entitle(const annot_reader *reader, annot_identity *identity)
{
    char *title = identity->title;
    const size_t capacity = sizeof identity->title;
    const annot_identity_part *parts = identity->parts;
    say_words(title, capacity,
              reader->hang.slow.size > 0 ? "slow"
              : reader->hang.is_anothers
                  ? "GPU reset by another process"
                  : annot_device_error_headline((int32_t)reader->device.error));
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
           : reader->losses[ANNOT__LOSS_SLOT_UNTOLD] > 0     ? ANNOT_SIGNATURE_UNTOLD
                                                             : ANNOT_SIGNATURE_NO_WORK;
}

static void identify(const annot_reader *reader, struct place *place)
{
    annot_identity *identity = &place->identity;
    const struct annot__fact_entry *stored = stored_in(reader);
    bool has_place = annot__evidence_is_whole(reader) &&
                     reader->device.error != ANNOT_DEVICE_ERROR_NONE && find_place(reader, place);
    identity->version = ANNOT_IDENTITY_VERSION;
    identity->is_redacted = stored != NULL;
    annot_reader_suspect_path(reader, 0, identity->path, sizeof identity->path);
    if (!has_place) {
        identity->stop = ANNOT_READER_NONE;
        identity->quality = none_because(reader);
        say_words(identity->title, sizeof identity->title,
                  annot_signature_quality_text(identity->quality));
        return;
    }
    entitle(reader, identity);
    snprintf(identity->id, sizeof identity->id, "v2-%016llx", (unsigned long long)place->value);
    if (stored && !annot__identity_is_stored(stored->value, identity))
        identity->id[0] = 0;
}

annot_result annot_reader_identity_sized(const annot_reader *reader, annot_identity *out,
                                         size_t out_size)
{
    struct place *place = annot__report_allocate(reader, sizeof *place);
    annot_identity none = {.version = ANNOT_IDENTITY_VERSION, .stop = ANNOT_READER_NONE};
    if (!place) {
        annot__give(out, out_size, &none, sizeof none);
        return ANNOT_ERROR_OUT_OF_MEMORY;
    }
    *place = (struct place){.kind = ""};
    identify(reader, place);
    annot__give(out, out_size, &place->identity, sizeof place->identity);
    annot__report_release(reader, place, sizeof *place);
    return ANNOT_OK;
}

/* ---- for the order of suspects ---- */

struct annot__identity_room {
    struct place place;
};

struct annot__identity_room *annot__identity_room_make(const annot_reader *reader)
{
    return annot__report_allocate(reader, sizeof(struct annot__identity_room));
}

void annot__identity_room_free(const annot_reader *reader, struct annot__identity_room *room)
{
    annot__report_release(reader, room, sizeof *room);
}

uint64_t annot__identity_value(const annot_reader *reader, uint32_t suspect,
                               struct annot__identity_room *room)
{
    place_of(reader, &reader->suspects[suspect], &room->place);
    const uint32_t quality =
        (uint32_t)room->place.identity.quality; /* WEAK_OPERATION says most after FULL */
    const uint64_t doubt =
        quality == ANNOT_SIGNATURE_FULL ? 0 : (ANNOT_SIGNATURE_WEAK_OPERATION + 1u - quality) & 7;
    return doubt << 61 | room->place.value >> 3;
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
