/*
 * For crash handlers: writes a device's markers, names and submissions into a dump.
 *
 * Create a writer at program start. Writing a dump then allocates nothing, and waits for locks only
 * for a bounded time. If a lock is not free in that time, the dump lacks the data that the lock
 * protects, and says so. The file format is docs/DUMP_FORMAT.md.
 */
#ifndef ANNOT_DUMP_H
#define ANNOT_DUMP_H

#include "annot.h"

ANNOT_BEGIN_DECLS

typedef struct annot_dump_writer annot_dump_writer;

/* The functions that store a dump's bytes. `write` appends bytes. `finish` is called once, after
 * the last `write`, with the 8 bytes that belong at offset 0; until then offset 0 has zeros. The
 * dump becomes valid by these 8 bytes, so `finish` must sync all other bytes to disk first. Both
 * functions return false on failure, which ends the dump. The library holds locks of the device
 * while it calls them, so they must not call the library. */
typedef struct annot_dump_sink {
    void *user;
    bool (*write)(void *user, const void *data, size_t size);
    bool (*finish)(void *user, const void *magic, size_t size);
} annot_dump_sink;

/* Calls ERROR(name, code, headline, sentence) for each reason to take a dump.
 * D3D12_DEVICE_ERROR_CODE has the same codes, except APPLICATION, whose code this project chose. */
#define ANNOT_DEVICE_ERRORS(ERROR)                                                                 \
    ERROR(NONE, 0, "LIVE DEVICE", "no error when the dump was taken")                              \
    ERROR(HUNG, 7, "GPU HANG", "the GPU made no progress")                                         \
    ERROR(PAGE_FAULT, 9, "GPU PAGE FAULT", "the GPU read or wrote memory that is not mapped")      \
    ERROR(APPLICATION, 0x10001, "APPLICATION CRASH", "the application failed, not the device")     \
    ERROR(UNKNOWN, (int)0x88000000, "GPU ERROR", "the device failed for another reason")

#define ANNOT_DEVICE_ERROR_ENUM(name, code, headline, sentence) ANNOT_DEVICE_ERROR_##name = code,
typedef enum annot_device_error { ANNOT_DEVICE_ERRORS(ANNOT_DEVICE_ERROR_ENUM) } annot_device_error;

/* The two functions return the static headline and sentence of a code, or of UNKNOWN if the code is
 * unknown. */
ANNOT_API const char *annot_device_error_headline(int32_t error);
ANNOT_API const char *annot_device_error_text(int32_t error);

/* The two functions return the device error for an API's error code. DXGI_ERROR_DEVICE_HUNG gives
 * HUNG; DEVICE_REMOVED, DEVICE_RESET and DRIVER_INTERNAL_ERROR give UNKNOWN. VK_ERROR_DEVICE_LOST
 * gives UNKNOWN, because Vulkan tells no cause of this error. All other codes give NONE. */
ANNOT_API annot_device_error annot_device_error_from_hresult(uint32_t result);
ANNOT_API annot_device_error annot_device_error_from_vk_result(int32_t result);

typedef enum annot_blob_kind {
    ANNOT_BLOB_DRIVER =
        1, /* the driver's blob from annot_crash_report, or the user-mode debug blob */
    ANNOT_BLOB_KERNEL = 2,
    ANNOT_BLOB_APPLICATION = 3,
    ANNOT_BLOB_KERNEL_DRIVER = 4 /* DxgkDdiCollectDbgInfo's blob, without trailing zeros */
} annot_blob_kind;

typedef struct annot_blob {
    uint32_t kind; /* annot_blob_kind */
    uint64_t metadata;
    const void *data;
    size_t size;
} annot_blob;

/* A fact: a key and a value in UTF-8. The dump has at most ANNOT_FACT_KEY_MAX bytes of the key and
 * ANNOT_FACT_VALUE_MAX bytes of the value, and lacks facts whose key or value is empty. */
typedef struct annot_fact {
    const char *key;
    const char *value;
} annot_fact;

/* The key of a fact that says how long the work took, for example "3.2 s". Set this fact if the
 * work finished after all. Reports then call the work slow and name no hang. */
#define ANNOT_FACT_SLOW "slow"

