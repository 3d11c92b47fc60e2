/*
 * Opens a dump, returns the dump's contents by number, and tells what the contents prove. Programs
 * include annot/reader.h, which includes this header.
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
    /* The limit in bytes of all memory that the reader uses, including the file's bytes. 0:
     * ANNOT_READER_MEMORY_LIMIT. */
    uint64_t memory_limit;
} annot_reader_desc;

/*
 * Opens a dump. `desc` may be NULL for the defaults.
 *
 * The call sets *out if the result is ANNOT_OK or ANNOT_ERROR_INCOMPLETE. ANNOT_ERROR_INCOMPLETE
 * means that the dump's writer was stopped before the end; the written part can be read. After
 * other errors *out is NULL: ANNOT_ERROR_NOT_A_DUMP (also for a later major version),
 * ANNOT_ERROR_TOO_LARGE (a limit of `desc` is exceeded), ANNOT_ERROR_OUT_OF_MEMORY, ANNOT_ERROR_IO
 * (errno has the reason).
 */
ANNOT_INLINE annot_result annot_reader_open_file(const annot_reader_desc *desc, const char *path,
                                                 annot_reader **out);

/* Opens a dump in memory. The caller keeps the memory unchanged until the reader is closed. */
ANNOT_INLINE annot_result annot_reader_open_memory(const annot_reader_desc *desc, const void *data,
                                                   size_t size, annot_reader **out);

/* Closes the reader; NULL is allowed. Strings from the reader are valid until this call. */
ANNOT_READER_API void annot_reader_close(annot_reader *reader);

/* ---- words ---- */

/* The vocabulary of reports: of D3D12 with a driver, of D3D12 with a layer as the driver, of a
 * DirectX dump file, or of Vulkan with a layer. */
typedef enum annot_voice {
    ANNOT_VOICE_D3D12,
    ANNOT_VOICE_LAYER,
    ANNOT_VOICE_FILE,
    ANNOT_VOICE_VULKAN
} annot_voice;

ANNOT_READER_API annot_voice annot_reader_voice(const annot_reader *reader);

/* One thing in four vocabularies (the values of annot_voice, in this order). */
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

/* Each macro gives the word of one vocabulary: ANNOT_IN_VULKAN(list) is the string literal "command
 * buffer". Tables of sentences (ANNOT_FINDINGS) take one of these macros as an argument. */
#define ANNOT_IN_D3D12(term)                     ANNOT_TERM_##term(ANNOT_PICK_1)
#define ANNOT_IN_LAYER(term)                     ANNOT_TERM_##term(ANNOT_PICK_2)
#define ANNOT_IN_FILE(term)                      ANNOT_TERM_##term(ANNOT_PICK_3)
#define ANNOT_IN_VULKAN(term)                    ANNOT_TERM_##term(ANNOT_PICK_4)
#define ANNOT_PICK_1(d3d12, layer, file, vulkan) d3d12
#define ANNOT_PICK_2(d3d12, layer, file, vulkan) layer
#define ANNOT_PICK_3(d3d12, layer, file, vulkan) file
#define ANNOT_PICK_4(d3d12, layer, file, vulkan) vulkan

/* ---- damage of the dump, and other findings ---- */

/* Calls FINDING(name, number, class, sentence) for each kind of finding. Numbers never change. */
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
    ANNOT_FINDING_DAMAGE = 1, /* bytes of the dump have changed since they were written */
    ANNOT_FINDING_NOTE = 2,
    ANNOT_FINDING_EVIDENCE = 3 /* the reader does not believe the driver's report */
} annot_finding_class;

#define ANNOT_FINDING_ENUM(name, number, class, text) ANNOT_FINDING_##name = number,
typedef enum annot_finding_kind {
    ANNOT_FINDINGS(ANNOT_FINDING_ENUM, ANNOT_IN_D3D12)
} annot_finding_kind;

