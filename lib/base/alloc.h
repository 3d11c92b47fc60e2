/* Completes the caller's allocator: by default, the C library's functions allocate memory. */
#pragma once

#include <annot/annot.h>

/* Sets the C library's functions if the caller set neither. Returns false if only one is NULL. */
bool annot__allocator_complete(annot_allocator *allocator);