/* The key of a fact that says which process caused a reset of the GPU, for example "another
 * process, pid 17". Set this fact if the kernel reset the GPU because of another process. The
 * report's first line repeats the value. */
#define ANNOT_FACT_RESET_OF "reset of"

/* The key of a fact that says which processes the kernel names as possible causes: "this process",
 * "another process, pid 17" or both. The report's first line repeats the value. */
#define ANNOT_FACT_NAMED "kernel names"

/* annot_dump_info.reason begins with this word if the runtime or its debug layer refused a call, so
 * that the runtime removed the device. */
#define ANNOT_REASON_REFUSED "refused"

/* The value of annot_crumbs.done for an execution that the GPU never reached. */
#define ANNOT_CRUMBS_NOT_BEGUN 0xFFFFFFFFu

/* The number of operations that a dump keeps of a recording. It keeps the last operations. */
#define ANNOT_CRUMBS_OPS 65536u

/* Flags of annot_crumbs. Even if all counted operations are done, later work without a breadcrumb
 * may be unfinished. Only a breadcrumb at the end of a list or bundle proves that the list or
 * bundle is done. */
typedef enum annot_crumbs_flags {
    ANNOT_CRUMBS_MARKERS_ONLY = 1, /* only markers count as operations */
    /* the end of the recording has a breadcrumb, which is not part of `count` */
    ANNOT_CRUMBS_HAS_END = 2,
    ANNOT_CRUMBS_ENDED = 4 /* the GPU wrote the breadcrumb at the end, so all work is done */
} annot_crumbs_flags;

/*
 * The breadcrumbs of one execution: the runtime's own count of the operations that the GPU
 * completed. This count is independent of the driver's report. There is a row for each command list
 * of a submission, and a row for each execution of a bundle in the list.
 */
typedef struct annot_crumbs {
    uint64_t queue;      /* annot_object_id */
    uint64_t submission; /* its serial */
    uint32_t list;       /* index in the submission */
    uint32_t bundle;     /* 0: this row is about the list; n: about the list's n-th ExecuteBundle */
    uint64_t log;        /* identity of the list's recording; all its executions have it */
    uint32_t count;      /* number of recorded operations */
    uint32_t done; /* number of operations that the GPU has finished, or ANNOT_CRUMBS_NOT_BEGUN */
    uint32_t markers; /* `count` includes this many SetMarkers, BeginEvents and EndEvents */
    /* `ops` has this many operations: the last ones of the recording, at most ANNOT_CRUMBS_OPS. */
    uint32_t kept;
    uint32_t flags;    /* annot_crumbs_flags */
    uint32_t reserved; /* 0 */
    /* kinds of operations; the kind of operation i is at i % ANNOT_CRUMBS_OPS */
    const uint8_t *ops;
} annot_crumbs;

/* The CPU's time and the GPU's time at one moment. Calls have CPU times; stamps have GPU times. */
typedef struct annot_clock_pair {
    uint64_t gpu; /* ticks */
    uint64_t cpu; /* ns */
    /* The rate of the GPU's clock in Hz, as the driver reports it. Two pairs give a better rate. */
    uint64_t frequency;
} annot_clock_pair;

/* The time at which the GPU completed the work of one call. */
typedef struct annot_stamp {
    /* The call's API sequence number. Its low half counts the calls of the recording from 1. */
    uint64_t number;
    uint64_t time; /* the GPU's time when the call's work was done; 0: it isn't done */
} annot_stamp;

/* Calls PROBLEM(name, number, sentence) for each reason why GPU times are lost. Numbers never
 * change. */
