/* An open DirectX dump file: the file's bytes and an index of the file's sections. Other data is
 * read from the bytes when it is needed. */
#pragma once

#include "dump/dump_format.h"
#include "dxdmp/dxdmp_format.h"

/* FINDING(name, is_damage, sentence) */
#define DXDMP_FINDINGS(FINDING)                                                                    \
    FINDING(CUT, true, "the file ends inside a section; the rest of it is lost")                   \
    FINDING(SHORT, true, "a section is shorter than what it should hold")                          \
    FINDING(COUNT, true, "an array announces more elements than its section has")                  \
    FINDING(VERSION, false, "the file is of a newer version; what is known of it is shown")        \
    FINDING(UNKNOWN, false, "sections of unknown types were skipped")                              \
    FINDING(REPEATED, false, "a key came twice; the first one counts")

#define DXDMP_FINDING_SLOT(name, is_damage, text) DXDMP_FINDING_##name,
enum { DXDMP_FINDINGS(DXDMP_FINDING_SLOT) DXDMP_FINDING_SLOTS };

/* Groups of sections. Elements are numbered within a group. Sections of OBJECTS have arrays. */
enum dxdmp_group {
    DXDMP_NO_GROUP,
    DXDMP_NODES,
    DXDMP_ALLOCATIONS,
    DXDMP_OWNERS,
    DXDMP_OBJECTS,
    DXDMP_BLOBS,
    DXDMP_EVENTS,
    DXDMP_GROUPS
};

/* A type of section in DirectX dump files: one row of DXDMP_SECTIONS. */
struct dxdmp_type {
    uint32_t code;
    enum { DXDMP_KEY_STRUCT, DXDMP_KEY_ID, DXDMP_KEY_COUNT, DXDMP_KEY_OTHER } key;
    uint32_t size;
    enum dxdmp_group group;
    uint32_t kind;
};
#define DXDMP_ONE(name, a, b, c, d, key, size, group, kind) +1
enum { DXDMP_TYPES = DXDMP_SECTIONS(DXDMP_ONE) };
extern const struct dxdmp_type dxdmp_types[DXDMP_TYPES];

struct dxdmp_section {
    size_t header;  /* offset in the file */
    size_t data;    /* offset of the struct, or of the memory buffer's data */
    size_t size;    /* number of data bytes that the file has */
    uint64_t key;   /* memory buffers */
    uint32_t type;  /* FourCC of the section, or of the buffer inside a 'Memr' section */
    uint32_t count; /* number of elements that the file really contains */
    enum dxdmp_group group;
    uint32_t kind, element_size; /* kind and size in bytes of the object array's elements */
    bool is_memory, has_id;
};

/* Index entry: where the element with a key is. Entries with equal keys are in file order. */
struct dxdmp_place {
    uint64_t key;
    uint32_t kind, at;
};

struct dxdmp {
    annot_allocator allocator;
    const uint8_t *bytes;
    size_t size;
    struct dxdmp_section *sections;  /* sections in the order of the file */
    struct dxdmp_place *keys;        /* memory buffers with an ID: their type and section */
    struct dxdmp_place *annotations; /* where each EventID's annotation is (section, element) */
    uint32_t section_count, key_count, annotation_count;
    uint32_t counts[DXDMP_GROUPS];
    struct {
        uint64_t count, offset;
    } findings[DXDMP_FINDING_SLOTS];
};

/* Opens a DirectX dump; the caller owns `data`. *out becomes NULL if the result is not ANNOT_OK. */
annot_result dxdmp_open(const annot_reader_desc *desc, const void *data, size_t size,
                        struct dxdmp **out);
void dxdmp_close(struct dxdmp *file);
bool dxdmp_is_damaged(const struct dxdmp *file);

/* Sorts by key with heap sort, because keys are untrusted and this function must not allocate. */
void dxdmp_sort(struct dxdmp_place *places, uint32_t count);
/* Returns the index of the first element that does not sort before `key` and `kind`. O(log n). */
uint32_t dxdmp_lower(const struct dxdmp_place *places, uint32_t count, uint64_t key, uint32_t kind);

