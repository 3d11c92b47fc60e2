/* The bytes of an .annottrace file; docs/TRACE_FORMAT.md describes them for authors of readers.
 * Numbers are little-endian.
 *
 *     header    one page
 *     slots     slot_count chunks of CHUNK_SIZE that threads record into, uncompressed;
 *               absent after an orderly end
 *     log       closed chunks, compressed, one after the other up to the end of the file */
#pragma once

#include <stdint.h>

#define TRACE_MAGIC       "ANNOTTRC"
#define TRACE_VERSION     1u
#define TRACE_HEADER_SIZE 4096u
#define TRACE_CHUNK_SIZE  (256u * 1024u)
#define TRACE_CHUNK_MAGIC 0x4b4e4843u /* "CHNK" */
/* Limit of a chunk's records in bytes; a larger record is alone in its chunk. */
#define TRACE_RECORDS_MAX (1u << 30)

struct trace_header {
    char magic[8];
    uint32_t version;
    uint32_t header_size; /* offset of the first slot in the file */
    uint32_t slot_count;  /* number of slots (open chunks); 0: the log follows the header */
    uint32_t chunk_size;
    uint32_t wchar_size; /* size in bytes of the program's wchar_t; the trace's texts are UTF-16 */
    uint32_t process;
    uint64_t started;      /* nanoseconds since 1970 */
    uint32_t is_finished;  /* 1: the recorder closed the trace; 0: it did not */
    uint32_t memory_watch; /* enum trace_watch: how the recorder found writes to mapped memory */
    char runtime[1024];    /* path of the D3D12 library, in UTF-8 */
    char program[1024];
    /* The first and last call of the range that the trace was trimmed to. Of earlier calls, the
     * trace has only those that the range needs. If the trace has all calls, both numbers are 0. */
    uint64_t trimmed_from, trimmed_to;
    /* Bytes of mapped memory that the recorder checked by asking the system, and by hashing. */
    uint64_t looked_asked, looked_hashed;
    uint64_t file_size; /* size of the closed file; 0: not closed, or by an older recorder */
};
_Static_assert(sizeof(struct trace_header) == 2136, "no padding");

enum trace_chunk_state { CHUNK_FREE = 0, CHUNK_OPEN = 1, CHUNK_FULL = 2, CHUNK_STORED = 3 };
enum trace_codec { CODEC_NONE = 0, CODEC_ZSTD = 1 };

enum trace_watch { TRACE_WATCH_HASHING = 0, TRACE_WATCH_USERFAULTFD = 1 };

struct trace_chunk {
    uint32_t magic;
    uint32_t state;
    uint64_t serial; /* number of the chunk, from 1; a slot and the log may have the same */
    uint32_t thread; /* number of the thread that recorded the chunk, from 1 */
    uint32_t codec;
    uint64_t first_call, last_call;
    uint32_t used;   /* size in bytes of the uncompressed records; in an open chunk, changes last */
    uint32_t stored; /* bytes after this header in the log, padded to a multiple of 8 */
    uint64_t hash;   /* XXH64 of the stored bytes, with seed 0; in a slot, 0 */
    uint64_t left;   /* number of the thread's last call that has returned */
};
_Static_assert(sizeof(struct trace_chunk) == 64, "no padding");

enum trace_kind {
    RECORD_ENTER = 1, /* call begins: method = digest; words: object, arguments; then the data */
    /* A call returns: method = digest; words: number of calls that had begun, result, written
       arguments. A call without result and written arguments has no such record. */
    RECORD_LEAVE = 2,
    RECORD_MEMORY = 3,   /* bytes that the program wrote into mapped memory */
    RECORD_CHECK = 4,    /* hash (XXH64) of mapped memory that the program could read */
    RECORD_FENCES = 5,   /* the values that fences have reached */
    RECORD_TEXT = 6,     /* a line for people: which data the recorder left out */
    RECORD_ADDRESS = 7,  /* a new resource's GPU address */
    RECORD_GIVEN = 8,    /* size of the program's memory whose address the next call gets */
    RECORD_VARIABLE = 9, /* an environment variable that the runtime reads: its length, then
                            "NAME=value"; if it is not set, "NAME" */
    RECORD_FILE = 10,    /* the settings file: (enum trace_file << 32 | size), then its bytes */
    RECORD_ADAPTER = 11  /* another library's adapter: its number, its LUID, enum trace_adapter */
};

enum trace_file { TRACE_FILE_ABSENT = 0, TRACE_FILE_PLAIN = 1, TRACE_FILE_OTHER = 2 };
enum trace_adapter { TRACE_ADAPTER_DXGI = 1, TRACE_ADAPTER_DXCORE = 2 };

struct trace_record {
    uint32_t size; /* size of the record with this header in bytes, a multiple of 8 */
    uint32_t kind;
    uint64_t call; /* number of the call, from 1; other records have numbers in the same order */
    /* Digest of "Interface:Method" or "NONE:export"; 0: records of this kind have no method. */
    uint32_t method;
    uint32_t words;
};
_Static_assert(sizeof(struct trace_record) == 24, "no padding");

/* Data of a RECORD_MEMORY: `size` bytes follow, padded. Data of a RECORD_CHECK: `size` bytes of
 * memory have the hash `hash`. */
struct trace_memory {
    uint64_t object;
    uint64_t offset, size; /* offset of the bytes in the mapped subresource, and their number */
    uint64_t hash;         /* XXH64; of a RECORD_MEMORY, or 0 */
    uint32_t subresource, flags;
};
#define TRACE_MEMORY_SHARED 1u /* a flag: the GPU may have written these bytes, too */
_Static_assert(sizeof(struct trace_memory) == 40, "no padding");
