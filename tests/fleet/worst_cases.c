#include "worst_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* Bytes of records with their headers, for the shares of a file. */
enum { MARKER = 40, EXECUTION = 48 + 72, ROW = 72, OBJECT = 48, CRUMBS = 64 };

static const uint64_t first_event = 0x500000010;

static uint64_t event(uint32_t index)
{
    return first_event + 0x10 * (uint64_t)index;
}

static uint32_t count_of(size_t bytes, size_t each)
{
    return (uint32_t)(bytes / each) + 1;
}

/* ---- what cases are made of ---- */

/* Scopes `first` to first + count - 1 of the recording opened last, each in the one before. */
static void nest(struct dump *dump, uint32_t first, uint32_t count, uint32_t flags)
{
    for (uint32_t i = 0; i < count; i++) {
        dump_add_with(dump, BEGIN, "scope", 5, .event_id = event(first + i),
                      .parent = i ? event(first + i - 1) : 0, .metadata = 1, .flags = flags,
                      .size = 5);
    }
    dump->next_event = event(first + count);
}

/* Markers in this scope; 0: in none. */
static void fill_scope(struct dump *dump, uint64_t parent, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        dump_add_with(dump, SET, "draw", 4, .event_id = dump->next_event, .parent = parent,
                      .metadata = 1, .size = 4);
        dump->next_event += 0x10;
    }
}

/* Submissions 1 to count on queue 21 of these recordings in turns. */
static void submit(struct dump *dump, uint32_t count, const uint64_t *recordings, uint32_t of)
{
    dump_queue(dump, 21, count, 0);
    for (uint32_t i = 1; i <= count; i++)
        dump_submit(dump, i, 1, &recordings[(i - 1) % of]);
}

static void rows(struct dump *dump, uint32_t count, uint64_t started, uint64_t completed)
{
    for (uint32_t i = 1; i <= count; i++)
        dump_row(dump, 21, i, 0, 0, STARTED, started, completed);
}

static void name_of_size(struct dump *dump, uint64_t id, uint32_t kind, size_t size)
{
    char *name = malloc(size + 1);
    if (!name)
        abort();
    memset(name, 'x', size);
    name[size] = 0;
    dump_object(dump, id, kind, name);
    free(name);
}

static void crumbs(struct dump *dump, uint32_t submission, uint32_t count, uint32_t done)
{
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_add(dump, CRUMBS, .queue = 21, .submission = submission, .log = 1, .count = count,
             .done = done);
}

static void clocks(struct dump *dump)
{
    const struct annot__dump_CLOCK clocks[] = {{0, 1000, 1000000000},
                                               {1000000000, 1000001000, 1000000000}};
    dump_section(dump, ANNOT__DUMP_SECTION_HISTORY);
    dump_put_CLOCK(dump, &clocks[0], NULL, 0);
    dump_put_CLOCK(dump, &clocks[1], NULL, 0);
}

/* When a submission and the eight calls of its list were. */
static void put_times(struct dump *dump, uint64_t queue, uint64_t submission, bool is_done)
{
    enum { CALLS = 8 };
    const uint64_t at = 2000 + 1000 * submission;
    unsigned char calls[16 * CALLS] = {0};
    for (unsigned k = 0; k < CALLS; k++) {
        const uint64_t time = at + 210 + 10 * (uint64_t)k;
        calls[16 * k] = (unsigned char)(k + 1);
        for (unsigned i = 0; i < 8; i++)
            calls[16 * k + 8 + i] = (unsigned char)(time >> (8 * i));
    }
    dump_add(dump, SUBMITTED, .queue = queue, .submission = submission, .cpu_begin = at,
             .cpu_end = at + 100, .begin = at + 200, .end = is_done ? at + 900 : 0, .flags = 9);
    dump_add_with(dump, HISTORY, calls, sizeof calls, .queue = queue, .submission = submission,
                  .object = 100, .log = 1, .count = CALLS, .markers = CALLS);
}

/* ---- the cases ---- */

