/*
 * The page that a text report is written on, and the words and signs that all its parts share.
 * text.c writes the first screen, tree.c the tree, lost.c what is missing from it.
 */
#pragma once

#include "report/report.h"

/* A list, or a bundle inside it, whose operations are written: reader->operations from `at` on. */
struct annot__op_frame {
    uint32_t stream, bundle; /* the BUNDLE entry, or ANNOT__NONE */
    uint32_t at, end;
    uint64_t depth;                     /* of its outermost entries */
    uint32_t hidden_first, hidden_last; /* scopes, entries, whose operations have no line */
};

struct annot__page {
    struct annot__out out;
    const annot_reader *reader;
    const annot_report_options *options;
    struct annot__outer_scopes outer;
    uint64_t nodes_left;  /* lines of the tree */
    uint64_t visits_left; /* entries looked at, folded ones too */
    uint32_t lines;       /* of this execution */
    uint64_t lines_cut;   /* of this execution */
    uint64_t leaf_depth;
    uint64_t size_limit;
    uint64_t names_cut; /* mentions */
    const struct annot__words *words;
    bool is_in_quotes; /* that names may have, too */
    struct annot__names names;
    struct {
        uint32_t stream, last, seen, unmarked; /* of its bundles, up to the entry `last` */
    } calls;                                   /* annot__bundle_number */
    struct {
        struct annot__op_frame frame[2];
        uint32_t frames, execution;
    } ops; /* tree_operations.c */
};

/* Styles: between annot__style and annot__plain, or around words. Without colour they are
 * nothing. */
#define BOLD    "1"
#define DIM     "2"
#define RED     "1;31"
#define YELLOW  "1;33"
#define MAGENTA "35"
#define GREEN   "32"

/* The heading of a part. */
void annot__head(struct annot__page *page, const char *words);
/* Begins a line of a part, at level 1 or 2, with a label before its words: NULL is none, "" goes on
 * below the words of the line before. In an outline the line begins LEVEL TAB LABEL TAB. */
void annot__begin(struct annot__page *page, unsigned level, const char *label);
/* The same, with words behind it. */
ANNOT__PRINTF(4, 5)
void annot__item(struct annot__page *page, unsigned level, const char *label, const char *format,
                 ...);
void annot__style(struct annot__page *page, const char *code);
void annot__plain(struct annot__page *page);
void annot__styled(struct annot__page *page, const char *code, const char *words);
void annot__say(struct annot__page *page, const char *words);
ANNOT__PRINTF(2, 3)
void annot__format(struct annot__page *page, const char *format, ...); /* short: 512 bytes */
/* Words from the dump: what a terminal can't show is escaped, what is too long is cut. */
void annot__print_text(struct annot__page *page, annot_text words);
void annot__say_entry_name(struct annot__page *page, uint32_t entry, bool has_swatch);
/* Typographic quotes around a name, because the name may have plain quotes itself. */
void annot__open_quote(struct annot__page *page);
void annot__close_quote(struct annot__page *page);
void annot__say_quoted_entry(struct annot__page *page, uint32_t entry);
/* "Name" or #12, with what is odd about it; a queue as at its last submission. */
void annot__say_object(struct annot__page *page, uint64_t id);
/* What an operation of the recording is bound to. */
void annot__say_bound(struct annot__page *page, uint32_t stream, uint64_t id);
/* The same for a queue, with the name that it had when this submission was made. */
void annot__say_queue(struct annot__page *page, uint32_t submission);
/* The same of the bundle that a BUNDLE entry executes. */
void annot__say_bundle(struct annot__page *page, uint32_t entry);
/* The same of a list, as it was called in the recording `stream`, which may be ANNOT__NONE. */
void annot__say_recorded(struct annot__page *page, uint32_t stream, uint64_t id);
const char *annot__plural(uint64_t count);
/* [X], [>], [ ] or [?]. */
void annot__say_state(struct annot__page *page, annot_state state);
void annot__indent(struct annot__page *page, uint64_t depth);
/* "list 2 of 3", with its object. */
void annot__say_list(struct annot__page *page, uint32_t index);

/* recording.c: the lists that threads were recording: open scopes and the last marker of each. */
void annot__write_recording(struct annot__page *page);
/* crumbs.c: which operation breadcrumbs, if there are any, say a list is at. */
void annot__write_counted(struct annot__page *page, uint32_t crumbs);
/* operation.c: what the operation of a stop works on, its shaders, and what is done before it. */
void annot__write_stopped(struct annot__page *page, const annot_reader_suspect *suspect);
/* calls.c: of an execution with times, its last call that was done and the first that was not. */
void annot__write_calls(struct annot__page *page, uint32_t execution);
/* tdr.c: what the kernel-mode driver said. */
void annot__write_tdr(struct annot__page *page);
/* Whether the stop's queue is guilty, by whose word, where not all stops are of the guilty one. */
void annot__write_guilt(struct annot__page *page, const annot_reader_suspect *suspect);
/* Says in which object's memory a page fault was. */
void annot__write_fault(struct annot__page *page);
/* Writes executions about which witnesses disagree, with both claims; false: there are none. */
bool annot__write_disputes(struct annot__page *page);

/* The parts behind the first screen, in their order. */
void annot__write_tree(struct annot__page *page);
void annot__write_lost(struct annot__page *page);

/* Markers that a layer doesn't have marked one by one are a bundle without a kind of the API's. */
bool annot__is_unmarked(const struct annot__page *page, uint64_t id);
/* The number of a BUNDLE entry, from 1, among the program's own executions of bundles in its list.
 * The entry's ordinal also counts the layer's. Cheap if entries are asked for in order. */
uint32_t annot__bundle_number(struct annot__page *page, uint32_t entry);

/* One line of the tree, where one is left; at the report's size limit it is the last. */
void annot__spend_line(struct annot__page *page);
