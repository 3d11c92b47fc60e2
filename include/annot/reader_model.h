/*
 * The contents of a dump, and what they prove. It is a part of annot/reader.h, which programs
 * include. It opens a dump and gives its contents by number.
 */
#ifndef ANNOT_READER_MODEL_H
#define ANNOT_READER_MODEL_H

#include "annot.h"
#include "dump.h"
#include "shader.h"

ANNOT_BEGIN_DECLS

typedef struct annot_reader annot_reader;

#define ANNOT_READER_FILE_LIMIT   ((uint64_t)1 << 30)
#define ANNOT_READER_MEMORY_LIMIT ((uint64_t)2 << 30)
#define ANNOT_READER_NONE         0xFFFFFFFFu

typedef struct annot_reader_desc {
    annot_allocator allocator; /* all NULL: malloc's */
    uint64_t file_limit;       /* largest size of a dump in bytes; 0: ANNOT_READER_FILE_LIMIT */
    /* most bytes allocated at one time, with those of the file; 0: ANNOT_READER_MEMORY_LIMIT */
    uint64_t memory_limit;
} annot_reader_desc;

/*
 * Opens a dump. `desc` may be NULL for the defaults.
 *
 * With ANNOT_OK *out is set. With ANNOT_ERROR_INCOMPLETE it is set, too: the dump's writer was
 * stopped before the end, and the written part can be read. After other errors *out is NULL:
 * ANNOT_ERROR_NOT_A_DUMP (also for a later major version), ANNOT_ERROR_TOO_LARGE (past a limit),
 * ANNOT_ERROR_OUT_OF_MEMORY, ANNOT_ERROR_IO (errno has the reason).
 */
ANNOT_INLINE annot_result annot_reader_open_file(const annot_reader_desc *desc, const char *path,
                                                 annot_reader **out);

/* Opens a dump in memory. The caller keeps the memory, and must not change it until the reader is
 * closed. */
ANNOT_INLINE annot_result annot_reader_open_memory(const annot_reader_desc *desc, const void *data,
                                                   size_t size, annot_reader **out);

/* Closes the reader; NULL is allowed. Strings from the reader are valid until this call. */
ANNOT_READER_API void annot_reader_close(annot_reader *reader);

/* ---- words ---- */

/* The words of sentences about a dump: those of D3D12 with a driver, of D3D12 with a layer as the
 * driver, of a DirectX dump file, or of Vulkan with a layer. */
typedef enum annot_voice {
    ANNOT_VOICE_D3D12,
    ANNOT_VOICE_LAYER,
    ANNOT_VOICE_FILE,
    ANNOT_VOICE_VULKAN
} annot_voice;

ANNOT_READER_API annot_voice annot_reader_voice(const annot_reader *reader);

/* The words of the four voices for one thing, in the order of annot_voice. */
#define ANNOT_TERM_list(PICK)      PICK("list", "list", "list", "command buffer")
#define ANNOT_TERM_bundle(PICK)    PICK("bundle", "bundle", "bundle", "secondary")
#define ANNOT_TERM_bundles(PICK)   PICK("bundles", "bundles", "bundles", "secondaries")
#define ANNOT_TERM_marker(PICK)    PICK("marker", "marker", "marker", "label")
#define ANNOT_TERM_begin(PICK)     PICK("BeginEvent", "BeginEvent", "BeginEvent", "label begin")
#define ANNOT_TERM_end(PICK)       PICK("EndEvent", "EndEvent", "EndEvent", "label end")
#define ANNOT_TERM_allocator(PICK) PICK("allocator", "allocator", "allocator", "command pool")
#define ANNOT_TERM_driver(PICK)    PICK("driver", "layer", "file", "layer")
#define ANNOT_TERM_no_words(PICK)                                                                  \
    PICK("the driver returned no report", "the layer has no words", "the file does not tell",      \
         "the layer has no marks")
#define ANNOT_TERM_reorders(PICK)                                                                  \
    PICK("the driver may reorder markers", "the layer may reorder markers",                        \
         "markers may come out of order", "marks may come out of order")

/* The words of one API: ANNOT_IN_VULKAN(list) is the string literal "command buffer". The tables
 * below take one of these four macros as their argument. */
#define ANNOT_IN_D3D12(term)                     ANNOT_TERM_##term(ANNOT_PICK_1)
#define ANNOT_IN_LAYER(term)                     ANNOT_TERM_##term(ANNOT_PICK_2)
#define ANNOT_IN_FILE(term)                      ANNOT_TERM_##term(ANNOT_PICK_3)
#define ANNOT_IN_VULKAN(term)                    ANNOT_TERM_##term(ANNOT_PICK_4)
#define ANNOT_PICK_1(d3d12, layer, file, vulkan) d3d12
#define ANNOT_PICK_2(d3d12, layer, file, vulkan) layer
#define ANNOT_PICK_3(d3d12, layer, file, vulkan) file
#define ANNOT_PICK_4(d3d12, layer, file, vulkan) vulkan

/* ---- damage of the dump, and other findings ---- */

