/*
 * Opens a DirectX dump file: one pass finds the sections, one sorts those that others refer to by
 * key. A section that is cut off keeps the part that is in the file. Nothing else is allocated.
 */
#include "dxdmp/dxdmp_model.h"

#include "base/compiler.h"

#include "base/os.h"
#include "base/alloc.h"
#include "base/sized.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- bytes ---- */

static uint64_t little_endian(const uint8_t *bytes, size_t size)
{
    uint64_t value = 0;
    for (size_t i = size; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static uint64_t integer_at(const annot_dxdmp *dump, const struct dxdmp_section *section,
                           size_t offset, size_t size)
{
    if (offset > section->size || section->size - offset < size)
        return 0;
    return little_endian(dump->bytes + section->data + offset, size);
}

uint32_t dxdmp_u32(const annot_dxdmp *dump, const struct dxdmp_section *section, size_t offset)
{
    return (uint32_t)integer_at(dump, section, offset, 4);
}

uint64_t dxdmp_u64(const annot_dxdmp *dump, const struct dxdmp_section *section, size_t offset)
{
    return integer_at(dump, section, offset, 8);
}

/* ---- what types of section there are ---- */

enum key_use { KEY_ID, KEY_COUNT, KEY_OTHER };

struct type {
    uint32_t code;
    bool is_memory;
    enum key_use key;
    uint32_t size; /* smallest payload, or bytes of an element */
};

static const struct type *type_of(bool is_memory, uint32_t code)
{
#define SECTION_ROW(name, a, b, c, d, size)                                                        \
    {ANNOT_DXDMP_FOURCC(a, b, c, d), false, KEY_OTHER, size},
#define MEMORY_ROW(name, a, b, c, d, key, size)                                                    \
    {ANNOT_DXDMP_FOURCC(a, b, c, d), true, KEY_##key, size},
    static const struct type types[] = {DXDMP_SECTIONS(SECTION_ROW) DXDMP_MEMORIES(MEMORY_ROW)};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].code == code && types[i].is_memory == is_memory)
            return &types[i];
    return NULL;
}

uint32_t dxdmp_element_size(uint32_t code)
{
    return type_of(true, code)->size;
}

uint32_t dxdmp_object_kind(uint32_t type)
{
    static const struct {
        uint32_t type, kind;
    } kinds[] = {
        {ANNOT_DXDMP_FOURCC('D', 'R', 's', '0'), D3D12DDI_HT_RESOURCE},
        {ANNOT_DXDMP_FOURCC('D', 'R', 'S', '0'), D3D12DDI_HT_ROOT_SIGNATURE},
        {ANNOT_DXDMP_FOURCC('D', 'D', 'H', '0'), D3D12DDI_HT_DESCRIPTOR_HEAP},
        {ANNOT_DXDMP_FOURCC('D', 'H', 'p', '0'), D3D12DDI_HT_HEAP},
        {ANNOT_DXDMP_FOURCC('D', 'F', 'n', '0'), D3D12DDI_HT_FENCE},
        {ANNOT_DXDMP_FOURCC('D', 'C', 'Q', '0'), D3D12DDI_HT_COMMAND_QUEUE},
        {ANNOT_DXDMP_FOURCC('D', 'C', 'L', '0'), D3D12DDI_HT_COMMAND_LIST},
        {ANNOT_DXDMP_FOURCC('D', 'C', 'A', '0'), D3D12DDI_HT_COMMAND_ALLOCATOR},
        {ANNOT_DXDMP_FOURCC('D', 'G', 'O', '0'), UINT32_MAX}, /* each says its own */
        {ANNOT_DXDMP_FOURCC('D', 'P', 'S', '0'), D3D12DDI_HT_PIPELINE_STATE},
        {ANNOT_DXDMP_FOURCC('D', 'S', 'O', '0'), D3D12DDI_HT_STATE_OBJECT},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].type == type)
            return kinds[i].kind;
    return 0;
}

/* ---- findings ---- */

static void find(annot_dxdmp *dump, int slot, size_t offset)
{
    if (dump->findings[slot].count++ == 0)
        dump->findings[slot].offset = offset;
}

/* ---- sections ---- */

/* A memory buffer's own header comes first in its payload. */
static void open_memory(annot_dxdmp *dump, struct dxdmp_section *section)
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

