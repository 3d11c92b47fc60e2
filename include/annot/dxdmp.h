/*
 * For tools: read DirectX dump files (.dxdmp) on any platform, and write one from an annotation
 * dump. Windows' D3D12 runtime leaves such files after a device error.
 *
 *     annot_dxdmp *dump;
 *     if (annot_dxdmp_open_file(NULL, "Game-2026-06-18-10-00-00.dxdmp", &dump) == ANNOT_OK)
 *         annot_dxdmp_as_dump(dump, &sink);
 *     annot_dxdmp_close(dump);
 *
 * The sink gets a dump for annot_reader_open_memory; all reports are made from such a dump.
 *
 * The layout is that of version 1 of Microsoft's DXDumpFileFormat.h (a preview: it may still
 * change). It has no hash, no closing mark and no index, so only a last section that is too short
 * shows that a file was cut. Annotations are stored flat, by queue and by command allocator,
 * without parents, lists or states; these are reported as unknown. The path to a hang comes from
 * DRED's breadcrumbs and their contexts, if the application had enabled them.
 *
 * Any bytes give a dump, findings, or an error. Memory is at most 5 times the file. Threads: a dump
 * doesn't change after opening; any number of threads may use it.
 */
#ifndef ANNOT_DXDMP_H
#define ANNOT_DXDMP_H

#include "reader.h"

ANNOT_BEGIN_DECLS

typedef struct annot_dxdmp annot_dxdmp;

#define ANNOT_DXDMP_FOURCC(a, b, c, d)                                                             \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/* Whether the bytes begin as a DirectX dump file does. */
ANNOT_READER_API bool annot_dxdmp_is(const void *data, size_t size);

/*
 * Opens a dump. `desc` may be NULL for the defaults of annot_reader_desc. Errors:
 * ANNOT_ERROR_NOT_A_DUMP, ANNOT_ERROR_TOO_LARGE, ANNOT_ERROR_OUT_OF_MEMORY, ANNOT_ERROR_IO (errno
 * has the reason). After an error *out is NULL.
 */
ANNOT_INLINE annot_result annot_dxdmp_open_file(const annot_reader_desc *desc, const char *path,
                                                annot_dxdmp **out);

/* Opens a dump in memory. The caller keeps the memory, and must not change it until the dump is
 * closed. */
ANNOT_INLINE annot_result annot_dxdmp_open_memory(const annot_reader_desc *desc, const void *data,
                                                  size_t size, annot_dxdmp **out);

/* NULL is allowed. */
ANNOT_READER_API void annot_dxdmp_close(annot_dxdmp *dump);

/* ---- damage of the file ---- */

/* FINDING(name, is_damage, sentence) */
#define ANNOT_DXDMP_FINDINGS(FINDING)                                                              \
    FINDING(CUT, true, "the file ends inside a section; the rest of it is lost")                   \
    FINDING(SHORT, true, "a section is shorter than what it should hold")                          \
    FINDING(COUNT, true, "an array announces more elements than its section has")                  \
    FINDING(VERSION, false, "the file is of a newer version; what is known of it is shown")        \
    FINDING(UNKNOWN, false, "sections of unknown types were skipped")                              \
    FINDING(REPEATED, false, "a key came twice; the first one counts")                             \
    FINDING(UNRESOLVED, false, "names or arrays that other sections refer to are missing")

typedef struct annot_dxdmp_finding {
    const char *name; /* "CUT"; static */
    const char *text; /* a sentence; static */
    uint64_t count;
    uint64_t offset; /* of the first finding of this kind */
    bool is_damage;
} annot_dxdmp_finding;

ANNOT_READER_API size_t annot_dxdmp_finding_count(const annot_dxdmp *dump);
ANNOT_INLINE bool annot_dxdmp_finding_at(const annot_dxdmp *dump, size_t index,
                                         annot_dxdmp_finding *out);
ANNOT_READER_API bool annot_dxdmp_is_damaged(const annot_dxdmp *dump);

/* ---- the file as a whole ---- */

typedef struct annot_dxdmp_info {
    uint32_t version;
    uint8_t guid[16];
    uint32_t error; /* D3D12_DEVICE_ERROR_CODE */
    uint64_t time;  /* nanoseconds since 1970-01-01 UTC; 0: unknown */
    bool was_uploaded, was_debugged;
    bool has_dred, has_page_fault;
    uint32_t dred_version, dred_state; /* D3D12_DRED_VERSION, D3D12_DRED_DEVICE_STATE */
    uint32_t removed_reason;           /* HRESULT */
    uint64_t fault_address;
    uint64_t executable, application, engine; /* string IDs for annot_dxdmp_string */
    uint64_t os;                              /* string ID */
    uint32_t os_build;                        /* 0: unknown */
    uint64_t driver_version;                  /* four 16-bit parts; 0: unknown */
    uint32_t vendor, device;                  /* PCI identities; 0: unknown */
} annot_dxdmp_info;

