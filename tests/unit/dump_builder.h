/* Writes dumps for the reader's tests, byte by byte from the format table and independent of
 * lib/dump_write/write.c. Tests read like what was recorded:
 *
 *     struct dump dump = dump_hung();
 *     dump_begin(&dump, "Frame 7");  dump_set(&dump, "sky");  dump_end(&dump);
 *     dump_submitted(&dump);
 *     dump_row(&dump, 21, 1, 0, 0, STARTED, started, completed);
 *     annot_reader *reader = dump_open(&dump, ANNOT_OK);
 */
#pragma once

#include "dump/dump_format.h"

#include <annot/reader.h>

enum { ERROR_NONE = 0, ERROR_HUNG = 7, ERROR_PAGE_FAULT = 9 };
enum { NOT_SAID = 0, NOT_STARTED = 1, STARTED = 2, FINISHED = 3 };

struct dump {
    uint8_t *data;
    size_t size, capacity;
    size_t section; /* offset of the open section's header, 0: none */
    uint32_t kind, index;
    uint64_t records, markers;
    uint64_t next_event;
    uint64_t scopes[128]; /* open ones: EventIDs and where their flags are */
    size_t flags[128];
    unsigned depth;
};

/* Header, DEVICE with a driver report, TEXTs. */
void dump_start(struct dump *dump, uint32_t error, uint32_t order_window);
/* With annot_promise bits. */
void dump_start_promising(struct dump *dump, uint32_t error, uint32_t order_window,
                          uint32_t promises);
/* With this reason. */
void dump_start_because(struct dump *dump, uint32_t error, const char *reason);
/* With this device. */
void dump_start_device(struct dump *dump, const struct annot__dump_DEVICE *device);
struct dump dump_started(uint32_t error, uint32_t order_window);
/* ERROR_HUNG and recording 1 of list 100, whose markers come next. */
struct dump dump_hung(void);
/* The same with annot_promise bits. */
struct dump dump_promising(uint32_t promises);
void dump_section(struct dump *dump, uint32_t kind); /* opens one of this kind unless it is open */
void dump_new_section(struct dump *dump, uint32_t kind);
void dump_finish(struct dump *dump);      /* END, hash, magic */
void dump_sign_header(struct dump *dump); /* makes the header's hash fit again */
void dump_free(struct dump *dump);

/* Any record. */
void dump_record(struct dump *dump, uint32_t kind, const void *fixed, size_t fixed_size,
                 const void *variable, size_t variable_size);

#define DUMP_PUT(name, kind, doc, variable)                                                        \
    void dump_put_##name(struct dump *dump, const struct annot__dump_##name *fields,               \
                         const void *bytes, size_t size);
ANNOT__DUMP_RECORDS(DUMP_PUT)
#undef DUMP_PUT

/* One with these fields, without a variable part and with one: dump_add(&dump, OPS, .log = 2). */
#define dump_add(dump, name, ...)                                                                  \
    dump_put_##name(dump, &(struct annot__dump_##name){__VA_ARGS__}, NULL, 0)
#define dump_add_with(dump, name, bytes, size, ...)                                                \
    dump_put_##name(dump, &(struct annot__dump_##name){__VA_ARGS__}, bytes, size)

/* NULL: nothing. */
void dump_text(struct dump *dump, uint32_t role, const char *words);
void dump_fact(struct dump *dump, uint32_t source, const char *key, const char *value);
void dump_object(struct dump *dump, uint64_t id, uint32_t kind, const char *name);
void dump_recording(struct dump *dump, uint64_t id, uint64_t object);
void dump_queue(struct dump *dump, uint64_t object, uint64_t submitted, uint64_t completed);

/* Markers with Metadata 1 on the recording or queue opened last; they return the EventID. */
uint64_t dump_begin(struct dump *dump, const char *name);
uint64_t dump_set(struct dump *dump, const char *name);
void dump_end(struct dump *dump); /* without an open scope: SURPLUS_END */
uint64_t dump_marker(struct dump *dump, bool is_scope, uint32_t metadata, const void *data,
                     size_t size);
void dump_bundle(struct dump *dump, uint32_t ordinal, uint64_t recording, uint64_t object);

/* Queue 21, and its only submission, which executes recording 1. */
void dump_submitted(struct dump *dump);
/* List i of the submission is object 100 + i. */
void dump_submit(struct dump *dump, uint64_t serial, uint32_t count, const uint64_t *recordings);
/* A row that follows both EventIDs. */
void dump_row(struct dump *dump, uint64_t queue, uint64_t submission, uint32_t list,
              uint32_t bundle, uint32_t state, uint64_t started, uint64_t completed);

/* Finishes the dump unless it is, and opens it; the test fails unless the answer is `expected`.
 * NULL when that is an error. */
annot_reader *dump_open(struct dump *dump, annot_result expected);

/* dump_execution_at(reader, index), ...: the test fails unless there is one. */
#define DUMP_AT(name)                                                                              \
    annot_reader_##name dump_##name##_at(const annot_reader *reader, uint32_t index)
DUMP_AT(execution);
DUMP_AT(stop);
DUMP_AT(stream);
DUMP_AT(submission);
DUMP_AT(crumbs);

/* How often the reader found this. */
uint64_t dump_found(const annot_reader *reader, annot_finding_kind kind);

/* A report as a string that the caller frees: OWNED char *text = report_of(reader, false, NULL). */
#define OWNED AT_END(at_end_free)
char *report_of(const annot_reader *reader, bool is_json, const annot_report_options *options);
/* The same of a dump, as dump_open opens it. */
char *dump_report(struct dump *dump, bool is_json, const annot_report_options *options);

/* How often the text has the part. */
uint32_t report_count(const char *text, const char *part);

/* The frame that the tests damage: two queues, a bundle executed twice, crossing scopes, PIX blobs,
 * rows. */
struct dump dump_frame(void);
