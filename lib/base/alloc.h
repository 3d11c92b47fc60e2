/* Completes the caller's allocator: by default, the C library's functions allocate memory. */
#pragma once

#include <annot/annot.h>

/* Sets the C library's functions if both are NULL. False: only one function is NULL. */
bool annot__allocator_complete(annot_allocator *allocator);