ANNOT_INLINE void annot_dxdmp_get_info(const annot_dxdmp *dump, annot_dxdmp_info *out);

/* The adapter's description as UTF-8; see annot_dxdmp_string for the result. */
ANNOT_READER_API size_t annot_dxdmp_adapter(const annot_dxdmp *dump, char *buffer, size_t capacity);

/* ---- sections ---- */

typedef struct annot_dxdmp_section {
    uint32_t type;     /* FourCC; 'Memr' for memory buffers */
    uint32_t mem_type; /* FourCC of a memory buffer, 0 otherwise */
    uint64_t key;      /* of a memory buffer: string ID, element count or old address */
    uint64_t offset;   /* of the section's header in the file */
    const void *data;  /* not aligned */
    size_t size;       /* bytes of it that the file has */
} annot_dxdmp_section;

ANNOT_READER_API size_t annot_dxdmp_section_count(const annot_dxdmp *dump);
ANNOT_INLINE bool annot_dxdmp_section_at(const annot_dxdmp *dump, size_t index,
                                         annot_dxdmp_section *out);

/*
 * Stores the string with this ID as valid UTF-8 with a NUL. A string that doesn't fit is cut at a
 * character's border. Returns the bytes stored, without the NUL, or 0 if there is no such string.
 * O(log n).
 */
ANNOT_READER_API size_t annot_dxdmp_string(const annot_dxdmp *dump, uint64_t id, char *buffer,
                                           size_t capacity);

/* ---- DRED ---- */

/* One command list whose breadcrumbs were kept. Names are keys for annot_dxdmp_dred_string; 0:
 * none. */
typedef struct annot_dxdmp_node {
    uint64_t list_name[2], queue_name[2]; /* [0] 8-bit, [1] UTF-16 */
    uint64_t list, queue;                 /* the objects' old addresses */
    uint32_t op_count;                    /* operations recorded */
    uint32_t done;     /* operations that the GPU completed; Microsoft's documents differ by one */
    uint32_t ops_kept; /* operations that the history, a ring, still has: the newest ones */
    uint32_t context_count;
    uint32_t ops_section, contexts_section; /* ANNOT_READER_NONE: missing */
} annot_dxdmp_node;

ANNOT_READER_API size_t annot_dxdmp_node_count(const annot_dxdmp *dump);
ANNOT_INLINE bool annot_dxdmp_node_at(const annot_dxdmp *dump, size_t index, annot_dxdmp_node *out);

/* Gets the kind (D3D12_AUTO_BREADCRUMB_OP) of the operation with this index. False means that the
 * file doesn't have it. */
ANNOT_INLINE bool annot_dxdmp_node_op(const annot_dxdmp *dump, const annot_dxdmp_node *node,
                                      uint32_t op, uint32_t *kind);

/* Does what annot_dxdmp_string does, for names and contexts of DRED. */
ANNOT_READER_API size_t annot_dxdmp_dred_string(const annot_dxdmp *dump, const uint64_t keys[2],
                                                char *buffer, size_t capacity);

typedef struct annot_dxdmp_allocation {
    uint64_t name[2];
    uint64_t object; /* old address */
    uint32_t type;   /* D3D12_DRED_ALLOCATION_TYPE */
    bool is_freed;
} annot_dxdmp_allocation;

/* How many allocations had the faulting address in their range. */
ANNOT_READER_API size_t annot_dxdmp_allocation_count(const annot_dxdmp *dump);
ANNOT_INLINE bool annot_dxdmp_allocation_at(const annot_dxdmp *dump, size_t index,
                                            annot_dxdmp_allocation *out);

/* ---- annotations ---- */

typedef struct annot_dxdmp_annotation {
    uint64_t event_id;
    uint32_t metadata;
    uint8_t type; /* Microsoft does not publish its values */
    const void *data;
    size_t size; /* of the payload; also 0 if the file lacks the payload */
} annot_dxdmp_annotation;

ANNOT_READER_API size_t annot_dxdmp_annotation_count(const annot_dxdmp *dump);
ANNOT_INLINE bool annot_dxdmp_annotation_at(const annot_dxdmp *dump, size_t index,
                                            annot_dxdmp_annotation *out);
