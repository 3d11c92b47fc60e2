/* An open DirectX dump file: its bytes and an index of its sections. Everything else is read from
 * the bytes on request. */
#pragma once

#include "dxdmp/dxdmp_format.h"

#define DXDMP_FINDING_SLOT(name, is_damage, text) DXDMP_FINDING_##name,
enum { ANNOT_DXDMP_FINDINGS(DXDMP_FINDING_SLOT) DXDMP_FINDING_SLOTS };

struct dxdmp_section {
    size_t header;  /* offset in the file */
    size_t data;    /* offset of the struct, or of a memory buffer's data */
    size_t size;    /* bytes that the file has of it */
    uint64_t key;   /* memory buffers */
    uint32_t type;  /* FourCC: a section's, or a memory buffer's own */
    uint32_t count; /* elements, as announced and present */
    bool is_memory;
};

/* The things that callers number, to find their sections. */
enum { DXDMP_NODES, DXDMP_ALLOCATIONS, DXDMP_OWNERS, DXDMP_OBJECTS, DXDMP_GROUPS };

struct dxdmp_group {
    uint32_t *sections; /* the sections with such things, in file order */
    uint32_t *first;    /* the number of each section's first thing */
    uint32_t section_count;
    uint32_t count; /* things in all */
};

struct dxdmp_annotation_place {
    uint64_t event_id;
    uint32_t section, element;
};

struct annot_dxdmp {
    annot_allocator allocator;
    const uint8_t *bytes;
    size_t size;
    void *owned; /* the bytes, if they came from a file */
    size_t owned_size;

    struct dxdmp_section *sections; /* in file order */
    uint32_t section_count;
    uint32_t *by_key; /* memory buffers that have an ID for a key, by (type, key, file order) */
    uint32_t key_count;
    struct dxdmp_annotation_place *annotations; /* by EventID, then in file order */
    uint32_t annotation_count;
    struct dxdmp_group groups[DXDMP_GROUPS];

    struct {
        uint64_t count, offset;
    } findings[DXDMP_FINDING_SLOTS];
};

/* Read little-endian integers; 0 past the section's end. */
uint32_t dxdmp_u32(const annot_dxdmp *dump, const struct dxdmp_section *section, size_t offset);
uint64_t dxdmp_u64(const annot_dxdmp *dump, const struct dxdmp_section *section, size_t offset);

/* Bytes of an element of an array of objects. */
uint32_t dxdmp_element_size(uint32_t type);

/* The context that belongs to an operation; they are sorted by operation. 0: none. */
uint64_t dxdmp_context_of(const annot_dxdmp *dump, const annot_dxdmp_node *node, uint32_t op);

/* D3D12DDI_HANDLETYPE of an array of objects; 0 for other memory buffers. */
uint32_t dxdmp_object_kind(uint32_t type);
/* DX_DUMP_FILE_D3D_OBJECT_TYPE of a kind without its own array. */
uint32_t dxdmp_generic_type(uint32_t kind);

/* The first section of this type that is no memory buffer, or NULL. */
const struct dxdmp_section *dxdmp_first_section(const annot_dxdmp *dump, uint32_t type);

/* The place of the annotation with this EventID. O(log n). */
bool dxdmp_annotation_index(const annot_dxdmp *dump, uint64_t event_id, size_t *index);
