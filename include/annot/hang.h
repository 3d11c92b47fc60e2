/*
 * The facts of a failure: the suspects in order, the queues that wait for suspects, and more. The
 * reader finds these facts once, when it opens a dump. All outputs use the same facts: reports,
 * pages, comparisons, signatures and timelines [ANN-TRUTH-08].
 *
 *     annot_reader_suspect suspect;
 *     for (size_t i = 0; annot_reader_suspect_at(reader, i, &suspect); i++) {
 *         char path[512];
 *         annot_reader_suspect_path(reader, i, path, sizeof path);
 *     }
 *
 * annot/reader.h includes this header. The threads of annot/reader.h may call these functions.
 */
#ifndef ANNOT_HANG_H
#define ANNOT_HANG_H

#include "reader_model.h"

ANNOT_BEGIN_DECLS

/* The reason why the reader suspects a queue. */
typedef enum annot_suspect_role {
    ANNOT_SUSPECT_GUILTY = 1, /* the kernel or its driver calls the queue guilty [ANN-TRUTH-06] */
    ANNOT_SUSPECT_IN_PROGRESS = 2, /* evidence shows that the GPU was working on the queue */
    ANNOT_SUSPECT_MAY_BE = 3,      /* some work of the queue may be unfinished */
    ANNOT_SUSPECT_WAITING = 4,     /* the queue's next work has not started, or waits inside */
    ANNOT_SUSPECT_CLEARED = 5      /* the queue is called guilty, but all its work is done */
} annot_suspect_role;

/* How precisely the dump knows a suspect's place, from the most precise to the least precise. */
typedef enum annot_suspect_place {
    ANNOT_SUSPECT_IN_LIST = 1,       /* the suspect is a command list in progress */
    ANNOT_SUSPECT_BETWEEN_LISTS = 2, /* the GPU stopped before a list; its submission has begun */
    ANNOT_SUSPECT_COUNTED = 3, /* the list's markers are lost, but its breadcrumbs show the place */
    /* a list that has started, as the driver says; the dump lacks the list */
    ANNOT_SUSPECT_STARTED = 4,
    ANNOT_SUSPECT_SUBMISSION = 5, /* this submission, or a later submission of the queue */
    ANNOT_SUSPECT_NOT_KEPT = 6,   /* a submission that the dump lacks, or a later submission */
    ANNOT_SUSPECT_QUEUE = 7       /* a queue whose work is not in the dump */
} annot_suspect_place;

typedef enum annot_operation_certainty {
    ANNOT_OPERATION_NONE = 0,
    ANNOT_OPERATION_COUNTED = 1, /* breadcrumbs show which kind of operation it is */
    /* One of several operations that may have been in flight: an operation at the address of a
     * fault, or the oldest operation by breadcrumbs, or the last operation. */
    ANNOT_OPERATION_AMONG = 2,
    ANNOT_OPERATION_CERTAIN = 3
} annot_operation_certainty;

/* Sources of evidence for or against a suspect, as bits. */
typedef enum annot_witness {
    ANNOT_WITNESS_FENCE = 1,         /* fences in memory */
    ANNOT_WITNESS_DRIVER = 2,        /* the driver's report */
    ANNOT_WITNESS_CRUMBS = 4,        /* the runtime's breadcrumbs */
    ANNOT_WITNESS_KERNEL = 8,        /* the kernel: it reset the engine */
    ANNOT_WITNESS_KERNEL_DRIVER = 16 /* the kernel-mode driver */
} annot_witness;

typedef struct annot_reader_suspect {
    annot_suspect_role role;
    annot_suspect_place place;
    uint64_t queue_object;
    uint32_t queue;      /* stream of the suspected queue's markers, or ANNOT_READER_NONE */
    uint32_t submission; /* index of the suspect's submission, or ANNOT_READER_NONE */
    uint64_t serial;     /* serial of the submission; 0: not known */
    uint32_t execution;  /* index of the execution of the list, or ANNOT_READER_NONE */
    uint32_t list;       /* index of the list in the submission */
    uint32_t stop;       /* index for annot_reader_stop_at, or ANNOT_READER_NONE */
    uint32_t crumbs;     /* index of breadcrumbs of the list or bundle, or ANNOT_READER_NONE */
    uint32_t begin;      /* entry of the BeginEvent that is not done, or ANNOT_READER_NONE */
    uint32_t op;         /* D3D12_AUTO_BREADCRUMB_OP of the operation, or ANNOT_READER_NONE */
    annot_operation_certainty certainty;
    /* Number of operations that may have been in flight, including this one; 0: not known. */
    uint32_t candidates;
    uint32_t witnesses, against; /* annot_witness */
    uint64_t dropped;            /* number of the list's markers that the dump lacks */
    bool is_begun;               /* true if the submission is known to have begun */
    bool is_exact;               /* true if the path's innermost scope is certain */
    bool is_at_fault;            /* true if an operation of the suspect uses the faulting address */
    bool is_call;                /* true if a layer made the innermost scope for one operation */
    uint32_t noted, noted_stream; /* for the library only */
    /* Several threads put markers around the suspect into the queue, so the path may be wrong. */
    bool mixes_threads;
    /* The last candidate's index in its list or bundle. ANNOT_READER_NONE: only one candidate. */
    uint32_t last;
    bool runs_on; /* true if other lists of the submission may also have been in flight */
} annot_reader_suspect;