/* Finds an annotation by its EventID. O(log n). */
ANNOT_INLINE bool annot_dxdmp_annotation_find(const annot_dxdmp *dump, uint64_t event_id,
                                              annot_dxdmp_annotation *out);
/* A command queue or a command allocator that owns annotations. */
typedef struct annot_dxdmp_owner {
    uint64_t handle; /* the driver's */
    bool is_queue;
    uint32_t id_count;
    uint32_t section;
} annot_dxdmp_owner;

ANNOT_READER_API size_t annot_dxdmp_owner_count(const annot_dxdmp *dump);
ANNOT_INLINE bool annot_dxdmp_owner_at(const annot_dxdmp *dump, size_t index,
                                       annot_dxdmp_owner *out);
ANNOT_INLINE uint64_t annot_dxdmp_owner_id(const annot_dxdmp *dump, const annot_dxdmp_owner *owner,
                                           uint32_t index);

/* ---- objects ---- */

typedef struct annot_dxdmp_object {
    uint32_t kind; /* D3D12DDI_HANDLETYPE; 0: this kind has no number there */
    uint64_t address, handle;
    uint64_t name;           /* string ID */
    uint32_t list_type;      /* D3D12_COMMAND_LIST_TYPE of queues, lists and allocators */
    uint64_t completed;      /* of a fence */
    uint64_t gpu_address;    /* of a resource; 0: not known, or a texture */
    annot_resource resource; /* all 0: the object is no resource */
} annot_dxdmp_object;

ANNOT_READER_API size_t annot_dxdmp_object_count(const annot_dxdmp *dump);
/* Object number `index`, in the file's order. Time is linear in the number of object arrays, about
 * a dozen in a file. */
ANNOT_INLINE bool annot_dxdmp_object_at(const annot_dxdmp *dump, size_t index,
                                        annot_dxdmp_object *out);

/* ---- writing ---- */

/*
 * Writes an annotation dump as a DirectX dump file: header, application, adapter, objects,
 * annotations by queue and allocator, application blobs and the driver's. The annotation dump
 * itself is stored as a user-mode driver blob, since hierarchy, executions and states have no other
 * place in the format; `annot show` reads it back from there. Annotation dumps have no command
 * allocators, so each recording is written as one. Errors: ANNOT_ERROR_IO if the sink refused,
 * ANNOT_ERROR_OUT_OF_MEMORY.
 */
ANNOT_READER_API annot_result annot_dxdmp_write(const annot_reader *reader,
                                                const annot_report_sink *sink);

/* Gets the annotation dump inside, as annot_dxdmp_write stores it. False means that there is
 * none. */
ANNOT_READER_API bool annot_dxdmp_inner(const annot_dxdmp *dump, const void **data, size_t *size);

/*
 * Writes the file as an annotation dump, for everything that shows or compares such dumps. It is
 * the dump inside, or a dump made from the file's contents (docs/DXDMP.md, section by section),
 * with everything else unknown. A damaged file gives a dump without a closing mark. Errors:
 * ANNOT_ERROR_IO if the sink refused, ANNOT_ERROR_OUT_OF_MEMORY.
 */
ANNOT_READER_API annot_result annot_dxdmp_as_dump(const annot_dxdmp *dump,
                                                  const annot_report_sink *sink);

/* ---- the exported forms; each takes the sizes of its structs, so that structs can grow ---- */

ANNOT_READER_API annot_result annot_dxdmp_open_file_sized(const annot_reader_desc *desc,
                                                          size_t desc_size, const char *path,
                                                          annot_dxdmp **out);
ANNOT_INLINE annot_result annot_dxdmp_open_file(const annot_reader_desc *desc, const char *path,
                                                annot_dxdmp **out)
{
    return annot_dxdmp_open_file_sized(desc, sizeof *desc, path, out);
}

ANNOT_READER_API annot_result annot_dxdmp_open_memory_sized(const annot_reader_desc *desc,
                                                            size_t desc_size, const void *data,
                                                            size_t size, annot_dxdmp **out);
ANNOT_INLINE annot_result annot_dxdmp_open_memory(const annot_reader_desc *desc, const void *data,
                                                  size_t size, annot_dxdmp **out)
{
    return annot_dxdmp_open_memory_sized(desc, sizeof *desc, data, size, out);
}

ANNOT_READER_API bool annot_dxdmp_node_op_sized(const annot_dxdmp *dump,
                                                const annot_dxdmp_node *node, size_t node_size,
                                                uint32_t op, uint32_t *kind);
ANNOT_INLINE bool annot_dxdmp_node_op(const annot_dxdmp *dump, const annot_dxdmp_node *node,
                                      uint32_t op, uint32_t *kind)
{
    return annot_dxdmp_node_op_sized(dump, node, sizeof *node, op, kind);
}

