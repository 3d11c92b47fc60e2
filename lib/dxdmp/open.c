/* Opens a DirectX dump file: one pass finds the sections, another pass sorts the sections that
 * others name by key. A cut section keeps the part that is in the file. No other memory is
 * allocated. */
#include "dxdmp/dxdmp_model.h"

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/search.h"

#include <annot/ddi.h>
#include <annot/dxdmp.h>

/* ---- bytes ---- */

static uint64_t little_endian(const uint8_t *bytes, size_t size)
{
    uint64_t value = 0;
    for (size_t i = size; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

uint64_t dxdmp_header(const struct dxdmp *file, size_t offset, size_t size)
{
    return little_endian(file->bytes + offset, size);
}

static uint64_t integer_at(const struct dxdmp *file, const struct dxdmp_section *section,
                           size_t offset, size_t size)
{
    if (!section || offset > section->size || section->size - offset < size)
        return 0;
    return little_endian(file->bytes + section->data + offset, size);
}

uint32_t dxdmp_u32(const struct dxdmp *file, const struct dxdmp_section *section, size_t offset)
{
    return (uint32_t)integer_at(file, section, offset, 4);
}

uint64_t dxdmp_u64(const struct dxdmp *file, const struct dxdmp_section *section, size_t offset)
{
    return integer_at(file, section, offset, 8);
}

/* ---- the types of sections ---- */

#define TYPE(name, a, b, c, d, key, size, group, kind)                                             \
    {DXDMP_FOURCC(a, b, c, d), DXDMP_KEY_##key, size, DXDMP_##group, kind},
const struct dxdmp_type dxdmp_types[DXDMP_TYPES] = {DXDMP_SECTIONS(TYPE)};

static const struct dxdmp_type *type_of(bool is_memory, uint32_t code)
{
    for (size_t i = 0; i < DXDMP_TYPES; i++)
        if (dxdmp_types[i].code == code && (dxdmp_types[i].key != DXDMP_KEY_STRUCT) == is_memory)
            return &dxdmp_types[i];
    return NULL;
}

/* ---- findings ---- */

static void find(struct dxdmp *dump, int slot, size_t offset)
{
    if (dump->findings[slot].count++ == 0)
        dump->findings[slot].offset = offset;
}

bool dxdmp_is_damaged(const struct dxdmp *file)
{
#define IS_DAMAGE(name, is_damage, text) is_damage,
    static const bool is_damage[] = {DXDMP_FINDINGS(IS_DAMAGE)};
    bool is_damaged = false;
    for (int slot = 0; slot < DXDMP_FINDING_SLOTS; slot++)
        is_damaged |= is_damage[slot] && file->findings[slot].count > 0;
    return is_damaged;
}

/* ---- sections ---- */

/* Reads the header of a memory buffer, which is at the begin of the payload. */
static void open_memory(struct dxdmp *dump, struct dxdmp_section *section)
{
    section->is_memory = true;
    if (section->size < DXDMP_MEMORY_HEADER_SIZE) {
        find(dump, DXDMP_FINDING_SHORT, section->header);
        section->size = 0;
        section->type = 0;
        return;
    }
    uint64_t size = dxdmp_u64(dump, section, 8);
    section->type = dxdmp_u32(dump, section, 0);
    section->key = dxdmp_u64(dump, section, 16);
    section->data += DXDMP_MEMORY_HEADER_SIZE;
    section->size -= DXDMP_MEMORY_HEADER_SIZE;
    if (size < section->size)
        section->size = (size_t)size; /* the rest is padding */
    else if (size > section->size)
        find(dump, DXDMP_FINDING_SHORT, section->header);
}

static void check_type(struct dxdmp *dump, struct dxdmp_section *section)
{
    const struct dxdmp_type *type = type_of(section->is_memory, section->type);
    if (!type) {
        find(dump, DXDMP_FINDING_UNKNOWN, section->header);
        return;
    }
    section->count = 1;
    section->group = type->group;
    section->kind = type->kind;
    section->element_size = type->size;
    section->has_id = type->key == DXDMP_KEY_ID;
    if (type->key == DXDMP_KEY_STRUCT && section->size < type->size)
        find(dump, DXDMP_FINDING_SHORT, section->header);
    if (type->key == DXDMP_KEY_COUNT) {
        uint64_t room = section->size / type->size;
        if (section->key > room)
            find(dump, DXDMP_FINDING_COUNT, section->header);
        section->count = (uint32_t)(section->key < room ? section->key : room); /* file_limit() */
    }
}

/* Gets the section whose header begins at `at`; *next is the next section's offset. Returns false
 * at the file's end. */
static bool next_section(struct dxdmp *dump, size_t at, struct dxdmp_section *section, size_t *next)
{
    size_t left = dump->size - at;
    if (left < DXDMP_SECTION_HEADER_SIZE) {
        if (left > 0)
            find(dump, DXDMP_FINDING_CUT, at);
        return false;
    }
    uint64_t size = little_endian(dump->bytes + at + 8, 8);
    left -= DXDMP_SECTION_HEADER_SIZE;
    if (size > left)
        find(dump, DXDMP_FINDING_CUT, at);
    *section = (struct dxdmp_section){
        .header = at,
        .data = at + DXDMP_SECTION_HEADER_SIZE,
        .size = size < left ? (size_t)size : left,
        .type = (uint32_t)little_endian(dump->bytes + at, 4),
    };
    *next = section->data + section->size;
    if (section->type == DXDMP_MEMORY)
        open_memory(dump, section);
    check_type(dump, section);
    return true;
}

static void count_section(struct dxdmp *dump, const struct dxdmp_section *section)
{
    dump->section_count++;
    dump->key_count += section->has_id;
    dump->counts[section->group] += section->count;
    if (section->type ==
        DXDMP_ANNOTATIONS) /* a section of annotations without a memory header is empty */
        dump->annotation_count += section->count;
}

static void *allocate(struct dxdmp *dump, size_t count, size_t size)
{
    if (count == 0 || count > SIZE_MAX / size)
        return NULL;
    return dump->allocator.allocate(dump->allocator.user, count * size, ANNOT__MAX_ALIGN);
}

static void release(struct dxdmp *dump, void *memory, size_t size)
{
    if (memory)
        dump->allocator.release(dump->allocator.user, memory, size);
}

static annot_result allocate_arrays(struct dxdmp *dump)
{
    dump->sections = allocate(dump, dump->section_count, sizeof *dump->sections);
    dump->keys = allocate(dump, dump->key_count, sizeof *dump->keys);
    dump->annotations = allocate(dump, dump->annotation_count, sizeof *dump->annotations);
    return (dump->section_count == 0 || dump->sections) && (dump->key_count == 0 || dump->keys) &&
                   (dump->annotation_count == 0 || dump->annotations)
               ? ANNOT_OK
               : ANNOT_ERROR_OUT_OF_MEMORY;
}

static void fill_arrays(struct dxdmp *dump)
{
    uint32_t sections = 0, keys = 0, annotations = 0;
    struct dxdmp_section section;
    for (size_t begin = DXDMP_HEADER_SIZE, next; next_section(dump, begin, &section, &next);
         begin = next) {
        if (section.has_id)
            dump->keys[keys++] = (struct dxdmp_place){section.key, section.type, sections};
        if (section.type == DXDMP_ANNOTATIONS)
            for (uint32_t i = 0; i < section.count; i++)
                dump->annotations[annotations++] = (struct dxdmp_place){
                    dxdmp_u64(dump, &section, (size_t)i * DXDMP_ANNOTATION_SIZE), sections, i};
        dump->sections[sections++] = section;
    }
}

/* ---- order ---- */

static int compare(const struct dxdmp_place *a, const struct dxdmp_place *b)
{
    const int by_key = annot__compare(a->key, b->key), by_kind = annot__compare(a->kind, b->kind);
    return by_key ? by_key : by_kind ? by_kind : annot__compare(a->at, b->at);
}

static void sift_down(struct dxdmp_place *places, size_t root, size_t count)
{
    const struct dxdmp_place moved = places[root];
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && compare(&places[child], &places[child + 1]) < 0)
            child++;
        if (compare(&moved, &places[child]) >= 0)
            break;
        places[root] = places[child];
    }
    places[root] = moved;
}

void dxdmp_sort(struct dxdmp_place *places, uint32_t count)
{
    for (size_t root = count / 2; root-- > 0;)
        sift_down(places, root, count);
    for (size_t end = count; end-- > 1;) {
        const struct dxdmp_place last = places[end];
        places[end] = places[0];
        places[0] = last;
        sift_down(places, 0, end);
    }
}

uint32_t dxdmp_lower(const struct dxdmp_place *places, uint32_t count, uint64_t key, uint32_t kind)
{
    const struct dxdmp_place wanted = {key, kind, 0};
    uint32_t low = 0, high = count;
    ANNOT__LOWER_BOUND(low, high, i, compare(&places[i], &wanted) < 0);
    return low;
}

static void sort_arrays(struct dxdmp *dump)
{
    dxdmp_sort(dump->keys, dump->key_count);
    dxdmp_sort(dump->annotations, dump->annotation_count);
    for (uint32_t i = 1; i < dump->key_count; i++)
        if (dump->keys[i - 1].key == dump->keys[i].key &&
            dump->keys[i - 1].kind == dump->keys[i].kind)
            find(dump, DXDMP_FINDING_REPEATED, dump->sections[dump->keys[i].at].header);
    for (uint32_t i = 1; i < dump->annotation_count; i++)
        if (dump->annotations[i - 1].key == dump->annotations[i].key)
            find(dump, DXDMP_FINDING_REPEATED, dump->sections[dump->annotations[i].kind].header);
}

/* ---- opening ---- */

bool annot_dxdmp_is(const void *data, size_t size)
{
    return data && size >= 4 && little_endian(data, 4) == DXDMP_SIGNATURE;
}

static annot_result read_model(struct dxdmp *dump)
{
    if (!annot_dxdmp_is(dump->bytes, dump->size) || dump->size < DXDMP_HEADER_SIZE)
        return ANNOT_ERROR_NOT_A_DUMP;
    struct dxdmp_section section;
    for (size_t at = DXDMP_HEADER_SIZE, next; next_section(dump, at, &section, &next); at = next)
        count_section(dump, &section);
    memset(dump->findings, 0,
           sizeof dump->findings); /* the second pass finds the same findings again */
    annot_result result = allocate_arrays(dump);
    if (result != ANNOT_OK)
        return result;
    fill_arrays(dump);
    sort_arrays(dump);
    if (little_endian(dump->bytes + DXDMP_HEADER_VERSION, 4) > DXDMP_VERSION)
        find(dump, DXDMP_FINDING_VERSION, DXDMP_HEADER_VERSION);
    return ANNOT_OK;
}

void dxdmp_close(struct dxdmp *dump)
{
    const annot_allocator allocator = dump->allocator;
    release(dump, dump->sections, dump->section_count * sizeof *dump->sections);
    release(dump, dump->keys, dump->key_count * sizeof *dump->keys);
    release(dump, dump->annotations, dump->annotation_count * sizeof *dump->annotations);
    allocator.release(allocator.user, dump, sizeof *dump);
}

static uint64_t file_limit(const annot_reader_desc *desc)
{
    const uint64_t countable =
        (uint64_t)UINT32_MAX * 8; /* sections and elements have at least 8 bytes */
    uint64_t limit = desc->file_limit ? desc->file_limit : ANNOT_READER_FILE_LIMIT;
    return limit < countable ? limit : countable;
}

annot_result dxdmp_open(const annot_reader_desc *desc, const void *data, size_t size,
                        struct dxdmp **out)
{
    annot_allocator allocator = desc->allocator;
    *out = NULL;
    if ((!data && size > 0) || !annot__allocator_complete(&allocator))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (size > file_limit(desc))
        return ANNOT_ERROR_TOO_LARGE;
    struct dxdmp *dump = allocator.allocate(allocator.user, sizeof *dump, ANNOT__MAX_ALIGN);
    if (!dump)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    *dump = (struct dxdmp){.allocator = allocator, .bytes = data, .size = size};
    const annot_result result = read_model(dump);
    if (result == ANNOT_OK)
        *out = dump;
    else
        dxdmp_close(dump);
    return result;
}
