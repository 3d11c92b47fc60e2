/* The layout of DirectX dump files, version 1, from Microsoft's DXDumpFileFormat.h in Agility SDK
 * 1.721-preview:
 *
 *    header (256 bytes) | section header (16), payload | section header, payload | ...
 *
 * A section's payload is one struct. In a 'Memr' section, the payload is a memory header (24 bytes)
 * and data. Structs are aligned as in 64-bit Windows. This header has the offsets of their fields,
 * because no code casts a file's bytes to a struct. */
#pragma once

#include <annot/reader.h>

#define DXDMP_FOURCC(a, b, c, d)                                                                   \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define DXDMP_SIGNATURE DXDMP_FOURCC('m', 'D', 'p', 'G')
#define DXDMP_MEMORY    DXDMP_FOURCC('M', 'e', 'm', 'r')
#define DXDMP_NO_STRING UINT64_MAX

enum {
    DXDMP_VERSION = 1,
    DXDMP_HEADER_SIZE = 256,
    DXDMP_SECTION_HEADER_SIZE = 16, /* FourCC, 4 bytes of padding, 64-bit size */
    DXDMP_MEMORY_HEADER_SIZE = 24,  /* FourCC, 4 bytes of padding, 64-bit size, 64-bit key */
    DXDMP_RING = 65536              /* DRED keeps this many of a list's operations */
};

/* Offsets in the file's header, in bytes. */
enum {
    DXDMP_HEADER_VERSION = 4,
    DXDMP_HEADER_GUID = 8,
    DXDMP_HEADER_ERROR = 24,
    DXDMP_HEADER_TIME = 28, /* a FILETIME, stored as two 32-bit halves */
    DXDMP_HEADER_UPLOADED = 36,
    DXDMP_HEADER_DEBUGGED = 40
};

/* Calls SECTION(name, FourCC, key, bytes, group, kind) for each type of section. A STRUCT section
 * is one struct of at least `bytes` bytes. All other sections are 'Memr' sections with an array of
 * elements of `bytes` bytes. `kind` is an object's D3D12DDI_HANDLETYPE or a blob's annot_blob_kind.
 * The bytes of a generic object tell its type. */
#define DXDMP_SECTIONS(SECTION)                                                                    \
    SECTION(APPLICATION, 'A', 'p', 'D', 's', STRUCT, 56, NO_GROUP, 0)                              \
    SECTION(DEVICE_CONFIGURATION, 'D', 'v', 'C', 'f', STRUCT, 0, NO_GROUP, 0)                      \
    SECTION(CAPS, 'D', 'C', 'A', 'C', STRUCT, 20, NO_GROUP, 0)                                     \
    SECTION(ADAPTER, 'A', 'd', 'I', 'n', STRUCT, 368, NO_GROUP, 0)                                 \
    SECTION(OS, 'O', 'S', 'I', '0', STRUCT, 40, NO_GROUP, 0)                                       \
    SECTION(SYSTEM_MEMORY, 'S', 'M', 'I', '0', STRUCT, 56, NO_GROUP, 0)                            \
    SECTION(CPU, 'C', 'P', 'I', '0', STRUCT, 32, NO_GROUP, 0)                                      \
    SECTION(DRED, 'D', 'R', 'I', 'N', STRUCT, 12, NO_GROUP, 0)                                     \
    SECTION(NODE, 'D', 'R', 'B', 'N', STRUCT, 80, NODES, 0)                                        \
    SECTION(PAGE_FAULT, 'D', 'R', 'P', 'F', STRUCT, 16, NO_GROUP, 0)                               \
    SECTION(LIVE_ALLOCATION, 'D', 'E', 'A', 'N', STRUCT, 32, ALLOCATIONS, 0)                       \
    SECTION(FREED_ALLOCATION, 'D', 'F', 'A', 'N', STRUCT, 32, ALLOCATIONS, 0)                      \
    SECTION(STRING, 'W', 'S', 'T', 'R', ID, 2, NO_GROUP, 0)                                        \
    SECTION(DRED_STRING, 'D', 'R', 'A', 'S', ID, 1, NO_GROUP, 0)                                   \
    SECTION(DRED_WIDE_STRING, 'D', 'R', 'W', 'S', ID, 2, NO_GROUP, 0)                              \
    SECTION(HISTORY, 'D', 'C', 'H', 'R', ID, 4, NO_GROUP, 0)                                       \
    SECTION(CONTEXTS, 'D', 'B', 'C', 'C', ID, 16, NO_GROUP, 0)                                     \
    SECTION(ANNOTATION_DATA, 'A', 'A', 'D', 'T', ID, 1, NO_GROUP, 0)                               \
    SECTION(APPLICATION_BLOB, 'A', 'p', 'B', 'l', OTHER, 1, BLOBS, ANNOT_BLOB_APPLICATION)         \
    SECTION(KERNEL_BLOB, 'K', 'm', 'B', 'l', OTHER, 1, BLOBS, ANNOT_BLOB_KERNEL)                   \
    SECTION(DRIVER_BLOB, 'U', 'm', 'B', 'l', OTHER, 1, BLOBS, ANNOT_BLOB_DRIVER)                   \
    SECTION(QUEUE_ANNOTATIONS, 'A', 'A', 'C', 'Q', OTHER, 1, OWNERS, 0)                            \
    SECTION(ALLOCATOR_ANNOTATIONS, 'A', 'A', 'C', 'A', OTHER, 1, OWNERS, 0)                        \
    SECTION(DEVICE, 'D', 'D', 'v', '0', OTHER, 1, NO_GROUP, 0)                                     \
    SECTION(ANNOTATIONS, 'A', 'p', 'A', 'n', COUNT, 16, NO_GROUP, 0)                               \
    SECTION(JOURNAL, 'D', '3', 'J', 'R', COUNT, 64, EVENTS, 0)                                     \
    SECTION(RESOURCES, 'D', 'R', 's', '0', COUNT, 128, OBJECTS, D3D12DDI_HT_RESOURCE)              \
    SECTION(ROOT_SIGNATURES, 'D', 'R', 'S', '0', COUNT, 40, OBJECTS, D3D12DDI_HT_ROOT_SIGNATURE)   \
    SECTION(DESCRIPTOR_HEAPS, 'D', 'D', 'H', '0', COUNT, 40, OBJECTS, D3D12DDI_HT_DESCRIPTOR_HEAP) \
    SECTION(HEAPS, 'D', 'H', 'p', '0', COUNT, 72, OBJECTS, D3D12DDI_HT_HEAP)                       \
    SECTION(FENCES, 'D', 'F', 'n', '0', COUNT, 40, OBJECTS, D3D12DDI_HT_FENCE)                     \
    SECTION(QUEUES, 'D', 'C', 'Q', '0', COUNT, 40, OBJECTS, D3D12DDI_HT_COMMAND_QUEUE)             \
    SECTION(LISTS, 'D', 'C', 'L', '0', COUNT, 32, OBJECTS, D3D12DDI_HT_COMMAND_LIST)               \
    SECTION(ALLOCATORS, 'D', 'C', 'A', '0', COUNT, 32, OBJECTS, D3D12DDI_HT_COMMAND_ALLOCATOR)     \
    SECTION(GENERICS, 'D', 'G', 'O', '0', COUNT, 24, OBJECTS, 0)                                   \
    SECTION(PIPELINE_STATES, 'D', 'P', 'S', '0', COUNT, 48, OBJECTS, D3D12DDI_HT_PIPELINE_STATE)   \
    SECTION(STATE_OBJECTS, 'D', 'S', 'O', '0', COUNT, 48, OBJECTS, D3D12DDI_HT_STATE_OBJECT)

