/*
 * For crash handlers: write the data of a device into a dump.
 *
 * Create a writer ahead of time. Writing then allocates nothing, and waits for locks only for a
 * bounded time. If a lock is not free in that time, the dump leaves out the data of that lock and
 * says so. The file format is docs/DUMP_FORMAT.md.
 */
#ifndef ANNOT_DUMP_H
#define ANNOT_DUMP_H

#include "annot.h"

ANNOT_BEGIN_DECLS

typedef struct annot_dump_writer annot_dump_writer;

/* The output of a dump. Both functions return false on failure, which ends the dump. write appends
 * bytes. finish is called once, after the last write, with the 8 bytes that belong at offset 0,
 * where zeros were written before. Only these bytes make the dump valid, so sync everything else
 * to disk first. Both run with locks of the device held and must not call the library. */
typedef struct annot_dump_sink {
    void *user;
    bool (*write)(void *user, const void *data, size_t size);
    bool (*finish)(void *user, const void *magic, size_t size);
} annot_dump_sink;

/* ERROR(name, code, headline, sentence): why a dump was taken. The codes are those of
 * D3D12_DEVICE_ERROR_CODE; only the code of APPLICATION is this project's. */
#define ANNOT_DEVICE_ERRORS(ERROR)                                                                 \
    ERROR(NONE, 0, "LIVE DEVICE", "no error when the dump was taken")                              \
    ERROR(HUNG, 7, "GPU HANG", "the GPU made no progress")                                         \
    ERROR(PAGE_FAULT, 9, "GPU PAGE FAULT", "the GPU read or wrote memory that is not mapped")      \
    ERROR(APPLICATION, 0x10001, "APPLICATION CRASH", "the application failed, not the device")     \
    ERROR(UNKNOWN, (int)0x88000000, "GPU ERROR", "the device failed for another reason")

#define ANNOT_DEVICE_ERROR_ENUM(name, code, headline, sentence) ANNOT_DEVICE_ERROR_##name = code,
typedef enum annot_device_error { ANNOT_DEVICE_ERRORS(ANNOT_DEVICE_ERROR_ENUM) } annot_device_error;

/* The headline and the sentence of a code; for a code without a name, those of UNKNOWN. Static. */
ANNOT_API const char *annot_device_error_headline(int32_t error);
ANNOT_API const char *annot_device_error_text(int32_t error);

/* The device error for an API's error code. DXGI: DEVICE_HUNG is HUNG; DEVICE_REMOVED, DEVICE_RESET
 * and DRIVER_INTERNAL_ERROR are UNKNOWN. Vulkan: VK_ERROR_DEVICE_LOST is UNKNOWN, since it does not
 * say why. Every other code, also success, is NONE, because it says nothing about the device. */
ANNOT_API annot_device_error annot_device_error_from_hresult(uint32_t result);
ANNOT_API annot_device_error annot_device_error_from_vk_result(int32_t result);

typedef enum annot_blob_kind {
    ANNOT_BLOB_DRIVER = 1, /* the blob of annot_crash_report, or of the user-mode debug blob call */
    ANNOT_BLOB_KERNEL = 2,
    ANNOT_BLOB_APPLICATION = 3,
    ANNOT_BLOB_KERNEL_DRIVER = 4 /* a blob from DxgkDdiCollectDbgInfo, without trailing zeros */
} annot_blob_kind;

typedef struct annot_blob {
    uint32_t kind; /* annot_blob_kind */
    uint64_t metadata;
    const void *data;
    size_t size;
} annot_blob;

/* A key and its value, UTF-8. The key is cut at ANNOT_FACT_KEY_MAX bytes, the value at
 * ANNOT_FACT_VALUE_MAX. */
typedef struct annot_fact {
    const char *key;
    const char *value;
} annot_fact;

/* The key of a fact that is set if the work finished after all; its value says how long the work
 * took: "3.2 s". Reports then call the work slow and name no hang. */
#define ANNOT_FACT_SLOW "slow"

/* The key of a fact that is set if the GPU was reset because of another process. Its value comes
 * from the kernel: "another process, pid 17". The report's first line repeats it. */
#define ANNOT_FACT_RESET_OF "reset of"

/* A dump's reason begins so if the runtime or its debug layer refused a call, and the device was
 * removed for it. */
#define ANNOT_REASON_REFUSED "refused"

/* `done` of an execution that the GPU never came to. */
#define ANNOT_CRUMBS_NOT_BEGUN 0xFFFFFFFFu

/* The largest number of operations of a recording that are kept; older ones are dropped. */
#define ANNOT_CRUMBS_OPS 65536u

/* Even if all counted operations are done, work after the last of them may be unfinished, because
 * no breadcrumb counts it. Only a breadcrumb at the end of a list or bundle proves that it is
 * finished. */
