#include "mutate.h"

#include "places.h"

#include <capture/trace/read.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define RECORDS_MAX 8192u
#define HEAD        8u

struct mutator {
    uint8_t *data;
    size_t size, capacity;
    size_t starts[RECORDS_MAX]; /* of the records */
    size_t count;
    uint64_t random;
    struct places places;
};

/* ---- chance ---- */

static uint64_t next_random(struct mutator *m)
{
    m->random ^= m->random << 13;
    m->random ^= m->random >> 7;
    m->random ^= m->random << 17;
    return m->random;
}

static size_t below(struct mutator *m, size_t limit)
{
    return limit ? (size_t)(next_random(m) % limit) : 0;
}

static uint64_t odd_number(struct mutator *m)
{
    static const uint64_t numbers[] = {0,          1,
                                       2,          3,
                                       4,          7,
                                       8,          16,
                                       64,         255,
                                       256,        4096,
                                       65535,      65536,
                                       INT32_MAX,  0x80000000u,
                                       UINT32_MAX, 0x100000000,
                                       INT64_MAX,  (uint64_t)INT64_MAX + 1,
                                       UINT64_MAX, UINT64_MAX - 1};
    switch (below(m, 4)) {
    case 0:
        return 1ull << below(m, 64);
    case 1:
        return next_random(m) >> below(m, 64);
    default:
        return numbers[below(m, sizeof numbers / sizeof numbers[0])];
    }
}

/* ---- records ---- */

static struct trace_record record_at(const struct mutator *m, size_t at)
{
    struct trace_record record;
    memcpy(&record, m->data + at, sizeof record);
    return record;
}

static size_t first_lane(const struct mutator *m)
{
    uint64_t size = 0;
    memcpy(&size, m->data, sizeof size);
    return size < m->size - HEAD ? (size_t)size & ~(size_t)7 : m->size - HEAD;
}

/* Its size is a multiple of 8; what the lowest bits say stays. */
static void set_first_lane(struct mutator *m, size_t size)
{
    const uint64_t word = (size & ~(size_t)7) | (m->data[0] & 7);
    memcpy(m->data, &word, sizeof word);
}

static void index_records(struct mutator *m)
{
    m->count = 0;
    for (size_t at = HEAD; m->size - at >= sizeof(struct trace_record) && m->count < RECORDS_MAX;) {
        const struct trace_record record = record_at(m, at);
        if (record.size < sizeof record || record.size % 8 || record.size > m->size - at)
            break;
        m->starts[m->count++] = at;
        at += record.size;
    }
}

static void erase(struct mutator *m, size_t at, size_t size)
{
    const size_t lane = first_lane(m);
    memmove(m->data + at, m->data + at + size, m->size - at - size);
    m->size -= size;
    if (at < HEAD + lane)
        set_first_lane(m, lane > size ? lane - size : 0);
}

/* Bytes of the input itself, or of elsewhere. */
static void insert(struct mutator *m, size_t at, const void *bytes, size_t size)
{
    if (size > m->capacity - m->size)
        return;
    uint8_t *copy = malloc(size);
    const size_t lane = first_lane(m);
    if (!copy)
        return;
    memcpy(copy, bytes, size);
    memmove(m->data + at + size, m->data + at, m->size - at);
    memcpy(m->data + at, copy, size);
    m->size += size;
    if (at < HEAD + lane)
        set_first_lane(m, lane + size);
    free(copy);
}

/* ---- values ---- */

/* A number, address or handle that another call of the trace has. */
static uint64_t value_elsewhere(struct mutator *m, uint8_t kind)
{
    struct places *places = malloc(sizeof *places);
    uint64_t value = odd_number(m);
    for (int i = 0; places && i < 16; i++) {
        const size_t at = m->starts[below(m, m->count)];
        const struct trace_record record = record_at(m, at);
        const int method = record.method ? schema_find(record.method) : -1;
        const uint8_t *data = m->data + at + sizeof record;
        if (method < 0 || (record.kind != RECORD_ENTER && record.kind != RECORD_LEAVE))
            continue;
        places_find(places, method, record.kind == RECORD_LEAVE, data, record.size - sizeof record);
        const struct place *p = places->count ? &places->all[below(m, places->count)] : NULL;
        if (!p || p->kind != kind || p->size > 8)
            continue;
        value = 0;
        memcpy(&value, data + p->at, p->size);
        break;
    }
    free(places);
    return value;
}