/* All findings of one kind: their count, and the place of the first finding. */
typedef struct annot_finding {
    annot_finding_kind kind;
    annot_finding_class finding_class;
    const char *name; /* "SECTION_HASH"; static */
    const char *text; /* a sentence in the words of the dump's API; the text is static */
    uint64_t count;
    uint64_t offset; /* offset of the first finding in the file */
    uint64_t value;  /* EventID, serial or index in the first finding; 0: none of these */
} annot_finding;

ANNOT_READER_API size_t annot_reader_finding_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_finding(const annot_reader *reader, size_t index,
                                       annot_finding *out);

/* Returns true if the dump has a finding of class DAMAGE. */
ANNOT_READER_API bool annot_reader_is_damaged(const annot_reader *reader);

/* ---- the dump as a whole ---- */

/* A text in the dump's bytes, which has no NUL and may be invalid UTF-8. */
typedef struct annot_text {
    const char *data;
    size_t size;
} annot_text;

typedef struct annot_reader_device {
    uint8_t guid[16];
    uint64_t time;   /* the dump's time in ns since 1970-01-01 UTC; 0: not known */
    uint64_t budget; /* bytes, 0: unbounded */
    uint64_t live_bytes;
    uint64_t fault_count;   /* page faults */
    uint64_t fault_address; /* faulting address of the first page fault */
    uint32_t error;         /* annot_device_error of annot/dump.h */
    uint32_t mode;          /* annot_mode */
    uint32_t order_window;  /* annot_crash_report.order_window */
    uint32_t promises;      /* annot_crash_report.promises */
    uint32_t pointer_size;
    bool driver_supported;
    bool has_report;
    bool is_known; /* false: the dump lost these data, and the members before this one are 0 */
    annot_text application, adapter, driver, reason, writer;
    /* True: the dump's clock has no date, `time` is 0, and virtual_time has nanoseconds of this
     * clock. Older dumps lack this mark; their clock has no date if the time is before 2000. */
    bool has_virtual_clock;
    uint64_t virtual_time;
} annot_reader_device;

ANNOT_INLINE void annot_reader_get_device(const annot_reader *reader, annot_reader_device *out);

/* Calls LOSS(name, number, member in JSON, words for one loss, words for several losses) for each
 * kind of data that a writer can leave out of a dump. A number never changes its meaning. */
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

/* Returns how much data of a kind the dump lost. ANNOT_LOSS_UNKNOWN gives the sum of all kinds that
 * newer formats added. An unknown number gives 0. */
ANNOT_READER_API uint64_t annot_reader_loss(const annot_reader *reader,
                                            uint32_t loss /* annot_loss */);

typedef struct annot_reader_object {
    uint64_t id;
    uint64_t handle;
    uint32_t type;      /* annot_object_type; never 0 */
    uint32_t kind;      /* number of the object's kind in the API */
    uint32_t list_type; /* D3D12_COMMAND_LIST_TYPE of a queue or list */
    bool is_destroyed, is_named, is_retail;
    bool is_name_cut;
    annot_text name;
    annot_text kind_name; /* name of `kind` in the API; empty: the dump lacks it */
    /* The described buffer or texture was made, and its memory ended, before these submissions of
     * the device, counted from 1. 0: not known; `destroyed` is also 0 while the memory exists. */
    uint64_t made, destroyed;
} annot_reader_object;

ANNOT_READER_API size_t annot_reader_object_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_object_at(const annot_reader *reader, size_t index,
                                         annot_reader_object *out);
/* Finds an object by its identity. */
ANNOT_INLINE bool annot_reader_object_find(const annot_reader *reader, uint64_t id,
                                           annot_reader_object *out);

/* A shader of a pipeline. The members are as the caller gave them to annot_object_add_shader. */
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
/* Gets the object's shader number `index`, from 0, in the order in which the shaders were added. */
ANNOT_INLINE bool annot_reader_shader_of(const annot_reader *reader, uint64_t object,
                                         uint32_t index, annot_reader_shader *out);

/* Gets the description of a buffer or texture. Returns false if the dump lacks the description. */
ANNOT_INLINE bool annot_reader_resource_of(const annot_reader *reader, uint64_t object,
                                           annot_resource *out);
