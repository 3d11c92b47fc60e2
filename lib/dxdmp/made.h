/* Makes an annotation dump from a DirectX dump file, in memory, record by record. */
#pragma once

#include "base/compiler.h"
#include "dump/dump_encode.h"
#include "dxdmp/dxdmp_model.h"

/* How many parts of a file are used. */
enum { DXDMP_NODES_MADE = 256, DXDMP_ALLOCATIONS_MADE = 64 };

enum { DXDMP_NAME_MAX = 1024 /* bytes of a name, with its NUL */ };

/* An object of the file by its old address, or a queue or an allocator by the driver's handle. */
struct dxdmp_known {
    uint64_t key;
    uint32_t kind; /* 0: by address */
    uint32_t object;
};

struct dxdmp_made {
    const annot_dxdmp *from;
    char *bytes;
    size_t size, capacity, section;
    uint32_t kind, sections;
    uint64_t records, markers, last_event;
    bool has_memory;
    /* A file may use one name very often, so all names together are limited to a multiple of the
     * file's size [ANN-SEC-04]. */
    uint64_t name_bytes_left, names_left_out;
    uint8_t *mentioned;        /* a bit for each annotation */
    struct dxdmp_known *known; /* sorted */
    size_t known_count;
    size_t node_count; /* DRED's nodes that are used */
};

/* Adds `size` zeros at the dump's end. NULL: out of memory, now or earlier. */
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

/* Returns the size, or 0 if names have filled their share. */
size_t dxdmp_take_name(struct dxdmp_made *made, size_t size);
/* Get a name by its string ID or DRED's keys; 0: there is none, or names have filled their
 * share. */
size_t dxdmp_name(struct dxdmp_made *made, uint64_t id, char name[DXDMP_NAME_MAX]);
size_t dxdmp_dred_name(struct dxdmp_made *made, const uint64_t keys[2], char name[DXDMP_NAME_MAX]);

/* ---- identities: the file's objects are numbered from 1, in file order ---- */

/* Finds out which objects the file has. */
void dxdmp_know_objects(struct dxdmp_made *made);
/* The object with this address, or with this handle if `kind` is not 0; 0: no object. */
uint64_t dxdmp_known_id(const struct dxdmp_made *made, uint64_t key, uint32_t kind);
/* The identity of a DRED node, an allocation or an owner of annotations: the identity of its object
 * if the file has this object, otherwise a new one. */
uint64_t dxdmp_queue_id(const struct dxdmp_made *made, const annot_dxdmp_node *node);
uint64_t dxdmp_list_id(const struct dxdmp_made *made, const annot_dxdmp_node *node, size_t index);
uint64_t dxdmp_allocation_id(const struct dxdmp_made *made, const annot_dxdmp_allocation *of,
                             size_t index);
uint64_t dxdmp_owner_id(const struct dxdmp_made *made, const annot_dxdmp_owner *owner,
                        size_t index);

/* How many of DRED's nodes are used. */
size_t dxdmp_nodes_made(const annot_dxdmp *dump);
bool dxdmp_is_first_of_queue(const struct dxdmp_made *made, const annot_dxdmp_node *node,
                             size_t index);

/* ---- the parts: records of the open section ---- */

/* made_facts.c: writes data without its own record, as keys and values. */
ANNOT__PRINTF(3, 4)
void dxdmp_put_fact(struct dxdmp_made *made, const char *key, const char *format, ...);
void dxdmp_put_facts(struct dxdmp_made *made, const annot_dxdmp_info *info);
/* made_objects.c: writes every object, with descriptions of buffers and textures; the owners of
 * addresses; the application's and drivers' blobs. */
void dxdmp_put_objects(struct dxdmp_made *made);
void dxdmp_put_ranges(struct dxdmp_made *made, const annot_dxdmp_info *info);
bool dxdmp_has_blobs(const annot_dxdmp *dump);
void dxdmp_put_blobs(struct dxdmp_made *made);
/* made_lists.c: writes the nodes of DRED, and annotations. */
void dxdmp_put_lists(struct dxdmp_made *made);
void dxdmp_put_queues(struct dxdmp_made *made);
void dxdmp_put_breadcrumbs(struct dxdmp_made *made);