static uint64_t enumerator(struct mutator *m, uint16_t type)
{
    if (type < SCHEMA_ENUM_FIRST || type >= SCHEMA_INTERFACE_FIRST)
        return below(m, 40);
    const struct schema_enum *e = &schema_enums[type - SCHEMA_ENUM_FIRST];
    return e->count ? (uint64_t)schema_enumerators[e->first + below(m, e->count)].value : 0;
}

static void change_bytes(struct mutator *m, uint8_t *bytes, size_t size)
{
    for (size_t i = 1 + below(m, 4); i && size; i--)
        bytes[below(m, size)] = (uint8_t)next_random(m);
}

static void change_guid(struct mutator *m, uint8_t *bytes)
{
    const size_t count = TYPE_NONE - SCHEMA_INTERFACE_FIRST;
    if (below(m, 8))
        memcpy(bytes, schema_interfaces[below(m, count)].iid, 16);
    else
        change_bytes(m, bytes, 16);
}

static void change_value(struct mutator *m, uint8_t *data, const struct place *p)
{
    uint8_t *bytes = data + p->at;
    uint64_t value = 0;
    memcpy(&value, bytes, p->size < 8 ? p->size : 8);
    if (p->kind == KIND_G && p->size >= 16) {
        change_guid(m, bytes);
        return;
    }
    if (p->kind == PLACE_BYTES || p->size > 8) {
        change_bytes(m, bytes, p->size);
        return;
    }
    if (p->kind == PLACE_POINTER)
        value = !value;
    else if (p->kind == KIND_E && below(m, 4))
        value = below(m, 8) ? enumerator(m, p->type) : value ^ enumerator(m, p->type);
    else if (p->kind == KIND_O || below(m, 3) == 0)
        value = below(m, 16) ? value_elsewhere(m, p->kind) : 0;
    else if (below(m, 2))
        value += below(m, 2) ? below(m, 9) : -(uint64_t)below(m, 9);
    else
        value = odd_number(m);
    memcpy(bytes, &value, p->size);
}

/* ---- mutations ---- */

static void change_record(struct mutator *m)
{
    const size_t at = m->starts[below(m, m->count)];
    const struct trace_record record = record_at(m, at);
    uint8_t *data = m->data + at + sizeof record;
    const size_t size = record.size - sizeof record;
    const int method = record.method ? schema_find(record.method) : -1;
    if (method >= 0 && (record.kind == RECORD_ENTER || record.kind == RECORD_LEAVE)) {
        places_find(&m->places, method, record.kind == RECORD_LEAVE, data, size);
        for (size_t i = 1 + below(m, 2); i && m->places.count; i--)
            change_value(m, data, &m->places.all[below(m, m->places.count)]);
    } else if (size >= 8) {
        const struct place word = {(uint32_t)(8 * below(m, size / 8)), 8,
                                   below(m, 2) ? KIND_O : KIND_U, TYPE_NONE};
        change_value(m, data, &word);
    }
}

static void change_method(struct mutator *m)
{
    const size_t at = m->starts[below(m, m->count)];
    struct trace_record record = record_at(m, at);
    const int method = record.method ? schema_find(record.method) : -1;
    if (method < 0)
        return;
    const int near = method + (int)below(m, 9) - 4;
    record.method = near >= 0 && near < (int)SCHEMA_METHODS && below(m, 4)
                        ? schema_methods[near].digest
                        : schema_methods[below(m, SCHEMA_METHODS)].digest;
    memcpy(m->data + at, &record, sizeof record);
}

/* A record, or the two of a call, again somewhere else. */
static void copy_records(struct mutator *m)
{
    const size_t from = below(m, m->count), to = m->starts[below(m, m->count)];
    const size_t last = from + 1 < m->count && below(m, 2) ? from + 1 : from;
    const size_t start = m->starts[from];
    insert(m, to, m->data + start, m->starts[last] - start + record_at(m, m->starts[last]).size);
}