#define ANNOT_HISTORY_PROBLEMS(PROBLEM)                                                            \
    PROBLEM(NONE, 0, "")                                                                           \
    PROBLEM(CONTEXTS, 1, "the driver submitted to another context, or to several")                 \
    PROBLEM(PRIMARIES, 2, "the driver named more than 16 primaries")                               \
    PROBLEM(RESERVED, 3, "the driver set bits that are reserved")                                  \
    PROBLEM(SEQUENCE, 4, "RenderCBSequence does not follow the submission before")                 \
    PROBLEM(TYPE, 5, "the marker log's type does not fit the mode or the number of lists")         \
    PROBLEM(LISTS, 6, "the marker log names other command lists than were submitted")              \
    PROBLEM(NUMBERS, 7,                                                                            \
            "the marker log and the history buffer do not have the same number of "                \
            "calls")                                                                               \
    PROBLEM(TOO_LONG, 8, "the marker log has more than 1,048,576 numbers")                         \
    PROBLEM(MEMORY, 9, "there was no memory for the marker log")                                   \
    PROBLEM(BUFFER, 10, "the history buffer is not one")                                           \
    PROBLEM(PRECISION, 11, "the kernel-mode driver's precision of time stamps is none")            \
    PROBLEM(FORMAT, 12, "the kernel-mode driver did not format the history buffer")                \
    PROBLEM(OVERRUN, 13, "the kernel-mode driver wrote behind the buffer it was given")            \
    PROBLEM(ORDER, 14, "time stamps go back or are ahead of the clock")                            \
    PROBLEM(CLOCK, 15, "the GPU's clock can't be compared with the CPU's")                         \
    PROBLEM(COMMANDS, 16, "the driver submitted other commands than it said")                      \
    PROBLEM(PRIVATE_DATA, 17,                                                                      \
            "the driver passed private data that no kernel-mode driver asked for")                 \
    PROBLEM(ARRAY, 18, "the marker log says how long an array is that it does not have")

#define ANNOT_HISTORY_PROBLEM_ENUM(name, number, text) ANNOT_HISTORY_PROBLEM_##name = number,
typedef enum annot_history_problem {
    ANNOT_HISTORY_PROBLEMS(ANNOT_HISTORY_PROBLEM_ENUM)
} annot_history_problem;

typedef enum annot_submitted_flags {
    ANNOT_SUBMITTED_STAMPED = 1,   /* the kernel read the history buffer, if `problem` is 0 */
    ANNOT_SUBMITTED_COMPLETED = 2, /* the submission was completed before the error */
    ANNOT_SUBMITTED_CALLED = 8,    /* `cpu_begin` and `cpu_end` are valid, even if they are 0 */
    ANNOT_SUBMITTED_NULL_RENDERING =
        4 /* the driver skipped the submission, so the GPU did not execute it */
} annot_submitted_flags;

/* The times of one submission: of its call on the CPU, and of its work on the GPU. */
typedef struct annot_submitted {
    uint64_t queue;      /* annot_object_id */
    uint64_t submission; /* its serial */
    /* The CPU's time in ns when the call began and returned. `cpu_end` 0: the call had not
     * returned */
    uint64_t cpu_begin, cpu_end;
    /* The GPU's time at the begin and end of the submission's command buffer. 0 means that the GPU
     * did not reach this point. */
    uint64_t begin, end;
    uint32_t thread; /* the system's number of the thread that made the submission; 0: not known */
    uint32_t sequence; /* RenderCBSequence; 0: none */
    uint32_t flags;    /* annot_submitted_flags */
    uint32_t problem;  /* annot_history_problem */
} annot_submitted;

/* The time stamps of the calls of one command list in a submission. */
typedef struct annot_history {
    uint64_t queue;            /* annot_object_id */
    uint64_t submission;       /* its serial */
    uint64_t object;           /* annot_object_id of the list */
    uint64_t log;              /* identity of the recording, as in annot_crumbs.log; 0: not known */
    uint32_t list;             /* index in the submission */
    uint32_t count;            /* of `stamps` */
    const annot_stamp *stamps; /* a time stamp for each call, in recorded order */
    /* The next members mean the same as annot_crumbs.count, .markers, .kept and .ops. */
    uint32_t op_count;
    uint32_t markers;
    uint32_t kept;
    uint32_t reserved; /* 0 */
    const uint8_t *ops;
} annot_history;

typedef enum annot_range_flags {
    ANNOT_RANGE_FREED = 1 /* the object's memory ended before the error */
} annot_range_flags;

/* A range of GPU virtual addresses and the object that owns the range. */
typedef struct annot_allocation_range {
    /* The range's address, and its size in bytes. If `size` is 0, the size is not known, but the
     * range has the faulting address. */
    uint64_t address, size;
    uint64_t object; /* annot_object_id */
    /* ns from the end of the object's memory to the error. 0: the object exists, or this is
     * unknown. */
    uint64_t freed_before;
    uint32_t kind;  /* D3D12DDI_HANDLETYPE */
    uint32_t flags; /* annot_range_flags */
} annot_allocation_range;

