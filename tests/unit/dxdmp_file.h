/* DirectX dump files that are built byte by byte, as their layout is published. */
#pragma once

#include "dump_builder.h"
#include "unit_kit.h"
#include "sink.h"

#include "dxdmp/dxdmp_model.h"

#include <annot/dxdmp.h>

#include <stdint.h>

struct file {
    unsigned char *bytes;
    size_t size, capacity;
};

static inline void put(struct file *file, uint64_t value, unsigned size)
{
    if (file->size + 8 > file->capacity) {
        file->capacity = 2 * file->capacity + 4096;
        file->bytes = realloc(file->bytes, file->capacity);
    }
    for (unsigned i = 0; i < size; i++)
        file->bytes[file->size++] = (unsigned char)(value >> (8 * i));
}

static inline uint32_t code(const char *four)
{
    return DXDMP_FOURCC(four[0], four[1], four[2], four[3]);
}

/* Header: version 1, a hang, 2026-06-18 00:00:00 UTC. */
static inline struct file file_begin(uint32_t version)
{
    struct file file = {0};
    put(&file, code("mDpG"), 4);
    put(&file, version, 4);
    for (unsigned i = 0; i < 16; i++)
        put(&file, i + 1, 1);
    put(&file, 7, 4);
    put(&file, UINT64_C(134262144000000000), 8);
    put(&file, 1, 4); /* uploaded */
    put(&file, 0, 4);
    while (file.size < 256)
        put(&file, 0, 1);
    return file;
}

static inline void section(struct file *file, const char *type, uint64_t size)
{
    put(file, code(type), 4);
    put(file, 0, 4);
    put(file, size, 8);
}

static inline void memory(struct file *file, const char *type, uint64_t key, uint64_t size)
{
    section(file, "Memr", 24 + size);
    put(file, code(type), 4);
    put(file, 0, 4);
    put(file, size, 8);
    put(file, key, 8);
}

static inline void wide(struct file *file, const char *type, uint64_t key, const char *ascii)
{
    memory(file, type, key, 2 * (strlen(ascii) + 1));
    for (const char *at = ascii; *at; at++)
        put(file, (unsigned char)*at, 2);
    put(file, 0, 2);
}

static inline void narrow(struct file *file, const char *type, uint64_t key, const char *text)
{
    memory(file, type, key, strlen(text) + 1);
    for (const char *at = text; *at; at++)
        put(file, (unsigned char)*at, 1);
    put(file, 0, 1);
}

/* One list with the history `ops`; the first `done` of them are done. Contexts are pairs of
 * operation and string key. */
static inline void node(struct file *file, const uint32_t *ops, uint32_t count, uint32_t done,
                        const uint64_t (*contexts)[2], uint32_t context_count)
{
    section(file, "DRBN", 80);
    put(file, 0x100, 8); /* list, 8-bit */
    put(file, 0x101, 8);
    put(file, 0, 8); /* queue */
    put(file, 0x103, 8);
    put(file, 0xAAAA, 8);
    put(file, 0xBBBB, 8);
    put(file, count, 8);
    put(file, 0x200, 8);
    put(file, done, 4);
    put(file, context_count, 4);
    put(file, 0x300, 8);
    uint32_t kept = count < 65536 ? count : 65536;
    memory(file, "DCHR", 0x200, (uint64_t)kept * 4);
    for (uint32_t i = 0; i < kept; i++) /* a ring: the newest operation with this place */
        put(file, ops[count > 65536 && i < count - 65536 ? 65536 + i : i], 4);
    memory(file, "DBCC", 0x300, (uint64_t)context_count * 16);
    for (uint32_t i = 0; i < context_count; i++) {
        put(file, contexts[i][0], 8);
        put(file, contexts[i][1], 8);
    }
    narrow(file, "DRAS", 0x100, "narrow list");
    wide(file, "DRWS", 0x101, "Shadow list");
    wide(file, "DRWS", 0x103, "Graphics queue");
}

/* ---- opened ---- */

/* Its insides. */
static inline struct dxdmp *model_of(const struct file *file)
{
    struct dxdmp *model;
    cr_assert_eq(dxdmp_open(&guarded_memory, file->bytes, file->size, &model), ANNOT_OK);
    return model;
}

static inline void file_end(struct file *file)
{
    free(file->bytes);
}

static inline void model_end(struct dxdmp *model, struct file *file)
{
    dxdmp_close(model);
    file_end(file);
}

/* The n-th thing of a group; false: there are not so many. */
static inline bool nth_thing(const struct dxdmp *model, enum dxdmp_group group, uint32_t n,
                             struct dxdmp_thing *thing)
{
    *thing = (struct dxdmp_thing){0};
    while (dxdmp_next(model, group, thing))
        if (thing->number == n + 1)
            return true;
    return false;
}

static inline struct dxdmp_node nth_node(const struct dxdmp *model, uint32_t n)
{
    struct dxdmp_node node;
    struct dxdmp_thing thing;
    cr_assert(nth_thing(model, DXDMP_NODES, n, &thing));
    dxdmp_node_of(model, thing.section, &node);
    return node;
}

/* How many kinds of findings. */
static inline unsigned findings_of(const struct dxdmp *model)
{
    unsigned count = 0;
    for (int i = 0; i < DXDMP_FINDING_SLOTS; i++)
        count += model->findings[i].count > 0;
    return count;
}

/* The dump that is made of it, whose bytes the caller frees behind it. */
static inline annot_reader *reader_of_file(const struct file *file, struct kept *bytes)
{
    const annot_report_sink sink = kept_sink(bytes);
    annot_reader *reader;
    *bytes = (struct kept){0};
    cr_assert_eq(annot_dxdmp_as_dump(&guarded_memory, file->bytes, file->size, &sink), ANNOT_OK);
    annot_reader_open_memory(&guarded_memory, bytes->data, bytes->size, &reader);
    cr_assert_not_null(reader);
    return reader;
}

/* The report, which the caller frees. */
static inline char *report_of_file(const struct file *file, bool is_json,
                                   const annot_report_options *options)
{
    struct kept text = {0}, bytes;
    const annot_report_sink sink = kept_sink(&text);
    annot_reader *reader = reader_of_file(file, &bytes);
    cr_assert_eq(is_json ? annot_report_json(reader, options, &sink)
                         : annot_report_text(reader, options, &sink),
                 ANNOT_OK);
    annot_reader_close(reader);
    free(bytes.data);
    return text.data;
}

/* ---- written out of an annotation dump ---- */

struct converted {
    struct dump dump;
    annot_reader *reader;
    struct kept bytes;
    struct dxdmp *file;
};

/* The finished dump is the result's. */
static inline struct converted *convert(const struct dump *dump)
{
    struct converted *c = calloc(1, sizeof *c);
    const annot_report_sink sink = kept_sink(&c->bytes);
    c->dump = *dump;
    annot_reader_open_memory(&guarded_memory, dump->data, dump->size, &c->reader);
    cr_assert(c->reader);
    cr_assert_eq(annot_dxdmp_write(c->reader, &sink), ANNOT_OK);
    c->file = model_of(&(struct file){(unsigned char *)c->bytes.data, c->bytes.size, 0});
    cr_assert_eq(findings_of(c->file), 0);
    return c;
}

static inline void converted_free(struct converted *c)
{
    dxdmp_close(c->file);
    annot_reader_close(c->reader);
    dump_free(&c->dump);
    free(c->bytes.data);
    free(c);
}
