/*
 * What hung, found once when a dump is opened: the suspects in order, the queues that wait for
 * them, and other facts of the failure. All outputs use this record: reports, pages, comparisons,
 * signatures and timelines [ANN-TRUTH-08].
 *
 *     annot_reader_suspect suspect;
 *     for (size_t i = 0; annot_reader_suspect_at(reader, i, &suspect); i++) {
 *         char path[512];
 *         annot_reader_suspect_path(reader, i, path, sizeof path);
 *     }
 *
 * A part of annot/reader.h. Threads: as there.
 */
#ifndef ANNOT_HANG_H
#define ANNOT_HANG_H

#include "reader_model.h"

ANNOT_BEGIN_DECLS

/* Why a queue is suspected. */
typedef enum annot_suspect_role {
    ANNOT_SUSPECT_GUILTY = 1, /* the kernel or its driver calls the queue guilty [ANN-TRUTH-06] */
    ANNOT_SUSPECT_IN_PROGRESS = 2, /* the GPU worked on it */
    ANNOT_SUSPECT_MAY_BE =
        3, /* its work is not known to be done, and nothing says how far it got */
    ANNOT_SUSPECT_WAITING = 4, /* its next work has not started */
    ANNOT_SUSPECT_CLEARED = 5 /* it is called guilty, but memory proves that all its work is done */
} annot_suspect_role;

/* How much the dump knows of a suspect; the first value means the most. */
typedef enum annot_suspect_place {
    ANNOT_SUSPECT_IN_LIST = 1,       /* a command list in progress */
    ANNOT_SUSPECT_BETWEEN_LISTS = 2, /* the gap before a list, in a submission that has begun */
    ANNOT_SUSPECT_COUNTED = 3,       /* breadcrumbs of a list whose markers were not kept */
    ANNOT_SUSPECT_STARTED = 4, /* a list that started, by the driver's report, but was not kept */
    ANNOT_SUSPECT_SUBMISSION = 5, /* this submission or a later one of its queue */
    ANNOT_SUSPECT_NOT_KEPT = 6,   /* this submission or a later one; the submission was not kept */
    ANNOT_SUSPECT_QUEUE = 7       /* a queue; the dump keeps none of its work */
} annot_suspect_place;

typedef enum annot_operation_certainty {
    ANNOT_OPERATION_NONE = 0,
    ANNOT_OPERATION_COUNTED = 1, /* breadcrumbs say which kind it is */
    ANNOT_OPERATION_AMONG = 2,   /* one of several that may have been in flight: one at the address
                                    of a fault, or the oldest, by breadcrumbs, or the last */
    ANNOT_OPERATION_CERTAIN = 3
} annot_operation_certainty;

/* Evidence for and against a suspect, as bits. */
typedef enum annot_witness {
    ANNOT_WITNESS_FENCE = 1,         /* fences in memory */
    ANNOT_WITNESS_DRIVER = 2,        /* the driver's report */
    ANNOT_WITNESS_CRUMBS = 4,        /* the runtime's breadcrumbs */
    ANNOT_WITNESS_KERNEL = 8,        /* the engine that the kernel reset */
    ANNOT_WITNESS_KERNEL_DRIVER = 16 /* the kernel-mode driver */
} annot_witness;

typedef struct annot_reader_suspect {
    annot_suspect_role role;
    annot_suspect_place place;
    uint64_t queue_object;
    uint32_t queue;      /* stream; ANNOT_READER_NONE: the dump has nothing of the queue */
    uint32_t submission; /* index of its submission, or ANNOT_READER_NONE */
    uint64_t serial;     /* number of the submission; 0: not known */
    uint32_t execution;  /* an execution of the list, or ANNOT_READER_NONE */
    uint32_t list;       /* its place in the submission, from 0 */
    uint32_t stop;       /* its number for annot_reader_stop_at, or ANNOT_READER_NONE */
    uint32_t crumbs;     /* breadcrumbs of its list or bundle, or ANNOT_READER_NONE */
    uint32_t begin;      /* a BeginEvent that is not done, or ANNOT_READER_NONE */
    uint32_t op;         /* D3D12_AUTO_BREADCRUMB_OP of the operation, or ANNOT_READER_NONE */
    annot_operation_certainty certainty;
    uint32_t candidates; /* number of operations that may have been in flight, with this one; 0: not
                            known */
    uint32_t witnesses, against; /* annot_witness */
    uint64_t dropped;            /* number of markers of its list that were lost */
    bool is_begun;               /* the submission is known to have begun */
    bool is_exact;               /* the innermost scope is certain */
    bool is_at_fault;            /* an operation of it uses the faulting address */
    bool is_call;                /* its innermost scope was made by a layer, around the operation */
    uint32_t noted, noted_stream; /* for the library only */
    bool mixes_threads; /* several threads marked the queue around it, so the path may be wrong */
    uint32_t last;      /* the last candidate: its number in its list or bundle, from 0;
                           ANNOT_READER_NONE: there is no other, or it is in another list */
    bool runs_on;       /* work of other lists of its submission may have been in flight, too */
} annot_reader_suspect;

