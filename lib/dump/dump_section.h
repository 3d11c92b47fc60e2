/* Reads a dump's file header, sections and records, without knowing what records mean. */
#pragma once

#include "base/little.h"
#include "dump/dump_format.h"

/* ---- findings: counted by kind, so their memory can't grow with the damage ---- */

struct annot__finding_count {
    uint64_t count, offset, value;
};

#define ANNOT__FINDING_SLOT(name, number, class, text) ANNOT__FINDING_SLOT_##name,
enum { ANNOT_FINDINGS(ANNOT__FINDING_SLOT, ANNOT_IN_D3D12) ANNOT__FINDING_SLOTS };

struct annot__findings {
    struct annot__finding_count of[ANNOT__FINDING_SLOTS];
};

/* Counts `count` more findings; `findings` may be NULL. Of each kind of finding, only the first
 * `offset` and `value` are kept. */
void annot__findings_add(struct annot__findings *findings, int slot, uint64_t count,
                         uint64_t offset, uint64_t value);

#define ANNOT__FIND(findings, name, offset, value)                                                 \
    annot__findings_add(findings, ANNOT__FINDING_SLOT_##name, 1, offset, value)

/* ---- bytes ---- */

struct annot__bytes {
    const uint8_t *data;
    size_t size;
};

static inline bool annot__bytes_take(struct annot__bytes *bytes, size_t size)
{
    bool is_there = bytes->size >= size;
    if (!is_there)
        size = bytes->size;
    bytes->data += size;
    bytes->size -= size;
    return is_there;
}

/* These functions remove a little-endian integer from the front of the bytes. If no bytes are left,
 * they return 0, the value of a missing field. */
static inline uint32_t annot__bytes_u16(struct annot__bytes *bytes)
{
    const uint8_t *at = bytes->data;
    return annot__bytes_take(bytes, 2) ? (uint32_t)at[0] | (uint32_t)at[1] << 8 : 0;
}

static inline uint32_t annot__bytes_u32(struct annot__bytes *bytes)
{
    const uint8_t *at = bytes->data;
    return annot__bytes_take(bytes, 4) ? annot__little_u32(at) : 0;
}

static inline uint64_t annot__bytes_u64(struct annot__bytes *bytes)
{
    const uint8_t *at = bytes->data;
    return annot__bytes_take(bytes, 8) ? annot__little_u64(at) : 0;
}

/* ---- header ---- */

/* Checks the file header, and sets *sections to the offset of the first section. Returns ANNOT_OK,
 * ANNOT_ERROR_INCOMPLETE (the magic is missing) or ANNOT_ERROR_NOT_A_DUMP. A file is a dump if its
 * magic, its header's hash or its first section is right. All other parts may be damaged. */
annot_result annot__dump_header(struct annot__bytes file, struct annot__findings *findings,
                                size_t *sections);

/* ---- sections ---- */

struct annot__section {
    size_t offset; /* offset of the payload in the file */
    size_t size;
    uint32_t kind;
    bool is_damaged;  /* the section's hash is wrong, or the section's end is missing */
    bool is_detached; /* data before this section is lost, perhaps the beginning of its stream */
};

/* Goes through the sections in file order. If no section begins at a place, the walk searches byte
 * by byte for the next section's magic. A damaged section ends where another section begins, or
 * where its size says.
 *
 * The walk takes linear time: it searches each byte at most once, and hashes at most twice the
 * file's size. Overlapping sections are damage. A section that was not hashed counts as damaged. */
struct annot__section_walk {
    struct annot__bytes file;
    struct annot__findings *findings;
    size_t at;
    uint64_t hash_left; /* bytes */
    uint64_t index;     /* expected next */
    bool is_detached;
    bool is_verified; /* all hashes are known to be right, from an earlier walk */
};

void annot__section_walk_init(struct annot__section_walk *walk, struct annot__bytes file,
                              size_t sections, struct annot__findings *findings);
bool annot__section_walk_next(struct annot__section_walk *walk, struct annot__section *section);

/* ---- records ---- */

struct annot__record_view {
    size_t offset; /* in the file */
    uint32_t kind;
    struct annot__bytes fixed;
    struct annot__bytes variable;
};

struct annot__record_walk {
    struct annot__bytes file;
    size_t at, end;
    bool is_broken; /* the last record reaches past the section's end */
};

void annot__record_walk_init(struct annot__record_walk *walk, struct annot__bytes file,
                             const struct annot__section *section);
static inline size_t annot__align8(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

/* Returns the record at this offset. An earlier walk must have found a record there. */
static inline struct annot__record_view annot__record_at(struct annot__bytes file, size_t offset)
{
    struct annot__bytes header = {file.data + offset, ANNOT__DUMP_RECORD_HEADER};
    struct annot__record_view record = {.offset = offset};
    record.kind = annot__bytes_u16(&header);
    record.fixed.size = annot__bytes_u16(&header);
    record.variable.size = annot__bytes_u32(&header);
    record.fixed.data = header.data;
    record.variable.data = record.fixed.data + record.fixed.size;
    return record;
}

/* Gets the walk's next record. This function runs twice for each record, so it is inline. */
static inline bool annot__record_walk_next(struct annot__record_walk *walk,
                                           struct annot__record_view *record)
{
    size_t left = walk->end - walk->at;
    if (left == 0)
        return false;
    if (left >= ANNOT__DUMP_RECORD_HEADER) {
        struct annot__bytes sizes = {walk->file.data + walk->at + 2, 6};
        uint64_t size = ANNOT__DUMP_RECORD_HEADER;
        size += annot__bytes_u16(&sizes);
        size += annot__bytes_u32(&sizes);
        if (size <= left) {
            *record = annot__record_at(walk->file, walk->at);
            size_t step = annot__align8((size_t)size);
            walk->at = step < left ? walk->at + step : walk->end;
            return true;
        }
    }
    walk->is_broken = true;
    return false;
}
