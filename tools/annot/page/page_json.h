/* The JSON text that comes before a page's columns. */
#pragma once

#include "page_model.h"

/* Writes all JSON of a page. Returns false if memory runs out; the page is then useless. */
bool page_say_all(struct annot__json *out, const struct page *page);
