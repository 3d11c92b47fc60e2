/* Parses EMU_HANG, EMU_FAULT and EMU_LOSE, which say where a device hangs, faults or is lost. Also
 * compares a marker's name with the name that the user gave. */
#pragma once

#include <emu/emu.h>

#include <stdbool.h>

/* Parses "dispatch:N", "draw:N", "list:N", "submission:N" or "marker:GLOB". N counts from 1; the
 * marker's name in `out` points into `text`. If `text` is anything else, the function returns false
 * and doesn't change *out. */
bool hang_parse(const char *text, emu_hang_kind kind, emu_hang *out);

/* Returns whether the marker's name, as reports show the name, matches the glob: '*' is any text,
 * '?' is any byte. Only the first 1023 bytes of a name are compared. */
bool hang_fits(const char *glob, uint32_t metadata, const void *data, uint32_t size);