/* FINDING(name, number, class, sentence). A number keeps its meaning for ever. */
#define ANNOT_FINDINGS(FINDING, W)                                                                 \
    FINDING(INCOMPLETE, 1, DAMAGE,                                                                 \
            "the writer was stopped before the end; what it wrote is shown")                       \
    FINDING(HEADER, 2, DAMAGE, "the file header is damaged")                                       \
    FINDING(                                                                                       \
        SECTION_HASH, 3, DAMAGE,                                                                   \
        "a section's bytes were changed; what still parses is shown, states in it are unknown")    \
    FINDING(SECTION_FRAME, 4, DAMAGE, "bytes between sections that belong to none were skipped")   \
    FINDING(SECTION_CUT, 5, DAMAGE, "a section ends before its announced size")                    \
    FINDING(SECTION_MISSING, 6, DAMAGE, "sections are missing")                                    \
    FINDING(SECTION_REPEATED, 7, DAMAGE, "a section came twice; the second was ignored")           \
    FINDING(RECORD_BROKEN, 8, DAMAGE,                                                              \
            "a record reaches past its section; the rest of that section was skipped")             \
    FINDING(RECORD_ORPHAN, 9, DAMAGE, "records whose " W(list) " or queue is lost are not shown")  \
    FINDING(END_MISSING, 10, DAMAGE, "the closing record is missing: the dump's tail is lost")     \
    FINDING(END_MISMATCH, 11, DAMAGE, "the dump holds less or more than its closing record says")  \
    FINDING(PARENT_UNKNOWN, 12, DAMAGE,                                                            \
            "a " W(marker) "'s enclosing scope is not in the dump; the " W(                        \
                marker) " is shown at the outer level")                                            \
    FINDING(SCOPE_ORDER, 13, DAMAGE,                                                               \
            "scopes whose end contradicts the " W(marker) "s behind them")                         \
    FINDING(EVENT_ID_REPEATED, 14, DAMAGE,                                                         \
            "an EventID that two " W(marker) "s claim; neither is trusted")                        \
    FINDING(ID_REPEATED, 15, DAMAGE, "an object or recording that came twice; the first counts")   \
    FINDING(SUBMISSION_ORDER, 16, DAMAGE, "submission serials that do not ascend")                 \
    FINDING(SUBMISSION_CUT, 17, DAMAGE,                                                            \
            "submissions that name fewer " W(list) "s than they announce")                         \
    FINDING(BUNDLE_NESTED, 18, DAMAGE, W(bundles) " inside " W(bundles) " are not expanded")       \
    FINDING(RECORDING_MISSING, 32, NOTE,                                                           \
            "unfinished " W(list) "s whose " W(marker) "s expired (their " W(                      \
                allocator) " was reset) or were not kept")                                         \
    FINDING(NEWER, 33, NOTE, "sections or records of a newer format were skipped")                 \
    FINDING(CRUMBS_UNJOINED, 34, NOTE,                                                             \
            W(list) "s whose " W(                                                                  \
                marker) "s are not all in the dump: breadcrumbs count their operations, and "      \
                        "can't say which " W(marker) "s those are")                                \
    FINDING(SCOPE_EVICTED, 35, NOTE,                                                               \
            W(marker) "s and submissions of queues whose scope made room for newer ones")          \
    FINDING(                                                                                       \
        ROW_CONTRADICTORY, 64, EVIDENCE,                                                           \
        "the " W(driver) "'s report contradicts the recording or itself; it is not trusted there") \
    FINDING(ROW_REPEATED, 65, EVIDENCE,                                                            \
            "the " W(driver) " reported one execution twice; neither row is trusted")              \
    FINDING(ROW_STRAY, 66, EVIDENCE, "the " W(driver) " reported executions that do not exist")    \
    FINDING(HISTORY_UNTRUSTED, 68, EVIDENCE,                                                       \
            "submissions whose times are missing or not believed: they have none in the timeline") \
    FINDING(KERNEL_DRIVER, 69, EVIDENCE,                                                           \
            "the kernel-mode driver broke the rules when it was asked for debug information")      \
    FINDING(WITNESSES_DISAGREE, 67, EVIDENCE,                                                      \
            "fences, breadcrumbs and the " W(                                                      \
                driver) "'s report contradict each other; they are believed "                      \
                        "in this order")

typedef enum annot_finding_class {
    ANNOT_FINDING_DAMAGE = 1, /* the file differs from what its writer wrote */
    ANNOT_FINDING_NOTE = 2,
    ANNOT_FINDING_EVIDENCE = 3 /* the reader does not trust the driver's report */
} annot_finding_class;

#define ANNOT_FINDING_ENUM(name, number, class, text) ANNOT_FINDING_##name = number,
typedef enum annot_finding_kind {
    ANNOT_FINDINGS(ANNOT_FINDING_ENUM, ANNOT_IN_D3D12)
} annot_finding_kind;

/* All findings of one kind, with their count and the place of the first one. */
typedef struct annot_finding {
    annot_finding_kind kind;
    annot_finding_class finding_class;
    const char *name; /* "SECTION_HASH"; static */
    const char *text; /* a sentence in the words of the dump's API; static */
    uint64_t count;
    uint64_t offset; /* offset of the first one in the file */
    uint64_t value;  /* EventID, serial or index of the first one; 0: none */
} annot_finding;

ANNOT_READER_API size_t annot_reader_finding_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_finding(const annot_reader *reader, size_t index,
                                       annot_finding *out);

/* Whether any finding is of class DAMAGE. */
ANNOT_READER_API bool annot_reader_is_damaged(const annot_reader *reader);

/* ---- the dump as a whole ---- */

/* A text is the dump's own bytes: it has no NUL, and may be no valid UTF-8. */
typedef struct annot_text {
    const char *data;
    size_t size;
} annot_text;

