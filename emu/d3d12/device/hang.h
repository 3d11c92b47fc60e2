/* Parses EMU_HANG, EMU_FAULT and EMU_LOSE, which say where a device hangs, faults or is lost, and
 * compares them with the names of markers. */
#pragma once

#include <emu/emu.h>

#include <stdbool.h>

/* "dispatch:N", "draw:N", "list:N", "submission:N" or "marker:GLOB", N from 1; `marker` points into
 * `text`. False, and *out is unchanged, for any other text. */
bool hang_parse(const char *text, emu_hang_kind kind, emu_hang *out);

/* Whether the marker's name, as a report would show it, fits the glob: '*' is any text, '?' any
 * byte. Names are compared in their first 1023 bytes. */
bool hang_fits(const char *glob, uint32_t metadata, const void *data, uint32_t size);