typedef enum annot_tdr_flags {
    /* the driver wrote past its buffer's end, so the dump lacks the buffer */
    ANNOT_TDR_OVERRUN = 1,
    ANNOT_TDR_FAILED = 2,         /* the driver's function returned an error */
    ANNOT_TDR_FORGED_CONTEXT = 4, /* the driver names a context that is not on the device */
    /* The driver's function took longer than TdrDdiDelay. Windows would have stopped the system. */
    ANNOT_TDR_SLOW = 8,
    ANNOT_TDR_PAYLOAD_CHANGED = 16, /* the driver changed the payload elsewhere than in hContext */
    ANNOT_TDR_RESET_FAILED = 32     /* DxgkDdiResetEngine failed, or returned a wrong fence */
} annot_tdr_flags;

#define ANNOT_TDR_PAYLOAD_MAX 64u

/* The source that reports a page fault. If several sources report an address, readers believe the
 * first source of this list. */
typedef enum annot_fault_source {
    ANNOT_FAULT_KERNEL = 1,  /* the kernel or the kernel's log */
    ANNOT_FAULT_RUNTIME = 2, /* the API's runtime, for example DRED */
    ANNOT_FAULT_DRIVER = 3   /* the user-mode driver (in annot_crash_report) */
} annot_fault_source;

typedef struct annot_fault {
    uint64_t address;  /* faulting GPU virtual address; 0: the dump lacks it */
    uint32_t source;   /* annot_fault_source */
    uint32_t reserved; /* 0 */
} annot_fault;

#define ANNOT_SIGNALLERS_MAX 4u

/* Bits about a fence: who stores values in it, and what the writer knows about these values. */
typedef enum annot_wait_flags {
    ANNOT_WAIT_KNOWN = 1,   /* the writer knows all values that the fence got on this device */
    ANNOT_WAIT_CPU = 2,     /* the program's CPU has stored values, and may store more */
    ANNOT_WAIT_SHARED = 4,  /* the fence is shared or imported, so others may store values */
    ANNOT_WAIT_REWOUND = 8, /* the fence's value went back: it was once higher */
    /* Only waiting queues will signal the value, and the waits of these queues have this flag. */
    ANNOT_WAIT_ENDLESS = 16,
    ANNOT_WAIT_LEAST = 32 /* the fence's current value may be higher than `reached` */
} annot_wait_flags;

/* A wait for a fence. A queue waits before its next work begins, or the program's CPU waits. */
typedef struct annot_wait {
    uint64_t queue;          /* annot_object_id of the queue that waits; 0: the CPU waits */
    uint64_t submission;     /* serial of the first submission after the wait; 0: none yet */
    uint64_t fence;          /* annot_object_id */
    uint64_t value, reached; /* the value that ends the wait; the fence's current value */
    /* annot_object_id of each queue whose pending Signal ends the wait; 0 ends the list */
    uint64_t signallers[ANNOT_SIGNALLERS_MAX];
    /* true: the queue waits now; false: it waited when fences were last checked */
    bool is_certain;
    uint32_t flags; /* annot_wait_flags */
    /* `given`: highest value that a queue was told to signal; `giver`: that queue, or 0 */
    uint64_t given, giver;
    uint64_t waited; /* ns since the call that began the wait; 0: not known */
    uint32_t list;   /* n: the queue waits in list n of `submission`; 0: it waits before it */
} annot_wait;

/* The data that the kernel and the kernel-mode driver exchanged when the device was removed. */
typedef struct annot_tdr {
    uint64_t queue;   /* annot_object_id of the queue that ran on the engine; 0: no queue */
    uint64_t context; /* the context that the driver calls guilty; 0: no context */
    uint64_t last_completed, last_submitted; /* fence IDs; these are serials of submissions */
    uint64_t time;                           /* how long the driver's function ran, in ns */
    uint32_t type;                           /* DXGK_TDR_TYPE */
    uint32_t reason;
    uint32_t ddi; /* 1: DxgkDdiCollectDbgInfo answered; 2: DxgkDdiCollectDbgInfo2 */
    int32_t status;
    uint32_t bucketing_key;
    uint32_t dma_offset;
    uint32_t node;                           /* UINT32_MAX: none */
    uint32_t payload_size;                   /* 0: none was passed */
    uint8_t payload[ANNOT_TDR_PAYLOAD_MAX];  /* the payload that the driver got */
    uint8_t returned[ANNOT_TDR_PAYLOAD_MAX]; /* the payload after the driver's changes */
    uint32_t flags;                          /* annot_tdr_flags */
    uint32_t reserved;                       /* 0 */
} annot_tdr;

