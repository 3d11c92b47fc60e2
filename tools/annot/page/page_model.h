/* The declarations that page_data.c (the columns) and page_json.c (the rest of the data) share. */
#pragma once

#include "json_writer.h"
#include "page.h"

#define NONE ANNOT_READER_NONE

enum { NAME_MAX_SIZE = 1024 };

struct name;
struct object;

/* Calls COLUMN(name, bytes of each number) for each column. */
#define COLUMNS(COLUMN)                                                                            \
    COLUMN(kind, 1)                                                                                \
    COLUMN(closed, 1)                                                                              \
    COLUMN(depth, 4)                                                                               \
    COLUMN(name, 4)                                                                                \
    COLUMN(step, 4)                                                                                \
    COLUMN(link, 4)                                                                                \
    COLUMN(color, 4)                                                                               \
    COLUMN(streamFirst, 4)                                                                         \
    COLUMN(streamCount, 4)                                                                         \
    COLUMN(streamIsQueue, 1)                                                                       \
    COLUMN(streamIsBundle, 1)                                                                      \
    COLUMN(streamOpen, 1)                                                                          \
    COLUMN(streamVerdict, 1)                                                                       \
    COLUMN(streamRuns, 4)                                                                          \
    COLUMN(streamObject, 4)                                                                        \
    COLUMN(streamName, 4)                                                                          \
    COLUMN(streamStates, 4)                                                                        \
    COLUMN(submissionQueue, 4)                                                                     \
    COLUMN(submissionEntry, 4)                                                                     \
    COLUMN(submissionSerial, 4)                                                                    \
    COLUMN(submissionFirst, 4)                                                                     \
    COLUMN(submissionCount, 4)                                                                     \
    COLUMN(submissionState, 1)                                                                     \
    COLUMN(executionQueue, 4)                                                                      \
    COLUMN(executionSubmission, 4)                                                                 \
    COLUMN(executionList, 4)                                                                       \
    COLUMN(executionStream, 4)                                                                     \
    COLUMN(executionObject, 4)                                                                     \
    COLUMN(executionName, 4)                                                                       \
    COLUMN(executionState, 1)                                                                      \
    COLUMN(executionEvidence, 1)                                                                   \
    COLUMN(executionStates, 4)                                                                     \
    COLUMN(runExecution, 4)                                                                        \
    COLUMN(runEntry, 4)                                                                            \
    COLUMN(runState, 1)                                                                            \
    COLUMN(runStates, 4)                                                                           \
    COLUMN(sliceQueue, 4)                                                                          \
    COLUMN(sliceIsSubmit, 1)                                                                       \
    COLUMN(sliceOpen, 1)                                                                           \
    COLUMN(sliceSerial, 4)                                                                         \
    COLUMN(sliceBegin, 4)                                                                          \
    COLUMN(sliceEnd, 4)                                                                            \
    COLUMN(states, 1)                                                                              \
    COLUMN(streamOpFirst, 4)                                                                       \
    COLUMN(streamOpCount, 4)                                                                       \
    COLUMN(opNumber, 4)                                                                            \
    COLUMN(opName, 4)                                                                              \
    COLUMN(opScope, 4)                                                                             \
    COLUMN(opBefore, 4)                                                                            \
    COLUMN(executionOps, 4)                                                                        \
    COLUMN(runOps, 4)                                                                              \
    COLUMN(opStates, 1)

#define COLUMN_ENUM(name, width) COLUMN_##name,
enum { COLUMNS(COLUMN_ENUM) COLUMN_COUNT };
#undef COLUMN_ENUM

struct page {
    const annot_reader *reader;
    const char *dump; /* path of the dump */
    struct cli_bytes columns[COLUMN_COUNT];
    struct cli_bytes names, far_ids; /* JSON texts, without brackets */
    struct name *name_table;
    struct object *object_table;
    uint32_t name_count;
    uint64_t states_left, last_id;
    uint64_t cut; /* number of executions, and of bundles in executions, that have no states in the
                     page */
    uint64_t tick,
        end; /* in ns, the unit of the slices' times and the timeline's end; 0: no times */
    bool has_color, has_far_id, is_failed;
};
/* Returns the object's index among the dump's objects, or NONE. */
uint32_t page_object_of(const struct page *page, uint64_t id);
/* Call page_index_objects before the first page_object_of, and page_forget_objects at the end.
 * False means out of memory. */
bool page_index_objects(struct page *page);
void page_forget_objects(struct page *page);
