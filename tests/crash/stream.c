/* Operations and markers of a layer's list, in its outer and its inner stream, against a plain list
 * of the calls; in a new stream, and in one that had any other recording before [ANN-OP-01]. */
#include "asserts.h"
#include "deaf_driver.h"

#include "device.h"
#include "stream.h"

#include <annot/reader.h>

#include <stdlib.h>
#include <string.h>

/* The calls of a recording, a letter each:
 *
 *     b B    begins a marker that the GPU tells, one without a mark
 *     e      ends the innermost marker
 *     o u    an operation that is noted, one that is only counted
 *     r      one call with two barriers
 *     f      executes the inner stream, if it is open
 */
static const char *const scripts[] = {
    "oboouoe",    "bBoBruoeefoe",    "bBoBo",         "bbouu",
    "Boefbobofe", "rbrBrBoeoefrure", "BoeoefBouoefo", "eeo",
};
enum { SCRIPTS = sizeof scripts / sizeof *scripts, PLACES = 64, FIRST_KIND = 1000 };

static struct crash_device device;
static struct crash_settings settings;
static annot_object *object;
static annot_arena *arena, *inner_arena;
static uint64_t memory[64];

static uint64_t last_event;

static void ANNOT_DDI_CALL note_event(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                      const void *data, uint32_t size, uint64_t id)
{
    (void)list, (void)metadata, (void)data, (void)size;
    last_event = id;
}

static void open_device(void)
{
    static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {
        deaf_queue_marker, deaf_queue_end, deaf_queue_marker, note_event,
        deaf_list_end,     note_event,     deaf_set_name};
    static const annot_driver driver = {"layer", 1, &table, 0};
    const annot_object_desc desc = {.type = ANNOT_OBJECT_COMMAND_LIST};
    const annot_tracker_desc tracked = {
        .memory = memory, .memory_size = sizeof memory, .word_size = 8, .writes_completed = true};
    crash_settings_init(&settings);
    cr_assert(crash_device_open(&device, &settings, &driver, &tracked, "copies"));
    cr_assert_eq(annot_object_create(device.annot, &desc, &object), ANNOT_OK);
    annot_arena_create(device.annot, &arena);
    annot_arena_create(device.annot, &inner_arena);
}

static void close_device(void)
{
    annot_arena_destroy(arena);
    annot_arena_destroy(inner_arena);
    annot_object_destroy(object);
    crash_device_close(&device);
}

TestSuite(stream, .init = open_device, .fini = close_device);

/* An operation: its stream (0: the outer one, n: the n-th execution of the inner one), its number
 * there, and the markers around it there. */
struct place {
    uint32_t stream, number, depth, kind;
};

struct places {
    struct place at[PLACES];
    uint32_t count;
    uint32_t executions; /* of the inner stream */
};

/* ---- the plain list ---- */

static struct places places_of(const char *script)
{
    struct places places = {.count = 0};
    uint32_t operations[2] = {0, 0}, depth[2] = {0, 0};
    bool is_open = false;
    for (const char *at = script; *at; at++) {
        const bool is_inner = depth[1] > 0;
        if (*at == 'B' && !is_open) {
            is_open = true;
            operations[1] = 0;
            places.executions++;
        }
        if (*at == 'f')
            is_open = false;
        if (*at == 'b' || *at == 'B')
            depth[*at == 'B']++;
        if (*at == 'e' && depth[is_inner] > 0)
            depth[is_inner]--;
        if (*at == 'o' || *at == 'r')
            places.at[places.count++] =
                (struct place){is_inner ? places.executions : 0, operations[is_inner],
                               depth[is_inner], FIRST_KIND + (uint32_t)(at - script)};
        operations[is_inner] += *at == 'o' || *at == 'u' || *at == 'r';
    }
    return places;
}

/* ---- the layer's calls ---- */

static void flush(struct crash_stream *stream)
{
    if (stream->inner_is_open)
        crash_stream_flush(stream);
}

