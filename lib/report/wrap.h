/* A sink that breaks lines at a terminal's width, and passes them to another sink. */
#pragma once

#include <annot/reader.h>

struct annot__wrap {
    const annot_report_sink *to;
    uint32_t width; /* columns */
    size_t used;
    char line[4096]; /* the line so far; a line that doesn't fit is passed on unbroken, in pieces */
};

/* The write function of a wrapping sink; `wrap` points to its struct annot__wrap. The text must be
 * valid UTF-8 and end with a newline. Returns false if the other sink refused data. */
bool annot__wrap_write(void *wrap, const void *data, size_t size);

/* Returns how many columns the character or escape sequence at *at takes, and moves *at past it. */
uint32_t annot__wrap_step(const char *line, size_t size, size_t *at);