/* Returns the static name of a DXGI_FORMAT ("D32_FLOAT" for 40), or NULL for an unknown number. */
ANNOT_READER_API const char *annot_dxgi_format_text(uint32_t format);

/* Writes the hash that names the shader in reports, in hexadecimal digits. This is the container's
 * hash, or else the container's digest, or else the XXH3 of the bytes. The text has at most 33
 * bytes with the NUL. Returns the text's length. */
ANNOT_READER_API size_t annot_reader_shader_hash(const annot_reader_shader *shader, char *buffer,
                                                 size_t capacity);

typedef enum annot_fact_source {
    ANNOT_FACT_DEVICE = 1, /* annot_device_set_fact */
    ANNOT_FACT_DUMP = 2,   /* annot_dump_info.facts */
    ANNOT_FACT_LIBRARY = 3 /* the library: facts about the process and its system */
} annot_fact_source;

typedef struct annot_reader_fact {
    uint32_t source; /* annot_fact_source */
    annot_text key, value;
} annot_reader_fact;

/* Returns a source's static word for JSON: "device", "dump", "library" or "unknown". */
ANNOT_READER_API const char *annot_fact_source_text(uint32_t source);

ANNOT_READER_API size_t annot_reader_fact_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_fact_at(const annot_reader *reader, size_t index,
                                       annot_reader_fact *out);

typedef struct annot_reader_blob {
    uint32_t kind; /* annot_blob_kind */
    uint32_t index;
    uint64_t metadata;
    uint64_t size; /* size of the whole blob in bytes; the dump may have only a part */
} annot_reader_blob;

/* Returns a static word for a kind of blob, for JSON: "driver", "kernel", "application",
 * "kernel-mode driver" or "unknown". */
ANNOT_READER_API const char *annot_blob_kind_text(uint32_t kind);

ANNOT_READER_API size_t annot_reader_blob_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_blob_at(const annot_reader *reader, size_t index,
                                       annot_reader_blob *out);
/* Copies the blob's bytes from `offset` on. Bytes that the dump lacks become zeros. Returns the
 * number of bytes copied, which is less than `capacity` at the blob's end. Time is linear in the
 * number of the blob's pieces. */
ANNOT_READER_API size_t annot_reader_blob_read(const annot_reader *reader, size_t index,
                                               uint64_t offset, void *buffer, size_t capacity);

/* ---- what was recorded ---- */

typedef struct annot_reader_stream {
    uint64_t object;    /* annot_object_id of the stream's command list or queue */
    uint64_t recording; /* the recording's identity; 0 for a queue */
    uint64_t dropped;   /* number of markers that were dropped */
    uint64_t submitted; /* serial of the queue's last submission */
    uint64_t completed; /* serial of the last submission that the queue's fence proves complete */
    /* The number of the API call that began the list (annot_set_call_counter); 0: not known. */
    uint64_t call;
    /* The system's number of the thread that began the list; 0: not known. */
    uint32_t thread;
    uint32_t first_entry, entry_count;
    uint32_t marker_count; /* number of BeginEvents and SetMarkers in the stream */
    uint32_t unclosed;     /* number of this stream's scopes that no EndEvent in it closes */
    uint32_t surplus_ends; /* number of EndEvents without a scope in this stream */
    /* For a list, number of its executions. For a queue, number of all executions on it. */
    uint32_t execution_count;
    bool is_queue;
    bool is_open;    /* the list was still recording when the dump was written */
    bool is_damaged; /* some data of the stream comes from a damaged section */
    /* The list's name at its Close, or the queue's name at its last submission. */
    annot_text name;
    bool has_name; /* true: the dump has `name`, which may be empty; false: use the object's name */
} annot_reader_stream;

ANNOT_READER_API size_t annot_reader_stream_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_stream_at(const annot_reader *reader, uint32_t stream,
                                         annot_reader_stream *out);

