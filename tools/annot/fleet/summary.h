/* The summary of one dump for the triage of many dumps: a flat record of texts and numbers.
 * docs/TRIAGE.md explains its columns. */
#pragma once

#include "json_writer.h"
#include "shape.h"

enum { SUMMARY_SCHEMA = 2, SUMMARY_TEXT_MAX = 256 };

enum dump_status {
    DUMP_WHOLE = 0,
    DUMP_DAMAGED = 1,    /* the dump is damaged, and only its readable part was read */
    DUMP_UNREADABLE = 2, /* `why` has the reason */
    DUMP_NO_MEMORY = 3   /* memory ran out, so nothing is known of the file */
};

/* The texts and numbers of a summary. Tables and exports use these names, in this order. */
#define SUMMARY_TEXTS(TEXT)                                                                        \
    TEXT(guid)                                                                                     \
    TEXT(application)                                                                              \
    TEXT(app_version) TEXT(adapter) TEXT(driver) TEXT(system) TEXT(writer) TEXT(reason)
#define SUMMARY_NUMBERS(NUMBER)                                                                    \
    NUMBER(queues)                                                                                 \
    NUMBER(lists)                                                                                  \
    NUMBER(submissions) NUMBER(markers) NUMBER(stops) NUMBER(dropped) NUMBER(page_faults)

#define SUMMARY_TEXT_MEMBER(name)   char name[SUMMARY_TEXT_MAX];
#define SUMMARY_NUMBER_MEMBER(name) uint64_t name;

/* The summary of a dump. Texts are escaped and NUL-terminated; "" if the dump lacks the text. */
struct dump_summary {
    enum dump_status status;
    char why[SUMMARY_TEXT_MAX];
    uint64_t size; /* bytes of the file */
    annot_identity identity;
    uint64_t time; /* nanoseconds since 1970-01-01 UTC; 0: unknown */
    uint32_t error;
    SUMMARY_TEXTS(SUMMARY_TEXT_MEMBER)
    SUMMARY_NUMBERS(SUMMARY_NUMBER_MEMBER)
    const char *failure; /* the failure's kind as static text; NULL: the dump was not read */
    struct shape shape;
};

/* Summarises an open dump. */
void summary_of(const annot_reader *reader, bool is_damaged, struct dump_summary *out);
/* Opens the file, summarises it and closes it. Every file gets a summary, even a file that can't be
 * read. Any thread may call it. */
void summary_of_file(const char *path, struct dump_summary *out);

const char *summary_status_text(enum dump_status status);
/* Writes a time in UTC: "2026-11-22 10:15:00.123456789", or "" for an unknown time. `capacity` must
 * be at least 32. */
void summary_time_text(uint64_t time, char *buffer, size_t capacity);

/* Writes the summary as one JSON object: a line of NDJSON. */
void summary_write(struct annot__json *out, const char *file, const struct dump_summary *summary);