ANNOT_READER_API size_t annot_reader_suspect_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_suspect_at(const annot_reader *reader, size_t index,
                                          annot_reader_suspect *out);

/* Writes the open scopes at the place of suspect `index`, as annot_reader_stop_path does. */
ANNOT_READER_API size_t annot_reader_suspect_path(const annot_reader *reader, size_t index,
                                                  char *buffer, size_t capacity);

/* A queue that waits: the queue's next work has not started, and no evidence makes the queue a
 * suspect. In the last elements, the program's CPU waits instead of a queue. */
typedef struct annot_reader_wait {
    uint32_t queue;      /* stream; ANNOT_READER_NONE: the CPU */
    uint32_t submission; /* oldest submission that has not started, or ANNOT_READER_NONE */
    uint64_t serial;     /* serial of that submission */
    uint64_t count;      /* number of the queue's submissions that have not started */
    /* The fence for which the queue waits. 0: not known, or the queue only waits for an engine. */
    uint64_t fence;
    /* The value for which the queue waits, and the fence's last known value. */
    uint64_t value, reached;
    uint64_t signaller; /* a queue with a pending Signal that ends the wait; 0: no queue */
    /* index of the signaller's suspect for annot_reader_suspect_at, or ANNOT_READER_NONE */
    uint32_t suspect;
    /* Index of the signaller's own wait in annot_reader_wait_at if both queues wait for ever.
     * Otherwise ANNOT_READER_NONE. */
    uint32_t next;
    bool is_in_circle;
    uint32_t flags; /* annot_wait_flags of the fence */
    /* `given`: highest value that a queue was ever told to signal; `giver`: that queue, or 0 */
    uint64_t given, giver;
    uint64_t waited; /* ns since the call that began the wait; 0: not known */
    uint32_t list;   /* n: the queue waits in the submission's n-th list; 0: it waits before it */
} annot_reader_wait;

ANNOT_READER_API size_t annot_reader_wait_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_wait_at(const annot_reader *reader, size_t index,
                                       annot_reader_wait *out);

/* Calls FAILURE(name, number, word, sentence) for each kind of failure that a dump can show. A
 * number or word never changes its meaning. FAULT and HANG mean that the dump tells no more. */
#define ANNOT_FAILURES(FAILURE)                                                                    \
    FAILURE(NONE, 0, "none", "the device had not failed")                                          \
    FAILURE(FAULT_FREED, 1, "fault_freed", "the GPU used freed memory")                            \
    FAILURE(FAULT_LIVE, 2, "fault_live", "the GPU could not use memory of a live object")          \
    FAILURE(FAULT_BEYOND, 3, "fault_beyond", "the GPU used memory next to an object, but outside") \
    FAILURE(FAULT_NOWHERE, 4, "fault_nowhere", "the GPU used memory far from every known object")  \
    FAILURE(FAULT, 5, "fault", "the GPU used memory that it could not; its owner is not known")    \
    FAILURE(HANG_OPERATION, 6, "hang_operation", "the GPU did not get past one operation")         \
    FAILURE(HANG_QUEUE, 7, "hang_queue", "the GPU did not get past the work of a queue")           \
    FAILURE(HANG, 8, "hang", "the GPU made no progress; where is not known")                       \
    FAILURE(DEADLOCK, 9, "deadlock", "queues wait for fences that no running work will signal")    \
    FAILURE(SLOW, 10, "slow", "the GPU finished the work, but not in the time that it had")        \
    FAILURE(RESET, 11, "reset", "work of another process made the GPU reset")                      \
    FAILURE(REFUSED, 12, "refused", "the runtime or its debug layer refused a call")               \
    FAILURE(APPLICATION, 13, "application", "the application failed, not the device")              \
    FAILURE(LOST, 14, "lost", "the device was lost for another reason")

#define ANNOT_FAILURE_ENUM(name, number, word, sentence) ANNOT_FAILURE_##name = number,
typedef enum annot_failure { ANNOT_FAILURES(ANNOT_FAILURE_ENUM) } annot_failure;
#undef ANNOT_FAILURE_ENUM