typedef enum annot_entry_kind {
    ANNOT_ENTRY_BEGIN = 1,
    ANNOT_ENTRY_SET = 2,
    ANNOT_ENTRY_SURPLUS_END = 3,
    ANNOT_ENTRY_BUNDLE = 4,    /* ExecuteBundle */
    ANNOT_ENTRY_SUBMISSION = 5 /* the entry is a call of ExecuteCommandLists on the queue */
} annot_entry_kind;

/* Whether the bytes of a payload are the recorded bytes. */
typedef enum annot_payload {
    ANNOT_PAYLOAD_COPIED = 0,     /* the payload was copied when the marker was recorded */
    ANNOT_PAYLOAD_REFERENCED = 1, /* recorded by reference, and unchanged [ANN-LIFE-08] */
    ANNOT_PAYLOAD_CHANGED = 2,    /* the payload has changed since the marker was recorded */
    ANNOT_PAYLOAD_UNREADABLE = 3 /* the payload's memory was unreadable when the dump was written */
} annot_payload;

typedef struct annot_reader_entry {
    annot_entry_kind kind;
    uint64_t event_id; /* BEGIN and SET */
    uint32_t stream;
    uint32_t parent; /* entry of the enclosing scope, or ANNOT_READER_NONE */
    uint32_t last;   /* the last entry inside the scope, or the scope itself if it is empty */
    uint32_t depth;  /* enclosing scopes */
    /* For a BUNDLE, the bundle's stream. For a SUBMISSION, its index. Otherwise
     * ANNOT_READER_NONE. */
    uint32_t link;
    uint32_t ordinal; /* for a BUNDLE: number of its ExecuteBundle call in the list, from 1 */
    uint32_t metadata;
    uint32_t size; /* size of the payload that the application passed, in bytes */
    const void *data;
    uint32_t stored; /* number of bytes of the payload that the dump has */
    annot_payload payload;
    bool is_closed;
    annot_text bundle_name; /* for a BUNDLE: name of the bundle at the call [ANN-TRUTH-03] */
    bool is_bundle_name_cut;
} annot_reader_entry;

ANNOT_INLINE bool annot_reader_entry_at(const annot_reader *reader, uint32_t entry,
                                        annot_reader_entry *out);

/* Returns the entry with this EventID, or ANNOT_READER_NONE. O(log n). */
ANNOT_READER_API uint32_t annot_reader_entry_find(const annot_reader *reader, uint64_t event_id);

/* Writes the marker's name, decoded from the payload, as valid UTF-8 with a NUL. Control characters
 * are escaped: \n, \x1b, \u202e. A name that doesn't fit is cut at a character's border. Returns
 * the number of bytes stored, without the NUL. The name of a BEGIN or SET is never empty: a marker
 * without a name is called "(no name)". */
ANNOT_READER_API size_t annot_reader_entry_name(const annot_reader *reader, uint32_t entry,
                                                char *buffer, size_t capacity);

/* ---- the states of executions and markers ---- */

typedef enum annot_state {
    ANNOT_STATE_UNKNOWN = 0,
    ANNOT_STATE_NOT_STARTED = 1,
    ANNOT_STATE_IN_PROGRESS = 2,
    ANNOT_STATE_FINISHED = 3,
    ANNOT_STATE_NOT_EXECUTED = 4 /* the fence says complete, but the GPU did not execute it */
} annot_state;

/* Calls EVIDENCE(name, number, sentence) for each kind of evidence. Evidence proves a state, or
 * says why the state is unknown. */
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
/* Returns the sentence of `evidence` in the words of the dump's API, or in D3D12's words if
 * `reader` is NULL. An unknown number gives "". The text is static. */
ANNOT_READER_API const char *annot_evidence_text(const annot_reader *reader,
                                                 annot_evidence evidence);

typedef struct annot_reader_submission {
    uint32_t queue; /* stream */
    uint32_t entry; /* entry of the submission in the queue's stream */
    uint64_t serial;
    uint32_t first_execution, execution_count;
    annot_state state;
    annot_text queue_name; /* the name that the queue had at the submission [ANN-TRUTH-03] */
    bool is_queue_name_cut;
} annot_reader_submission;

