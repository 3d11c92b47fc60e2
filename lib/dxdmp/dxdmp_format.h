/*
 * The layout of a DirectX dump file, version 1, by Microsoft's DXDumpFileFormat.h of Agility SDK
 * 1.721-preview:
 *
 *     header (256 bytes) | section header (16), payload | section header, payload | ...
 *
 * A section's payload is one struct, or, in a 'Memr' section, a memory header (24 bytes) and data.
 * All structs have the alignment of 64-bit Windows; this header has the offsets of their fields,
 * and bytes of a file are never cast to a struct.
 */
#pragma once

#include <annot/dxdmp.h>

#define DXDMP_SIGNATURE ANNOT_DXDMP_FOURCC('m', 'D', 'p', 'G')
#define DXDMP_MEMORY    ANNOT_DXDMP_FOURCC('M', 'e', 'm', 'r')
#define DXDMP_NO_STRING UINT64_MAX

enum {
    DXDMP_VERSION = 1,
    DXDMP_HEADER_SIZE = 256,
    DXDMP_SECTION_HEADER_SIZE = 16, /* FourCC, 4 bytes of padding, 64-bit size */
    DXDMP_MEMORY_HEADER_SIZE = 24,  /* FourCC, 4 bytes of padding, 64-bit size, 64-bit key */
    DXDMP_RING = 65536              /* operations that a list's history keeps */
};

/* Offsets in the header. */
enum {
    DXDMP_HEADER_VERSION = 4,
    DXDMP_HEADER_GUID = 8,
    DXDMP_HEADER_ERROR = 24,
    DXDMP_HEADER_TIME = 28, /* FILETIME: two 32-bit halves */
    DXDMP_HEADER_UPLOADED = 36,
    DXDMP_HEADER_DEBUGGED = 40
};

/* SECTION(name, FourCC, smallest payload): sections with one struct each. */
#define DXDMP_SECTIONS(SECTION)                                                                    \
    SECTION(APPLICATION, 'A', 'p', 'D', 's', 56)                                                   \
    SECTION(DEVICE_CONFIGURATION, 'D', 'v', 'C', 'f', 0)                                           \
    SECTION(CAPS, 'D', 'C', 'A', 'C', 20)                                                          \
    SECTION(ADAPTER, 'A', 'd', 'I', 'n', 368)                                                      \
    SECTION(OS, 'O', 'S', 'I', '0', 40)                                                            \
    SECTION(SYSTEM_MEMORY, 'S', 'M', 'I', '0', 56)                                                 \
    SECTION(CPU, 'C', 'P', 'I', '0', 32)                                                           \
    SECTION(DRED, 'D', 'R', 'I', 'N', 12)                                                          \
    SECTION(NODE, 'D', 'R', 'B', 'N', 80)                                                          \
    SECTION(PAGE_FAULT, 'D', 'R', 'P', 'F', 16)                                                    \
    SECTION(LIVE_ALLOCATION, 'D', 'E', 'A', 'N', 32)                                               \
    SECTION(FREED_ALLOCATION, 'D', 'F', 'A', 'N', 32)

/* MEMORY(name, FourCC, meaning of the key, bytes of an element): contents of 'Memr' sections. COUNT
 * means that the key is the number of elements. */
