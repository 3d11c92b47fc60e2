/* The state of a text report, and words and signs that all its parts use. text.c writes the first
 * screen, tree.c the tree, lost.c the losses. */
#pragma once

#include "report/report.h"

/* A list or bundle whose operations the report is writing. reader->operations[at] is next. */
struct annot__op_frame {
    uint32_t stream, bundle; /* the list's stream; the BUNDLE entry, or NONE for a list */
    uint32_t at, end;
    uint64_t depth;                     /* depth of the outermost entries in this list or bundle */
    uint32_t hidden_first, hidden_last; /* the report hides operations of these entries */
};

struct annot__page {
    struct annot__out out;
    const annot_reader *reader;
    const annot_report_options *options;
    struct annot__outer_scopes outer;
    uint64_t nodes_left;  /* lines of the tree */
    uint64_t visits_left; /* limit: entries that the report may still visit */
    uint32_t lines;       /* lines of this execution */
    uint64_t lines_cut;   /* number of lines that the report left out of this execution */
    uint64_t leaf_depth;
    uint64_t size_limit;
    uint64_t names_cut; /* mentions */
    const struct annot__words *words;
    bool is_in_quotes; /* plain quotes are open, so quotes in names are escaped */
    struct annot__names names;
    struct {
        uint32_t stream, last, seen,
            unmarked; /* number of unmarked bundles in the list, up to the entry `last` */
    } calls;          /* annot__bundle_number */
    struct {
        struct annot__op_frame frame[2];
        uint32_t frames, execution;
    } ops; /* tree_operations.c */
};

/* Styles for words in colour reports, as arguments of annot__style. annot__plain ends a style. */
#define BOLD    "1"
#define DIM     "2"
#define RED     "1;31"
#define YELLOW  "1;33"
#define MAGENTA "35"
#define GREEN   "32"

/* Writes a heading for a part of the report. */
void annot__head(struct annot__page *page, const char *words);
/* Begins a line at level 1 or 2 with a label. NULL: no label; "": the line continues the line
 * before. In an outline, the line begins with LEVEL TAB LABEL TAB. */
void annot__begin(struct annot__page *page, unsigned level, const char *label);
/* Begins a line as annot__begin does, and writes formatted words on it. */
#define annot__item(page, level, label, ...)                                                       \
    (annot__begin(page, level, label), annot__format(page, __VA_ARGS__))
void annot__style(struct annot__page *page, const char *code);
void annot__plain(struct annot__page *page);
#define annot__styled(page, code, ...)                                                             \
    (annot__style(page, code), annot__format(page, __VA_ARGS__), annot__plain(page))
void annot__say(struct annot__page *page, const char *words);
#define annot__format(page, ...) annot__out_format(&(page)->out, __VA_ARGS__)
/* Writes text of the dump. Escapes characters that a terminal can't show, and cuts long text. */
void annot__print_text(struct annot__page *page, annot_text words);
void annot__say_entry_name(struct annot__page *page, uint32_t entry, bool has_swatch);
/* Both functions write typographic quotes around a name, because names may have plain quotes. */
void annot__open_quote(struct annot__page *page);
void annot__close_quote(struct annot__page *page);
void annot__say_quoted_entry(struct annot__page *page, uint32_t entry);
/* Writes an object's name, or #12 if the object has no name, and whether the object is destroyed. A
 * queue has the name of its last submission. */
void annot__say_object(struct annot__page *page, uint64_t id);
/* Writes the name of an object that an operation of the recording `stream` uses. */
void annot__say_bound(struct annot__page *page, uint32_t stream, uint64_t id);
/* Writes the queue of a submission, with the queue's name at that time. */
void annot__say_queue(struct annot__page *page, uint32_t submission);
/* Writes the name of the bundle that the BUNDLE entry `entry` executes. */
void annot__say_bundle(struct annot__page *page, uint32_t entry);
/* Writes a list with its name in the recording `stream`, or its last name for ANNOT__NONE. */
void annot__say_recorded(struct annot__page *page, uint32_t stream, uint64_t id);
const char *annot__plural(uint64_t count);
/* [X], [>], [ ] or [?]. */
void annot__say_state(struct annot__page *page, annot_state state);
void annot__indent(struct annot__page *page, uint64_t depth);
/* Writes "list 2 of 3" and the list's name, for an execution. */
void annot__say_list(struct annot__page *page, uint32_t index);

/* In recording.c. Writes lists that threads were recording, their open scopes and last markers. */
void annot__write_recording(struct annot__page *page);
/* Defined in crumbs.c. Writes the operation that a list has reached, as its breadcrumbs say. */
void annot__write_counted(struct annot__page *page, uint32_t crumbs);
/* In operation.c. Writes the objects and shaders of a stop's operation, and the work before it. */
void annot__write_stopped(struct annot__page *page, const annot_reader_suspect *suspect);
/* In calls.c. Writes an execution's last finished and first unfinished call, from their times. */
void annot__write_calls(struct annot__page *page, uint32_t execution);
/* Defined in tdr.c. Writes what the kernel-mode driver answered. */
void annot__write_tdr(struct annot__page *page);
/* Writes whether a suspect's queue is guilty, and who says this. Writes nothing if all stops are on
 * this queue. */
void annot__write_guilt(struct annot__page *page, const annot_reader_suspect *suspect);
/* Writes which object is at the address of a page fault. */
void annot__write_fault(struct annot__page *page);
/* Writes the executions whose evidence disagrees, and what each source says. Returns false if there
 * are none. */
bool annot__write_disputes(struct annot__page *page);

/* These functions write the report's parts after its first screen, in this order. */
void annot__write_tree(struct annot__page *page);
void annot__write_lost(struct annot__page *page);

/* Returns true if the object is a bundle that a layer made for markers without breadcrumbs. The API
 * knows no such bundle. */
bool annot__is_unmarked(const struct annot__page *page, uint64_t id);
/* Returns the number, from 1, of a BUNDLE entry among the bundles that the program executes in the
 * list. Unlike `ordinal`, this leaves out the layer's bundles. Fast if entries come in order. */
uint32_t annot__bundle_number(struct annot__page *page, uint32_t entry);

/* Counts a line that was written into the tree. At the report's size limit it is the last. */
void annot__spend_line(struct annot__page *page);