static void remove_record(struct mutator *m)
{
    const size_t at = m->starts[below(m, m->count)];
    erase(m, at, record_at(m, at).size);
}

static void move_record(struct mutator *m)
{
    const size_t from = below(m, m->count), to = below(m, m->count);
    const size_t at = m->starts[from], size = record_at(m, at).size;
    uint8_t *copy = malloc(size);
    if (!copy)
        return;
    memcpy(copy, m->data + at, size);
    const size_t place = m->starts[to];
    erase(m, at, size);
    insert(m, place > at ? place - size : place, copy, size);
    free(copy);
}

/* A record of another kind than those of calls. */
static void add_record(struct mutator *m)
{
    uint64_t words[8] = {0};
    const size_t at = m->starts[below(m, m->count)];
    struct trace_record record = record_at(m, at);
    const size_t size = 8 * (1 + below(m, 8));
    for (size_t i = 0; i < size / 8; i++)
        words[i] = below(m, 2) ? value_elsewhere(m, KIND_O) : odd_number(m);
    record.kind = 3 + (uint32_t)below(m, 9);
    record.method = 0;
    record.size = (uint32_t)(sizeof record + size);
    insert(m, at, words, size);
    insert(m, at, &record, sizeof record);
}

static void mutate_once(struct mutator *m)
{
    switch (below(m, 16)) {
    case 0:
        remove_record(m);
        break;
    case 1:
        copy_records(m);
        break;
    case 2:
        move_record(m);
        break;
    case 3:
        change_method(m);
        break;
    case 4:
        add_record(m);
        break;
    case 5: /* what the second thread does, and the runtime */
        if (below(m, 2))
            m->data[0] ^= 1;
        else
            set_first_lane(m, m->starts[below(m, m->count)] - HEAD);
        break;
    default:
        change_record(m);
        break;
    }
}

size_t mutate_trace(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    static struct mutator m;
    m = (struct mutator){.data = data,
                         .size = size & ~(size_t)7,
                         .capacity = capacity & ~(size_t)7,
                         .random = 0x9e3779b97f4a7c15u * ((uint64_t)seed + 1)};
    schema_init();
    for (size_t i = 1 + below(&m, 3); i && m.size > HEAD; i--) {
        index_records(&m);
        if (m.count == 0)
            break;
        mutate_once(&m);
    }
    return m.size;
}

/* ---- from a file ---- */

struct file {
    const uint8_t *data;
    size_t size;
};

static size_t read_file(void *user, uint64_t offset, void *buffer, size_t size)
{
    const struct file *f = user;
    if (offset > f->size)
        return 0;
    if (size > f->size - offset)
        size = (size_t)(f->size - offset);
    memcpy(buffer, f->data + offset, size);
    return size;
}

static bool append(uint8_t *to, size_t *size, size_t capacity, const struct trace_item *item)
{
    const size_t whole = sizeof item->record + item->size;
    if (whole > capacity - *size)
        return false;
    memcpy(to + *size, &item->record, sizeof item->record);
    memcpy(to + *size + sizeof item->record, item->data, item->size);
    *size += whole;
    return true;
}

size_t mutate_flatten(uint8_t *data, size_t size, size_t capacity)
{
    struct file file = {data, size};
    struct trace_item item;
    const char *why;
    uint8_t *flat = malloc(capacity);
    size_t used = HEAD, lane = 0;
    struct trace *trace = flat ? trace_open(read_file, &file, size, &why) : NULL;
    for (int second = 0; trace && second < 2; second++) {
        while (trace_next(trace, &item))
            if ((item.thread > 1) == second && !append(flat, &used, capacity, &item))
                break;
        if (second == 0)
            lane = used - HEAD;
        trace_rewind(trace);
    }
    trace_close(trace);
    if (trace) {
        const uint64_t word = lane;
        memcpy(flat, &word, sizeof word);
        memcpy(data, flat, used);
    }
    free(flat);
    return trace ? used : 0;
}