ANNOT_READER_API uint64_t annot_dxdmp_owner_id_sized(const annot_dxdmp *dump,
                                                     const annot_dxdmp_owner *owner,
                                                     size_t owner_size, uint32_t index);
ANNOT_INLINE uint64_t annot_dxdmp_owner_id(const annot_dxdmp *dump, const annot_dxdmp_owner *owner,
                                           uint32_t index)
{
    return annot_dxdmp_owner_id_sized(dump, owner, sizeof *owner, index);
}

ANNOT_READER_API bool annot_dxdmp_finding_at_sized(const annot_dxdmp *dump, size_t index,
                                                   annot_dxdmp_finding *out, size_t out_size);
ANNOT_INLINE bool annot_dxdmp_finding_at(const annot_dxdmp *dump, size_t index,
                                         annot_dxdmp_finding *out)
{
    return annot_dxdmp_finding_at_sized(dump, index, out, sizeof *out);
}

ANNOT_READER_API void annot_dxdmp_get_info_sized(const annot_dxdmp *dump, annot_dxdmp_info *out,
                                                 size_t out_size);
ANNOT_INLINE void annot_dxdmp_get_info(const annot_dxdmp *dump, annot_dxdmp_info *out)
{
    annot_dxdmp_get_info_sized(dump, out, sizeof *out);
}

ANNOT_READER_API bool annot_dxdmp_section_at_sized(const annot_dxdmp *dump, size_t index,
                                                   annot_dxdmp_section *out, size_t out_size);
ANNOT_INLINE bool annot_dxdmp_section_at(const annot_dxdmp *dump, size_t index,
                                         annot_dxdmp_section *out)
{
    return annot_dxdmp_section_at_sized(dump, index, out, sizeof *out);
}

ANNOT_READER_API bool annot_dxdmp_node_at_sized(const annot_dxdmp *dump, size_t index,
                                                annot_dxdmp_node *out, size_t out_size);
ANNOT_INLINE bool annot_dxdmp_node_at(const annot_dxdmp *dump, size_t index, annot_dxdmp_node *out)
{
    return annot_dxdmp_node_at_sized(dump, index, out, sizeof *out);
}

ANNOT_READER_API bool annot_dxdmp_allocation_at_sized(const annot_dxdmp *dump, size_t index,
                                                      annot_dxdmp_allocation *out, size_t out_size);
ANNOT_INLINE bool annot_dxdmp_allocation_at(const annot_dxdmp *dump, size_t index,
                                            annot_dxdmp_allocation *out)
{
    return annot_dxdmp_allocation_at_sized(dump, index, out, sizeof *out);
}

ANNOT_READER_API bool annot_dxdmp_annotation_at_sized(const annot_dxdmp *dump, size_t index,
                                                      annot_dxdmp_annotation *out, size_t out_size);
ANNOT_INLINE bool annot_dxdmp_annotation_at(const annot_dxdmp *dump, size_t index,
                                            annot_dxdmp_annotation *out)
{
    return annot_dxdmp_annotation_at_sized(dump, index, out, sizeof *out);
}

ANNOT_READER_API bool annot_dxdmp_annotation_find_sized(const annot_dxdmp *dump, uint64_t event_id,
                                                        annot_dxdmp_annotation *out,
                                                        size_t out_size);
ANNOT_INLINE bool annot_dxdmp_annotation_find(const annot_dxdmp *dump, uint64_t event_id,
                                              annot_dxdmp_annotation *out)
{
    return annot_dxdmp_annotation_find_sized(dump, event_id, out, sizeof *out);
}

ANNOT_READER_API bool annot_dxdmp_owner_at_sized(const annot_dxdmp *dump, size_t index,
                                                 annot_dxdmp_owner *out, size_t out_size);
ANNOT_INLINE bool annot_dxdmp_owner_at(const annot_dxdmp *dump, size_t index,
                                       annot_dxdmp_owner *out)
{
    return annot_dxdmp_owner_at_sized(dump, index, out, sizeof *out);
}

ANNOT_READER_API bool annot_dxdmp_object_at_sized(const annot_dxdmp *dump, size_t index,
                                                  annot_dxdmp_object *out, size_t out_size);
ANNOT_INLINE bool annot_dxdmp_object_at(const annot_dxdmp *dump, size_t index,
                                        annot_dxdmp_object *out)
{
    return annot_dxdmp_object_at_sized(dump, index, out, sizeof *out);
}

ANNOT_END_DECLS

#endif
