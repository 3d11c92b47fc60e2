/* A dump of a live device, read back with annot/reader.h [ANN-CRASH-07]. */
#pragma once

#include "kit.h"

#include <annot/reader.h>

/* Writes a dump of the device as it is now and opens it; expects that it is not damaged. Skips the
 * case when the runtime exports no annot_dump_writer_create. The case needs LOOKUP.
 * annot_reader_close ends it. */
annot_reader *kit_dump(ID3D12Device *device);
/* The same with a driver's report, forged or not. */
annot_reader *kit_dump_with(ID3D12Device *device, const annot_crash_report *report);
/* For a case that makes many: in a file of the case. */
annot_reader *kit_dump_at(ID3D12Device *device, const annot_crash_report *report, const char *path);

/* The marker with this EventID; ends the case when the dump doesn't have it. */
annot_reader_entry kit_dump_entry(const annot_reader *dump, uint64_t event_id);

/* Whether the object on whose list or queue this marker was recorded has that name. */
bool kit_dump_is_on(const annot_reader *dump, uint64_t event_id, const char *object_name);

/* How many objects have exactly this name, and the first of them. */
size_t kit_dump_named(const annot_reader *dump, const char *name, annot_reader_object *first);
