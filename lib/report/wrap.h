/* A sink that breaks lines of text at a terminal's width and passes them on to another sink. */
#pragma once

#include <annot/reader.h>

struct annot__wrap {
    const annot_report_sink *to;
    uint32_t width; /* columns */
    size_t used;
    char line[4096]; /* longer lines are passed on in pieces, without breaks */
};

/* The write function of a sink whose `user` is a struct annot__wrap. The text must be valid UTF-8
 * and end with a newline. Returns false if the other sink refused. */
bool annot__wrap_write(void *wrap, const void *data, size_t size);

/* Returns the columns of the escape sequence or character at *at, and moves *at behind it. */
uint32_t annot__wrap_step(const char *line, size_t size, size_t *at);