/* The caller's facts about the crash. Every member may be 0 or NULL. annot_dump_write reads the
 * data behind the pointers and keeps no pointer. */
typedef struct annot_dump_info {
    uint8_t guid[16];
    int32_t error;           /* annot_device_error */
    uint64_t time;           /* the dump's time in ns since 1970-01-01 UTC; 0: now */
    const char *application; /* the application's name in UTF-8; NULL: the process's name */
    const char *adapter;     /* UTF-8 */
    const char *reason; /* reason in one line of UTF-8, for example "GPU timeout after 2.0 s" */
    /* The driver's report. NULL: completed submissions are the only evidence. */
    const annot_crash_report *report;
    const annot_blob *blobs;
    size_t blob_count;
    const annot_fact
        *facts;        /* facts for this dump, in addition to those of annot_device_set_fact */
    size_t fact_count; /* number of facts; the dump has at most ANNOT_FACTS_MAX */
    const annot_crumbs *crumbs;
    size_t crumb_count;
    const annot_allocation_range *ranges; /* address ranges around the fault address */
    size_t range_count;
    const annot_submitted *submitted; /* the times of submissions, in any order */
    size_t submitted_count;
    const annot_history *histories;
    size_t history_count;
    uint64_t histories_lost;        /* number of submissions that lost their time stamps */
    const annot_clock_pair *clocks; /* clock pairs in the order of time; the last pair is from the
                                       moment of the error */
    size_t clock_count;
    const annot_tdr *tdr; /* the data that the kernel-mode driver gave after the removal, or NULL */
    /* The longest time in ns to wait for the device's locks; 0: 100 ms [ANN-SEC-03]. */
    uint64_t lock_wait;
    /* True: `time` (also 0) and the CPU's times of calls are nanoseconds of a clock without a date.
     * Reports then show no date. */
    bool has_virtual_clock;
    uint64_t progress_cut; /* number of executions in flight that have no row in `report` */
    uint64_t findings_cut; /* number of findings for which the caller had no memory */
    /* For ANNOT_DEVICE_ERROR_APPLICATION, the system's number of the thread that failed, from
     * gettid() or GetCurrentThreadId(). 0: not known. Reports name the list of this thread. */
    uint32_t thread;
    const annot_fault *faults; /* the page faults that the kernel or the runtime reports */
    size_t fault_count;
    const annot_wait *waits; /* NULL: the dump calls annot_device_desc.waits to get the waits */
    size_t wait_count;
} annot_dump_info;

/* Makes a writer with all memory that a dump of the device needs: about 300 KiB for any number of
 * markers. The device must outlive the writer. Only one thread at a time may use the writer. */
ANNOT_API annot_result annot_dump_writer_create(annot_device *device, annot_dump_writer **out);
ANNOT_API void annot_dump_writer_destroy(annot_dump_writer *writer);

/* Writes a dump of the device's current state to a sink. Other threads may go on recording. If a
 * thread resets or destroys the arena that is being written, the thread waits. Get the driver's
 * report before this call, because the driver must not be called during the call. ANNOT_ERROR_IO:
 * the sink failed. The dump is then incomplete, and every reader reports that. */
ANNOT_INLINE annot_result annot_dump_write(annot_dump_writer *writer, const annot_dump_info *info,
                                           const annot_dump_sink *sink);

