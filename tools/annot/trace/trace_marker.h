/* Markers of a trace: their names, the calls that set them, and their EventIDs in a dump of the
 * same run. For each recording of a list, a dump has the call that began it. The n-th marker after
 * that call is the n-th marker in the dump's stream [ANN-TRACE-05]. */
#pragma once

#include <annot/reader.h>
#include <capture/trace/print.h>

bool marker_is_set_by(int method); /* a list's or queue's BeginEvent or SetMarker */

/* Whether the record is a BeginEvent or SetMarker; `name` gets the marker's name in UTF-8. */
bool marker_name(const struct trace_item *item, char *name, size_t size);

struct markers;

/* Opens a dump of the trace's run, or of its replay. If the dump can't be read or is of another
 * run, prints a message and returns NULL. */
annot_reader *markers_open_dump(const struct trace *trace, const char *path);

/* Prepares the markers. `dump` is a dump for markers_open_dump, or NULL; without a dump, markers
 * have no EventIDs. After a failure, prints a message on stderr and returns NULL. */
struct markers *markers_open(const struct trace *trace, const char *dump);
void markers_close(struct markers *markers);

/* Updates the markers from a record. Call it with every record, in order. False: out of memory. */
bool markers_follow(struct markers *markers, const struct trace_item *item);

/* Returns the call that began the recording of the list that this call is made on; 0: none. */
uint64_t markers_recording(const struct markers *markers, const struct trace_item *item);

/* Returns the EventID of the last marker that markers_follow got; 0: the dump lacks it. */
uint64_t markers_event(const struct markers *markers);

/* Whether the last call that was followed sets a marker whose name matches `glob`, or is inside
 * such a marker on the same list. */
bool markers_are_around(struct markers *markers, const struct trace_item *item, const char *glob);

/* Returns a hash of the names of all scopes around the call, or 0 without a scope. */
uint64_t markers_scope(const struct markers *markers, const struct trace_item *item);

/* Adds the names of all scopes around the call, the outermost first: as text (`, in "Frame" /
 * "Shadows"`) or as JSON (`,"path":[...]`). */
void markers_add_path(const struct markers *markers, struct trace_text *text,
                      const struct trace_item *item, bool is_json);

/* Returns the first call that sets a marker whose name matches `glob` (* is any text, ? is one
 * byte); 0: no such call. The trace must be at its beginning, and is there again afterwards. */
uint64_t markers_find(struct trace *trace, const char *glob);

/* Performs annot trace marker: prints the calls of markers with a matching name, or of the marker
 * with this EventID. Returns the exit code: 0 if calls were found, 1 without calls, 2 on errors. */
int trace_marker(struct trace *trace, const char *wanted, const char *dump, bool is_json);