ANNOT_READER_API size_t annot_reader_suspect_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_suspect_at(const annot_reader *reader, size_t index,
                                          annot_reader_suspect *out);

/* The open scopes at the suspect's place, in the form of annot_reader_stop_path. */
ANNOT_READER_API size_t annot_reader_suspect_path(const annot_reader *reader, size_t index,
                                                  char *buffer, size_t capacity);

/* A queue that waits: its next work has not started, and no evidence makes it a suspect. */
typedef struct annot_reader_wait {
    uint32_t queue; /* stream */
    uint32_t
        submission;  /* the oldest submission that has not started; ANNOT_READER_NONE: not kept */
    uint64_t serial; /* serial of that submission */
    uint64_t count;  /* number of submissions that have not started */
    uint64_t fence;  /* object that the queue waits for; 0: not known, or it waits for its turn */
    uint64_t value,
        reached;        /* the value that the queue waits for, and the fence's last known value */
    uint64_t signaller; /* a queue with a pending Signal that ends the wait; 0: no queue */
    uint32_t suspect; /* the signaller's number for annot_reader_suspect_at, or ANNOT_READER_NONE */
} annot_reader_wait;

ANNOT_READER_API size_t annot_reader_wait_count(const annot_reader *reader);
ANNOT_INLINE bool annot_reader_wait_at(const annot_reader *reader, size_t index,
                                       annot_reader_wait *out);

/* FAILURE(name, number, word, sentence): what kind of failure a dump shows. A number and a word
 * keep their meaning for ever. FAULT and HANG are for dumps that do not tell more. */
#define ANNOT_FAILURES(FAILURE)                                                                    \
    FAILURE(NONE, 0, "none", "the device had not failed")                                          \
    FAILURE(FAULT_FREED, 1, "fault_freed", "the GPU used memory of a destroyed object")            \
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
    ANNOT_CERTAINTY_UNKNOWN = 0, /* the dump does not tell whether it was so */
    ANNOT_CERTAINTY_LIKELY = 1,  /* nothing speaks against it, but something else is possible */
    ANNOT_CERTAINTY_CERTAIN = 2
} annot_certainty;

/* SOURCE(name, bit, word): what a dump can hold that tells what failed. */
#define ANNOT_SOURCES(SOURCE)                                                                      \
    SOURCE(KERNEL, 1, "kernel")           /* what the kernel or its driver said of the reset */    \
    SOURCE(REPORT, 2, "report")           /* the driver's report, or a layer's */                  \
    SOURCE(BREADCRUMBS, 4, "breadcrumbs") /* operations that the GPU was done with */              \
    SOURCE(FENCES, 8, "fences")           /* which submissions were complete */                    \
    SOURCE(WAITS, 16, "waits")            /* fences that queues wait for */                        \
    SOURCE(ADDRESSES, 32, "addresses")    /* objects with their addresses */                       \
    SOURCE(ANNOTATIONS, 64, "annotations")                                                         \
    SOURCE(MESSAGES, 128, "messages") /* the runtime's last messages */

#define ANNOT_SOURCE_ENUM(name, bit, word) ANNOT_SOURCE_##name = bit,
typedef enum annot_source { ANNOT_SOURCES(ANNOT_SOURCE_ENUM) } annot_source;
#undef ANNOT_SOURCE_ENUM

/* The word and the sentence of a kind; those of LOST for a number without a name. Static. */
ANNOT_READER_API const char *annot_failure_word(uint32_t failure);
ANNOT_READER_API const char *annot_failure_sentence(uint32_t failure);
/* "certain", "likely" or "unknown". Static. */
ANNOT_READER_API const char *annot_certainty_word(uint32_t certainty);

typedef struct annot_reader_hang {
    uint64_t guilty; /* the queue that the kernel or its driver names; 0: none */
    uint32_t failed; /* if the application crashed: the recording of the thread that failed, or the
                        only open one; ANNOT_READER_NONE: not known */
    uint32_t recording;       /* command lists that were being recorded */
    bool is_guilty_by_driver; /* the kernel-mode driver names it; false: its engine was reset */
    bool is_ordered;          /* a setting of the emulator caused the hang */
    bool is_anothers;         /* the kernel says that another process's work was reset */
    bool has_unfinished;      /* some work is not known to be done */
    uint64_t fault_address;   /* address of a page fault; 0: no evidence of a page fault */
    uint64_t fault_otherwise; /* another address, by `fault_against` */
    uint32_t fault_witnesses, fault_against; /* annot_witness; CRUMBS: the runtime's DRED */
    annot_text slow;    /* how long the work took, if it finished after all; "": it hangs */
    uint32_t failure;   /* annot_failure */
    uint32_t certainty; /* annot_certainty: how sure the kind is */
    uint32_t available, cut_sources; /* annot_source: what the dump has, and what it has not all of;
                                        the others are absent */
} annot_reader_hang;

ANNOT_INLINE void annot_reader_get_hang(const annot_reader *reader, annot_reader_hang *out);

/* ---- what the library exports ---- */

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