static void operate(struct crash_stream *stream, uint32_t kind)
{
    const annot_operation operation = {.kind = kind};
    stream->unnoted++;
    crash_stream_note(stream, &operation);
}

static void transition(struct crash_stream *stream, uint32_t kind)
{
    struct crash_barriers barriers = {.stream = stream, .kind = kind};
    for (uint32_t i = 0; i < 2; i++)
        crash_barriers_add(&barriers, (annot_bound_object){5, ANNOT_BOUND_BARRIER, 0}, 0, i, 4);
    crash_barriers_note(&barriers);
}

static void begin(struct crash_stream *stream, bool is_inner)
{
    if (!is_inner)
        flush(stream);
    else if (!stream->inner_is_open)
        cr_assert(crash_stream_open_inner(stream, inner_arena, NULL));
    crash_stream_begin(stream, is_inner ? stream->inner : stream->outer, 1, "m", 1);
}

static void end(struct crash_stream *stream)
{
    if (crash_stream_end_inner(stream))
        return;
    flush(stream);
    stream->depth -= stream->depth > 0;
    annot_context_end_event(stream->outer);
}

static void record(struct crash_stream *stream, const char *script)
{
    struct crash_counts counts = {0};
    crash_stream_drop(stream, &counts);
    annot_arena_reset(arena);
    annot_arena_reset(inner_arena);
    crash_stream_open(stream, arena);
    crash_stream_mark(stream);
    for (const char *at = script; *at; at++)
        if (*at == 'b' || *at == 'B')
            begin(stream, *at == 'B');
        else if (*at == 'e')
            end(stream);
        else if (*at == 'o')
            operate(stream, FIRST_KIND + (uint32_t)(at - script));
        else if (*at == 'r')
            transition(stream, FIRST_KIND + (uint32_t)(at - script));
        else if (*at == 'u')
            stream->unnoted++;
        else
            flush(stream);
    flush(stream);
    crash_stream_close(stream);
}

/* ---- what a dump has of it ---- */

static uint32_t depth_of(const annot_reader *reader, uint64_t scope)
{
    annot_reader_entry entry;
    return annot_reader_entry_at(reader, annot_reader_entry_find(reader, scope), &entry)
               ? entry.depth + 1
               : 0;
}

static void read_stream(const annot_reader *reader, uint32_t stream, uint32_t number,
                        struct places *places)
{
    annot_reader_operation operation;
    for (uint32_t i = 0; annot_reader_operation_at(reader, stream, i, &operation); i++)
        places->at[places->count++] = (struct place){
            number, operation.number, depth_of(reader, operation.scope), operation.kind};
}

static struct places places_in_dump(void)
{
    static char bytes[1 << 16];
    size_t size;
    annot_reader *reader;
    annot_reader_stream outer;
    annot_reader_entry entry;
    struct places places = {.count = 0};
    cr_assert_eq(annot_dump_write_memory(device.writer, NULL, bytes, sizeof bytes, &size),
                 ANNOT_OK);
    cr_assert_eq(annot_reader_open_memory(NULL, bytes, size, &reader), ANNOT_OK);
    for (uint32_t i = 0; annot_reader_stream_at(reader, i, &outer); i++) {
        if (outer.object != annot_object_id(object))
            continue;
        read_stream(reader, i, 0, &places);
        for (uint32_t k = 0; k < outer.entry_count; k++) {
            annot_reader_entry_at(reader, outer.first_entry + k, &entry);
            if (entry.kind == ANNOT_ENTRY_BUNDLE)
                read_stream(reader, entry.link, ++places.executions, &places);
        }
    }
    annot_reader_close(reader);
    return places;
}

static void expect(const char *script, const char *before)
{
    const struct places expected = places_of(script), places = places_in_dump();
    cr_expect_eqs(places.count, expected.count, places.executions, expected.executions,
                  "%s behind %s", script, before);
    for (uint32_t i = 0; i < expected.count; i++) {
        uint32_t k = 0;
        while (k < places.count && places.at[k].kind != expected.at[i].kind)
            k++;
        cr_expect(k < places.count &&
                      memcmp(&places.at[k], &expected.at[i], sizeof *places.at) == 0,
                  "%s behind %s, call %u: operation %u of stream %u, in %u markers", script, before,
                  expected.at[i].kind - FIRST_KIND, places.at[k].number, places.at[k].stream,
                  places.at[k].depth);
    }
}