/* Lists of forty markers in scopes of a frame, most of them finished. */
static void plain(struct dump *dump, size_t size)
{
    enum { WIDTH = 36, LIST = 40 * 48 + 64 + EXECUTION + 88 + 72 + 128 };
    const uint32_t lists = count_of(size, LIST);
    char name[32];
    dump_object(dump, 21, 19, "Graphics");
    for (uint32_t i = 1; i <= lists; i++) {
        dump_recording(dump, i, 100);
        snprintf(name, sizeof name, "Frame %u", i);
        dump_begin(dump, name);
        dump_begin(dump, "Shadow pass");
        dump_begin(dump, "Cascade 2");
        for (int k = 0; k < WIDTH; k++) {
            snprintf(name, sizeof name, "Mesh %u", i * WIDTH + (uint32_t)k);
            dump_set(dump, name);
        }
        dump_end(dump);
        dump_end(dump);
        dump_end(dump);
    }
    dump_queue(dump, 21, lists, lists - 2);
    for (uint32_t i = 1; i <= lists; i++)
        dump_submit(dump, i, 1, (uint64_t[]){i});
    const uint32_t last = (lists - 2) * 39;
    dump_row(dump, 21, lists - 1, 0, 0, STARTED, event(last + 20), event(last + 10));
    dump_row(dump, 21, lists, 0, 0, NOT_STARTED, 0, 0);
    clocks(dump);
    for (uint32_t i = 1; i <= lists; i++)
        put_times(dump, 21, i, i < lists);
}

static void deep(struct dump *dump, size_t size, uint32_t flags)
{
    static const uint64_t recordings[] = {1};
    const uint32_t scopes = count_of(size / 2, MARKER + 8),
                   executions = count_of(size / 2, EXECUTION);
    dump_recording(dump, 1, 100);
    nest(dump, 0, scopes, flags);
    submit(dump, executions, recordings, 1);
    rows(dump, executions, event(scopes - 1), event(1));
}

static void executions_by_depth(struct dump *dump, size_t size)
{
    deep(dump, size, ANNOT__DUMP_MARKER_CLOSED);
}

static void executions_by_open_depth(struct dump *dump, size_t size)
{
    deep(dump, size, 0);
}

/* Every list leaves scopes open that the next one closes. */
static void executions_by_crossings(struct dump *dump, size_t size)
{
    static const uint64_t recordings[] = {1, 2};
    const uint32_t scopes = count_of(size / 4, MARKER + 8 + 16),
                   executions = count_of(3 * size / 4, EXECUTION);
    dump_recording(dump, 1, 100);
    nest(dump, 0, scopes, 0);
    dump_recording(dump, 2, 100);
    for (uint32_t i = 0; i < scopes; i++)
        dump_end(dump);
    submit(dump, executions, recordings, 2);
    rows(dump, executions, event(scopes - 1), 0);
}

/* Half of the executions open a scope each that the other half closes. */
static void crossings_inside_each_other(struct dump *dump, size_t size)
{
    const uint32_t executions = count_of(size, EXECUTION);
    dump_recording(dump, 1, 100);
    nest(dump, 0, 1, 0);
    dump_recording(dump, 2, 100);
    dump_end(dump);
    dump_queue(dump, 21, executions, 0);
    for (uint32_t i = 1; i <= executions; i++)
        dump_submit(dump, i, 1, (uint64_t[]){i <= executions / 2 ? 1 : 2});
    for (uint32_t i = 1; i <= executions; i++)
        dump_row(dump, 21, i, 0, 0, STARTED, i <= executions / 2 ? event(0) : 0, 0);
}

static void depth_by_width(struct dump *dump, size_t size)
{
    static const uint64_t recordings[] = {1};
    const uint32_t scopes = count_of(size / 2, MARKER + 8), width = count_of(size / 2, MARKER + 8);
    dump_recording(dump, 1, 100);
    nest(dump, 0, scopes, ANNOT__DUMP_MARKER_CLOSED);
    fill_scope(dump, event(scopes - 1), width);
    submit(dump, 1, recordings, 1);
    rows(dump, 1, event(scopes + width - 1), event(scopes));
}

static void executions_by_width(struct dump *dump, size_t size)
{
    static const uint64_t recordings[] = {1};
    const uint32_t width = count_of(size / 2, MARKER + 8),
                   executions = count_of(size / 2, EXECUTION);
    dump_recording(dump, 1, 100);
    fill_scope(dump, 0, width);
    submit(dump, executions, recordings, 1);
    rows(dump, executions, event(width / 2), event(width / 4));
}