/* Both functions return a little-endian integer: 0 past the section's end or without a section. */
uint32_t dxdmp_u32(const struct dxdmp *file, const struct dxdmp_section *section, size_t offset);
uint64_t dxdmp_u64(const struct dxdmp *file, const struct dxdmp_section *section, size_t offset);
uint64_t dxdmp_header(const struct dxdmp *file, size_t offset, size_t size);

/* Returns the first section of this type outside memory buffers, or NULL. */
const struct dxdmp_section *dxdmp_first_section(const struct dxdmp *file, uint32_t type);

/* Returns the memory buffer of type `type` with the ID `key`, or NULL. O(log n). */
const struct dxdmp_section *dxdmp_buffer(const struct dxdmp *file, uint32_t type, uint64_t key);

/* An element of a group. Zero it first; each dxdmp_next then gets the next one in file order. */
struct dxdmp_thing {
    const struct dxdmp_section *section;
    uint32_t next, element;
    uint32_t number; /* the element's number in the group; the first element has number 1 */
};
bool dxdmp_next(const struct dxdmp *file, enum dxdmp_group group, struct dxdmp_thing *thing);

/* Returns the DX_DUMP_FILE_D3D_OBJECT_TYPE of a kind of object that has no array. */
uint32_t dxdmp_generic_type(uint32_t kind);

/* ---- each function writes UTF-8 with a NUL and returns its size, or 0 for no text ---- */

/* Gets the string whose ID is stored at `offset` in a section. */
size_t dxdmp_string(const struct dxdmp *file, const struct dxdmp_section *section, size_t offset,
                    char *buffer, size_t capacity);
/* Gets a name or context of DRED by two keys: the key of the 8-bit text and of the UTF-16 text. */
size_t dxdmp_dred_string(const struct dxdmp *file, const uint64_t keys[2], char *buffer,
                         size_t capacity);
size_t dxdmp_adapter(const struct dxdmp *file, char *buffer, size_t capacity);

/* ---- things ---- */

/* A breadcrumb node of DRED: the breadcrumbs of one command list. */
struct dxdmp_node {
    uint64_t list_name[2], queue_name[2]; /* keys */
    uint64_t list, queue;                 /* the objects' old addresses */
    uint32_t op_count;                    /* operations recorded */
    uint32_t done; /* number of completed operations; Microsoft's texts disagree by one */
    uint32_t ops_kept, context_count;
    const struct dxdmp_section *ops, *contexts;
    uint64_t list_id, queue_id;           /* identities that list and queue get in the new dump */
    bool is_first;                        /* first breadcrumb node of its queue */
    const struct dxdmp_section *named_by; /* annotations with the markers of this node, or NULL */
};
void dxdmp_node_of(const struct dxdmp *file, const struct dxdmp_section *section,
                   struct dxdmp_node *out);
/* Gets an operation's D3D12_AUTO_BREADCRUMB_OP. False: the history lacks the operation. */
bool dxdmp_node_op(const struct dxdmp *file, const struct dxdmp_node *node, uint32_t op,
                   uint32_t *kind);
/* Returns the key of an operation's DRED context, or 0. Contexts are sorted by operation. */
uint64_t dxdmp_context_of(const struct dxdmp *file, const struct dxdmp_node *node, uint32_t op);

struct dxdmp_object {
    uint32_t kind; /* D3D12DDI_HANDLETYPE of the object, or 0 */
    uint64_t address, handle;
    size_t name;          /* offset of the ID of the object's name, for dxdmp_string */
    uint32_t list_type;   /* D3D12_COMMAND_LIST_TYPE of a queue, list or allocator */
    uint64_t completed;   /* the completed value of a fence */
    uint64_t gpu_address; /* GPU virtual address of a buffer, or 0 */
    uint64_t heap;        /* a placed resource's heap, by its old address; 0: none */
    struct annot__dump_RESOURCE resource; /* all 0: no resource */
    const uint8_t *code; /* the bytes of a root signature, pipeline or state object */
    uint64_t code_size;  /* number of bytes at `code`, or 0 */
};
void dxdmp_object_of(const struct dxdmp *file, const struct dxdmp_thing *thing,
                     struct dxdmp_object *out);
/* Returns the driver's blob that is an annotation dump, as a section; or NULL. */
const struct dxdmp_section *dxdmp_inner(const struct dxdmp *file);