/* Writes a dump into a new file that only its owner may read. The file is named PATH.xxxxxxxx.part
 * until the dump is complete and synced; then the file is renamed to PATH. The call never follows,
 * replaces or waits for an existing file, link, folder or pipe. If the name exists already, the
 * dump is named NAME-2.EXT, then NAME-3.EXT and so on. So several writers with the same path each
 * leave a whole dump. annot_dump_writer_path returns the path of this writer's dump [ANN-SEC-02].
 *
 * ANNOT_ERROR_IO, with errno set: the call leaves no new file, except a complete dump that could
 * not be renamed; this dump keeps its .part name. ANNOT_ERROR_INVALID_ARGUMENT: the path is empty,
 * longer than 4,000 bytes or ends in a separator. If the process is killed during the call, it
 * leaves at most the .part file, and readers show its contents [absent, incomplete or valid]. */
ANNOT_INLINE annot_result annot_dump_write_file(annot_dump_writer *writer,
                                                const annot_dump_info *info, const char *path);

/* Makes a path for annot_dump_write_file from a user's setting. In the setting, "%p" stands for the
 * process's number, "%e" for the program's name, "%t" for the time (UTC, 20261125T190415Z) and "%%"
 * for a percent sign; all other characters stay. A setting that ends in a separator is an existing
 * folder; ANNOT_DUMP_PATH_DEFAULT is added to it. NULL and "" mean ANNOT_DUMP_PATH_DEFAULT alone.
 * The call writes the path to `to` and returns the path's length without the NUL. If the length is
 * not less than `capacity`, `to` ends before the process, program or time that did not fit. Call
 * the function at program start, not in crash handlers. */
#define ANNOT_DUMP_PATH_DEFAULT "%e-%p.annotdmp"
ANNOT_API size_t annot_dump_path(const char *pattern, char *to, size_t capacity);

/* Writes a dump into memory, for a process that gives its dump to another process. *size is always
 * the whole dump's size. If *size is more than `capacity`, the result is ANNOT_ERROR_TOO_LARGE, and
 * `buffer` has no dump. `buffer` may be NULL when `capacity` is 0. The call allocates nothing. */
ANNOT_INLINE annot_result annot_dump_write_memory(annot_dump_writer *writer,
                                                  const annot_dump_info *info, void *buffer,
                                                  size_t capacity, size_t *size);

/* Returns the path of the file that this writer's last annot_dump_write_file left, or "" if the
 * call left no file. Show the path to users. The path is valid until the next dump. */
ANNOT_API const char *annot_dump_writer_path(const annot_dump_writer *writer);

/* Adds a fact to the file of this writer's last annot_dump_write_file, to say later how the hang
 * ended. The file must still have the same path and size. During the call the file is incomplete.
 * ANNOT_ERROR_INVALID_ARGUMENT: the writer has no such file. ANNOT_ERROR_IO: another file has this
 * path now, or the file can't be changed. Allocates nothing. Call it on the writer's thread. */
ANNOT_API annot_result annot_dump_writer_add_fact(annot_dump_writer *writer, const char *key,
                                                  const char *value);

/* ---- exported functions; each takes the sizes of its structs, so that structs can grow ---- */

ANNOT_API annot_result annot_dump_write_sized(annot_dump_writer *writer,
                                              const annot_dump_info *info, size_t info_size,
                                              const annot_dump_sink *sink);
ANNOT_INLINE annot_result annot_dump_write(annot_dump_writer *writer, const annot_dump_info *info,
                                           const annot_dump_sink *sink)
{
    return annot_dump_write_sized(writer, info, sizeof *info, sink);
}

ANNOT_API annot_result annot_dump_write_file_sized(annot_dump_writer *writer,
                                                   const annot_dump_info *info, size_t info_size,
                                                   const char *path);
ANNOT_INLINE annot_result annot_dump_write_file(annot_dump_writer *writer,
                                                const annot_dump_info *info, const char *path)
{
    return annot_dump_write_file_sized(writer, info, sizeof *info, path);
}

ANNOT_API annot_result annot_dump_write_memory_sized(annot_dump_writer *writer,
                                                     const annot_dump_info *info, size_t info_size,
                                                     void *buffer, size_t capacity, size_t *size);
ANNOT_INLINE annot_result annot_dump_write_memory(annot_dump_writer *writer,
                                                  const annot_dump_info *info, void *buffer,
                                                  size_t capacity, size_t *size)
{
    return annot_dump_write_memory_sized(writer, info, sizeof *info, buffer, capacity, size);
}

ANNOT_END_DECLS

#endif