/* One long name of a queue, a list and a marker, said of each of many executions and ranges. */
static void names_by_mentions(struct dump *dump, size_t size)
{
    enum { LONG = 60000, RANGE = 56 };
    static const uint64_t recordings[] = {1};
    const size_t rest = size > 4 * LONG ? size - 3 * LONG : size / 4;
    const uint32_t executions = count_of(rest / 2, EXECUTION), ranges = count_of(rest / 2, RANGE);
    char *name = malloc(LONG);
    if (!name)
        abort();
    memset(name, '\x01', LONG);
    name_of_size(dump, 21, 19, LONG);
    name_of_size(dump, 100, 22, LONG);
    dump_recording(dump, 1, 100);
    dump_marker(dump, true, 1, name, LONG);
    submit(dump, executions, recordings, 1);
    rows(dump, executions, event(0), 0);
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    for (uint32_t i = 0; i < ranges; i++) {
        dump_add(dump, RANGE, .address = 0x10000 * (uint64_t)(i + 1), .size = 0x20000,
                 .object = 100, .kind = 34);
    }
    free(name);
}

/* A list of many ExecuteBundle of one large bundle, executed often. */
static void bundles_by_executions(struct dump *dump, size_t size)
{
    static const uint64_t recordings[] = {1};
    const uint32_t calls = count_of(size / 3, MARKER), width = count_of(size / 3, MARKER + 8),
                   executions = count_of(size / 3, EXECUTION);
    dump_recording(dump, 1, 100);
    fill_scope(dump, 0, 1);
    for (uint32_t i = 1; i <= calls; i++)
        dump_bundle(dump, i, 2, 102);
    dump_recording(dump, 2, 102);
    fill_scope(dump, 0, width);
    submit(dump, executions, recordings, 1);
    rows(dump, executions, event(0), 0);
}

/* A row for each bundle of each execution. */
static void bundles_with_rows(struct dump *dump, size_t size)
{
    const uint32_t calls = count_of(size, MARKER + ROW + 8);
    dump_recording(dump, 1, 100);
    fill_scope(dump, 0, 1);
    for (uint32_t i = 1; i <= calls; i++)
        dump_bundle(dump, i, 2, 102);
    dump_recording(dump, 2, 102);
    fill_scope(dump, 0, 1);
    submit(dump, 1, (uint64_t[]){1}, 1);
    for (uint32_t i = 0; i <= calls; i++)
        dump_row(dump, 21, 1, 0, i, STARTED, event(i > 0), 0);
}

/* Everything that can be lost, of each of many lists and queues. */
static void losses(struct dump *dump, size_t size)
{
    enum { LOSS = 32, RECORDING = 56, QUEUE = 48 };
    const uint32_t lists = count_of(size, LOSS + RECORDING + MARKER + 8 + QUEUE + EXECUTION);
    for (uint32_t i = 0; i < lists; i++)
        dump_add(dump, LOSS, .count = 1, .object = 1000 + i, .what = 1 + i % 12);
    for (uint32_t i = 0; i < lists; i++) {
        dump_section(dump, ANNOT__DUMP_SECTION_LISTS);
        dump_add(dump, RECORDING, .id = i + 1, .object = 1000 + i, .dropped = 7, .surplus_ends = 3,
                 .unclosed = 2);
        fill_scope(dump, 0, 1);
    }
    for (uint32_t i = 0; i < lists; i++) {
        dump_queue(dump, 1000000 + i, 100, 10);
        dump_submit(dump, 50, 1, (uint64_t[]){i + 1});
    }
    for (uint32_t i = 0; i < lists; i++)
        dump_row(dump, 1000000 + i, 50, 0, 0, STARTED, event(i), 0);
}

/* Breadcrumbs of many executions of one list of many operations, of which the dump has all but
 * `lost`. */
static void breadcrumbs(struct dump *dump, size_t size, uint32_t lost)
{
    static const uint64_t recordings[] = {1};
    const uint32_t width = count_of(size / 4, MARKER + 8 + 2),
                   executions = count_of(3 * size / 4, 48 + CRUMBS);
    const uint32_t operations = 2 * width < 65536 ? 2 * width : 65536;
    unsigned char *bytes = malloc(operations);
    if (!bytes)
        abort();
    for (uint32_t i = 0; i < operations; i++)
        bytes[i] = i % 2 ? 3 : 0; /* DrawInstanced, SetMarker */
    dump_recording(dump, 1, 100);
    fill_scope(dump, 0, width);
    submit(dump, executions, recordings, 1);
    for (uint32_t i = 1; i <= executions; i++)
        crumbs(dump, i, operations, operations / 2 + i % 1000);
    dump_add_with(dump, OPS, bytes, operations - lost, .log = 1);
    free(bytes);
}

