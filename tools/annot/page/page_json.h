/* The JSON in front of the page's columns. */
#ifndef ANNOT_TOOLS_PAGE_JSON_H
#define ANNOT_TOOLS_PAGE_JSON_H

#include "page_model.h"

/* False: out of memory, and the page is not to be used. */
bool page_say_all(struct annot__json *out, const struct page *page);

#endif
