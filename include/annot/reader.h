/*
 * For tools: opens a dump, reads its contents, finds where the GPU stopped, and writes reports.
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
 * Any input gives a reader with findings, or an error, within the memory limits of
 * annot_reader_desc. Damage becomes findings, and the rest of the dump stays readable. Time is O(n
 * log n) in the size of the dump, and linear for dumps that libannot wrote.
 *
 * The reader numbers these from 0: streams (the markers of one recording of a list, or of one
 * queue), entries (BeginEvent, SetMarker, ... of all streams, in the order of recording),
 * submissions, and executions (one command list of one submission). An execution and an entry
 * together identify a marker in the GPU's work.
 *
 * A reader doesn't change after it was opened, so any number of threads may use it.
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

/* The longest name in a report, in bytes of UTF-8. Reports show only the beginning of a longer
 * name. JSON has the whole name once, in "names" or "objects"; text counts the cut names. */
#define ANNOT_REPORT_NAME_LIMIT 400

typedef struct annot_report_options {
    /* Text report: every entry gets a line. JSON report: also markers of finished executions. */
    bool all;
    bool color;     /* ANSI colours */
    bool truecolor; /* text report: markers are shown in the application's 24-bit colours */
    /* The largest number of markers that a report shows; further markers are only counted. 0:
     * ANNOT_REPORT_NODE_LIMIT. */
    uint64_t node_limit;
    /* The size in bytes from which the report leaves markers out, and says so. 0: 8 MiB plus 6
     * times the dump's size, at most 1 GiB, so no small file makes a large report [ANN-SEC-04]. */
    uint64_t size_limit;
    /* Text report: the width of lines in columns, at least 40. 0: lines don't break. */
    uint32_t width;
    /* Text report for a terminal that shows UTF-8: lines show the tree's levels, names have
     * typographic quotes, and a flat list of the work in progress comes before the tree. */
    bool branches;
    /* Text report: EventIDs are shown only for the markers where the GPU stopped. */
    bool no_ids;
    /* The report shows operations that were noted: in the text's tree, and in JSON by execution. */
    bool operations;
    /* Text report for a program with a layout of its own. Each line is LEVEL TAB LABEL TAB WORDS.
     * The lines say where work stopped, describe the device, and list the losses. The report leaves
     * out the answer, the advice, the facts and the tree. Level 0 is a heading, level 1 is a line,
     * and level 2 has details of that line. Each place where work stopped begins with a line of
     * level 1 and the label "stop". */
    bool outline;
    /* Text report: the dump's path, for commands in the report. NULL: the word DUMP. */
    const char *dump;
} annot_report_options;

/* Writes the text report. `options` may be NULL. Errors: ANNOT_ERROR_IO if the sink refused,
 * ANNOT_ERROR_OUT_OF_MEMORY. */
ANNOT_INLINE annot_result annot_report_text(const annot_reader *reader,
                                            const annot_report_options *options,
                                            const annot_report_sink *sink);

/* Writes the JSON report, described in docs/DUMP_FORMAT.md. `options` may be NULL. */
ANNOT_INLINE annot_result annot_report_json(const annot_reader *reader,
                                            const annot_report_options *options,
                                            const annot_report_sink *sink);

/* Both functions write a part of a report's beginning into `buffer`. The answer is one line that
 * says what happened, and in which scope, operation and shader, as far as known. Advice number n is
 * a paragraph that says what to do next. Both functions shorten and escape names of the dump, cut
 * text that doesn't fit, and always store a NUL. They return the bytes without the NUL; 0 means
 * that there is no such paragraph. */
ANNOT_READER_API size_t annot_reader_answer(const annot_reader *reader, char *buffer,
                                            size_t capacity);
ANNOT_READER_API size_t annot_reader_advice(const annot_reader *reader, size_t index, char *buffer,
                                            size_t capacity);

typedef enum annot_report_format {
    ANNOT_REPORT_TEXT = 1,
    ANNOT_REPORT_JSON = 2
} annot_report_format;

/* Makes a report in memory. *text is NUL-terminated, and *size is the size without the NUL. Free
 * *text with annot_report_free. After a failure *text is NULL and *size is 0. `options` and `size`
 * may be NULL. */
ANNOT_INLINE annot_result annot_report_memory(const annot_reader *reader,
                                              annot_report_format format,
                                              const annot_report_options *options, char **text,
                                              size_t *size);

/* NULL is allowed. */
ANNOT_READER_API void annot_report_free(char *text);

/* ---- exported functions; each takes the sizes of its structs, so structs can grow ---- */

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