ANNOT_READER_API size_t annot_reader_submission_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_submission_at(const annot_reader *reader, uint32_t submission,
                                             annot_reader_submission *out);

typedef struct annot_reader_execution {
    uint32_t queue; /* stream */
    uint32_t submission;
    uint32_t list;    /* index of the list in the submission */
    uint32_t stream;  /* stream of the executed recording; ANNOT_READER_NONE: the dump lacks it */
    uint64_t object;  /* the command list */
    uint64_t started; /* EventIDs reported by the driver; 0: none */
    uint64_t completed;
    annot_state state;
    annot_evidence evidence;
    annot_text
        name; /* the name that the list had at the submission, perhaps empty [ANN-TRUTH-03] */
    bool is_name_cut;
} annot_reader_execution;

ANNOT_READER_API size_t annot_reader_execution_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_execution_at(const annot_reader *reader, uint32_t execution,
                                            annot_reader_execution *out);

/* Returns the state of `entry` in an execution. If `entry` is in a bundle, `bundle` is the
 * list's BUNDLE entry; if `entry` is in the execution's own stream, `bundle` is
 * ANNOT_READER_NONE [ANN-CRASH-01, -05]. Entries of other streams are UNKNOWN. If a later list
 * has the scope's EndEvent, the scope is in progress until then, even if its own list is
 * finished [ANN-CRASH-06]. */
ANNOT_READER_API annot_state annot_reader_state(const annot_reader *reader, uint32_t execution,
                                                uint32_t bundle, uint32_t entry,
                                                annot_evidence *evidence /* may be NULL */);

/* Returns the state of a marker of a queue, or of a submission. `entry` is the entry of either. */
ANNOT_READER_API annot_state annot_reader_queue_state(const annot_reader *reader, uint32_t entry,
                                                      annot_evidence *evidence /* may be NULL */);

/* ---- breadcrumbs: the runtime's own evidence [ANN-DRED, ANN-JOIN] ---- */

typedef struct annot_reader_crumbs {
    uint32_t queue;     /* stream, or ANNOT_READER_NONE */
    uint32_t execution; /* index of the list's execution, or ANNOT_READER_NONE */
    uint64_t submission;
    uint32_t list;
    uint32_t bundle; /* 0: this row is about the list; n: about the list's n-th ExecuteBundle */
    uint32_t count;  /* operations recorded */
    /* Number of finished operations. 0xFFFFFFFF: the GPU never reached the execution. */
    uint32_t done;
    bool is_markers_only;
    bool is_joined;   /* true if the reader matched the recording's markers with its operations */
    bool is_disputed; /* true if other evidence contradicts these breadcrumbs */
    annot_state overruled; /* the state by other evidence, which the reader did not believe */
    /* State of the whole execution by breadcrumbs alone. If all operations are done, but the end is
     * not, the state is UNKNOWN or IN_PROGRESS, because other work may be left. */
    annot_state state;
} annot_reader_crumbs;

ANNOT_READER_API size_t annot_reader_crumbs_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_crumbs_at(const annot_reader *reader, size_t index,
                                         annot_reader_crumbs *out);

/* Returns the D3D12_AUTO_BREADCRUMB_OP of an operation. ANNOT_READER_NONE: the dump lacks the
 * operation, because dumps keep only the last 65,536. */
ANNOT_READER_API uint32_t annot_reader_op(const annot_reader *reader, size_t crumbs,
                                          uint32_t number);

/* Returns an operation's static name, such as "Dispatch"; "operation" for an unknown number. */
ANNOT_READER_API const char *annot_op_text(uint32_t op);

/* What the kernel-mode driver answered when the device was removed [ANN-TDR]. */
typedef struct annot_reader_tdr {
    uint64_t queue, context;                 /* objects; 0: none */
    uint64_t last_completed, last_submitted; /* fence IDs */
    uint64_t time;                           /* how long the driver's function ran, in ns */
    uint32_t type;                           /* DXGK_TDR_TYPE */
    uint32_t reason, ddi;
    int32_t status;
    uint32_t bucketing_key, dma_offset;
    uint32_t node;  /* 0xFFFFFFFF: none */
    uint32_t flags; /* annot_tdr_flags */
    uint32_t payload_size;
    const uint8_t *payload, *returned; /* payload_size bytes each */
} annot_reader_tdr;

