/* The report that can be sent to a runtime's author: Markdown that reads as plain text. */
#pragma once

#include "plan.h"

#include <stdio.h>

struct report_subject {
    const char *runtime; /* the path that was given */
    const char *library; /* the file that D3D12CreateDevice is in, and whose; "": not known */
    const char *driver;  /* --driver; NULL: none */
    const char *filter;  /* --filter; NULL: all cases */
    unsigned lacks;      /* enum case_need */
    bool testable;
};

/* Writes what was tested, failures, and skips. Failures at one place of one source file, or with
 * one reason, have probably one cause; they stand together. The causes have the order of the plan,
 * in which cases come before those that build on what they test. The size is limited: at most
 * AUTHOR_CAUSES_MAX causes, each with AUTHOR_LINES_MAX lines of output and of names. */
enum { AUTHOR_CAUSES_MAX = 40, AUTHOR_LINES_MAX = 12, AUTHOR_LINE_MAX = 400 };
void report_author(FILE *to, const struct plan *plan, const struct report_subject *subject);
