/* Functions that the files of the DirectX dump writer share: integers, frames, strings. */
#pragma once

#include "dxdmp/dxdmp_format.h"
#include "report/report.h"

struct dxdmp_file {
    struct annot__out out;
    const annot_reader *reader;
    uint64_t strings; /* IDs given out */
    uint64_t keys;    /* number of DRED's keys so far; in real files, keys are addresses */
    uint64_t ops;     /* number of DRED's operations read so far */
    uint16_t units[ANNOT__NAME_MAX];
};

void dxdmp_put(struct dxdmp_file *file, uint64_t value, unsigned size);

static inline void dxdmp_put_u32(struct dxdmp_file *file, uint32_t value)
{
    dxdmp_put(file, value, 4);
}

static inline void dxdmp_put_u64(struct dxdmp_file *file, uint64_t value)
{
    dxdmp_put(file, value, 8);
}

/* Writes 64-bit numbers to the file. */
#define DXDMP_PUT_U64(file, ...)                                                                   \
    dxdmp_put_all(file, (const uint64_t[]){__VA_ARGS__},                                           \
                  sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))
void dxdmp_put_all(struct dxdmp_file *file, const uint64_t *values, size_t count);

static inline bool dxdmp_is_marker(const annot_reader_entry *entry)
{
    return entry->kind == ANNOT_ENTRY_BEGIN || entry->kind == ANNOT_ENTRY_SET;
}

void dxdmp_put_zeros(struct dxdmp_file *file, uint64_t count);
void dxdmp_begin_section(struct dxdmp_file *file, uint32_t type, uint64_t size);

/* Begins a memory section of `size` bytes. The caller writes the data; if `size` is not a multiple
 * of 8, the caller then calls dxdmp_end_memory. */
void dxdmp_begin_memory(struct dxdmp_file *file, uint32_t type, uint64_t key, uint64_t size);
void dxdmp_end_memory(struct dxdmp_file *file, uint64_t size);

/* Writes the text as UTF-16 with a NUL, in a memory section of this type and key. Cuts the text
 * after ANNOT__NAME_MAX units. */
void dxdmp_put_wide(struct dxdmp_file *file, uint32_t type, uint64_t key, annot_text text);

/* Writes those sections of DRED for which the dump has data. */
void dxdmp_write_dred(struct dxdmp_file *file, const annot_reader_device *device);