typedef enum annot_crumbs_flags {
    ANNOT_CRUMBS_MARKERS_ONLY = 1, /* only markers count as operations */
    ANNOT_CRUMBS_HAS_END = 2,      /* the end has a breadcrumb, too; `count` leaves it out */
    ANNOT_CRUMBS_ENDED = 4 /* with HAS_END: the GPU wrote that breadcrumb, so everything is done */
} annot_crumbs_flags;

/*
 * Breadcrumbs of one execution: the runtime's own count of the operations that the GPU completed,
 * independent of the driver's report. One row per command list of a submission, one per execution
 * of a bundle in it.
 */
typedef struct annot_crumbs {
    uint64_t queue;      /* annot_object_id */
    uint64_t submission; /* its serial */
    uint32_t list;       /* index in the submission */
    uint32_t bundle;     /* 0: the list itself; n: its n-th ExecuteBundle */
    uint64_t log;        /* identity of the recording: all its executions share it */
    uint32_t count;      /* number of recorded operations */
    uint32_t done;       /* how many of them the GPU has done, or ANNOT_CRUMBS_NOT_BEGUN */
    uint32_t markers;    /* how many of `count` are SetMarker, BeginEvent or EndEvent */
    uint32_t kept;      /* number of operations in `ops`: the last ones, at most ANNOT_CRUMBS_OPS */
    uint32_t flags;     /* annot_crumbs_flags */
    uint32_t reserved;  /* 0 */
    const uint8_t *ops; /* D3D12_AUTO_BREADCRUMB_OP; number i at i % ANNOT_CRUMBS_OPS */
} annot_crumbs;

/* Both clocks at one time. The times of calls use the CPU's clock, time stamps use the GPU's. */
typedef struct annot_clock_pair {
    uint64_t gpu;       /* ticks */
    uint64_t cpu;       /* ns */
    uint64_t frequency; /* rate of the GPU's clock in Hz, by its driver; two pairs are more exact */
} annot_clock_pair;

/* When the GPU completed the work of one call. */
typedef struct annot_stamp {
    uint64_t
        number;    /* API sequence number; its low half counts the calls of the recording from 1 */
    uint64_t time; /* GPU's clock; 0: not completed */
} annot_stamp;

/* PROBLEM(name, number, sentence): why a submission has no times of the GPU. A number keeps its
 * meaning for ever. */
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
    ANNOT_SUBMITTED_STAMPED =
        1, /* the kernel has read the history buffer, unless `problem` is set */
    ANNOT_SUBMITTED_COMPLETED = 2,     /* the submission was completed before the error */
    ANNOT_SUBMITTED_CALLED = 8,        /* the CPU's times are known; they may be 0 */
    ANNOT_SUBMITTED_NULL_RENDERING = 4 /* the driver did not let it execute */
} annot_submitted_flags;

/* The times of one submission on the CPU and on the GPU. */
typedef struct annot_submitted {
    uint64_t queue;      /* annot_object_id */
    uint64_t submission; /* its serial */
    uint64_t cpu_begin,
        cpu_end; /* times of the call, ns of the CPU's clock; end 0: the call had not returned */
    uint64_t begin, end; /* the GPU's clock at its command buffer's begin and end; 0: not reached */
    uint32_t thread;     /* the system's number of the thread that submitted; 0: not known */
    uint32_t sequence;   /* RenderCBSequence; 0: none */
    uint32_t flags;      /* annot_submitted_flags */
    uint32_t problem;    /* annot_history_problem */
} annot_submitted;

/* The calls of one command list of a submission that have time stamps. */
typedef struct annot_history {
    uint64_t queue;            /* annot_object_id */
    uint64_t submission;       /* its serial */
    uint64_t object;           /* annot_object_id of the list */
    uint64_t log;              /* the same as annot_crumbs.log; 0: the recording is not known */
    uint32_t list;             /* index in the submission */
    uint32_t count;            /* of `stamps` */
    const annot_stamp *stamps; /* time stamps in the order of the calls */
    uint32_t op_count; /* these are the same as annot_crumbs.count, .markers, .kept and .ops */
    uint32_t markers;
    uint32_t kept;
    uint32_t reserved; /* 0 */
    const uint8_t *ops;
} annot_history;

typedef enum annot_range_flags {
    ANNOT_RANGE_FREED = 1 /* the object was destroyed before the error */
} annot_range_flags;

/* A range of GPU virtual addresses and the object that it belongs to. */
typedef struct annot_allocation_range {
    uint64_t address,
        size;        /* size in bytes; 0: not known, but the faulting address is in the range */
    uint64_t object; /* annot_object_id */
    uint64_t freed_before; /* ns from the object's destruction to the error; 0: it is alive, or the
                              time is not known */
    uint32_t kind;         /* D3D12DDI_HANDLETYPE */
    uint32_t flags;        /* annot_range_flags */
} annot_allocation_range;