typedef enum annot_certainty {
    ANNOT_CERTAINTY_UNKNOWN = 0, /* the dump doesn't tell the kind of failure */
    ANNOT_CERTAINTY_LIKELY = 1,  /* the failure is likely, but other failures are possible */
    ANNOT_CERTAINTY_CERTAIN = 2
} annot_certainty;

/* Calls SOURCE(name, bit, word) for each source of evidence that a dump can hold. */
#define ANNOT_SOURCES(SOURCE)                                                                      \
    SOURCE(KERNEL, 1, "kernel") /* what the kernel or its driver reported about the reset */       \
    SOURCE(REPORT, 2, "report") /* the crash report of a driver or layer */                        \
    SOURCE(BREADCRUMBS, 4, "breadcrumbs") /* breadcrumbs: counts of finished operations */         \
    SOURCE(FENCES, 8, "fences")           /* which submissions were complete */                    \
    SOURCE(WAITS, 16, "waits")            /* waits: the fences that queues wait for */             \
    SOURCE(ADDRESSES, 32, "addresses")    /* addresses of objects */                               \
    SOURCE(ANNOTATIONS, 64, "annotations")                                                         \
    SOURCE(MESSAGES, 128, "messages") /* messages: the runtime's last messages */

#define ANNOT_SOURCE_ENUM(name, bit, word) ANNOT_SOURCE_##name = bit,
typedef enum annot_source { ANNOT_SOURCES(ANNOT_SOURCE_ENUM) } annot_source;
#undef ANNOT_SOURCE_ENUM

/* The two functions return the static word and sentence of a failure, or the texts of LOST for an
 * unknown number. */
ANNOT_READER_API const char *annot_failure_word(uint32_t failure);
ANNOT_READER_API const char *annot_failure_sentence(uint32_t failure);
/* Returns "certain", "likely" or "unknown". The text is static. */
ANNOT_READER_API const char *annot_certainty_word(uint32_t certainty);

typedef struct annot_reader_hang {
    uint64_t guilty; /* the queue that the kernel or its driver names as guilty; 0: no queue */
    /* If the application crashed, this is the list recording of the thread that failed, or the only
     * open recording. Otherwise ANNOT_READER_NONE. */
    uint32_t failed;
    uint32_t recording; /* number of command lists that were being recorded */
    /* True: the kernel-mode driver calls the queue guilty. False: the kernel reset the engine. */
    bool is_guilty_by_driver;
    bool is_ordered;          /* true if a setting of the emulator caused the hang */
    bool is_anothers;         /* true if the kernel reset the work of another process */
    bool has_unfinished;      /* true if the dump has work that may be unfinished */
    uint64_t fault_address;   /* address of a page fault; 0: there is no evidence of a page fault */
    uint64_t fault_otherwise; /* the address that the sources in `fault_against` report instead */
    /* bits of annot_witness: sources for and against fault_address; CRUMBS means DRED */
    uint32_t fault_witnesses, fault_against;
    /* How long the work took, if the work finished after all. "": the work hangs. */
    annot_text slow;
    uint32_t failure;   /* annot_failure */
    uint32_t certainty; /* annot_certainty of the kind */
    /* Bits of annot_source: the dump's sources, and the sources that are in the dump only in part.
     * The dump lacks all other sources. */
    uint32_t available, cut_sources;
} annot_reader_hang;

ANNOT_INLINE void annot_reader_get_hang(const annot_reader *reader, annot_reader_hang *out);

/* ---- exported functions; each takes the sizes of its structs, so that structs can grow ---- */

ANNOT_READER_API bool annot_reader_suspect_at_sized(const annot_reader *reader, size_t index,
                                                    annot_reader_suspect *out, size_t out_size);
ANNOT_INLINE bool annot_reader_suspect_at(const annot_reader *reader, size_t index,
                                          annot_reader_suspect *out)
{
    return annot_reader_suspect_at_sized(reader, index, out, sizeof *out);
}

ANNOT_READER_API bool annot_reader_wait_at_sized(const annot_reader *reader, size_t index,
                                                 annot_reader_wait *out, size_t out_size);
ANNOT_INLINE bool annot_reader_wait_at(const annot_reader *reader, size_t index,
                                       annot_reader_wait *out)
{
    return annot_reader_wait_at_sized(reader, index, out, sizeof *out);
}

ANNOT_READER_API void annot_reader_get_hang_sized(const annot_reader *reader,
                                                  annot_reader_hang *out, size_t out_size);
ANNOT_INLINE void annot_reader_get_hang(const annot_reader *reader, annot_reader_hang *out)
{
    annot_reader_get_hang_sized(reader, out, sizeof *out);
}

ANNOT_END_DECLS

#endif