/* Gets the kernel-mode driver's answers. Returns false if the dump has no answers. */
ANNOT_READER_API bool annot_reader_get_tdr(const annot_reader *reader, annot_reader_tdr *out);

/* Returns the static name of a DXGK_TDR_TYPE: "ENGINE_TIMEOUT" for 6, or "UNKNOWN". */
ANNOT_READER_API const char *annot_tdr_type_text(uint32_t type);

/* An object whose addresses are near a page fault. */
typedef struct annot_reader_range {
    /* Size in bytes. 0: the size is not known, but the range contains the faulting address. */
    uint64_t address, size;
    uint64_t object;
    uint64_t freed_before; /* if is_freed: ns from the end of the memory to the error */
    uint32_t kind;         /* D3D12DDI_HANDLETYPE */
    bool is_freed;
} annot_reader_range;

ANNOT_READER_API size_t annot_reader_range_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_range_at(const annot_reader *reader, size_t index,
                                        annot_reader_range *out);

typedef enum annot_queue_verdict {
    ANNOT_QUEUE_IDLE = 0,    /* all work submitted to the queue is finished */
    ANNOT_QUEUE_WAITING = 1, /* waits for a fence or for other queues; did not cause the hang */
    ANNOT_QUEUE_STOPPED = 2, /* the queue has work in progress; after a hang it is a suspect */
    ANNOT_QUEUE_UNKNOWN = 3
} annot_queue_verdict;

ANNOT_READER_API annot_queue_verdict annot_reader_queue_verdict(const annot_reader *reader,
                                                                uint32_t stream);

/* A stop: a place where work is in progress. There is a stop for each execution in progress, and
 * for each queue that stopped between two lists of a submission. A guilty queue is first. */
typedef struct annot_reader_stop {
    uint32_t queue; /* stream */
    uint32_t submission;
    /* The execution in progress. If is_between, the next execution, which has not started. */
    uint32_t execution;
    /* The list's innermost scope in progress. ANNOT_READER_NONE: no marker is in progress. */
    uint32_t entry;
    uint32_t bundle;       /* entry of the list's bundle that is in progress, or NONE */
    uint32_t bundle_entry; /* innermost scope of the bundle that is in progress, or NONE */
    /* The last entry that started, as the driver reports. If a bundle is in progress, this is an
     * entry of the bundle. */
    uint32_t started;
    /* The last entry that completed, in the same stream as `started`, as the driver reports. */
    uint32_t completed;
    /* The list's oldest unfinished scope, if the GPU's front end has already left that scope; else
     * ANNOT_READER_NONE. The cause may then be anywhere between this scope and `entry`. */
    uint32_t oldest;
    /* The queue's oldest execution that may be unfinished. It may be `execution` itself. */
    uint32_t suspect;
    bool is_between;
    /* The kernel-mode driver, or else the kernel, calls the stop's queue guilty [ANN-TDR]. */
    bool is_guilty;
} annot_reader_stop;

ANNOT_READER_API size_t annot_reader_stop_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_stop_at(const annot_reader *reader, size_t index,
                                       annot_reader_stop *out);

/* Writes the path of a stop as one line of UTF-8, outermost scope first: "Frame 7 / Shadow pass /
 * Cascade 2". Signatures use this place (annot/fleet.h). The reader believes breadcrumbs before the
 * driver; without breadcrumbs the path leads to the oldest unfinished scope. The path begins with
 * scopes of the queue and of earlier lists [ANN-CRASH-06]. The text has a NUL, and is cut at a
 * character's border. In a path of more than 64 scopes, a count replaces the middle. Returns the
 * number of bytes stored; 0 means that no marker is in progress. */
ANNOT_READER_API size_t annot_reader_stop_path(const annot_reader *reader, size_t index,
                                               char *buffer, size_t capacity);

/* ---- breadcrumbs ---- */