#define DXDMP_SECTION_CODE(name, a, b, c, d, key, size, group, kind)                               \
    static const uint32_t DXDMP_##name = DXDMP_FOURCC(a, b, c, d);
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#endif
DXDMP_SECTIONS(DXDMP_SECTION_CODE)
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* Offsets in an element of an object array. Each element begins with the object's address in the
 * crashed process and the ID of its name. In most arrays, the driver's handle follows. */
enum {
    DXDMP_OBJECT_ADDRESS = 0,
    DXDMP_OBJECT_NAME = 8,
    DXDMP_OBJECT_HANDLE = 16,
    DXDMP_OBJECT_LIST_TYPE = 24, /* D3D12_COMMAND_LIST_TYPE of queues, lists and allocators */
    DXDMP_FENCE_COMPLETED = 32,
    DXDMP_ROOT_SIGNATURE_OFFSET = 24, /* then the size */
    DXDMP_SUBOBJECTS_OFFSET = 32      /* then the size */
};

/* Offsets in an annotation, which has a 64-bit EventID, metadata and a type. */
enum { DXDMP_ANNOTATION_METADATA = 8, DXDMP_ANNOTATION_TYPE = 12, DXDMP_ANNOTATION_SIZE = 16 };

/* Offsets in an owner of annotations: the driver's handle, the number of EventIDs, the EventIDs. */
enum { DXDMP_OWNER_COUNT = 8, DXDMP_OWNER_IDS = 16 };

/* Offsets in a breadcrumb node. A node has 80 bytes. */
enum {
    DXDMP_NODE_LIST_NAME = 0,   /* two keys: of the 8-bit name and of the UTF-16 name */
    DXDMP_NODE_QUEUE_NAME = 16, /* two keys: of the 8-bit name and of the UTF-16 name */
    DXDMP_NODE_LIST = 32,
    DXDMP_NODE_QUEUE = 40,
    DXDMP_NODE_COUNT = 48,
    DXDMP_NODE_HISTORY = 56,
    DXDMP_NODE_DONE = 64,
    DXDMP_NODE_CONTEXT_COUNT = 68,
    DXDMP_NODE_CONTEXTS = 72
};

/* Offsets in a DRED context: the operation's 32-bit index, padding, the key of its string. */
enum { DXDMP_CONTEXT_STRING = 8, DXDMP_CONTEXT_SIZE = 16 };

/* D3D12_AUTO_BREADCRUMB_OP of markers. */
enum { DXDMP_OP_SET_MARKER = 0, DXDMP_OP_BEGIN_EVENT = 1, DXDMP_OP_END_EVENT = 2 };
