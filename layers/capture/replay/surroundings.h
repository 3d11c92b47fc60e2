/* Restores the inputs of the runtime that the recording found outside of its calls. */
#pragma once

#include "../trace/read.h"

/* A variable. Those that name files for output are left as they are. Without `trust` only those
 * that choose no code and no file have an effect; false: this one has none, and its name, as far as
 * it can be printed, is in `name`. */
bool surroundings_set_variable(const struct trace_item *item, bool trust, char *name,
                               size_t capacity);

/* "NAME=value", or "NAME", malloc'd; NULL: damaged, or out of memory. */
char *surroundings_variable(const struct trace_item *item);

/* Whether `name` is the name of a built-in driver. A path is not, because it would be loaded. */
bool surroundings_is_built_in(const char *driver);

/* The settings file, written to a folder of its own. NULL: it is there, or damaged in the trace;
 * else why there is none, valid until the next call. */
const char *surroundings_put_file(const struct trace_item *item);

/* From now on dumps without a path go to a separate folder, not to the user's. NULL: done; else
 * the reason why not. */
const char *surroundings_divert_dumps(void);

/* A dump of this run goes to `dump`, NULL: where the others go, and names the program whose trace
 * is replayed, by its path there. Before the runtime is loaded. */
void surroundings_name_dump(const char *dump, const char *program);

/* Both folders. */
void surroundings_remove_files(void);

/* An adapter that has this LUID and nothing else. NULL: out of memory. */
void *surroundings_adapter(uint64_t luid, uint64_t which);
/* Frees all of them. Call it when no runtime uses them any more. */
void surroundings_free_adapters(void);

/* Makes the runtime enumerate its adapters, as the recorded program did, so that their LUIDs
 * resolve. `open_factory`: the runtime's emu_dxcore_factory; NULL: it has none. */
void surroundings_list_adapters(void *open_factory);