/* An operation of a list, recorded by annot_context_note_operation. */
typedef struct annot_reader_operation {
    uint32_t kind;   /* D3D12_AUTO_BREADCRUMB_OP */
    uint32_t number; /* index of the operation among those of its recording */
    uint32_t argument_count, object_count;
    uint32_t stream; /* the recording */
    uint32_t crumbs; /* index of the breadcrumbs that count this operation, or ANNOT_READER_NONE */
    uint64_t scope;  /* EventID of the scope around the operation; 0: no scope */
    int64_t arguments[ANNOT_OPERATION_ARGUMENTS];
    annot_bound_object objects[ANNOT_OPERATION_OBJECTS];
    bool is_only; /* true if no other operation is in the scope; only without breadcrumbs */
    /* The stream's first entry after the operation, or the stream's end. Only
     * annot_reader_operation_at sets this member. */
    uint32_t before;
    /* an ANNOT_PART for each object; 0: the whole object */
    uint64_t parts[ANNOT_OPERATION_OBJECTS];
} annot_reader_operation;

/* Returns the number of operations that were noted in the recording `stream`. */
ANNOT_READER_API size_t annot_reader_operation_count(const annot_reader *reader, uint32_t stream);
ANNOT_INLINE bool annot_reader_operation_at(const annot_reader *reader, uint32_t stream,
                                            size_t index, annot_reader_operation *out);

/* How far the GPU got with an operation, by breadcrumbs or else by the state of the operation's
 * scope. A NOT_DONE operation may have begun, because a GPU works on several operations at once. */
typedef enum annot_operation_state {
    ANNOT_OPERATION_UNKNOWN = 0,
    ANNOT_OPERATION_DONE = 1,
    ANNOT_OPERATION_STOPPED = 2, /* the oldest operation that is not done: in progress */
    ANNOT_OPERATION_NOT_DONE = 3
} annot_operation_state;

/* Returns the state of an operation in an execution. If a bundle has the operation, `bundle` is the
 * list's BUNDLE entry; otherwise `bundle` is ANNOT_READER_NONE. */
ANNOT_READER_API annot_operation_state
annot_reader_operation_state(const annot_reader *reader, uint32_t execution, uint32_t bundle,
                             const annot_reader_operation *operation);
/* Returns a state's static words, for example "done" or "not done". */
ANNOT_READER_API const char *annot_operation_state_text(annot_operation_state state);

/* Gets the operation of a stop: the oldest operation that is not done, in the list or in the bundle
 * that the list executes. Without breadcrumbs, the call gets the last operation that was noted in
 * the innermost scope in progress. That operation is certain only if is_only is true; otherwise the
 * scope has several operations. Returns false if nothing was noted or evidence is weak [ANN-OP-01].
 */
ANNOT_INLINE bool annot_reader_stop_operation(const annot_reader *reader, size_t index,
                                              annot_reader_operation *out);

/* Writes the operation as text with a NUL, for example "Dispatch(128, 1, 1)". Text that doesn't fit
 * is cut. Returns the number of bytes stored. */
ANNOT_READER_API size_t annot_reader_operation_text(const annot_reader_operation *operation,
                                                    char *buffer, size_t capacity);

/* Writes an operation, its pipeline and shaders: `Dispatch(1, 1, 1) with "Spin" (cs 3fa91c2d)`. */
ANNOT_READER_API size_t annot_reader_operation_line(const annot_reader *reader,
                                                    const annot_reader_operation *operation,
                                                    char *buffer, size_t capacity);

/* Returns a role's static word, such as "pipeline"; "object" for an unknown number. */
ANNOT_READER_API const char *annot_bound_role_text(uint32_t role);

/* Returns the API call that leaves a breadcrumb of kind `op`, a D3D12_AUTO_BREADCRUMB_OP:
 * "DrawInstanced" for 3. An unknown number gives NULL. */
ANNOT_READER_API const char *annot_breadcrumb_op_text(uint32_t op);

/* ---- exported functions; each takes the sizes of its structs, so structs can grow ---- */

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
