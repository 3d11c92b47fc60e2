/* The state of a text report, and the words and signs that its parts share. text.c writes the first
 * screen, tree.c the tree, lost.c the losses. */
#pragma once

#include "report/report.h"

/* A list, or a bundle in a list, whose operations are written: reader->operations from `at` on. */
struct annot__op_frame {
    uint32_t stream, bundle; /* the list's stream; the BUNDLE entry, or ANNOT__NONE */
    uint32_t at, end;
    uint64_t depth;                     /* depth of the outermost entries in the list or bundle */
    uint32_t hidden_first, hidden_last; /* range of entries whose operations get no line */
};

struct annot__page {
    struct annot__out out;
    const annot_reader *reader;
    const annot_report_options *options;
    struct annot__outer_scopes outer;
    uint64_t nodes_left;  /* lines of the tree */
    uint64_t visits_left; /* number of entries that the report may still visit */
    uint32_t lines;       /* lines of this execution */
    uint64_t lines_cut;   /* number of this execution's lines that are left out */
    uint64_t leaf_depth;
    uint64_t size_limit;
    uint64_t names_cut; /* mentions */
    const struct annot__words *words;
    bool is_in_quotes; /* the line is inside plain quotes, so names' quotes are escaped */
    struct annot__names names;
    struct {
        uint32_t stream, last, seen,
            unmarked; /* numbers of the list's bundles up to the entry `last` */
    } calls;          /* annot__bundle_number */
    struct {
        struct annot__op_frame frame[2];
        uint32_t frames, execution;
    } ops; /* tree_operations.c */
};

/* Styles for annot__style, which annot__plain ends, or for words; for colour reports only. */
#define BOLD    "1"
#define DIM     "2"
#define RED     "1;31"
#define YELLOW  "1;33"
#define MAGENTA "35"
#define GREEN   "32"

/* Writes the heading of a part of the report. */
void annot__head(struct annot__page *page, const char *words);
/* Begins a line at level 1 or 2 with a label. NULL: no label; "": the line continues the previous
 * line. In an outline the line begins with LEVEL TAB LABEL TAB. */
void annot__begin(struct annot__page *page, unsigned level, const char *label);
/* Begins a line as annot__begin does, and writes the line's words. */
ANNOT__PRINTF(4, 5)
void annot__item(struct annot__page *page, unsigned level, const char *label, const char *format,
                 ...);
void annot__style(struct annot__page *page, const char *code);
void annot__plain(struct annot__page *page);
void annot__styled(struct annot__page *page, const char *code, const char *words);
void annot__say(struct annot__page *page, const char *words);
ANNOT__PRINTF(2, 3)
void annot__format(struct annot__page *page, const char *format, ...); /* short: 512 bytes */
/* Writes text of the dump. Characters that a terminal can't show are escaped; long text is cut. */
void annot__print_text(struct annot__page *page, annot_text words);
void annot__say_entry_name(struct annot__page *page, uint32_t entry, bool has_swatch);
/* Write typographic quotes around a name, because the name may have plain quotes. */
void annot__open_quote(struct annot__page *page);
void annot__close_quote(struct annot__page *page);
void annot__say_quoted_entry(struct annot__page *page, uint32_t entry);
/* Writes an object's name, or #12, and whether the object is unnamed or destroyed. A queue has its
 * name from its last submission. */
void annot__say_object(struct annot__page *page, uint64_t id);
/* Writes an object that an operation of the recording uses. */
void annot__say_bound(struct annot__page *page, uint32_t stream, uint64_t id);
/* Writes the queue of a submission, with the queue's name at that time. */
void annot__say_queue(struct annot__page *page, uint32_t submission);
/* Writes the bundle that a BUNDLE entry executes. */
void annot__say_bundle(struct annot__page *page, uint32_t entry);
/* Writes a list, with the list's name in the recording `stream`, which may be ANNOT__NONE. */
void annot__say_recorded(struct annot__page *page, uint32_t stream, uint64_t id);
const char *annot__plural(uint64_t count);
/* [X], [>], [ ] or [?]. */
void annot__say_state(struct annot__page *page, annot_state state);
void annot__indent(struct annot__page *page, uint64_t depth);
/* Writes "list 2 of 3" and its object. */
void annot__say_list(struct annot__page *page, uint32_t index);

/* recording.c: writes the lists that threads were recording, their open scopes and last markers. */
void annot__write_recording(struct annot__page *page);
/* crumbs.c: writes the operation that a list has reached, by breadcrumbs. */
void annot__write_counted(struct annot__page *page, uint32_t crumbs);
/* operation.c: writes objects and shaders of a stop's operation, and the work before it. */
void annot__write_stopped(struct annot__page *page, const annot_reader_suspect *suspect);
/* calls.c: writes an execution's last finished call and first unfinished call, by their times. */
void annot__write_calls(struct annot__page *page, uint32_t execution);
/* tdr.c: writes the kernel-mode driver's answers. */
void annot__write_tdr(struct annot__page *page);
/* Writes whether a suspect's queue is guilty and who says so, unless all stops are of that
 * queue. */
void annot__write_guilt(struct annot__page *page, const annot_reader_suspect *suspect);
/* Writes the object at the address of a page fault. */
void annot__write_fault(struct annot__page *page);
/* Writes the executions with contradicting evidence, and both claims. Returns false if there are
 * none. */
bool annot__write_disputes(struct annot__page *page);

/* Write the parts after the first screen, in this order. */
void annot__write_tree(struct annot__page *page);
void annot__write_lost(struct annot__page *page);

/* Returns true if the object is a group of markers for which a layer wrote no marks. The layer made
 * this group as a bundle; it is no bundle of the API. */
bool annot__is_unmarked(const struct annot__page *page, uint64_t id);
/* Returns the number of a BUNDLE entry, from 1, among the program's executions of bundles in the
 * list. The entry's ordinal also counts the layer's bundles. Fast if entries come in order. */
uint32_t annot__bundle_number(struct annot__page *page, uint32_t entry);

/* Counts one more line of the tree. At the report's size limit the line is the last. */
void annot__spend_line(struct annot__page *page);