Test(stream, operations_have_the_numbers_and_markers_of_their_calls)
{
    for (int first = -1; first < SCRIPTS; first++)
        for (int second = 0; second < SCRIPTS; second++) {
            struct crash_stream stream = {0};
            struct crash_counts counts = {0};
            cr_assert(crash_stream_create(&stream, &device, object));
            if (first >= 0)
                record(&stream, scripts[first]);
            record(&stream, scripts[second]);
            expect(scripts[second], first < 0 ? "nothing" : scripts[first]);
            crash_stream_drop(&stream, &counts);
            crash_stream_destroy(&stream);
        }
}

/* ---- the watchdog ---- */

enum { SECOND = 1000000000 };

static void look_at_rows(void *user, struct crash_look *look)
{
    static annot_progress rows[4];
    crash_look_rows(look, device.tracker, rows, 4);
    look->is_alarmed = *(uint64_t *)user > 0;
}

static void tell(void *user, uint64_t ns)
{
    *(uint64_t *)user = ns;
}

static bool look_after(struct crash_watchdog *watchdog, uint64_t seconds)
{
    return crash_watchdog_look(watchdog, seconds * SECOND);
}

/* Progress in `started` alone, in `completed` alone, in none: at, before and behind the limit. What
 * is told is the time of the clock. */
Test(stream, one_word_s_progress_holds_a_hang_back)
{
    const annot_object_desc desc = {.type = ANNOT_OBJECT_QUEUE};
    struct crash_counts counts = {0};
    annot_object *queue_object;
    annot_context *queue;
    annot_object_create(device.annot, &desc, &queue_object);
    cr_assert_eq(annot_context_create(queue_object, &queue), ANNOT_OK);
    for (int word = 0; word < 3; word++) {
        struct crash_stream stream = {0};
        uint64_t told = 0, events[2];
        struct crash_watchdog watchdog = {
            .timeout = (uint64_t)10 * SECOND, .user = &told, .look = look_at_rows, .hung = tell};
        cr_assert(crash_stream_create(&stream, &device, object));
        crash_stream_open(&stream, arena);
        crash_stream_mark(&stream);
        for (int i = 0; i < 2; i++) {
            annot_context_set_marker(stream.outer, 1, "m", 1);
            events[i] = last_event;
        }
        crash_stream_close(&stream);
        const uint64_t serial = annot_tracker_submit(device.tracker, queue, &stream.outer, 1, NULL);
        uint64_t *started = &memory[stream.words.started / 8],
                 *completed = &memory[stream.words.completed / 8];
        *completed = events[0];
        *started = events[word == 2];
        cr_expect(!look_after(&watchdog, 100) && !look_after(&watchdog, 109));
        const struct crash_told waits = {
            .count = 1,
            .waits = {{.queue = annot_object_id(queue_object), .submission = serial, .list = 1}}};
        struct crash_look rests = {.waits = &waits};
        look_at_rows(&told, &rests);
        cr_expect(!rests.is_pending, "the list waits for a fence");
        if (word > 0)
            *(word == 1 ? started : completed) = events[1];
        cr_expect_eqs(look_after(&watchdog, 110), word == 0, told, word ? 0 : 10 * (uint64_t)SECOND,
                      "word %d", word);
        cr_expect_eq(look_after(&watchdog, 119), word == 0, "word %d", word);
        cr_expect(look_after(&watchdog, 123), "word %d", word);
        cr_expect_eq(told, (word ? 13u : 23u) * (uint64_t)SECOND, "word %d", word);
        annot_tracker_completed(device.tracker, queue, serial);
        crash_stream_drop(&stream, &counts);
        crash_stream_destroy(&stream);
    }
    annot_context_destroy(queue);
    annot_object_destroy(queue_object);
}