typedef struct annot_reader_device {
    uint8_t guid[16];
    uint64_t time;   /* nanoseconds since 1970-01-01 UTC, 0: unknown */
    uint64_t budget; /* bytes, 0: unbounded */
    uint64_t live_bytes;
    uint64_t fault_count;   /* page faults */
    uint64_t fault_address; /* address of the first page fault */
    uint32_t error;         /* annot_device_error of annot/dump.h */
    uint32_t mode;          /* annot_mode */
    uint32_t order_window;  /* annot_crash_report.order_window */
    uint32_t promises;      /* annot_crash_report.promises */
    uint32_t pointer_size;
    bool driver_supported;
    bool has_report;
    bool is_known; /* false: the record is lost, and all members above are zero */
    annot_text application, adapter, driver, reason, writer;
    /* the dump's clock has no date: `time` is 0, and virtual_time has ns of that clock. Older dumps
     * have no such mark; a time before 2000 means such a clock */
    bool has_virtual_clock;
    uint64_t virtual_time;
} annot_reader_device;

ANNOT_INLINE void annot_reader_get_device(const annot_reader *reader, annot_reader_device *out);

/* LOSS(name, number, member in JSON, words for one, words for several): data that the writer left
 * out of the dump. A number keeps its meaning for ever. */
#define ANNOT_LOSSES(LOSS, W)                                                                      \
    LOSS(UNKNOWN, 0, unknown, "loss of a kind that this version does not know",                    \
         "losses of kinds that this version does not know")                                        \
    LOSS(MARKERS, 1, markers_dropped, W(marker) " dropped: budget or memory was exhausted",        \
         W(marker) "s dropped: budget or memory was exhausted")                                    \
    LOSS(BYTES, 2, bytes_dropped, "payload byte dropped with them",                                \
         "payload bytes dropped with them")                                                        \
    LOSS(QUEUE_MARKERS, 3, queue_markers_evicted,                                                  \
         "completed queue " W(marker) " evicted to make room",                                     \
         "completed queue " W(marker) "s evicted to make room")                                    \
    LOSS(SUBMISSIONS, 4, submissions_dropped, "submission not recorded for lack of memory",        \
         "submissions not recorded for lack of memory")                                            \
    LOSS(LOCKED_ARENAS, 5, arenas_locked, W(allocator) " left out because it was being changed",   \
         W(allocator) "s left out because they were being changed")                                \
    LOSS(LOCKED_NAMES, 6, names_locked,                                                            \
         "list of objects or queues left out because it was being changed",                        \
         "lists of objects or queues left out because they were being changed")                    \
    LOSS(PROGRESS_ROWS, 7, stray_progress_rows, W(driver) " row of no known queue",                \
         W(driver) " rows of no known queue")                                                      \
    LOSS(FORGOTTEN_NAMES, 8, names_forgotten, "name of a destroyed object forgotten",              \
         "names of destroyed objects forgotten")                                                   \
    LOSS(EVICTED_SUBMISSIONS, 9, submissions_evicted, "completed submission evicted to make room", \
         "completed submissions evicted to make room")                                             \
    LOSS(UNREADABLE, 10, evidence_unreadable,                                                      \
         "part of the " W(driver) "'s report that could not be read",                              \
         "parts of the " W(driver) "'s report that could not be read")                             \
    LOSS(PROGRESS_CUT, 11, progress_rows_cut,                                                      \
         "execution in flight that had no room in the report",                                     \
         "executions in flight that had no room in the report")                                    \
    LOSS(FINDINGS_CUT, 12, findings_cut,                                                           \
         "finding about the failure (fact, breadcrumbs, fault address) that had no room",          \
         "findings about the failure (facts, breadcrumbs, fault addresses) that had no room")      \
    LOSS(OPERATIONS, 13, operations_dropped, "operation not recorded for lack of memory",          \
         "operations not recorded for lack of memory")                                             \
    LOSS(UNTOLD, 14, work_untold, "file that does not tell what the queues did",                   \
         "files that do not tell what the queues did")

#define ANNOT_LOSS_ENUM(name, number, member, one, many) ANNOT_LOSS_##name = number,
typedef enum annot_loss { ANNOT_LOSSES(ANNOT_LOSS_ENUM, ANNOT_IN_D3D12) } annot_loss;

/* How much of this kind was lost, by the dump. ANNOT_LOSS_UNKNOWN: the sum of all kinds of newer
 * formats. 0 for a number without a name. */
ANNOT_READER_API uint64_t annot_reader_loss(const annot_reader *reader,
                                            uint32_t loss /* annot_loss */);

typedef struct annot_reader_object {
    uint64_t id;
    uint64_t handle;
    uint32_t type;      /* annot_object_type; never 0 */
    uint32_t kind;      /* the API's own number */
    uint32_t list_type; /* D3D12_COMMAND_LIST_TYPE of queues and lists */
    bool is_destroyed, is_named, is_retail;
    bool is_name_cut;
    annot_text name;
    annot_text kind_name; /* the API's name of `kind`; empty: the dump doesn't have it */
} annot_reader_object;

ANNOT_READER_API size_t annot_reader_object_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_object_at(const annot_reader *reader, size_t index,
                                         annot_reader_object *out);
/* Finds an object by its identity. */
ANNOT_INLINE bool annot_reader_object_find(const annot_reader *reader, uint64_t id,
                                           annot_reader_object *out);

