#include "dump/dump_section.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void annot__findings_add(struct annot__findings *findings, int slot, uint64_t count,
                         uint64_t offset, uint64_t value)
{
    if (!findings)
        return;
    struct annot__finding_count *finding = &findings->of[slot];
    if (finding->count == 0) {
        finding->offset = offset;
        finding->value = value;
    }
    finding->count += count;
}

static struct annot__bytes slice(struct annot__bytes file, size_t offset, size_t size)
{
    return (struct annot__bytes){file.data + offset, size};
}

/* ---- header ---- */

static bool is_section_magic(struct annot__bytes file, size_t offset)
{
    return file.size - offset >= ANNOT__DUMP_MAGIC_SIZE &&
           memcmp(file.data + offset, ANNOT__DUMP_SECTION_MAGIC, ANNOT__DUMP_MAGIC_SIZE) == 0;
}

annot_result annot__dump_header(struct annot__bytes file, struct annot__findings *findings,
                                size_t *sections)
{
    static const uint8_t unfinished[ANNOT__DUMP_MAGIC_SIZE];
    if (file.size < ANNOT__DUMP_MAGIC_SIZE)
        return ANNOT_ERROR_NOT_A_DUMP;
    bool has_magic = memcmp(file.data, ANNOT__DUMP_MAGIC, ANNOT__DUMP_MAGIC_SIZE) == 0;
    bool has_zeros = memcmp(file.data, unfinished, ANNOT__DUMP_MAGIC_SIZE) == 0;
    bool has_hash = false, has_section = false;
    uint32_t major = ANNOT__DUMP_MAJOR;
    *sections = ANNOT__DUMP_HEADER_SIZE;
    if (file.size >= ANNOT__DUMP_HEADER_SIZE) {
        struct annot__bytes fields = slice(file, ANNOT__DUMP_MAGIC_SIZE, 24);
        uint64_t hash = XXH64(fields.data, 16, 0);
        uint32_t its_major = annot__bytes_u16(&fields);
        annot__bytes_u16(&fields);
        uint32_t its_size = annot__bytes_u32(&fields);
        annot__bytes_u64(&fields);
        has_hash = annot__bytes_u64(&fields) == hash;
        if (has_hash) {
            major = its_major;
            if (its_size >= ANNOT__DUMP_HEADER_SIZE && its_size <= file.size)
                *sections = its_size;
        }
        has_section = is_section_magic(file, ANNOT__DUMP_HEADER_SIZE);
    }
    if ((!has_magic && !has_hash && !has_section) || major != ANNOT__DUMP_MAJOR)
        return ANNOT_ERROR_NOT_A_DUMP;
    if (!has_hash || (!has_magic && !has_zeros))
        ANNOT__FIND(findings, HEADER, 0, 0);
    if (!has_zeros)
        return ANNOT_OK;
    ANNOT__FIND(findings, INCOMPLETE, 0, 0);
    return ANNOT_ERROR_INCOMPLETE;
}

/* ---- sections ---- */

void annot__section_walk_init(struct annot__section_walk *walk, struct annot__bytes file,
                              size_t sections, struct annot__findings *findings)
{
    *walk = (struct annot__section_walk){
        .file = file,
        .findings = findings,
        .at = sections < file.size ? sections : file.size,
        .hash_left = (uint64_t)file.size * 2,
    };
}

/* Returns the offset of the next section magic at or behind `from`, or the file's size. */
static size_t find_section(struct annot__bytes file, size_t from)
{
    while (from < file.size && !is_section_magic(file, from)) {
        const void *next =
            memchr(file.data + from + 1, ANNOT__DUMP_SECTION_MAGIC[0], file.size - from - 1);
        from = next ? (size_t)((const uint8_t *)next - file.data) : file.size;
    }
    return from;
}

static bool hash_matches(struct annot__section_walk *walk, const struct annot__section *section,
                         uint32_t index, uint64_t hash)
{
    if (walk->is_verified)
        return true;
    if (section->size > walk->hash_left)
        return false;
    walk->hash_left -= section->size;
    return XXH64(walk->file.data + section->offset, section->size,
                 (uint64_t)index << 32 | section->kind) == hash;
}

/* Checks the index of an intact section, which shows missing sections; a damaged section counts as
 * the expected one. Returns false if the section came before. */
static bool check_index(struct annot__section_walk *walk, const struct annot__section *section,
                        uint32_t index)
{
    if (section->is_damaged) {
        walk->index++;
        return true;
    }
    if (index < walk->index) {
        ANNOT__FIND(walk->findings, SECTION_REPEATED, section->offset, index);
        return false;
    }
    if (index > walk->index) {
        annot__findings_add(walk->findings, ANNOT__FINDING_SLOT_SECTION_MISSING,
                            index - walk->index, section->offset, walk->index);
        walk->is_detached = true;
    }
    walk->index = (uint64_t)index + 1;
    return true;
}

/* Reads the section whose magic is at walk->at, and moves walk->at behind the section. */
static uint32_t read_section(struct annot__section_walk *walk, struct annot__section *section)
{
    struct annot__bytes file = walk->file;
    struct annot__bytes header = slice(file, walk->at + ANNOT__DUMP_MAGIC_SIZE, 24);
    *section = (struct annot__section){.offset = walk->at + ANNOT__DUMP_SECTION_HEADER};
    section->kind = annot__bytes_u32(&header);
    uint32_t index = annot__bytes_u32(&header);
    uint64_t size = annot__bytes_u64(&header);
    uint64_t hash = annot__bytes_u64(&header);
    const bool is_cut = size > file.size - section->offset;
    if (!is_cut) {
        section->size = (size_t)size;
        walk->at = annot__align8(section->offset + section->size);
        if (walk->at > file.size)
            walk->at = file.size;
        if (hash_matches(walk, section, index, hash))
            return index;
    }
    section->is_damaged = true;
    if (is_cut || (walk->at < file.size && !is_section_magic(file, walk->at))) {
        walk->at = find_section(file, section->offset);
        section->size = walk->at - section->offset;
    }
    if (is_cut)
        ANNOT__FIND(walk->findings, SECTION_CUT, section->offset, index);
    else
        ANNOT__FIND(walk->findings, SECTION_HASH, section->offset, index);
    return index;
}

bool annot__section_walk_next(struct annot__section_walk *walk, struct annot__section *section)
{
    for (;;) {
        size_t start = walk->at;
        walk->at = find_section(walk->file, start);
        if (walk->at != start) {
            ANNOT__FIND(walk->findings, SECTION_FRAME, start, walk->at - start);
            walk->is_detached = true;
        }
        if (walk->file.size - walk->at < ANNOT__DUMP_SECTION_HEADER) {
            if (walk->at < walk->file.size)
                ANNOT__FIND(walk->findings, SECTION_CUT, walk->at, 0);
            return false;
        }
        uint32_t index = read_section(walk, section);
        if (!check_index(walk, section, index))
            continue;
        section->is_detached = walk->is_detached;
        walk->is_detached = false;
        return true;
    }
}

/* ---- records ---- */

void annot__record_walk_init(struct annot__record_walk *walk, struct annot__bytes file,
                             const struct annot__section *section)
{
    *walk = (struct annot__record_walk){
        .file = file, .at = section->offset, .end = section->offset + section->size};
}
