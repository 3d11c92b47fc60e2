/* The bytes of an .annottrace file; docs/TRACE_FORMAT.md describes them for authors of readers.
 * Numbers are little-endian.
 *
 *     header    one page
 *     slots     slot_count chunks of CHUNK_SIZE that threads record into, uncompressed;
 *               absent after an orderly end
 *     log       closed chunks, compressed, one after the other up to the end of the file
 */
#pragma once

#include <stdint.h>

#define TRACE_MAGIC       "ANNOTTRC"
#define TRACE_VERSION     1u
#define TRACE_HEADER_SIZE 4096u
#define TRACE_CHUNK_SIZE  (256u * 1024u)
#define TRACE_CHUNK_MAGIC 0x4b4e4843u /* "CHNK" */
#define TRACE_RECORDS_MAX                                                                          \
    (1u                                                                                            \
     << 30) /* limit of the bytes of records in a chunk; a larger record has a chunk of its own */

struct trace_header {
    char magic[8];
    uint32_t version;
    uint32_t header_size; /* offset at which the slots begin */
    uint32_t slot_count;  /* number of slots; 0: the log begins behind the header */
    uint32_t chunk_size;
    uint32_t wchar_size; /* size of wchar_t in the program; texts in the trace are UTF-16 */
    uint32_t process;
    uint64_t started;      /* nanoseconds since 1970 */
    uint32_t is_finished;  /* 1: the trace was closed in an orderly way */
    uint32_t memory_watch; /* how writes to mapped memory were found: enum trace_watch */
    char runtime[1024];    /* path of the D3D12 library, UTF-8 */
    char program[1024];
    /* The range of calls to which the trace was trimmed. The trace has only those earlier calls
     * that the range needs. Both are 0 if the trace has all calls. */
    uint64_t trimmed_from, trimmed_to;
    /* Bytes of mapped memory that all checks asked the system about, or hashed. */
    uint64_t looked_asked, looked_hashed;
};
_Static_assert(sizeof(struct trace_header) == 2128, "no padding");

enum trace_chunk_state { CHUNK_FREE = 0, CHUNK_OPEN = 1, CHUNK_FULL = 2, CHUNK_STORED = 3 };
enum trace_codec { CODEC_NONE = 0, CODEC_ZSTD = 1 };

enum trace_watch {
    TRACE_WATCH_HASHING = 0,
    TRACE_WATCH_USERFAULTFD = 1,
    TRACE_WATCH_WRITE_WATCH = 2
};

struct trace_chunk {
    uint32_t magic;
    uint32_t state;
    uint64_t serial; /* the chunk's number, from 1; one chunk may be in a slot and in the log */
    uint32_t thread; /* the thread's number, from 1 */
    uint32_t codec;
    uint64_t first_call, last_call;
    uint32_t used;   /* bytes of uncompressed records; in an open chunk, this member changes last */
    uint32_t stored; /* bytes behind this header in the log, with padding to a multiple of 8 */
    uint64_t hash;   /* XXH64 of the stored bytes with seed 0; 0 in a slot */
    uint64_t left;   /* number of the last call of this thread that returned */
};
_Static_assert(sizeof(struct trace_chunk) == 64, "no padding");

enum trace_kind {
    RECORD_ENTER = 1, /* a call's begin: method = digest; words: object, arguments; then data */
    RECORD_LEAVE =
        2, /* a call returns: method = digest; words: how many calls had begun, the result, the
              written arguments; absent if the call has no result and writes no argument */
    RECORD_MEMORY = 3,   /* bytes that the program wrote into mapped memory */
    RECORD_CHECK = 4,    /* XXH64 of mapped memory that the program could read */
    RECORD_FENCES = 5,   /* values that fences had reached */
    RECORD_TEXT = 6,     /* a line of the recorder about data that could not be recorded */
    RECORD_ADDRESS = 7,  /* the GPU address of a new resource */
    RECORD_GIVEN = 8,    /* size of the program's memory whose address the next call gets */
    RECORD_VARIABLE = 9, /* an environment variable that the runtime reads: its length, then
                            "NAME=value", or "NAME" */
    RECORD_FILE = 10,    /* the settings file: enum trace_file << 32 | size, then its bytes */
    RECORD_ADAPTER =
        11 /* an adapter of another library: its number, its LUID, enum trace_adapter */
};

enum trace_file { TRACE_FILE_ABSENT = 0, TRACE_FILE_PLAIN = 1, TRACE_FILE_OTHER = 2 };
enum trace_adapter { TRACE_ADAPTER_DXGI = 1, TRACE_ADAPTER_DXCORE = 2 };

struct trace_record {
    uint32_t size; /* bytes with this header, a multiple of 8 */
    uint32_t kind;
    uint64_t call; /* number of the call, from 1; other records have the number of a call's begin */
    uint32_t
        method; /* digest of "Interface:Method" or "NONE:export"; 0 in other kinds of records */
    uint32_t words;
};
_Static_assert(sizeof(struct trace_record) == 24, "no padding");

/* In a RECORD_MEMORY, `size` bytes follow, padded. A RECORD_CHECK says that `size` bytes of memory
 * have the hash `hash`. */
struct trace_memory {
    uint64_t object;
    uint64_t offset, size; /* the bytes' offset in the subresource that Map returned */
    uint64_t hash;         /* XXH64 */
    uint32_t subresource, flags;
};
#define TRACE_MEMORY_SHARED 1u /* whether the GPU may also have written these bytes */
_Static_assert(sizeof(struct trace_memory) == 40, "no padding");