/* A shader of a pipeline, as annot_object_add_shader got it. */
typedef struct annot_reader_shader {
    uint64_t object; /* the pipeline's identity */
    uint64_t xxh3;
    uint32_t form;  /* annot_shader_form */
    uint32_t stage; /* annot_shader_stage */
    uint32_t flags; /* annot_shader_flags */
    bool is_name_cut;
    uint8_t digest[ANNOT_SHADER_DIGEST_SIZE], hash[ANNOT_SHADER_DIGEST_SIZE];
    annot_text debug_name;
} annot_reader_shader;

ANNOT_READER_API size_t annot_reader_shader_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_shader_at(const annot_reader *reader, size_t index,
                                         annot_reader_shader *out);
/* Gets the object's shader number `index`, from 0, in the order in which shaders were added. */
ANNOT_INLINE bool annot_reader_shader_of(const annot_reader *reader, uint64_t object,
                                         uint32_t index, annot_reader_shader *out);

/* The description of the object, a buffer or texture. False means that the dump doesn't have it. */
ANNOT_INLINE bool annot_reader_resource_of(const annot_reader *reader, uint64_t object,
                                           annot_resource *out);
/* The name of a DXGI_FORMAT: "D32_FLOAT" for 40; NULL for a number without a name. Static. */
ANNOT_READER_API const char *annot_dxgi_format_text(uint32_t format);

/* The hash that names the shader in reports, in hexadecimal digits: the first known of the
 * container's hash, its digest, and XXH3 of its bytes. The text has at most 33 bytes with its NUL.
 * Returns its length. */
ANNOT_READER_API size_t annot_reader_shader_hash(const annot_reader_shader *shader, char *buffer,
                                                 size_t capacity);

typedef enum annot_fact_source {
    ANNOT_FACT_DEVICE = 1, /* annot_device_set_fact */
    ANNOT_FACT_DUMP = 2,   /* annot_dump_info.facts */
    ANNOT_FACT_LIBRARY = 3 /* the library, about the process and its system */
} annot_fact_source;

typedef struct annot_reader_fact {
    uint32_t source; /* annot_fact_source */
    annot_text key, value;
} annot_reader_fact;

/* The word for a source in JSON: "device", "dump", "library" or "unknown". Static. */
ANNOT_READER_API const char *annot_fact_source_text(uint32_t source);

ANNOT_READER_API size_t annot_reader_fact_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_fact_at(const annot_reader *reader, size_t index,
                                       annot_reader_fact *out);

typedef struct annot_reader_blob {
    uint32_t kind; /* annot_blob_kind */
    uint32_t index;
    uint64_t metadata;
    uint64_t size; /* size of the whole blob; the dump may hold less of it */
} annot_reader_blob;

/* The word for a kind of blob in JSON: "driver", "kernel", "application", "kernel-mode driver" or
 * "unknown". Static. */
ANNOT_READER_API const char *annot_blob_kind_text(uint32_t kind);

ANNOT_READER_API size_t annot_reader_blob_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_blob_at(const annot_reader *reader, size_t index,
                                       annot_reader_blob *out);
/* Copies the blob's bytes from `offset` on; bytes that the dump lacks are zeros. Returns how many
 * bytes were stored; at the blob's end they are fewer than `capacity`. O(pieces of the blob). */
ANNOT_READER_API size_t annot_reader_blob_read(const annot_reader *reader, size_t index,
                                               uint64_t offset, void *buffer, size_t capacity);

/* ---- what was recorded ---- */

typedef struct annot_reader_stream {
    uint64_t object;    /* the command list or queue */
    uint64_t recording; /* identity of the recording; 0 for a queue */
    uint64_t dropped;   /* markers that were not retained */
    uint64_t submitted; /* queue: serial of the last submission */
    uint64_t completed; /* queue: the last serial that the fence proves */
    /* list: number of the call that began the recording (annot_set_call_counter); 0: not known */
    uint64_t call;
    /* list: the system's number of the thread that began the recording; 0: not known */
    uint32_t thread;
    uint32_t first_entry, entry_count;
    uint32_t marker_count; /* how many of the entries are BeginEvents and SetMarkers */
    uint32_t unclosed;     /* scopes never closed in this stream */
    uint32_t surplus_ends; /* EndEvents without a scope in this stream */
    /* of a list: how often it was executed; of a queue: executions on it */
    uint32_t execution_count;
    bool is_queue;
    bool is_open;    /* the list was still recording when the dump was taken */
    bool is_damaged; /* some of its data came from a damaged section */
    /* list: its name when the recording was closed; queue: its name at its last submission */
    annot_text name;
    bool has_name; /* the dump has `name`, which may be empty; false: use the object's name */
} annot_reader_stream;

ANNOT_READER_API size_t annot_reader_stream_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_stream_at(const annot_reader *reader, uint32_t stream,
                                         annot_reader_stream *out);

typedef enum annot_entry_kind {
    ANNOT_ENTRY_BEGIN = 1,
    ANNOT_ENTRY_SET = 2,
    ANNOT_ENTRY_SURPLUS_END = 3,
    ANNOT_ENTRY_BUNDLE = 4,    /* ExecuteBundle */
    ANNOT_ENTRY_SUBMISSION = 5 /* ExecuteCommandLists, on a queue */
} annot_entry_kind;