static void check_type(annot_dxdmp *dump, struct dxdmp_section *section)
{
    const struct type *type = type_of(section->is_memory, section->type);
    if (!type) {
        find(dump, DXDMP_FINDING_UNKNOWN, section->header);
    } else if (!section->is_memory) {
        section->count = 1;
        if (section->size < type->size)
            find(dump, DXDMP_FINDING_SHORT, section->header);
    } else if (type->key == KEY_COUNT) {
        uint64_t room = section->size / type->size;
        if (section->key > room)
            find(dump, DXDMP_FINDING_COUNT, section->header);
        section->count = (uint32_t)(section->key < room ? section->key : room); /* file_limit() */
    } else {
        section->count = 1;
    }
}

/* The section whose header begins at `at`; *next is where the one behind it begins. False: the file
 * ends here. */
static bool next_section(annot_dxdmp *dump, size_t at, struct dxdmp_section *section, size_t *next)
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

/* The group of a section's things, or DXDMP_GROUPS. */
static int group_of(const struct dxdmp_section *section)
{
    if (section->is_memory) {
        if (dxdmp_object_kind(section->type))
            return DXDMP_OBJECTS;
        if (section->type == DXDMP_QUEUE_ANNOTATIONS ||
            section->type == DXDMP_ALLOCATOR_ANNOTATIONS)
            return DXDMP_OWNERS;
    } else if (section->type == DXDMP_NODE) {
        return DXDMP_NODES;
    } else if (section->type == DXDMP_LIVE_ALLOCATION || section->type == DXDMP_FREED_ALLOCATION) {
        return DXDMP_ALLOCATIONS;
    }
    return DXDMP_GROUPS;
}

static bool has_id(const struct dxdmp_section *section)
{
    const struct type *type = type_of(true, section->type);
    return section->is_memory && type && type->key == KEY_ID;
}

static void count_section(annot_dxdmp *dump, const struct dxdmp_section *section)
{
    int group = group_of(section);
    dump->section_count++;
    dump->key_count += has_id(section);
    if (section->type == DXDMP_ANNOTATIONS) /* outside memory it is unknown, with a count of 0 */
        dump->annotation_count += section->count;
    if (group < DXDMP_GROUPS)
        dump->groups[group].section_count++;
}

static void *allocate(annot_dxdmp *dump, size_t count, size_t size)
{
    if (count == 0 || count > SIZE_MAX / size)
        return NULL;
    return dump->allocator.allocate(dump->allocator.user, count * size, ANNOT__MAX_ALIGN);
}

static void release(annot_dxdmp *dump, void *memory, size_t size)
{
    if (memory)
        dump->allocator.release(dump->allocator.user, memory, size);
}

/* ARRAY(member, count): everything that the counting pass sizes. */
#define ARRAYS(ARRAY)                                                                              \
    ARRAY(sections, section_count)                                                                 \
    ARRAY(by_key, key_count)                                                                       \
    ARRAY(annotations, annotation_count)                                                           \
    ARRAY(groups[DXDMP_NODES].sections, groups[DXDMP_NODES].section_count)                         \
    ARRAY(groups[DXDMP_NODES].first, groups[DXDMP_NODES].section_count)                            \
    ARRAY(groups[DXDMP_ALLOCATIONS].sections, groups[DXDMP_ALLOCATIONS].section_count)             \
    ARRAY(groups[DXDMP_ALLOCATIONS].first, groups[DXDMP_ALLOCATIONS].section_count)                \
    ARRAY(groups[DXDMP_OWNERS].sections, groups[DXDMP_OWNERS].section_count)                       \
    ARRAY(groups[DXDMP_OWNERS].first, groups[DXDMP_OWNERS].section_count)                          \
    ARRAY(groups[DXDMP_OBJECTS].sections, groups[DXDMP_OBJECTS].section_count)                     \
    ARRAY(groups[DXDMP_OBJECTS].first, groups[DXDMP_OBJECTS].section_count)

static annot_result allocate_arrays(annot_dxdmp *dump)
{
#define ALLOCATE(member, count)                                                                    \
    dump->member = allocate(dump, dump->count, sizeof *dump->member);                              \
    if (dump->count > 0 && !dump->member)                                                          \
        return ANNOT_ERROR_OUT_OF_MEMORY;
    ARRAYS(ALLOCATE)
    return ANNOT_OK;
}

static void release_arrays(annot_dxdmp *dump)
{
#define RELEASE(member, count) release(dump, dump->member, dump->count * sizeof *dump->member);
    ARRAYS(RELEASE)
}

static void add_to_group(struct dxdmp_group *group, uint32_t at, uint32_t index,
                         const struct dxdmp_section *section)
{
    group->sections[at] = index;
    group->first[at] = group->count;
    group->count += section->count;
}

