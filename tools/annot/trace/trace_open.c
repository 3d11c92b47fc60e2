#include "trace_open.h"

#include <stdio.h>

#define SMALL ((uint64_t)256 << 20)

struct trace *trace_open_limited(const char *command, const char *path, uint64_t expansion)
{
    const char *why;
    struct trace *trace = trace_open_file(path, &why);
    if (!trace) {
        fprintf(stderr, "annot %s: %.200s: %s\n", command, path, why);
        return NULL;
    }
    const struct trace_totals t = trace_get_totals(trace);
    if (!expansion || t.used <= SMALL || t.used / expansion <= t.file_size)
        return trace;
    fprintf(stderr,
            "annot %s: %.200s: the file of %.1f MB has %.1f MB of records, %.0f times as much; "
            "--max-expansion 0 reads such traces\n",
            command, path, (double)t.file_size / 1e6, (double)t.used / 1e6,
            (double)t.used / (double)t.file_size);
    trace_close(trace);
    return NULL;
}

bool trace_print_findings(const char *command, const struct trace *trace)
{
    size_t i = 0;
    for (const char *finding; (finding = trace_get_finding(trace, i)); i++)
        fprintf(stderr, "annot %s: %s\n", command, finding);
    return i > 0;
}
