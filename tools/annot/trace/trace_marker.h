/* Markers of a trace: their names, the calls that set them, and their EventIDs in a dump of the
 * same run. A dump keeps the call that began each recording of a list. The n-th marker after that
 * call is the n-th marker in the dump's stream [ANN-TRACE-05]. */
#pragma once

#include <capture/trace/print.h>

/* Whether the record is a BeginEvent or SetMarker; `name` gets the marker's name in UTF-8. */
bool marker_name(const struct trace_item *item, char *name, size_t size);

struct markers;

/* Opens the markers. `dump` is a dump of a run of this trace; NULL: markers get no EventIDs.
 * Returns NULL after a message on stderr. */
struct markers *markers_open(const char *dump);
void markers_close(struct markers *markers);

/* Follows the trace; call it with every record, in order. False means out of memory. */
bool markers_follow(struct markers *markers, const struct trace_item *item);

/* Returns the EventID of the last followed marker; 0: the dump has none. */
uint64_t markers_event(const struct markers *markers);

/* Whether the last followed call sets a marker with a matching name, or is inside of such a marker
 * on its list. */
bool markers_are_around(struct markers *markers, const struct trace_item *item, const char *glob);

/* Returns a hash of the names of the scopes around the call; 0: there is no scope. */
uint64_t markers_scope(const struct markers *markers, const struct trace_item *item);

/* Adds the names of the scopes around the call, the outermost first: `, in "Frame" / "Shadows"`, or
 * `,"path":[...]`. */
void markers_add_path(const struct markers *markers, struct trace_text *text,
                      const struct trace_item *item, bool is_json);

/* Returns the first call that sets a marker whose name matches `glob`: * is any text, ? is one
 * byte. 0: there is none. The trace must be at its beginning; afterwards the trace is at its
 * beginning again. */
uint64_t markers_find(struct trace *trace, const char *glob);

/* annot trace marker: prints the calls of markers with a matching name, or of the marker with this
 * EventID. Returns the exit code: 0 if calls were found, 1 if there are none, 2 after an error. */
int trace_marker(struct trace *trace, const char *wanted, const char *dump, bool is_json);
