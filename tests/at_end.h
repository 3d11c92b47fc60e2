/* AT_END(close_scene) struct scene s = open_scene();
 *
 * calls close_scene(&s) where the block ends, after what is declared below it; not when an
 * assertion ends the test. */
#pragma once

#include <annot/reader.h>

#include <stdlib.h>
#include <string.h>

#define AT_END(function) __attribute__((unused, cleanup(function)))

/* For a pointer to memory of malloc. */
static inline void at_end_free(void *pointer)
{
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    free(memory);
}

static inline void at_end_free_report(char **report)
{
    annot_report_free(*report);
}

static inline void at_end_close(annot_reader **reader)
{
    annot_reader_close(*reader);
}