/* The origin of a marker's payload. */
typedef enum annot_payload {
    ANNOT_PAYLOAD_COPIED = 0, /* when it was recorded */
    ANNOT_PAYLOAD_REFERENCED =
        1,                     /* read for the dump, and equal to the recorded one [ANN-LIFE-08] */
    ANNOT_PAYLOAD_CHANGED = 2, /* read for the dump, but changed since it was recorded */
    ANNOT_PAYLOAD_UNREADABLE = 3 /* its memory was gone when the dump was written */
} annot_payload;

typedef struct annot_reader_entry {
    annot_entry_kind kind;
    uint64_t event_id; /* BEGIN and SET */
    uint32_t stream;
    uint32_t parent; /* entry of the enclosing scope or ANNOT_READER_NONE */
    uint32_t last;   /* last entry inside this scope; the entry itself when there is none */
    uint32_t depth;  /* enclosing scopes */
    /* BUNDLE: stream of the bundle, SUBMISSION: the submission; or ANNOT_READER_NONE */
    uint32_t link;
    uint32_t ordinal; /* BUNDLE: its number in the list, from 1 */
    uint32_t metadata;
    uint32_t size; /* bytes of the payload as the application passed it */
    const void *data;
    uint32_t stored; /* how many of these bytes the dump has */
    annot_payload payload;
    bool is_closed;
    annot_text bundle_name; /* BUNDLE: its name at its execution; empty: none [ANN-TRUTH-03] */
    bool is_bundle_name_cut;
} annot_reader_entry;

ANNOT_INLINE bool annot_reader_entry_at(const annot_reader *reader, uint32_t entry,
                                        annot_reader_entry *out);

/* The entry with this EventID, or ANNOT_READER_NONE. O(log n). */
ANNOT_READER_API uint32_t annot_reader_entry_find(const annot_reader *reader, uint64_t event_id);

/* The marker's name, decoded from its payload, as valid UTF-8 with a NUL. Control characters are
 * escaped: \n, \x1b, \u202e. A name that doesn't fit is cut at a character's border. Returns the
 * bytes stored, without the NUL. Never empty for BEGIN and SET: a marker without a name is called
 * "(no name)". */
ANNOT_READER_API size_t annot_reader_entry_name(const annot_reader *reader, uint32_t entry,
                                                char *buffer, size_t capacity);

/* ---- the states of executions and markers ---- */

typedef enum annot_state {
    ANNOT_STATE_UNKNOWN = 0,
    ANNOT_STATE_NOT_STARTED = 1,
    ANNOT_STATE_IN_PROGRESS = 2,
    ANNOT_STATE_FINISHED = 3,
    ANNOT_STATE_NOT_EXECUTED = 4 /* done by its fence, but the driver did not let it execute */
} annot_state;

/* EVIDENCE(name, number, sentence): the evidence of a state, or why the state is unknown. */
#define ANNOT_EVIDENCES(EVIDENCE, W)                                                               \
    EVIDENCE(NONE, 0, "nothing says what became of it")                                            \
    EVIDENCE(FENCE, 1, "the queue completed it")                                                   \
    EVIDENCE(DRIVER, 2, "the " W(driver) "'s report")                                              \
    EVIDENCE(BEHIND, 4, "inferred: an earlier " W(list) " of this queue has not started")          \
    EVIDENCE(ENCLOSING, 5, "inferred: the " W(list) " around it")                                  \
    EVIDENCE(LATER_FINISHED, 6, "inferred: a later " W(list) " of this queue is finished")         \
    EVIDENCE(BETWEEN, 7, "inferred: it has started, and an earlier " W(list) " is unfinished")     \
    EVIDENCE(SURROUNDED, 8, "inferred: the " W(list) "s that it surrounds or lies between")        \
    EVIDENCE(CRUMBS, 9, "the runtime's breadcrumbs")                                               \
    EVIDENCE(NULL_RENDERING, 10, "the " W(driver) " submitted it with NullRendering")              \
    EVIDENCE(NO_REPORT, 16, W(no_words))                                                           \
    EVIDENCE(NO_ROW, 17, "the " W(driver) "'s report does not mention it")                         \
    EVIDENCE(UNDECIDED, 18, "the " W(driver) " could not tell")                                    \
    EVIDENCE(CONTRADICTORY, 19, "the " W(driver) "'s report contradicts itself here")              \
    EVIDENCE(DAMAGED, 20, "this part of the dump is damaged")                                      \
    EVIDENCE(DROPPED, 21, "the " W(marker) " that the " W(driver) " names was not retained")       \
    EVIDENCE(REORDERED, 22, W(reorders))                                                           \
    EVIDENCE(NOT_TRACKED, 23, "the " W(driver) " does not track it")                               \
    EVIDENCE(NO_MARKER, 24, "it started, and no " W(marker) " inside it is known")                 \
    EVIDENCE(UNJOINED, 25, "its " W(marker) "s can't be counted against the breadcrumbs")

#define ANNOT_EVIDENCE_ENUM(name, number, text) ANNOT_EVIDENCE_##name = number,
typedef enum annot_evidence { ANNOT_EVIDENCES(ANNOT_EVIDENCE_ENUM, ANNOT_IN_D3D12) } annot_evidence;

ANNOT_READER_API const char *annot_state_text(annot_state state); /* "in progress"; static */
/* The sentence in the words of the dump's API, or in D3D12's words if `reader` is NULL. Static; ""
 * for a number without a name. */
