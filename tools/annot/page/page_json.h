/* The JSON in front of the columns of a page. */
#pragma once

#include "page_model.h"

/* Writes the whole JSON. False means out of memory; then the page can't be used. */
bool page_say_all(struct annot__json *out, const struct page *page);
