/* A dump as its bytes say, read with nothing but the format's description: every frame, padding,
 * hash and count is checked on the way. For tests of the writer. */
#pragma once

#include "sink.h"

#include <annot/dump.h>

enum {
    SECTION_ABOUT = 1,
    SECTION_OBJECTS,
    SECTION_LISTS,
    SECTION_QUEUES,
    SECTION_EVIDENCE,
    SECTION_END
};

enum {
    RECORD_DEVICE = 1,
    RECORD_TEXT,
    RECORD_LOSS,
    RECORD_OBJECT,
    RECORD_RECORDING,
    RECORD_BEGIN,
    RECORD_SET,
    RECORD_SURPLUS_END,
    RECORD_BUNDLE,
    RECORD_QUEUE,
    RECORD_SUBMISSION,
    RECORD_PROGRESS,
    RECORD_FAULT,
    RECORD_BLOB,
    RECORD_END,
    RECORD_FACT = 17,
    RECORD_NAME = 26
};

struct dump_record {
    uint32_t section, kind, fixed, variable;
    const unsigned char *fields, *bytes;
};

struct dump {
    unsigned char *bytes;
    size_t size, capacity;
    struct dump_record *records;
    size_t count;
    size_t sections;
    unsigned writes, finishes;
};

/* Gathers what a writer writes. */
annot_dump_sink taken_sink(struct dump *into);

/* NULL, or what is wrong with the bytes. Fills in the records. */
const char *taken_parse(struct dump *d);

/* Writes, parses, asserts that both went well. */
struct dump taken_from(annot_device *device, const annot_dump_info *info);
void taken_free(struct dump *d);

uint32_t taken_u32(const struct dump_record *record, size_t at);
uint64_t taken_u64(const struct dump_record *record, size_t at);

/* The next record of the kind behind index *at, or NULL; moves *at. Start with 0. */
const struct dump_record *taken_next(const struct dump *d, uint32_t kind, size_t *at);
size_t taken_count(const struct dump *d, uint32_t kind);

/* The count of the LOSS records of this sort. */
uint64_t taken_loss(const struct dump *d, uint32_t what);

/* The BEGIN or SET with this EventID, or NULL. */
const struct dump_record *taken_marker(const struct dump *d, uint64_t id);

/* Prints records for comparison with a text. EventIDs and recordings are numbered by their first
 * places; serials, and numbers of submissions, count from these. */
struct taken_print {
    struct kept text; /* the caller frees text.data */
    struct taken_ids {
        uint64_t known[16384];
        size_t count;
    } events, recordings;
    uint64_t serial, number;
};

void taken_print(struct taken_print *to, const struct dump_record *record);
uint64_t taken_number(struct taken_ids *ids, uint64_t id);
__attribute__((format(printf, 2, 3))) void taken_say(struct kept *to, const char *format, ...);