ANNOT_READER_API const char *annot_evidence_text(const annot_reader *reader,
                                                 annot_evidence evidence);

typedef struct annot_reader_submission {
    uint32_t queue; /* stream */
    uint32_t entry; /* index of its entry among the queue's markers */
    uint64_t serial;
    uint32_t first_execution, execution_count;
    annot_state state;
    annot_text queue_name; /* the queue's name at this submission; empty: none [ANN-TRUTH-03] */
    bool is_queue_name_cut;
} annot_reader_submission;

ANNOT_READER_API size_t annot_reader_submission_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_submission_at(const annot_reader *reader, uint32_t submission,
                                             annot_reader_submission *out);

typedef struct annot_reader_execution {
    uint32_t queue; /* stream */
    uint32_t submission;
    uint32_t list;    /* index in the submission, from 0 */
    uint32_t stream;  /* the executed recording; ANNOT_READER_NONE: not in the dump */
    uint64_t object;  /* the command list */
    uint64_t started; /* EventIDs as the driver reported them; 0: none */
    uint64_t completed;
    annot_state state;
    annot_evidence evidence;
    annot_text name; /* the command list's name when it was submitted; empty: none [ANN-TRUTH-03] */
    bool is_name_cut;
} annot_reader_execution;

ANNOT_READER_API size_t annot_reader_execution_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_execution_at(const annot_reader *reader, uint32_t execution,
                                            annot_reader_execution *out);

/* The state of an entry. `bundle`: ANNOT_READER_NONE for an entry of the execution's own stream, or
 * the list's BUNDLE entry for an entry of that bundle [ANN-CRASH-01, -05]. Entries of other streams
 * are UNKNOWN. A scope that a later list closes is in progress until then, even if its own list is
 * finished [ANN-CRASH-06]. */
ANNOT_READER_API annot_state annot_reader_state(const annot_reader *reader, uint32_t execution,
                                                uint32_t bundle, uint32_t entry,
                                                annot_evidence *evidence /* may be NULL */);

/* The state of a queue's own marker or submission. */
ANNOT_READER_API annot_state annot_reader_queue_state(const annot_reader *reader, uint32_t entry,
                                                      annot_evidence *evidence /* may be NULL */);

/* ---- breadcrumbs: the runtime's own evidence [ANN-DRED, ANN-JOIN] ---- */

typedef struct annot_reader_crumbs {
    uint32_t queue;     /* stream, or ANNOT_READER_NONE */
    uint32_t execution; /* execution of a list that the dump has, or ANNOT_READER_NONE */
    uint64_t submission;
    uint32_t list;
    uint32_t bundle; /* 0: the list itself; n: its n-th ExecuteBundle */
    uint32_t count;  /* operations recorded */
    uint32_t
        done; /* operations that the GPU has done; 0xFFFFFFFF: it never reached the execution */
    bool is_markers_only;
    bool is_joined;        /* its markers were matched with its operations */
    bool is_disputed;      /* other evidence contradicts it and claims: */
    annot_state overruled; /* ... this state */
    /* The state of the whole execution by breadcrumbs alone. If all operations are done but not the
     * end, the state is unknown or in progress, because more work may be left that no breadcrumb
     * counts. */
    annot_state state;
} annot_reader_crumbs;

ANNOT_READER_API size_t annot_reader_crumbs_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_crumbs_at(const annot_reader *reader, size_t index,
                                         annot_reader_crumbs *out);

/* D3D12_AUTO_BREADCRUMB_OP of one of its operations, or ANNOT_READER_NONE: only the last 65,536 are
 * kept. */
ANNOT_READER_API uint32_t annot_reader_op(const annot_reader *reader, size_t crumbs,
                                          uint32_t number);

/* The name of an operation: "Dispatch", "CopyResource"; "operation" without a name. Static. */
ANNOT_READER_API const char *annot_op_text(uint32_t op);

/* The kernel-mode driver's answers when the device was removed [ANN-TDR]. */
typedef struct annot_reader_tdr {
    uint64_t queue, context;                 /* objects; 0: none */
    uint64_t last_completed, last_submitted; /* fence IDs */
    uint64_t time;                           /* ns that the driver's function took */
    uint32_t type;                           /* DXGK_TDR_TYPE */
    uint32_t reason, ddi;
    int32_t status;
    uint32_t bucketing_key, dma_offset;
    uint32_t node;  /* 0xFFFFFFFF: none */
    uint32_t flags; /* annot_tdr_flags */
    uint32_t payload_size;
    const uint8_t *payload, *returned; /* payload_size bytes each */
} annot_reader_tdr;

/* Gets these answers. False means that the dump has none. */
ANNOT_READER_API bool annot_reader_get_tdr(const annot_reader *reader, annot_reader_tdr *out);

/* The name of a type: "ENGINE_TIMEOUT" for 6; "UNKNOWN" without a name. Static. */
ANNOT_READER_API const char *annot_tdr_type_text(uint32_t type);

/* The objects that have the addresses around a page fault. */
typedef struct annot_reader_range {
    uint64_t address,
        size; /* size in bytes; 0: not known, but the faulting address is in the range */
    uint64_t object;
    uint64_t freed_before; /* ns from the object's destruction to the error, if is_freed is true */
    uint32_t kind;         /* D3D12DDI_HANDLETYPE */
    bool is_freed;
} annot_reader_range;

