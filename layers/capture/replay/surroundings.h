/* Restores the data that the recorded runtime read in addition to calls. */
#pragma once

#include "../trace/read.h"

/* Sets an environment variable, unless it names a file for output, or chooses code or files without
 * `trust`. Returns false if the variable was not set. `name` gets the variable's printable name. */
bool surroundings_set_variable(const struct trace_item *item, bool trust, char *name,
                               size_t capacity);

/* Returns "NAME=value" or "NAME", for the caller to free. NULL: damaged, or out of memory.
 */
char *surroundings_variable(const struct trace_item *item);

/* Whether `driver` is the name of a built-in driver, not a path to a file that would be loaded. */
bool surroundings_is_built_in(const char *driver);

/* Writes the settings file into a folder of its own. NULL: the file is written, or the trace's
 * record is damaged. Otherwise it returns the reason, which is valid until the next call. */
const char *surroundings_put_file(const struct trace_item *item);

/* Sends dumps without a path to a separate folder, not to the user's. Returns NULL, or the reason
 * for a failure. */
const char *surroundings_divert_dumps(void);

/* Sends a dump of this run to `dump` (NULL: the usual folder). The dump then has the path `program`
 * of the recorded program. Call it before the runtime is loaded. */
void surroundings_name_dump(const char *dump, const char *program);

/* Removes the files that surroundings_put_file and surroundings_divert_dumps caused. */
void surroundings_remove_files(void);

/* Makes an adapter that only has this LUID. NULL: out of memory. */
void *surroundings_adapter(uint64_t luid, uint64_t which);
/* Frees all adapters that surroundings_adapter made. Call it when no runtime uses them any more. */
void surroundings_free_adapters(void);

/* Makes the runtime enumerate its adapters, as the recorded program did, so that their LUIDs are
 * known. `open_factory` is the runtime's emu_dxcore_factory; NULL: the runtime lacks it. */
void surroundings_list_adapters(void *open_factory);