static void executions_by_crumbs(struct dump *dump, size_t size)
{
    breadcrumbs(dump, size, 0);
}

static void executions_by_lost_crumbs(struct dump *dump, size_t size)
{
    breadcrumbs(dump, size, 1);
}

/* Many objects, and many executions of lists that were not kept. */
static void objects_by_executions(struct dump *dump, size_t size)
{
    const uint32_t objects = count_of(size / 2, OBJECT + 16),
                   executions = count_of(size / 2, EXECUTION);
    char name[32];
    for (uint32_t i = 0; i < objects; i++) {
        snprintf(name, sizeof name, "Buffer %u", i);
        dump_object(dump, 100 + (uint64_t)i * 0x100000001, 34, name);
    }
    submit(dump, executions, (uint64_t[]){0}, 1);
    for (uint32_t i = 1; i <= executions; i++)
        dump_row(dump, 21, i, 0, 0, STARTED, 0, 0);
}

/* Keys that are in one bucket of a table with uthash's own hash function: such a table stops
 * growing after some hundred of them. */
static bool collides(const void *key, unsigned size)
{
    unsigned hash;
    HASH_JEN(key, size, hash);
    return (hash & 255) == 0;
}

static void objects_in_one_bucket(struct dump *dump, size_t size)
{
    const uint32_t objects = count_of(size, OBJECT);
    uint64_t id = 1;
    for (uint32_t i = 0; i < objects; i++, id++) {
        while (!collides(&id, sizeof id))
            id++;
        dump_object(dump, id, 34, "");
    }
}

static void names_in_one_bucket(struct dump *dump, size_t size)
{
    const uint32_t names = count_of(size, MARKER + 8);
    char name[16] = {1 + 5}; /* as diff has keys: a part of the dump, then the name */
    uint32_t number = 0;
    dump_recording(dump, 1, 100);
    for (uint32_t i = 0; i < names; i++, number++) {
        const bool is_key = i % 2;
        for (int length = 0;; number++) {
            length = 0;
            for (uint32_t left = number; left > 0; left /= 26)
                name[1 + length++] = (char)('a' + left % 26);
            if (length > 0 && collides(name + !is_key, (unsigned)(length + is_key))) {
                name[1 + length] = 0;
                break;
            }
        }
        dump_set(dump, name + 1);
    }
    submit(dump, 1, (uint64_t[]){1}, 1);
    dump_row(dump, 21, 1, 0, 0, STARTED, event(0), 0);
}

/* One submission of many queues each, with times. */
static void queues_by_times(struct dump *dump, size_t size)
{
    enum { EACH = 48 + 48 + ROW + 88 + 72 + 128 };
    const uint32_t queues = count_of(size, EACH);
    dump_recording(dump, 1, 100);
    fill_scope(dump, 0, 8);
    for (uint32_t i = 0; i < queues; i++) {
        dump_queue(dump, 21 + i, 1, 0);
        dump_submit(dump, 1, 1, (uint64_t[]){1});
    }
    for (uint32_t i = 0; i < queues; i++)
        dump_row(dump, 21 + i, 1, 0, 0, STARTED, event(1), 0);
    clocks(dump);
    for (uint32_t i = 0; i < queues; i++)
        put_times(dump, 21 + i, 1, false);
}

const struct worst_case worst_cases[] = {
    {"plain", plain},
    {"executions_by_depth", executions_by_depth},
    {"executions_by_open_depth", executions_by_open_depth},
    {"executions_by_crossings", executions_by_crossings},
    {"crossings_inside_each_other", crossings_inside_each_other},
    {"depth_by_width", depth_by_width},
    {"executions_by_width", executions_by_width},
    {"names_by_mentions", names_by_mentions},
    {"bundles_by_executions", bundles_by_executions},
    {"bundles_with_rows", bundles_with_rows},
    {"losses", losses},
    {"executions_by_crumbs", executions_by_crumbs},
    {"executions_by_lost_crumbs", executions_by_lost_crumbs},
    {"objects_by_executions", objects_by_executions},
    {"objects_in_one_bucket", objects_in_one_bucket},
    {"names_in_one_bucket", names_in_one_bucket},
    {"queues_by_times", queues_by_times},
    {NULL, NULL},
};