ANNOT_READER_API size_t annot_reader_range_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_range_at(const annot_reader *reader, size_t index,
                                        annot_reader_range *out);

typedef enum annot_queue_verdict {
    ANNOT_QUEUE_IDLE = 0,    /* everything submitted is finished */
    ANNOT_QUEUE_WAITING = 1, /* it waits for its turn or a fence, and is not the cause */
    ANNOT_QUEUE_STOPPED = 2, /* work is in progress: after a hang, a suspect */
    ANNOT_QUEUE_UNKNOWN = 3
} annot_queue_verdict;

ANNOT_READER_API annot_queue_verdict annot_reader_queue_verdict(const annot_reader *reader,
                                                                uint32_t stream);

/* A place where work is in progress. There is one for each execution in progress, and one for each
 * queue that stopped between two lists of one submission. Stops of a queue that the kernel or its
 * driver calls guilty come first. */
typedef struct annot_reader_stop {
    uint32_t queue; /* stream */
    uint32_t submission;
    uint32_t execution; /* the execution in progress; if is_between, the next execution, which has
                           not started */
    uint32_t entry;  /* innermost scope in progress in the list; ANNOT_READER_NONE: no marker is */
    uint32_t bundle; /* the BUNDLE entry in progress, or ANNOT_READER_NONE */
    uint32_t bundle_entry; /* innermost scope in progress in the bundle, or ANNOT_READER_NONE */
    uint32_t started; /* the last entry that started, by the driver's report; in the bundle if there
                         is one */
    uint32_t
        completed;   /* the last entry that completed, by the driver's report, in the same stream */
    uint32_t oldest; /* the oldest unfinished scope of the list if the GPU's front end has already
                        left it, so that the cause may be anywhere between it and `entry`; or
                        ANNOT_READER_NONE */
    uint32_t suspect; /* the oldest execution of this queue that may be unfinished; `execution` if
                         every earlier one is finished */
    bool is_between;
    bool is_guilty; /* the kernel-mode driver, or otherwise the kernel, blames its queue [ANN-TDR]
                     */
} annot_reader_stop;

ANNOT_READER_API size_t annot_reader_stop_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_stop_at(const annot_reader *reader, size_t index,
                                       annot_reader_stop *out);

/* The path as one line of UTF-8, outermost first: "Frame 7 / Shadow pass / Cascade 2". Signatures
 * use this place (annot/fleet.h). Breadcrumbs are believed before the driver; without breadcrumbs
 * the oldest unfinished scope is used. The queue's scopes and scopes of earlier lists come first
 * [ANN-CRASH-06]. The text has a NUL, and is cut at a character's border. A path of more than 64
 * scopes is shortened in the middle, with a count. Returns the bytes stored; 0 means that no marker
 * is in progress. */
ANNOT_READER_API size_t annot_reader_stop_path(const annot_reader *reader, size_t index,
                                               char *buffer, size_t capacity);

/* ---- breadcrumbs ---- */

/* An operation that annot_context_note_operation noted on a list. */
typedef struct annot_reader_operation {
    uint32_t kind;   /* D3D12_AUTO_BREADCRUMB_OP */
    uint32_t number; /* the operation's number in its recording, from 0 */
    uint32_t argument_count, object_count;
    uint32_t stream; /* the recording */
    uint32_t crumbs; /* breadcrumbs that count this operation, or ANNOT_READER_NONE */
    uint64_t scope;  /* EventID of the scope that it was recorded in; 0: none */
    int64_t arguments[ANNOT_OPERATION_ARGUMENTS];
    annot_bound_object objects[ANNOT_OPERATION_OBJECTS];
    bool is_only;    /* without breadcrumbs: its scope has no other operation */
    uint32_t before; /* the first entry of its stream after it, or the stream's end; only
                        annot_reader_operation_at sets it */
    uint64_t parts[ANNOT_OPERATION_OBJECTS]; /* ANNOT_PART of each object; 0: the whole object */
} annot_reader_operation;

/* How many operations were noted in the recording `stream`. */
ANNOT_READER_API size_t annot_reader_operation_count(const annot_reader *reader, uint32_t stream);
ANNOT_INLINE bool annot_reader_operation_at(const annot_reader *reader, uint32_t stream,
                                            size_t index, annot_reader_operation *out);

/* How far the GPU got with an operation, by breadcrumbs, or otherwise by the state of its scope.
 * NOT_DONE doesn't mean that the operation has begun, because a GPU works on several at once. */
typedef enum annot_operation_state {
    ANNOT_OPERATION_UNKNOWN = 0,
    ANNOT_OPERATION_DONE = 1,
    ANNOT_OPERATION_STOPPED = 2, /* the oldest operation in progress that is not done */
    ANNOT_OPERATION_NOT_DONE = 3
} annot_operation_state;

/* The state of an operation. `bundle`: ANNOT_READER_NONE for an operation of the execution's own
 * recording, or the list's BUNDLE entry for an operation of that bundle. */
ANNOT_READER_API annot_operation_state
annot_reader_operation_state(const annot_reader *reader, uint32_t execution, uint32_t bundle,
                             const annot_reader_operation *operation);
/* "done", "not done"; static. */
ANNOT_READER_API const char *annot_operation_state_text(annot_operation_state state);

/* Gets the operation of a stop: the oldest one that is not done, of the list or of the bundle that
 * the list executes. Without breadcrumbs it gets the last operation that was noted in the innermost
 * scope in progress. This one is certain only with is_only; else it is one of several. False means
 * that no operation was noted, or the evidence is too weak [ANN-OP-01]. */
