/* Declarations for page_data.c, which makes the columns, and page_json.c, which makes the rest. */
#pragma once

#include "json_writer.h"
#include "page.h"

#define NONE ANNOT_READER_NONE

enum { NAME_MAX_SIZE = 1024 };

struct name;
struct object;

/* clang-format off */
/* Calls BYTE(name) or WORD(name) for each column; the column's numbers have 1 byte or 4 bytes. */
#define COLUMNS(BYTE, WORD)                                                                        \
    BYTE(kind) BYTE(closed) WORD(depth) WORD(name) WORD(step) WORD(link) WORD(color)               \
    WORD(streamFirst) WORD(streamCount) BYTE(streamIsQueue) BYTE(streamIsBundle) BYTE(streamOpen)  \
    BYTE(streamVerdict) WORD(streamRuns) WORD(streamObject) WORD(streamName) WORD(streamStates)    \
    WORD(submissionQueue) WORD(submissionEntry) WORD(submissionSerial) WORD(submissionFirst)       \
    WORD(submissionCount) BYTE(submissionState)                                                    \
    WORD(executionQueue) WORD(executionSubmission) WORD(executionList) WORD(executionStream)       \
    WORD(executionObject) WORD(executionName) BYTE(executionState) BYTE(executionEvidence)         \
    WORD(executionStates)                                                                          \
    WORD(runExecution) WORD(runEntry) BYTE(runState) WORD(runStates)                               \
    WORD(sliceQueue) BYTE(sliceIsSubmit) BYTE(sliceOpen) WORD(sliceSerial) WORD(sliceBegin)        \
    WORD(sliceEnd)                                                                                 \
    BYTE(states)                                                                                   \
    WORD(streamOpFirst) WORD(streamOpCount)                                                        \
    WORD(opNumber) WORD(opName) WORD(opScope) WORD(opBefore)                                       \
    WORD(executionOps)                                                                             \
    WORD(runOps)                                                                                   \
    BYTE(opStates)
/* clang-format on */

#define COLUMN_ENUM(name) COLUMN_##name,
enum { COLUMNS(COLUMN_ENUM, COLUMN_ENUM) COLUMN_COUNT };
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
    uint64_t cut;       /* how many states of executions and bundles the page lacks */
    uint64_t tick, end; /* unit of the slices' times, and the time line's end, in ns; 0: no times */
    bool has_color, has_far_id, is_failed;
};
/* Returns the index of the object in the list of the dump's objects, or NONE. */
uint32_t page_object_of(const struct page *page, uint64_t id);
/* Prepares page_object_of; call page_forget_objects at the end. False means out of memory. */
bool page_index_objects(struct page *page);
void page_forget_objects(struct page *page);
