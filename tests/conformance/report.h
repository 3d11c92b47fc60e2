/* The results of the cases, on standard output. */
#pragma once

#include "plan.h"

#include <annot/reader.h>

#include <stdio.h>

struct report_counts {
    size_t passed, failed, skipped;
};

/* A failure that is waived counts as skipped. */
struct report_counts report_count(const struct plan *plan);

/* Text of the runtime or of a person, escaped for a terminal or the inside of a JSON string
 * [ANN-SEC-06]. */
void report_print(FILE *to, annot_escape how, const char *text, size_t size);

/* TAP: a line per case as it ends, then the counts per requirement as comments. `colour`: for
 * terminals. */
/* `library`: the file that was loaded, or ""; `lacks`: enum case_need, or REPORT_NO_DEVICE. */
#define REPORT_NO_DEVICE (~0u)
void report_tap_start(const struct plan *plan, const char *runtime, const char *library,
                      unsigned lacks);
void report_tap_case(const struct planned *planned, size_t number, bool colour);
void report_tap_end(const struct plan *plan);

/* One JSON document. */
void report_json(const struct plan *plan, const char *runtime);

/* One document of JUnit's XML. */
void report_junit(const struct plan *plan, const char *runtime);

/* The cases that would be run: name, requirements, sentence, and what the runtime must have beside
 * D3D12, each word behind a blank; separated by tabs. Or JSON, without the last. */
void report_list(const struct plan *plan);
void report_list_json(const struct plan *plan);

/* ---- requirements ---- */

enum { REQUIREMENTS_MAX = 256 };

struct report_requirement {
    char id[32];
    struct report_counts counts;
};

/* In the order of their IDs; returns how many. */
size_t report_requirements(const struct plan *plan,
                           struct report_requirement out[REQUIREMENTS_MAX]);