ANNOT_INLINE bool annot_reader_stop_operation(const annot_reader *reader, size_t index,
                                              annot_reader_operation *out);

/* The operation as text: "Dispatch(128, 1, 1)", with a NUL, cut if it doesn't fit. Returns the
 * bytes stored. */
ANNOT_READER_API size_t annot_reader_operation_text(const annot_reader_operation *operation,
                                                    char *buffer, size_t capacity);

/* The operation with its pipeline and shaders: `Dispatch(128, 1, 1) with "Spin" (cs 3fa91c2d)`. */
ANNOT_READER_API size_t annot_reader_operation_line(const annot_reader *reader,
                                                    const annot_reader_operation *operation,
                                                    char *buffer, size_t capacity);

/* The word for a role: "pipeline" for ANNOT_BOUND_PIPELINE; "object" without a name. Static. */
ANNOT_READER_API const char *annot_bound_role_text(uint32_t role);

/* The call that leaves a breadcrumb of this D3D12_AUTO_BREADCRUMB_OP: "DrawInstanced" for 3. NULL
 * for unknown numbers. */
ANNOT_READER_API const char *annot_breadcrumb_op_text(uint32_t op);

/* ---- the exported forms; each takes the sizes of its structs, so that structs can grow ---- */

ANNOT_READER_API annot_result annot_reader_open_file_sized(const annot_reader_desc *desc,
                                                           size_t desc_size, const char *path,
                                                           annot_reader **out);
ANNOT_INLINE annot_result annot_reader_open_file(const annot_reader_desc *desc, const char *path,
                                                 annot_reader **out)
{
    return annot_reader_open_file_sized(desc, sizeof *desc, path, out);
}

ANNOT_READER_API annot_result annot_reader_open_memory_sized(const annot_reader_desc *desc,
                                                             size_t desc_size, const void *data,
                                                             size_t size, annot_reader **out);
ANNOT_INLINE annot_result annot_reader_open_memory(const annot_reader_desc *desc, const void *data,
                                                   size_t size, annot_reader **out)
{
    return annot_reader_open_memory_sized(desc, sizeof *desc, data, size, out);
}

ANNOT_READER_API void annot_reader_get_device_sized(const annot_reader *reader,
                                                    annot_reader_device *out, size_t out_size);
ANNOT_INLINE void annot_reader_get_device(const annot_reader *reader, annot_reader_device *out)
{
    annot_reader_get_device_sized(reader, out, sizeof *out);
}

ANNOT_READER_API bool annot_reader_shader_of_sized(const annot_reader *reader, uint64_t object,
                                                   uint32_t index, annot_reader_shader *out,
                                                   size_t out_size);
ANNOT_INLINE bool annot_reader_shader_of(const annot_reader *reader, uint64_t object,
                                         uint32_t index, annot_reader_shader *out)
{
    return annot_reader_shader_of_sized(reader, object, index, out, sizeof *out);
}

ANNOT_READER_API bool annot_reader_operation_at_sized(const annot_reader *reader, uint32_t stream,
                                                      size_t index, annot_reader_operation *out,
                                                      size_t out_size);
ANNOT_INLINE bool annot_reader_operation_at(const annot_reader *reader, uint32_t stream,
                                            size_t index, annot_reader_operation *out)
{
    return annot_reader_operation_at_sized(reader, stream, index, out, sizeof *out);
}

#define ANNOT_READER_SIZED(function, number, type)                                                 \
    ANNOT_READER_API bool function##_sized(const annot_reader *reader, number at, type *out,       \
                                           size_t out_size);                                       \
    ANNOT_INLINE bool function(const annot_reader *reader, number at, type *out)                   \
    {                                                                                              \
        return function##_sized(reader, at, out, sizeof *out);                                     \
    }
ANNOT_READER_SIZED(annot_reader_finding, size_t, annot_finding)
ANNOT_READER_SIZED(annot_reader_object_at, size_t, annot_reader_object)
ANNOT_READER_SIZED(annot_reader_object_find, uint64_t, annot_reader_object)
ANNOT_READER_SIZED(annot_reader_fact_at, size_t, annot_reader_fact)
ANNOT_READER_SIZED(annot_reader_blob_at, size_t, annot_reader_blob)
ANNOT_READER_SIZED(annot_reader_stream_at, uint32_t, annot_reader_stream)
ANNOT_READER_SIZED(annot_reader_entry_at, uint32_t, annot_reader_entry)
ANNOT_READER_SIZED(annot_reader_submission_at, uint32_t, annot_reader_submission)
ANNOT_READER_SIZED(annot_reader_execution_at, uint32_t, annot_reader_execution)
ANNOT_READER_SIZED(annot_reader_crumbs_at, size_t, annot_reader_crumbs)
ANNOT_READER_SIZED(annot_reader_shader_at, size_t, annot_reader_shader)
ANNOT_READER_SIZED(annot_reader_resource_of, uint64_t, annot_resource)
ANNOT_READER_SIZED(annot_reader_stop_operation, size_t, annot_reader_operation)
ANNOT_READER_SIZED(annot_reader_range_at, size_t, annot_reader_range)
ANNOT_READER_SIZED(annot_reader_stop_at, size_t, annot_reader_stop)
#undef ANNOT_READER_SIZED

ANNOT_END_DECLS

#endif