static void fill_arrays(annot_dxdmp *dump)
{
    uint32_t sections = 0, keys = 0, annotations = 0, at[DXDMP_GROUPS] = {0};
    struct dxdmp_section section;
    for (size_t begin = DXDMP_HEADER_SIZE, next; next_section(dump, begin, &section, &next);
         begin = next) {
        int group = group_of(&section);
        if (group < DXDMP_GROUPS)
            add_to_group(&dump->groups[group], at[group]++, sections, &section);
        if (has_id(&section))
            dump->by_key[keys++] = sections;
        if (section.type == DXDMP_ANNOTATIONS)
            for (uint32_t i = 0; i < section.count; i++)
                dump->annotations[annotations++] = (struct dxdmp_annotation_place){
                    dxdmp_u64(dump, &section, (size_t)i * DXDMP_ANNOTATION_SIZE), sections, i};
        dump->sections[sections++] = section;
    }
}

/* ---- order: heaps, since the keys are untrusted and nothing may be allocated for it ---- */

/* Swaps and compares two elements of an array of the dump's. */
struct order {
    int (*compare)(const annot_dxdmp *dump, size_t a, size_t b);
    void (*swap)(annot_dxdmp *dump, size_t a, size_t b);
};

static void sift_down(annot_dxdmp *dump, const struct order *order, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && order->compare(dump, child, child + 1) < 0)
            child++;
        if (order->compare(dump, root, child) >= 0)
            return;
        order->swap(dump, root, child);
    }
}

