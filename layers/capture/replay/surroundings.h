/* Restores what the recorded runtime read in addition to the calls' arguments. */
#pragma once

#include "../trace/read.h"

/* Sets an environment variable. Refuses a variable that names an output file and, without `trust`,
 * one that chooses code or files; then returns false. `name` gets the variable's printable name. */
bool surroundings_set_variable(const struct trace_item *item, bool trust, char *name,
                               size_t capacity);

/* Returns "NAME=value" or "NAME"; the caller frees it. NULL: the record is damaged, or memory ran
 * out. */
char *surroundings_variable(const struct trace_item *item);

/* Whether `driver` names a built-in driver, and is not the path of a file to load. */
bool surroundings_is_built_in(const char *driver);

/* Writes the settings file into a new folder. Returns NULL if the file is written or the trace's
 * record is damaged. Otherwise returns the reason, which is valid until the next call. */
const char *surroundings_put_file(const struct trace_item *item);

/* Sends dumps without a path to a new folder, not to the user's folder. Returns NULL, or the reason
 * of a failure. */
const char *surroundings_divert_dumps(void);

/* Sends this run's dump to `dump` (NULL: the usual folder). `program` is the path of the recorded
 * program, which the dump shows. Call this function before the runtime is loaded. */
void surroundings_name_dump(const char *dump, const char *program);

/* Changes the contents of the emulator's new memory: to the trace's, or to others if the replay had
 * those. With `is_first`, new memory gets the first replay's contents again. */
void surroundings_change_memory(bool is_first);

/* Removes the files and folders that surroundings_put_file and surroundings_divert_dumps made. */
void surroundings_remove_files(void);

/* Makes an adapter that has only this LUID. Returns NULL if memory runs out. */
void *surroundings_adapter(uint64_t luid, uint64_t which);
/* Frees all adapters of surroundings_adapter. Call it when no runtime can use them any more. */
void surroundings_free_adapters(void);

/* Makes the runtime list its adapters, as the recorded program did, so that their LUIDs are known.
 * `open_factory` is the runtime's emu_dxcore_factory, or NULL if the runtime lacks it. */
void surroundings_list_adapters(void *open_factory);