typedef enum annot_tdr_flags {
    ANNOT_TDR_OVERRUN = 1, /* the driver wrote past the end of its buffer; the buffer is not kept */
    ANNOT_TDR_FAILED = 2,  /* the driver's function failed */
    ANNOT_TDR_FORGED_CONTEXT =
        4,              /* the context that the driver calls guilty is no context of the device */
    ANNOT_TDR_SLOW = 8, /* it took longer than TdrDdiDelay: Windows would have stopped the system */
    ANNOT_TDR_PAYLOAD_CHANGED =
        16, /* the driver changed bytes of the payload other than hContext */
    ANNOT_TDR_RESET_FAILED =
        32 /* DxgkDdiResetEngine failed, or its aborted fence was not pending */
} annot_tdr_flags;

#define ANNOT_TDR_PAYLOAD_MAX 64u

/* Who reports a page fault. If several report an address, the first of this list is believed. */
typedef enum annot_fault_source {
    ANNOT_FAULT_KERNEL = 1,  /* the kernel, or its log */
    ANNOT_FAULT_RUNTIME = 2, /* the API's runtime: DRED */
    ANNOT_FAULT_DRIVER = 3   /* the user-mode driver: annot_crash_report */
} annot_fault_source;

typedef struct annot_fault {
    uint64_t address;  /* GPU virtual address; 0: left out */
    uint32_t source;   /* annot_fault_source */
    uint32_t reserved; /* 0 */
} annot_fault;

#define ANNOT_SIGNALLERS_MAX 4u

/* A queue waits for this fence before it begins its next work. */
typedef struct annot_wait {
    uint64_t queue;          /* annot_object_id */
    uint64_t submission;     /* serial of the first submission after the wait; 0: none yet */
    uint64_t fence;          /* annot_object_id */
    uint64_t value, reached; /* the value that the queue waits for, and the fence's present value */
    uint64_t signallers[ANNOT_SIGNALLERS_MAX]; /* annot_object_id of queues with a pending Signal
                                                  that ends the wait; 0 ends the list */
    bool is_certain; /* the queue waits now; false: it waited when fences were last checked */
} annot_wait;

/* The kernel's questions to its driver when the device was removed, and the answers. */
typedef struct annot_tdr {
    uint64_t queue;   /* annot_object_id of the queue that ran on the engine; 0: none */
    uint64_t context; /* context of the queue that the driver names as guilty; 0: none */
    uint64_t last_completed, last_submitted; /* fence IDs: serials of the queue's submissions */
    uint64_t time;                           /* ns that the driver's function took */
    uint32_t type;                           /* DXGK_TDR_TYPE */
    uint32_t reason;
    uint32_t ddi; /* 0: none; 1: DxgkDdiCollectDbgInfo; 2: DxgkDdiCollectDbgInfo2 answered */
    int32_t status;
    uint32_t bucketing_key;
    uint32_t dma_offset;
    uint32_t node;                           /* UINT32_MAX: none */
    uint32_t payload_size;                   /* 0: none was passed */
    uint8_t payload[ANNOT_TDR_PAYLOAD_MAX];  /* bytes that the driver got */
    uint8_t returned[ANNOT_TDR_PAYLOAD_MAX]; /* the same bytes as the driver left them */
    uint32_t flags;                          /* annot_tdr_flags */
    uint32_t reserved;                       /* 0 */
} annot_tdr;

/* What the caller knows about the crash. All members may be zero. The call reads the pointers'
 * data, and keeps no pointer. */
typedef struct annot_dump_info {
    uint8_t guid[16];
    int32_t error;           /* annot_device_error */
    uint64_t time;           /* nanoseconds since 1970-01-01 UTC; 0: now */
    const char *application; /* UTF-8; NULL: the name of the process */
    const char *adapter;     /* UTF-8 */
    const char *reason;      /* UTF-8, one line for people: "GPU timeout after 2.0 s" */
    /* the driver's report; NULL: completed submissions are the only evidence */
    const annot_crash_report *report;
    const annot_blob *blobs;
    size_t blob_count;
    const annot_fact *facts; /* beside those of annot_device_set_fact */
    size_t fact_count;       /* facts past ANNOT_FACTS_MAX are left out */
    const annot_crumbs *crumbs;
    size_t crumb_count;
    const annot_allocation_range *ranges; /* around the fault address */
    size_t range_count;
    const annot_submitted *submitted; /* submissions, in any order */
    size_t submitted_count;
    const annot_history *histories;
    size_t history_count;
    uint64_t histories_lost; /* number of submissions whose history was dropped for later ones */
    const annot_clock_pair *clocks; /* pairs in order; the last one is the moment of the error */
    size_t clock_count;
    const annot_tdr *tdr; /* NULL: no kernel-mode driver was asked */
    uint64_t lock_wait;   /* longest time to wait for all locks of the device, ns; 0: 100 ms
                             [ANN-SEC-03] */
    /* `time` (also 0) and the CPU's times of calls are nanoseconds of a clock without a date.
     * Reports show no date. */
    bool has_virtual_clock;
    uint64_t progress_cut; /* number of executions in flight without a row in `report` */
    uint64_t findings_cut; /* findings that did not fit in the caller's memory */
    /* for ANNOT_DEVICE_ERROR_APPLICATION: the system's number of the thread that failed, by
     * gettid() or GetCurrentThreadId(); 0: not known. Reports name the list that the thread was
     * recording. */
    uint32_t thread;
    const annot_fault *faults; /* page faults that the kernel or runtime reports */
    size_t fault_count;
    const annot_wait *waits;
    size_t wait_count;
} annot_dump_info;

