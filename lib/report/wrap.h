/* A sink that breaks lines of text at a terminal's width and passes them on to another sink. */
#pragma once

#include <annot/reader.h>

struct annot__wrap {
    const annot_report_sink *to;
    uint32_t width; /* columns */
    size_t used;
    char line[4096]; /* a longer line is passed on in pieces, and is not broken */
};

/* The write function of a sink. `wrap` is the sink's `user`, a struct annot__wrap. The text must be
 * valid UTF-8 and end with a newline. Returns false if the other sink refused. */
bool annot__wrap_write(void *wrap, const void *data, size_t size);

/* Returns how many columns the escape sequence or character at *at takes, and moves *at behind it.
 */
uint32_t annot__wrap_step(const char *line, size_t size, size_t *at);
