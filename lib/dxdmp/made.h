/* Makes an annotation dump from a DirectX dump file, in memory, record by record. */
#pragma once

#include "base/compiler.h"
#include "dump/dump_encode.h"
#include "dxdmp/dxdmp_model.h"

/* The new dump has at most this many breadcrumb nodes and DRED allocations of the file. */
enum { DXDMP_NODES_MADE = 256, DXDMP_ALLOCATIONS_MADE = 64 };

enum { DXDMP_NAME_MAX = 1024 /* the largest size of a name, with NUL */ };

/* A living or freed allocation near the faulting address. */
struct dxdmp_allocation {
    uint64_t name[2];
    uint64_t object; /* old address */
    uint32_t type;   /* D3D12_DRED_ALLOCATION_TYPE */
    bool is_freed;
    bool is_said; /* whether a record already describes this object as the faulting buffer */
    uint64_t id;
};

struct dxdmp_made {
    const struct dxdmp *from;
    char *bytes;
    size_t size, capacity, section;
    uint32_t kind, sections;
    uint64_t records, markers, last_event;
    bool has_memory;
    /* A file may use one name very often. So the sizes of all names together must not exceed a
     * multiple of the file's size [ANN-SEC-04]. */
    uint64_t name_bytes_left, names_left_out;
    uint8_t *mentioned;        /* a bit for each annotation, set if the annotation was written */
    struct dxdmp_place *known; /* objects by old address (kind 0); queues, allocators by handle */
    uint32_t known_count;
    struct dxdmp_node nodes[DXDMP_NODES_MADE]; /* DRED's breadcrumb nodes that the new dump gets */
    struct dxdmp_allocation allocations[DXDMP_ALLOCATIONS_MADE];
    uint32_t node_count, allocation_count;
    bool is_joined; /* every allocator with annotations was matched with DRED's nodes */
    bool has_fault;
    uint64_t fault;      /* the address */
    uint64_t fault_heap; /* heap (old address) of the placed buffer nearest to the fault; 0: none */
    uint64_t code_left;  /* limit: bytes of pipelines that may still be read */
};

/* Adds `size` zeros to the dump's end. Returns NULL if memory ran out, in any call. */
char *dxdmp_extend(struct dxdmp_made *made, size_t size);
void dxdmp_open_section(struct dxdmp_made *made, uint32_t kind);
void dxdmp_close_section(struct dxdmp_made *made);
void dxdmp_put_record(struct dxdmp_made *made, uint32_t kind, const char *fixed, size_t fixed_size,
                      const void *variable, size_t size);

#define DXDMP_PUT(made, name, fields, variable, size)                                              \
    do {                                                                                           \
        char put_fixed[ANNOT__DUMP_##name##_FIXED];                                                \
        annot__put_##name(put_fixed, fields);                                                      \
        dxdmp_put_record(made, ANNOT__DUMP_##name, put_fixed, sizeof put_fixed, variable, size);   \
    } while (0)

/* Takes `size` bytes from the limit of all names. Returns `size`, or 0 if the limit is used up. */
size_t dxdmp_take_name(struct dxdmp_made *made, size_t size);
/* These functions get a name, by a string's ID or by DRED's keys, and return the name's size. They
 * return 0 if there is no name or the limit of names is used up. */
size_t dxdmp_name(struct dxdmp_made *made, const struct dxdmp_section *section, size_t offset,
                  char name[DXDMP_NAME_MAX]);
size_t dxdmp_dred_name(struct dxdmp_made *made, const uint64_t keys[2], char name[DXDMP_NAME_MAX]);

/* ---- identities: the file's objects are numbered from 1, in file order ---- */

/* Numbers the file's objects, nodes and allocations. A node, an allocation or an owner of
 * annotations has the number of its object, or a new number if the file lacks the object. */
void dxdmp_know_objects(struct dxdmp_made *made);
/* Returns the identity of an owner of annotations, and stores its D3D12DDI_HANDLETYPE in *kind. */
uint64_t dxdmp_owner_id(const struct dxdmp_made *made, const struct dxdmp_thing *owner,
                        uint32_t *kind);

/* ---- parts of the dump: each function writes records into the open section ---- */

/* Defined in made_facts.c. Writes data for which the format has no record, as keys and values. */
ANNOT__PRINTF(3, 4)
void dxdmp_put_fact(struct dxdmp_made *made, const char *key, const char *format, ...);
void dxdmp_put_facts(struct dxdmp_made *made);
/* Defined in made_objects.c. These functions write objects, descriptions of buffers and textures,
 * owners of addresses, and the blobs of application and drivers. */
void dxdmp_put_objects(struct dxdmp_made *made);
void dxdmp_find_heap(struct dxdmp_made *made);
void dxdmp_put_ranges(struct dxdmp_made *made);
void dxdmp_put_blobs(struct dxdmp_made *made);
/* Defined in made_lists.c. These functions find the allocators with the markers of DRED's nodes,
 * and write the nodes and the annotations. */
void dxdmp_join_annotations(struct dxdmp_made *made);
void dxdmp_put_lists(struct dxdmp_made *made);
void dxdmp_put_queues(struct dxdmp_made *made);
void dxdmp_put_breadcrumbs(struct dxdmp_made *made);