#define DXDMP_MEMORIES(MEMORY)                                                                     \
    MEMORY(STRING, 'W', 'S', 'T', 'R', ID, 2)                                                      \
    MEMORY(DRED_STRING, 'D', 'R', 'A', 'S', ID, 1)                                                 \
    MEMORY(DRED_WIDE_STRING, 'D', 'R', 'W', 'S', ID, 2)                                            \
    MEMORY(HISTORY, 'D', 'C', 'H', 'R', ID, 4)                                                     \
    MEMORY(CONTEXTS, 'D', 'B', 'C', 'C', ID, 16)                                                   \
    MEMORY(ANNOTATION_DATA, 'A', 'A', 'D', 'T', ID, 1)                                             \
    MEMORY(APPLICATION_BLOB, 'A', 'p', 'B', 'l', OTHER, 1)                                         \
    MEMORY(KERNEL_BLOB, 'K', 'm', 'B', 'l', OTHER, 1)                                              \
    MEMORY(DRIVER_BLOB, 'U', 'm', 'B', 'l', OTHER, 1)                                              \
    MEMORY(QUEUE_ANNOTATIONS, 'A', 'A', 'C', 'Q', OTHER, 1)                                        \
    MEMORY(ALLOCATOR_ANNOTATIONS, 'A', 'A', 'C', 'A', OTHER, 1)                                    \
    MEMORY(DEVICE, 'D', 'D', 'v', '0', OTHER, 1)                                                   \
    MEMORY(ANNOTATIONS, 'A', 'p', 'A', 'n', COUNT, 16)                                             \
    MEMORY(JOURNAL, 'D', '3', 'J', 'R', COUNT, 64)                                                 \
    MEMORY(RESOURCES, 'D', 'R', 's', '0', COUNT, 128)                                              \
    MEMORY(ROOT_SIGNATURES, 'D', 'R', 'S', '0', COUNT, 40)                                         \
    MEMORY(DESCRIPTOR_HEAPS, 'D', 'D', 'H', '0', COUNT, 40)                                        \
    MEMORY(HEAPS, 'D', 'H', 'p', '0', COUNT, 72)                                                   \
    MEMORY(FENCES, 'D', 'F', 'n', '0', COUNT, 40)                                                  \
    MEMORY(QUEUES, 'D', 'C', 'Q', '0', COUNT, 40)                                                  \
    MEMORY(LISTS, 'D', 'C', 'L', '0', COUNT, 32)                                                   \
    MEMORY(ALLOCATORS, 'D', 'C', 'A', '0', COUNT, 32)                                              \
    MEMORY(GENERICS, 'D', 'G', 'O', '0', COUNT, 24)                                                \
    MEMORY(PIPELINE_STATES, 'D', 'P', 'S', '0', COUNT, 48)                                         \
    MEMORY(STATE_OBJECTS, 'D', 'S', 'O', '0', COUNT, 48)

#define DXDMP_SECTION_CODE(name, a, b, c, d, size)                                                 \
    static const uint32_t DXDMP_##name = ANNOT_DXDMP_FOURCC(a, b, c, d);
#define DXDMP_MEMORY_CODE(name, a, b, c, d, key, size) DXDMP_SECTION_CODE(name, a, b, c, d, size)
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#endif
DXDMP_SECTIONS(DXDMP_SECTION_CODE)
DXDMP_MEMORIES(DXDMP_MEMORY_CODE)
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* An element of an object array begins with the old address and the name's string ID; in most
 * arrays the driver's handle follows. */
enum {
    DXDMP_OBJECT_ADDRESS = 0,
    DXDMP_OBJECT_NAME = 8,
    DXDMP_OBJECT_HANDLE = 16,
    DXDMP_OBJECT_LIST_TYPE = 24, /* of queues, lists and allocators */
    DXDMP_FENCE_COMPLETED = 32
};

/* An annotation: 64-bit EventID, metadata, type. */
enum { DXDMP_ANNOTATION_METADATA = 8, DXDMP_ANNOTATION_TYPE = 12, DXDMP_ANNOTATION_SIZE = 16 };

/* An owner: the driver's handle, the number of EventIDs, then the EventIDs. */
enum { DXDMP_OWNER_COUNT = 8, DXDMP_OWNER_IDS = 16 };

/* A breadcrumb node (80 bytes). */
enum {
    DXDMP_NODE_LIST_NAME = 0,   /* 8-bit, then UTF-16 */
    DXDMP_NODE_QUEUE_NAME = 16, /* 8-bit, then UTF-16 */
    DXDMP_NODE_LIST = 32,
    DXDMP_NODE_QUEUE = 40,
    DXDMP_NODE_COUNT = 48,
    DXDMP_NODE_HISTORY = 56,
    DXDMP_NODE_DONE = 64,
    DXDMP_NODE_CONTEXT_COUNT = 68,
    DXDMP_NODE_CONTEXTS = 72
};

/* A context: 32-bit index of the operation, padding, key of its string. */
enum { DXDMP_CONTEXT_STRING = 8, DXDMP_CONTEXT_SIZE = 16 };

/* D3D12_AUTO_BREADCRUMB_OP of markers. */
enum { DXDMP_OP_SET_MARKER = 0, DXDMP_OP_BEGIN_EVENT = 1, DXDMP_OP_END_EVENT = 2 };
