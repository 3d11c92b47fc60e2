/* The summary of one dump: a flat record of texts and numbers. annot triage compares the summaries
 * of many dumps. docs/TRIAGE.md explains the columns. */
#pragma once

#include "shape.h"

enum { SUMMARY_TEXT_MAX = 256, SUMMARY_FACTS_MAX = 4096 };

enum dump_status {
    DUMP_WHOLE = 0,
    DUMP_DAMAGED = 1,    /* the dump is damaged; only a readable part was read */
    DUMP_UNREADABLE = 2, /* `why` has the reason */
    DUMP_NO_MEMORY = 3   /* memory ran out, so nothing is known about the file */
};

/* SUMMARY_TEXTS and SUMMARY_NUMBERS call a macro for each column of a summary, in order. */
#define SUMMARY_TEXTS(TEXT)                                                                        \
    TEXT(guid)                                                                                     \
    TEXT(application)                                                                              \
    TEXT(app_version) TEXT(adapter) TEXT(driver) TEXT(system) TEXT(writer) TEXT(reason)
#define SUMMARY_NUMBERS(NUMBER)                                                                    \
    NUMBER(queues)                                                                                 \
    NUMBER(lists)                                                                                  \
    NUMBER(submissions)                                                                            \
    NUMBER(markers) NUMBER(stops) NUMBER(dropped) NUMBER(page_faults) NUMBER(step)

#define SUMMARY_TEXT_MEMBER(name)   char name[SUMMARY_TEXT_MAX];
#define SUMMARY_NUMBER_MEMBER(name) uint64_t name;

/* A dump's summary. Texts are escaped and end in NUL; a text that the dump lacks is "". */
struct dump_summary {
    enum dump_status status;
    char why[SUMMARY_TEXT_MAX];
    uint64_t size; /* bytes of the file */
    annot_identity identity;
    uint64_t time; /* when the dump was written, in ns since 1970-01-01 UTC; 0: unknown */
    uint32_t error;
    SUMMARY_TEXTS(SUMMARY_TEXT_MEMBER)
    SUMMARY_NUMBERS(SUMMARY_NUMBER_MEMBER)
    const char *failure; /* the kind of failure, a static text; NULL: the dump was not read */
    char facts[SUMMARY_FACTS_MAX]; /* the application's facts that fit: KEY, tab, VALUE, newline */
    struct shape shape;
};

/* Opens the file, writes its summary to *out, and closes the file. A file that can't be read also
 * gets a summary. Any thread may call the function. */
void summary_of_file(const char *path, struct dump_summary *out);

const char *summary_status_text(enum dump_status status);
/* Writes a time in UTC, "2026-11-22 10:15:00.123456789", or "" if the time is unknown. `capacity`
 * must be at least 32. */
void summary_time_text(uint64_t time, char *buffer, size_t capacity);