/* Preallocates all memory that a dump of this device needs: about 300 KiB for any number of
 * markers. The device must outlive the writer. Only one thread may write with it at a time. */
ANNOT_API annot_result annot_dump_writer_create(annot_device *device, annot_dump_writer **out);
ANNOT_API void annot_dump_writer_destroy(annot_dump_writer *writer);

/* Writes a dump of the device as it is now. Other threads may go on recording. A thread that resets
 * or destroys the arena that is being written waits. The caller must not call the driver meanwhile;
 * fetch the driver's report first. ANNOT_ERROR_IO: the sink failed. The dump is then incomplete,
 * and every reader reports that. */
ANNOT_INLINE annot_result annot_dump_write(annot_dump_writer *writer, const annot_dump_info *info,
                                           const annot_dump_sink *sink);

/* Writes a dump into a new file that only its owner may read. Its name is PATH.xxxxxxxx.part until
 * it is complete and synced; then it gets the name PATH. No existing file, link, folder or pipe is
 * ever followed, replaced or waited for: if the name exists already, the dump becomes NAME-2.EXT,
 * then -3 and so on. So writers that share a path each leave a whole dump; annot_dump_writer_path
 * returns the path of the writer's own dump [ANN-SEC-02].
 *
 * ANNOT_ERROR_IO, with errno set: no new file is left. One exception: a whole dump that could not
 * be renamed stays under its .part name. ANNOT_ERROR_INVALID_ARGUMENT: the path is empty, longer
 * than 4,000 bytes or ends in a separator. A process killed half way leaves at most the .part file,
 * and readers show its contents [design: absent, incomplete or valid]. */
ANNOT_INLINE annot_result annot_dump_write_file(annot_dump_writer *writer,
                                                const annot_dump_info *info, const char *path);

/* A user's setting of where dumps go, as a path for annot_dump_write_file: "%p" in it is the
 * process's number, "%e" its program's name, "%t" the time (UTC, 20261125T190415Z), "%%" a percent
 * sign, and anything else stays. A path that ends in a separator is a folder, which must exist;
 * ANNOT_DUMP_PATH_DEFAULT is added. NULL and "" mean ANNOT_DUMP_PATH_DEFAULT alone. Returns the
 * length without the NUL. If the length is not less than `capacity`, `to` ends before the process,
 * program or time that did not fit. Call it at program start, not in crash handlers. */
#define ANNOT_DUMP_PATH_DEFAULT "%e-%p.annotdmp"
ANNOT_API size_t annot_dump_path(const char *pattern, char *to, size_t capacity);

/* Writes a dump into memory, for a process that hands its dump to another one. *size is always the
 * whole dump's size. If it is more than `capacity`, the result is ANNOT_ERROR_TOO_LARGE, and the
 * buffer holds no dump. `buffer` may be NULL when `capacity` is 0. Allocates nothing. */
ANNOT_INLINE annot_result annot_dump_write_memory(annot_dump_writer *writer,
                                                  const annot_dump_info *info, void *buffer,
                                                  size_t capacity, size_t *size);

/* The path of the file that this writer's last annot_dump_write_file left, for messages to users;
 * "" if it left no file. Valid until the writer's next dump. */
ANNOT_API const char *annot_dump_writer_path(const annot_dump_writer *writer);

/* Adds a fact to the file of this writer's last annot_dump_write_file, if the file still has its
 * path and its size. Use it to say later how the hang ended. During the call the file is
 * incomplete. ANNOT_ERROR_INVALID_ARGUMENT: there is no such file; ANNOT_ERROR_IO: another file has
 * that path now, or the file can't be changed. Allocates nothing. Call it on the writer's
 * thread. */
ANNOT_API annot_result annot_dump_writer_add_fact(annot_dump_writer *writer, const char *key,
                                                  const char *value);

/* ---- the exported forms; each takes the sizes of its structs, so that structs can grow ---- */

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
