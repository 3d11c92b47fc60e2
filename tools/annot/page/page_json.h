/* The JSON in front of the page's columns. */
#pragma once

#include "page_model.h"

/* Writes the whole JSON. False means out of memory; the page can't be used then. */
bool page_say_all(struct annot__json *out, const struct page *page);