static void sort(annot_dxdmp *dump, const struct order *order, size_t count)
{
    for (size_t root = count / 2; root-- > 0;)
        sift_down(dump, order, root, count);
    for (size_t end = count; end-- > 1;) {
        order->swap(dump, 0, end);
        sift_down(dump, order, 0, end);
    }
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_keys(const annot_dxdmp *dump, size_t a, size_t b)
{
    const struct dxdmp_section *left = &dump->sections[dump->by_key[a]];
    const struct dxdmp_section *right = &dump->sections[dump->by_key[b]];
    int order = compare_numbers(left->type, right->type);
    if (order == 0)
        order = compare_numbers(left->key, right->key);
    return order != 0 ? order : compare_numbers(dump->by_key[a], dump->by_key[b]);
}

static void swap_keys(annot_dxdmp *dump, size_t a, size_t b)
{
    uint32_t place = dump->by_key[a];
    dump->by_key[a] = dump->by_key[b];
    dump->by_key[b] = place;
}

static int compare_annotations(const annot_dxdmp *dump, size_t a, size_t b)
{
    const struct dxdmp_annotation_place *left = &dump->annotations[a];
    const struct dxdmp_annotation_place *right = &dump->annotations[b];
    int order = compare_numbers(left->event_id, right->event_id);
    if (order == 0)
        order = compare_numbers(left->section, right->section);
    return order != 0 ? order : compare_numbers(left->element, right->element);
}

static void swap_annotations(annot_dxdmp *dump, size_t a, size_t b)
{
    struct dxdmp_annotation_place place = dump->annotations[a];
    dump->annotations[a] = dump->annotations[b];
    dump->annotations[b] = place;
}

static void sort_arrays(annot_dxdmp *dump)
{
    static const struct order by_key = {compare_keys, swap_keys};
    static const struct order by_event_id = {compare_annotations, swap_annotations};
    sort(dump, &by_key, dump->key_count);
    sort(dump, &by_event_id, dump->annotation_count);
    for (uint32_t i = 1; i < dump->key_count; i++) {
        const struct dxdmp_section *before = &dump->sections[dump->by_key[i - 1]];
        const struct dxdmp_section *here = &dump->sections[dump->by_key[i]];
        if (before->type == here->type && before->key == here->key)
            find(dump, DXDMP_FINDING_REPEATED, here->header);
    }
    for (uint32_t i = 1; i < dump->annotation_count; i++)
        if (dump->annotations[i - 1].event_id == dump->annotations[i].event_id)
            find(dump, DXDMP_FINDING_REPEATED, dump->sections[dump->annotations[i].section].header);
}

/* ---- opening ---- */

bool annot_dxdmp_is(const void *data, size_t size)
{
    return data && size >= 4 && little_endian(data, 4) == DXDMP_SIGNATURE;
}

static annot_result read_model(annot_dxdmp *dump)
{
    if (!annot_dxdmp_is(dump->bytes, dump->size) || dump->size < DXDMP_HEADER_SIZE)
        return ANNOT_ERROR_NOT_A_DUMP;
    struct dxdmp_section section;
    for (size_t at = DXDMP_HEADER_SIZE, next; next_section(dump, at, &section, &next); at = next)
        count_section(dump, &section);
    memset(dump->findings, 0, sizeof dump->findings); /* the second pass finds them again */
    annot_result result = allocate_arrays(dump);
    if (result != ANNOT_OK)
        return result;
    fill_arrays(dump);
    sort_arrays(dump);
    if (little_endian(dump->bytes + DXDMP_HEADER_VERSION, 4) > DXDMP_VERSION)
        find(dump, DXDMP_FINDING_VERSION, DXDMP_HEADER_VERSION);
    return ANNOT_OK;
}

static annot_result create(const annot_reader_desc *desc, annot_dxdmp **out)
{
    annot_allocator allocator = desc->allocator;
    if (!annot__allocator_complete(&allocator))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    annot_dxdmp *dump = allocator.allocate(allocator.user, sizeof *dump, ANNOT__MAX_ALIGN);
    if (!dump)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    *dump = (annot_dxdmp){.allocator = allocator};
    *out = dump;
    return ANNOT_OK;
}

void annot_dxdmp_close(annot_dxdmp *dump)
{
    if (!dump)
        return;
    release_arrays(dump);
    release(dump, dump->owned, dump->owned_size);
    annot_allocator allocator = dump->allocator;
    allocator.release(allocator.user, dump, sizeof *dump);
}

static uint64_t file_limit(const annot_reader_desc *desc)
{
    const uint64_t countable =
        (uint64_t)UINT32_MAX * 8; /* sections and elements are at least this large */
    uint64_t limit = desc->file_limit ? desc->file_limit : ANNOT_READER_FILE_LIMIT;
    return limit < countable ? limit : countable;
}

static annot_result finish(annot_dxdmp *dump, annot_result result, annot_dxdmp **out)
{
    if (result == ANNOT_OK)
        result = read_model(dump);
    if (result == ANNOT_OK)
        *out = dump;
    else
        annot_dxdmp_close(dump);
    return result;
}

annot_result annot_dxdmp_open_memory_sized(const annot_reader_desc *desc, size_t desc_size,
                                           const void *data, size_t size, annot_dxdmp **out)
{
    annot_reader_desc known = {0};
    annot_dxdmp *dump;
    if (!out)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    *out = NULL;
    if ((!data && size > 0) || !ANNOT__TAKE(known, desc, desc_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    annot_result result = create(&known, &dump);
    if (result != ANNOT_OK)
        return result;
    dump->bytes = data;
    dump->size = size;
    return finish(dump, size > file_limit(&known) ? ANNOT_ERROR_TOO_LARGE : ANNOT_OK, out);
}

/* Pipes have no size, so the memory doubles. The first piece is small: other files are turned down
 * by it. */
static annot_result read_file(annot_dxdmp *dump, FILE *file, uint64_t limit)
{
    for (;;) {
        if (dump->size == dump->owned_size) {
            size_t size = dump->owned_size ? 2 * dump->owned_size : 4096;
            uint8_t *memory = size > dump->owned_size ? allocate(dump, size, 1) : NULL;
            if (!memory)
                return ANNOT_ERROR_OUT_OF_MEMORY;
            if (dump->owned)
                memcpy(memory, dump->owned, dump->size);
            release(dump, dump->owned, dump->owned_size);
            dump->owned = memory;
            dump->owned_size = size;
            dump->bytes = memory;
        }
        size_t got =
            fread((uint8_t *)dump->owned + dump->size, 1, dump->owned_size - dump->size, file);
        dump->size += got;
        if (dump->size >= 4 && !annot_dxdmp_is(dump->bytes, dump->size))
            return ANNOT_ERROR_NOT_A_DUMP;
        if (dump->size > limit)
            return ANNOT_ERROR_TOO_LARGE;
        if (got == 0)
            return ferror(file) ? ANNOT_ERROR_IO : ANNOT_OK;
    }
}

annot_result annot_dxdmp_open_file_sized(const annot_reader_desc *desc, size_t desc_size,
                                         const char *path, annot_dxdmp **out)
{
    annot_reader_desc known = {0};
    annot_dxdmp *dump;
    if (!out)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    *out = NULL;
    if (!path || !ANNOT__TAKE(known, desc, desc_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    annot_result result = create(&known, &dump);
    if (result != ANNOT_OK)
        return result;
    FILE *file = annot__file_open_to_read(path);
    if (file) {
        result = read_file(dump, file, file_limit(&known));
        int error = errno;
        fclose(file);
        errno = error;
    } else {
        result = ANNOT_ERROR_IO;
    }
    return finish(dump, result, out);
}
