/* Restores what the recorded runtime read in addition to calls. */
#pragma once

#include "../trace/read.h"

/* Sets a variable, unless it names a file for output, or chooses code or files without `trust`.
 * False means that it was not set; `name` gets its printable name. */
bool surroundings_set_variable(const struct trace_item *item, bool trust, char *name,
                               size_t capacity);

/* Returns "NAME=value" or "NAME", malloc'd; NULL: damaged, or out of memory. */
char *surroundings_variable(const struct trace_item *item);

/* Whether `name` is the name of a built-in driver. A path is not, because it would be loaded. */
bool surroundings_is_built_in(const char *driver);

/* Writes the settings file to its own folder. NULL: it is written, or damaged in the trace; else
 * the reason for the failure, valid until the next call. */
const char *surroundings_put_file(const struct trace_item *item);

/* Sends dumps without a path to a separate folder, not to the user's. NULL: done; else the reason
 * why not. */
const char *surroundings_divert_dumps(void);

/* Sends a dump of this run to `dump` (NULL: the usual folder). The dump names the recorded program
 * by its path. Call it before the runtime is loaded. */
void surroundings_name_dump(const char *dump, const char *program);

/* Removes the files of both folders. */
void surroundings_remove_files(void);

/* Makes an adapter that only has this LUID. NULL: out of memory. */
void *surroundings_adapter(uint64_t luid, uint64_t which);
/* Frees all these adapters. Call it when no runtime uses them any more. */
void surroundings_free_adapters(void);

/* Makes the runtime enumerate its adapters, as the recorded program did, so that their LUIDs
 * resolve. `open_factory`: the runtime's emu_dxcore_factory; NULL: it has none. */
void surroundings_list_adapters(void *open_factory);
