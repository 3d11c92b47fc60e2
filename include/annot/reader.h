/*
 * For tools: read a dump, walk it, find where the GPU stopped, write reports.
 *
 *     annot_reader *reader;
 *     annot_result result = annot_reader_open_file(NULL, "crash.annotdmp", &reader);
 *     for (size_t i = 0; reader && i < annot_reader_stop_count(reader); i++) {
 *         char path[512];
 *         annot_reader_stop_path(reader, i, path, sizeof path);
 *         puts(path);                                   // Frame 7 / Shadow pass / Cascade 2
 *     }
 *     annot_reader_close(reader);
 *
 * Any bytes give a reader, findings, or an error, and never need more memory than the limits below.
 * Damage becomes findings, and the rest stays readable. Time is O(n log n) in the size of the dump,
 * and linear for dumps that libannot wrote.
 *
 * Things are numbered from 0: streams (what was recorded on one list recording or on one queue),
 * entries (BeginEvent, SetMarker, ... over all streams, in order of recording), submissions,
 * executions (one command list of one submission). An execution and an entry together identify a
 * marker in the GPU's work.
 *
 * Threads: a reader doesn't change after opening; any number of threads may use it.
 */
#ifndef ANNOT_READER_H
#define ANNOT_READER_H

#include "hang.h"
#include "reader_model.h"
#include "text.h"

ANNOT_BEGIN_DECLS

/* ---- reports ---- */

typedef struct annot_report_sink {
    void *user;
    bool (*write)(void *user, const void *data, size_t size); /* false ends the report */
} annot_report_sink;

#define ANNOT_REPORT_NODE_LIMIT ((uint64_t)8 << 20)

/* Longest name in a report, in bytes of UTF-8. A report shows only the beginning of a longer name.
 * JSON has the whole name once, in "names" or "objects"; text says how many names were cut. */
#define ANNOT_REPORT_NAME_LIMIT 400

typedef struct annot_report_options {
    bool all;       /* text: nothing is folded; JSON: also markers of finished executions */
    bool color;     /* ANSI colours */
    bool truecolor; /* text: also markers in the application's 24-bit colours */
    /* most markers that are written; more are counted; 0: ANNOT_REPORT_NODE_LIMIT */
    uint64_t node_limit;
    /* After this many bytes no more markers are written, and the report says so. 0: 8 MiB plus 6
     * times the dump's size, at most 1 GiB, so that no small file makes a large report
     * [ANN-SEC-04]. */
    uint64_t size_limit;
    /* text: the longest line in columns, at least 40; 0: lines don't break */
    uint32_t width;
    /* text, for a terminal that shows UTF-8: lines for the tree's levels, typographic quotes around
     * names, and before the tree a flat list of the work in progress */
    bool branches;
    /* text: only the EventIDs of the markers where the GPU stopped */
    bool no_ids;
    /* shows noted operations inside their scopes: in the tree, and in JSON per execution */
    bool operations;
    /* text, for a program with its own layout: lines LEVEL TAB LABEL TAB WORDS. They say where work
     * stopped, describe the device, and list the losses. The answer, the advice, the facts and the
     * tree are left out. Level 0 is a heading, 1 is a line, and 2 has details of that line. Each
     * place where work stopped begins with a line of level 1 and the label "stop". */
    bool outline;
    /* text: the dump's path, for commands in the report; NULL: the commands say DUMP */
    const char *dump;
} annot_report_options;

/* Writes the text report. `options` may be NULL. Errors: ANNOT_ERROR_IO if the sink refused,
 * ANNOT_ERROR_OUT_OF_MEMORY. */
ANNOT_INLINE annot_result annot_report_text(const annot_reader *reader,
                                            const annot_report_options *options,
                                            const annot_report_sink *sink);

/* Writes the JSON report, one object; docs/DUMP_FORMAT.md describes its members. `options` may be
 * NULL. */
ANNOT_INLINE annot_result annot_report_json(const annot_reader *reader,
                                            const annot_report_options *options,
                                            const annot_report_sink *sink);

/* The beginning of a report. The answer is one line: what happened, and in which scope, operation
 * and shader, as far as known. Advice number n is a paragraph about what to do next. Names of the
 * dump are shortened and escaped in both. Text that doesn't fit is cut; it always has a NUL. Both
 * return the bytes stored without the NUL, and 0 after the last paragraph. */
ANNOT_READER_API size_t annot_reader_answer(const annot_reader *reader, char *buffer,
                                            size_t capacity);
ANNOT_READER_API size_t annot_reader_advice(const annot_reader *reader, size_t index, char *buffer,
                                            size_t capacity);

typedef enum annot_report_format {
    ANNOT_REPORT_TEXT = 1,
    ANNOT_REPORT_JSON = 2
} annot_report_format;

/* Makes a report in memory. *text is NUL-terminated, and *size is its bytes without the NUL;
 * annot_report_free frees it. On failure *text is NULL and *size is 0. `options` and `size` may be
 * NULL. */
ANNOT_INLINE annot_result annot_report_memory(const annot_reader *reader,
                                              annot_report_format format,
                                              const annot_report_options *options, char **text,
                                              size_t *size);

/* NULL is allowed. */
ANNOT_READER_API void annot_report_free(char *text);

/* ---- the exported forms; each takes the sizes of its structs, so that structs can grow ---- */

ANNOT_READER_API annot_result annot_report_text_sized(const annot_reader *reader,
                                                      const annot_report_options *options,
                                                      size_t options_size,
                                                      const annot_report_sink *sink);
ANNOT_INLINE annot_result annot_report_text(const annot_reader *reader,
                                            const annot_report_options *options,
                                            const annot_report_sink *sink)
{
    return annot_report_text_sized(reader, options, sizeof *options, sink);
}

ANNOT_READER_API annot_result annot_report_json_sized(const annot_reader *reader,
                                                      const annot_report_options *options,
                                                      size_t options_size,
                                                      const annot_report_sink *sink);
ANNOT_INLINE annot_result annot_report_json(const annot_reader *reader,
                                            const annot_report_options *options,
                                            const annot_report_sink *sink)
{
    return annot_report_json_sized(reader, options, sizeof *options, sink);
}

ANNOT_READER_API annot_result annot_report_memory_sized(const annot_reader *reader,
                                                        annot_report_format format,
                                                        const annot_report_options *options,
                                                        size_t options_size, char **text,
                                                        size_t *size);
ANNOT_INLINE annot_result annot_report_memory(const annot_reader *reader,
                                              annot_report_format format,
                                              const annot_report_options *options, char **text,
                                              size_t *size)
{
    return annot_report_memory_sized(reader, format, options, sizeof *options, text, size);
}

ANNOT_END_DECLS

#endif
