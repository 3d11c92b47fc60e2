/* The JSON in front of the page's columns. */
#pragma once

#include "page_model.h"

/* False means out of memory, and the page is not to be used. */
bool page_say_all(struct annot__json *out, const struct page *page);
